"""What if: facts changed at will, and the list at once beside that of the case as it is.

What is asked here is stored nowhere and counts in no sensitivity. The address holds all of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import Field

from countercase.counterfactual.states import State
from countercase.counterfactual.suppose import read_suppositions, suppose_value
from countercase.counterfactual.validators import open_validator
from countercase.errors import InputError
from countercase.explanation.labels import fact_label
from countercase.fact_types.lines import lines_of
from countercase.fact_types.suppositions import statements_of
from countercase.facts.edits import Edit, compatible
from countercase.facts.model import Fact, FactSheet, NumericalValue
from countercase.reports.wording import band_of
from countercase.text.spans import one_line
from countercase.web.pages.results import Finished, TheAnalysis
from countercase.web.pages.views import compare_lists
from countercase.web.render import html
from countercase.web.workspace import Opened

MOST_CHANGES: Final = 6
OFF: Final = "off"
_WIDE: Final = 1.5
_STEPS: Final = 200

Wishes = Annotated[list[Annotated[str, Field(max_length=300)]], Query(max_length=1_000)]


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
    problem, outcome = "", None
    partial = "hx-request" in request.headers
    with made.workspace.turns.turn():
        opened = made.workspace.opened(made.job)
        try:
            if edits := edits_of(opened, e, n, suppose):
                outcome = outcome_of(opened, edits, made)
        except InputError as error:
            problem = one_line(str(error))
        stands = {name: number for name, _, number in (wish.rpartition("=") for wish in n)}
        facts = () if partial else opened.sheet.facts
        controls = [_control(opened, fact, e, stands) for fact in facts]
    values: dict[str, Any] = {"outcome": outcome, "problem": problem}
    if partial:
        return html("_what_if.html", **values, job=made.job)
    return made.show(
        "what_if.html", **values, controls=controls, suppose=suppose, asked=request.url.query
    )


def edits_of(
    opened: Opened, chosen: Sequence[str], numbers: Sequence[str], supposed: str
) -> list[Edit]:
    """Return the edits that a form asks for.

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


def outcome_of(opened: Opened, edits: Sequence[Edit], made: Finished) -> dict[str, Any]:
    """Return the list under the changes, and under each of them alone, as the tree would give it.

    `band` is how far words alone move the list for these facts, `interaction` the move together
    less the sum of the moves apart (None for a single change), and `turned_on` what the decisions
    that came in or left turned on.
    """
    alone = [State.of([edit]) for edit in edits] if len(edits) > 1 else []
    first = opened.base.case_ids
    lists = [it.case_ids for it in opened.search.rank([State.of(edits), *alone])]
    facts = [fact_id for edit in edits for fact_id in edit.fact_ids]
    band = band_of(made.result["analysis"], facts) or 0.0
    ranked = (*first, *lists[0])
    titles = {case: made.corpus.title_of(case, made.when) for case in ranked}
    whole, *apart = (compare_lists(first, ids, titles, opened.search.top_k, band) for ids in lists)
    means = [one.mean for one in apart]
    points = {case: made.corpus.quoter.turned_on(case) for case in set(first) ^ set(lists[0])}
    return {
        "band": band,
        "joint": whole,
        "interaction": whole.mean - sum(means) if means else None,
        "turned_on": {case: own[0] for case, own in points.items() if own},
        "changes": [
            _describe(opened.sheet, edit) | {"mean": mean}
            for edit, mean in zip(edits, means or [whole.mean], strict=True)
        ],
    }


def _describe(sheet: FactSheet, edit: Edit) -> dict[str, str]:
    """Return a supposition with its statement and what the law or a checker says of it."""
    verdict = open_validator("rules").judge(sheet, (edit,))
    return {
        "label": edit.supposition,
        "change": statements_of(sheet, edit)[1],
        "reason": edit.reason,
        "objection": edit.note if verdict.plausible else verdict.reason,
    }


def _control(
    opened: Opened, fact: Fact, chosen: Sequence[str], numbers: Mapping[str, str]
) -> dict[str, Any]:
    """Return what can be done to a fact; the first choice leaves it as it is."""
    choices = {"": "as it is"}
    if fact.fact_id in opened.without:
        choices[f"{OFF}:{fact.fact_id}"] = "left out"
    for edit in opened.proposed.values():
        if edit.fact_id == fact.fact_id and edit.after is not None:
            choices[edit.edit_id] = edit.supposition
    return {
        "fact": fact,
        "label": fact_label(fact),
        "choices": choices,
        "chosen": next((value for value in choices if value and value in chosen), ""),
        "slider": _slider(opened.sheet, fact),
        "number": numbers.get(fact.fact_id, ""),
    }


def _slider(sheet: FactSheet, fact: Fact) -> dict[str, Any] | None:
    """Return the slider of a figure, with the lines that the law draws there; None without one."""
    value = fact.value
    if not isinstance(value, NumericalValue) or value.upper is not None:
        return None
    lines = {at: it for it in lines_of(sheet, value)[::-1] if (at := it.at(value.unit)) is not None}
    high = max([value.value, *lines]) * _WIDE
    if high <= 0:
        return None
    whole = value.kind in ("age", "count") or (value.value == int(value.value) and high > _STEPS)
    step = max(1.0, float(int(high / _STEPS))) if whole else float(f"{high / _STEPS:.1g}")
    marks = [
        {"at": round(at, 6), "provision": lines[at].provision, "reason": lines[at].reason}
        for at in sorted(lines)
    ]
    return {
        "low": 0.0, "high": -(-high // step) * step, "step": step, "value": value.value,
        "unit": value.unit, "marks": marks,
    }  # fmt: skip


def _moved(opened: Opened, fact_id: str, number: str) -> Edit | None:
    """Return the edit that puts another figure in the place of a fact's; None where it is the same."""
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
