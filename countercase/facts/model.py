"""The fact sheet: all facts of a case, typed, with their places in the narrative.

Everything here is immutable. A changed case is a new sheet; nothing downstream writes to one.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, TypeVar

from countercase.text.spans import Span

FactTypeName: TypeAlias = str
"""A name in `countercase.registry.FACT_TYPES`: `Section`, `PartyType`, ..."""

NumericalKind: TypeAlias = Literal["amount", "age", "duration", "quantity"]
Side: TypeAlias = Literal["petitioner", "respondent"]
_Value = TypeVar("_Value")


@dataclass(frozen=True)
class SectionValue:
    """A provision cited, in normal form (`IPC-302`, `CONST-226`, `CPC-O7R11`)."""

    provision: str

    def __str__(self) -> str:
        return self.provision


@dataclass(frozen=True)
class PartyValue:
    """What the party on one side is in law; `name` as the case gives it, or empty."""

    side: Side
    party_type: str
    name: str = ""

    def __str__(self) -> str:
        return f"{self.side}: {self.party_type}"


@dataclass(frozen=True)
class EvidenceValue:
    """One item of evidence; `strength` is `full` unless an edit weakened it."""

    evidence_type: str
    description: str
    strength: Literal["full", "weakened"] = "full"

    def __str__(self) -> str:
        weak = " (weakened)" if self.strength == "weakened" else ""
        return f"{self.evidence_type.replace('_', ' ')}{weak}"


@dataclass(frozen=True)
class NumericalValue:
    """A number with its unit and what it measures.

    Args:
        kind: amount (unit `INR`), age (`years`), duration or quantity.
        value: the number, in `unit`.
        context: what it measures: `charas`, `prosecutrix`, `since marriage`.
    """

    kind: NumericalKind
    value: float
    unit: str
    context: str = ""

    def __str__(self) -> str:
        text = f"{self.value:.15g} {self.unit}"
        return f"{text} ({self.context})" if self.context else text


FactValue: TypeAlias = Hashable
"""One of the four values above, or any frozen value of another fact type whose `str()` reads well."""


@dataclass(frozen=True)
class Fact:
    """One typed statement of a case.

    Args:
        fact_id: stable within the case: `section:IPC-302`, `party:petitioner`,
            `evidence:dying_declaration:1`, `numerical:age:1`.
        spans: every mention in the narrative, in order; empty where it has none.
    """

    fact_id: str
    fact_type: FactTypeName
    value: FactValue
    spans: tuple[Span, ...] = ()

    @property
    def span(self) -> Span | None:
        """The first mention, or None where the narrative does not state the fact."""
        return self.spans[0] if self.spans else None


@dataclass(frozen=True)
class FactSheet:
    """All facts of a case, with its narrative. `outcome` never enters a query."""

    case_id: str
    narrative: str
    facts: tuple[Fact, ...] = ()
    title: str = ""
    outcome: str | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        ids = [fact.fact_id for fact in self.facts]
        if len(ids) != len(set(ids)):
            raise ValueError(f"fact ids of {self.case_id} are not unique: {sorted(ids)}")
        for fact in self.facts:
            if any(span.end > len(self.narrative) for span in fact.spans):
                raise ValueError(f"{fact.fact_id}: a span lies outside the narrative")

    def of_type(self, fact_type: FactTypeName) -> tuple[Fact, ...]:
        """The facts of one type, in sheet order."""
        return tuple(fact for fact in self.facts if fact.fact_type == fact_type)

    def valued(self, kind: type[_Value]) -> list[tuple[Fact, _Value]]:
        """The facts whose value is a `kind` (`NumericalValue`), each with its value."""
        return [(fact, fact.value) for fact in self.facts if isinstance(fact.value, kind)]

    def fact(self, fact_id: str) -> Fact:
        """The fact with this id; `KeyError` where there is none."""
        for fact in self.facts:
            if fact.fact_id == fact_id:
                return fact
        raise KeyError(fact_id)
