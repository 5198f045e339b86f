"""What a fact sheet made by hand may not hold: each is one error when it is made."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from countercase.errors import InputError
from countercase.facts.model import (
    EvidenceValue,
    Fact,
    FactSheet,
    NumericalValue,
    PartyValue,
    SectionValue,
)

make: Any = {kind.__name__: kind for kind in (EvidenceValue, Fact, FactSheet, NumericalValue)}


def age(value: Any, **more: Any) -> Callable[[], object]:
    return lambda: make["NumericalValue"]("age", value, **{"unit": "years"} | more)


@pytest.mark.parametrize(
    ("made", "told"),
    [
        *((age(value), "value must be float | int, not ") for value in ("19", None)),
        *((age(value), "is not a number from 0 up") for value in (True, -3, -0.0)),
        *((age(value), "is not a number from 0 up") for value in (float("nan"), float("inf"))),
        (age(19, upper=17), "17 is not a number from 19 up"),
        (age(19, unit="stones"), "unit must be one of years, months, not str 'stones'"),
        (age(19, owner="uncle"), "owner must be one of accused, "),
        (age(19, begins="yesterday"), '"yesterday" is no date; write 2024-08-12 or 2024 (begins)'),
        (lambda: make["NumericalValue"]("height", 2, "m"), "kind must be one of amount, age"),
        (lambda: SectionValue(302), "provision must be str, not int 302"),  # type: ignore[arg-type]
        (lambda: PartyValue("third", "State"), "side must be one of"),  # type: ignore[arg-type]
        (lambda: PartyValue("petitioner", "Alien"), "party_type must be one of Individual, "),
        (lambda: PartyValue("petitioner", "State", role="king"), "role must be one of accused, "),
        (lambda: EvidenceValue("rumour", ""), "evidence_type must be one of eyewitness, "),
        (lambda: make["EvidenceValue"]("medical", "", "strong"), "strength must be one of full, "),
        (lambda: make["Fact"]("a", "Forum", "x", ((0, 1),)), "spans must be a list of Span"),
        (lambda: make["Fact"]("a", "Forum", []), "value must be Hashable, not list"),
        (lambda: make["FactSheet"]("a", "text", []), "facts must be tuple, not list"),
        (lambda: make["FactSheet"]("a", "text", ("x",)), "facts must be a list of Fact"),
        (
            lambda: make["FactSheet"]("a", "text", occurred_on=date(2020, 1, 1)),
            "must be str, not date",
        ),
        (lambda: FactSheet("a", "text", occurred_on="2020-13-45"), '"2020-13-45" is no date'),
    ],
)
def test_what_cannot_be_is_refused_when_it_is_made(made: Callable[[], object], told: str) -> None:
    with pytest.raises(InputError) as caught:
        made()
    assert told in str(caught.value)
