"""Edits: typed operations on facts, applied as a set."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countercase.facts.edits import BY_HAND, RESTATE, Change, Edit, apply_edits, compatible
from countercase.facts.model import EvidenceValue, Fact, FactSheet, NumericalValue, SectionValue
from countercase.text.spans import Span

ROOT = FactSheet(
    "case",
    "Tried under section 302 IPC at 16.",
    (
        Fact("s", "Section", SectionValue("IPC-302"), (Span(12, 27),)),
        Fact("n", "Numerical", NumericalValue("age", 16, "years"), (Span(31, 33),)),
        Fact("e", "Evidence", EvidenceValue("medical", "")),
    ),
)


def edit(fact_id: str, after: object, *consequences: Change) -> Edit:
    known = {fact.fact_id: fact for fact in ROOT.facts}.get(fact_id)
    kind = known.fact_type if known else "Evidence"
    before = known.value if known else None
    operation = "add" if known is None else "remove" if after is None else "replace"
    return Edit(fact_id, kind, operation, before, after, consequences=consequences)  # type: ignore[arg-type]


EDITS = {
    "lesser": edit("s", SectionValue("IPC-304-I")),
    "grown": edit("n", NumericalValue("age", 19, "years")),
    "gone": edit("e", None),
    "added": edit("x", EvidenceValue("motive", "")),
    "both": edit("s", None, edit("n", None)),
}


def test_a_fact_that_changes_keeps_its_id_its_place_and_its_mentions() -> None:
    after = apply_edits(ROOT, [EDITS["lesser"]])
    assert [fact.fact_id for fact in after.facts] == ["s", "n", "e"]
    assert after.fact("s") == replace(ROOT.fact("s"), value=SectionValue("IPC-304-I"))
    assert after.narrative == ROOT.narrative


def test_a_removed_fact_is_gone_and_an_added_one_stands_last_without_a_mention() -> None:
    after = apply_edits(ROOT, [EDITS["gone"], EDITS["added"]])
    assert [fact.fact_id for fact in after.facts] == ["s", "n", "x"]
    assert after.fact("x").spans == ()
    # Consequences hold with the edit.
    assert [fact.fact_id for fact in apply_edits(ROOT, [EDITS["both"]]).facts] == ["e"]
    assert EDITS["both"].fact_ids == ("s", "n")


@given(st.sets(st.sampled_from(sorted(EDITS))))
def test_a_set_of_edits_means_the_same_in_every_order(names: set[str]) -> None:
    chosen = [EDITS[name] for name in sorted(names)]
    if compatible(chosen):
        sheets = {apply_edits(ROOT, order) for order in permutations(chosen)}
        assert len(sheets) == 1
    else:
        with pytest.raises(ValueError, match="same fact"):
            apply_edits(ROOT, chosen)


def test_two_edits_of_one_fact_cannot_hold_at_once_nor_one_and_the_others_consequence() -> None:
    assert not compatible([EDITS["lesser"], EDITS["lesser"]])
    assert not compatible([EDITS["grown"], EDITS["both"]])
    assert compatible([EDITS["grown"], EDITS["gone"], EDITS["added"]])


def test_an_id_depends_on_what_changes_and_on_nothing_that_is_only_said() -> None:
    lesser = EDITS["lesser"]
    said = replace(lesser, supposition="Suppose so.", reason="So.", rule="x", provision="IPC-300")
    assert said.edit_id == lesser.edit_id
    changed = (
        replace(lesser, after=SectionValue("IPC-304-II")),
        replace(lesser, fact_id="t"),
        replace(lesser, template=1),
        replace(lesser, consequences=(EDITS["grown"],)),
    )
    assert len({lesser.edit_id, *(each.edit_id for each in changed)}) == 5


def test_what_an_edit_is_can_be_asked_of_it() -> None:
    restated = replace(EDITS["lesser"], operation=RESTATE)
    assert restated.null and not EDITS["lesser"].null
    assert replace(EDITS["lesser"], rule=BY_HAND).by_hand
    assert (EDITS["gone"].original_value, EDITS["gone"].perturbed_value) == ("medical", "")
    assert EDITS["added"].original_value == ""
