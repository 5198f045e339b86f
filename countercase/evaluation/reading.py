"""How well facts are read out of messy matters, against all the facts that each states.

A fact that was read is right where it is the labelled one: a provision by its normal form; a party
by its side and type; evidence by its type, by whether it is there or missing, and by its place; a
number by its kind, its value in whatever unit, and its place. `figures with their owner` also asks
whose or of what a number is. The labels are editorial.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from countercase.errors import InputError
from countercase.evaluation.experiment import counted
from countercase.evaluation.report import Section
from countercase.evaluation.sets import LabelledFact, ReadingCase, read_set
from countercase.evaluation.statistics import rate, share
from countercase.fact_types.base import telling_words
from countercase.fact_types.evidence.recognise import CIRCUMSTANCE
from countercase.fact_types.numerical.mentions import IN_DAYS
from countercase.facts import model
from countercase.facts.extraction import extract
from countercase.facts.vocabulary import FACT_TYPES
from countercase.io import Progress, read_table
from countercase.text.spans import Span

Part: TypeAlias = Literal["all", "held-out", "developed"]
HELD_OUT: Final = 20
"""Matters that no rule was written after: the first by the SHA-256 of their ids."""

KINDS: Final = ("amount", "age", "duration", "quantity", "count")
OWNED: Final = "figures with their owner"

_NEAR: Final = 40
"""Characters that may lie between the words of a label and those that were read."""

_DAYS: Final = IN_DAYS | {"minutes": 1 / 1440, "hours": 1 / 24}
_GRAMS: Final = {"mg": 0.001, "g": 1.0, "kg": 1000.0, "quintal": 1e5, "tonne": 1e6}
_ROUGHLY: Final = 0.004
"""By what share a length of time, or the end of a range, may differ."""

SAME_OWNER: Final = tuple(
    frozenset(row["words"].split()) for row in read_table("evaluation/owners", dict)
)
"""Words for one owner or one thing measured."""


@dataclass(frozen=True)
class Reading:
    """One matter as read: (label, fact) pairs that are right, extra facts, missed labels."""

    case: ReadingCase
    sheet: model.FactSheet
    right: tuple[tuple[LabelledFact, model.Fact], ...]
    extra: tuple[model.Fact, ...]
    missed: tuple[LabelledFact, ...]

    def details(self) -> dict[str, Any]:
        """Return what was misread, ready for JSON."""

        def group(it: LabelledFact) -> str:
            what = it.provision or it.party_type or it.evidence_type or it.kind
            return f"{it.type} {what} {it.state}".strip()

        def words(fact: model.Fact) -> str:
            spans = fact.spans[:2]
            return " | ".join(self.sheet.narrative[span.start : span.end] for span in spans)

        return {
            "case_id": self.case.case_id,
            "missed": [f"{group(label)}: {label.words}" for label in self.missed],
            "extra": [f"{it.fact_type}: {it.value} [{words(it)}]" for it in self.extra],
            "other_owner": [
                f"{label.words} of {label.of}: read as of {getattr(fact.value, 'context', '')!r}"
                for label, fact in self.right
                if label.type == "Numerical" and not _owned(label, fact)
            ],
            "occurred_on": [self.case.occurred_on, self.sheet.occurred_on],
        }


def choose(cases: Sequence[ReadingCase], part: Part) -> list[ReadingCase]:
    """Return the matters of one part of the set; those set aside come first by their hash."""
    hashed = sorted(cases, key=lambda case: hashlib.sha256(case.case_id.encode()).hexdigest())
    aside = {case.case_id for case in hashed[:HELD_OUT]}
    return [c for c in cases if part == "all" or (c.case_id in aside) == (part == "held-out")]


def compare(case: ReadingCase, sheet: model.FactSheet) -> Reading:
    """Pair the read facts of a matter with its labels, one to one, the nearest first.

    A fact that repeats a label which is already read is neither right nor extra.
    """
    gaps: list[tuple[int, int, int]] = []
    for n, label in enumerate(case.facts):
        found = (re.finditer(re.escape(words), case.text) for words in label.mentions)
        places = [Span(*it.span()) for matches in found for it in matches]
        is_placed = label.type not in ("Section", "PartyType")
        for at, fact in enumerate(sheet.facts):
            if _same(label, fact):
                apart = (place.gap(span) for place in places for span in fact.spans)
                gap = min(apart, default=_NEAR + 1) if is_placed else 0
                if gap <= _NEAR or not fact.spans:
                    gaps.append((gap, n, at))
    right: dict[int, int] = {}
    for _, n, at in sorted(gaps):
        if at not in right.values():
            right.setdefault(n, at)
    like = {at for *_, at in gaps}
    agreed = tuple((case.facts[n], sheet.facts[at]) for n, at in sorted(right.items()))
    extra = (it for at, it in enumerate(sheet.facts) if at not in like and _has_kind(it))
    missed = (label for n, label in enumerate(case.facts) if n not in right)
    return Reading(case, sheet, agreed, tuple(extra), tuple(missed))


def _has_kind(fact: model.Fact) -> bool:
    """Return whether the labels of a set have a kind for a fact: they have none for circumstances."""
    value = fact.value
    return not isinstance(value, model.EvidenceValue) or value.evidence_type != CIRCUMSTANCE


def reading_section(readings: Sequence[Reading]) -> Section:
    """Report precision and recall per fact type and kind of number, and dates of occurrence."""
    found, rows = Section("reading", f"Facts of {len(readings)} messy matters"), []
    labelled = [(it.type, it.kind) for r in readings for it in r.case.facts]
    extra = [(it.fact_type, getattr(it.value, "kind", "")) for r in readings for it in r.extra]
    agreed = [pair for reading in readings for pair in reading.right]
    for name in (*FACT_TYPES, *KINDS, OWNED):
        group = "Numerical" if name == OWNED else name
        labels, beside = (sum(group in it for it in listed) for listed in (labelled, extra))
        pairs = [pair for pair in agreed if group in (pair[0].type, pair[0].kind)]
        right = sum(name != OWNED or _owned(*pair) for pair in pairs)
        rates = {"recall": rate(right, labels), "precision": rate(right, len(pairs) + beside)}
        rows.append((name, labels, *(cell for it in rates.values() for cell in it.cells)))
        if name not in KINDS:
            key = name.lower().replace(" ", "_")
            declared = f"reading.{key if name in ('Section', OWNED) else '{key}'}.{{what}}"
            for what, figure in rates.items():
                found.add_measure(declared, figure, key=key, name=name, what=what)
    same = share(r.sheet.occurred_on == it for r in readings if (it := r.case.occurred_on))
    found.add_measure("reading.occurred_on", same)
    found.add_table("reading.kinds", rows)
    found.details = {
        "matters": [reading.details() for reading in readings],
        "circumstances": sum(not _has_kind(f) for r in readings for f in r.sheet.facts),
    }
    return found


def measure_reading(path: Path, part: Part = "all", progress: Progress | None = None) -> Section:
    """Read each matter of a set from its text and title alone, and compare."""
    cases = choose(read_set(path, ReadingCase), part)
    if not cases:
        raise InputError(f"{path}: no matter in the part {part!r}")
    read = (
        (it, extract(it.text, it.case_id, it.title)) for it in counted(cases, "matters", progress)
    )
    return reading_section([compare(*matter) for matter in read])


def _same(label: LabelledFact, fact: model.Fact) -> bool:
    match fact.value:
        case model.SectionValue() as value:
            return label.provision == value.provision
        case model.PartyValue() as value:
            return (label.side, label.party_type) == (value.side, value.party_type)
        case model.EvidenceValue() as value:
            state = "absent" if value.strength == "absent" else "present"
            return (label.evidence_type, label.state) == (value.evidence_type, state)
        case model.NumericalValue() as value:
            return label.kind == value.kind and _equal(label, value)
    return False


def _equal(label: LabelledFact, value: model.NumericalValue) -> bool:
    if label.value is None or (label.value_to is None) != (value.upper is None):
        return False
    is_time = label.kind in ("age", "duration")
    sizes = _DAYS if is_time else _GRAMS
    if {label.unit, value.unit} - set(sizes) and (is_time or label.unit != value.unit):
        return False
    mine, theirs = sizes.get(label.unit, 1.0), sizes.get(value.unit, 1.0)
    more = label.months * _DAYS["months"] + label.days + label.minutes * _DAYS["minutes"]
    stated = label.value * mine + more if is_time else label.value * mine
    tolerance = _ROUGHLY if is_time else 1e-6
    if not math.isclose(stated, value.value * theirs, rel_tol=tolerance):
        return False
    if label.value_to is None or value.upper is None:
        return True
    return math.isclose(label.value_to * mine, value.upper * theirs, rel_tol=_ROUGHLY)


def _owned(label: LabelledFact, fact: model.Fact) -> bool:
    """Return whether the number is of what the label says, in that or a similar word."""
    wanted, read = _owners(label.of), _owners(getattr(fact.value, "context", ""))
    return bool(wanted & read) or (not wanted and not read)


def _owners(words: str) -> frozenset[str]:
    owners = set(re.findall(r"[a-z]{3,}|\d+", words.lower()))
    owners |= {owner.removesuffix("s") for owner in owners}
    for group in SAME_OWNER:
        if owners & group:
            owners |= group
    return frozenset(owners) | telling_words(words)
