"""An argument of another type is one line of an `InputError`, wherever a verb takes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import countercase as cc
from countercase.errors import InputError
from countercase.facts.model import FactSheet

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
