"""What the report of an analysis says, before it becomes a page or a Word file.

Every figure is taken from the data of analysis.json and tree.json, so that all files agree.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from countercase.explanation.model import Quote
from countercase.facts.model import FactSheet
from countercase.reports.analysis_json import analysis_document
from countercase.reports.document.rows import (
    EditRow,
    FactRow,
    Stretch,
    law_on_the_day,
    stretches,
)
from countercase.reports.drawings.compare import compare_drawing, ranked_lists, strongest_state
from countercase.reports.drawings.facts import facts_drawing
from countercase.reports.drawings.shapes import Drawing
from countercase.reports.drawings.tree import tree_drawing
from countercase.reports.evaluation import accuracy_note
from countercase.reports.notes import cautions, cover_notes, meanings
from countercase.reports.outline import Line, outline
from countercase.reports.tree_json import tree_document
from countercase.reports.wording import (
    CALIBRATED_VERDICTS,
    VERDICTS,
    by_strength,
    filter_words,
    label_of,
    learnt,
    places,
    type_headings,
    verdict_of,
)
from countercase.text.dates import in_full

if TYPE_CHECKING:
    from countercase.session import Result

CITED: Final = 3
"""Facts whose strongest change the summary tells."""


class Content:
    """The parts of a report, in the order in which it shows them."""

    def __init__(self, result: Result) -> None:
        self.result = result
        self.sheet: FactSheet = result.analysis.sheet
        self.analysis: dict[str, Any] = analysis_document(result)
        self.tree: dict[str, Any] = tree_document(result)

    @property
    def title(self) -> str:
        """The name of the case."""
        return self.sheet.title or self.sheet.case_id

    @cached_property
    def facts(self) -> list[FactRow]:
        """All facts, the strongest first, numbered from 1."""
        made, headings = self.result.analysis, type_headings()
        data = {fact["fact_id"]: fact for fact in self.analysis["facts"]}
        return [
            FactRow(
                number,
                label_of(made, fact),
                headings[fact.fact.fact_type],
                verdict_of(fact),
                learnt(made, fact),
                data[fact.fact.fact_id],
            )
            for number, fact in enumerate(by_strength(made.facts), 1)
        ]

    @property
    def calibrated(self) -> bool:
        """Whether the verdicts rest on the null floor."""
        return any(fact.data["calibrated"] for fact in self.facts)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each fact by its id."""
        return {fact.data["fact_id"]: fact.number for fact in self.facts}

    @property
    def narrative(self) -> list[Stretch]:
        """The narrative with the numbers of the facts that it states."""
        mentions = [
            (self.numbers[fact.fact_id], span) for fact in self.sheet.facts for span in fact.spans
        ]
        return stretches(self.sheet.narrative, mentions)

    @property
    def kinds(self) -> dict[str, int]:
        """The place of each fact type in the legend, by name."""
        return {name: at for at, name in enumerate(type_headings())}

    @property
    def headings(self) -> list[tuple[int, str]]:
        """Place and heading of the fact types that this case has."""
        present = {fact.data["fact_type"] for fact in self.facts}
        return [
            (self.kinds[name], heading)
            for name, heading in type_headings().items()
            if name in present
        ]

    @property
    def verdicts(self) -> list[tuple[str, str]]:
        """The verdicts of this report with their meaning."""
        present = {fact.data["verdict"] for fact in self.facts}
        rows = [
            (word, meaning.removeprefix("moves the list: "))
            for word, meaning in (CALIBRATED_VERDICTS if self.calibrated else VERDICTS)
            if word in present
        ]
        return [("moves the list" if word == "dispositive" else word, text) for word, text in rows]

    @cached_property
    def warnings(self) -> list[str]:
        """What must be known before the rest is read."""
        stopped = (
            []
            if self.analysis["complete"]
            else ["The analysis was stopped before it was finished. What it says is right as far as "
                  "it goes; what-ifs that were not reached are missing."]
        )  # fmt: skip
        return [*stopped, *cover_notes(self.result)]

    @property
    def summary(self) -> list[str]:
        """The analysis in a few plain sentences, after its headline."""
        found, corpus = self.analysis["precedents"], self.analysis["corpus"]
        lines = []
        if found:
            where = (
                f"Of the {corpus['cases']:,} decisions in the corpus {corpus['name']}, "
                if corpus
                else "With a retriever of your own, "
            )
            first = found[0]
            about = ", ".join(
                filter(None, (first["court"], in_full(first["date"]), first["outcome"]))
            )
            lines.append(
                f"{where}{len(found)} stand nearest to this case. First among them is "
                f"{first['title']}{f' ({about})' if about else ''}."
            )
        else:
            lines.append("No precedent was found.")
        for fact in [fact for fact in self.facts if fact.data["verdict"] == "dispositive"][:CITED]:
            own = [it for it in self.edits if it.number == fact.number and it.moved is not None]
            if own:
                edit = max(own, key=lambda it: it.moved or 0.0)
                left, came = self._turnover(edit.state)
                lines.append(
                    f"{edit.label} The list moves by {places(edit.moved)} places on average: {left} of "
                    f"its {len(found)} precedents leave and {came} come in (fact {fact.number})."
                )
        nulls = [null["mean_displacement"] for null in self.analysis["null_edits"]]
        if nulls:
            lines.append(
                "The same facts in other words moved the list by "
                f"{places(sum(nulls) / len(nulls))} places on average and {places(max(nulls))} at "
                "most; a movement of that size says nothing."
            )
        return [*lines, accuracy_note(self.result)]

    def _turnover(self, state: str) -> tuple[int, int]:
        for link in self.tree["links"]:
            if (link["source"], link["target"]) == ("root", state):
                return len(link["dropped"]), len(link["new"])
        raise KeyError(state)

    @cached_property
    def edits(self) -> list[EditRow]:
        """Every edit of the tree once, in the order of the facts."""
        nodes = {node["id"]: node for node in self.tree["nodes"]}
        told = {it["edit_id"]: it for it in self.analysis["what_ifs"]}
        rows: dict[str, EditRow] = {}
        links = sorted(self.tree["links"], key=lambda link: link["source"] != "root")
        for link in links:
            edit, target = link["edit"], nodes[link["target"]]
            alone, by_hand = link["source"] == "root", target["status"] == "by_hand"
            change = told.get(edit["id"], {})
            if edit["id"] not in rows:
                rows[edit["id"]] = EditRow(
                    number=self.numbers.get(edit["fact_id"], 0),
                    label=edit["supposition"],
                    law=law_on_the_day(edit["provision"], self.sheet),
                    before=edit["statement_before"],
                    after=edit["statement_after"],
                    moved=link["mean_displacement"] if alone else None,
                    refused=target["reason"] if target["status"] == "rejected" else "",
                    state=target["id"] if alone else "",
                    by_hand=by_hand,
                    note=target.get("reason", "") if by_hand else "",
                    went_out=tuple(change.get("went_out", ())),
                    came_in=tuple(change.get("came_in", ())),
                )
        return sorted(rows.values(), key=lambda row: row.number or len(self.facts) + 1)

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
        return [it for it in self.edits if it.state and it not in telling]

    @property
    def nulls(self) -> list[tuple[str, str, float]]:
        """The restatements: the statement before and after, how far they moved the list."""
        return [
            (null["statement_before"], null["statement_after"], null["mean_displacement"])
            for null in self.analysis["null_edits"]
        ]

    @cached_property
    def states(self) -> tuple[Line, ...]:
        """Every state but the root, each below the state that it was made from."""
        return outline(self.result.tree)

    @property
    def kinds_measured(self) -> list[tuple[str, float | None]]:
        """The heading and the sensitivity of each fact type; None where nothing was measured."""
        headings = type_headings()
        return [(headings[name], value) for name, value in self.analysis["sensitivity"].items()]

    def place(self, quote: Mapping[str, Any]) -> str:
        """Where a quotation of analysis.json stands in its decision, with the id of the passage."""
        return f"{Quote(**quote).place}; {quote['chunk_id']}"

    def why(self, reason: Mapping[str, Any]) -> str:
        """What a quotation of analysis.json has to do with the case, in a few words."""
        if reason["shared"]:
            words = f"Speaks of {'; '.join(reason['shared'])} too"
        elif reason["facts"]:
            words = f"Like the statement of {'; '.join(reason['facts'])} on the whole"
        else:
            words = "Like the case on the whole"
        return f"{words}: {reason['share']:.0%} of the score"

    @property
    def cautions(self) -> list[str]:
        """What to bear in mind before relying on it."""
        return cautions(self.result)

    @property
    def meanings(self) -> list[tuple[str, str]]:
        """What each kind of figure means."""
        return [
            *meanings(self.result),
            (
                "Decimals",
                "places are shown to two decimals; analysis.json and tree.json have nine.",
            ),
        ]

    @property
    def provenance(self) -> list[tuple[str, str]]:
        """What the analysis was made of, so that it can be repeated."""
        from countercase import __version__

        sheet, corpus = self.sheet, self.analysis["corpus"]
        text = hashlib.sha256(sheet.narrative.encode("utf-8", "replace")).hexdigest()
        rows = [
            ("Case", sheet.case_id),
            ("Law read as on", in_full(sheet.occurred_on) or "no date is given"),
            ("SHA-256 of the narrative", text),
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

    @property
    def settings(self) -> list[tuple[str, str]]:
        """Every setting that can change a figure, with its value."""
        return [(name, _value(value)) for name, value in self.analysis["settings"].items()]

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

    def tree_drawing(self, link: str = "") -> Drawing:
        """The tree; see `drawings.tree`."""
        return tree_drawing(self.tree, link)


def _value(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
