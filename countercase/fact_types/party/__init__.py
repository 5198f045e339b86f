"""Party types: public servant or private person, tenant or licensee.

Each change rests on the provision that treats the two differently; the rows are in
`law/data/what_ifs.jsonl`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from textwrap import shorten
from typing import Final

from countercase.fact_types.base import FactType, capital, template_of
from countercase.fact_types.catalogue import matter_of, rows_for
from countercase.fact_types.party import recognise
from countercase.fact_types.party.notes import parties_in_notes, with_notes
from countercase.fact_types.roles import role_beside, role_of
from countercase.fact_types.suppositions import suppose
from countercase.facts.area_of_law import provisions_of
from countercase.facts.edits import Change, Edit
from countercase.facts.extraction import Narrative
from countercase.facts.model import Fact, FactSheet, FactValue, PartyValue
from countercase.io import read_table
from countercase.text.spans import Span

_KINDS: Final = {"Corporation": "company, firm or society", "State": "State or its authority"}
"""What a label calls a type that is wider than its noun."""
_LIKELY: Final = 0.25
"""The share of the likeliest area's probability from which on a matter may be of another."""


@dataclass(frozen=True)
class AreaRoles:
    """The roles that no party has in an area of law: nobody is accused in a claim for an accident."""

    area: str
    roles: tuple[str, ...]


class PartyType(FactType):
    """What one side is: a minor, a public servant, a corporation, the State, a tenant."""

    name = "PartyType"
    heading = "party"
    after = ()

    def recognise(self, narrative: Narrative) -> Sequence[Fact]:
        """Return the parties, petitioner first, named by the title or else by the fact tagger."""
        titled = recognise.names_in_title(narrative.title)
        noted = parties_in_notes(narrative.text, narrative.title)
        is_accused = any(it.anchored and it.value.role == "accused" for it in noted) and titled[1]
        if is_accused and recognise.party_type_of(titled[0]) in ("State", "Union of India"):
            titled = titled[1], titled[0]
        parties = with_notes(
            recognise.find_named_parties(narrative.text, titled, narrative.entities), noted
        )
        sides = [party.value.side for party in parties]
        return [
            self._fact(narrative, p.value, p.spans, sides[:n].count(p.value.side))
            for n, p in enumerate(parties)
        ]

    def locate(self, narrative: Narrative, values: Sequence[FactValue]) -> Sequence[Fact]:
        """Return the stated parties with their mentions; the name suggests a type left out."""
        facts: list[Fact] = []
        for value in values:
            assert isinstance(value, PartyValue)
            typed = replace(
                value, party_type=value.party_type or recognise.party_type_of(value.name)
            )
            before = sum(f.fact_id.startswith(f"party:{typed.side}") for f in facts)
            spans = recognise.locate_party(narrative.text, typed)
            facts.append(self._fact(narrative, typed, spans, before))
        return facts

    def settle(self, sheet: FactSheet, fact: Fact) -> Fact:
        """Return a party without a role that the likely areas of the matter do not have."""
        value, shares = fact.value_as(PartyValue), matter_of(sheet).areas
        least = max(shares.values(), default=0.0) * _LIKELY
        areas = {area for area, share in shares.items() if share >= least}
        rows = read_table("law/area_roles", AreaRoles)
        strange = areas and areas <= {row.area for row in rows if value.role in row.roles}
        return replace(fact, value=replace(value, role="")) if strange else fact

    def _fact(
        self, narrative: Narrative, value: PartyValue, spans: Sequence[Span], before: int
    ) -> Fact:
        role = value.role or role_beside(narrative.text, spans)
        fact_id = f"party:{value.side}:{before + 1}" if before else f"party:{value.side}"
        return Fact(fact_id, self.name, replace(value, role=role), tuple(spans))

    def state(self, sheet: FactSheet, fact: Fact, template: int = 0) -> str:
        """Return `The accused is a public servant.`"""
        value = fact.value_as(PartyValue)
        phrase = recognise.words_for(value.party_type).phrase
        way = template_of("party", template)
        return capital(way.format(who=_who(sheet, value), side=value.side, phrase=phrase))

    def what_ifs(self, sheet: FactSheet, fact: Fact) -> list[Edit]:
        """Return the other kinds that the law knows for the party's role, then that it is not known."""
        value, matter = fact.value_as(PartyValue), matter_of(sheet)
        who, edits = _who(sheet, value), []
        known = {v.party_type for _, v in sheet.valued(PartyValue) if v.side == value.side}
        for row in (row for row in rows_for(sheet, fact) if row.becomes not in known):
            after = replace(value, party_type=row.becomes) if row.becomes else None
            change = Change(fact.fact_id, self.name, row.operation, value, after)
            clause, law = row.suppose.format(who=who), matter.on_the_day(row.provision)
            edits.append(suppose(sheet, change, clause, row.name, law, row.reason))
        change = Change(fact.fact_id, self.name, "remove", value, None)
        unknown = f"nothing were said of who the {who} is"
        why = "What a party is in law matters where the law treats it apart."
        return [*edits, suppose(sheet, change, unknown, "party not known", "", why)]

    def becomes(self, sheet: FactSheet, before: Fact | None, after: Fact | None) -> str:
        """Return `the accused would be a minor`."""
        fact = after or before
        assert fact is not None
        value = fact.value_as(PartyValue)
        kind = recognise.words_for(value.party_type).phrase
        return f"the {_who(sheet, value)} {f'would be {kind}' if after else 'falls out'}"

    def label(self, fact: Fact) -> str:
        """Return `Aryan: minor (accused)`, `State of Punjab (respondent)`."""
        value = fact.value_as(PartyValue)
        kind = _KINDS.get(value.party_type, recognise.words_for(value.party_type).noun)
        named = value.party_type in ("State", "Union of India") and value.name
        who = value.side if value.role in ("", kind) else value.role
        name = shorten(value.name.split(",")[0].split(" through ")[0], 42, placeholder=" …")
        return f"{': '.join(filter(None, [name, '' if named else kind]))} ({who})"

    def like(self, fact: Fact, other: Fact) -> bool:
        """Return whether both are parties of one type that the law treats apart: not `Individual`."""
        own, read = fact.value_as(PartyValue), other.value_as(PartyValue)
        return own.party_type == read.party_type != "Individual"

    def features(self, fact: Fact) -> tuple[str, ...]:
        """Return `party:petitioner:Employee`."""
        value = fact.value_as(PartyValue)
        return (f"party:{value.side}:{value.party_type}",)


def _who(sheet: FactSheet, value: PartyValue) -> str:
    """What a sentence calls the party: its role, else its side."""
    role = role_of(sheet, value)
    if role == "husband" and matter_of(sheet).cited & provisions_of("by husbands"):
        role = "accused"
    return role if role and role != "prosecution" else value.side


FACT_TYPE = PartyType()
