"""What goes with an item of evidence that is lost, and what ends where one is added.

What presupposes a kind of evidence, as what presupposes a provision, is in `law/data/companions.jsonl`;
what else goes with an item was learnt from judged matters (`training/falling.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from countercase.fact_types.base import telling_words
from countercase.facts.area_of_law import names_of
from countercase.facts.edits import Change
from countercase.facts.model import EvidenceValue, FactSheet, NumericalValue, SectionValue
from countercase.io import read_table
from countercase.law.offences import is_charged
from countercase.text.sentences import clauses_of
from countercase.text.spans import Span
from countercase.text.words import words_of_role


@dataclass(frozen=True)
class Companions:
    """A provision or kind of evidence, and what presupposes it; `sole` where no other stands in."""

    provision: str
    presupposed_by: tuple[str, ...]
    sole: bool = False


def wants_met(sheet: FactSheet, change: Change) -> Iterator[Change]:
    """Yield the removal of what is said to be missing and is there by an addition: of a kind that is
    there or not, else where all words that name it are told.
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


def told_with(sheet: FactSheet, change: Change) -> Iterator[Change]:
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
