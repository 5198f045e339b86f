"""The catalogue of what-ifs: the questions that counsel would ask, matched with a typed sheet.

The rows are `law/data/what_ifs.jsonl`. A row is asked of a fact by its type, kind, role, the
provisions that the case cites, and the date on which the law is read; nothing looks at the
narrative. What a figure measures is told in `fact_types/roles.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Final

from countercase.fact_types.measures import has_word, measure_of
from countercase.fact_types.roles import name_in, owner_of, role_of
from countercase.facts.area_of_law import area_of_law, names_of, provisions
from countercase.facts.edits import Operation
from countercase.facts.model import (
    EvidenceValue,
    Fact,
    FactSheet,
    NumericalValue,
    PartyValue,
    SectionValue,
)
from countercase.facts.reader import area_shares
from countercase.io import read_table
from countercase.law.in_force import NEW_CODES, Period, code_in_force, in_force, reading_period
from countercase.law.provision_ids import widened
from countercase.law.provisions import in_code_of, predecessors, provision_name, successors

_SURELY: Final = 0.5
"""The probability from which on a matter is surely of an area of law."""
_NAMING: Final = 4  # the first words of a description, which name the item


@dataclass(frozen=True, kw_only=True)
class Scope:
    """The matters in which a row of law is read.

    Args:
        area: `criminal` or `civil`; "" for both.
        cited, barred: provisions or Acts of which one must be cited, or none may be.
        areas: areas of law; a matter that is surely of one need cite nothing.
        parties, parties_barred: party types of which the sheet must have one, or may have none.
        roles: who the party must be, or whose figure it must be; of an addition, of whom the sheet
            must speak; any where empty.
        roles_barred: roles that no party and no figure of the sheet may have.
        since, until: the days, by ISO, between which the law stood; "" for no end.
    """

    area: str = ""
    cited: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()
    barred: tuple[str, ...] = ()
    parties: tuple[str, ...] = ()
    parties_barred: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    roles_barred: tuple[str, ...] = ()
    since: str = ""
    until: str = ""


@dataclass(frozen=True)
class WhatIf(Scope):
    """One question that counsel would ask.

    Args:
        name: of the row; the `rule` of its edits.
        of: what it is asked of: provisions, party types, evidence types; kinds of figures, what they
            measure, or what is counted (`blows`).
        becomes: the new provision or party type; of a figure a value with its unit, or `0.2 times`.
        suppose: the supposition after "Suppose "; `{who}` is the party, `{what}` the item. Where it
            is empty, the fact type words it.
        says: what is then said of the evidence, after the words that state it.
        provision, reason: the law that it rests on.
        strength: of evidence that is added.
        evidence, lacks: evidence types of which one must be there; those that may not be named.
        counts: (unit, number) that the sheet must count at least (`accused`, 5).
        from_age, below: bounds of the age of a victim, in years: the sheet may state none below, or
            must state one below.
        no_age_from: an age of the party, in years, from which the row is not asked.
        words: of which one must stand in the description of an item of evidence, in its first words
            where the item is denied.
        unsaid: words that no description of evidence, and nothing that a figure measures, may hold:
            the case says it already.
        not_named: words that the name of the party may not hold.
        takes: (provision or evidence type, what it becomes or "") of others, with the change.
        brings: provisions that come in with it.
        asked_in: areas of law in whose matters an addition is asked. Whether it fits is learnt.
    """

    name: str
    fact_type: str
    operation: Operation
    of: tuple[str, ...] = ()
    becomes: str = ""
    suppose: str = ""
    says: str = ""
    provision: str = ""
    reason: str = ""
    strength: str = "full"
    evidence: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    counts: tuple[tuple[str, int], ...] = ()
    from_age: float = 0
    below: float = 0
    no_age_from: float = 0
    words: tuple[str, ...] = ()
    unsaid: tuple[str, ...] = ()
    not_named: tuple[str, ...] = ()
    takes: tuple[tuple[str, str], ...] = ()
    brings: tuple[str, ...] = ()
    asked_in: tuple[str, ...] = ()


@cache
def _of_type(fact_type: str, adds: bool) -> tuple[WhatIf, ...]:
    rows = (row for row in read_table("law/what_ifs", WhatIf) if row.fact_type == fact_type)
    return tuple(row for row in rows if (row.operation == "add") == adds)


@dataclass(frozen=True)
class Matter:
    """What the rows ask of a sheet, read once.

    Attributes:
        cited: every name that a cited provision answers to.
        when: the days on which the law is read.
        evidence, named: the types of evidence that is there; of all that is spoken of.
        roles: of the parties, and of those whose figures there are.
        victims: the ages of victims, in years.
        said: the descriptions of the evidence and what the figures measure, in lower case.
    """

    sheet: FactSheet
    provisions: tuple[str, ...]
    cited: frozenset[str]
    area: str
    when: Period
    parties: frozenset[str]
    evidence: frozenset[str]
    named: frozenset[str]
    roles: frozenset[str]
    victims: tuple[float, ...]
    said: tuple[str, ...]

    def count(self, unit: str) -> float:
        """Return the largest number of `unit` (`accused`, `workers`) that the sheet counts."""
        counted = (v for _, v in self.sheet.valued(NumericalValue) if v.kind == "count")
        return max((v.upper or v.value for v in counted if v.unit == unit), default=0)

    def on_the_day(self, provision: str, beside: str = "") -> str:
        """Return the provision as the code numbers it that the case cites, else that of its day.

        Args:
            beside: a provision whose code decides where it is the same one, old or new.
        """
        old = provision.partition("-")[0]
        if old not in NEW_CODES:
            return provision
        codes, cited = {old, NEW_CODES[old]}, {it.partition("-")[0] for it in self.provisions}
        named = codes & {beside.partition("-")[0]} or codes & cited
        if len(named) != 1:
            named = {code_in_force(old, self.when, self.provisions)}
        return provision if old in named else (*successors(provision), provision)[0]

    @property
    def outdated(self) -> list[tuple[str, str]]:
        """Return what is cited of a code that was replaced by the day of the facts, and by what."""
        own = [it for it in self.provisions if it.partition("-")[0] in NEW_CODES]
        pairs = [(it, in_code_of(self.when, it)) for it in own if self.sheet.occurred_on]
        return [(old, new) for old, new in pairs if new != old]

    def name_law(self, sentence: str, beside: str = "") -> str:
        """Return a sentence with each `{IPC-308}` named by the code under which the case is read.

        A matter that tells neither its date nor its code gets the names in both codes.
        """
        return re.sub(r"\{(.+?)\}", lambda found: self._name(found[1], beside), sentence)

    def _name(self, provision: str, beside: str) -> str:
        named, new = provision_name(self.on_the_day(provision, beside)), successors(provision)[:1]
        known = self.sheet.occurred_on or self.cited & {*NEW_CODES, *NEW_CODES.values()}
        return f"{named} or {provision_name(new[0])}" if new and not known else named

    def admits(self, row: Scope) -> bool:
        """Return whether the area, the provisions cited and the roles let a row in."""
        return (
            row.area in ("", self.area)
            and (
                not (row.cited or row.areas)
                or not self.cited.isdisjoint(row.cited)
                or any(self.areas.get(area, 0.0) >= _SURELY for area in row.areas)
            )
            and (not row.parties or not self.parties.isdisjoint(row.parties))
            and self.cited.isdisjoint(row.barred)
            and self.parties.isdisjoint(row.parties_barred)
            and self.roles.isdisjoint(row.roles_barred)
        )

    @property
    def tokens(self) -> list[str]:
        """What is typed on the sheet: `cited:IPC-302`, `evidence:medical`, `role:accused`."""
        told = {"cited": self.cited, "evidence": self.named, "role": self.roles}
        told |= {"party": self.parties, "area": frozenset({self.area})}
        return [f"{name}:{value}" for name, values in told.items() for value in sorted(values)]

    @cached_property
    def areas(self) -> dict[str, float]:
        """How likely the matter is of each area of law."""
        return area_shares(self.sheet.narrative, self.tokens)

    def stands(self, law: str) -> bool:
        """Return whether a provision is law on the days on which the case is read; a decision is."""
        return " " in law or in_force(law, self.when, self.provisions)


@lru_cache(maxsize=32)
def matter_of(sheet: FactSheet) -> Matter:
    """Return what the catalogue asks of a sheet."""
    named = provisions(sheet)
    items = [v for _, v in sheet.valued(EvidenceValue)]
    figures = [v for _, v in sheet.valued(NumericalValue)]
    roles = [role_of(sheet, party) for _, party in sheet.valued(PartyValue)]
    owners = [owner_of(sheet, figure) for figure in figures]
    owned = zip(figures, owners, strict=True)
    ages = [v.value for v, of in owned if (v.kind, v.unit, of) == ("age", "years", "victim")]
    return Matter(
        sheet,
        named,
        frozenset(name for provision in named for name in names_of(provision)),
        area_of_law(sheet),
        reading_period(sheet.occurred_on, named),
        frozenset(v.party_type for _, v in sheet.valued(PartyValue)),
        frozenset(v.evidence_type for v in items if v.strength != "absent"),
        frozenset(v.evidence_type for v in items),
        frozenset([*roles, *owners]),
        tuple(ages),
        tuple(it.lower() for it in [v.description for v in items] + [v.context for v in figures]),
    )


def rows_for(sheet: FactSheet, fact: Fact) -> list[WhatIf]:
    """Return the rows that are asked of a fact, in the order of the table."""
    rows, matter = _of_kind(fact, matter_of(sheet)), matter_of(sheet)
    return [row for row in rows if _applies(row, matter, fact)]


def rows_that_add(sheet: FactSheet, fact_type: str, says: str = "") -> list[WhatIf]:
    """Return the rows that add a fact of one type to the case; of all, or those that say so."""
    matter, rows = matter_of(sheet), _of_type(fact_type, adds=True)
    return [row for row in rows if says in ("", row.says) and _applies(row, matter, None)]


def _of_kind(fact: Fact, matter: Matter) -> Iterator[WhatIf]:
    rows, value = _of_type(fact.fact_type, adds=False), fact.value
    if isinstance(value, SectionValue):
        # by the narrowest name that has any, for the provision and for what it replaced
        for name in (value.provision, *predecessors(value.provision)):
            by_name = ([row for row in rows if wider in row.of] for wider in widened(name))
            yield from next((own for own in by_name if own), ())
    elif isinstance(value, PartyValue):
        yield from (row for row in rows if value.party_type in row.of)
    elif isinstance(value, EvidenceValue):
        words = value.description.lower()
        not_asked = "" if value.strength == "absent" else "supply"
        for row in (row for row in rows if row.operation != not_asked):
            said = " ".join(words.split()[:_NAMING]) if row.operation == "deny" else words
            if value.evidence_type in row.of and (not row.words or has_word(said, row.words)):
                yield row
    elif isinstance(value, NumericalValue):
        measure = measure_of(value, matter.cited)
        names = {value.kind, value.unit if measure is None else measure.name}
        yield from (row for row in rows if names & {*row.of})


def _applies(row: WhatIf, matter: Matter, fact: Fact | None) -> bool:
    return (
        matter.admits(row)
        and matter.when.meets(row.since, row.until)
        and (not row.provision or matter.stands(matter.on_the_day(row.provision)))
        and (not row.evidence or bool(matter.evidence & {*row.evidence}))
        and not matter.named & {*row.lacks}
        and all(matter.count(unit) >= least for unit, least in row.counts)
        and not any(age < row.from_age for age in matter.victims)
        and (not row.below or any(age < row.below for age in matter.victims))
        and not any(has_word(words, row.unsaid) for words in matter.said)
        and _of_the_person(row, matter, fact)
    )


def _of_the_person(row: WhatIf, matter: Matter, fact: Fact | None) -> bool:
    if fact is None:
        return not row.roles or bool(matter.roles & {*row.roles})
    value = fact.value
    if isinstance(value, PartyValue):
        ages = ages_of(matter.sheet, value, unowned=True) if row.no_age_from else []
        is_old = any(age >= row.no_age_from for age in ages)
        is_named = has_word(value.name.lower(), row.not_named)
        own = not row.roles or role_of(matter.sheet, value) in row.roles
        return own and not is_old and not is_named
    if isinstance(value, NumericalValue) and row.roles:
        return owner_of(matter.sheet, value) in row.roles
    return True


def years_of(age: NumericalValue) -> float:
    """Return an age in years."""
    return age.value / (12 if age.unit == "months" else 1)


def ages_of(sheet: FactSheet, party: PartyValue, unowned: bool = False) -> list[float]:
    """Return the ages in years that the sheet states of a party: by its role or its name.

    Args:
        unowned: whether ages count as well that may be anybody's.
    """
    role, name = role_of(sheet, party), party.name.casefold()
    ages = ((v, owner_of(sheet, v)) for _, v in sheet.valued(NumericalValue) if v.kind == "age")
    return [
        years_of(age)
        for age, owner in ages
        if (role and owner == role)
        or (name and name_in(age.context).casefold() in (name, *name.split()))
        or (unowned and not owner)
    ]
