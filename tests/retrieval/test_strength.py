"""A nearest decision is no match by itself, and thin law is counted."""

from __future__ import annotations

import pytest

from countercase.config import RetrievalSettings
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.retrieval.base import Query
from countercase.retrieval.hybrid import HybridRetriever
from countercase.retrieval.strength import coverage, is_weak

DOCUMENTS = {
    "fight": "A sudden fight over a wall. One blow with a stick, and the neighbour died after nine "
    "days. Exception 4 to section 300 IPC applied; section 304 Part II of the Indian Penal Code.",
    "murder": "He lay in wait with a sword and killed his brother. Section 302 IPC; the eyewitness "
    "was believed.",
    "cheque": "A cheque was returned unpaid, and the notice was sent within thirty days. Section "
    "138 of the Negotiable Instruments Act, 1881.",
}


@pytest.fixture(scope="module")
def retriever(encoders: EmbeddedEncoders) -> HybridRetriever:
    return HybridRetriever.from_documents(
        DOCUMENTS, encoders=encoders, settings=RetrievalSettings(use_reranker=False)
    )


@pytest.mark.parametrize(
    ("text", "weak"),
    [
        ("asdfgh qwerty", True),
        ("the of and to", True),
        ("how to bake a chocolate cake with eggs and butter", True),
        ("one blow with a stick in a sudden fight over a wall", False),
        ("the cheque was returned unpaid and notice was sent", False),
        ("section 302 IPC", False),
        ("u/s 138 NI Act", False),
    ],
)
def test_only_what_is_like_the_query_is_a_match(
    retriever: HybridRetriever, text: str, weak: bool
) -> None:
    [ranking] = retriever.retrieve([Query((text,))], top_k=3)
    assert is_weak(ranking, retriever.snapshot, retriever.encoders) is weak


def test_coverage_counts_decisions_in_either_code(retriever: HybridRetriever) -> None:
    provisions = ["IPC-302", "BNS-103(1)", "IPC-304-II", "NDPS-20(b)(ii)(C)"]
    counted = coverage(provisions, retriever.snapshot)
    assert [(c.provision, c.cases, c.of) for c in counted] == [
        ("IPC-302", 1, 3), ("BNS-103(1)", 1, 3), ("IPC-304-II", 1, 3), ("NDPS-20(b)(ii)(C)", 0, 3),
    ]  # fmt: skip
