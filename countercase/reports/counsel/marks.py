"""How a fact that a decision turned on stands to a case: the same, other, to be compared, not known."""

from __future__ import annotations

from typing import TypeAlias

from countercase.fact_types.base import telling_words
from countercase.fact_types.catalogue import matter_of
from countercase.fact_types.consequences import Following
from countercase.fact_types.evidence.naming import words_of
from countercase.fact_types.evidence.recognise import evidence_items
from countercase.fact_types.lines import is_of_the_law, lines_of, parts, size_of
from countercase.fact_types.measures import measure_of
from countercase.fact_types.roles import owner_of, role_of
from countercase.facts.area_of_law import names_of, provisions
from countercase.facts.model import EvidenceValue, Fact, FactSheet, NumericalValue, PartyValue
from countercase.io import read_table
from countercase.law.offences import is_charged
from countercase.law.provisions import twins
from countercase.registry import FACT_TYPES

Mark: TypeAlias = str
"""`same`, `same side` of a line, `same kind, compare`, `same section, compare`, `differs`, `not cited
here` or `not known`."""


def mark_fact(sheet: FactSheet, stood: FactSheet, decided: FactSheet, fact: Fact) -> Mark:
    """Hold a fact of a decision against the case, which `stood` otherwise before a supposition."""
    value, kind = fact.value, FACT_TYPES.get(fact.fact_type)
    if isinstance(value, NumericalValue):
        return _mark_figure(sheet, decided, value)
    alike = {it.fact_id: it for of in (stood, sheet) for it in of.of_type(fact.fact_type)
             if kind.like(fact, it)}  # fmt: skip
    if isinstance(value, EvidenceValue):
        return _mark_evidence(sheet, list(alike.values()), value)
    now = [it for it in alike.values() if it in sheet.facts]
    if fact.fact_type == "Section":
        return _mark_provision(sheet, str(value), bool(now), bool(alike))
    if isinstance(value, PartyValue) and (role := role_of(decided, value)):
        now += [of for of, it in sheet.valued(PartyValue)
                if (it.party_type, role_of(sheet, it)) == (value.party_type, role)]  # fmt: skip
    return "same" if now else "not known"


def _mark_figure(sheet: FactSheet, decided: FactSheet, value: NumericalValue) -> Mark:
    """Hold a figure against those of the case: by the lines of the law, else by its number.

    What shares a line lies on the same side where no line of either lies between. Figures of the
    case on both sides of a line tell nothing.
    """
    marks, there = set[Mark](), lines_of(decided, value)
    keys = {(it.provision, it.line) for it in there}
    for own in (it for _, it in sheet.valued(NumericalValue) if it.kind == value.kind):
        here = lines_of(sheet, own)
        if shared := keys & {(it.provision, it.line) for it in here}:
            drawn = (it for it in (*here, *there) if not it.of or (it.provision, it.line) in shared)
            apart = any(parts(it, own, value) for it in drawn)
            marks.add("differs" if apart else "same side")
        elif not is_of_the_law(value) and _measured(decided, value) & _measured(sheet, own):
            marks.add("same" if round(size_of(own) - size_of(value), 2) == 0 else "differs")
    return marks.pop() if len(marks) == 1 else "same" if "same" in marks else "not known"


def _measured(sheet: FactSheet, value: NumericalValue) -> set[str]:
    """Return the label of a figure, and where it says no more than that, what or whose it is."""
    names, measure = {value.context} - {""}, measure_of(value, matter_of(sheet).cited)
    label = telling_words(value.context.partition(" (")[0].partition(",")[0])
    if value.kind == "age" and len(label) <= 2:  # it says no more than whose it is
        names |= {owner_of(sheet, value)} - {"", "relative"}
    elif measure and label <= telling_words(" ".join([*measure.words, *measure.says])):
        names.add(measure.name)
    return names


def _mark_evidence(sheet: FactSheet, alike: list[Fact], value: EvidenceValue) -> Mark:
    """Hold an item of evidence against those of its kind: what they say is not read.

    It differs only where what one side has is what the other says is missing. An item in the place
    of which a supposition has put a sentence is still of its kind. Any two papers are no kind.
    """
    if value.evidence_type == "documentary":
        return "not known"
    ids, kind = {it.fact_id for it in sheet.facts}, value.evidence_type
    own = [it.value_as(EvidenceValue) for it in alike if it.fact_id in ids]
    read = (it.value for it in evidence_items(value.description))
    is_missing = {it.strength for it in read if it.evidence_type == kind} == {"absent"}
    if any((it.strength == "absent") == is_missing for it in own):
        return "same kind, compare"
    named = telling_words(f"{words_of(kind).noun} {words_of(kind).deny}")
    theirs = telling_words(value.description) - named
    ours = [telling_words(it.description) - named for it in own]
    apart = any(theirs <= it if is_missing else it <= theirs for it in ours)
    return "differs" if apart else "not known"


def _mark_provision(sheet: FactSheet, provision: str, is_alike: bool, was_alike: bool) -> Mark:
    """Hold a provision against those of the case, in either code.

    It differs where another is cited in its place, or the case had it before a supposition. A part
    of what the case cites whole is to be compared; what a charge brings with it is there.
    """
    cited = {name for it in provisions(sheet) for name in names_of(it) if "-" in name}
    if is_alike:
        same = {provision, *twins(provision)} & cited
        return "same" if same else "same section, compare"
    names = {*names_of(provision)}
    followed = read_table("law/consequences", Following)
    if names & {row.brings for row in followed if row.becomes in cited}:
        return "same"
    excluded = (row["provisions"] for row in read_table("law/exclusive", dict))
    others = {name for row in excluded if names & {*row} for name in row} - names
    others |= names if is_charged(provision) else set()
    return "differs" if was_alike or cited & others else "not cited here"
