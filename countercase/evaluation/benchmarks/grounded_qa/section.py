"""Run the evaluation of grounded question answering, and report its measures and tables."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from statistics import fmean
from typing import Final

from countercase.evaluation.benchmarks.grounded_qa.files import (
    Documents,
    read_predictions,
    read_questions,
)
from countercase.evaluation.benchmarks.grounded_qa.scores import (
    HIGHEST_SCORE,
    OpenAIJudge,
    QaResult,
    QaSettings,
    score_questions,
)
from countercase.evaluation.report import Cell, Measure, Section, Table
from countercase.evaluation.result_store import ResultStore
from countercase.io import Progress

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
        questions: the questions with their answers, one JSON object a line.
        predictions: what the system answered, JSON by question id.
        documents: folder of the documents' sentences; without it sentence ids are compared.
        settings: the judge's name among them; without a name nothing is judged.
        judge_url, timeout, retries: see `countercase.llm.ChatModel`.
        judgements: where judgements are stored as they come, so that none is asked for twice.
        limit: only the first `limit` questions.

    Raises:
        InputError: a file is missing or not valid.
        ConfigError, ModelError, ValidatorError: the judge cannot be asked.
        StoreError: judgements cannot be stored.
    """
    settings = settings or QaSettings()
    asked = read_questions(questions)
    answered = read_predictions(predictions, asked)
    sentences = Documents(documents).sentences if documents else None
    with ResultStore(judgements, {}) if judgements else nullcontext() as store:
        judge = None
        if settings.judge_model:
            judge = OpenAIJudge(
                judge_url, settings.judge_model, timeout=timeout, retries=retries, store=store
            ).judge
        results = score_questions(asked[:limit], answered, sentences, judge, settings, progress)
    return qa_section(results, settings, judge is not None)


def qa_section(results: Sequence[QaResult], settings: QaSettings, judged: bool) -> Section:
    """The evaluation as a section; the same results give the same bytes.

    Args:
        judged: whether a judge was asked.
    """
    failed = [result for result in results if result.failure is not None]
    failures = (_failures(results, len(failed), settings),) if judged else ()
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
    measures = (*_measures(results, settings), *failures)
    return Section("qa", "Grounded question answering", measures, tables, details=details)


def _cited(name: str) -> _Value:
    return lambda result: getattr(result.citation, name) if result.citation else None


_VALUES: Final[dict[str, _Value]] = {
    "recall@1": lambda result: result.found_within(1),
    "recall@5": lambda result: result.found_within(5),
    "citation.precision": _cited("precision"),
    "citation.recall": _cited("recall"),
    "citation.f1": _cited("f1"),
    "evidence": lambda result: result.evidence_score,
    "answer.score": lambda result: result.answer_score,
    "answer": lambda result: (
        None if result.answer_score is None else result.answer_score / HIGHEST_SCORE
    ),
    "combined": lambda result: result.combined_score,
}
"""What the measures are means of."""


def _known(key: str, results: Sequence[QaResult]) -> list[float]:
    """The values of a measure, without those that are not known."""
    return [float(value) for value in map(_VALUES[key], results) if value is not None]


def _measures(results: Sequence[QaResult], settings: QaSettings) -> list[Measure]:
    no_documents = all(result.first_doc_id is None for result in results)
    no_citations = all(not result.cited_sentences for result in results)
    documents = "The predictions name no documents." * no_documents
    citations = "The predictions cite no sentences." * no_citations
    by_ids = sum(result.evidence_from == "ids" for result in results)
    evidence = f"{by_ids} of {len(results)} by sentence ids, without the document." * bool(by_ids)
    opinion = "A model's opinion, under the question's rubric."
    weight = f"{settings.answer_weight:g} of it the answer, the rest the evidence."
    rows = [
        ("recall@1", "Recall@1 of the gold document", documents),
        ("recall@5", "Recall@5 of the gold document", documents),
        ("citation.precision", "Citation precision", citations),
        ("citation.recall", "Citation recall", citations),
        ("citation.f1", "Citation F1", citations),
        ("evidence", "Evidence score", evidence),
        ("answer.score", "Judge's score (1 to 5)", opinion),
        ("answer", "Answer score (judge's score / 5)", ""),
        ("combined", "Combined score", weight),
    ]
    return [
        Measure.of_mean(f"qa.{key}", title, _known(key, results), settings.seed, note=note)
        for key, title, note in rows
    ]


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
    def count(condition: Callable[[QaResult], object]) -> int:
        return sum(bool(condition(result)) for result in results)

    def first_without_folder(result: QaResult) -> bool:
        return result.gold_rank == 1 and result.first_doc_id != result.gold_doc_id

    rows: list[tuple[Cell, ...]] = [
        ("questions", len(results)),
        ("of them without a prediction (all scores 0)", count(lambda result: result.missing)),
        ("gold document first", count(_VALUES["recall@1"])),
        ("gold document among the first five", count(_VALUES["recall@5"])),
        ("gold document first, one of the two ids without its folder", count(first_without_folder)),
        ("questions with gold evidence", count(lambda result: result.gold_sentences)),
        ("evidence compared by words", count(lambda result: result.evidence_from == "words")),
        ("evidence compared by sentence ids", count(lambda result: result.evidence_from == "ids")),
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
    groups: dict[str, list[QaResult]] = defaultdict(list)
    for result in results:
        groups[label(result) or "(not given)"].append(result)
    keys = ("recall@1", "recall@5", "citation.f1", "evidence", "answer.score", "combined")
    titles = ("Recall@1", "Recall@5", "citation F1", "evidence", "judge (1 to 5)", "combined")
    rows = tuple(
        (text, len(members), *(fmean(known) if known else None for known in columns))
        for text, members in sorted(groups.items())
        for columns in [[_known(key, members) for key in keys]]
    )
    return Table(f"By {name}", (name, "questions", *titles), rows)
