"""Grounded question answering: was the document found, the right sentence cited, the answer right?

Citations are compared by sentence id, the evidence score by the words of the cited sentences, the
answer by a judge with the question's rubric; the combined score weighs the last two.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, TypeAlias

from countercase.errors import ConfigError
from countercase.evaluation.benchmarks.grounded_qa.files import Prediction, Question, same_document
from countercase.evaluation.benchmarks.grounded_qa.judge import Judgement
from countercase.io import Progress
from countercase.llm import FailureKind

Judge: TypeAlias = Callable[[Question, str], Judgement]
"""Scores an answer from 1 to 5, or says why it cannot."""

Sentences: TypeAlias = Callable[[str], Mapping[str, str] | None]
"""The sentences of a document by id; None where they are not known."""

HIGHEST_SCORE: Final = 5
"""The best that a rubric gives."""


@dataclass(frozen=True)
class QaSettings:
    """How answers are scored.

    Args:
        answer_weight: lambda, the weight of the answer in the combined score; the evidence has
            the rest.
        failed_as_zero: a judgement that failed counts as 0 and not as missing.
        judge_model: the judge's name, for the record.
        seed: of the bootstrap intervals.

    Raises:
        ConfigError: a weight outside 0 to 1, a negative seed.
    """

    answer_weight: float = 0.5
    failed_as_zero: bool = False
    judge_model: str = ""
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.answer_weight <= 1:
            raise ConfigError(f"lambda is {self.answer_weight}; give a number from 0 to 1")
        if self.seed < 0:
            raise ConfigError(f"the seed is {self.seed}; give 0 or more")


@dataclass(frozen=True)
class Citation:
    """How far the cited sentence ids are the gold ones."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True)
class QaResult:
    """One question's scores.

    Args:
        missing: there is no prediction; all its scores are 0.
        gold_rank: rank of the gold document among those retrieved, from 1.
        citation: None where no sentence supports the answer.
        evidence_from: what the evidence score compares: the words of the sentences, their ids
            where the document is missing, or nothing where there is no gold evidence.
        answer_score: the judge's, 1 to 5; 0 for a missing prediction, and for a failed judgement
            where that counts as 0; else None.
    """

    question_id: str
    question_type: str
    edge_case_type: str
    missing: bool
    gold_doc_id: str
    first_doc_id: str | None
    gold_rank: int | None
    gold_sentences: tuple[str, ...]
    cited_sentences: tuple[str, ...]
    citation: Citation | None
    evidence_score: float
    evidence_from: Literal["words", "ids", "none"]
    answer_score: int | None
    combined_score: float | None
    rationale: str = ""
    failure: FailureKind | None = None
    failed_attempts: int = 0

    def found_within(self, k: int) -> float:
        """Recall@k of the one gold document: 1 or 0."""
        return float(self.gold_rank is not None and self.gold_rank <= k)

    def to_dict(self) -> dict[str, Any]:
        """The result for JSON."""
        return {**asdict(self), "recall@1": self.found_within(1), "recall@5": self.found_within(5)}


def cite(gold: Iterable[str], cited: Iterable[str]) -> Citation | None:
    """Precision, recall and F1 of sentence ids as sets; None where there are no gold ones."""
    wanted, given = set(gold), set(cited)
    if not wanted:
        return None
    hits = len(wanted & given)
    if not hits:
        return Citation(0.0, 0.0, 0.0)
    return Citation(hits / len(given), hits / len(wanted), 2 * hits / (len(given) + len(wanted)))


def evidence(
    gold: Sequence[str], cited: Sequence[str], sentences: Mapping[str, str] | None
) -> tuple[float, Literal["words", "ids", "none"]]:
    """How much of the gold evidence the cited sentences hold, 0 to 1, and what was compared.

    |words(gold) ∩ words(cited)| / |words(gold)|, words in lower case as blanks part them. Without
    gold evidence 1.0 where nothing is cited, else 0.0. Sentence ids are compared where the
    sentences are not known, or none of the gold ones is among them.
    """
    if not gold:
        return float(not cited), "none"
    wanted = _words(gold, sentences or {})
    if not wanted:
        return len(set(gold) & set(cited)) / len(set(gold)), "ids"
    return len(wanted & _words(cited, sentences or {})) / len(wanted), "words"


def combine(answer_score: int, evidence_score: float, answer_weight: float) -> float:
    """λ · answer_score / 5 + (1 − λ) · evidence_score."""
    return math.fsum(
        (answer_weight * answer_score / HIGHEST_SCORE, (1 - answer_weight) * evidence_score)
    )


def score_questions(
    questions: Sequence[Question],
    predictions: Mapping[str, Prediction],
    sentences: Sentences | None = None,
    judge: Judge | None = None,
    settings: QaSettings | None = None,
    progress: Progress | None = None,
) -> list[QaResult]:
    """Every question's scores, in the order of the questions.

    Args:
        sentences: gives a document's sentences by its id.
        judge: asked once for each prediction whose question has a rubric.

    Raises:
        ValidatorError: the judge's server refuses the key or does not know the model.
    """
    chosen = settings or QaSettings()
    results = []
    for number, question in enumerate(questions):
        if progress:
            progress("questions", number, len(questions))
        known = sentences(question.doc_id) if sentences else None
        prediction = predictions.get(question.question_id)
        results.append(_score(question, prediction, known or {}, judge, chosen))
    if progress:
        progress("questions", len(questions), len(questions))
    return results


def _score(
    question: Question,
    prediction: Prediction | None,
    sentences: Mapping[str, str],
    judge: Judge | None,
    settings: QaSettings,
) -> QaResult:
    gold = tuple(question.evidence_sentences)
    cited = tuple(prediction.evidence_sentences) if prediction else ()
    ranking = prediction.ranking if prediction else ()
    ranks = (at for at, name in enumerate(ranking, 1) if same_document(question.doc_id, name))
    score, compared = evidence(gold, cited, sentences)
    score = score if prediction else 0.0
    judgement, answer_score = _judged(question, prediction, judge, settings)
    combined = None
    if answer_score is not None:
        combined = combine(answer_score, score, settings.answer_weight)
    return QaResult(
        question_id=question.question_id,
        question_type=question.question_type,
        edge_case_type=question.edge_case_type,
        missing=prediction is None,
        gold_doc_id=question.doc_id,
        first_doc_id=ranking[0] if ranking else None,
        gold_rank=next(ranks, None),
        gold_sentences=gold,
        cited_sentences=cited,
        citation=cite(gold, cited),
        evidence_score=score,
        evidence_from=compared,
        answer_score=answer_score,
        combined_score=combined,
        rationale=judgement.rationale,
        failure=judgement.failure,
        failed_attempts=judgement.attempts if judgement.failure else 0,
    )


def _judged(
    question: Question, prediction: Prediction | None, judge: Judge | None, settings: QaSettings
) -> tuple[Judgement, int | None]:
    """The judgement, and the score that counts."""
    if judge is None or question.rubric is None:
        return Judgement(None), None
    if prediction is None:
        return Judgement(None), 0
    judgement = judge(question, prediction.answer)
    if judgement.score is None and settings.failed_as_zero:
        return judgement, 0
    return judgement, judgement.score


def _words(ids: Iterable[str], sentences: Mapping[str, str]) -> set[str]:
    return {word for sid in ids for word in sentences.get(sid, "").lower().split()}
