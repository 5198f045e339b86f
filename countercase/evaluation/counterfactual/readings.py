"""Read off an analysis what is held against labels, and check labels against the sheet of a case.

A reading is stored as JSON, so that an evaluation that was stopped goes on where it was. Labels are
not part of it, so they can be corrected without analysing again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from countercase.counterfactual.analysis import Analysis
from countercase.counterfactual.sensitivity import FactSensitivity
from countercase.counterfactual.tree import moves_from_root
from countercase.errors import InputError
from countercase.evaluation.sets import CounterfactualCase, read_set
from countercase.facts.case_file import read_case, sheet_from_case
from countercase.facts.model import FactSheet

Unmeasured: TypeAlias = Literal["reaches no channel", "refused or beyond the limits"]
"""Why a fact has no sensitivity: it is not stated to any ranker, or none of its edits was ranked."""


def is_carrying(sensitivity: float | None, noise: float | None, threshold: float) -> bool | None:
    """Return whether a fact moves more than threshold and null edits; None if it was not measured."""
    if sensitivity is None:
        return None
    return sensitivity > threshold and (noise is None or sensitivity > noise)


@dataclass(frozen=True)
class FactReading:
    """One fact's sensitivity.

    Attributes:
        sensitivity: mean rank displacement, 0 to K + 1, the largest of `moves`; None: not measured.
        noise: what null edits move the ranking; None without null edits.
        moves: its edges from the root: operation of the edit, and mean rank displacement.
        unmeasured: why there is no sensitivity; None where there is one.
        calibrated: the verdict against the null floor; empty where it was not measured.
        p: how often words alone move the ranking as far, not corrected for the number of facts.
    """

    fact_id: str
    fact_type: str
    value: str = ""
    sensitivity: float | None = None
    noise: float | None = None
    moves: tuple[tuple[str, float], ...] = ()
    unmeasured: Unmeasured | None = None
    calibrated: str = ""
    p: float | None = None
    salience: float | None = None

    def carries(self, threshold: float, nulls: bool) -> bool | None:
        """Return whether it reads as dispositive (`nulls`: beyond null edits); None if unmeasured."""
        return is_carrying(self.sensitivity, self.noise if nulls else None, threshold)


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
    nulls: tuple[tuple[str, float], ...] = ()
    judged: tuple[Judged, ...] = ()
    proposed: int = 0


def reading_of(analysis: Analysis) -> CaseReading:
    """Return what the evaluation needs of an analysis."""
    moves = {
        fact: tuple((edit.operation, mean) for mean, edit in own)
        for fact, own in moves_from_root(analysis.tree).items()
    }

    def read(measured: FactSensitivity) -> FactReading:
        fact, is_measured = measured.fact, measured.sensitivity is not None
        why = get_args(Unmeasured)[measured.measurable]
        judged = is_measured and analysis.criterion == "calibrated"
        salience = analysis.salience.get(fact.fact_id)
        return FactReading(
            fact.fact_id,
            fact.fact_type,
            str(fact.value),
            measured.sensitivity,
            measured.noise,
            moves.get(fact.fact_id, ()) if is_measured else (),
            None if is_measured else why,
            measured.verdict if judged else "",
            measured.calibrated.p if measured.calibrated else None,
            salience.value if salience else None,
        )

    judged = []
    for node in analysis.tree.nodes():
        if node.state.edits:
            refused = node.status == "rejected"
            kinds = tuple(edit.fact_type for edit in node.state.edits)
            judged.append(Judged(kinds, not refused, node.reason if refused else ""))
    return CaseReading(
        analysis.sheet.case_id,
        {kind: analysis.sensitivity.get(kind) for kind in _kinds(analysis.sheet)},
        tuple(map(read, analysis.facts)),
        tuple((null.edit.fact_type, null.mean_displacement) for null in analysis.nulls),
        tuple(judged),
        len(analysis.edits),
    )


def sheet_of(case: CounterfactualCase) -> FactSheet:
    """Return the fact sheet of a labelled case, after checking that its labels fit it.

    Raises:
        InputError: a label names a fact or a type that the sheet does not have in this form.
    """
    sheet = sheet_from_case(case.case_file)
    known = {fact.fact_id: fact for fact in sheet.facts}
    for field in ("dispositive_facts", "non_dispositive_facts"):
        for label in getattr(case, field):
            where = f"{case.case_id}: {field}: {label.fact_id}"
            fact = known.get(label.fact_id)
            if fact is None:
                hint = "`countercase facts` lists its facts"
                raise InputError(f"{where}: the case has no such fact; {hint}")
            for name, there in (("fact_type", fact.fact_type), ("value", str(fact.value))):
                if (given := getattr(label, name)) != there:
                    raise InputError(f"{where}: {name} is {given!r}, in the case {there!r}")
    named = {
        "dispositive_types": [label.fact_type for label in case.dispositive_types],
        "non_dispositive_types": [label.fact_type for label in case.non_dispositive_types],
        "expert_importance_ranking": list(case.expert_importance_ranking),
    }
    for field, names in named.items():
        if missing := [name for name in names if name not in _kinds(sheet)]:
            raise InputError(f"{case.case_id}: {field}: the case has no fact of type {missing[0]}")
    if both := {*named["dispositive_types"]} & {*named["non_dispositive_types"]}:
        twice = f"{', '.join(sorted(both))} stands in dispositive_types and in"
        raise InputError(f"{case.case_id}: {twice} non_dispositive_types; keep one")
    return sheet


def read_sheets(paths: Sequence[Path], max_bytes: int, tagger: bool = True) -> list[FactSheet]:
    """Read the fact sheets of case files and of `.jsonl` files of the case set."""
    sheets: list[FactSheet] = []
    for path in paths:
        if path.suffix.lower() == ".jsonl":
            sheets += [sheet_of(case) for case in read_set(path, CounterfactualCase)]
        else:
            sheets.append(read_case(path, max_bytes, tagger=tagger))
    names = [sheet.case_id for sheet in sheets]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise InputError(f"the case {twice!r} is given twice")
    return sheets


def _kinds(sheet: FactSheet) -> list[str]:
    """Return the fact types that the sheet has, in sheet order."""
    return list(dict.fromkeys(fact.fact_type for fact in sheet.facts))
