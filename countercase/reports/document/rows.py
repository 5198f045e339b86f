"""The pieces of a report: rows of facts and edits, and the narrative with its facts marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from countercase.fact_types.catalogue import matter_of
from countercase.facts.area_of_law import provisions
from countercase.facts.model import FactSheet
from countercase.law.in_force import code_in_force, reading_period
from countercase.law.provision_ids import citation, is_normal_form
from countercase.law.provisions import describe
from countercase.reports.wording import floor_of
from countercase.text.spans import Span


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


@dataclass(frozen=True)
class Stretch:
    """A stretch of the narrative between two borders of mentions.

    Args:
        facts: numbers of the facts that mention it, the shortest mention first.
        ending: those of them whose mention ends here.
    """

    text: str
    facts: tuple[int, ...] = ()
    ending: tuple[int, ...] = ()


def stretches(narrative: str, mentions: Sequence[tuple[int, Span]]) -> list[Stretch]:
    """The narrative cut at the borders of all mentions; joined, the texts are the narrative.

    Args:
        mentions: number of a fact, and where it is mentioned; mentions may overlap.
    """
    borders = {0, len(narrative)}
    for _, span in mentions:
        borders |= {span.start, span.end}
    cuts = sorted(borders)
    pieces = []
    for start, end in pairwise(cuts):
        over = [(span.end - span.start, number, span) for number, span in mentions
                if span.start <= start and end <= span.end]  # fmt: skip
        over.sort(key=lambda item: item[:2])
        ending = tuple(dict.fromkeys(number for _, number, span in over if span.end == end))
        numbers = tuple(dict.fromkeys(number for _, number, _ in over))
        pieces.append(Stretch(narrative[start:end], numbers, ending))
    return pieces
