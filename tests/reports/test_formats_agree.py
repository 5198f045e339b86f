"""Every format of a report says the same words and figures, and a format can come from outside."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from xml.etree.ElementTree import Element

import pytest
from docx import Document
from handmade import AGE, result, with_by_hand

from countercase.errors import ConfigError
from countercase.facts.model import Fact, FactSheet
from countercase.registry import FACT_TYPES, REPORT_FORMATS, register
from countercase.reports.page import blocks_of, html_report
from countercase.reports.view import View, reports, write_reports
from countercase.reports.wording import type_headings
from countercase.session import Result
from countercase.text.dates import in_full


class Forum:
    """A fact type from outside."""

    name, heading = "Forum", "court"

    def label(self, fact: Fact) -> str:
        return "the labour court"

    def state(self, sheet: FactSheet, fact: Fact, template: int = 0) -> str:
        return "The matter is before the labour court."


def of_a_fifth_type() -> Result:
    """The hand-made result, in which the age is a fact of the type `Forum`."""
    made = result()
    [age] = [measured for measured in made.analysis.facts if measured.fact.fact_id == AGE.fact_id]
    forum = replace(age, fact=replace(age.fact, fact_type="Forum", value="labour court"))
    facts = tuple(forum if measured is age else measured for measured in made.analysis.facts)
    for edge in made.analysis.tree.edges():
        if edge.edit is AGE:
            edit = replace(AGE, fact_type="Forum", supposition="Suppose another court had it.")
            made.analysis.tree.connect(replace(edge, edit=edit))
    sensitivity = made.analysis.sensitivity | {"Forum": 1.25}
    return replace(made, analysis=replace(made.analysis, facts=facts, sensitivity=sensitivity))


EXAMPLES = {
    "plain": result,
    "with evidence added and a what-if by hand": lambda: with_by_hand(result(added=True)),
    "with a fact type from outside": of_a_fifth_type,
}


@pytest.fixture(params=EXAMPLES)
def made(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Result:
    example: Callable[[], Result] = EXAMPLES[request.param]
    if example is of_a_fifth_type:
        monkeypatch.setitem(FACT_TYPES._registered, "Forum", Forum())
    return example()


def said(made: Result) -> dict[str, str]:
    """What each format says, as plain words with single blanks."""
    files = reports(made, ("html", "docx", "md", "terminal"))
    data = files["report.docx"]
    assert isinstance(data, bytes)
    document = Document(BytesIO(data))
    cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    texts = {
        "html": "\n".join(
            " ".join(block.itertext()) for block in blocks_of(html_report(View(made)))
        ),
        "docx": "\n".join([*(paragraph.text for paragraph in document.paragraphs), *cells]),
        "md": re.sub(r"\\(.)", r"\1", str(files["report.md"])).replace("**", ""),
        "terminal": str(files["report.txt"]),
    }
    return {name: " ".join(text.replace("▌", " ").split()) for name, text in texts.items()}


def test_every_format_has_the_words_and_figures_of_the_json(made: Result) -> None:
    files = reports(made, ("json",))
    analysis, tree = (json.loads(files[name]) for name in ("analysis.json", "tree.json"))
    for name, text in said(made).items():
        words = [analysis["headline"], *(fact["label"] for fact in analysis["facts"])]
        words += [node["reason"] for node in tree["nodes"] if "reason" in node]
        words += [type_headings()[name] for name in analysis["sensitivity"]]
        words += ["moved too little to go on", "holding, paragraph 12", "TOP_K"]
        for row in analysis["precedents"]:
            words += [f"{row['rank']}. {row['title']}", f"score {row['score']:.4f}"]
            words += [row["court"], in_full(row["date"]), row["docket"]]
            words += [reason["quote"]["text"] for reason in row["reasons"]]
        for change in analysis["what_ifs"]:
            words += [it["title"] for it in (*change["went_out"], *change["came_in"])]
        edits = [link["edit"] for link in tree["links"]]
        words += [edit["supposition"] for edit in edits]
        cells = [null["statement_after"] for null in analysis["null_edits"]]
        cells += [analysis["corpus"]["checksum"], *analysis["models"].values()]
        # columns of the screen are broken into lines
        words += cells if name != "terminal" else [it for cell in cells for it in cell.split()]
        missing = [it for it in words if " ".join(it.split()) not in text]
        assert not missing, name
        moves = [link["mean_displacement"] for link in tree["links"]]
        moves += [fact["sensitivity"] for fact in analysis["facts"]]
        moves += analysis["sensitivity"].values()
        for move in moves:
            assert move is None or f"{move:.2f}" in text, name


def test_what_is_known_in_part_is_said_in_every_format() -> None:
    made = replace(result(complete=False, nulls=()), weak=True, manifest=None, models={})
    for name, text in said(made).items():
        assert "stopped before it was finished" in text, name
        assert "Weak match" in text, name
        assert "No restatement was measured" in text, name
        assert "a retriever of your own: its corpus and models are not known" in text, name


def facts_of_page(view: View) -> Iterator[list[str]]:
    """The rows of the table of facts: number, label and the figures."""
    tables: list[Element] = [
        block for block in blocks_of(html_report(view)) if block.tag == "table"
    ]
    for row in tables[0].iter("tr"):
        yield [
            (cell.text or "") + "".join(it.text or "" for it in cell.iter("data")) for cell in row
        ]


def test_the_table_of_facts_is_the_same_in_page_word_and_markdown(made: Result) -> None:
    page = list(facts_of_page(View(made)))
    files = reports(made, ("docx", "md"))
    data = files["report.docx"]
    assert isinstance(data, bytes)
    table = Document(BytesIO(data)).tables[0]
    word = [[cell.text.split("\n")[0] for cell in row.cells] for row in table.rows]
    lines = [line.strip("| ").split(" | ") for line in str(files["report.md"]).splitlines()]
    plain = [[cell.replace("**", "").split(" · ")[0] for cell in row] for row in lines]
    markdown = [row for row in plain if len(row) == 7]
    assert len(page) == 1 + len(made.facts)
    assert page == word == markdown


def test_a_format_from_outside_is_written_beside_the_shipped_ones(tmp_path: Path) -> None:
    made = result()
    register("report_formats", "headline", {"headline.txt": lambda view: view.headline + "\n"})
    try:
        names = [path.name for path in write_reports(made, tmp_path)]
        assert names[-1] == "headline.txt" and "report.html" in names
        assert (tmp_path / "headline.txt").read_text("utf-8") == View(made).headline + "\n"
        assert list(reports(made, ("headline", "trec"))) == ["headline.txt", "run.trec"]
    finally:
        REPORT_FORMATS._registered.pop("headline")
    with pytest.raises(ConfigError, match="headline"):
        reports(made, ("headline",))


def test_the_screen_is_no_file_unless_it_is_asked_for() -> None:
    assert "report.txt" not in reports(result())
    assert list(reports(result(), ("terminal",))) == ["report.txt"]
