"""Every format of a report says the same words and figures, and a format can come from outside."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from xml.etree.ElementTree import Element

import pytest
from docx import Document
from handmade import result, with_by_hand

from countercase.errors import ConfigError
from countercase.registry import REPORT_FORMATS, register
from countercase.reports.page import blocks_of, html_report
from countercase.reports.view import View, reports, write_reports
from countercase.session import Result

EXAMPLES = {
    "plain": result,
    "with evidence added and a what-if by hand": lambda: with_by_hand(result(added=True)),
}


@pytest.fixture(params=EXAMPLES)
def made(request: pytest.FixtureRequest) -> Result:
    example: Callable[[], Result] = EXAMPLES[request.param]
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
        words += [link["edit"]["supposition"] for link in tree["links"]]
        for null in analysis["null_edits"]:  # columns of the screen are broken into lines
            statement = null["statement_after"]
            words += statement.split() if name == "terminal" else [statement]
        for row in analysis["precedents"]:
            words += [f"{row['rank']}. {row['title']}", f"score {row['score']:.4f}"]
            words += [reason["quote"]["text"] for reason in row["reasons"]]
        missing = [it for it in words if " ".join(it.split()) not in text]
        assert not missing, name
        moves = [link["mean_displacement"] for link in tree["links"]]
        moves += [fact["sensitivity"] for fact in analysis["facts"]]
        for move in moves:
            assert move is None or f"{move:.2f}" in text, name


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
