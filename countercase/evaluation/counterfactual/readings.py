"""Compare measured sensitivities with the labelled facts of a case.

A reading is the part of an analysis that the evaluation needs, as plain values: it is stored as
JSON, so that an evaluation that was stopped goes on where it was. Labels are not part of it, so
they can be corrected without analysing again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from pydantic import TypeAdapter

from countercase.counterfactual.analysis import Analysis
from countercase.counterfactual.sensitivity import FactSensitivity
from countercase.counterfactual.tree import moves_from_root
from countercase.errors import InputError
from countercase.evaluation.sets import CounterfactualCase, read_counterfactual
from countercase.facts.case_file import read_case, sheet_from_case
from countercase.facts.model import FactSheet

Unmeasured: TypeAlias = Literal["reaches no channel", "refused or beyond the limits"]
"""Why a fact has no sensitivity: it is not stated to any ranker, or none of its edits was ranked."""


@dataclass(frozen=True)
class Move:
    """The mean rank displacement of one edge from the root, and the operation of its edit."""

    operation: str
    displacement: float


@dataclass(frozen=True)
class FactReading:
    """One fact's sensitivity.

    Attributes:
        sensitivity: mean rank displacement, 0 to K + 1, the largest of `moves`; None: not measured.
        noise: what null edits move the ranking; None without null edits.
        moves: its edges from the root.
        unmeasured: why there is no sensitivity; None where there is one.
        calibrated: the verdict against the null floor; empty where it was not measured.
        p: how often words alone move the ranking as far, not corrected for the number of facts.
    """

    fact_id: str
    fact_type: str
    value: str
    sensitivity: float | None
    noise: float | None
    moves: tuple[Move, ...]
    unmeasured: Unmeasured | None
    calibrated: str = ""
    p: float | None = None
    salience: float | None = None

    def carries(self, threshold: float, nulls: bool) -> bool | None:
        """Whether it is read as dispositive (`nulls`: beyond null edits); None if unmeasured."""
        if self.sensitivity is None:
            return None
        noisy = nulls and self.noise is not None and self.sensitivity <= self.noise
        return self.sensitivity > threshold and not noisy


@dataclass(frozen=True)
class Judged:
    """The validator's verdict on one state, the types of its edits, and the reason of a refusal."""

    fact_types: tuple[str, ...]
    accepted: bool
    reason: str


@dataclass(frozen=True)
class CaseReading:
    """The analysis of one case.

    Attributes:
        sensitivity: per fact type; None where no edge of the type was measured.
        nulls: fact type and mean rank displacement of every null edit.
        judged: every state that the validator judged, in the order of the tree.
        proposed: how many edits there were; those beyond the limits were not judged.
    """

    case_id: str
    sensitivity: dict[str, float | None]
    facts: tuple[FactReading, ...]
    nulls: tuple[tuple[str, float], ...]
    judged: tuple[Judged, ...]
    proposed: int

    def type(self, name: str) -> FactReading:
        """A fact type as if it were one fact, without null edits or edges."""
        return FactReading("", name, "", self.sensitivity.get(name), None, (), None)


READING = TypeAdapter(CaseReading)
"""Takes a reading to JSON values and back; ValueError where they are not one."""


def reading_of(analysis: Analysis) -> CaseReading:
    """What the evaluation needs of an analysis."""
    kinds: dict[str, str] = {edit.edit_id: edit.fact_type for edit in analysis.edits}
    moves = {
        fact: [Move(edit.operation, mean) for mean, edit in own]
        for fact, own in moves_from_root(analysis.tree).items()
    }
    judged = []
    for node in analysis.tree.nodes():
        if node.state.edits:
            refused = node.status == "rejected"
            edited = tuple(kinds[edit.edit_id] for edit in node.state.edits)
            judged.append(Judged(edited, not refused, node.reason if refused else ""))
    estimates = {fact: salience.value for fact, salience in analysis.salience.items()}
    floored = analysis.criterion == "calibrated"
    facts = [
        _fact(it, moves.get(it.fact.fact_id, ()), estimates.get(it.fact.fact_id), floored)
        for it in analysis.facts
    ]
    return CaseReading(
        case_id=analysis.sheet.case_id,
        sensitivity={kind: analysis.sensitivity.get(kind) for kind in _kinds(analysis.sheet)},
        facts=tuple(facts),
        nulls=tuple((null.edit.fact_type, null.mean_displacement) for null in analysis.nulls),
        judged=tuple(judged),
        proposed=len(analysis.edits),
    )


def sheet_of(case: CounterfactualCase) -> FactSheet:
    """The fact sheet of a labelled case, after checking that its labels fit it.

    Raises:
        InputError: a label names a fact or a type that the sheet does not have, or differs from
            the sheet in type or value; the message names case, fact and field.
    """
    sheet = sheet_from_case(case.case_file)
    known, present = {fact.fact_id: fact for fact in sheet.facts}, _kinds(sheet)
    for field in ("dispositive_facts", "non_dispositive_facts"):
        for label in getattr(case, field):
            where = f"{case.case_id}: {field}: {label.fact_id}"
            fact = known.get(label.fact_id)
            if fact is None:
                hint = "`countercase facts` lists its facts"
                raise InputError(f"{where}: the case has no such fact; {hint}")
            there = {"fact_type": fact.fact_type, "value": str(fact.value)}
            for name, value in there.items():
                if (given := getattr(label, name)) != value:
                    raise InputError(f"{where}: {name} is {given!r}, in the case {value!r}")
    high, low = (
        [label.fact_type for label in types]
        for types in (case.dispositive_types, case.non_dispositive_types)
    )
    named = {"dispositive_types": high, "non_dispositive_types": low}
    named["expert_importance_ranking"] = list(case.expert_importance_ranking)
    for field, names in named.items():
        if missing := [name for name in names if name not in present]:
            raise InputError(f"{case.case_id}: {field}: the case has no fact of type {missing[0]}")
    if both := set(high) & set(low):
        raise InputError(
            f"{case.case_id}: {', '.join(sorted(both))} stands in dispositive_types and in "
            "non_dispositive_types; keep one"
        )
    return sheet


def read_sheets(paths: Sequence[Path], max_bytes: int, tagger: bool = True) -> list[FactSheet]:
    """Read the fact sheets of case files and of `.jsonl` files of the case set.

    Raises:
        InputError: a file cannot be read, or a case is given twice.
    """
    sheets: list[FactSheet] = []
    for path in paths:
        if path.suffix.lower() == ".jsonl":
            sheets += [sheet_of(case) for case in read_counterfactual(path)]
        else:
            sheets.append(read_case(path, max_bytes, tagger=tagger))
    names = [sheet.case_id for sheet in sheets]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise InputError(f"the case {twice!r} is given twice")
    return sheets


def _kinds(sheet: FactSheet) -> list[str]:
    """The fact types that the sheet has, in sheet order."""
    return list(dict.fromkeys(fact.fact_type for fact in sheet.facts))


def _fact(
    measured: FactSensitivity, moves: Sequence[Move], salience: float | None, floored: bool
) -> FactReading:
    fact, sensitivity, noise = measured.fact, measured.sensitivity, measured.noise
    floor = measured.calibrated
    judged = floored and sensitivity is not None
    why: Unmeasured = (
        "refused or beyond the limits" if measured.measurable else "reaches no channel"
    )
    moved, unmeasured = ((), why) if sensitivity is None else (tuple(moves), None)
    return FactReading(
        fact.fact_id, fact.fact_type, str(fact.value), sensitivity, noise, moved, unmeasured,
        measured.verdict if judged else "", floor.p if floor else None, salience,
    )  # fmt: skip
