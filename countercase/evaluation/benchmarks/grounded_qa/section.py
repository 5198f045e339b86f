"""Run the evaluation of grounded question answering, and report its measures and tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Final

from countercase.evaluation.benchmarks.grounded_qa import files
from countercase.evaluation.benchmarks.grounded_qa.scores import (
    HIGHEST_SCORE,
    JUDGE_KEY_VARIABLE,
    QaResult,
    QaSettings,
    judge_answer,
    score_questions,
)
from countercase.evaluation.report import Cell, Measure, Section, Table
from countercase.evaluation.result_store import ResultStore
from countercase.evaluation.statistics import group_by, mean_estimate
from countercase.io import Progress
from countercase.llm import ChatModel

_Value = Callable[[QaResult], float | None]


def evaluate_qa(
    questions: Path,
    predictions: Path,
    documents: Path | None = None,
    *,
    settings: QaSettings | None = None,
    judge_url: str = "",
    timeout: float = 60.0,
    retries: int = 3,
    judgements: Path | None = None,
    limit: int | None = None,
    progress: Progress | None = None,
) -> Section:
    """Score the predictions of a question answering system.

    Args:
        documents: folder of the documents' sentences; without it sentence ids are compared.
        settings: the judge's name among them; without a name nothing is judged.
        judge_url, timeout, retries: see `countercase.llm.ChatModel`.
        judgements: where judgements are stored as they come, so that none is asked for twice.

    Raises:
        InputError: a file is missing or not valid.
        ConfigError, ModelError, ValidatorError: the judge cannot be asked.
        StoreError: judgements cannot be stored.
    """
    settings = settings or QaSettings()
    asked = files.read_questions(questions)
    answered = files.read_predictions(predictions, asked)
    sentences = files.Documents(documents).sentences if documents else None
    with ResultStore(judgements, {}) if judgements else nullcontext() as store:
        judge = None
        if settings.judge_model:
            name, variable = settings.judge_model, JUDGE_KEY_VARIABLE
            chat = ChatModel(judge_url, name, variable, timeout=timeout, retries=retries)
            judge = partial(judge_answer, chat, store=store)
        results = score_questions(asked[:limit], answered, sentences, judge, settings, progress)
    return qa_section(results, settings, judge is not None)


def qa_section(results: Sequence[QaResult], settings: QaSettings, judged: bool) -> Section:
    """Report the results; the same results give the same bytes."""
    named = any(result.first_doc_id is not None for result in results)
    cited = any(result.cited_sentences for result in results)
    by_ids = sum(result.evidence_from == "ids" for result in results)
    compared = f"{by_ids} of {len(results)} by sentence ids, without the document."
    notes = {
        "recall": "" if named else "The predictions name no documents.",
        "citation": "" if cited else "The predictions cite no sentences.",
        "evidence": compared if by_ids else "",
        "answer.score": "A model's opinion, under the question's rubric.",
        "combined": f"{settings.answer_weight:g} of it the answer, the rest the evidence.",
    }
    measures = []
    for key, (title, _, value) in _VALUES.items():
        note = notes.get(key, "") or notes.get(key.partition("@")[0].partition(".")[0], "")
        mean = mean_estimate(_known(value, results), settings.seed)
        measures.append(Measure.of(f"qa.{key}", title, mean, note=note))
    failed = [result for result in results if result.failure is not None]
    if judged:
        measures.append(_failures(results, len(failed), settings))
    tables = (
        _counts(results, failed, judged),
        _by("edge case", results, lambda result: result.edge_case_type),
        _by("question type", results, lambda result: result.question_type),
    )
    details = {
        "settings": {
            "lambda": settings.answer_weight,
            "failed_as_zero": settings.failed_as_zero,
            "judge_model": settings.judge_model or None,
            "seed": settings.seed,
        },
        "questions": [result.to_dict() for result in results],
    }
    return Section("qa", "Grounded question answering", tuple(measures), tables, details=details)


_VALUES: Final[dict[str, tuple[str, str, _Value]]] = {
    "recall@1": ("Recall@1 of the gold document", "Recall@1", lambda r: r.found_within(1)),
    "recall@5": ("Recall@5 of the gold document", "Recall@5", lambda r: r.found_within(5)),
    "citation.precision": (
        "Citation precision", "", lambda r: (r.citation or {}).get("precision")
    ),
    "citation.recall": ("Citation recall", "", lambda r: (r.citation or {}).get("recall")),
    "citation.f1": ("Citation F1", "citation F1", lambda r: (r.citation or {}).get("f1")),
    "evidence": ("Evidence score", "evidence", lambda r: r.evidence_score),
    "answer.score": ("Judge's score (1 to 5)", "judge (1 to 5)", lambda r: r.answer_score),
    "answer": (
        "Answer score (judge's score / 5)", "",
        lambda r: None if r.answer_score is None else r.answer_score / HIGHEST_SCORE,
    ),
    "combined": ("Combined score", "combined", lambda r: r.combined_score),
}  # fmt: skip
"""What the measures are means of: the title, the column in tables ("" for none), the value."""


def _known(value: _Value, results: Sequence[QaResult]) -> list[float]:
    """The values of a measure, without those that are not known."""
    return [float(known) for known in map(value, results) if known is not None]


def _failures(results: Sequence[QaResult], failed: int, settings: QaSettings) -> Measure:
    asked = sum(
        not result.missing and (result.failure is not None or result.answer_score is not None)
        for result in results
    )
    rule = "count as 0" if settings.failed_as_zero else "are left out of the means"
    note, share = f"{failed} of {asked}; they {rule}.", failed / asked if asked else None
    title = "Judgements that failed"
    return Measure("qa.judge.failed", title, share, asked, target=0.0, at_most=True, note=note)


def _counts(results: Sequence[QaResult], failed: Sequence[QaResult], judged: bool) -> Table:
    conditions: dict[str, Callable[[QaResult], object]] = {
        "questions": lambda r: True,
        "of them without a prediction (all scores 0)": lambda r: r.missing,
        "gold document first": lambda r: r.found_within(1),
        "gold document among the first five": lambda r: r.found_within(5),
        "gold document first, one of the two ids without its folder": (
            lambda r: r.gold_rank == 1 and r.first_doc_id != r.gold_doc_id
        ),
        "questions with gold evidence": lambda r: r.gold_sentences,
        "evidence compared by words": lambda r: r.evidence_from == "words",
        "evidence compared by sentence ids": lambda r: r.evidence_from == "ids",
    }
    rows: list[tuple[Cell, ...]] = [
        (what, sum(map(bool, map(holds, results)))) for what, holds in conditions.items()
    ]
    if judged:
        unfailed = [result for result in results if not result.failure]
        scored = [result for result in unfailed if result.answer_score is not None]
        kinds = Counter(str(result.failure) for result in failed)
        rows += [
            ("answers judged", sum(not result.missing for result in scored)),
            ("judgements failed", len(failed)),
            *((f"judgements failed: {kind}", kinds[kind]) for kind in sorted(kinds)),
            ("not judged, without a rubric", len(unfailed) - len(scored)),
        ]
    return Table("What the figures rest on", ("what", "count"), tuple(rows))


def _by(name: str, results: Sequence[QaResult], label: Callable[[QaResult], str]) -> Table:
    """The means by a label of the questions, in alphabetical order."""
    groups = group_by(results, lambda result: label(result) or "(not given)")
    columns = {column: value for _, column, value in _VALUES.values() if column}
    rows = []
    for text, members in sorted(groups.items()):
        known = [_known(value, members) for value in columns.values()]
        rows.append((text, len(members), *(fmean(values) if values else None for values in known)))
    return Table(f"By {name}", (name, "questions", *columns), tuple(rows))
