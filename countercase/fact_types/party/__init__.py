"""Party types: what the party on each side is in law.

Change what a party is in law: public servant or private person, tenant or licensee.

Each change rests on the provision that treats the two differently; the table is
`data/party_changes.jsonl`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from countercase.fact_types.base import FactType
from countercase.fact_types.party.recognise import (
    find_named_parties,
    locate_party,
    names_in_title,
    party_type_of,
)
from countercase.fact_types.party_wording import KIN, NAMED_BY_TYPE, ROLE, retype, words_for
from countercase.fact_types.rewriting import in_order, sentences_around, synonym_edits
from countercase.facts.area_of_law import area_of_law
from countercase.facts.edits import Edit
from countercase.facts.extraction import Narrative
from countercase.facts.model import Fact, FactSheet, FactValue, NumericalValue, PartyValue
from countercase.io import read_table
from countercase.text.spans import Span

_OWNER: Final = re.compile(r"(?i)landlord|owner|propriet|partner")
_NATURAL: Final = re.compile(rf"(?i)\b(?:he|she|his|her|him|aged|years old|{KIN})\b")
_FULL_AGE: Final = 18
_BESIDE: Final = 25
"""Up to this many characters after a mention of a party, an age is still that party's."""


@dataclass(frozen=True)
class PartyChange:
    """A party type that may replace another, and the law that tells them apart.

    `area_of_law` is `criminal`, `civil` or "" for both; `noun` replaces the usual noun of the new
    type.
    """

    original: str
    changed: str
    provision: str
    reason: str
    area_of_law: str = ""
    noun: str = ""


def propose(sheet: FactSheet) -> list[Edit]:
    """Changes of each party's type, in the order of the table."""
    edits = (
        _edit(sheet, fact, value, change)
        for fact, value in sheet.valued(PartyValue)
        for change in _changes(sheet, fact, value)
    )
    return [edit for edit in edits if edit is not None]


def reason(edit: Edit) -> str:
    """Why the law tells the two party types of the edit apart; "" for an unknown pair."""
    edited = (edit.original_value, edit.perturbed_value, edit.provision)
    for change in read_table("fact_types/party_changes", PartyChange):
        if (change.original, change.changed, change.provision) == edited:
            return change.reason
    return ""


def _changes(sheet: FactSheet, fact: Fact, value: PartyValue) -> list[PartyChange]:
    areas, excluded = ("", area_of_law(sheet)), _excluded(sheet, fact)
    table = read_table("fact_types/party_changes", PartyChange)
    allowed = (c for c in table if c.area_of_law in areas and c.changed not in excluded)
    return [change for change in allowed if change.original == value.party_type]


def _excluded(sheet: FactSheet, fact: Fact) -> set[str]:
    """The types that the words beside the party rule out: whoever has an age, a sex or kin is no
    company, and nobody of eighteen or more is a minor."""
    narrative, excluded = sheet.narrative, set[str]()
    sentences = sentences_around(narrative, fact.spans)
    beside = [narrative[s.start : s.end] for s in fact.spans]
    personal = any(not ROLE.fullmatch(w) and w.islower() and not _OWNER.match(w) for w in beside)
    if personal or any(_NATURAL.search(narrative, s.start, s.end) for s in sentences):
        excluded.add("Corporation")
    for other, value in sheet.valued(NumericalValue):
        if (value.kind, value.unit) == ("age", "years") and value.value >= _FULL_AGE:
            near = (Span(s.start, min(s.end + _BESIDE, len(narrative))) for s in fact.spans)
            if any(place.overlaps(age) for place in near for age in other.spans):
                excluded.add("Minor")
    return excluded


def _edit(sheet: FactSheet, fact: Fact, value: PartyValue, change: PartyChange) -> Edit | None:
    replacements = in_order(retype(sheet, fact, value, change.changed, change.noun))
    if replacements is None:
        return None
    name = "" if change.original in NAMED_BY_TYPE else value.name
    old, new = change.original, change.changed
    changed = replace(value, party_type=new, name=name)
    return Edit(
        fact.fact_id, "PartyType", old, new, "party.type", change.provision, changed, replacements
    )


class PartyType(FactType):
    """What one side is: a minor, a public servant, a corporation, the State, a tenant."""

    name = "PartyType"
    heading = "party"

    def recognise(self, narrative: Narrative) -> Sequence[Fact]:
        """The parties, petitioner first, named by the title or else by the fact tagger."""
        titled = names_in_title(narrative.title)
        parties = find_named_parties(narrative.text, titled, narrative.entities)
        return [Fact(f"party:{p.value.side}", self.name, p.value, p.spans) for p in parties]

    def locate(self, narrative: Narrative, values: Sequence[FactValue]) -> Sequence[Fact]:
        """The stated parties with the words that say what they are.

        A party without a type has the one that its name suggests.
        """
        facts = []
        for value in values:
            assert isinstance(value, PartyValue)
            typed = replace(value, party_type=value.party_type or party_type_of(value.name))
            spans = locate_party(narrative.text, typed)
            facts.append(Fact(f"party:{typed.side}", self.name, typed, spans))
        return facts

    def render(self, fact: Fact) -> str:
        """`The petitioner is a minor.`"""
        assert isinstance(fact.value, PartyValue)
        return f"The {fact.value.side} is {words_for(fact.value.party_type).phrase}."

    edits = staticmethod(propose)
    reason = staticmethod(reason)

    def null_edits(self, sheet: FactSheet) -> list[Edit]:
        """Other words for the parties, and other ways of writing their names."""
        return synonym_edits(sheet, self.name, "party")


FACT_TYPE = PartyType()
