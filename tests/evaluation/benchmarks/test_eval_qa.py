"""Grounded question answering: documents found, sentences cited, answers judged."""

from __future__ import annotations

from typing import Any

import pytest
from lease_questions import LEASE, prediction, question

from countercase.errors import ConfigError
from countercase.evaluation.benchmarks.qa import (
    Grade,
    QaSettings,
    cite,
    evidence,
    qa_section,
    score_questions,
)
from countercase.evaluation.benchmarks.qa_files import Prediction, Question
from countercase.evaluation.report import Section
from countercase.llm import Failure


def section(
    questions: list[Question],
    predictions: dict[str, Prediction],
    judged: dict[str, Grade | Failure] | None = None,
    **options: Any,
) -> Section:
    chosen = QaSettings(**options)
    results = score_questions(
        questions,
        predictions,
        {"gold/lease": LEASE}.get,
        (lambda asked, _: judged[asked.question_id]) if judged else None,
        chosen,
    )
    return qa_section(results, chosen, judged is not None)


def values(found: Section) -> dict[str, float | None]:
    return {one.key.removeprefix("qa."): one.value for one in found.measures}


# Citations


@pytest.mark.parametrize(
    ("gold", "cited", "expected"),
    [
        (["S1", "S2", "S3", "S4"], ["S2", "S3", "S9"], (2 / 3, 1 / 2, 4 / 7)),
        (["S1"], ["s1"], (0, 0, 0)),  # ids are compared exactly
        (["S1", "S1"], ["S1", "S1", "S2"], (1 / 2, 1, 2 / 3)),  # and counted once
        (["S1"], [], (0, 0, 0)),
    ],
)
def test_citations_by_hand(
    gold: list[str], cited: list[str], expected: tuple[float, float, float]
) -> None:
    found = cite(gold, cited)
    assert found == pytest.approx(dict(zip(("precision", "recall", "f1"), expected, strict=True)))
    assert cite([], cited) is None


# Evidence


@pytest.mark.parametrize(
    ("gold", "cited", "sentences", "found"),
    [
        # gold: the lease began in may. rent was four hundred rupees. (10 words), cited holds
        # rent was four hundred rupees. and the, in of the third sentence: 7 of 10
        (["S1", "S2"], ["S2", "S3"], LEASE, (0.7, "words")),
        (["S1"], ["S1"], LEASE, (1.0, "words")),
        (["S1"], [], LEASE, (0.0, "words")),
        (["S1"], ["S77"], LEASE, (0.0, "words")),
        (["a"], ["b"], {"a": "Rent DUE", "b": "rent due"}, (1.0, "words")),
        (["a"], ["c"], {"a": "Rent DUE", "c": "rent, due"}, (0.5, "words")),
        # without gold evidence only silence is right
        ([], [], LEASE, (1.0, "none")),
        ([], ["S1"], LEASE, (0.0, "none")),
        # without the sentences their ids are compared
        *((["S1", "S2"], ["S2", "S3"], held, (0.5, "ids"))
          for held in (None, {}, {"S9": "Other words."}, {"S1": "", "S2": " "})),
    ],
)  # fmt: skip
def test_evidence_counts_the_words_of_the_sentences(
    gold: list[str], cited: list[str], sentences: dict[str, str] | None, found: tuple[float, str]
) -> None:
    assert evidence(gold, cited, sentences) == found


@pytest.mark.parametrize("weight", [-0.1, 1.1, float("nan")])
def test_a_weight_outside_0_to_1_is_an_error(weight: float) -> None:
    with pytest.raises(ConfigError, match="from 0 to 1"):
        QaSettings(answer_weight=weight)


# Documents found


def test_recall_at_1_and_5_of_the_gold_document() -> None:
    other, gold = [f"x/{n}" for n in range(9)], "gold/lease"
    found = [gold, *other], [*other[:4], gold], [*other[:5], gold], []
    given = {f"q{n}": prediction(None, ids) for n, ids in enumerate(found)}
    told = values(section([question(name) for name in given], given))
    assert told["recall@1"] == 1 / 4
    assert told["recall@5"] == 2 / 4


# The whole


def test_means_are_over_the_questions_that_have_what_is_asked() -> None:
    questions = [question("q001", ["S1", "S2"]), question("q002", []), question("q003", ["S3"])]
    given = {
        "q001": prediction(["S2", "S3"], ["lease"], "q001"),
        "q002": prediction([], ["x"], "q002"),
        "q003": prediction(["S3"], ["x", "gold/lease"], "q003"),
    }
    judged = {"q001": Grade(score=5), "q002": Grade(score=2), "q003": Grade(score=3)}
    told = section(questions, given, judged)
    cited = dict.fromkeys(("citation.precision", "citation.recall", "citation.f1"), (0.5 + 1) / 2)
    assert values(told) == pytest.approx(
        {"recall@1": 1 / 3, "recall@5": 2 / 3, **cited, "evidence": (0.7 + 1 + 1) / 3,
         "answer.score": 10 / 3, "answer": 2 / 3, "combined": (0.85 + 0.7 + 0.8) / 3,
         "judge.failed": 0.0}
    )  # fmt: skip
    sizes = {one.key: one.n for one in told.measures}
    assert sizes["qa.citation.f1"] == 2
    assert sizes["qa.evidence"] == 3


@pytest.mark.parametrize(
    ("as_zero", "score", "combined"), [(False, 4, 0.9), (True, 2, (0.9 + 0.5) / 2)]
)
def test_a_failed_judgement_is_counted_and_left_out_or_zero(
    as_zero: bool, score: float, combined: float
) -> None:
    questions = [question("q001"), question("q002")]
    given = {name: prediction(["S1"], None, name) for name in ("q001", "q002")}
    judged = {"q001": Grade(score=4), "q002": Failure("timed out", 4)}
    told = section(questions, given, judged, failed_as_zero=as_zero)
    assert values(told)["answer.score"] == score
    assert values(told)["combined"] == pytest.approx(combined)
    assert values(told)["evidence"] == 1
    assert values(told)["judge.failed"] == 0.5
    assert told.details["questions"][1]["failure"] == "timed out"
    assert told.details["questions"][1]["failed_attempts"] == 4
    assert ("judgements failed: timed out", 1) in told.tables[0].rows
    all_failed = section(questions[1:], given, judged)
    assert {one.key: one.verdict for one in all_failed.measures}["qa.combined"] == "not measured"


def test_a_missing_prediction_scores_nothing_and_is_not_judged() -> None:
    questions = [question("q001"), question("q002", [])]
    told = section(questions, {"q001": prediction(["S1"], ["lease"])}, {"q001": Grade(score=5)})
    cited = dict.fromkeys(("citation.precision", "citation.recall", "citation.f1"), 1.0)
    halves = dict.fromkeys(("recall@1", "recall@5", "evidence", "answer", "combined"), 0.5)
    scored = {"answer.score": 2.5, "judge.failed": 0.0}
    assert values(told) == pytest.approx(cited | halves | scored)
    assert ("answers judged", 1) in told.tables[0].rows
    assert {one.key: one.n for one in told.measures}["qa.judge.failed"] == 1


def test_a_question_without_a_rubric_is_not_judged() -> None:
    given = {"q001": prediction(), "q002": prediction(name="q002")}
    asked = [question(rubric=None), question("q002")]
    told = section(asked, given, {"q002": Grade(score=3)})
    assert values(told)["answer.score"] == 3
    assert ("not judged, without a rubric", 1) in told.tables[0].rows


def test_scores_are_told_by_edge_case_and_type() -> None:
    edges = {"q001": "none", "q002": "unanswerable"}
    questions = [question(it, edge_case_type=edges[it], question_type="B") for it in edges]
    told = section(questions, {"q001": prediction(["S1"], ["lease"])})
    by_edge, by_type = told.tables[1:]
    assert [row[:3] for row in by_edge.rows] == [("none", 1, 1.0), ("unanswerable", 1, 0.0)]
    assert [row[:3] for row in by_type.rows] == [("B", 2, 0.5)]
