"""Party types: public servant or private person, tenant or licensee.

Each change rests on the provision that treats the two differently; the table is
`data/party_changes.jsonl`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from countercase.fact_types.base import FactType, pattern
from countercase.fact_types.consequences import (
    WordingError,
    consequences_of_value,
    in_the_code_of,
    with_consequences,
)
from countercase.fact_types.lines import lines_of, reading_date
from countercase.fact_types.party.contradicted import against
from countercase.fact_types.party.notes import Party, parties_in_notes, with_notes
from countercase.fact_types.party.recognise import (
    find_named_parties,
    locate_party,
    names_in_title,
)
from countercase.fact_types.party.types import party_type_of, short_name
from countercase.fact_types.party_wording import (
    KIN,
    NAMED_BY_TYPE,
    ROLE,
    ages_of,
    retype,
    say_beside,
    type_words,
    words_for,
)
from countercase.fact_types.rewriting import (
    in_order,
    restate,
    sentences_around,
    synonym_edits,
    touches_any,
)
from countercase.fact_types.roles import role_of
from countercase.facts.area_of_law import area_of_law, cites, provisions
from countercase.facts.edits import Consequence, Edit, apply_edits, compatible
from countercase.facts.extraction import Narrative
from countercase.facts.model import Fact, FactSheet, FactValue, NumericalValue, PartyValue
from countercase.io import read_table
from countercase.law.in_force import in_force
from countercase.text.spans import Span

_OWNER: Final = re.compile(r"(?i)landlord|owner|propriet|partner|drawer")
_NATURAL: Final = re.compile(
    rf"(?i)\b(?:he|she|his|her|him|aged|years old|late (?:shri|sri|smt)|{KIN})\b|\b[swdc]/o\b"
)
_GROWN: Final = re.compile(
    r"(?i)\b(?:husband|wife|widow|father|mother|married|doctor|teacher|officer|driver|manager|director"
    r"|propriet\w+|partner|clerk|constable|employee|workman|advocate|contractor|trader|owner"
    r"|and (?:others?|another|ors))\b|& (?:ors|anr)\b"
)
_FULL_AGE: Final = 18
_BESIDE: Final = 25
"""Up to this many characters after a mention of a party, an age is still that party's."""


@dataclass(frozen=True)
class PartyChange:
    """A party type that may replace another, and the law that tells them apart.

    Args:
        area_of_law: `criminal`, `civil` or "" for both.
        noun: replaces the usual noun of the new type.
        role: what the party must be in the matter (`accused`); "" for any.
        cited: Acts or provisions of which one must be cited; none where empty.
        barred: those that must not be.
        needs: pattern of what gives ground for the change; the narrative must match it.
        unless: pattern of what contradicts it; the narrative must not match it after the change.
        beside: words put beside the party, which stays what it is otherwise (`a company owned by the
            State Government`); where they begin with `who` they follow the words `public servant`.
        since, until: between which dates, by ISO, the law draws the line; "" for no end.
    """

    original: str
    changed: str
    provision: str
    reason: str
    area_of_law: str = ""
    noun: str = ""
    role: str = ""
    cited: tuple[str, ...] = ()
    barred: tuple[str, ...] = ()
    needs: str = ""
    unless: str = ""
    beside: str = ""
    since: str = ""
    until: str = ""


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
    areas, excluded = ("", area_of_law(sheet)), _excluded(sheet, fact, value)
    role, when, cited = role_of(sheet, value), reading_date(sheet), provisions(sheet)
    return [
        change
        for change in read_table("fact_types/party_changes", PartyChange)
        if change.original == value.party_type
        and change.area_of_law in areas
        and change.changed not in excluded
        and change.role in ("", role)
        and (not change.cited or cites(sheet, change.cited))
        and not cites(sheet, change.barred)
        and re.search(change.needs, sheet.narrative, re.IGNORECASE)
        and change.since <= when.first
        and (not change.until or when.last < change.until)
        and (
            " " in change.provision
            or in_force(in_the_code_of(sheet, change.provision), when, cited)
        )
    ]


def _excluded(sheet: FactSheet, fact: Fact, value: PartyValue) -> set[str]:
    """The types that the words beside the party rule out: whoever has a name, an age, a sex or kin
    is no company, and nobody with the age or the place in life of an adult is a minor."""
    narrative, excluded = sheet.narrative, set[str]()
    ages = ages_of(sheet, value)
    if value.party_type == "Individual" and (value.name or ages):
        excluded.add("Corporation")
    if any(age >= _FULL_AGE for age in ages):
        excluded.add("Minor")
    if any(age < _FULL_AGE for age in ages):
        excluded.add("Public servant")
    apposed = (narrative[s.start : s.end + _BESIDE * 2] for s in fact.spans)
    if any(_GROWN.search(words) for words in (value.name, *apposed)):
        excluded.add("Minor")
    sentences = sentences_around(narrative, fact.spans)
    beside = [narrative[s.start : s.end] for s in fact.spans]
    personal = any(not ROLE.fullmatch(w) and w.islower() and not _OWNER.match(w) for w in beside)
    if personal or any(_NATURAL.search(narrative, s.start, s.end) for s in sentences):
        excluded.add("Corporation")
    for other, age in sheet.valued(NumericalValue):
        if (age.kind, age.unit) == ("age", "years") and age.value >= _FULL_AGE:
            near = (Span(s.start, min(s.end + _BESIDE, len(narrative))) for s in fact.spans)
            if any(place.overlaps(span) for place in near for span in other.spans):
                excluded.add("Minor")
    return excluded


def _edit(sheet: FactSheet, fact: Fact, value: PartyValue, change: PartyChange) -> Edit | None:
    worded = (
        say_beside(sheet, fact, value, change.beside)
        if change.beside
        else retype(sheet, fact, value, change.changed, change.noun)
    )
    told = (sheet.narrative[span.start : span.end] for span in fact.spans)
    named = not any(map(pattern("ACT_ALONE").fullmatch, told))  # `acquitted` names nobody
    replacements = in_order(worded) if named else None
    if replacements is None or (change.beside and not replacements):
        return None
    try:
        following = _of_full_age(sheet, value) if change.original == "Minor" else ()
    except WordingError:
        return None
    name = "" if change.original in NAMED_BY_TYPE and not change.beside else value.name
    old, new, law = change.original, change.changed, change.provision
    changed = replace(value, party_type=new, name=name)
    edit = Edit(fact.fact_id, "PartyType", old, new, "party.type", law, changed, replacements)
    whole = with_consequences(edit, following, "party.type_and_age")
    return None if _contradicted(sheet, whole, change) else whole


def _contradicted(sheet: FactSheet, edit: Edit, change: PartyChange) -> bool:
    """Whether the narrative, after the edit, still says what the party was or what goes with it."""
    if not sheet.narrative.strip() or not compatible([edit]):
        return False
    after = apply_edits(sheet, [edit]).narrative
    if change.unless and re.search(change.unless, after, re.IGNORECASE):
        return True
    others = [v for f, v in sheet.valued(PartyValue) if f.fact_id != edit.fact_id]
    alone = change.original not in {v.party_type for v in others}
    return (
        alone
        and not change.beside
        and change.original != "Individual"
        and bool(type_words(change.original).search(after))
    )


def _of_full_age(sheet: FactSheet, value: PartyValue) -> tuple[Consequence, ...]:
    """The age below eighteen that is stated of the party, one year beyond it, and what follows.

    The party's other ages (`now aged 27 years`) grow by as many years.
    """
    ages, own = ages_of(sheet, value), list[tuple[Fact, NumericalValue]]()
    beside = sentences_around(
        sheet.narrative, [s for f in sheet.of_type("PartyType") for s in f.spans]
    )
    for fact, age in sheet.valued(NumericalValue):
        if age.kind == "age" and age.upper is None and age.value in ages:
            own.append((fact, age))
        elif (age.kind == "age" and age.value < _FULL_AGE and not ages) and any(
            touches_any(span, beside) for span in fact.spans
        ):
            raise WordingError("an age below eighteen stands beside the party")
    consequences: list[Consequence] = []
    years = 0.0
    for fact, age in own:
        if age.value < _FULL_AGE:
            line = next((row for row in lines_of(sheet, age) if row.line == _FULL_AGE), None)
            if line is None:
                raise WordingError(f"no line of full age runs through {age}")
            grown = replace(age, value=float(_FULL_AGE + 1), unit="years")
            years = max(years, grown.value - age.value)
            following = consequences_of_value(sheet, fact, grown, line)
            consequences += (c for c in following if c.fact_type != "PartyType")
            consequences.append(_aged(sheet, fact, age, grown, line.provision))
    older = ((fact, age) for fact, age in own if age.value >= _FULL_AGE and years)
    for fact, age in older:
        grown = replace(age, value=age.value + years)
        consequences.append(_aged(sheet, fact, age, grown, consequences[0].provision))
    return tuple(consequences)


def _aged(
    sheet: FactSheet, fact: Fact, age: NumericalValue, grown: NumericalValue, provision: str
) -> Consequence:
    words = tuple(restate(sheet, fact, age, grown))
    old, new = str(age), str(grown)
    return Consequence(fact.fact_id, "Numerical", old, new, provision, grown, words)


class PartyType(FactType):
    """What one side is: a minor, a public servant, a corporation, the State, a tenant."""

    name = "PartyType"
    heading = "party"
    after = ()

    def recognise(self, narrative: Narrative) -> Sequence[Fact]:
        """The parties, petitioner first, named by the title or else by the fact tagger."""
        titled = names_in_title(narrative.title)
        noted = parties_in_notes(narrative.text, narrative.title)
        if _prosecuted(titled, noted):
            titled = titled[1], titled[0]
        parties = with_notes(find_named_parties(narrative.text, titled, narrative.entities), noted)
        sides = [party.value.side for party in parties]
        return [
            Fact(_fact_id(p.value.side, sides[:n].count(p.value.side)), self.name, p.value, p.spans)
            for n, p in enumerate(parties)
        ]

    def locate(self, narrative: Narrative, values: Sequence[FactValue]) -> Sequence[Fact]:
        """The stated parties with the words that say what they are.

        A party without a type has the one that its name suggests.
        """
        facts: list[Fact] = []
        for value in values:
            assert isinstance(value, PartyValue)
            typed = replace(value, party_type=value.party_type or party_type_of(value.name))
            spans = locate_party(narrative.text, typed)
            before = sum(f.fact_id.startswith(f"party:{typed.side}") for f in facts)
            facts.append(Fact(_fact_id(typed.side, before), self.name, typed, spans))
        return facts

    def render(self, fact: Fact) -> str:
        """`The petitioner is a minor.`"""
        assert isinstance(fact.value, PartyValue)
        return f"The {fact.value.side} is {words_for(fact.value.party_type).phrase}."

    def label(self, fact: Fact) -> str:
        """`Aryan: minor (accused)`, `State of Punjab (respondent)`."""
        value = fact.value
        assert isinstance(value, PartyValue)
        kind = _KINDS.get(value.party_type, words_for(value.party_type).noun)
        named = value.party_type in ("State", "Union of India") and value.name
        who = value.side if value.role in ("", kind) else value.role
        parts = [short_name(value.name), "" if named else kind]
        return f"{': '.join(filter(None, parts))} ({who})"

    def change_label(self, edit: Edit, fact: Fact | None) -> str:
        """`Aryan: minor (accused) → private individual`."""
        new = edit.new_value
        if edit.null or fact is None or not isinstance(new, PartyValue):
            return self.edit_label(edit)
        return f"{self.label(fact)} → {words_for(new.party_type).noun}"

    def like(self, fact: Fact, other: Fact) -> bool:
        """Whether both are parties of one type that the law treats apart: not `Individual`."""
        own, read = fact.value, other.value
        assert isinstance(own, PartyValue)
        assert isinstance(read, PartyValue)
        return own.party_type == read.party_type != "Individual"

    def features(self, fact: Fact, sheet: FactSheet | None = None) -> tuple[str, ...]:
        """`party:petitioner:Employee`."""
        assert isinstance(fact.value, PartyValue)
        return (f"party:{fact.value.side}:{fact.value.party_type}",)

    edits = staticmethod(propose)
    reason = staticmethod(reason)

    def objection(self, sheet: FactSheet, edit: Edit) -> str:
        """The words of the narrative that the new type contradicts."""
        return against(sheet, edit)

    def null_edits(self, sheet: FactSheet) -> list[Edit]:
        """Other words for the parties, and other ways of writing their names."""
        return synonym_edits(sheet, self.name, "party")


_KINDS: Final = {"Corporation": "company, firm or society", "State": "State or its authority"}
"""What a label calls a type that is wider than the noun that an edit puts in its place."""


def _prosecuted(titled: tuple[str, str], noted: Sequence[Party]) -> bool:
    """Whether the title is that of the trial (`CBI v. Ram Singh`) and the client the accused."""
    prosecuted = party_type_of(titled[0]) in ("State", "Union of India") and titled[1]
    return bool(prosecuted) and any(p.anchored and p.value.role == "accused" for p in noted)


def _fact_id(side: str, before: int) -> str:
    """`party:respondent`, and `party:respondent:2` for the second party on that side."""
    return f"party:{side}:{before + 1}" if before else f"party:{side}"


FACT_TYPE = PartyType()
