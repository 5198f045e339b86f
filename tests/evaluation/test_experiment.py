"""The experiment under all evaluations: results that are kept, measures that are declared."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from string import Formatter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from countercase.errors import InputError, StoreError
from countercase.evaluation.experiment import ResultStore, fingerprint, run_cases
from countercase.evaluation.report import (
    Measure,
    Section,
    Table,
    declared_measures,
    declared_tables,
)
from countercase.evaluation.statistics import Estimate, rate
from countercase.integrity import code_fingerprint


class Doubling:
    """Doubles a number, fails on a negative one, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def __call__(self, number: int) -> int:
        self.asked.append(number)
        if number < 0:
            raise InputError(f"{number}: below 0")
        return 2 * number


@pytest.fixture
def store(tmp_path: Path) -> ResultStore:
    return ResultStore(tmp_path / "r.sqlite", {})


def test_what_is_stored_is_not_run_again_and_results_keep_their_order(store: ResultStore) -> None:
    run = Doubling()
    assert run_cases([2, 1], run, lambda case: [case], store) == [4, 2]
    assert run_cases([1, 3, 2], run, lambda case: [case], store) == [2, 6, 4]
    assert run.asked == [2, 1, 3]
    assert run_cases([1], run, lambda case: [case], None) == [2]
    run_cases([1, 2], run, lambda case: [case], store, is_enough=lambda stored: stored > 2)
    assert run.asked == [2, 1, 3, 1, 1]


def test_a_case_that_fails_ends_the_run_and_those_before_it_are_stored(store: ResultStore) -> None:
    run = Doubling()
    with pytest.raises(InputError, match="-1: below 0"):
        run_cases([5, -1, 6], run, lambda case: [case], store)
    told: list[tuple[str, int, int]] = []
    run_cases([5, 6], run, lambda case: [case], store, lambda *now: told.append(now), "numbers")
    assert run.asked == [5, -1, 6]
    assert told[-1] == ("numbers", 2, 2)


def test_a_declared_measure_says_what_its_figure_counts() -> None:
    section = Section("counterfactual", "")
    section.add_measure("counterfactual.accept_rate", rate(3, 4), beyond=2)
    label = {"label": "x", "Label": "X", "at": 1.5}
    section.add_measure("counterfactual.{label}.facts", rate(1, 2), **label)
    found, facts = section.measures
    assert (found.key, found.value, found.n) == ("counterfactual.accept_rate", 0.75, 4)
    assert found.note == "3 accepted, 1 refused; 2 more beyond the limits were not judged."
    assert (facts.key, facts.title) == ("counterfactual.x.facts", "X accuracy at 1.5: facts")
    assert (facts.target, facts.verdict) == (0.7, "below")
    section.add_measure("counterfactual.auc", Estimate(None, 3))  # without a score, and never 0
    assert (section.measures[2].value, section.measures[2].verdict) == (None, "not measured")


def test_columns_that_only_the_data_know_stand_where_the_declaration_says() -> None:
    section, words = Section("retrieval", ""), {"title": "T", "main": "NDCG"}
    section.add_table("retrieval.ablations", [("one", 1, 2)], ["NDCG", "MAP"], **words)
    [found] = section.tables
    assert found.columns[:4] == ("ranking", "NDCG", "MAP", "loses")
    assert found.rows == (("one", 1, 2),)
    assert found.note.endswith("all on NDCG.")


def fields_of(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("name", ["measures", "tables"])
def test_a_key_is_declared_once_and_its_words_can_be_filled(name: str) -> None:
    lines = Path(__file__).parents[2] / "countercase" / "evaluation" / "data" / f"{name}.jsonl"
    rows: Mapping[str, Measure | Table]
    rows = declared_measures() if name == "measures" else declared_tables()
    assert len(rows) == len(lines.read_text(encoding="utf-8").splitlines())
    for key, row in rows.items():
        columns = row.columns if isinstance(row, Table) else ()
        assert row.title and bool(columns) == (name == "tables")
        for text in (key, row.title, row.note, *columns):
            assert all(word.isidentifier() for word in fields_of(text))


# The store: results are kept at once, seen again only by what made them, clear about damage


@given(st.text(), st.text() | st.floats(allow_nan=False, allow_infinity=False))
@settings(max_examples=30, deadline=None)
def test_values_come_back_from_the_file(key: str, value: object) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "deep" / "results.sqlite"
        with ResultStore(path, {}) as store:
            store.put(key, {key: [value, None]})
        with ResultStore(path, {}) as store:
            assert store.get(key) == {key: [value, None]}
            assert store.get("another key" * 9) is None


def test_only_what_was_made_alike_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    with ResultStore(path, {"models": "m1", "k": 1}) as store:
        store.put("a", [1])
        store.put("a", [2])
    with ResultStore(path, {"models": "m2", "k": 1}) as store:
        assert store.get("a") is None
        store.put("a", [3])
    with ResultStore(path, {"k": 1, "models": "m1"}) as store:
        assert store.get("a") == [2]
    assert fingerprint("ab", "c") != fingerprint("a", "bc")


def test_a_result_survives_a_process_that_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    code = (
        "import os, sys, pathlib; from countercase.evaluation.experiment import ResultStore\n"
        "store = ResultStore(pathlib.Path(sys.argv[1]), {}); store.put('a', 1); os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(path)], check=False).returncode == 9
    assert ResultStore(path, {}).get("a") == 1


def test_threads_share_a_store(store: ResultStore) -> None:
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(store.put, map(str, range(8)), range(8)))
    assert [store.get(str(at)) for at in range(8)] == list(range(8))


@pytest.mark.parametrize("damage", ["value || ' '", "substr(value, 2)", "replace(value, '7', '8')"])
def test_a_damaged_result_is_measured_again(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "results.sqlite"
    with ResultStore(path, {}) as store:
        store.put("a", {"score": 7})
    with sqlite3.connect(path) as database:
        database.execute(f"UPDATE results SET value = {damage}")
    with ResultStore(path, {}) as store:
        assert store.get("a") is None
        store.put("a", {"score": 7})
        assert store.get("a") == {"score": 7}


def test_a_damaged_file_or_a_folder_in_the_way_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("this is not a database, and long enough to be read as one")
    with pytest.raises(StoreError, match=r"file: results cannot be stored there .*delete the file"):
        ResultStore(tmp_path / "file", {})
    with pytest.raises(StoreError, match="cannot be made"):
        ResultStore(tmp_path / "file" / "results.sqlite", {})
    with pytest.raises(ValueError, match="JSON"):
        ResultStore(tmp_path / "results.sqlite", {}).put("a", float("nan"))


def test_other_code_has_another_fingerprint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("countercase.__file__", str(tmp_path / "__init__.py"))
    (tmp_path / "retrieval").mkdir()
    (tmp_path / "evaluation").mkdir()
    seen = []
    for name, text in (
        ("retrieval/rrf.py", "K = 20"),
        ("evaluation/systems.py", "a = 1"),
        ("evaluation/metrics.py", "this ranks nothing"),
        ("evaluation/systems.py", "a = 2"),
        ("retrieval/rrf.py", "K = 60"),
    ):
        (tmp_path / name).write_text(text)
        seen.append(code_fingerprint(("retrieval", "evaluation/systems.py")))
    _, before, beside, changed, both = seen
    assert before == beside
    assert len({before, changed, both}) == 3
