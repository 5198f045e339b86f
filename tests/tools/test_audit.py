"""What-ifs drawn for people to judge: the same for a seed, lawful, from each source in turn."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

import pytest

from countercase.counterfactual.lawful import LawfulValidator
from countercase.counterfactual.proposals import propose
from countercase.facts.case_file import read_case
from tools import audit

ROOT = Path(__file__).parents[2]
FILES = [ROOT / "examples/sudden-fight.json", ROOT / "examples/charas-search.json"]


@pytest.fixture
def two_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    sources = {path.stem: [partial(read_case, path)] for path in FILES}
    monkeypatch.setattr(audit, "matters", lambda rng, development=False: sources)


@pytest.mark.usefixtures("two_sources")
def test_a_seed_draws_the_same_edits() -> None:
    first = list(audit.draw_edits(random.Random(3), 10))
    assert first == list(audit.draw_edits(random.Random(3), 10))
    assert first != list(audit.draw_edits(random.Random(4), 10))


@pytest.mark.usefixtures("two_sources")
def test_every_drawn_edit_is_proposed_and_lawful_and_names_what_it_changes() -> None:
    sheets = {sheet.case_id: sheet for sheet in map(read_case, FILES)}
    judge, rows = LawfulValidator(), list(audit.draw_edits(random.Random(0), 20))
    for row in rows:
        sheet = sheets[row["case_id"]]
        [edit] = [edit for edit in propose(sheet) if edit.edit_id == row["edit_id"]]
        assert judge.judge(sheet, [edit]).plausible
        assert row["supposition"] == edit.supposition
        assert len(row["consequences"]) == len(edit.consequences)
        assert all(clause in edit.supposition for clause in row["consequences"])
        assert all(words in sheet.narrative for words in row["mentions"])
        assert bool(row["before"]) == (edit.operation != "add" or bool(edit.consequences))
        assert not set(row["before"]) & set(row["after"])
    assert [row["source"] for row in rows] == [path.stem for path in FILES] * 10


@pytest.mark.parametrize(
    ("development", "others"),
    [(False, ["labelled", "messy"]), (True, ["matter", "matter, extracted"])],
)
def test_the_matters_are_examples_records_and_matters_of_the_sets_or_of_the_training(
    development: bool, others: list[str]
) -> None:
    sources = audit.matters(random.Random(1), development)
    assert [*sources] == ["example", *others, "casebook"]
    for read, *_ in sources.values():
        assert propose(read())
