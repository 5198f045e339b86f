"""Words of a supposition that mislead: what stands at length, at the end, or within some days."""

from __future__ import annotations

import pytest

from countercase.counterfactual.suppose import read_suppositions
from countercase.facts.extraction import extract
from countercase.facts.model import NumericalValue


@pytest.mark.parametrize(
    ("words", "operation", "after"),
    [
        ("section 304 were charged instead of the graver offence of murder under section 302 IPC",
         "replace", "IPC-304"),
        ("304 were charged instead of the graver offence under section 302", "replace", "IPC-304"),
        ("304 instead of the offence of murder punishable by 302", "replace", "IPC-304"),
    ],
)  # fmt: skip
def test_a_charge_takes_the_place_of_one_that_is_told_at_length(
    words: str, operation: str, after: str
) -> None:
    [edit] = read_suppositions(
        extract("He was charged under section 302 of the IPC."), [words]
    ).edits
    assert (edit.operation, str(edit.after)) == (operation, after)


def test_what_is_not_so_at_the_end_of_a_long_clause_is_no_charge_exchanged() -> None:
    words = (
        "the search was made by day and not at night, two witnesses had joined, and a Magistrate had "
        "certified the inventory under section 52A"
    )
    case = extract(
        "Charas of 1.2 kg was seized, section 20(b)(ii)(C) NDPS Act. Section 52A was not kept."
    )
    assert not read_suppositions(case, [words]).problems


@pytest.mark.parametrize(
    ("words", "days"),
    [
        ("the samples had reached the FSL in 2 days", 2.0),
        ("they reached the FSL within 2 days", 2.0),
    ],
)
def test_within_some_days_is_that_many(words: str, days: float) -> None:
    case = extract(
        "Charas of 1.2 kg was seized, section 20(b)(ii)(C) NDPS Act. Samples reached the FSL after 23 days."
    )
    [edit] = read_suppositions(case, [words]).edits
    assert isinstance(edit.after, NumericalValue) and edit.after.value == days
