"""Questions about a lease, and what a system answers to them."""

from __future__ import annotations

from typing import Any

from countercase.evaluation.benchmarks.qa_files import (
    Prediction,
    Question,
    RetrievedDocument,
    Rubric,
)

SCALE = {str(n): f"level {n}" for n in range(1, 6)}
RUBRIC = Rubric(description="Names the month.", scale=SCALE)
LEASE = {
    "S1": "The lease began in May.",
    "S2": "Rent was four hundred rupees.",
    "S3": "The tenant left in June.",
}


def question(name: str = "q001", gold: list[str] | None = None, **changes: Any) -> Question:
    fields: dict[str, Any] = {
        "question_id": name,
        "doc_id": "gold/lease",
        "question": f"When did the lease of {name} begin?",
        "answer": "In May.",
        "evidence_sentences": ["S1"] if gold is None else gold,
        "rubric": RUBRIC,
    }
    return Question(**(fields | changes))


def prediction(
    cited: list[str] | None = None, found: list[str] | None = None, name: str = "q001"
) -> Prediction:
    return Prediction(
        question=f"When did the lease of {name} begin?",
        answer=f"The answer to {name}.",
        evidence_sentences=cited or [],
        retrieved_docs=[RetrievedDocument(doc_id=doc_id) for doc_id in found or []],
    )
