"""Run the evaluation of grounded question answering, and report its measures and tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path

from countercase.evaluation.benchmarks.grounded_qa.files import (
    Documents,
    read_predictions,
    read_questions,
)
from countercase.evaluation.benchmarks.grounded_qa.judge import OpenAIJudge
from countercase.evaluation.benchmarks.grounded_qa.scores import (
    HIGHEST_SCORE,
    QaResult,
    QaSettings,
    score_questions,
)
from countercase.evaluation.benchmarks.means import mean, mean_measure
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
    return Section(
        name="qa",
        title="Grounded question answering",
        measures=(*_measures(results, settings), *failures),
        tables=(
            _counts(results, failed, judged),
            _by("edge case", results, lambda result: result.edge_case_type),
            _by("question type", results, lambda result: result.question_type),
        ),
        details={
            "settings": {
                "lambda": settings.answer_weight,
                "failed_as_zero": settings.failed_as_zero,
                "judge_model": settings.judge_model or None,
                "seed": settings.seed,
            },
            "questions": [result.to_dict() for result in results],
        },
    )


def _recall_at(k: int) -> _Value:
    return lambda result: result.found_within(k)


def _cited(name: str) -> _Value:
    return lambda result: getattr(result.citation, name) if result.citation else None


def _evidence(result: QaResult) -> float:
    return result.evidence_score


def _judged(result: QaResult) -> int | None:
    return result.answer_score


def _answer(result: QaResult) -> float | None:
    return None if result.answer_score is None else result.answer_score / HIGHEST_SCORE


def _combined(result: QaResult) -> float | None:
    return result.combined_score


def _measures(results: Sequence[QaResult], settings: QaSettings) -> list[Measure]:
    no_documents = all(result.first_doc_id is None for result in results)
    no_citations = all(not result.cited_sentences for result in results)
    documents = "The predictions name no documents." * no_documents
    citations = "The predictions cite no sentences." * no_citations
    by_ids = sum(result.evidence_from == "ids" for result in results)
    evidence = f"{by_ids} of {len(results)} by sentence ids, without the document." * bool(by_ids)
    opinion = "A model's opinion, under the question's rubric."
    weight = f"{settings.answer_weight:g} of it the answer, the rest the evidence."
    rows: list[tuple[str, str, _Value, str]] = [
        ("recall@1", "Recall@1 of the gold document", _recall_at(1), documents),
        ("recall@5", "Recall@5 of the gold document", _recall_at(5), documents),
        ("citation.precision", "Citation precision", _cited("precision"), citations),
        ("citation.recall", "Citation recall", _cited("recall"), citations),
        ("citation.f1", "Citation F1", _cited("f1"), citations),
        ("evidence", "Evidence score", _evidence, evidence),
        ("answer.score", "Judge's score (1 to 5)", _judged, opinion),
        ("answer", "Answer score (judge's score / 5)", _answer, ""),
        ("combined", "Combined score", _combined, weight),
    ]
    return [
        mean_measure(f"qa.{key}", title, map(value, results), settings.seed, note)
        for key, title, value, note in rows
    ]


def _failures(results: Sequence[QaResult], failed: int, settings: QaSettings) -> Measure:
    asked = sum(
        not result.missing and (result.failure is not None or result.answer_score is not None)
        for result in results
    )
    rule = "count as 0" if settings.failed_as_zero else "are left out of the means"
    return Measure(
        "qa.judge.failed",
        "Judgements that failed",
        failed / asked if asked else None,
        asked,
        target=0.0,
        at_most=True,
        note=f"{failed} of {asked}; they {rule}.",
    )


def _counts(results: Sequence[QaResult], failed: Sequence[QaResult], judged: bool) -> Table:
    def count(condition: Callable[[QaResult], object]) -> int:
        return sum(bool(condition(result)) for result in results)

    def first_without_folder(result: QaResult) -> bool:
        return result.gold_rank == 1 and result.first_doc_id != result.gold_doc_id

    rows: list[tuple[Cell, ...]] = [
        ("questions", len(results)),
        ("of them without a prediction (all scores 0)", count(lambda result: result.missing)),
        ("gold document first", count(_recall_at(1))),
        ("gold document among the first five", count(_recall_at(5))),
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
    groups: dict[str, list[QaResult]] = {}
    for result in results:
        groups.setdefault(label(result) or "(not given)", []).append(result)
    columns: dict[str, _Value] = {
        "Recall@1": _recall_at(1),
        "Recall@5": _recall_at(5),
        "citation F1": _cited("f1"),
        "evidence": _evidence,
        "judge (1 to 5)": _judged,
        "combined": _combined,
    }
    rows = tuple(
        (text, len(members), *(mean(map(value, members)) for value in columns.values()))
        for text, members in sorted(groups.items())
    )
    return Table(f"By {name}", (name, "questions", *columns), rows)
