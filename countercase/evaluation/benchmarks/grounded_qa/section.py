"""What grounded question answering found, as measures, tables and per-question results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from countercase.evaluation.benchmarks.grounded_qa.scores import HIGHEST_SCORE, QaResult, QaSettings
from countercase.evaluation.report import Cell, Measure, Section, Table

_RESAMPLES: Final = 2_000
_Value = Callable[[QaResult], float | None]


def qa_section(results: Sequence[QaResult], settings: QaSettings, judged: bool) -> Section:
    """The evaluation as a section; the same results give the same bytes.

    Args:
        judged: whether a judge was asked.
    """
    failed = [one for one in results if one.failure is not None]
    return Section(
        name="qa",
        title="Grounded question answering",
        measures=(
            *_measures(results, settings),
            *((_failures(results, failed, settings),) if judged else ()),
        ),
        tables=(
            _counts(results, failed, judged),
            _by("edge case", results, lambda one: one.edge_case_type),
            _by("question type", results, lambda one: one.question_type),
        ),
        details={
            "settings": {
                "lambda": settings.answer_weight,
                "failed_as_zero": settings.failed_as_zero,
                "judge_model": settings.judge_model or None,
                "seed": settings.seed,
            },
            "questions": [one.to_dict() for one in results],
        },
    )


def _measures(results: Sequence[QaResult], settings: QaSettings) -> list[Measure]:
    no_documents = all(one.first_doc_id is None for one in results)
    no_citations = all(not one.cited_sentences for one in results)
    documents = "The predictions name no documents." if no_documents else ""
    citations = "The predictions cite no sentences." if no_citations else ""
    by_ids = sum(one.evidence_from == "ids" for one in results)
    evidence = f"{by_ids} of {len(results)} by sentence ids, without the document." * bool(by_ids)
    weight = f"{settings.answer_weight:g} of it the answer, the rest the evidence."
    rows: list[tuple[str, str, _Value, str]] = [
        ("recall@1", "Recall@1 of the gold document", lambda one: one.found_within(1), documents),
        ("recall@5", "Recall@5 of the gold document", lambda one: one.found_within(5), documents),
        ("citation.precision", "Citation precision", _precision, citations),
        ("citation.recall", "Citation recall", _recall, citations),
        ("citation.f1", "Citation F1", _f1, citations),
        ("evidence", "Evidence score", lambda one: one.evidence_score, evidence),
        (
            "answer.score",
            "Judge's score (1 to 5)",
            lambda one: one.answer_score,
            "A model's opinion, under the question's rubric.",
        ),
        ("answer", "Answer score (judge's score / 5)", _answer, ""),
        ("combined", "Combined score", lambda one: one.combined_score, weight),
    ]
    return [
        _mean(f"qa.{key}", title, [value(one) for one in results], note, settings.seed)
        for key, title, value, note in rows
    ]


def _mean(key: str, title: str, values: Sequence[float | None], note: str, seed: int) -> Measure:
    """The mean with its bootstrap interval (percentiles over resampled questions)."""
    import numpy as np

    present = np.array([value for value in values if value is not None], dtype=np.float64)
    if not len(present):
        return Measure(key, title, None, note=note)
    low = high = None
    if len(present) > 1:
        picks = np.random.default_rng(seed).integers(len(present), size=(_RESAMPLES, len(present)))
        low, high = (float(end) for end in np.percentile(present[picks].mean(axis=1), (2.5, 97.5)))
    return Measure(key, title, float(present.mean()), len(present), low, high, note=note)


def _failures(
    results: Sequence[QaResult], failed: Sequence[QaResult], settings: QaSettings
) -> Measure:
    asked = [one for one in results if one.failure or one.answer_score is not None]
    asked = [one for one in asked if not one.missing]
    rule = "count as 0" if settings.failed_as_zero else "are left out of the means"
    return Measure(
        "qa.judge.failed",
        "Judgements that failed",
        len(failed) / len(asked) if asked else None,
        len(asked),
        target=0.0,
        at_most=True,
        note=f"{len(failed)} of {len(asked)}; they {rule}.",
    )


def _counts(results: Sequence[QaResult], failed: Sequence[QaResult], judged: bool) -> Table:
    def count(wanted: Callable[[QaResult], object]) -> int:
        return sum(bool(wanted(one)) for one in results)

    rows: list[tuple[Cell, ...]] = [
        ("questions", len(results)),
        ("of them without a prediction (all scores 0)", count(lambda one: one.missing)),
        ("gold document first", count(lambda one: one.found_within(1))),
        ("gold document among the first five", count(lambda one: one.found_within(5))),
        (
            "gold document first, one of the two ids without its folder",
            count(lambda one: one.gold_rank == 1 and one.first_doc_id != one.gold_doc_id),
        ),
        ("questions with gold evidence", count(lambda one: one.gold_sentences)),
        ("evidence compared by words", count(lambda one: one.evidence_from == "words")),
        ("evidence compared by sentence ids", count(lambda one: one.evidence_from == "ids")),
    ]
    if judged:
        unjudged = count(lambda one: one.answer_score is None and not one.failure)
        scored = count(lambda one: one.answer_score is not None and not one.failure)
        missing = count(lambda one: one.answer_score is not None and one.missing)
        kinds = Counter(str(one.failure) for one in failed)
        rows += [
            ("answers judged", scored - missing),
            ("judgements failed", len(failed)),
            *((f"judgements failed: {kind}", kinds[kind]) for kind in sorted(kinds)),
            ("not judged, without a rubric", unjudged),
        ]
    return Table("What the figures rest on", ("what", "count"), tuple(rows))


def _by(name: str, results: Sequence[QaResult], group: Callable[[QaResult], str]) -> Table:
    """The means by a label of the questions, in alphabetical order."""
    groups: dict[str, list[QaResult]] = {}
    for one in results:
        groups.setdefault(group(one) or "(not given)", []).append(one)
    columns: tuple[tuple[str, _Value], ...] = (
        ("Recall@1", lambda one: one.found_within(1)),
        ("Recall@5", lambda one: one.found_within(5)),
        ("citation F1", _f1),
        ("evidence", lambda one: one.evidence_score),
        ("judge (1 to 5)", lambda one: one.answer_score),
        ("combined", lambda one: one.combined_score),
    )
    rows = tuple(
        (
            label,
            len(members),
            *(_plain_mean([value(one) for one in members]) for _, value in columns),
        )
        for label, members in sorted(groups.items())
    )
    return Table(f"By {name}", (name, "questions", *(title for title, _ in columns)), rows)


def _plain_mean(values: Sequence[float | None]) -> float | None:
    present = [value for value in values if value is not None]
    return sum(present) / len(present) if present else None


def _precision(one: QaResult) -> float | None:
    return one.citation.precision if one.citation else None


def _recall(one: QaResult) -> float | None:
    return one.citation.recall if one.citation else None


def _f1(one: QaResult) -> float | None:
    return one.citation.f1 if one.citation else None


def _answer(one: QaResult) -> float | None:
    return None if one.answer_score is None else one.answer_score / HIGHEST_SCORE
