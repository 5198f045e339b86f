"""Foreign retrievers: any function from queries to rankings as a `Retriever`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeAlias

from countercase.errors import InputError
from countercase.io import Progress
from countercase.retrieval.base import SCORED, Filters, Query, RankedCase, Ranking, Retriever

RankingFunction: TypeAlias = Callable[[Sequence[Query]], Sequence[Sequence[str]]]
"""A foreign retriever: for each query the ids of precedents, best first."""


class FunctionRetriever:
    """A foreign ranking function as a `Retriever`.

    Its rankings have no stages and no matches; the score of a precedent is 1 / rank.
    """

    def __init__(self, function: RankingFunction) -> None:
        self.function = function

    def retrieve(
        self,
        queries: Sequence[Query],
        *,
        top_k: int = 10,
        exclude: frozenset[str] = frozenset(),
        filters: Filters | None = None,
        progress: Progress | None = None,
    ) -> list[Ranking]:
        """The function's rankings, without the excluded cases.

        Raises:
            InputError: the function returns more or fewer rankings than there are queries, an id
                that is not a string, or an id twice; or filters are given.
        """
        if filters not in (None, Filters()):
            raise InputError("a ranking function takes no filters; filter inside the function")
        answers = list(self.function(queries))
        if len(answers) != len(queries):
            count = f"{len(answers)} rankings for {len(queries)} queries"
            raise InputError(f"the ranking function returned {count}")
        rankings = []
        for query, answer in zip(queries, answers, strict=True):
            pool = tuple(case for case in _checked_ids(answer) if case not in exclude)
            results = tuple(
                RankedCase(case, -1, rank, 1 / rank, {})
                for rank, case in enumerate(pool[:top_k], start=1)
            )
            scored = tuple((case, 1 / rank) for rank, case in enumerate(pool[:SCORED], start=1))
            rankings.append(Ranking(query, results, top_k, pool, scored))
        return rankings


def _checked_ids(answer: Sequence[str]) -> tuple[str, ...]:
    if isinstance(answer, str):
        raise InputError(f"the ranking function returned {answer!r}; expected a list of ids")
    ids = tuple(answer)
    wrong = [case for case in ids if not isinstance(case, str)]
    if wrong:
        raise InputError(f"the ranking function returned {wrong[0]!r} as an id; ids are strings")
    twice = [case for case, count in Counter(ids).items() if count > 1]
    if twice:
        raise InputError(f"the ranking function returned {twice[0]!r} twice in one ranking")
    return ids


def as_retriever(thing: Retriever | RankingFunction) -> Retriever:
    """`thing` itself where it is a retriever, else the retriever of the function `thing`.

    Raises:
        InputError: it is neither.
    """
    if isinstance(thing, Retriever):
        return thing
    if callable(thing):
        return FunctionRetriever(thing)
    raise InputError(
        f"{type(thing).__name__} is not a retriever; give a function from queries to lists of ids, "
        "or an object with a method `retrieve`"
    )
