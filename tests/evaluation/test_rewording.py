"""Verdicts on a case that is told in other words, worked by hand."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from countercase.cli.main import app
from countercase.evaluation.validity.rewording import (
    Verdicts,
    compare,
    reworded,
    rewording_section,
)
from countercase.facts.extraction import extract
from countercase.facts.model import FactSheet

SHEET = extract(
    "The appellant was convicted under section 302 of the Indian Penal Code. He paid "
    "Rs. 40,000 to the widow. The doctor who made the post-mortem was examined.",
    case_id="made",
)


def test_the_words_change_and_the_law_does_not() -> None:
    told = reworded(SHEET)
    assert told.narrative != SHEET.narrative
    assert [fact.value for fact in told.facts] == [fact.value for fact in SHEET.facts]


def test_verdicts_are_compared_fact_by_fact() -> None:
    """Of three facts one is not measured in other words, one stays, one passes the threshold."""
    moves = {"made": [(2.0, "dispositive"), (1.0, "not dispositive"), (1.0, "not dispositive")],
             "told": [(1.8, "dispositive"), (2.5, "dispositive"), (None, "not tried")]}  # fmt: skip

    def measure(sheet: FactSheet) -> Any:
        told = "made" if sheet.narrative == SHEET.narrative else "told"
        facts = [
            SimpleNamespace(fact=SimpleNamespace(fact_id=str(at), value=at), sensitivity=move,
                            verdict=verdict)
            for at, (move, verdict) in enumerate(moves[told])
        ]  # fmt: skip
        return SimpleNamespace(facts=facts)

    found = compare([SHEET], measure)
    assert [(it.fact, it.changed) for it in found] == [("0", False), ("1", True)]
    section = rewording_section(found)
    assert {measure.key: measure.value for measure in section.measures} == {
        "validity.rewording.changed": 0.5,
        "validity.rewording.shift": pytest.approx((0.2 + 1.5) / 2),
    }
    assert section.measures[0].verdict == "above"
    assert section.tables[0].rows == (("made", "1", 1.0, 2.5, "dispositive"),)


def test_a_verdict_that_only_shifts_is_no_change() -> None:
    assert not Verdicts("made", "x", (2.0, 5.0), (True, True)).changed


def test_a_folder_without_cases_is_an_error(tmp_path: Path) -> None:
    result = CliRunner().invoke(
        app, ["eval", "validity", "--parts", "rewording", "--cases", str(tmp_path)]
    )
    assert result.exit_code == 2
    assert "holds no case" in result.output
