"""Hand-written sheets for tests of what-ifs: sentences with marked facts.

A narrative is written with its facts in braces, `{fact_id|words}`; the braces go, and the words
become a mention of the fact.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from countercase.facts.edits import Edit
from countercase.facts.model import (
    EvidenceValue,
    Fact,
    FactSheet,
    FactTypeName,
    FactValue,
    NumericalKind,
    NumericalValue,
    PartyValue,
    SectionValue,
    Side,
)
from countercase.registry import FACT_TYPES
from countercase.text.spans import Span

_MARKED = re.compile(r"\{([^|{}]+)\|([^{}]*)\}")


def sheet(marked: str, **values: FactValue) -> FactSheet:
    """A sheet of a marked narrative; `values` gives each fact's value by its id.

    In keyword names `__` stands for the colon of a fact id: `age__girl` is `age:girl`.
    """
    text, at, spans = "", 0, dict[str, list[Span]]()
    for match in _MARKED.finditer(marked):
        text += marked[at : match.start()]
        spans.setdefault(match[1], []).append(Span(len(text), len(text) + len(match[2])))
        text += match[2]
        at = match.end()
    text += marked[at:]
    named = {name.replace("__", ":"): value for name, value in values.items()}
    unknown = set(spans) - set(named)
    assert not unknown, f"no value for {unknown}"
    facts = tuple(
        Fact(fact_id, type_of(value), value, tuple(spans.get(fact_id, ())))
        for fact_id, value in named.items()
    )
    return FactSheet("case", text, facts)


def section(provision: str) -> SectionValue:
    return SectionValue(provision)


def party(party_type: str, side: Side = "petitioner", name: str = "") -> PartyValue:
    return PartyValue(side, party_type, name)


def evidence(evidence_type: str, description: str = "") -> EvidenceValue:
    return EvidenceValue(evidence_type, description)


def figure(kind: NumericalKind, value: float, unit: str = "", context: str = "") -> NumericalValue:
    units = {"amount": "INR", "age": "years", "duration": "years", "quantity": "kg"}
    return NumericalValue(kind, value, unit or units[kind], context)


def type_of(value: FactValue) -> FactTypeName:
    if isinstance(value, SectionValue):
        return "Section"
    if isinstance(value, PartyValue):
        return "PartyType"
    return "Evidence" if isinstance(value, EvidenceValue) else "Numerical"


def on(date: str, marked: str, **values: FactValue) -> FactSheet:
    """The sheet of these words, its facts on this date."""
    return replace(sheet(marked, **values), occurred_on=date)


def edits_of(root: FactSheet, fact_id: str) -> list[Edit]:
    """What is asked of a fact of a sheet."""
    fact = root.fact(fact_id)
    edits: list[Edit] = FACT_TYPES.get(fact.fact_type).what_ifs(root, fact)
    return edits


def supposed(root: FactSheet, fact_id: str) -> list[str]:
    """The suppositions of the what-ifs of a fact, in order."""
    return [edit.supposition for edit in edits_of(root, fact_id)]


def sheet_of(date: str, facts: dict[str, Any]) -> FactSheet:
    """The sheet of a labelled row, on this date.

    A text is a provision, a list a figure, and an object a party (`party`) or an item (`evidence`).
    """
    return on(date, "", **{fact_id: value_of(said) for fact_id, said in facts.items()})


def value_of(said: Any) -> FactValue:
    if isinstance(said, str):
        return section(said)
    if isinstance(said, list):
        return NumericalValue(*said)
    if "party" in said:
        side, name = said.get("side", "petitioner"), said.get("name", "")
        return PartyValue(side, said["party"], name, said.get("role", ""))
    return EvidenceValue(said["evidence"], said.get("said", ""), said.get("strength", "full"))


def asked_of(root: FactSheet, fact_id: str) -> list[Edit]:
    """The what-ifs of a fact, or of "Evidence" or "Numerical" those that add a fact."""
    if fact_id in ("Evidence", "Numerical"):
        return list(FACT_TYPES.get(fact_id).additions(root))
    return edits_of(root, fact_id)
