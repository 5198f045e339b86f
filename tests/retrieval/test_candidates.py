"""Candidates from Chroma: the exact ranking where all are candidates, filters as its conditions."""

from __future__ import annotations

import numpy as np
import pytest

from countercase.config import RetrievalSettings
from countercase.corpus.documents import Document
from countercase.corpus.index import kept
from countercase.corpus.index.build import index_in_memory
from countercase.corpus.index.snapshot import Snapshot
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.retrieval import dense
from countercase.retrieval.base import Filters, Query
from countercase.retrieval.dense import conditions_of
from countercase.retrieval.hybrid import HybridRetriever

SUBJECTS = ("murder", "a cheque", "a lease", "dismissal", "customs duty", "dowry", "theft", "bail")
DOCUMENTS = [
    Document(
        f"D{at}",
        f"Party {at} v State",
        f"In matter {at} the court considered {subject} under section {300 + at} of the Indian "
        f"Penal Code. The appeal was on {subject} and was dismissed.",
        {
            "year": 1990 + at,
            "court": "Supreme Court of India" if at % 2 else "High Court of Delhi",
            "area": "homicide" if at == 0 else "property;tax" if at in (2, 4) else "",
            "bench": ["A. Khanna"] if at < 3 else ["B. Rao"],
        },
    )
    for at, subject in enumerate(SUBJECTS)
]
QUERY = Query(("The accused was tried for murder.", "A cheque was returned unpaid."))
CHROMA = RetrievalSettings(search="chroma")


@pytest.fixture(scope="module")
def snapshot(encoders: EmbeddedEncoders) -> Snapshot:
    return index_in_memory(DOCUMENTS, encoders)


def test_the_ranking_is_the_exact_one_where_every_case_is_a_candidate(
    snapshot: Snapshot, encoders: EmbeddedEncoders
) -> None:
    [found] = HybridRetriever(snapshot, encoders, CHROMA).retrieve([QUERY])
    [exact] = HybridRetriever(snapshot, encoders).retrieve([QUERY])
    assert found == exact
    assert found.results == exact.results


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(), None),
        (Filters(year_from=1992), {"year": {"$gte": 1992}}),
        (Filters(court="supreme"), {"court": {"$in": ["Supreme Court of India"]}}),
        (Filters(areas=("Homicide",)), {"areas": {"$contains": "homicide"}}),
        (
            Filters(year_to=1995, areas=("tax", "homicide")),
            {"$and": [{"year": {"$lte": 1995}},
                      {"$or": [{"areas": {"$contains": "tax"}},
                               {"areas": {"$contains": "homicide"}}]}]},
        ),
        (Filters(bench="khanna"), {"case_id": {"$in": ["D0", "D1", "D2"]}}),
        (Filters(bench="rao"), {"case_id": {"$nin": ["D0", "D1", "D2"]}}),
        (Filters(provision="IPC-303"), {"case_id": {"$in": ["D3"]}}),
        (Filters(good_law=True), None),
    ],
)  # fmt: skip
def test_filters_are_conditions_that_chroma_takes(
    filters: Filters, expected: object, snapshot: Snapshot, encoders: EmbeddedEncoders
) -> None:
    assert conditions_of(filters, snapshot) == expected
    retriever = HybridRetriever(snapshot, encoders, CHROMA)
    [state] = retriever.fuse([QUERY], filters=filters)
    allowed = filters.allowed(snapshot)
    for name in ("dpr", "chroma"):
        assert np.array_equal(state.stages[name][0] > 0, allowed)


def test_a_case_that_is_no_candidate_is_not_ranked_and_what_is_missed_is_measured(
    snapshot: Snapshot, encoders: EmbeddedEncoders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dense, "CANDIDATES", 2)
    retriever = HybridRetriever(snapshot, encoders, CHROMA)
    [state] = retriever.fuse([QUERY])
    ranked = state.stages["chroma"][0] > 0
    assert {snapshot.case_ids[at] for at in np.flatnonzero(ranked)} >= {"D0", "D1"}
    assert 2 <= ranked.sum() <= 4
    assert retriever.channels.candidate_recall([QUERY], depth=8)["chroma"] == ranked.sum() / 8
    assert HybridRetriever(snapshot, encoders).channels.candidate_recall([QUERY])["chroma"] == 1


def test_the_best_chunk_of_a_case_that_was_not_looked_at_is_found_when_it_is_read(
    snapshot: Snapshot, encoders: EmbeddedEncoders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dense, "CANDIDATES", 1)
    monkeypatch.setattr(kept, "SAMPLED", 1)
    retriever = HybridRetriever(snapshot, encoders, CHROMA)
    [found] = retriever.retrieve([QUERY])
    [exact] = HybridRetriever(snapshot, encoders).retrieve([QUERY])
    chunks = {it.case_id: {(m.segment, m.chunk) for m in it.matches} for it in exact.results}
    for result in found.results:
        assert {(m.segment, m.chunk) for m in result.matches} == chunks[result.case_id]
