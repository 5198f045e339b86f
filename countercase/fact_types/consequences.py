"""What the law draws from a change: other facts that change with it.

At 225 g of heroin the charge cannot stay one of a commercial quantity, nor can a charge of dowry
death after eight years of marriage; one of nineteen is not a minor. The tables are
`law/data/consequences.jsonl` (provisions that a line brings in or takes out), `ndps_tiers.jsonl` (the
clause of each quantity) and `companions.jsonl` (provisions that presuppose another).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from countercase.fact_types import lines
from countercase.fact_types.base import telling_words
from countercase.fact_types.catalogue import (
    WhatIf,
    ages_of,
    matter_of,
    rows_for,
    rows_that_add,
    years_of,
)
from countercase.fact_types.roles import owner_of, role_of
from countercase.facts.area_of_law import cites, is_last_charge, names_of, provisions_of
from countercase.facts.edits import Change
from countercase.facts.model import (
    EvidenceValue,
    Fact,
    FactSheet,
    NumericalValue,
    PartyValue,
    SectionValue,
)
from countercase.io import read_table
from countercase.law.offences import is_charged
from countercase.law.provisions import clause_for, predecessors, tier_of, twins
from countercase.text.sentences import clauses_of
from countercase.text.spans import Span
from countercase.text.words import words_of_role

FULL_AGE: Final = 18
MAJORITY: Final = "Indian Majority Act, 1875, s. 3"


@dataclass(frozen=True)
class Following:
    """A provision that another replaces once a value is on one side of a line."""

    line: str  # the provision that draws the line
    side: Literal["above", "below"]  # where the value is after the change
    # what the case cites; `becomes` takes its place unless it is cited already. Where no row gives
    # it another place and `becomes` is empty, it no longer applies.
    cited: str
    becomes: str
    reason: str
    brings: str = ""  # a provision that comes in with the one that takes its place; "" for none
    excludes: bool = True  # whether what is cited cannot stand on that side
    only: str = ""  # on what condition `becomes` takes its place; "" for none


@dataclass(frozen=True)
class Companions:
    """A provision or kind of evidence, and what presupposes it; `sole` where no other stands in."""

    provision: str
    presupposed_by: tuple[str, ...]
    sole: bool = False


def consequences_of(sheet: FactSheet, change: Change) -> tuple[Change, ...]:
    """Return what follows in law from a change, in sheet order; each fact changes once, at most."""
    before, after = change.before, change.after
    fact = Fact(change.fact_id, change.fact_type, before)
    drawn: list[Change] = []
    if isinstance(before, NumericalValue) and isinstance(after, NumericalValue):
        drawn = _of_figure(sheet, fact, after)
    elif isinstance(after, NumericalValue):
        drawn = [*_provisions(sheet, after, lines.lines_of(sheet, after))]
    elif isinstance(before, SectionValue) and str(after) not in twins(str(before)):
        drawn = _of_provision(sheet, fact, str(after or ""))
    elif isinstance(before, PartyValue) and isinstance(after, PartyValue):
        drawn = _of_party(sheet, before, after)
    elif change.fact_type == "Evidence":
        drawn = [
            c for row in _rows_of_item(sheet, fact, change) for c in changes_of_row(sheet, row)
        ]
        moved = [c for c in drawn if c.fact_type == "Section"]
        drawn += [q for c in moved for q in _quantities(sheet, str(c.before), str(c.after or ""))]
        drawn += [*_wants_met(sheet, change), *_told_with(sheet, change)]
        lost = {c.fact_id for c in drawn if c.fact_type == "Section" and c.after is None}
        for own in (fact for fact in sheet.facts if fact.fact_id in lost):
            drawn += _of_provision(sheet, own, "")
        drawn += lines.sentences_lost(sheet, drawn)  # of all that fall together
    first = {c.fact_id: c for c in reversed(drawn) if c.fact_id != fact.fact_id}
    added = (c for c in first.values() if c.before is None)
    return (*(first[f.fact_id] for f in sheet.facts if f.fact_id in first), *added)


def _wants_met(sheet: FactSheet, change: Change) -> Iterator[Change]:
    """Yield the removal of each missing item that an addition tells of: one of its kind where a case
    has one such item or none, else one whose name it holds.
    """
    added = change.after
    if change.operation != "add" or not isinstance(added, EvidenceValue):
        return
    kind, told = added.evidence_type, telling_words(added.description)
    single = kind in words_of_role("fact_types/evidence_kinds", "there or not")
    for fact, item in sheet.valued(EvidenceValue) if added.strength != "absent" else ():
        named = telling_words(" ".join(sheet.narrative[s.start : s.end] for s in fact.spans))
        is_told = single or (bool(named) and named <= told)
        if item.evidence_type == kind and item.strength == "absent" and is_told:
            yield Change(fact.fact_id, "Evidence", "remove", item, None)


def _told_with(sheet: FactSheet, change: Change) -> Iterator[Change]:
    """Yield the removal of what goes with a lost item, as judged in matters (`training/falling.py`).

    These are its twins; and where it was there: figures that its clause alone tells (ages stay), times from
    or to a day in it, what serves no other evidence, and with a circumstance the provisions of its clause.
    """
    item = change.before
    if change.operation not in ("deny", "remove") or not isinstance(item, EvidenceValue):
        return
    own = [span for f in sheet.facts if f.fact_id == change.fact_id for span in f.spans]
    parts = (Span(part.start, part.end) for part in clauses_of(sheet.narrative))
    told = [*own, *(part for part in parts if any(map(part.overlaps, own)))]
    there = [v.evidence_type for _, v in sheet.valued(EvidenceValue) if v.strength != "absent"]
    last = item.evidence_type if there.count(item.evidence_type) == 1 else ""
    rows = (row for row in read_table("law/companions", Companions) if row.provision == last)
    governed = {provision for row in rows for provision in row.presupposed_by}
    alone = {f for f in sheet.facts if f.spans and not any(s.without(told) for s in f.spans)}
    charges = {f for f, v in sheet.valued(SectionValue) if is_charged(v.provision)}
    for fact in sheet.facts:
        value = fact.value
        if isinstance(value, NumericalValue):
            falls = fact in alone and value.kind != "age"
            falls |= value.is_derived and not all(span.without(told) for span in fact.spans)
        elif isinstance(value, SectionValue):
            falls = fact in alone and item.evidence_type == "circumstance"
            falls &= not charges or not charges <= alone  # a clause that tells all is the charge
            falls |= not governed.isdisjoint(names_of(value.provision))
        else:
            falls = bool(fact.spans) and {*fact.spans} <= {*own}
            falls |= isinstance(value, EvidenceValue) and value.evidence_type in governed
        if falls and (item.strength != "absent" or isinstance(value, EvidenceValue)):
            yield Change(fact.fact_id, fact.fact_type, "remove", value, None)


def _rows_of_item(sheet: FactSheet, fact: Fact, change: Change) -> list[WhatIf]:
    """The rows behind the change of an item of evidence: what is removed is not there either."""
    if change.operation in ("add", "replace"):
        said = change.after.description if isinstance(change.after, EvidenceValue) else ""
        return rows_that_add(sheet, change.fact_type, said) if said else []
    value = fact.value
    if isinstance(value, EvidenceValue) and value.evidence_type in ("weapon", "recovery"):
        kinds = [v.evidence_type for _, v in sheet.valued(EvidenceValue) if v.strength != "absent"]
        if kinds.count(value.evidence_type) > 1:
            return []
    done = "deny" if change.after is None else change.operation
    doubt = change.after.doubt if isinstance(change.after, EvidenceValue) else ""
    return [r for r in rows_for(sheet, fact) if r.operation == done and r.says == doubt][:1]


def _of_figure(sheet: FactSheet, fact: Fact, after: NumericalValue) -> list[Change]:
    """What follows where a figure of the sheet becomes `after`: clauses, provisions, minors."""
    before = fact.value_as(NumericalValue)
    owner, others = owner_of(sheet, before), (v for _, v in sheet.valued(NumericalValue))
    ages = [v for v in others if v.kind == after.kind == "age" and v != before and not v.upper]
    ages = [v for v in ages if owner_of(sheet, v) == owner != ""]  # of the same person
    between = [row for row in lines.lines_of(sheet, before) if lines.parts(row, before, after)]
    crossed = [row for row in between if all(lines.parts(row, before, age) for age in ages)]
    changes = [*_clauses(sheet, fact, after), *_provisions(sheet, after, crossed)]
    if after.kind == "age" and all(years_of(age) >= FULL_AGE for age in ages):
        changes += _minors(sheet, before, after)
    return [*changes, *lines.sentences_lost(sheet, changes)]


def _of_provision(sheet: FactSheet, fact: Fact, after: str) -> list[Change]:
    """What follows where a provision cited becomes another, or "": it is not charged."""
    before = str(fact.value)
    changes, named = list[Change](), (after, *predecessors(after)) if after else ()
    row_of = next((row for row in rows_for(sheet, fact) if row.becomes in named), None)
    changes += changes_of_row(sheet, row_of, fact.fact_id) if row_of else ()
    others = [(f, v) for f, v in sheet.valued(SectionValue) if f.fact_id != fact.fact_id]
    held = {after, *(v.provision for _, v in others)} - {""}
    kept = {name for provision in held for name in names_of(provision)}
    if not any(before in names_of(it) for it in named):  # its own parts go with it
        parts = (other for other, s in others if before in names_of(s.provision))
        changes += (_cited_instead(part, "", before) for part in parts)
    for row in read_table("law/companions", Companions):
        if row.provision in names_of(before) and row.provision not in kept:
            for other, section in others:
                leaning = {*names_of(section.provision)} & {*row.presupposed_by}
                if leaning and (row.sole or not _is_presupposed(leaning, held, row)):
                    changes.append(_cited_instead(other, "", before))
    if is_charged(before) and is_last_charge(before, held - {str(c.before) for c in changes}):
        for other, section in others:
            if {*names_of(section.provision)} & provisions_of("needs an offence"):
                changes.append(_cited_instead(other, "", before))
    changes += _quantities(sheet, before, after)
    return [*changes, *lines.sentences_lost(sheet, [_cited_instead(fact, after, after), *changes])]


def changes_of_row(sheet: FactSheet, row: WhatIf, but: str = "") -> Iterator[Change]:
    """The provisions that a row of the catalogue changes, but for one fact, and those it brings in."""
    matter = matter_of(sheet)
    taken = {cited for cited, _ in row.takes}
    cited = (value.provision for f, value in sheet.valued(SectionValue) if f.fact_id != but)
    held = {provision for provision in cited if not taken & {*names_of(provision)}}
    for fact, item in sheet.valued(EvidenceValue):
        if (item.evidence_type, "") in row.takes and item.strength != "absent":
            yield Change(fact.fact_id, "Evidence", "remove", item, None, row.provision)
    for fact, section in sheet.valued(SectionValue):
        names = names_of(section.provision) if fact.fact_id != but else ()
        becomes = next((new for cited, new in row.takes if cited in names), None)
        if becomes or (becomes == "" and not (but and _is_presupposed(names, held))):
            new = matter.on_the_day(becomes, section.provision) if becomes else ""
            yield _cited_instead(fact, "" if _is_held(new, held) else new, row.provision)
            held.add(new)
    yield from _brought(sheet, row.brings, row.provision, held)


def _is_held(new: str, held: Iterable[str]) -> bool:
    """Return whether the case cites the provision already, or a part of it."""
    return bool(new) and any(new in names_of(name) for name in held if name)


def _brought(
    sheet: FactSheet, names: Iterable[str], law: str, held: Iterable[str] = ()
) -> Iterator[Change]:
    """The provisions that come in, but for those that the case cites or that are held."""
    matter = matter_of(sheet)
    for new in map(matter.on_the_day, filter(None, names)):
        if new not in matter.cited | {*held}:
            yield Change(f"section:{new}:added", "Section", "add", None, SectionValue(new), law)


def _of_party(sheet: FactSheet, before: PartyValue, after: PartyValue) -> list[Change]:
    """What follows where a party is of another kind: its age, and what the age brings."""
    fact = next(f for f, value in sheet.valued(PartyValue) if value == before)
    rows = [row for row in rows_for(sheet, fact) if row.becomes == after.party_type]
    changes = [change for row in rows[:1] for change in changes_of_row(sheet, row)]
    aged = FULL_AGE - 1 if after.party_type == "Minor" else FULL_AGE + 1
    for other, age in sheet.valued(NumericalValue):
        is_own = age.kind == "age" and age.upper is None and _is_of(sheet, age, before)
        crosses = is_own and (years_of(age) < FULL_AGE) != (aged < FULL_AGE)
        if crosses and "Minor" in (before.party_type, after.party_type):
            grown = replace(age, value=float(aged), unit="years")
            changes.append(Change(other.fact_id, "Numerical", "cross", age, grown, MAJORITY))
            changes += (c for c in _of_figure(sheet, other, grown) if c.fact_type == "Section")
    return changes


def row_behind(change: Change) -> Following | None:
    """Return the row by which a line brings a provision in or takes it out; None where none does."""
    cited, becomes = change.original_value, change.perturbed_value
    rows = read_table("law/consequences", Following)
    own = [row for row in rows if row.line == change.provision and row.cited in names_of(cited)]
    fitting = [row for row in own if row.becomes in (names_of(becomes) if becomes else ("",))]
    return next(iter(fitting or own), None)


def _is_presupposed(
    leaning: Iterable[str], held: Iterable[str], but: Companions | None = None
) -> bool:
    """Return whether a provision that is left is presupposed: section 201 has its 302."""
    names = {name for provision in held if provision for name in names_of(provision)}
    return any(
        other.provision in names and {*leaning} & {*other.presupposed_by}
        for other in read_table("law/companions", Companions)
        if not other.sole and (but is None or other.provision != but.provision)
    )


def _cited_instead(fact: Fact, new: str, provision: str) -> Change:
    if new:
        return Change(fact.fact_id, "Section", "replace", fact.value, SectionValue(new), provision)
    return Change(fact.fact_id, "Section", "remove", fact.value, None, provision)


def _clauses(sheet: FactSheet, fact: Fact, after: NumericalValue) -> Iterator[Change]:
    """The clause of the new tier, where no other quantity of the old tier is left."""
    tiers = {f.fact_id: lines.quantity_tier(sheet, v) for f, v in sheet.valued(NumericalValue)}
    before, now = tiers[fact.fact_id], lines.quantity_tier(sheet, after)
    if before is None or now is None or before == now or [*tiers.values()].count(before) > 1:
        return
    matter = matter_of(sheet)
    for other, section in sheet.valued(SectionValue):
        clause = clause_for(section.provision, now)
        if tier_of(section.provision) == before and clause is not None:
            yield _cited_instead(other, "" if clause in matter.provisions else clause, clause)


def _quantities(sheet: FactSheet, before: str, after: str) -> Iterator[Change]:
    """The quantities that follow where the clause of one tier becomes that of another."""
    tier, wanted = tier_of(before), tier_of(after) if after else None
    if tier is None or wanted is None or clause_for(before, wanted) != after:
        return
    for fact, value in sheet.valued(NumericalValue):
        if lines.quantity_tier(sheet, value) == tier:
            beyond = (lines.across(row, value) for row in lines.lines_of(sheet, value))
            options = (replace(value, value=n, upper=None) for n in beyond if n is not None)
            moved = next((v for v in options if lines.quantity_tier(sheet, v) == wanted), None)
            if moved is not None:
                yield Change(fact.fact_id, "Numerical", "cross", value, moved, after)
                own = lines.lines_of(sheet, value)
                crossed = [row for row in own if lines.parts(row, value, moved)]
                yield from _provisions(sheet, moved, crossed)


def _provisions(
    sheet: FactSheet, after: NumericalValue, crossed: Sequence[lines.Line]
) -> Iterator[Change]:
    sides = {(row.provision, "above" if lines.is_above(row, after) else "below") for row in crossed}
    tiers = [lines.quantity_tier(sheet, value) for _, value in sheet.valued(NumericalValue)]
    is_barred = cites(sheet, ("NDPS-19", "NDPS-24", "NDPS-27A")) or tiers.count("commercial") > 1
    is_barred &= after.kind == "quantity"
    table = () if is_barred else read_table("law/consequences", Following)
    rows = [row for row in table if (row.line, row.side) in sides]
    matter = matter_of(sheet)
    held = {value.provision for _, value in sheet.valued(SectionValue)}
    for fact, section in sheet.valued(SectionValue):
        fitting = [row for row in rows if row.cited in names_of(section.provision)]
        options = [(row, matter.on_the_day(row.becomes, section.provision)) for row in fitting]
        open_to = ((r, new) for r, new in options if r.becomes and not _is_held(new, held))
        chosen, new = next(open_to, (None, ""))
        if chosen is not None:
            held.add(new)
            yield _cited_instead(fact, new, chosen.line)
            yield from _brought(sheet, [chosen.brings], chosen.line)
        elif fitting:
            yield _cited_instead(fact, "", fitting[0].line)


def _minors(sheet: FactSheet, before: NumericalValue, after: NumericalValue) -> Iterator[Change]:
    """The parties that pass into or out of full age with a figure."""
    was, becomes = ("Minor" if years_of(it) < FULL_AGE else "Individual" for it in (before, after))
    for fact, party in sheet.valued(PartyValue):
        if party.party_type == was != becomes and _is_of(sheet, before, party):
            new = replace(party, party_type=becomes)
            yield Change(fact.fact_id, "PartyType", "replace", party, new, MAJORITY)


def _is_of(sheet: FactSheet, age: NumericalValue, party: PartyValue) -> bool:
    """Whether an age is this party's, and no other party's of the same role."""
    role = role_of(sheet, party)
    same = [p for _, p in sheet.valued(PartyValue) if role and role_of(sheet, p) == role]
    return years_of(age) in ages_of(sheet, party) and len(same) < 2
