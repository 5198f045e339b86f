"""report.docx: the report for Word, with the same parts and figures as the page."""

from __future__ import annotations

from typing import Any

from docx.shared import Mm, Pt

from countercase.reports.document.content import Content
from countercase.reports.document.rows import EditRow
from countercase.reports.document.word_file import DIM, WordFile, mark
from countercase.reports.text import legible, plain
from countercase.reports.wording import places
from countercase.text.dates import in_full


def docx_report(content: Content) -> bytes:
    """The report as a Word file."""
    report = _Report(content)
    report.write()
    return report.data()


class _Report(WordFile):
    def __init__(self, content: Content) -> None:
        super().__init__(content.title)
        self.content = content

    def write(self) -> None:
        """All parts, in the order of the page."""
        for part in (
            self._summary, self._narrative, self._precedents, self._sensitivities, self._changes,
            self._tree, self._words, self._cautions, self._provenance,
        ):  # fmt: skip
            part()

    def _summary(self) -> None:
        content, sheet = self.content, self.content.sheet
        read = f" · law read as on {in_full(sheet.occurred_on)}" if sheet.occurred_on else ""
        self.dim(f"CounterCase report · case {sheet.case_id}{read}")
        self.heading("Summary")
        run = self.paragraph("").add_run(plain(content.analysis["headline"]))
        run.bold, run.font.size = True, Pt(12)
        for warning in content.warnings:
            self.paragraph("").add_run(plain(warning)).bold = True
        for line in content.summary:
            self.paragraph(line, "List Bullet")
        self.paragraph(
            "This report measures a search, not a court: which facts of the case decide which "
            "decisions are found near it. It is not legal advice."
        )

    def _narrative(self) -> None:
        content = self.content
        self.heading("The facts in the narrative")
        legend = self.document.add_paragraph()
        for at, heading in content.headings:
            mark(legend.add_run(plain(heading)), at)
            legend.add_run("   ")
        kinds = {fact.number: content.kinds[fact.data["fact_type"]] for fact in content.facts}
        paragraph = self.document.add_paragraph()
        for stretch in content.narrative:
            for at, line in enumerate(legible(stretch.text).split("\n")):
                if at and paragraph.runs:  # a blank line makes no empty paragraph
                    paragraph = self.document.add_paragraph()
                if line:
                    run = paragraph.add_run(line)
                    if stretch.facts:
                        mark(run, kinds[stretch.facts[0]])
            if stretch.ending:
                numbers = ",".join(map(str, stretch.ending))
                paragraph.add_run(numbers).font.superscript = True
        self.dim("The small numbers are those of the facts in the table of facts.")

    def _precedents(self) -> None:
        content = self.content
        self.heading("Precedents")
        found = content.analysis["precedents"]
        for it in found:
            bad = f" [{it['standing']}]" if it["standing"] else ""
            self.heading(f"{it['rank']}. {it['title']}{bad}", 2)
            outcome = it["outcome"] and f"outcome: {it['outcome']}"
            parts = (it["court"], it["docket"], in_full(it["date"]), outcome, it["case_id"])
            self.dim(" · ".join([*filter(None, parts), f"score {it['score']:.4f}"]), keep=True)
            for treatment in it["later"]:
                self.paragraph("").add_run(plain(treatment)).bold = True
            for point in it["turned_on"]:
                self.paragraph(f"It turned on {point}")
            for reason in it["reasons"]:
                self.dim(content.why(reason), keep=True)
                self._quotation(reason["quote"])
            if not it["reasons"]:
                self.paragraph(it["why"])
        if not found:
            self.paragraph("No precedent was found.")
        if content.compare_drawing is not None:
            self.heading("The list before and after the strongest what-if", 2)
            self.picture(content.compare_drawing)

    def _quotation(self, quote: dict[str, Any]) -> None:
        paragraph = self.document.add_paragraph()
        paragraph.paragraph_format.left_indent = Mm(7)
        paragraph.add_run(f"“{plain(quote['text'])}”")
        label = paragraph.add_run(f" ({plain(self.content.place(quote))})")
        label.font.size, label.font.color.rgb = Pt(8.5), DIM

    def _sensitivities(self) -> None:
        content = self.content
        self.heading("Which facts move the list")
        self.picture(content.facts_drawing)
        self.dim(
            "Each bar is how far the list moves under the strongest what-if; the hatched band behind "
            "it is how far it moves when only the words are."
        )
        words = "Null floor" if content.calibrated else "Words alone"
        head = ["No.", "Fact", "Moves the list by", words, "Learnt", "What-ifs", "Verdict"]
        rows = [
            [
                str(fact.number),
                f"{fact.label}; {fact.heading}",
                places(fact.data["sensitivity"]),
                places(fact.floor),
                fact.learnt,
                str(fact.data["edges"]),
                fact.verdict,
            ]
            for fact in content.facts
        ]
        self.table(head, rows, (0.06, 0.4, 0.1, 0.09, 0.09, 0.11, 0.15))
        judged = [fact for fact in content.facts if fact.data["calibrated"]]
        if judged:
            head = ["No.", "Fact", "Move", "95% from", "to", "Null floor", "p"]
            self.table(head, [
                [str(fact.number), fact.label,
                 *(places(fact.data["calibrated"][name]) for name in ("move", "low", "high", "floor")),
                 f"{fact.data['calibrated']['adjusted']:.3f}"]
                for fact in judged
            ], (0.06, 0.45, 0.1, 0.1, 0.1, 0.1, 0.09))  # fmt: skip
        self.terms([(word, f"{meaning}.") for word, meaning in content.verdicts])
        self.heading("How much each kind of fact matters", 2)
        kinds = [(heading, places(value)) for heading, value in content.kinds_measured]
        self.table(["Kind of fact", "Moves the list by"], kinds, (0.7, 0.3))

    def _changes(self) -> None:
        self.heading("What-ifs")
        for edit in self.content.telling_edits:
            self._edit(edit)
        if not self.content.telling_edits:
            self.paragraph("No what-if moved the list by much.")
        others = [
            (f"{it.label} Refused: {it.refused}" if it.refused else it.label, places(it.moved))
            for it in self.content.other_edits
        ]
        if others:
            self.table(["Further what-ifs", "Moved the list by"], others, (0.82, 0.18))

    def _edit(self, edit: EditRow) -> None:
        self.heading(f"{edit.number} {edit.label}" if edit.number else edit.label, 2)
        law = f" · rests on {edit.law}" if edit.law else ""
        self.dim(f"moved the list by {places(edit.moved)} places{law}", keep=True)
        if edit.note:
            self.paragraph(edit.note)
        self.before_after(edit.before, edit.after)
        for word, cases in (("Goes out", edit.went_out), ("Comes in", edit.came_in)):
            for case in cases:
                turned = f": it turned on {case['turned_on']}" if case["turned_on"] else ""
                self.paragraph(f"{word}: {case['title']}{turned}", "List Bullet")

    def _tree(self) -> None:
        self.heading("The tree of what-ifs")
        self.picture(self.content.tree_drawing())
        rows = [
            [f"{'– ' * (it.depth - 1)}{it.text}", it.node.node_id, it.figure, it.note]
            for it in self.content.states
        ]
        self.table(["Supposition", "State", "Moved the list by", "What became of it"], rows,
                    (0.49, 0.14, 0.1, 0.27))  # fmt: skip

    def _words(self) -> None:
        self.heading("The same facts in other words")
        nulls = self.content.nulls
        self.paragraph(
            "These say a fact in other words and change nothing in law. A search that read only the "
            "law would not move at all."
            if nulls
            else "No restatement was measured."
        )
        rows = [(before, after, places(moved)) for before, after, moved in nulls]
        if rows:
            self.table(
                ["As it is", "In other words", "Moved the list by"], rows, (0.42, 0.42, 0.16)
            )

    def _cautions(self) -> None:
        self.heading("Before you rely on this")
        for caution in self.content.cautions:
            self.paragraph(caution, "List Bullet")
        self.heading("What the figures mean")
        self.terms(self.content.meanings)

    def _provenance(self) -> None:
        self.heading("To repeat this analysis")
        self.paragraph("The same case file, corpus, models and settings give the same figures.")
        self.table([], self.content.provenance, (0.3, 0.7))
        self.heading("Settings", 2)
        self.table([], self.content.settings, (0.5, 0.5))
