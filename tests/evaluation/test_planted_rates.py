"""Misses and false alarms in planted worlds: counted by hand."""

from __future__ import annotations

from countercase.evaluation.planted.calibrate import (
    OVERALL,
    Calibration,
    Observation,
    planted_section,
)
from countercase.evaluation.planted.generate import Role
from countercase.evaluation.statistics import rate
from countercase.facts.model import FactTypeName
from countercase.facts.vocabulary import FACT_TYPES


def observation(
    kind: FactTypeName, role: Role, sensitivity: float | None, noise: float | None = None
) -> Observation:
    return Observation("w", "c", "f", kind, role, "nowhere", False, sensitivity, noise)


def test_the_section_has_both_errors_with_their_intervals() -> None:
    seen = (("carrying", 2.0), ("carrying", 1.0), ("idle", 0.5))
    observations = tuple(observation("Section", *it) for it in seen)
    section = planted_section(Calibration(("w",), observations, (1.5,)), 1.5)
    misses, alarms = section.measures
    assert (misses.key, misses.value, misses.n) == ("planted.misses", 0.5, 2)
    assert (alarms.key, alarms.value, alarms.n) == ("planted.false_alarms", 0.0, 1)
    assert (misses.verdict, alarms.verdict) == ("above", "meets")
    assert (misses.low, misses.high) == rate(1, 2).cells[1:]
    assert (1.5, OVERALL, 1, 2, 0, 1) in section.tables[0].rows


def test_errors_are_counted_per_type_and_threshold() -> None:
    seen = [
        observation("Section", "carrying", 2.0),
        observation("Section", "carrying", 1.5),  # at the threshold is not beyond it
        observation("Section", "carrying", 3.0, noise=3.0),  # within noise
        observation("Section", "idle", 1.6),
        observation("Section", "idle", None),
        observation("Numerical", "idle", 0.0),
        observation("Numerical", "carrying", None),
    ]
    result = Calibration(("w",), tuple(seen), (1.0, 1.5))
    errors = result.to_dict()["errors"]
    assert [(row["threshold"], row["fact_type"]) for row in errors[:5]] == [
        *((1.0, kind) for kind in FACT_TYPES),
        (1.0, OVERALL),
    ]
    assert result.wrong("carrying", 1.5, "Section") == rate(2, 3)
    assert result.wrong("carrying", 1.5, "Section", nulls=False) == rate(1, 3)
    assert result.wrong("idle", 1.5, "Section") == rate(1, 1)
    of_section = errors[FACT_TYPES.index("Section")]
    assert (of_section["unmeasured_carrying"], of_section["unmeasured_idle"]) == (0, 1)
    assert result.wrong("carrying", 1.0, "Section") == rate(1, 3)
    assert result.wrong("idle", 1.5, "Numerical") == rate(0, 1)
    assert result.wrong("carrying", 1.5) == rate(2, 3)
    assert errors[len(FACT_TYPES)]["unmeasured_carrying"] == 1
    [evidence] = [it for it in errors if (it["threshold"], it["fact_type"]) == (1.5, "Evidence")]
    nothing = {"count": 0, "of": 0, "rate": None, "low": None, "high": None}
    assert evidence["misses"] == nothing
