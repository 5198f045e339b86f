"""Consequences: the other facts that the law changes along with a number or a tier.

At 225 g of heroin the charge cannot stay one of a commercial quantity, nor can a charge of dowry
death after eight years of marriage. Such a change takes the provision along, within the same edit.
The tiers of the NDPS Act are in `law/data/ndps_tiers.jsonl`, the rest in `law/data/consequences.jsonl`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from countercase.fact_types.lines import (
    Line,
    across,
    is_above,
    lines_for,
    quantity_tier,
)
from countercase.fact_types.rewriting.citations import cite_instead
from countercase.fact_types.rewriting.figures import restate
from countercase.fact_types.rewriting.narrative import in_order
from countercase.fact_types.rewriting.parties import ages_of, retype
from countercase.facts.area_of_law import names_of, provisions
from countercase.facts.edits import Consequence, Edit, Replacement
from countercase.facts.model import (
    Fact,
    FactSheet,
    FactValue,
    NumericalValue,
    PartyValue,
    SectionValue,
)
from countercase.io import read_table
from countercase.law.provisions import clause_for, successors, tier_of

_FULL_AGE = 18
_OF_FULL_AGE = "Indian Majority Act, 1875, s. 3"
_NEW_LAW = ("BNS-", "BNSS-", "BSA-")


@dataclass(frozen=True)
class Following:
    """A provision that another replaces once a value is on one side of a line.

    Args:
        line: the provision that draws the line.
        side: where the value is after the edit.
        cited: what the case cites; `becomes` takes its place unless it is cited already.
        words: pattern that the narrative must match; "" for any.
    """

    line: str
    side: Literal["above", "below"]
    cited: str
    becomes: str
    reason: str
    words: str = ""


def consequences_of_value(
    sheet: FactSheet, fact: Fact, after: NumericalValue, row: Line
) -> tuple[Consequence, ...]:
    """What follows where a value of the sheet becomes `after`, across the line `row`."""
    consequences = (
        *_new_clauses(sheet, fact, after),
        *_new_provisions(sheet, after, row),
        *_no_longer_minors(sheet, fact, after),
    )
    return tuple(sorted(consequences, key=lambda consequence: _place(sheet, consequence.fact_id)))


def consequences_of_clause(sheet: FactSheet, before: str, after: str) -> tuple[Consequence, ...]:
    """The quantities that follow where the clause of one tier becomes that of another."""
    tier, wanted = tier_of(before), tier_of(after)
    if tier is None or wanted is None or clause_for(before, wanted) != after:
        return ()
    consequences = []
    for fact in sheet.of_type("Numerical"):
        value = fact.value
        if isinstance(value, NumericalValue) and quantity_tier(sheet, value) == tier:
            beyond = (across(row, value) for row in lines_for(sheet, value))
            options = (replace(value, value=number) for number in beyond if number is not None)
            fitting = (v for v in options if quantity_tier(sheet, v) == wanted)
            changed = next(fitting, None)
            if changed is not None:
                words = restate(sheet, fact, value, changed)
                consequences.append(_consequence(fact, changed, after, words))
    return tuple(consequences)


def with_consequences(edit: Edit, consequences: tuple[Consequence, ...], rule: str) -> Edit:
    """The edit with its consequences, under the name `rule`.

    Without them where there are none, or where their words collide with its own.
    """
    whole = replace(edit, rule=rule, consequences=consequences)
    return whole if consequences and in_order(whole.changes) is not None else edit


def _new_clauses(sheet: FactSheet, fact: Fact, after: NumericalValue) -> Iterator[Consequence]:
    """The clause of the new tier, where no other quantity of the old tier is left."""
    values = [f.value for f in sheet.facts if isinstance(f.value, NumericalValue)]
    tiers = [quantity_tier(sheet, value) for value in values]
    assert isinstance(fact.value, NumericalValue)
    before, now = quantity_tier(sheet, fact.value), quantity_tier(sheet, after)
    if before is None or now is None or before == now or tiers.count(before) > 1:
        return
    for cited in sheet.of_type("Section"):
        if isinstance(cited.value, SectionValue) and tier_of(cited.value.provision) == before:
            clause = clause_for(cited.value.provision, now)
            if clause is not None and clause not in provisions(sheet):
                yield _cited_instead(sheet, cited, clause)


def _new_provisions(sheet: FactSheet, after: NumericalValue, row: Line) -> Iterator[Consequence]:
    side = "above" if is_above(row, after) else "below"
    rows = [
        following
        for following in read_table("law/consequences", Following)
        if (following.line, following.side) == (row.provision, side)
        and re.search(following.words, sheet.narrative, re.IGNORECASE)
    ]
    held = {name for provision in provisions(sheet) for name in names_of(provision)}
    for fact in sheet.of_type("Section"):
        assert isinstance(fact.value, SectionValue)
        names = names_of(fact.value.provision)
        fitting = (r for r in rows if r.cited in names and r.becomes not in held)
        chosen = next(fitting, None)
        if chosen is not None:
            held |= set(names_of(chosen.becomes))
            renewed = fact.value.provision.startswith(_NEW_LAW)
            new = (successors(chosen.becomes) if renewed else ()) or (chosen.becomes,)
            yield _cited_instead(sheet, fact, new[0])


def _no_longer_minors(sheet: FactSheet, fact: Fact, after: NumericalValue) -> Iterator[Consequence]:
    """A party whose age passes eighteen is not a minor any more."""
    before = fact.value
    assert isinstance(before, NumericalValue)
    if after.kind != "age" or not before.value < _FULL_AGE <= after.value:
        return
    for party in sheet.of_type("PartyType"):
        value = party.value
        if not isinstance(value, PartyValue) or value.party_type != "Minor":
            continue
        if before.value in ages_of(sheet, value):
            adult = replace(value, party_type="Individual")
            words = retype(sheet, party, value, "Individual", "person of full age")
            yield _consequence(party, adult, _OF_FULL_AGE, words)


def _cited_instead(sheet: FactSheet, fact: Fact, new: str) -> Consequence:
    return _consequence(fact, SectionValue(new), new, cite_instead(sheet, fact, new))


def _consequence(
    fact: Fact, value: FactValue, provision: str, words: list[Replacement]
) -> Consequence:
    before, after = str(fact.value), str(value)
    replacements = tuple(sorted(set(words)))
    return Consequence(fact.fact_id, fact.fact_type, before, after, provision, value, replacements)


def _place(sheet: FactSheet, fact_id: str) -> int:
    return next(at for at, fact in enumerate(sheet.facts) if fact.fact_id == fact_id)
