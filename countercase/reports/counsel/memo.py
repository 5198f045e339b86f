"""What suppositions do to the authorities: which go out, come in, are told apart; and the memo of it.

memo.html is one template; Word and Markdown are written from its elements, as those of the report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from countercase.counterfactual.displacement import displacement
from countercase.counterfactual.lawful import open_validator
from countercase.fact_types.suppositions import statements_of
from countercase.facts.edits import Edit, apply_edits
from countercase.facts.model import SectionValue
from countercase.law.provisions import provision_name
from countercase.reports.counsel.authorities import Authority, Brief, Point, Records
from countercase.reports.drawings.canvas import drawing_css
from countercase.reports.page import docx_page, markdown_page
from countercase.reports.view import View, find_strongest
from countercase.reports.wording import UNNAMED, render, say


@dataclass(frozen=True)
class Turned:
    """A decision under a supposition.

    Args:
        before, rank: its place without and with the supposition; 0 where it is not in the list.
        there: what it turned on that the supposition speaks of, as it stood there; "" if nothing.
        was, now: the points that the supposition marks otherwise, without and with it.
        near: the points of the kind of what is supposed, but for provisions.
    """

    authority: Authority
    before: int
    rank: int
    there: str
    was: tuple[Point, ...]
    now: tuple[Point, ...]
    near: tuple[Point, ...] = ()


@dataclass(frozen=True)
class Reading:
    """An edit as it was read, and what must be known of it.

    `before` and `after` are the statement of its fact; "" where it is not known.
    """

    edit: Edit
    before: str
    after: str
    note: str


@dataclass(frozen=True)
class Supposed:
    """What suppositions that hold together do to the list.

    Args:
        stays: the provisions of the case that stay as they are.
        differs: the decisions that stay although a fact they turned on is another then.
        compare: those that stay and turned on such a fact, whatever became of it.
        others: those that stay where no such fact was read of what they turned on.
        of: how many decisions the list has.
        mean: the mean rank displacement.
        reworded: how many decisions other words for the same facts change; None: not measured.
    """

    readings: tuple[Reading, ...]
    stays: tuple[str, ...]
    out: tuple[Turned, ...]
    came: tuple[Turned, ...]
    differs: tuple[Turned, ...]
    compare: tuple[Turned, ...]
    others: tuple[Turned, ...]
    of: int
    mean: float
    reworded: int | None

    @property
    def name(self) -> str:
        """The suppositions without what follows from them."""
        return name_together(it.edit.supposed for it in self.readings)

    @property
    def groups(self) -> list[tuple[str, str, tuple[Turned, ...]]]:
        """The decisions to be looked at, by what becomes of them."""
        groups = (
            ("out", "Goes out", self.out),
            ("in", "Comes in", self.came),
            ("differs", "Stays but differs", self.differs),
            ("compare", "Stays, and turned on such a fact: compare", self.compare),
        )
        return [group for group in groups if group[2]]

    @property
    def summary(self) -> str:
        """How many decisions change, and how many rewording alone changes."""
        return say("changed", self)


def name_together(suppositions: Iterable[str]) -> str:
    """Return suppositions that hold together as one."""
    first, *others = suppositions
    return " and ".join([first, *(it.replace("Suppose", "suppose", 1) for it in others)])


@dataclass(frozen=True)
class SmallestChange:
    """The fewest suppositions after which a decision comes in or goes out, and their state's id."""

    state: str
    name: str


def find_smallest_changes(tree: Mapping[str, Any]) -> dict[str, SmallestChange]:
    """Return the smallest measured change of each decision that comes in or goes out, by its id.

    Of as many suppositions in tree.json those are taken that change least else in the list.
    """
    edits = [link["edit"] for link in tree["links"]]
    # An analysis that was stored by an earlier version has only the whole supposition.
    told = {it["id"]: it.get("supposed") or it["supposition"].rstrip(".") for it in edits}
    lists = {it["id"]: {row["case_id"] for row in it["ranking"]} for it in tree["nodes"]}
    root, found = lists["root"], dict[str, SmallestChange]()
    states = [node for node in tree["nodes"] if node["edits"] and node["ranking"]]
    for node in sorted(states, key=lambda it: (len(it["edits"]), len(lists[it["id"]] ^ root))):
        change = SmallestChange(node["id"], name_together(told[it] for it in node["edits"]))
        found |= {case_id: change for case_id in lists[node["id"]] ^ root if case_id not in found}
    return found


def suppose_list(
    records: Records, edits: Sequence[Edit], before: Sequence[str], after: Sequence[str],
    top_k: int, reworded: Sequence[Sequence[str]] = (),
) -> Supposed:  # fmt: skip
    """Return what edits do to a list: ids of decisions `before` and `after`, of at most `top_k`.

    `reworded` are the lists of the case with the same facts in other words. An edit against which
    the law speaks has that for its note.
    """
    sheet, changed = records.sheet, apply_edits(records.sheet, edits)
    kept, ids = set(before), {fact_id for edit in edits for fact_id in edit.fact_ids}
    told = " ".join(text for edit in edits for text in statements_of(sheet, edit))
    known = {it.fact_id: it for it in (*sheet.facts, *changed.facts)}.values()
    supposed = [it for it in known if it.fact_id in ids or it.fact_type == "Section"]
    about = replace(changed, facts=tuple(supposed))

    def turned(case_id: str) -> Turned:
        old, now = records.authority(case_id), records.points(case_id, changed)
        other = [pair for pair in zip(old.points, now, strict=True) if pair[0].mark != pair[1].mark]
        place, rank = (ids.index(case_id) + 1 if case_id in ids else 0 for ids in (before, after))
        was, now = (tuple(pair[at] for pair in other) for at in (0, 1))
        near = tuple(
            point
            for point, alone in zip(old.points, records.points(case_id, about), strict=True)
            if alone.mark != "not known" and point.fact.fact_type != "Section"
        )
        return Turned(old, place, rank, records.stood(case_id, told), was, now, near)

    stayed = [turned(case_id) for case_id in after if case_id in kept]
    provisions = [fact for fact in sheet.facts if isinstance(fact.value, SectionValue)]
    unchanged = [it for it in stayed if not it.was]
    judge, readings = open_validator("rules"), []
    for edit in edits:
        verdict = judge.judge(sheet, (edit,))
        note = edit.note if verdict.plausible else verdict.reason
        readings.append(Reading(edit, *statements_of(sheet, edit), note))
    return Supposed(
        readings=tuple(readings),
        stays=tuple(provision_name(str(it.value)) for it in provisions if it.fact_id not in ids),
        out=tuple(turned(case_id) for case_id in before if case_id not in after),
        came=tuple(turned(case_id) for case_id in after if case_id not in kept),
        differs=tuple(it for it in stayed if it.was),
        compare=tuple(it for it in unchanged if it.near or it.there),
        others=tuple(it for it in unchanged if not it.near and not it.there),
        of=len(before),
        mean=displacement(before, after, top_k).mean,
        reworded=max((len(kept.difference(ids)) for ids in reworded), default=None),
    )


class Memo:
    """What a memo says of a case: with the suppositions that it tells, `pinned` by a user or not."""

    def __init__(
        self, analysis: Mapping[str, Any], records: Records, supposed: Sequence[Supposed] = (),
        pinned: bool = True,
    ) -> None:  # fmt: skip
        self.analysis, self.sheet = analysis, records.sheet
        self.is_pinned = pinned
        self.supposed = [it for it in supposed if pinned or len(it.out) > (it.reworded or 0)]
        self.client = dict(records.sides)[records.side]
        is_named = self.sheet.title or self.sheet.case_id != UNNAMED
        self.title = self.sheet.title or self.sheet.case_id if is_named else say("memo_title", self)
        self.brief = Brief(analysis, records)

    @cached_property
    def page(self) -> str:
        """The memo as HTML."""
        return render("memo.html.j2", m=self, css=drawing_css())


def memo_of(view: View) -> Memo:
    """Return the memo of an analysis: with what its user supposed, else with its strongest what-ifs."""
    result, tree, records = view.result, view.result.tree, view.records
    edges = {it.edit.edit_id: it for it, _ in tree.measured() if it.source == "root"}
    by_hand = [edge for edge in edges.values() if edge.edit.by_hand]
    first = [edges[link["edit"]["id"]] for link in find_strongest(view.analysis, view.tree)]
    root, supposed = result.analysis.precedents.case_ids, []
    for edge in by_hand or first:
        ranking = tree.node(edge.target).ranking
        own = [it for it in result.analysis.nulls if it.edit.fact_id == edge.edit.fact_id]
        # Where none was measured of the fact, as of one that is added, all others stand for it.
        restated = [it.case_ids[: len(root)] for it in own or result.analysis.nulls if it.case_ids]
        after = root if ranking is None else ranking.case_ids
        top_k = tree.settings.top_k
        supposed.append(suppose_list(records, [edge.edit], root, after, top_k, restated))
    return Memo(view.analysis, records, supposed, pinned=bool(by_hand))


MEMO_FILES: Final[Mapping[str, Callable[[Memo], str | bytes]]] = {
    "memo.html": lambda memo: memo.page,
    "memo.docx": lambda memo: docx_page(memo.page),
    "memo.md": lambda memo: markdown_page(memo.page),
}
MEMO: Final = {name: lambda it, make=make: make(memo_of(it)) for name, make in MEMO_FILES.items()}
