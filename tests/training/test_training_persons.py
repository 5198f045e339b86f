"""What the question who a person is learns from: names, ages, births, and ages written behind names."""

from __future__ import annotations

import random

from countercase.text.spans import Span
from training.persons import places_of, write_ages

MATTER = {
    "matter_id": "bail-900",
    "text": "Client Ravi Kumar, born on 1.2.1990. Hari Das saw it on 3.4.2024. The mother is 61.",
    "facts": [
        {"id": "p1", "type": "PartyType", "value": "Individual", "role": "accused",
         "name": "Ravi Kumar", "mentions": ["Ravi Kumar"]},
        {"id": "p2", "type": "PartyType", "value": "Individual", "role": "witness",
         "name": "Hari Das", "mentions": ["Hari Das"]},
        {"id": "n1", "type": "Numerical", "kind": "age", "owner": "accused", "stated": False,
         "mentions": ["1.2.1990", "3.4.2024"]},
        {"id": "n2", "type": "Numerical", "kind": "age", "owner": "parent", "stated": True,
         "mentions": ["61"]},
    ],
}  # fmt: skip


def test_names_ages_and_births_tell_of_persons() -> None:
    found = [(kind, role, text[s.start : s.end]) for kind, role, text, s in places_of(MATTER)]
    assert found[:4] == [
        ("name", "accused", "Ravi Kumar"),
        ("name", "witness", "Hari Das"),
        ("birth", "accused", "1.2.1990"),
        ("age", "parent", "61"),
    ]
    written = {("written", "accused"), ("written", "witness")}
    assert {(kind, role) for kind, role, _ in found[4:]} == written


def test_an_age_is_written_behind_its_name_and_nothing_else_changes() -> None:
    text, name = "Hari Das saw it.", Span(0, 8)
    fact = {"value": "Individual", "role": "witness"}
    for seed in range(20):
        [(kind, role, written, place)] = write_ages(text, [(name, fact)], random.Random(seed))
        assert (kind, role) == ("written", "witness")
        assert written.startswith("Hari Das") and written.endswith(" saw it.")
        assert written[place.start : place.end][0].isdigit()
