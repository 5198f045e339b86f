"""The command that has answers judged: right scores, no key anywhere, one line for what is wrong."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest
from judge_server import KEY, Serve, hangs, hangs_up, refuses, says, scores
from lease_questions import question
from typer.testing import CliRunner

from countercase.cli.main import app
from countercase.evaluation.benchmarks.qa import JUDGE_KEY_VARIABLE

pytest.importorskip("openai")

pytestmark = pytest.mark.usefixtures("pauses")


ANSWERS = {
    "answers well": [scores(5, f"Right; and the key is {KEY}.")],
    "answers badly": [scores(2)],
    "gets nonsense": [says(f"Here you are: {KEY}")],
    "gets 429": [refuses(429, KEY)],
    "hangs": [hangs],
    "is dropped": [hangs_up],
}


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Six questions, the answer to each named after what the server will do."""
    questions = [question(f"q{number}").model_dump(exclude={"question_id"}) for number in range(6)]
    predictions = {
        f"q{number + 1:03d}": {
            "question": questions[number]["question"],
            "answer": answer,
            "evidence_sentences": ["S1"] if number < 3 else ["S2"],
        }
        for number, answer in enumerate(ANSWERS)
    }
    (tmp_path / "q.jsonl").write_text("\n".join(map(json.dumps, questions)))
    (tmp_path / "p.json").write_text(json.dumps(predictions))
    given = ("--questions", tmp_path / "q.jsonl", "--predictions", tmp_path / "p.json")
    return ["eval", "qa", *map(str, given)]


def run(arguments: list[str], status: int = 0) -> str:
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == status, result.output
    assert KEY not in result.output
    return result.stdout if status == 0 else result.output


def test_right_scores_right_counts_and_no_key_anywhere(
    serve: Serve,
    files: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv(JUDGE_KEY_VARIABLE, KEY)
    server = serve(ANSWERS)
    asking = ["--judge-url", server.url, "--judge-model", "grader", "--retries", "0"]
    kept = tmp_path / "out" / "qa.json"
    found = json.loads(run([*files, *asking, "--timeout", "1", "--json", "--output", str(kept)]))
    values = {one["key"]: one["value"] for one in found["measures"]}
    expected = {"qa.answer.score": (5 + 2) / 2, "qa.answer": 0.7, "qa.evidence": 3 / 6,
                "qa.combined": (1.0 + 0.7) / 2, "qa.judge.failed": 4 / 6}  # fmt: skip
    assert {key: values[key] for key in expected} == pytest.approx(expected)
    counts = dict(found["tables"][0]["rows"])
    assert (counts["answers judged"], counts["judgements failed"]) == (2, 4)
    for kind in ("unreadable", "too many requests", "timed out", "connection lost"):
        assert counts[f"judgements failed: {kind}"] == 1
    assert set(server.keys) == {f"Bearer {KEY}"}
    assert json.loads(kept.read_text()) == found
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or KEY.encode() not in path.read_bytes(), path
    assert KEY not in caplog.text


def test_failures_as_zero(serve: Serve, files: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(JUDGE_KEY_VARIABLE, KEY)
    server = serve(ANSWERS)
    asking = ["--judge", server.url, "grader", "--retries", "0", "--timeout", "1"]
    found = json.loads(run([*files, *asking, "--failed-as-zero", "--lambda", "0.75", "--json"]))
    values = {one["key"]: one["value"] for one in found["measures"]}
    assert values["qa.answer.score"] == pytest.approx((5 + 2) / 6)
    # evidence 1 for the first three: 1, .75 · .4 + .25, .25, and 0 for the last three
    assert values["qa.combined"] == pytest.approx((1 + 0.55 + 0.25) / 6)
    shown = run([*files, *asking])
    for words in ("Combined score", "0.850", "4 of 6"):
        assert words in shown
    assert values["qa.judge.failed"] == pytest.approx(4 / 6)


def test_the_same_bytes_twice_and_no_second_judgement(
    serve: Serve, files: list[str], tmp_path: Path
) -> None:
    server = serve({"": [scores(4, "Fine.")]})
    asking = ["--judge-url", server.url, "--judge-model", "grader", "--json"]
    told = [run([*files, *asking, "--output", str(tmp_path / "qa.json")]) for _ in range(2)]
    assert told[0] == told[1]
    assert len(server.asked) == 6


def test_a_refused_key_ends_the_command_in_one_line(
    serve: Serve, files: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(JUDGE_KEY_VARIABLE, KEY)
    server = serve({"": [refuses(401, KEY)]})
    told = run([*files, "--judge", server.url, "grader"], status=2)
    assert "error: the language model 'grader' was refused with HTTP status 401" in told
    assert "Traceback" not in told


def test_without_a_judge_nothing_is_judged(files: list[str]) -> None:
    found = json.loads(run([*files, "--json", "--limit", "4"]))
    values = {one["key"]: one["value"] for one in found["measures"]}
    assert values["qa.evidence"] == pytest.approx(3 / 4)
    assert values["qa.answer"] is None
    assert "qa.judge.failed" not in values
