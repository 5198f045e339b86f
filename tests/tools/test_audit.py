"""Edits drawn for people to judge: the same for a seed, all of them accepted."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from countercase.counterfactual.lawful import LawfulValidator
from countercase.counterfactual.proposals import propose
from countercase.facts.case_file import read_case
from tools import audit

ROOT = Path(__file__).parents[2]


@pytest.fixture
def two_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    files = [ROOT / "examples/sudden-fight.json", ROOT / "examples/charas-search.json"]
    monkeypatch.setattr(audit, "matters", lambda rng: [read_case(path) for path in files])


@pytest.mark.usefixtures("two_examples")
def test_a_seed_draws_the_same_edits() -> None:
    first = list(audit.draw_edits(random.Random(3), 10))
    assert first == list(audit.draw_edits(random.Random(3), 10))
    assert first != list(audit.draw_edits(random.Random(4), 10))


@pytest.mark.usefixtures("two_examples")
def test_every_drawn_edit_is_proposed_and_plausible() -> None:
    sheets = {sheet.case_id: sheet for sheet in audit.matters(random.Random(0))}
    judge = LawfulValidator()
    for row in audit.draw_edits(random.Random(0), 10):
        sheet = sheets[row["case_id"]]
        [edit] = [edit for edit in propose(sheet) if edit.edit_id == row["edit_id"]]
        assert judge.judge(sheet, [edit]).plausible
        assert row["supposition"] == edit.supposition
        assert row["before"] or row["after"]
        assert not set(row["before"]) & set(row["after"])


@pytest.mark.parametrize(
    ("case_id", "source"),
    [("cf-dowry-1", "labelled"), ("rb-ten-02", "messy"), ("sudden-fight", "example")],
)
def test_a_matter_counts_with_its_source(case_id: str, source: str) -> None:
    sheet = read_case(ROOT / "examples/sudden-fight.json")
    object.__setattr__(sheet, "case_id", case_id)
    assert audit._source(sheet) == source
