"""Grounded question answering: was the document found, the right sentence cited, the answer right?

Citations are compared by sentence id, the evidence score by the words of the cited sentences, the
answer by a judge with the question's rubric. The judge is a language model (the extra
`countercase[llm]`); the question, the answers and the rubric travel to it as data between fixed
marks. A judgement that keeps failing is a failure with its kind, never a score.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from functools import partial
from importlib.resources import files
from operator import itemgetter
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, StrictInt

from countercase.errors import ConfigError
from countercase.evaluation.benchmarks import qa_files
from countercase.evaluation.benchmarks.qa_files import Prediction, Question, same_document
from countercase.evaluation.experiment import ResultStore, counted, fingerprint
from countercase.evaluation.report import Section
from countercase.evaluation.statistics import Estimate, group_by, mean_estimate
from countercase.io import Progress
from countercase.llm import ChatModel, Failure, marked

HIGHEST_SCORE: Final = 5
"""The best that a rubric gives."""

JUDGE_KEY_VARIABLE: Final = "COUNTERCASE_JUDGE_KEY"
"""The environment variable with the judge's key; servers that ask for none need none. The key is
never printed or stored."""

INSTRUCTIONS: Final = (files(__package__) / "data/judge.txt").read_text(encoding="utf-8").strip()
"""What the judge is told before each question."""

Row: TypeAlias = dict[str, Any]
"""The scores of one question, ready for JSON; see `score_questions`."""


@dataclass(frozen=True)
class QaSettings:
    """Settings of how answers are scored.

    Args:
        answer_weight: lambda, the weight of the answer in the combined score.
        failed_as_zero: a judgement that failed counts as 0 and not as missing.
    """

    answer_weight: float = 0.5
    failed_as_zero: bool = False
    judge_model: str = ""
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.answer_weight <= 1:
            raise ConfigError(f"lambda is {self.answer_weight}; give a number from 0 to 1")


def evaluate_qa(
    questions: Path,
    predictions: Path,
    documents: Path | None = None,
    *,
    settings: QaSettings,
    judge_url: str = "",
    timeout: float = 60.0,
    retries: int = 3,
    judgements: Path | None = None,
    limit: int | None = None,
    progress: Progress | None = None,
) -> Section:
    """Score the predictions of a question answering system; without a judge's name none is judged.

    Args:
        documents: folder of the documents' sentences; without it sentence ids are compared.
        judge_url, timeout, retries: see `countercase.llm.ChatModel`.
        judgements: where judgements are stored as they come, so that none is asked for twice.
    """
    judge = None
    asked = qa_files.read_questions(questions)
    answered = qa_files.read_predictions(predictions, asked)
    sentences = qa_files.Documents(documents).sentences if documents else None
    with ResultStore(judgements, {}) if judgements else nullcontext() as store:
        if model := settings.judge_model:
            chat = ChatModel(judge_url, model, JUDGE_KEY_VARIABLE, None, timeout, retries)
            judge = partial(judge_answer, chat, store=store)
        rows = score_questions(asked[:limit], answered, sentences, judge, settings, progress)
    return qa_section(rows, settings, judge is not None)


class Grade(BaseModel):
    """The answer that the model has to give, and nothing beside it."""

    model_config = ConfigDict(extra="forbid")

    score: Annotated[StrictInt, Field(ge=1, le=5)]
    rationale: str = Field(default="", max_length=4000)


def judge_answer(
    chat: ChatModel, question: Question, answer: str, store: ResultStore | None = None
) -> Grade | Failure:
    """Ask a model to score `answer` under the question's rubric, unless the store holds its judgement."""
    rubric = question.rubric
    assert rubric is not None, "only questions with a rubric are judged"
    lines = [
        f"Question: {question.question}",
        f"Reference answer: {question.answer}",
        f"Rubric: {rubric.description}",
        *(f"{score}: {needed}" for score, needed in sorted(rubric.scale.items())),
        f"System's answer: {answer.strip() or '(none)'}",
    ]
    prompt = marked("ANSWERS", lines)
    key = fingerprint(chat.base_url, chat.model, INSTRUCTIONS, prompt)
    if store and (stored := store.get(key)):
        return Grade.model_construct(**stored)
    grade = chat.ask(INSTRUCTIONS, prompt, Grade, lenient=True)
    if isinstance(grade, Grade):
        grade.rationale = " ".join(chat.hide(grade.rationale).split())
        if store:
            store.put(key, grade.model_dump())
    return grade


def cite(gold: Iterable[str], cited: Iterable[str]) -> dict[str, float] | None:
    """Compute precision, recall and F1 of cited sentence ids, as sets; None without gold ones."""
    wanted, given = set(gold), set(cited)
    if not wanted:
        return None
    hits, total = len(wanted & given), len(given) + len(wanted)
    precision, recall = hits / max(len(given), 1), hits / len(wanted)
    return {"precision": precision, "recall": recall, "f1": 2 * hits / total}


def evidence(
    gold: Sequence[str], cited: Sequence[str], sentences: Mapping[str, str] | None
) -> tuple[float, Literal["words", "ids", "none"]]:
    """Compute how much of the gold evidence the cited sentences hold, 0 to 1, and by what.

    That is the share of its words, in lower case as blanks part them, or of the sentence ids where
    no gold sentence is known. Without gold evidence 1.0 where nothing is cited, else 0.0.
    """
    if not gold:
        return float(not cited), "none"
    texts = ([(sentences or {}).get(sid, "") for sid in ids] for ids in (gold, cited))
    wanted, given = (set(" ".join(listed).lower().split()) for listed in texts)
    if wanted:
        return len(wanted & given) / len(wanted), "words"
    return len(set(gold) & set(cited)) / len(set(gold)), "ids"


def combine(answer_score: int, evidence_score: float, answer_weight: float) -> float:
    """Compute λ · answer_score / 5 + (1 − λ) · evidence_score."""
    of_answer = answer_weight * answer_score / HIGHEST_SCORE
    return math.fsum((of_answer, (1 - answer_weight) * evidence_score))


def score_questions(
    questions: Sequence[Question],
    predictions: Mapping[str, Prediction],
    sentences: Callable[[str], Mapping[str, str] | None] | None = None,
    judge: Callable[[Question, str], Grade | Failure] | None = None,
    settings: QaSettings = QaSettings(),
    progress: Progress | None = None,
) -> list[Row]:
    """Score every question, in their order; all scores are 0 where there is no prediction.

    Args:
        sentences: gives a document's sentences by its id, or None.
        judge: asked once for each prediction whose question has a rubric; its score is None for a
            failed judgement, or 0 where that counts as 0.
    """
    rows = []
    for question in counted(questions, "questions", progress):
        prediction = predictions.get(question.question_id)
        ranking = prediction.ranking if prediction else ()
        ranks = (at for at, it in enumerate(ranking, 1) if same_document(question.doc_id, it))
        rank, gold = next(ranks, None), question.evidence_sentences
        cited = prediction.evidence_sentences if prediction else []
        found, compared = evidence(gold, cited, sentences(question.doc_id) if sentences else None)
        found = found if prediction else 0.0
        grade, failure, score = None, None, None
        if judge and question.rubric:
            said = judge(question, prediction.answer) if prediction else None
            grade, failure = (said, None) if isinstance(said, Grade) else (None, said)
            if grade or not prediction or settings.failed_as_zero:
                score = grade.score if grade else 0
        rows.append({
            "question_id": question.question_id,
            "question_type": question.question_type,
            "edge_case_type": question.edge_case_type,
            "missing": prediction is None,
            "gold_doc_id": question.doc_id,
            "first_doc_id": ranking[0] if ranking else None,
            "gold_rank": rank,
            "gold_sentences": gold,
            "cited_sentences": cited,
            "citation": cite(gold, cited),
            "evidence_score": found,
            "evidence_from": compared,
            "answer_score": score,
            "combined_score": (
                None if score is None else combine(score, found, settings.answer_weight)
            ),
            "rationale": grade.rationale if grade else "",
            "failure": failure and failure.kind,
            "failed_attempts": failure.attempts if failure else 0,
            "recall@1": float(rank == 1),
            "recall@5": float(rank is not None and rank <= 5),
        })  # fmt: skip
    return rows


_Value: TypeAlias = Callable[[Row], float | None]
_VALUES: Final[dict[str, tuple[str, _Value]]] = {
    "recall@1": ("Recall@1", lambda r: r["recall@1"]),
    "recall@5": ("Recall@5", lambda r: r["recall@5"]),
    "citation.precision": ("", lambda r: (r["citation"] or {}).get("precision")),
    "citation.recall": ("", lambda r: (r["citation"] or {}).get("recall")),
    "citation.f1": ("citation F1", lambda r: (r["citation"] or {}).get("f1")),
    "evidence": ("evidence", lambda r: r["evidence_score"]),
    "answer.score": ("judge (1 to 5)", lambda r: r["answer_score"]),
    "answer": ("", lambda r: None if (n := r["answer_score"]) is None else n / HIGHEST_SCORE),
    "combined": ("combined", lambda r: r["combined_score"]),
}
"""The measures by key: the column in tables ("" for none) and the value of a question."""

_COUNTS: Final[dict[str, Callable[[Row], object]]] = {
    "questions": lambda r: True,
    "of them without a prediction (all scores 0)": lambda r: r["missing"],
    "gold document first": lambda r: r["recall@1"],
    "gold document among the first five": lambda r: r["recall@5"],
    "gold document first, one of the two ids without its folder": (
        lambda r: r["recall@1"] and r["first_doc_id"] != r["gold_doc_id"]
    ),
    "questions with gold evidence": lambda r: r["gold_sentences"],
    "evidence compared by words": lambda r: r["evidence_from"] == "words",
    "evidence compared by sentence ids": lambda r: r["evidence_from"] == "ids",
}


def qa_section(rows: Sequence[Row], settings: QaSettings, judged: bool) -> Section:
    """Report the results; the same results give the same bytes."""
    found, notes, weight = Section("qa", "Grounded question answering"), {}, settings.answer_weight
    if all(row["first_doc_id"] is None for row in rows):
        notes["recall"] = "The predictions name no documents."
    if not any(row["cited_sentences"] for row in rows):
        notes["citation"] = "The predictions cite no sentences."
    if by_ids := sum(row["evidence_from"] == "ids" for row in rows):
        notes["evidence"] = f"{by_ids} of {len(rows)} by sentence ids, without the document."
    for key, (_, value) in _VALUES.items():
        mean = mean_estimate(_known(value, rows), settings.seed)
        note = notes.get(key.partition("@")[0].partition(".")[0], "")
        found.add_measure(f"qa.{key}", mean, note=note, weight=weight)
    counts = {what: sum(map(bool, map(holds, rows))) for what, holds in _COUNTS.items()}
    if judged:
        failures = Counter(row["failure"] for row in rows if row["failure"])
        unfailed = [row for row in rows if not row["failure"]]
        scored = [row for row in unfailed if row["answer_score"] is not None]
        answered, failed = sum(not row["missing"] for row in scored), failures.total()
        asked = failed + answered
        rule = "count as 0" if settings.failed_as_zero else "are left out of the means"
        figure = Estimate(failed / asked if asked else None, asked)
        found.add_measure("qa.judge.failed", figure, count=failed, of=asked, rule=rule)
        counts |= {"answers judged": answered, "judgements failed": failed}
        counts |= {f"judgements failed: {kind}": failures[kind] for kind in sorted(failures)}
        counts["not judged, without a rubric"] = len(unfailed) - len(scored)
    found.add_table("grounds", counts.items())
    columns = {column: value for column, value in _VALUES.values() if column}
    for name, label in (("edge case", "edge_case_type"), ("question type", "question_type")):
        named = [(row[label] or "(not given)", row) for row in rows]
        groups, means = group_by(named, itemgetter(0)), []
        for text, members in sorted(groups.items()):
            own = [row for _, row in members]
            known = (_known(value, own) for value in columns.values())
            means.append((text, len(members), *(fmean(it) if it else None for it in known)))
        found.add_table("qa.groups", means, [*columns], name=name)
    chosen = asdict(settings) | {"judge_model": settings.judge_model or None}
    found.details = {
        "settings": {"lambda": chosen.pop("answer_weight"), **chosen},
        "questions": rows,
    }
    return found


def _known(value: _Value, rows: Sequence[Row]) -> list[float]:
    return [float(known) for known in map(value, rows) if known is not None]
