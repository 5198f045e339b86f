"""The analysis as typed rows, which every report reads, and the reports written into a folder.

Every figure is taken from the data of analysis.json and tree.json, so that all files agree.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from countercase.counterfactual.null_floor import LEVEL
from countercase.errors import InputError
from countercase.facts.edits import BY_HAND
from countercase.facts.model import Side
from countercase.io import write_files
from countercase.registry import REPORT_FORMATS
from countercase.reports import wording
from countercase.reports.analysis_json import analysis_document
from countercase.reports.counsel.authorities import Records
from countercase.reports.drawings import charts
from countercase.reports.drawings.canvas import Drawing
from countercase.reports.evaluation import accuracy_note
from countercase.reports.text import Stretch, stretches
from countercase.reports.tree_files import tree_document
from countercase.session import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CITED: Final = 3
"""Changes that the summary tells."""


def find_strongest(analysis: Mapping[str, Any], tree: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the links of tree.json that are told first, no two with one result.

    Of each fact that moves the list it is the strongest one, until there are enough of them; then of
    other facts one after which decisions come or go, first what goes furthest beyond other words.
    """
    links = [it for it in tree["links"] if it["source"] == "root" and it["mean_displacement"]]
    links.sort(key=lambda it: it["mean_displacement"])
    strongest = {it["edit"]["fact_id"]: it for it in links if it["edit"]["rule"] != BY_HAND}
    facts = wording.strongest_first(analysis["facts"])
    noise = {it["fact_id"]: it["noise"] or 0.0 for it in facts}
    others = [name for name, it in strongest.items() if it["dropped"]]
    others.sort(key=lambda it: noise[it] - strongest[it]["mean_displacement"])
    moving = [it["fact_id"] for it in facts if it["verdict"] == "dispositive"]
    lists = {it["id"]: frozenset(row["case_id"] for row in it["ranking"]) for it in tree["nodes"]}
    chosen = dict[frozenset[str], Mapping[str, Any]]()
    for link in (strongest[fact_id] for fact_id in (*moving, *others)):
        chosen.setdefault(lists[link["target"]], link)
    return [*chosen.values()][:CITED]


class View:
    """What all reports of an analysis show, for the side that the reader acts for.

    Attributes:
        analysis: the data of analysis.json; `headline` and `precedents` are of it.
        accuracy: how often a verdict is right.
        k_line: where the conclusion depends on the length of the list.
        null_moves: how far each restatement moved the list, in places.
        level: the chance, at most, that words alone make a fact dispositive.
        filters: which decisions could be found; "" where any could.
        narrative_sum: the SHA-256 of the narrative.
    """

    def __init__(self, result: Result, side: Side = "petitioner") -> None:
        self.result, self.sheet, self.side = result, result.analysis.sheet, side
        self.analysis: dict[str, Any] = analysis_document(result)
        self.title = wording.name_matter(self.sheet.title, self.sheet.case_id, self.sheet.narrative)
        self.level = LEVEL
        self.headline: str = self.analysis["headline"]
        self.precedents: list[dict[str, Any]] = self.analysis["precedents"]
        labels = {fact["fact_id"]: fact["label"] for fact in self.analysis["facts"]}
        self.accuracy = accuracy_note(result)
        self.k_line = wording.say("k_line", self.analysis["panel"], labels)
        self.filters = wording.say("only", self.analysis["filters"])
        narrative = self.sheet.narrative.encode("utf-8", "replace")
        self.narrative_sum = hashlib.sha256(narrative).hexdigest()
        self.null_moves = [null["mean_displacement"] for null in self.analysis["null_edits"]]

    @cached_property
    def tree(self) -> dict[str, Any]:
        """The data of tree.json, made for the reports that show it."""
        return tree_document(self.result)

    @property
    def warnings(self) -> list[str]:
        """What must be known before the rest: filters, a weak match, law that is lacking."""
        lines = (
            "" if self.analysis["complete"] else wording.say("stopped"),
            *(f"Left out: {line}" for line in self.analysis["left_out"]),
            wording.language_note(self.sheet.narrative),
            wording.say("outdated", self.sheet),
            self.filters and f"Searched only: decisions {self.filters}.",
            wording.say("weak") if self.analysis["weak_match"] else "",
            wording.say("thin", self.analysis["coverage"]),
        )
        return [*filter(None, lines)]

    @cached_property
    def records(self) -> Records:
        """The records of the corpus, held against the case for the side."""
        titles, source = self.result.titles, self.result.settings.JUDGMENT_URL
        return Records(self.analysis["corpus"], self.sheet, self.side, titles, source)

    @cached_property
    def facts(self) -> list[dict[str, Any]]:
        """The facts of analysis.json with a number from 1, the strongest first, then as on the sheet."""
        ordered = wording.strongest_first(self.analysis["facts"])
        return [{**fact, "number": number} for number, fact in enumerate(ordered, 1)]

    @property
    def narrative(self) -> list[Stretch]:
        """The narrative with the numbers of the facts that it states."""
        numbers = {fact["fact_id"]: fact["number"] for fact in self.facts}
        mentions = [(numbers[it.fact_id], span) for it in self.sheet.facts for span in it.spans]
        return stretches(self.sheet.narrative, mentions)

    @cached_property
    def edits(self) -> list[dict[str, Any]]:
        """Every edit of tree.json once, in the order of the facts, with what it did.

        `number` is that of its fact (0: none of the case), `law` stands as on the day of the case,
        `moved` is in places (None: not measured alone), `left` and `came` count precedents,
        `went_out` and `came_in` are those explained, `status` and `note` are of its state.
        """
        numbers = {fact["fact_id"]: fact["number"] for fact in self.facts}
        rows = dict[str, dict[str, Any]]()
        nodes = {node["id"]: node for node in self.tree["nodes"]}
        told = {it["edit_id"]: it for it in self.analysis["what_ifs"]}
        for link in sorted(self.tree["links"], key=lambda link: link["source"] != "root"):
            edit, target = link["edit"], nodes[link["target"]]
            is_first, change = link["source"] == "root", told.get(edit["id"], {})
            rows.setdefault(edit["id"], {
                **edit, "number": numbers.get(edit["fact_id"], 0),
                "law": wording.law_on_the_day(edit["provision"], self.sheet),
                "moved": link["mean_displacement"] if is_first else None,
                "left": len(link["dropped"]), "came": len(link["new"]),
                "went_out": change.get("went_out", ()), "came_in": change.get("came_in", ()),
                "is_first": is_first, "status": target["status"], "note": target.get("reason", ""),
            })  # fmt: skip
        return sorted(rows.values(), key=lambda row: row["number"] or len(self.facts) + 1)

    @property
    def strongest_edits(self) -> list[dict[str, Any]]:
        """The what-ifs that are told first."""
        by_id = {edit["id"]: edit for edit in self.edits}
        return [by_id[link["edit"]["id"]] for link in find_strongest(self.analysis, self.tree)]

    @property
    def telling_edits(self) -> list[dict[str, Any]]:
        """The what-ifs by hand, then those that moved the list by enough to be followed."""
        least = self.tree["graph"]["min_displacement"]
        by_hand = [it for it in self.edits if it["status"] == "by_hand"]
        moving = [it for it in self.edits if it not in by_hand and (it["moved"] or 0.0) >= least]
        return by_hand + sorted(moving, key=lambda it: -it["moved"])

    @cached_property
    def drawings(self) -> dict[str, Drawing]:
        """The facts over their null floor, the tree, and the lists around the strongest change.

        Where nothing was measured there are no such lists.
        """
        drawn = {
            "facts": charts.facts_drawing(self.analysis),
            "tree": charts.tree_drawing(self.tree, "#state-"),
        }
        if any(link["mean_displacement"] is not None for link in self.tree["links"]):
            drawn["compare"] = charts.compare_drawing(self.tree, self.analysis, self.result.titles)
        return drawn


ReportFormat: TypeAlias = Mapping[str, Callable[[View], str | bytes]]
"""A report format: the files that it writes, by name, each with what makes it of a view."""


def reports(
    result: Result, formats: Sequence[str] = (), side: Side = "petitioner"
) -> dict[str, str | bytes]:
    """Return the reports of an analysis by file name; a `ConfigError` for a format nobody registered.

    By default these are all formats but `terminal`, which is for the screen.
    """
    names = formats or [name for name in REPORT_FORMATS.names() if name != "terminal"]
    view = View(result, side)
    return {file: make(view) for name in names for file, make in REPORT_FORMATS.get(name).items()}


def plot(result: Result, name: str) -> Figure:
    """Return a drawing, `facts`, `tree` or `compare`, for matplotlib; an `InputError` without one."""
    view = View(result)
    if not view.facts or name not in view.drawings:
        raise InputError("nothing was measured, so there is nothing to plot")
    return view.drawings[name].plot(view.title)


def write_reports(result: Result, out: Path, side: Side = "petitioner") -> list[Path]:
    """Write the `reports` into `out`; a `StoreError` as of `write_files`."""
    return write_files(out, reports(result, side=side))
