"""What if: facts changed at will, and the list at once beside that of the case as it is.

What is asked here is stored nowhere and counts in no sensitivity. The address holds all of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import Field

from countercase.counterfactual.states import State
from countercase.counterfactual.suppose import read_suppositions, suppose_value
from countercase.counterfactual.validators import open_validator
from countercase.errors import InputError, one_line
from countercase.explanation.labels import fact_label
from countercase.fact_types.lines import lines_of
from countercase.fact_types.suppositions import statements_of
from countercase.facts.edits import Edit, compatible
from countercase.facts.model import Fact, FactSheet, NumericalValue
from countercase.law.in_force import facts_period
from countercase.reports.wording import band_of
from countercase.web.corpora import OpenCorpus
from countercase.web.pages.results import TheAnalysis
from countercase.web.pages.views import Beside, beside
from countercase.web.render import html
from countercase.web.workspace import Opened

MOST_CHANGES: Final = 6
OFF: Final = "off"
_WIDE: Final = 1.5
_STEPS: Final = 200

Wishes = Annotated[list[Annotated[str, Field(max_length=300)]], Query(max_length=1_000)]


@dataclass(frozen=True)
class Mark:
    """A line of the law on the slider of a figure."""

    at: float
    provision: str
    reason: str


@dataclass(frozen=True)
class Slider:
    """A figure that can be moved."""

    low: float
    high: float
    step: float
    value: float
    unit: str
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class Control:
    """What can be done to a fact.

    Attributes:
        choices: (value of the form, what it does), the first leaving the fact as it is.
        chosen: the value of the form that is chosen.
        number: where the slider stands, or "" where it was not moved.
    """

    fact: Fact
    label: str
    choices: tuple[tuple[str, str], ...]
    chosen: str
    slider: Slider | None
    number: str


@dataclass(frozen=True)
class Told:
    """One supposition, with its statement and what the law or a checker says of it."""

    label: str
    change: str
    reason: str
    objection: str
    mean: float


@dataclass(frozen=True)
class Outcome:
    """The list under the changes.

    Attributes:
        band: how far words alone move the list for these facts.
        joint: the changes together.
        interaction: the move together less the sum of the moves apart; None for a single change.
        turned_on: by id, what the decisions that came in or left turned on.
    """

    band: float
    changes: tuple[Told, ...]
    joint: Beside
    interaction: float | None
    turned_on: Mapping[str, str]


router = APIRouter(include_in_schema=False)
"""`/results/{job}/what-if`."""


@router.get("/results/{job}/what-if")
def show_what_if(
    made: TheAnalysis,
    request: Request,
    e: Wishes = [],  # noqa: B006
    n: Wishes = [],  # noqa: B006
    suppose: Annotated[str, Query(max_length=1_000)] = "",
) -> Response:
    """Show the page; or only its result, where htmx asks for it.

    `e` is the id of a change or `off:FACT`, `n` is `FACT=NUMBER`.
    """
    problem, outcome, corpus = "", None, made.corpus
    partial = "hx-request" in request.headers
    with made.workspace.turns.turn():
        opened = made.workspace.opened(made.job)
        try:
            if edits := edits_of(opened, e, n, suppose):
                outcome = outcome_of(opened, edits, made.result["analysis"], corpus)
        except InputError as error:
            problem = one_line(error)
        facts = () if partial else opened.sheet.facts
        controls = [_control(opened, fact, e, n) for fact in facts]
    values: dict[str, Any] = {"outcome": outcome, "problem": problem}
    if partial:
        return html("_what_if.html", **values, job=made.job)
    return made.show(
        "what_if.html", **values, controls=controls, suppose=suppose, asked=request.url.query
    )


def edits_of(
    opened: Opened, chosen: Sequence[str], numbers: Sequence[str], supposed: str
) -> list[Edit]:
    """The edits that a form asks for.

    Raises:
        InputError: one is not known, cannot be worded, or contradicts another.
    """
    edits = []
    for wish in filter(None, chosen):
        what, colon, fact_id = wish.partition(":")
        known = opened.without.get(fact_id) if colon and what == OFF else opened.proposed.get(wish)
        if known is None:
            raise InputError("this change is not on offer; load the page again")
        edits.append(known)
    for wish in filter(None, numbers):
        fact_id, _, number = wish.rpartition("=")
        if number and (moved := _moved(opened, fact_id, number)) is not None:
            edits.append(moved)
    read = read_suppositions(opened.sheet, [supposed] if supposed.strip() else [])
    if read.problems:
        raise InputError(read.problems[0])
    edits += read.edits
    if len(edits) > MOST_CHANGES:
        raise InputError(f"{len(edits)} changes at once; choose at most {MOST_CHANGES}")
    if not compatible(edits):
        raise InputError("two of the suppositions change the same fact; choose one")
    return edits


def outcome_of(
    opened: Opened, edits: Sequence[Edit], analysis: dict[str, Any], corpus: OpenCorpus
) -> Outcome:
    """The list under the changes, and under each of them alone, as the tree would give it."""
    joint = State.of(edits)
    alone = [State.of([edit]) for edit in edits] if len(edits) > 1 else []
    first = opened.base
    together, *apart = opened.search.rank([joint, *alone])
    top_k = opened.search.top_k
    band = band_of(analysis, [fact_id for edit in edits for fact_id in edit.fact_ids]) or 0.0
    when = facts_period(opened.sheet.occurred_on)
    ranked = (*first.case_ids, *together.case_ids)
    titles = {case: corpus.title_of(case, when) for case in ranked}

    def compared(case_ids: tuple[str, ...]) -> Beside:
        return beside(first.case_ids, case_ids, titles, top_k, band)

    whole = compared(together.case_ids)
    moved = set(first.case_ids) ^ set(together.case_ids)
    points = {case: corpus.quoter.turned_on(case) for case in moved}
    means = [compared(ranking.case_ids).mean for ranking in apart] or [whole.mean]
    return Outcome(
        band,
        tuple(_told(opened.sheet, edit, mean) for edit, mean in zip(edits, means, strict=True)),
        whole,
        whole.mean - sum(means) if apart else None,
        {case: own[0] for case, own in points.items() if own},
    )


def _told(sheet: FactSheet, edit: Edit, mean: float) -> Told:
    verdict = open_validator("rules").judge(sheet, (edit,))
    objection = edit.note if verdict.plausible else verdict.reason
    return Told(edit.supposition, statements_of(sheet, edit)[1], edit.reason, objection, mean)


def _control(opened: Opened, fact: Fact, chosen: Sequence[str], numbers: Sequence[str]) -> Control:
    own = [edit for edit in opened.proposed.values() if edit.fact_id == fact.fact_id]
    choices = [("", "as it is")]
    if fact.fact_id in opened.without:
        choices.append((f"{OFF}:{fact.fact_id}", "left out"))
    choices += [(edit.edit_id, edit.supposition) for edit in own if edit.after is not None]
    taken = next((value for value, _ in choices if value and value in chosen), "")
    stands = {name: number for name, _, number in (wish.rpartition("=") for wish in numbers)}
    slider = _slider(opened.sheet, fact)
    return Control(
        fact, fact_label(fact), tuple(choices), taken, slider, stands.get(fact.fact_id, "")
    )


def _slider(sheet: FactSheet, fact: Fact) -> Slider | None:
    """The slider of a figure that the narrative states; with the lines that the law draws there."""
    value = fact.value
    if not isinstance(value, NumericalValue) or value.upper is not None:
        return None
    marks = {
        at: Mark(round(at, 6), line.provision, line.reason)
        for line in reversed(lines_of(sheet, value))
        if (at := line.at(value.unit)) is not None
    }
    high = max([value.value, *marks]) * _WIDE
    if high <= 0:
        return None
    whole = value.kind in ("age", "count") or (value.value == int(value.value) and high > _STEPS)
    step = max(1.0, float(int(high / _STEPS))) if whole else float(f"{high / _STEPS:.1g}")
    top = -(-high // step) * step
    return Slider(0.0, top, step, value.value, value.unit, tuple(marks[at] for at in sorted(marks)))


def _moved(opened: Opened, fact_id: str, number: str) -> Edit | None:
    """The edit that puts another figure in the place of a fact's; None where it is the same."""
    try:
        fact, to = opened.sheet.fact(fact_id), float(number)
    except (KeyError, ValueError):
        raise InputError("a figure could not be read; load the page again") from None
    value = fact.value
    if not isinstance(value, NumericalValue) or not 0 <= to <= 1e15:
        raise InputError("this figure cannot be moved")
    if to == value.value:
        return None
    after = replace(value, value=to)
    for edit in opened.proposed.values():
        if edit.fact_id == fact_id and edit.after == after:
            return edit
    return suppose_value(opened.sheet, fact, to)
