"""What an evaluation writes: verdicts, JSON, Markdown, HTML with pictures, and TREC runs."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest
from made_files import Tags

from countercase.evaluation.report import Measure, Plot, Section, Series, Table
from countercase.reports.evaluation import (
    evaluation_document,
    evaluation_text,
    measure_table,
    plot_svg,
    write_evaluation,
)
from countercase.reports.text import figure

NASTY = "<script>alert('x')</script> & \"a|b\" \x1b[31m\u202e"
BARS = Plot(
    "Shares <b>",
    "bars",
    "kind",
    "share",
    (
        Series("one & two", (0.0, 1.0), (0.5, 0.75), (0.4, 0.6), (0.7, 0.8)),
        Series("three", (0.0, 1.0), (0.25, 0.5)),
    ),
    ("first", "a label of many words"),
    "A note.",
)
SECTION = Section(
    "made",
    "Made by hand",
    (
        Measure("made.good", "a good one", 0.75, 12, 0.5, 0.9, 0.6),
        Measure("made.bad", "a bad one", 0.25, 12, target=0.6),
        Measure("made.most", "too much", 0.25, target=0.1, at_most=True, note="Less is better."),
        Measure("made.none", "nothing", None, target=0.5),
    ),
    (Table("A table", ("name", "value"), ((NASTY, 1 / 3), ("plain", 7)), "A | note"),),
    (BARS,),
    {"items": [1 / 3]},
    {"one": {"q": {"a": 1.0, "b": 2.0, "c": 1.0}}},
)


# Verdicts


@pytest.mark.parametrize(
    ("value", "target", "at_most", "verdict"),
    [
        (0.6, 0.6, False, "meets"),
        (0.59, 0.6, False, "below"),
        (0.1, 0.1, True, "meets"),
        (0.11, 0.1, True, "above"),
        (0.6, None, False, "no target"),
        (None, 0.6, False, "not measured"),
        (None, None, True, "not measured"),
        (0.0, 0.0, False, "meets"),
    ],
)
def test_a_verdict_is_the_value_against_its_target(
    value: float | None, target: float | None, at_most: bool, verdict: str
) -> None:
    assert Measure("k", "t", value, target=target, at_most=at_most).verdict == verdict


def test_a_line_of_verdict_for_each_measure() -> None:
    rows = measure_table(SECTION.measures).rows
    assert rows == (
        ("a good one", 0.75, "0.5000 to 0.9000", 12, "at least 0.6", "meets", ""),
        ("a bad one", 0.25, "", 12, "at least 0.6", "below", ""),
        ("too much", 0.25, "", 0, "at most 0.1", "above", "Less is better."),
        ("nothing", None, "", 0, "at least 0.5", "not measured", ""),
    )


@pytest.mark.parametrize(
    ("cell", "text"),
    [(None, "n/a"), (1 / 3, "0.3333"), (7, "7"), (0, "0"), ("a\nb\x1b", "a b"), ("", "")],
)
def test_cells_are_written_for_people(cell: str | int | float | None, text: str) -> None:
    assert figure(cell) == text


# JSON and Markdown


def test_the_document_holds_verdicts_and_rounded_figures_and_no_runs() -> None:
    document = evaluation_document([SECTION], {"seed": 0})
    assert document["about"] == {"seed": 0}
    [section] = document["sections"]
    assert [one["verdict"] for one in section["measures"]] == [
        "meets", "below", "above", "not measured",
    ]  # fmt: skip
    assert section["details"] == {"items": [0.333333333]}
    assert "runs" not in section
    assert json.loads(json.dumps(document)) == document


def test_in_markdown_verdicts_come_before_tables_and_pipes_open_no_column() -> None:
    text = evaluation_text("eval.md.j2", [SECTION], {"sets": "a\nb"})
    order = ["# CounterCase", "## Made by hand", "| a good one |", "### A table", r"A \| note"]
    assert [text.index(part) for part in order] == sorted(text.index(part) for part in order)
    rows = [line for line in text.splitlines() if "alert" in line]
    assert len(rows) == 1
    assert r'"a\|b"' in rows[0]
    assert rows[0].replace(r"\|", "").count("|") == 3
    assert "- sets: a b" in text.splitlines()
    assert "\x1b" not in text and "\u202e" not in text


# HTML


def test_nothing_in_a_report_becomes_a_tag() -> None:
    plot = replace(
        BARS, title=NASTY, x_title=NASTY, y_title=NASTY, labels=(NASTY, NASTY), note=NASTY,
        series=tuple(replace(series, name=NASTY) for series in BARS.series),
    )  # fmt: skip
    nasty = replace(
        SECTION, name=NASTY, title=NASTY, measures=(Measure("k", NASTY, 0.5, note=NASTY),),
        tables=(Table(NASTY, (NASTY,), ((NASTY,),), NASTY),), plots=(plot,),
    )  # fmt: skip
    page = evaluation_text("eval.html.j2", [nasty], {NASTY: NASTY})
    found, plain = Tags(page), Tags(evaluation_text("eval.html.j2", [SECTION], {"seed": 0}))
    assert {tag for tag, _ in found.tags} == {tag for tag, _ in plain.tags}
    assert found.text.count("<script>alert('x')</script>") >= 12
    assert "\x1b" not in page and "\u202e" not in page


def test_a_page_needs_nothing_beside_it_and_marks_its_verdicts() -> None:
    page = evaluation_text("eval.html.j2", [SECTION], {"seed": 0})
    assert "<script" not in page and "<link" not in page and "<img" not in page
    assert 'src="' not in page and "@import" not in page
    assert page.startswith("<!doctype html>")
    for verdict in ("meets", "below", "above"):
        assert page.count(f'<td class="{verdict}">{verdict}</td>') == 1
    assert '<td class="n">0.7500</td>' in page


# Pictures

LINES = Plot("Lines", "lines", "x", "y", (Series("a", (1.0, 2.0), (3.0, 4.0)),))


@pytest.mark.parametrize("plot", [BARS, LINES], ids=["bars", "lines"])
def test_a_picture_is_the_same_bytes_every_time(plot: Plot) -> None:
    first = plot_svg(plot, "salt")
    assert plot_svg(plot, "salt") == first
    assert ET.fromstring(first).tag == "{http://www.w3.org/2000/svg}svg"
    one, *others = plot.series
    moved = replace(one, y=(one.y[0] + 0.1, one.y[1]))
    assert plot_svg(replace(plot, series=(moved, *others)), "salt") != first


def test_a_picture_says_its_words_as_text_and_takes_money_for_no_formula() -> None:
    picture = plot_svg(BARS, "salt")
    assert 'aria-label="Shares &lt;b&gt;"' in picture
    for words in ("one &amp; two", "three", "a label of many words", "share"):
        assert f">{words}</text>" in picture
    priced = replace(BARS, labels=("$5 and $6", "$\\frac{"), title="$\\sum")
    assert ">$5 and $6</text>" in plot_svg(priced, "salt")


def test_ids_in_two_pictures_of_a_page_do_not_meet() -> None:
    ids = [
        {node.get("id") for node in ET.fromstring(plot_svg(BARS, salt)).findall(".//{*}clipPath")}
        for salt in ("made-0", "made-1")
    ]
    assert ids[0] and ids[0].isdisjoint(ids[1])


# Files


def test_equal_results_are_equal_files_with_runs_as_trec_eval_reads_them(tmp_path: Path) -> None:
    one, two = (write_evaluation([SECTION], {"seed": 0}, tmp_path / name) for name in "ab")
    assert [path.name for path in one] == ["eval.json", "eval.md", "eval.html", "made.one.trec"]
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in two]
    assert one[-1].read_text("utf-8").splitlines() == [  # equal scores by id, the greater first
        "q Q0 b 1 2.0 countercase-one",
        "q Q0 c 2 1.0 countercase-one",
        "q Q0 a 3 1.0 countercase-one",
    ]
