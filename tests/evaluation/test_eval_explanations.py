"""Faithfulness: how well the checks tell, our own explanations, and the command."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import typer
from handmade import result
from rent_passage import PASSAGE
from typer.testing import CliRunner

from countercase.cli.eval.main import explanations
from countercase.errors import InputError
from countercase.evaluation.experiment import ResultStore
from countercase.evaluation.faithfulness.section import (
    PairScore,
    detection,
    explanation_section,
    recall_by_error,
)
from countercase.evaluation.faithfulness.sentences import (
    OwnExplanation,
    OwnSentence,
    SentenceScore,
    explain_cases,
    own_explanations,
    own_faithfulness,
)
from countercase.evaluation.sets import ExplanationPair
from countercase.explanation.model import MovedCase, Quote
from countercase.facts.model import FactSheet


def _line(
    number: int, label: str, error: str | None = None, text: str = "The appeal was dismissed."
) -> dict[str, object]:
    source = [{"chunk_id": "c#1", "text": PASSAGE}]
    return {"pair_id": f"ex-{number}", "case_id": "c", "source": source, "explanation": text,
            "label": label, "error": error}  # fmt: skip


def _score(found_faithful: bool, *labelled: Any) -> PairScore:
    score = SentenceScore("x", "c#1", 1.0 if found_faithful else 0.0, ())
    return PairScore(ExplanationPair.model_validate(_line(*labelled)), (score,))


def test_detection_by_hand() -> None:
    # Told unfaithful: two of three that are, and one of two that are not.
    scores = [
        _score(False, 1, "unfaithful", "figure"),
        _score(False, 2, "unfaithful", "figure"),
        _score(True, 3, "unfaithful", "negation"),
        _score(False, 4, "faithful"),
        _score(True, 5, "faithful"),
    ]
    told = detection(scores, "overlap", "unfaithful")
    assert (told["precision"].count, told["precision"].n) == (2, 3)
    assert (told["recall"].count, told["recall"].n) == (2, 3)
    assert told["f1"].value == pytest.approx(2 / 3)
    other = detection(scores, "overlap", "faithful")
    assert (other["precision"].value, other["recall"].value, other["f1"].value) == (0.5, 0.5, 0.5)
    found = recall_by_error(scores, "overlap")
    assert {kind: (share.count, share.n) for kind, share in found.items()} == {
        "figure": (2, 2),
        "negation": (0, 1),
    }
    alike = detection([_score(True, 1, "faithful")], "overlap", "unfaithful")
    assert [share.value for share in alike.values()] == [None, None, None]


QUOTE = Quote("v#00003", "The tenant had not paid rent for eight months.", "facts", 7, 0)
QUOTED = f"“{QUOTE.text}” (facts, paragraph 7)."
MADE = result()
PRECEDENT = replace(
    MADE.precedents[0],
    reasons=(replace(MADE.precedents[0].reasons[0], quote=QUOTE),),
    sentences=(f"It speaks of section 12: {QUOTED}",),
)
CHANGE = replace(
    MADE.changes[0],
    left=(MovedCase("v", "A v. B", 2, None, QUOTE, -1.0),),
    sentences=(
        "The mean rank displacement is 2.00: 1 left the list, 0 came in.",
        f"A v. B left from rank 2; the words that went had matched {QUOTED}",
    ),
)


def test_own_explanations_by_sentence() -> None:
    own = own_explanations("m", ([PRECEDENT], [CHANGE]), lambda chunk: f"{chunk}: {PASSAGE}")
    assert [one.kind for one in own] == ["precedent", "change"]
    [sentence] = own[0].sentences
    assert sentence.text == f"It speaks of section 12: “{QUOTE.text}”"
    assert (sentence.chunk_id, sentence.passage[:8]) == ("v#00003", "v#00003:")
    # A statement of measurement rests on no passage and is not scored.
    assert [bool(one.passage) for one in own[1].sentences] == [False, True]
    assert len(own[1].scores) == 1
    assert own_faithfulness(own, "overlap") == (1.0, 1.0)
    # The rank is a figure that no judgment states.
    assert own_faithfulness(own, "strict") == (1.0, 0.0)


def test_what_was_explained_is_not_explained_again(tmp_path: Path) -> None:
    case = FactSheet("m", "He owed rent.", ())
    calls = []

    class Explaining:
        """A session whose analyses quote PASSAGE."""

        class snapshot:  # noqa: N801 -- an attribute of a session
            manifest = SimpleNamespace(chunks=9)
            chunk_id = staticmethod(lambda at: f"v#{at:05}")
            text = staticmethod(lambda at: PASSAGE)

        def analyze(self, sheet: FactSheet, progress: Any = None) -> Any:
            calls.append(sheet.case_id)
            complete = SimpleNamespace(complete=True)
            return SimpleNamespace(analysis=complete, precedents=[PRECEDENT], changes=[])

    session: Any = Explaining()
    store = ResultStore(tmp_path / "a.sqlite", {"k": 1})
    first = explain_cases([case], session, store)
    assert explain_cases([case], session, store) == first
    assert calls == ["m"]
    explain_cases([case], session, ResultStore(tmp_path / "a.sqlite", {"k": 2}))
    assert calls == ["m", "m"]


def _lines() -> list[dict[str, object]]:
    texts = (
        ("faithful", None, "The appeal was dismissed and the decree was confirmed."),
        ("unfaithful", "figure", "The tenant had not paid rent for nine months."),
        ("unfaithful", "negation", "The tenant had paid rent for eight months."),
        ("faithful", None, "Whoever quarrels with neighbours must reckon with sleepless nights."),
    )
    return [_line(at, *told) for at, told in enumerate(texts, start=1)]


def test_the_section() -> None:
    pairs = [ExplanationPair.model_validate(line) for line in _lines()]
    said = OwnSentence(text="The appeal was dismissed.", chunk_id="v#1", passage=PASSAGE)
    own = (OwnExplanation(explanation_id="m/v", kind="precedent", sentences=(said,)),)
    section = explanation_section(pairs, own)
    values = {measure.key: measure for measure in section.measures}
    assert values["explanations.overlap.unfaithful.recall"].value == 0.0
    assert values["explanations.strict.unfaithful.recall"].value == 1.0
    assert values["explanations.strict.unfaithful.precision"].value == pytest.approx(2 / 3)
    assert values["explanations.own.strict"].verdict == "meets"
    assert section.to_dict() == explanation_section(pairs, own).to_dict()
    told = {one["pair_id"]: one["told"]["strict"] for one in section.details["pairs"]}
    assert told == {
        "ex-1": "faithful", "ex-2": "unfaithful", "ex-3": "unfaithful", "ex-4": "unfaithful",
    }  # fmt: skip


@pytest.fixture
def command(tmp_path: Path) -> Callable[..., Any]:
    """The command on labelled lines; errors come through as they are raised."""
    app = typer.Typer()
    app.command()(explanations)

    def run(lines: Sequence[object], *options: str) -> Any:
        path = tmp_path / "explanations.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        return CliRunner().invoke(app, ["--set", str(path), "--own", "0", *options])

    return run


def test_the_command(command: Callable[..., Any], tmp_path: Path) -> None:
    done = command(_lines(), "--json", "--output", str(tmp_path / "out"))
    assert done.exit_code == 0, done.output
    printed = json.loads(done.stdout)
    assert printed["name"] == "explanations"
    assert json.loads((tmp_path / "out" / "explanations.json").read_text("utf-8")) == printed
    table = command(_lines())
    assert table.exit_code == 0 and "What each check finds" in table.stdout
    damaged = command([_lines()[1], _lines()[0] | {"label": "true"}])
    assert isinstance(damaged.exception, InputError)
    assert "explanations.jsonl, line 2: field label" in str(damaged.exception)
