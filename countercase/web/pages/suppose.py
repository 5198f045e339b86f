"""Suppose: facts stated otherwise, and what becomes of the authorities; several side by side.

What is asked here is stored nowhere and counts in no sensitivity. The address holds all of it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Final, Literal
from urllib.parse import parse_qs, urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import Field
from starlette.exceptions import HTTPException

from countercase.counterfactual.proposals import make_edit, propose, propose_nulls
from countercase.counterfactual.states import State
from countercase.counterfactual.suppose import read_suppositions
from countercase.errors import InputError
from countercase.explanation.reasons import fact_label
from countercase.fact_types.catalogue import matter_of
from countercase.fact_types.lines import lines_of, near_lines
from countercase.facts.edits import Edit, apply_edits, compatible
from countercase.facts.model import Fact, FactSheet, NumericalValue
from countercase.reports.counsel import memo as memos
from countercase.reports.view import find_strongest
from countercase.text.spans import one_line
from countercase.text.units import convert
from countercase.web.pages.results import Made, TheAnalysis
from countercase.web.render import attach, html
from countercase.web.workspace import Opened

MOST_CHANGES: Final = 6
MOST_PINNED: Final = 4
MOST_RESTATED: Final = 4
"""Restatements of the supposed facts that are measured for what rewording alone changes."""
STRONGEST: Final = 8
"""What-ifs that are offered first: of each fact the one that moves the list furthest."""
_WIDE: Final = 1.5
_STEPS: Final = 200

Wishes = Annotated[list[Annotated[str, Field(max_length=300)]], Query(max_length=1_000)]
Words = Annotated[str, Query(max_length=1_000)]
Pins = Annotated[list[Annotated[str, Field(max_length=3_000)]], Query(max_length=MOST_PINNED)]

router = APIRouter(include_in_schema=False)
"""`/results/{job}/suppose`, and the memo."""


@router.get("/results/{job}/suppose")
def show_suppose(
    made: TheAnalysis, request: Request,
    e: Wishes = [], n: Wishes = [], suppose: Words = "", pin: Pins = [],  # noqa: B006
) -> Response:  # fmt: skip
    """Show the page; or only its result, where htmx asks for it.

    `e` is the id of a what-if or `off:FACT`, `n` is `FACT=NUMBER` (a box: `n:FACT`), `pin` a query.
    """
    problems, tried, moved = list[str](), list[memos.Supposed](), list[str]()
    boxes = [f"{k[2:]}={it}" for k, it in request.query_params.items() if k.startswith("n:") and it]
    with made.worker.workspace.turns.turn():
        opened = made.worker.workspace.opened(made.job)
        for wish in filter(None, boxes or n):
            try:  # a figure that cannot be read keeps nothing else from being supposed
                if _move(opened, wish) or wish in n:
                    moved.append(wish)
            except InputError as error:
                problems.append(one_line(str(error)))
        asked = [("e", e), ("n", moved), ("suppose", [suppose.strip()])]
        query = urlencode([(name, it) for name, all_of in asked for it in all_of if it])
        try:
            tried = [_try(opened, made, it) for it in (*pin, *([query] if query else []))]
        except InputError as error:
            problems.append(one_line(str(error)))
        leading, others = _choices(opened, made)
    now = tried[-1] if query and tried else None

    def address(pins: Sequence[str], asked: str = "") -> str:
        fields = parse_qs(asked)
        own = [(name, it) for name in ("e", "n", "suppose") for it in fields.get(name, ())]
        return urlencode([*own, *(("pin", it) for it in pins), ("side", made.side)])

    values: dict[str, Any] = {
        "now": now, "pinned": list(zip(pin, tried, strict=False)), "problems": problems, "pins": pin,
        "current": query, "most": MOST_PINNED, "address": address,
    }  # fmt: skip
    if "hx-request" in request.headers:
        return html("_suppose.html", **values, job=made.job, side=made.side)

    offered = {edit.edit_id for edits in (leading, *others.values()) for edit in edits}
    return made.show(
        "suppose.html", **values, suppose=suppose, asked=request.url.query, chosen=e,
        facts=opened.sheet.facts, leading=leading, others=others,
        numbers={name: number for name, _, number in (it.rpartition("=") for it in (moved if boxes else n))},
        slider_of=partial(_slider, opened.sheet),
        hidden=[wish for wish in e if wish and wish not in offered],
    )  # fmt: skip


@router.get("/results/{job}/compare")
def show_state(made: TheAnalysis, s: Annotated[str, Query(max_length=300)] = "root") -> Response:
    """Go on to Suppose with the edits of a state of the tree."""
    edits = {node["id"]: node["edits"] for node in made.result["tree"]["nodes"]}
    if s not in edits:
        raise HTTPException(404, "The tree has no such state.")
    query = urlencode([*(("e", it) for it in edits[s]), ("side", made.side)])
    return RedirectResponse(f"/results/{made.job.id}/suppose?{query}#suppose-result", 303)


@router.get("/results/{job}/memo.{kind}")
def send_memo(
    made: TheAnalysis,
    kind: Literal["html", "docx", "md"],
    pin: Pins = [],  # noqa: B006
) -> Response:
    """Send the memo for a side with the suppositions that are pinned, else the strongest."""
    analysis, tree = made.result["analysis"], made.result["tree"]
    first = [urlencode([("e", it["edit"]["id"])]) for it in find_strongest(analysis, tree)]
    with made.worker.workspace.turns.turn():
        opened = made.worker.workspace.opened(made.job)
        tried = [_try(opened, made, asked) for asked in pin or first]
    memo = memos.Memo(analysis, made.records(), tried, pinned=bool(pin))
    name = f"memo.{kind}"
    return attach(name, memos.MEMO_FILES[name](memo), made.job.title)


def _try(opened: Opened, made: Made, query: str) -> memos.Supposed:
    """Return what the suppositions of a query do; an `InputError` as of `edits_of`."""
    asked = parse_qs(query)
    chosen, numbers, words = (asked.get(name, []) for name in ("e", "n", "suppose"))
    edits = edits_of(opened, chosen, numbers, " ".join(words))
    if not edits:
        raise InputError("this leaves every fact as it is; suppose one otherwise")
    facts = [fact for fact in opened.sheet.facts if any(fact.fact_id == it.fact_id for it in edits)]
    # A fact that is added has no words in the case: some that the case has stand for it.
    nulls = (propose_nulls(opened.sheet, facts) or propose_nulls(opened.sheet))[:MOST_RESTATED]
    states = [State.of(edits), *(State.of([null]) for null in nulls)]
    first = opened.base.case_ids
    after, *restated = (ranking.case_ids for ranking in opened.search.rank(states))
    records = made.records((*first, *after))
    return memos.suppose_list(records, edits, first, after, opened.search.top_k, restated)


def edits_of(
    opened: Opened, chosen: Sequence[str], numbers: Sequence[str], supposed: str
) -> list[Edit]:
    """Return the edits that a form asks for; those of a state of the tree stand in its order.

    An `InputError` is raised where one is not known, cannot be worded, or contradicts another.
    """
    edits = list[Edit]()
    for wish in sorted(filter(None, chosen), key=lambda it: it not in opened.proposed):
        own = (fact for fact in opened.sheet.facts if wish == f"off:{fact.fact_id}")
        off = (make_edit(opened.sheet, fact, "remove", None) for fact in own)
        known = opened.proposed.get(wish) or next(off, None)
        if known is None and edits and compatible(edits):  # on top of the others
            deeper = propose(apply_edits(opened.sheet, edits))
            known = next((it for it in deeper if it.edit_id == wish), None)
        if known is None:
            raise InputError("this what-if is not on offer; load the page again")
        edits.append(known)
    edits += filter(None, (_move(opened, wish) for wish in numbers if wish))
    read = read_suppositions(opened.sheet, [supposed] if supposed.strip() else [])
    if read.problems:
        raise InputError(read.problems[0].removeprefix(f"suppose {supposed!r}: "))
    edits += read.edits
    if len(edits) > MOST_CHANGES:
        raise InputError(f"{len(edits)} suppositions at once; choose at most {MOST_CHANGES}")
    if not compatible(edits):
        raise InputError("two of the suppositions change the same fact; choose one")
    return edits


def _choices(opened: Opened, made: Made) -> tuple[list[Edit], dict[str, list[Edit]]]:
    """Return the what-ifs that are offered first, and all others by the id of their fact."""
    moves = {it["edit_id"]: it["movement"] for it in made.result["analysis"]["what_ifs"]}
    by_move = sorted(opened.proposed.values(), key=lambda it: moves.get(it.edit_id, 0.0))
    strongest = {edit.fact_id: edit for edit in by_move}.values()
    leading = sorted(strongest, key=lambda it: -moves.get(it.edit_id, 0.0))[:STRONGEST]
    rest = [it for it in opened.proposed.values() if it not in leading]
    ids = (fact.fact_id for fact in opened.sheet.facts)
    return leading, {own: [it for it in rest if it.fact_id == own] for own in ids}


def _slider(sheet: FactSheet, fact: Fact) -> dict[str, Any] | None:
    """Return the slider of a figure, with the lines that the law draws there; None without one."""
    value = fact.value
    if not isinstance(value, NumericalValue) or value.upper is not None:
        return None
    drawn = near_lines if value.kind == "age" else lines_of  # a grown man has no line of a child
    lines = {at: it for it in drawn(sheet, value)[::-1] if (at := it.at(value.unit)) is not None}
    high = max([value.value, *lines]) * _WIDE
    if high <= 0:
        return None
    whole = value.kind in ("age", "count", "duration") and value.value == int(value.value)
    step = max(float(whole), 10.0 ** math.floor(math.log10(high / _STEPS)))
    return {
        "high": round(-(-high // step) * step, 9), "step": step, "value": value.value,
        "unit": value.unit, "marks": sorted(lines.items(), key=lambda line: line[0]),
        "matter": matter_of(sheet),
    }  # fmt: skip


def _move(opened: Opened, wish: str) -> Edit | None:
    """Return the edit of `FACT=NUMBER`, whose number may have a unit; None where the fact has it."""
    fact_id, _, written = wish.rpartition("=")
    fact = next((it for it in opened.sheet.facts if it.fact_id == fact_id), None)
    if fact is None or not isinstance(value := fact.value, NumericalValue):
        raise InputError("the case has no such figure; load the page again")
    try:
        to: float | None = float(written)
    except ValueError:  # with a unit, as a case says it
        alone = replace(opened.sheet, facts=(replace(fact, value=replace(value, context="")),))
        read = read_suppositions(alone, change=[f"{fact_id} = {written}"])
        figures = [it.after for it in read.edits if isinstance(it.after, NumericalValue)]
        to = next((convert(it.value, it.unit, value.unit) for it in figures if not it.upper), None)
    if to is None or not 0 <= to <= 1e15:
        raise InputError(f"{fact_label(fact)}: {written!r} could not be read as a number of it")
    if to == value.value:
        return None
    after = replace(value, value=to, upper=None)
    same = (it for it in opened.proposed.values() if (it.fact_id, it.after) == (fact_id, after))
    return next(same, None) or make_edit(opened.sheet, fact, "replace", after)
