"""What-ifs in a user's words: one fact each, measured apart, also where the law objects."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import countercase as cc
from countercase.counterfactual.by_hand import edits_by_hand, is_by_hand
from countercase.errors import InputError
from countercase.facts.edits import apply_edits
from countercase.facts.extraction import extract
from countercase.facts.model import EvidenceValue, NumericalValue, SectionValue
from countercase.retrieval.base import Query

TEXT = (
    "The accused, aged 24 years, struck one blow in a quarrel. He was convicted under section 302 "
    "of the Indian Penal Code. The deceased made a dying declaration before the Tehsildar. The "
    "police recovered 45 grams of heroin from his bag."
)
SHEET = extract(TEXT, "made-up", tagger=False)


def test_a_figure_is_changed_as_worded() -> None:
    [edit] = edits_by_hand(SHEET, change=["45 grams = 300 grams"])
    after = apply_edits(SHEET, [edit])
    assert "300 grams of heroin" in after.narrative
    value = after.fact(edit.fact_id).value
    assert isinstance(value, NumericalValue)
    assert (value.value, value.unit) == (300, "g")
    assert is_by_hand(edit)


def test_a_provision_is_changed_as_worded() -> None:
    [edit] = edits_by_hand(SHEET, change=["section 302 = section 304 Part II"])
    assert edit.new_value == SectionValue("IPC-304-II")


def test_an_item_is_taken_away_and_a_sentence_added() -> None:
    gone, new = edits_by_hand(
        SHEET, remove=["dying declaration"], add=["An eyewitness saw the blow from her roof"]
    )
    assert gone.new_value is None
    assert "dying declaration" not in apply_edits(SHEET, [gone]).narrative
    assert isinstance(new.new_value, EvidenceValue)
    assert apply_edits(SHEET, [new]).narrative.endswith("An eyewitness saw the blow from her roof.")


@pytest.mark.parametrize(
    ("wishes", "says"),
    [
        ({"change": ["45 grams"]}, 'write the words, "="'),
        ({"change": ["99 grams = 5 grams"]}, "does not say '99 grams'"),
        ({"change": ["quarrel = feud"]}, "states no fact of the case; facts: "),
        ({"change": ["24 years = hat"]}, "is not read as a number"),
        ({"remove": ["test identification"]}, "names no fact of the case; facts: "),
        ({"remove": ["e"]}, "names more than one fact"),
        ({"add": ["The weather was fine"]}, "no fact is read in it"),
    ],
)
def test_what_cannot_be_done_says_why(wishes: dict[str, list[str]], says: str) -> None:
    with pytest.raises(InputError, match=says):
        edits_by_hand(SHEET, **wishes)


def ranked(queries: Sequence[Query]) -> list[list[str]]:
    """The same three cases, the other way round where the query speaks of 300 grams."""
    return [["c", "b", "a"] if "300 grams" in q.text else ["a", "b", "c"] for q in queries]


def test_it_is_measured_apart_from_the_proposed_edits() -> None:
    plainly = cc.analyze(SHEET, retriever=ranked, top_k=3)
    asked = cc.analyze(
        SHEET, retriever=ranked, top_k=3, change=["45 grams = 300 grams", "24 years = 115 years"]
    )
    assert asked.sensitivity == plainly.sensitivity
    nodes = [node for node in asked.tree.nodes() if node.status == "by_hand"]
    assert [edge.displacement.mean for edge in asked.tree.edges()
            if edge.displacement and is_by_hand(edge.edit)] == [pytest.approx(4 / 3), 0]  # fmt: skip
    assert [bool(node.reason) for node in nodes] == [False, True]
