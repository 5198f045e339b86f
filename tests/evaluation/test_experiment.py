"""The experiment under all evaluations: cases that are taken up again, measures that are declared."""

from __future__ import annotations

from pathlib import Path
from string import Formatter

import pytest

from countercase.errors import InputError
from countercase.evaluation.experiment import (
    Declaration,
    ResultStore,
    declarations,
    measure,
    run_cases,
    table,
)
from countercase.evaluation.statistics import Estimate, Rate


class Doubling:
    """Doubles a number, fails on a negative one, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def __call__(self, number: int) -> int:
        self.asked.append(number)
        if number < 0:
            raise InputError(f"{number}: below 0")
        return 2 * number


def test_what_is_stored_is_not_run_again_and_results_keep_their_order(tmp_path: Path) -> None:
    store, run = ResultStore(tmp_path / "r.sqlite", {}), Doubling()
    assert run_cases([2, 1], run, lambda case: [case], store) == [4, 2]
    assert run_cases([1, 3, 2], run, lambda case: [case], store) == [2, 6, 4]
    assert run.asked == [2, 1, 3]
    assert run_cases([1], run, lambda case: [case], None) == [2]
    assert run.asked == [2, 1, 3, 1]


def test_what_is_stored_but_not_enough_is_run_again(tmp_path: Path) -> None:
    store, run = ResultStore(tmp_path / "r.sqlite", {}), Doubling()
    run_cases([1, 2], run, lambda case: [case], store)
    run_cases([1, 2], run, lambda case: [case], store, is_enough=lambda stored: stored > 2)
    assert run.asked == [1, 2, 1]


def test_a_case_that_fails_ends_the_run_and_those_before_it_are_stored(tmp_path: Path) -> None:
    store, run = ResultStore(tmp_path / "r.sqlite", {}), Doubling()
    with pytest.raises(InputError, match="-1: below 0"):
        run_cases([5, -1, 6], run, lambda case: [case], store)
    told: list[tuple[str, int, int]] = []
    run_cases([5, 6], run, lambda case: [case], store, lambda *now: told.append(now), "numbers")
    assert run.asked == [5, -1, 6]
    assert told[-1] == ("numbers", 2, 2)


def test_a_declared_measure_says_what_its_figure_counts() -> None:
    found = measure("counterfactual.accept_rate", Rate(3, 4), beyond=2)
    assert (found.key, found.value, found.n) == ("counterfactual.accept_rate", 0.75, 4)
    assert found.note == "3 accepted, 1 refused; 2 more beyond the limits were not judged."
    facts = measure("counterfactual.{label}.facts", Rate(1, 2), label="x", Label="X", at=1.5)
    assert (facts.key, facts.title) == ("counterfactual.x.facts", "X accuracy at 1.5: facts")
    assert (facts.target, facts.verdict) == (0.7, "below")


def test_what_has_no_score_is_not_measured_and_never_0() -> None:
    found = measure("counterfactual.auc", Estimate(None, 3))
    assert (found.value, found.low, found.verdict) == (None, None, "not measured")


def test_columns_that_only_the_data_know_stand_where_the_declaration_says() -> None:
    found = table("retrieval.ablations", [("one", 1, 2)], ["NDCG", "MAP"], title="T", main="NDCG")
    assert found.columns[:4] == ("ranking", "NDCG", "MAP", "loses")
    assert found.rows == (("one", 1, 2),)
    assert found.note.endswith("all on NDCG.")


def fields_of(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("name", ["measures", "tables"])
def test_a_key_is_declared_once_and_its_words_can_be_filled(name: str) -> None:
    lines = Path(__file__).parents[2] / "countercase" / "evaluation" / "data" / f"{name}.jsonl"
    rows = declarations(name)
    assert len(rows) == len(lines.read_text(encoding="utf-8").splitlines())
    for row in rows.values():
        assert isinstance(row, Declaration)
        assert row.title and bool(row.columns) == (name == "tables")
        for text in (row.key, row.title, row.note, *row.columns):
            assert all(word.isidentifier() for word in fields_of(text))
