"""The fact sheet: all facts of a case, typed, with their places in the narrative.

Everything here is immutable. A changed case is a new sheet; nothing downstream writes to one.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import copysign, inf
from typing import Any, Final, Literal, TypeAlias, TypeVar

from countercase.errors import InputError, check_type
from countercase.facts import vocabulary
from countercase.text.dates import is_iso_date, time_between
from countercase.text.spans import Span

FactTypeName: TypeAlias = str
"""A name in `countercase.registry.FACT_TYPES`: `Section`, `PartyType`, ..."""

NumericalKind: TypeAlias = Literal["amount", "age", "duration", "quantity", "count"]
Side: TypeAlias = Literal["petitioner", "respondent"]
_Value = TypeVar("_Value")
_FIELDS: Final[Mapping[str, Any]] = {
    "side": vocabulary.SIDES, "party_type": ("", *vocabulary.PARTY_TYPES),
    "role": ("", *vocabulary.OWNERS),
    "evidence_type": vocabulary.EVIDENCE_TYPES, "strength": ("full", "weakened", "absent"),
    "kind": tuple(vocabulary.UNITS), "owner": ("", *vocabulary.OWNERS), "upper": float | int | None,
    "value": Hashable, "spans": tuple, "facts": tuple, "outcome": str | None,
}  # fmt: skip
"""What the fields that are no text may be."""


class _Checked:
    """A part of a sheet; InputError where a field is made of what it cannot be."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if type(value) is not (kind := _FIELDS.get(name, str)):
                check_type(type(self).__name__, name, value, kind)
            if name in ("begins", "ends", "occurred_on") and value and not is_iso_date(value):
                raise InputError(f'"{value}" is no date; write 2024-08-12 or 2024 ({name})')


@dataclass(frozen=True)
class SectionValue(_Checked):
    """A provision cited, in normal form (`IPC-302`, `CONST-226`, `CPC-O7R11`)."""

    provision: str

    def __str__(self) -> str:
        return self.provision


@dataclass(frozen=True)
class PartyValue(_Checked):
    """What the party on one side is in law; a name and a role, one of `ROLES`, are "" if not known."""

    side: Side
    party_type: str
    name: str = ""
    role: str = ""

    def __str__(self) -> str:
        return f"{self.side}: {self.party_type}"


@dataclass(frozen=True)
class EvidenceValue(_Checked):
    """One item of evidence, or of procedure that bears on it."""

    evidence_type: str
    description: str
    # `full`; `weakened` by an edit or a court; or `absent`: the case says it is missing, denied or
    # was not done
    strength: Literal["full", "weakened", "absent"] = "full"
    doubt: str = ""  # what takes weight from it, where an edit says so

    def __str__(self) -> str:
        state = "" if self.strength == "full" else f" ({self.strength})"
        return f"{self.evidence_type.replace('_', ' ')}{state}"


@dataclass(frozen=True)
class NumericalValue(_Checked):
    """A number with its unit and what it measures.

    Args:
        kind, unit: amount, age, duration, quantity or count, in one of its `vocabulary.UNITS`.
        value: the number, in `unit`. Years with months and days are years and a fraction.
        context: what it measures: `charas`, `prosecutrix`, `since marriage`.
        upper: the other end of a range (`17 to 19 years`), or None.
        owner: whose it is, by role, where the learnt reader or the case file tells.
        begins, ends: the two days from which the figure follows, by ISO; "" where it is stated.
    """

    kind: NumericalKind
    value: float
    unit: str
    context: str = ""
    upper: float | None = None
    begins: str = ""
    ends: str = ""
    owner: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.kind != "count":  # what is counted may be anything
            check_type("NumericalValue", "unit", self.unit, vocabulary.UNITS[self.kind])
        check_type("NumericalValue", "value", self.value, float | int)
        upper = self.value if self.upper is None else self.upper
        for it, least in ((self.value, 0), (upper, self.value)):
            if isinstance(it, bool) or not least <= it < inf or copysign(1, it) < 0:
                raise InputError(f"NumericalValue: {it} is not a number from {least} up")

    @property
    def is_derived(self) -> bool:
        """Return whether the figure is the time between its two days; one that is moved is not."""
        if not (self.begins and self.ends) or self.upper is not None:
            return False
        return time_between(self.begins, self.ends, self.unit) == self.value

    def __str__(self) -> str:
        upper = "" if self.upper is None else f" to {_written(self.upper)}"
        text = f"{_written(self.value)}{upper} {self.unit}"
        return f"{text} ({self.context})" if self.context else text


def _written(number: float) -> str:
    """A number to four decimals: days as a fraction of a year have no end."""
    return f"{round(number, 4):.15g}"


FactValue: TypeAlias = Hashable
"""One of the four values above, or any frozen value of another fact type whose `str()` reads well."""


@dataclass(frozen=True)
class Fact(_Checked):
    """One typed statement of a case, with every mention in the narrative, in order.

    Its id is stable within the case: `section:IPC-302`, `party:petitioner`, `numerical:age:1`.
    """

    fact_id: str
    fact_type: FactTypeName
    value: FactValue
    spans: tuple[Span, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if {*map(type, self.spans)} - {Span}:
            check_type("Fact", "spans", self.spans, [Span])

    def value_as(self, kind: type[_Value]) -> _Value:
        """Return the value, which must be a `kind` (`NumericalValue`)."""
        assert isinstance(self.value, kind)
        return self.value

    @property
    def span(self) -> Span | None:
        """The first mention, or None where the narrative does not state the fact."""
        return self.spans[0] if self.spans else None


@dataclass(frozen=True)
class FactSheet(_Checked):
    """All facts of a case, with its narrative.

    `outcome` never enters a query. The law is read on `occurred_on`, a date as precisely as it is
    known (`2024-08-12`, `2024-08`, `2024`), or empty.
    """

    case_id: str
    narrative: str
    facts: tuple[Fact, ...] = ()
    title: str = ""
    outcome: str | None = field(default=None, compare=False)
    occurred_on: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if {*map(type, self.facts)} - {Fact}:
            check_type("FactSheet", "facts", self.facts, [Fact])
        ids = [fact.fact_id for fact in self.facts]
        if len(ids) != len(set(ids)):
            raise InputError(f"fact ids of {self.case_id} are not unique: {sorted(ids)}")
        for fact in self.facts:
            if any(span.end > len(self.narrative) for span in fact.spans):
                raise InputError(f"{fact.fact_id}: a span lies outside the narrative")

    @cached_property
    def _hash(self) -> int:
        return hash((self.case_id, self.narrative, self.facts, self.title, self.occurred_on))

    def __hash__(self) -> int:
        return self._hash

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in vars(self).items() if name != "_hash"}

    def of_type(self, fact_type: FactTypeName) -> tuple[Fact, ...]:
        """The facts of one type, in sheet order."""
        return tuple(fact for fact in self.facts if fact.fact_type == fact_type)

    def valued(self, kind: type[_Value]) -> list[tuple[Fact, _Value]]:
        """The facts whose value is a `kind` (`NumericalValue`), each with its value."""
        return [(fact, fact.value) for fact in self.facts if isinstance(fact.value, kind)]

    def fact(self, fact_id: str) -> Fact:
        """The fact with this id; `KeyError` where there is none."""
        return {fact.fact_id: fact for fact in self.facts}[fact_id]
