"""The analysis as typed rows, which every report reads.

Every figure is taken from the data of analysis.json and tree.json, so that all files agree.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from countercase import __version__
from countercase.counterfactual.null_floor import LEVEL
from countercase.reports.analysis_json import analysis_document
from countercase.reports.drawings.canvas import Drawing
from countercase.reports.drawings.compare import compare_drawing, ranked_lists, strongest_state
from countercase.reports.drawings.facts import facts_drawing
from countercase.reports.drawings.tree import tree_drawing
from countercase.reports.evaluation import accuracy_note
from countercase.reports.outline import Line, outline
from countercase.reports.text import Stretch, stretches
from countercase.reports.tree_json import tree_document
from countercase.reports.wording import (
    ADDED,
    STOPPED,
    cover_notes,
    disjoint,
    filter_words,
    floor_of,
    k_line_of,
    law_on_the_day,
    strength,
    type_headings,
    verdict_meanings,
)
from countercase.text.dates import in_full

if TYPE_CHECKING:
    from countercase.session import Result

MARKED: Final = 4
"""Fact types that have a colour and an underline of their own; all others share one more."""
CITED: Final = 3
"""Facts whose strongest change the summary tells."""


@dataclass(frozen=True)
class FactRow:
    """A fact, the strongest first.

    Args:
        number: from 1.
        heading: of its fact type.
        verdict: as in analysis.json; `verdict_word` says it.
        moved, floor: how far its strongest what-if and words alone move the list, in places.
        supposition: its strongest what-if; empty where there is none.
        learnt: its salience; a dash where no model says it.
        edges: how many what-ifs were measured of it.
        calibrated: the null floor as in analysis.json; None where verdicts rest on a threshold.
        is_added: whether only an edit adds it to the case.
        is_stated: whether the narrative states it.
    """

    number: int
    fact_id: str
    fact_type: str
    heading: str
    label: str
    verdict: str
    moved: float | None
    floor: float | None
    supposition: str
    learnt: str
    edges: int
    calibrated: Mapping[str, Any] | None
    is_added: bool
    is_stated: bool

    @property
    def full_label(self) -> str:
        """The label; of a fact that the case does not have it says so."""
        return self.label + ADDED * self.is_added


@dataclass(frozen=True)
class EditRow:
    """A what-if with the statement of its fact before and after.

    Args:
        number: of the fact that it changes; 0 where that is no fact of the case.
        label: the supposition.
        law: the provision that it rests on, as it stands on the date of the case.
        before, after: the statement of the fact as it is and as the edit makes it.
        moved: how far it moved the list of the case as it is; None where it was not measured alone.
        left, came: how many precedents it takes out of the list and brings in.
        went_out, came_in: those of them that are explained, as in analysis.json.
        refused: why it was refused; empty where it was not.
        is_first: whether it changes the case as it is, and not only a state of it.
        by_hand, note: whether a user worded it, and what must be known of it then.
    """

    edit_id: str
    number: int
    label: str
    law: str
    before: str
    after: str
    moved: float | None
    left: int
    came: int
    went_out: Sequence[Mapping[str, Any]]
    came_in: Sequence[Mapping[str, Any]]
    refused: str
    is_first: bool
    by_hand: bool
    note: str


class View:
    """What all reports of an analysis show."""

    def __init__(self, result: Result) -> None:
        self.result, self.sheet = result, result.analysis.sheet
        self.analysis: dict[str, Any] = analysis_document(result)
        self.tree: dict[str, Any] = tree_document(result)
        self.title = self.sheet.title or self.sheet.case_id
        self.disjoint = disjoint(result.settings.TOP_K)
        self.level = LEVEL

    @property
    def headline(self) -> str:
        """The answer in a few sentences."""
        return str(self.analysis["headline"])

    @property
    def about(self) -> str:
        """The case, its law and the corpus in a line."""
        day, corpus = in_full(self.sheet.occurred_on), self.analysis["corpus"]
        parts = (
            f"Case {self.sheet.case_id}",
            day and f"law read as on {day}",
            f"corpus {corpus['name']}, {corpus['cases']:,} decisions"
            if corpus
            else "with a retriever of your own",
        )
        return " · ".join(filter(None, parts))

    @property
    def warnings(self) -> list[str]:
        """What must be known before the rest is read."""
        stopped = "" if self.analysis["complete"] else STOPPED
        return [*filter(None, [stopped]), *cover_notes(self.result)]

    @property
    def accuracy(self) -> str:
        """How often a verdict is right."""
        return accuracy_note(self.result)

    @property
    def k_line(self) -> str:
        """Where the conclusion depends on the length of the list."""
        return k_line_of(self.result.analysis)

    @property
    def precedents(self) -> list[dict[str, Any]]:
        """The precedents of the case as it is, as in analysis.json."""
        return list(self.analysis["precedents"])

    @cached_property
    def facts(self) -> list[FactRow]:
        """All facts, the strongest first, equal ones in the order of the sheet."""
        headings = type_headings()
        ordered = sorted(
            self.analysis["facts"], key=lambda it: strength(it["verdict"], it["sensitivity"])
        )
        return [
            FactRow(
                number=number,
                heading=headings[fact["fact_type"]],
                moved=fact["sensitivity"],
                floor=floor_of(fact),
                learnt="–" if fact["salience"] is None else f"{fact['salience']['value']:.2f}",
                is_added=fact["added"],
                is_stated=bool(fact["spans"]),
                **{name: fact[name] for name in _AS_IN_JSON},
            )
            for number, fact in enumerate(ordered, 1)
        ]

    @property
    def is_calibrated(self) -> bool:
        """Whether the verdicts rest on the null floor."""
        return any(fact.calibrated for fact in self.facts)

    @property
    def verdicts(self) -> list[tuple[str, str]]:
        """The verdicts of this report with their meaning."""
        return verdict_meanings({fact.verdict for fact in self.facts}, self.is_calibrated)

    @property
    def kinds(self) -> dict[str, int]:
        """The colour of each fact type, by name."""
        return {name: min(at, MARKED) for at, name in enumerate(type_headings())}

    @property
    def legend(self) -> list[tuple[int, str]]:
        """Colour and heading of the fact types of the case."""
        present = {fact.fact_type for fact in self.facts}
        return [
            (self.kinds[name], heading)
            for name, heading in type_headings().items()
            if name in present
        ]

    @property
    def kinds_measured(self) -> list[tuple[str, float | None]]:
        """The heading and the sensitivity of each fact type; None where nothing was measured."""
        headings = type_headings()
        return [(headings[name], value) for name, value in self.analysis["sensitivity"].items()]

    @property
    def narrative(self) -> list[Stretch]:
        """The narrative with the numbers of the facts that it states."""
        numbers = {fact.fact_id: fact.number for fact in self.facts}
        mentions = [
            (numbers[fact.fact_id], span) for fact in self.sheet.facts for span in fact.spans
        ]
        return stretches(self.sheet.narrative, mentions)

    @cached_property
    def edits(self) -> list[EditRow]:
        """Every edit of the tree once, in the order of the facts."""
        numbers = {fact.fact_id: fact.number for fact in self.facts}
        nodes = {node["id"]: node for node in self.tree["nodes"]}
        told = {it["edit_id"]: it for it in self.analysis["what_ifs"]}
        rows: dict[str, EditRow] = {}
        for link in sorted(self.tree["links"], key=lambda link: link["source"] != "root"):
            edit, target = link["edit"], nodes[link["target"]]
            is_first, by_hand = link["source"] == "root", target["status"] == "by_hand"
            change = told.get(edit["id"], {})
            row = EditRow(
                edit_id=edit["id"],
                number=numbers.get(edit["fact_id"], 0),
                label=edit["supposition"],
                law=law_on_the_day(edit["provision"], self.sheet),
                before=edit["statement_before"],
                after=edit["statement_after"],
                moved=link["mean_displacement"] if is_first else None,
                left=len(link["dropped"]),
                came=len(link["new"]),
                went_out=change.get("went_out", ()),
                came_in=change.get("came_in", ()),
                refused=target["reason"] if target["status"] == "rejected" else "",
                is_first=is_first,
                by_hand=by_hand,
                note=target.get("reason", "") if by_hand else "",
            )
            rows.setdefault(row.edit_id, row)
        return sorted(rows.values(), key=lambda row: row.number or len(self.facts) + 1)

    @property
    def strongest_edits(self) -> list[EditRow]:
        """The strongest what-if of each of the first facts that move the list."""
        moving = [fact.number for fact in self.facts if fact.verdict == "dispositive"][:CITED]
        own = [[it for it in self.edits if it.number == number] for number in moving]
        return [max(edits, key=lambda it: it.moved or 0.0) for edits in own if edits]

    @property
    def telling_edits(self) -> list[EditRow]:
        """The what-ifs by hand, then those that moved the list by enough to be followed."""
        least = self.tree["graph"]["min_displacement"]
        telling = [it for it in self.edits if it.by_hand or (it.moved or 0.0) >= least]
        return sorted(telling, key=lambda it: (not it.by_hand, -(it.moved or 0.0)))

    @property
    def other_edits(self) -> list[EditRow]:
        """The other what-ifs of the case as it is."""
        telling = self.telling_edits
        return [it for it in self.edits if it.is_first and it not in telling]

    @property
    def null_moves(self) -> list[float]:
        """How far each restatement moved the list."""
        return [null["mean_displacement"] for null in self.analysis["null_edits"]]

    @cached_property
    def states(self) -> tuple[Line, ...]:
        """Every state but the root, each below the state that it was made from."""
        return outline(self.result.tree)

    @property
    def ranker_weights(self) -> list[tuple[str, float]]:
        """The rankers with their weights in the fusion."""
        settings = self.result.settings
        return [(name, settings.retrieval().weight_of(name)) for name in settings.RANKERS]

    @property
    def provenance(self) -> list[tuple[str, str]]:
        """What the analysis was made of, so that it can be repeated."""
        sheet, corpus = self.sheet, self.analysis["corpus"]
        text = sheet.narrative.encode("utf-8", "replace")
        rows = [
            ("Case", sheet.case_id),
            ("Law read as on", in_full(sheet.occurred_on) or "no date is given"),
            ("SHA-256 of the narrative", hashlib.sha256(text).hexdigest()),
            ("Program", f"CounterCase {__version__}"),
        ]
        if corpus:
            size = f"{corpus['cases']:,} decisions in {corpus['chunks']:,} passages"
            rows += [
                ("Corpus", f"{corpus['name']}: {size}"),
                ("Corpus checksum", corpus["checksum"]),
            ]
        else:
            rows.append(("Corpus", "a retriever of your own: its corpus and models are not known"))
        rows += [(f"Model, {role}", name) for role, name in self.analysis["models"].items()]
        if only := filter_words(self.analysis["filters"]):
            rows.append(("Decisions searched", f"only those {only}"))
        if self.analysis["excluded"]:
            rows.append(("Left out, as the case itself", ", ".join(self.analysis["excluded"])))
        return rows

    @cached_property
    def facts_drawing(self) -> Drawing:
        """The facts over their null floor."""
        return facts_drawing(self.analysis)

    @cached_property
    def compare_drawing(self) -> Drawing | None:
        """The list before and after the strongest change; None where nothing was measured."""
        if all(link["mean_displacement"] is None for link in self.tree["links"]):
            return None
        lists = ranked_lists(self.tree, ["root", strongest_state(self.tree)], self.analysis)
        return compare_drawing(lists, self.result.titles, self.tree["graph"]["top_k"])

    @cached_property
    def tree_drawing(self) -> Drawing:
        """The tree, each state leading to its row in the table of states."""
        return tree_drawing(self.tree, "#state-")


_AS_IN_JSON: Final = (
    "fact_id", "fact_type", "label", "verdict", "supposition", "edges", "calibrated",
)  # fmt: skip
