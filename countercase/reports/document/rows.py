"""The rows of a report: facts and edits, with the words of edits and of the law."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from countercase.fact_types.catalogue import matter_of
from countercase.facts.area_of_law import provisions
from countercase.facts.model import FactSheet
from countercase.law.in_force import code_in_force, reading_period
from countercase.law.provision_ids import citation, is_normal_form
from countercase.law.provisions import describe
from countercase.reports.wording import floor_of


@dataclass(frozen=True)
class FactRow:
    """A fact with its number in the report, and its data of analysis.json."""

    number: int
    label: str
    heading: str
    verdict: str
    learnt: str
    data: Mapping[str, Any]

    @property
    def floor(self) -> float | None:
        """How far words alone move the list: what the move of the fact is held against."""
        return floor_of(self.data)


@dataclass(frozen=True)
class EditRow:
    """A what-if with the statement of its fact before and after.

    Args:
        number: of the fact that it changes.
        label: the supposition.
        law: the provision that it rests on, as it stands on the date of the case.
        before, after: the statement of the fact as it is and as the edit makes it.
        reason: why the law tells the two apart.
        moved: how far it moved the list of the case as it is; None where it was not measured alone.
        refused: why it was refused; empty where it was not.
        state: the state that it alone leads to; empty where there is none.
        by_hand, note: whether a user worded it, and what must be known of it then.
        went_out, came_in: the decisions that it takes out of the list and brings in, as in
            analysis.json.
    """

    number: int
    label: str
    law: str
    before: str
    after: str
    reason: str
    moved: float | None
    refused: str
    state: str
    by_hand: bool
    note: str
    went_out: tuple[Mapping[str, Any], ...]
    came_in: tuple[Mapping[str, Any], ...]


def law_on_the_day(provision: str, sheet: FactSheet) -> str:
    """A provision with its heading, in the code under which the case is read.

    Where that code has taken the place of an older one, both are named. What is not in normal form
    stays as it is.
    """
    if not is_normal_form(provision):
        return provision
    named = matter_of(sheet).on_the_day(provision)
    if named != provision:
        return f"{describe(named)}, before July 2024 {citation(provision, 'short')}"
    old, cited = provision.partition("-")[0], provisions(sheet)
    new = code_in_force(old, reading_period(sheet.occurred_on, cited), cited)
    return describe(provision) + ("" if new == old else f", since July 2024 in the {new}")
