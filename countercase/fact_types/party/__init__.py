"""Party types: what the party on each side is in law."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from countercase.fact_types.base import FactType
from countercase.fact_types.null_edits import synonym_edits
from countercase.fact_types.party.edits import propose, reason
from countercase.fact_types.party.recognise import (
    find_named_parties,
    locate_party,
    names_in_title,
    party_type_of,
)
from countercase.fact_types.rewriting.parties import words_for
from countercase.facts.edits import Edit
from countercase.facts.extraction import Narrative
from countercase.facts.model import Fact, FactSheet, FactValue, PartyValue


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
        facts = sheet.of_type(self.name)
        return [edit for fact in facts for edit in synonym_edits(sheet, fact, "party")]


FACT_TYPE = PartyType()
