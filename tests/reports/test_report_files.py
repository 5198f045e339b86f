"""report.html and report.docx: what they say, that it is what analysis.json says, and that it is inert."""

from __future__ import annotations

import re
import zipfile
from dataclasses import replace
from io import BytesIO
from typing import Any
from xml.etree.ElementTree import Element, fromstring

from docx import Document
from docx.oxml.ns import qn
from handmade import AGE, EVIDENCE, NARRATIVE, QUOTE, SECTION, result
from made_files import Tags

from countercase.corpus.judgment.treatment import Treatment
from countercase.counterfactual.null_floor import Calibrated
from countercase.counterfactual.states import State
from countercase.reports.page import WORD, html_report
from countercase.reports.tree_files import outline
from countercase.reports.view import View
from countercase.reports.wording import places
from countercase.salience.facts import Salience
from countercase.session import Result

HOSTILE = (
    '</p></title><script>alert(1)</script><img src="http://e.example/x" onerror=alert(2)>'
    "<a href='javascript:alert(3)'>{{ 7*7 }}{% raw %}\x1b[31m\u202e\x00&lt;"
)


def page(made: Result | None = None) -> str:
    return html_report(View(made or result()))


def main_of(text: str) -> Element:
    """What a page shows between header and footer."""
    return fromstring(text[text.index("<main>") : text.index("</main>")] + "</main>")


def rows_of(text: str) -> list[list[str]]:
    return [["".join(cell.itertext()) for cell in row] for row in main_of(text).iter("tr")]


def word(made: Result | None = None) -> Any:
    return Document(BytesIO(WORD["report.docx"](View(made or result()))))


def texts(document: Any) -> list[str]:
    return [paragraph.text for paragraph in document.paragraphs]


def rows(document: Any) -> list[list[str]]:
    return [[cell.text for cell in row.cells] for table in document.tables for row in table.rows]


def sheet_with(**values: Any) -> Result:
    made = result()
    sheet = replace(made.analysis.sheet, **values)
    made.analysis.tree.sheet = sheet
    return replace(made, analysis=replace(made.analysis, sheet=sheet))


# the same facts in all files, to the digit


def test_what_is_learnt_stands_in_a_column_of_its_own_and_scales_nothing() -> None:
    made = result()
    learnt = {"section:IPC-302": Salience(0.875, ()), "party:petitioner": Salience(0.25, ())}
    weighed = replace(made, analysis=replace(made.analysis, salience=learnt))
    for said in (lambda it: rows_of(page(it)), lambda it: rows(word(it))):
        before = {row[0]: row for row in said(made) if len(row) == 7}
        after = {row[0]: row for row in said(weighed) if len(row) == 7}
        assert (after["1"][4], after["4"][4]) == ("0.88", "0.25")
        for number, row in before.items():
            assert [*row[:4], *row[5:]] == [*after[number][:4], *after[number][5:]]


def test_every_place_on_the_page_has_all_digits_of_the_json() -> None:
    content = View(result())
    facts, links = content.analysis["facts"], content.tree["links"]
    exact = [fact[name] for fact in facts for name in ("sensitivity", "noise")]
    exact += [link["mean_displacement"] for link in links]
    exact += [null["mean_displacement"] for null in content.analysis["null_edits"]]
    known = {repr(float(value)) for value in exact if value is not None}
    known |= {repr(it) for it in content.analysis["sensitivity"].values() if it is not None}
    shown = [(it.get("value", ""), it.text) for it in main_of(page()).iter("data")]
    assert {value for value, _ in shown} == known
    assert all(f"{float(value):.2f}" == text for value, text in shown)


def test_states_have_the_same_figures_in_json_html_and_docx() -> None:
    tree = View(result()).tree
    html, docx = (
        {row[0].split()[-1]: row[1] for row in said if len(row) == 3}
        for said in (rows_of(page()), rows(word()))
    )
    for node in tree["nodes"][1:]:
        link = next(link for link in tree["links"] if link["target"] == node["id"])
        assert html[node["id"]] == docx[node["id"]] == places(link["mean_displacement"])


def test_a_calibrated_report_shows_the_interval_and_p() -> None:
    made = result()
    floor = Calibrated(1.5, 0.01, 0.04, 0.9, 1.25, 1.75, 0.5, 40)
    facts = tuple(
        replace(fact, calibrated=floor) if fact.sensitivity else fact for fact in made.facts
    )
    made = replace(made, analysis=replace(made.analysis, facts=facts))
    for said in (rows_of(page(made)), rows(word(made))):
        figures = [row[2:6] for row in said if len(row) == 9]
        assert ["1.50", "1.25 to 1.75", "0.50", "0.040"] in figures


# what they say


def test_the_headline_comes_first_and_then_the_summary() -> None:
    content = View(result())
    for said in (Tags(page()).text, "\n".join(texts(word()))):
        assert said.index("Summary") < said.index(content.analysis["headline"])
        assert said.index(content.analysis["headline"]) < said.index("The facts in the narrative")
        summary = said[: said.index("The facts in the narrative")]
        assert f"{SECTION.supposition} The list moves by 1.50 places" in summary
        assert "1 of its 3 precedents leave and 1 come in" in summary
        assert "The same facts in other words" in summary and "0.50 at most" in summary


def test_an_edit_has_the_number_of_its_fact_its_statements_and_what_became_of_it() -> None:
    edits = {edit["supposition"]: edit for edit in View(result()).edits}
    section = edits[SECTION.supposition]
    assert (section["number"], section["moved"], section["status"]) == (1, 1.5, "expanded")
    assert "302" in section["statement_before"] and "304A" in section["statement_after"]
    assert edits[EVIDENCE.supposition]["statement_after"] == ""  # removed: nothing is stated of it
    refused = edits[AGE.supposition]
    assert (refused["status"], refused["note"]) == ("rejected", "Nobody is 200 years old.")


def test_the_narrative_is_whole_and_its_facts_are_marked_by_more_than_colour() -> None:
    marks = [attrs for attrs in Tags(page()).of("mark") if "title" in attrs]
    assert [(it["class"], it["title"]) for it in marks] == [
        ("k0", "section 302 IPC (punishment for murder)"),
        ("k2", "dying declaration: told her brother"),
        ("k3", "17 years (accused)"),
    ]
    css = page()
    lines = re.findall(r"mark\.k\d\{[^}]*border-bottom:\d+px (\w+)", css)
    assert len(lines) == len(set(lines)) == 4
    [narrative] = [it for it in word().paragraphs if it.text.startswith("He was charged under Sec")
                   and "dying" in it.text]  # fmt: skip
    assert "".join(run.text for run in narrative.runs if not run.font.superscript) == NARRATIVE
    marked = {run.text: run.style for run in narrative.runs if run.style.name.startswith("Fact")}
    assert list(marked) == ["Section 302 IPC", "dying declaration", "17 years"]
    assert len({style.font.underline for style in marked.values()}) == 3


# a page on its own


def attributes(said: Tags, name: str) -> list[str]:
    return [value for _, attrs in said.tags if (value := attrs.get(name)) is not None]


def check_inert(said: Tags) -> None:
    """Check that a page runs and fetches nothing."""
    tags = {tag for tag, _ in said.tags}
    assert not tags & {"script", "link", "iframe", "object", "embed", "img", "form", "base"}
    assert not [name for _, attrs in said.tags for name in attrs if name.startswith("on")]
    assert all(address.startswith("#") for address in attributes(said, "href"))


def test_the_page_runs_and_fetches_nothing_and_its_links_lead_to_its_parts() -> None:
    said = Tags(page())
    check_inert(said)
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    assert ("meta", {"http-equiv": "Content-Security-Policy", "content": policy}) in said.tags
    css = page().partition("<style>")[2].partition("</style>")[0]
    assert "url(" not in css and "@import" not in css
    assert "@page{size:A4" in css and "prefers-color-scheme:dark" in css
    ids = attributes(said, "id")
    assert len(ids) == len(set(ids))  # those of its drawings among them
    links = {address[1:] for address in attributes(said, "href")}
    assert links <= set(ids)
    assert {f"state-{State.of([SECTION]).state_id}", "state-root", "fact-1"} <= links


TEXTS = (
    "label", "reason", "supposition", "statement_before", "statement_after", "turned_on", "why",
    "headline",
)  # fmt: skip


def spoiled(value: Any) -> Any:
    """JSON data in which every label, reason and sentence comes from an enemy."""
    if isinstance(value, dict):
        return {
            name: HOSTILE if name in TEXTS and item else spoiled(item)
            for name, item in value.items()
        }
    return [spoiled(item) for item in value] if isinstance(value, list) else value


def hostile() -> View:
    """A report whose every text comes from an enemy."""
    made = sheet_with(title=HOSTILE, case_id=HOSTILE, occurred_on="", narrative=NARRATIVE + HOSTILE)
    quote = replace(QUOTE, text=HOSTILE, section=HOSTILE, chunk_id=HOSTILE)
    precedents = tuple(
        replace(
            it, title=HOSTILE, court=HOSTILE, docket=HOSTILE, outcome=HOSTILE, later=(HOSTILE,),
            treatment=(Treatment("overruled", HOSTILE, "2020", HOSTILE),), standing=HOSTILE,
            turned_on=(HOSTILE,),
            reasons=tuple(replace(reason, shared=(HOSTILE,), quote=quote) for reason in it.reasons),
        )
        for it in made.precedents
    )  # fmt: skip
    made = replace(made, precedents=precedents, titles={"a": HOSTILE}, models={"cross": HOSTILE})
    content = View(made)
    content.analysis, content.tree = spoiled(content.analysis), spoiled(content.tree)
    return content


def test_a_hostile_case_is_inert() -> None:
    said = Tags(html_report(hostile()))
    check_inert(said)
    assert {tag for tag, _ in said.tags} <= {tag for tag, _ in Tags(page()).tags}
    assert len(said.of("title")) > 1  # those of the drawings
    assert "<script>alert(1)</script>" in said.text and "{{ 7*7 }}" in said.text
    assert not re.search("[\x00\x1b\u202e]", said.text)
    data = WORD["report.docx"](hostile())
    document = Document(BytesIO(data))
    assert any("<script>alert(1)</script>" in text for text in texts(document))
    with zipfile.ZipFile(BytesIO(data)) as archive:
        links = [name for name in archive.namelist() if name.endswith(".rels")]
        assert not [name for name in links if b"e.example" in archive.read(name)]


# Word


def test_the_word_file_has_fixed_times_a4_pages_and_described_pictures() -> None:
    data = WORD["report.docx"](View(result()))
    assert data == WORD["report.docx"](View(result()))
    with zipfile.ZipFile(BytesIO(data)) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    document = Document(BytesIO(data))
    [section] = document.sections
    assert (round(section.page_width.mm), round(section.page_height.mm)) == (210, 297)
    assert document.core_properties.created is None  # it holds no time
    assert document.core_properties.language == "en-IN"
    assert {it.get(qn("w:val")) for it in document.styles.element.iter(qn("w:lang"))} == {"en-IN"}
    room = section.page_width - section.left_margin - section.right_margin
    assert len(document.inline_shapes) == 3
    for shape in document.inline_shapes:
        assert shape.width <= room
        assert len(shape._inline.docPr.get("descr")) > 40


def test_a_drawing_that_would_be_too_small_to_read_is_left_to_the_page() -> None:
    content = View(result())
    content.drawings["tree"] = replace(content.drawings["tree"], height=5000.0)
    document = Document(BytesIO(WORD["report.docx"](content)))
    assert len(document.inline_shapes) == 2
    assert "The tree of what-ifs: too tall for a page; see report.html." in texts(document)


def test_the_states_of_a_tree_stand_by_their_move_and_those_that_move_nothing_on_one_line() -> None:
    made = result(added=True)
    moves = [it["moved"] for it in outline(made.tree) if it["depth"] == 1]
    assert moves == sorted(moves, key=lambda it: -1.0 if it is None else it, reverse=True)
    still = [it for it in outline(made.tree) if it["moved"] == 0.0 and it["depth"] == 1]
    [line] = [row for row in rows_of(page(made)) if row[0].startswith("Each by itself moves")]
    assert still and all(it["label"] in line[0] for it in still) and line[1] == "0.00"
