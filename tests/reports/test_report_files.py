"""report.html and report.docx: what they say, that it is what analysis.json says, and that it is inert."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from io import BytesIO
from typing import Any

from docx import Document
from handmade import (
    AGE,
    BY_HAND_EDIT,
    EVIDENCE,
    MANIFEST,
    NARRATIVE,
    QUOTE,
    SECTION,
    result,
    with_by_hand,
)

from countercase.corpus.judgment.treatment import Treatment
from countercase.counterfactual.null_floor import Calibrated
from countercase.counterfactual.states import State
from countercase.reports.page import docx_report, html_report
from countercase.reports.view import View
from countercase.reports.wording import places
from countercase.salience.facts import Salience
from countercase.session import Result
from countercase.text.dates import in_full

HOSTILE = (
    '</p></title><script>alert(1)</script><img src="http://e.example/x" onerror=alert(2)>'
    "<a href='javascript:alert(3)'>{{ 7*7 }}{% raw %}\x1b[31m\u202e\x00&lt;"
)


class Page(HTMLParser):
    """What a browser would find in a page: elements with their attributes, text by element."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.rows: list[list[str]] = []
        self.values: list[tuple[str, str]] = []
        self._open: list[str] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
        elif tag == "data":
            self.values.append((dict(attrs)["value"] or "", ""))

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            while self._open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if "style" in self._open:
            return
        self.text += data
        if {"td", "th"} & set(self._open):
            self.rows[-1][-1] += data
        if "data" in self._open:
            self.values[-1] = (self.values[-1][0], data)


def page(made: Result | None = None) -> Page:
    return Page(html_report(View(made or result())))


def word(made: Result | None = None) -> Any:
    return Document(BytesIO(docx_report(View(made or result()))))


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
    for said in (lambda it: page(it).rows, lambda it: rows(word(it))):
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
    known |= {
        repr(value) for value in content.analysis["sensitivity"].values() if value is not None
    }
    shown = page().values
    assert {value for value, _ in shown} == known
    assert all(f"{float(value):.2f}" == text for value, text in shown)


def test_states_have_the_same_figures_in_json_html_and_docx() -> None:
    tree = View(result()).tree
    html, docx = (
        {row[0].split()[-1]: row[1] for row in said if len(row) == 3}
        for said in (page().rows, rows(word()))
    )
    for node in tree["nodes"][1:]:
        link = next(link for link in tree["links"] if link["target"] == node["id"])
        assert html[node["id"]] == docx[node["id"]] == places(link["mean_displacement"])


def test_precedents_settings_and_checksums_are_those_of_the_json() -> None:
    content = View(result())
    html, docx = page().text, "\n".join([*texts(word()), *map(" ".join, rows(word()))])
    for said in (html, docx):
        for precedent in content.analysis["precedents"]:
            assert f"{precedent['rank']}. {precedent['title']}" in said
            assert f"score {precedent['score']:.4f}" in said
            for part in (precedent["court"], in_full(precedent["date"]), precedent["docket"]):
                assert part in said
        assert MANIFEST.checksum in said
        assert "TOP_K" in said and "f2" in said and "CounterCase 0.1.0" in said


def test_a_calibrated_report_shows_the_interval_and_p() -> None:
    made = result()
    floor = Calibrated(1.5, 0.01, 0.04, 0.9, 1.25, 1.75, 0.5, 40)
    facts = tuple(
        replace(fact, calibrated=floor) if fact.sensitivity else fact for fact in made.facts
    )
    made = replace(made, analysis=replace(made.analysis, facts=facts))
    assert any(
        row[2:6] == ["1.50", "1.25 to 1.75", "0.50", "0.040"]
        for row in page(made).rows
        if len(row) == 9
    )
    in_word = [row[2:6] for row in rows(word(made)) if len(row) == 9]
    assert ["1.50", "1.25 to 1.75", "0.50", "0.040"] in in_word


# what they say


def test_the_headline_comes_first_and_then_the_summary() -> None:
    content = View(result())
    for said in (page().text, "\n".join(texts(word()))):
        assert said.index("Summary") < said.index(content.analysis["headline"])
        assert said.index(content.analysis["headline"]) < said.index("The facts in the narrative")
        summary = said[: said.index("The facts in the narrative")]
        assert f"{SECTION.supposition} The list moves by 1.50 places" in summary
        assert "1 of its 3 precedents leave and 1 come in" in summary
        assert "The same facts in other words" in summary and "0.50 at most" in summary


def test_every_what_if_stands_as_its_supposition_with_what_it_does() -> None:
    edits = {edit["supposition"]: edit for edit in View(result()).edits}
    section = edits[SECTION.supposition]
    assert (section["number"], section["moved"], section["status"]) == (1, 1.5, "expanded")
    before, after = section["statement_before"], section["statement_after"]
    assert "302" in before and "304A" in after
    assert edits[EVIDENCE.supposition]["statement_after"] == ""  # removed: nothing is stated of it
    refused = edits[AGE.supposition]
    assert (refused["status"], refused["note"]) == ("rejected", "Nobody is 200 years old.")
    for said in (page().text, "\n".join(texts(word()))):
        for words in (
            SECTION.supposition, before, after,
            "Goes out", "Case A v. State", "Comes in", "Case D v. State", "whether he meant it",
        ):  # fmt: skip
            assert words in said


def test_a_what_if_by_hand_is_told_whatever_it_moves() -> None:
    made = with_by_hand(result())
    for said in (page(made).text, "\n".join(texts(word(made)))):
        assert BY_HAND_EDIT.supposition in said
        assert BY_HAND_EDIT.note in said


def test_refused_and_pruned_states_stand_with_their_reason() -> None:
    for said in (page().text, "\n".join([*texts(word()), *map(" ".join, rows(word()))])):
        assert "refused: Nobody is 200 years old." in said
        assert "moved too little to go on" in said


def test_the_narrative_is_whole_and_its_facts_are_marked_by_more_than_colour() -> None:
    said = page()
    marks = [attrs for tag, attrs in said.elements if tag == "mark" and "title" in attrs]
    assert [(it["class"], it["title"]) for it in marks] == [
        ("k0", "section 302 IPC (punishment for murder)"),
        ("k2", "dying declaration: told her brother"),
        ("k3", "17 years (accused)"),
    ]
    css = html_report(View(result()))
    lines = re.findall(r"mark\.k\d\{[^}]*border-bottom:\d+px (\w+)", css)
    assert len(lines) == len(set(lines)) == 4
    [narrative] = [it for it in word().paragraphs if it.text.startswith("He was charged under Sec")
                   and "dying" in it.text]  # fmt: skip
    assert "".join(run.text for run in narrative.runs if not run.font.superscript) == NARRATIVE
    marked = {run.text: run.style for run in narrative.runs if run.style.name.startswith("Fact")}
    assert list(marked) == ["Section 302 IPC", "dying declaration", "17 years"]
    assert len({style.font.underline for style in marked.values()}) == 3


def test_quotations_stand_with_their_labels() -> None:
    for said in (page().text, "\n".join(texts(word()))):
        assert QUOTE.text in said
        assert "holding, paragraph 12; a#00001" in said


def test_an_early_end_a_weak_match_and_a_foreign_retriever_are_told() -> None:
    made = replace(result(complete=False, nulls=()), weak=True, manifest=None, models={})
    for said in (
        page(made).text,
        "\n".join([*texts(word(made)), *map(" ".join, rows(word(made)))]),
    ):
        assert "stopped before it was finished" in said
        assert "Weak match" in said
        assert "No restatement was measured" in said
        assert "a retriever of your own: its corpus and models are not known" in said


# a page on its own


def attributes(said: Page, name: str) -> Iterator[str]:
    return (value for _, attrs in said.elements if (value := attrs.get(name)) is not None)


def test_the_page_runs_and_fetches_nothing() -> None:
    said = page()
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    assert ("meta", {"http-equiv": "Content-Security-Policy", "content": policy}) in said.elements
    tags = {tag for tag, _ in said.elements}
    assert not tags & {"script", "link", "iframe", "object", "embed", "img", "form", "base"}
    assert not [name for _, attrs in said.elements for name in attrs if name.startswith("on")]
    assert all(address.startswith("#") for address in attributes(said, "href"))
    css = html_report(View(result())).partition("<style>")[2].partition("</style>")[0]
    assert "url(" not in css and "@import" not in css
    assert "@page{size:A4" in css and "prefers-color-scheme:dark" in css


def test_every_link_leads_to_a_part_of_the_page() -> None:
    said = page()
    ids = list(attributes(said, "id"))
    assert len(ids) == len(set(ids))
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
    said = Page(html_report(hostile()))
    assert {tag for tag, _ in said.elements} <= {tag for tag, _ in page().elements}
    assert len([tag for tag, _ in said.elements if tag == "title"]) > 1  # those of the drawings
    assert not [name for _, attrs in said.elements for name in attrs if name.startswith("on")]
    assert all(address.startswith("#") for address in attributes(said, "href"))
    assert "<script>alert(1)</script>" in said.text and "{{ 7*7 }}" in said.text
    assert not re.search("[\x00\x1b\u202e]", said.text)
    data = docx_report(hostile())
    document = Document(BytesIO(data))
    assert any("<script>alert(1)</script>" in text for text in texts(document))
    with zipfile.ZipFile(BytesIO(data)) as archive:
        links = [name for name in archive.namelist() if name.endswith(".rels")]
        assert not [name for name in links if b"e.example" in archive.read(name)]


# Word


def test_the_word_file_has_fixed_times_a4_pages_and_described_pictures() -> None:
    data = docx_report(View(result()))
    assert data == docx_report(View(result()))
    with zipfile.ZipFile(BytesIO(data)) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    document = Document(BytesIO(data))
    [section] = document.sections
    assert (round(section.page_width.mm), round(section.page_height.mm)) == (210, 297)
    assert document.core_properties.created.year == 2000
    room = section.page_width - section.left_margin - section.right_margin
    assert len(document.inline_shapes) == 3
    for shape in document.inline_shapes:
        assert shape.width <= room
        assert len(shape._inline.docPr.get("descr")) > 40
