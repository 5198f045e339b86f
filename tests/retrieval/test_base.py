"""Foreign retrievers, and the checks that they go through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from countercase.errors import InputError
from countercase.retrieval.base import Filters, Query
from countercase.retrieval.foreign import as_retriever

ASKED = [Query(("a theft", "at night")), Query(("a sale",))]


def test_a_function_is_a_retriever_that_takes_no_filters() -> None:
    def ranked(queries: Sequence[Query]) -> list[list[str]]:
        return [["own", "b", "c", "d"] if "theft" in query.text else [] for query in queries]

    retriever = as_retriever(ranked)
    first, second = retriever.retrieve(ASKED, top_k=2, exclude=frozenset({"own"}))
    assert (first.case_ids, first.pool, first.top_k) == (("b", "c"), ("b", "c", "d"), 2)
    assert [(result.rank, result.score) for result in first.results] == [(1, 1.0), (2, 0.5)]
    assert all(result.stages == {} and result.matches == () for result in first.results)
    assert second.case_ids == ()
    assert as_retriever(retriever) is retriever
    with pytest.raises(InputError, match="takes no filters"):
        retriever.retrieve(ASKED, filters=Filters(year_from=1990))
    assert len(retriever.retrieve(ASKED, filters=Filters())) == 2


@pytest.mark.parametrize("given", [{"weights": (1.0,)}, {"weights": (1.0, -1.0)}, {"reach": "x"}])
def test_a_query_that_cannot_be_weighed_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="Query: "):
        Query(("a", "b"), **given)
