"""The public names: all there, found lazily, documented, and strict about what they are given."""

from __future__ import annotations

import doctest
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest

import countercase as cc
from countercase.errors import InputError
from countercase.facts.model import FactSheet

API = Path(__file__).resolve().parents[2] / "docs" / "api.md"
NAMES = {
    "read_case", "extract", "edits", "null_edits", "analyze", "grow", "displacement", "evaluate",
    "HybridRetriever", "PerturbationTree", "FactSheet", "Result", "register", "Filters",
}  # fmt: skip


def test_all_names_are_there_and_come_from_the_package() -> None:
    assert set(cc.__all__) == NAMES | {"__version__"}
    assert dir(cc) == sorted(cc.__all__)
    for name in NAMES:
        thing = getattr(cc, name)
        assert thing.__module__.startswith("countercase.")
        assert thing.__name__ == name
        assert thing.__doc__


def test_an_unknown_name_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = cc.nothing


@pytest.mark.parametrize("name", sorted(NAMES))
def test_every_name_is_documented(name: str) -> None:
    headings = [line for line in API.read_text(encoding="utf-8").splitlines() if line[:1] == "#"]
    assert any(f"`{name}" in heading for heading in headings)


def test_every_example_runs_and_prints_what_the_page_says(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(API.parents[1])
    outcome = doctest.testfile(
        str(API),
        module_relative=False,
        optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE,
        encoding="utf-8",
    )
    assert outcome.attempted > 20
    assert outcome.failed == 0


CASE: Any = FactSheet("case", "He struck one blow.")
VERBS: dict[str, Callable[[Any], Any]] = {
    "read_case: path": cc.read_case,
    "extract: text": cc.extract,
    "extract: title": lambda it: cc.extract("He ran.", title=it),
    "edits: case": cc.edits,
    "edits: types": lambda it: cc.edits(CASE, types=[it]),
    "null_edits: case": cc.null_edits,
    "analyze: case": cc.analyze,
    "analyze: corpus": lambda it: cc.analyze(CASE, it),
    "analyze: validator": lambda it: cc.analyze(CASE, validator=it),
    "grow: case": lambda it: cc.grow(it, [], retriever=lambda queries: []),
    "grow: edits": lambda it: cc.grow(CASE, [it], retriever=lambda queries: []),
    "displacement: before": lambda it: cc.displacement([it], ["a"]),
    "evaluate: sets": cc.evaluate,
    "register: name": lambda it: cc.register("rankers", it, None),
    "Filters: court": lambda it: cc.Filters(court=it),
}


@pytest.mark.parametrize("given", [None, 5, ["a"], b"a"])
@pytest.mark.parametrize("verb", VERBS)
def test_another_type_is_one_line(verb: str, given: Any) -> None:
    with pytest.raises(InputError, match=f"^{verb} must be .*, not (NoneType|int|list|bytes) ."):
        VERBS[verb](given)


def test_a_text_is_no_list_of_texts() -> None:
    with pytest.raises(InputError, match="types must be a list of str, not str 'Section'"):
        cc.edits(CASE, types="Section")


HYBRID: Any = cc.HybridRetriever
RETRIEVE: Any = partial(HYBRID.retrieve, HYBRID)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: HYBRID(1, 2), "HybridRetriever: snapshot must be Snapshot"),
        (lambda: HYBRID.from_documents({}, settings={}), "settings must be RetrievalSettings"),
        (
            lambda: HYBRID.from_documents({}, chunk_pieces=0),
            "chunk_pieces must be a whole number from 1",
        ),
        (lambda: RETRIEVE("abc"), "queries must be a list of Query"),
        (
            lambda: RETRIEVE([], top_k=-1),
            "top_k must be a whole number from 1 to 999,999,999, not int -1",
        ),
        (lambda: RETRIEVE([], exclude="a"), "exclude must be a list of str"),
        (lambda: cc.edits(CASE, limit=0), "limit must be a whole number from 1"),
        (lambda: cc.edits(CASE, limit=True), "limit must be a whole number from 1"),
        (lambda: cc.displacement(cast("Any", {"a"}), ["a"]), "before must be a list"),
        (lambda: cc.register("validators", "none", None), "validators: None has no `__call__`"),
        (lambda: cc.register("fact_types", "none", 1), "fact_types: 1 has no `recognise`"),
    ],
)
def test_values_of_no_use_are_refused_at_the_door(call: Any, told: str) -> None:
    with pytest.raises(InputError, match=told):
        call()
