"""The words of the reports: what a reader sees in the terminal and in report.md."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from handmade import AGE, BY_HAND_EDIT, EVIDENCE, SECTION, result, tree, with_by_hand
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from countercase.corpus.judgment.treatment import Treatment
from countercase.facts.model import FactSheet
from countercase.reports.analysis_json import analysis_document
from countercase.reports.page import MARKDOWN
from countercase.reports.terminal import show_result
from countercase.reports.text import inline, plain, rounded, stretches
from countercase.reports.tree_files import outline
from countercase.reports.view import View
from countercase.reports.wording import band_of, law_on_the_day, places, say
from countercase.retrieval.strength import Coverage
from countercase.session import Result
from countercase.text.spans import Span


def shown(
    width: int,
    colour: bool = False,
    encoding: str = "utf-8",
    made: Result | None = None,
    full: bool = True,
) -> str:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, errors="replace")
    system = "standard" if colour else None
    console = Console(
        file=stream,
        width=width,
        force_terminal=colour,
        color_system=system,
        markup=False,
        emoji=False,
    )
    show_result(made or result(), console, full)
    stream.flush()
    return raw.getvalue().decode(encoding)


def markdown_of(made: Result) -> str:
    return MARKDOWN["report.md"](View(made))


# figures and texts


def test_figures_have_nine_decimals_and_what_is_none_is_never_written() -> None:
    assert rounded({"a": (1 / 3, -0.0)}) == {"a": [0.333333333, 0.0]}
    assert str(rounded(-0.0)) == "0.0"
    for figure in (float("nan"), float("inf"), -float("inf")):
        with pytest.raises(ValueError, match="finite"):
            rounded({"x": [figure]})


@given(st.recursive(st.floats(-1e6, 1e6), lambda inner: st.lists(inner) | st.tuples(inner)))
def test_rounding_reaches_every_depth_and_is_done_once(value: Any) -> None:
    assert rounded(rounded(value)) == rounded(value)
    json.dumps(rounded(value), allow_nan=False)


@given(st.text())
def test_no_text_keeps_a_character_that_steers_a_terminal(text: str) -> None:
    assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", plain(text))


@given(st.text())
def test_no_text_becomes_markup_in_the_report(text: str) -> None:
    escaped = inline(text)
    assert "\n" not in escaped
    assert not re.search(r"(?<!\\)(?:\\\\)*[`*_\[\]<>|~#]", escaped)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12. The appeal fails", "12\\. The appeal fails"),
        ("- item", "\\- item"),
        ("<script>", "\\<script\\>"),
        ("A & B", "A & B"),
        ("A &amp; B &#60;", "A &amp;amp; B &\\#60;"),
        ("Section 302 IPC", "Section 302 IPC"),
    ],
)
def test_markdown_escapes(text: str, expected: str) -> None:
    assert inline(text) == expected


# words


def test_a_move_that_would_round_to_nothing_is_said_to_be_small() -> None:
    assert [places(move) for move in (None, 0.0, 0.001, 0.0051, 1.5)] == [
        "–", "0.00", "under 0.01", "0.01", "1.50",
    ]  # fmt: skip


def test_the_band_is_that_of_the_facts_and_else_of_all_null_edits() -> None:
    """Fact b was held against the null floor .2, though the furthest of its own null edits is .9."""
    analysis = {
        "facts": [
            {"fact_id": "a", "noise": 0.5, "calibrated": None},
            {"fact_id": "b", "noise": 0.9, "calibrated": {"floor": 0.2}},
            {"fact_id": "c", "noise": None, "calibrated": None},
        ],
        "null_edits": [{"mean_displacement": 2.0}, {"mean_displacement": 1.0}],
    }
    assert band_of(analysis, ["a", "b"]) == 0.5
    assert band_of(analysis, ["b"]) == 0.2
    assert band_of(analysis, ["c"]) == 2.0
    assert band_of({"facts": [], "null_edits": []}, ["a"]) is None


def headline(made: Result) -> str:
    words: str = analysis_document(made)["headline"]
    return words


def test_the_headline_names_what_moves_the_list_and_how_much_was_measured() -> None:
    assert headline(result()) == (
        "One fact moves the list of precedents: section 302 IPC (punishment for murder) (1.50 "
        "places). Measured 2 of 4 facts."
    )
    assert headline(result(complete=False)).endswith("this is part of the picture.")


@pytest.mark.parametrize("moves", [True, False])
def test_evidence_that_the_case_does_not_have_is_told_apart(moves: bool) -> None:
    document = analysis_document(result(added=True))
    for fact in document["facts"]:
        if not moves and not fact["added"] and fact["sensitivity"] is not None:
            fact |= {"sensitivity": 0.0, "verdict": "not dispositive"}
    words = say("headline", document)
    too = " too" if moves else ""
    assert words.startswith("No fact of this case moved the list of precedents at all.") != moves
    assert f"It would move{too} if there were a post-mortem report (2.00)." in words
    assert words.endswith("Measured 2 of 4 facts.")  # what is added is no fact of the case
    [absent] = [fact for fact in document["facts"] if fact["added"]]
    many = [*document["facts"], *[absent] * 9]
    words = say("headline", document | {"facts": many})
    assert words.count("; if there were") == 3 and "(2.00); and by 6 more." in words


def test_the_largest_move_that_the_headline_names_is_the_largest_of_all() -> None:
    document = analysis_document(result(added=True))
    for fact in document["facts"]:
        if fact["sensitivity"] is not None:
            moved = 0.9 if fact["added"] else 0.81
            fact |= {"sensitivity": moved, "verdict": "not dispositive"}
    words = say("headline", document)
    assert "The largest move came from what the case does not have: if there were a " in words
    assert "(0.90 places), which does not pass the threshold of 1." in words
    assert "Of its own facts section 302 IPC (punishment for murder) moved it most (0.81)." in words


def test_a_headline_without_added_facts_is_told_too() -> None:
    document = analysis_document(result())
    for fact in document["facts"]:
        if fact["sensitivity"] is not None:
            fact |= {"sensitivity": 0.5, "verdict": "not dispositive"}
    assert "The largest move came from section 302 IPC" in say("headline", document)


def test_thin_coverage_is_of_fewer_than_four_decisions_wherever_it_is_told() -> None:
    covered = [{"provision": "NDPS-21(c)", "cases": 3, "of": 700},
               {"provision": "NDPS-50", "cases": 4, "of": 700}]  # fmt: skip
    assert say("thin", covered) == "Thin coverage: of 700 decisions, section 21(c) NDPS Act in 3."
    assert say("thin", covered[1:]) == say("thin", []) == ""


def row_of(report: str, label: str) -> list[str]:
    """The cells of a row of the table of facts; the name of the fact is the second."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in report.splitlines()]
    [row] = [
        row for row in rows if len(row) == 7 and row[1].replace("**", "").startswith(f"{label} · ")
    ]
    return row


def test_a_fact_that_was_not_measured_has_a_dash_and_never_a_zero() -> None:
    report = markdown_of(result())
    for label, verdict in (
        ("17 years (accused)", "refused"),
        ("private individual (petitioner)", "not measurable"),
    ):
        _, fact, moved, words, learnt, edges, said = row_of(report, label)
        assert (moved, words, learnt, edges, said) == ("–", "–", "–", "0", verdict)
        assert "Suppose" not in fact
    assert row_of(report, "dying declaration: told her brother")[2] == "0.00"  # it was measured


def test_the_outline_follows_a_state_once() -> None:
    lines = outline(tree())
    suppositions = [SECTION, EVIDENCE, EVIDENCE, AGE]
    assert [line["label"] for line in lines] == [edit.supposition for edit in suppositions]
    assert [line["depth"] for line in lines] == [1, 2, 1, 1]
    assert [line["figure"] for line in lines] == ["1.50", "1.33", "0.00", "–"]
    assert [line["note"] for line in lines] == [
        "", "", "moved too little to go on", "refused: Nobody is 200 years old.",
    ]  # fmt: skip


# report.md


def test_the_report_answers_first_and_gives_each_fact_its_figures() -> None:
    text = markdown_of(result())
    assert text.startswith("# A \\*bold\\* \\[title\\] v. \\<State\\>\n")
    assert "> The blow \\<b\\>was\\</b\\> \\| not \\\\ premeditated." in text
    assert text.index("moves the list of precedents") < text.index("## ")
    row = row_of(text, "section 302 IPC (punishment for murder)")
    assert row[1].endswith(f"** · Provisions cited · {SECTION.supposition}")
    assert row[2:] == ["1.50", "0.50", "–", "1", "**moves the list**"]
    assert "| Who the parties are | not measured |" in text
    assert "made-case-reported" in text
    tree_lines = text.splitlines()[text.splitlines().index("- the case as it is") :][:4]
    assert [line.index("-") for line in tree_lines] == [0, 2, 4, 2]


def test_a_what_if_is_its_supposition_with_what_goes_out_and_comes_in() -> None:
    text = markdown_of(with_by_hand(result()))
    told = text[text.index("## What-ifs") : text.index("## The tree of what-ifs")]
    yours, own = told.index(BY_HAND_EDIT.supposition), told.index(SECTION.supposition)
    assert yours < told.index(BY_HAND_EDIT.note) < own  # what the user asked comes first
    assert own < told.index("- **Goes out**: Case A v. State")
    assert told.index("Goes out") < told.index(
        "- **Comes in**: Case D v. State; it turned on this: whether he"
    )
    assert f"| {EVIDENCE.supposition} | 0.00 |" in told
    assert f"| {AGE.supposition} *refused: Nobody is 200 years old.* | – |" in told


# the terminal


@pytest.mark.parametrize("width", [80, 120])
def test_one_screen_has_what_moves_the_list_and_then_the_list(width: int) -> None:
    made = replace(
        result(), weak=True, coverage=(Coverage("IPC-302", 60, 324), Coverage("NDPS-21(c)", 3, 324))
    )
    text, whole = (shown(width, made=made, full=full) for full in (False, True))
    assert max(map(len, (*text.splitlines(), *whole.splitlines()))) <= width
    words = " ".join(text.split())
    assert words.startswith("One fact moves the list of precedents")
    assert "Nearest: Case A v. State, Case B v. State, Case C v. State." in words
    assert "Weak match" in words
    assert "section 21(c) NDPS" in words and "Act in 3" in words
    assert "section 302 IPC (punishment for murder) in 60" not in words
    parts = ["What would change them", SECTION.supposition,
             "1 of 3 authorities changes; rewording was not measured.", "Goes out", "Comes in",
             "Authorities", "Case A v. State (Supreme Court", "Not measured:"]  # fmt: skip
    places_of = [words.index(part) for part in parts]
    assert places_of == sorted(places_of)
    assert "17 years (accused)" in words[places_of[-1] :]
    assert "The tree of what-ifs" not in words
    assert len(text.splitlines()) < len(whole.splitlines())


def test_what_a_user_supposed_is_shown_whatever_it_moves() -> None:
    words = " ".join(shown(80, made=with_by_hand(result()), full=False).split())
    told = f"What was supposed {BY_HAND_EDIT.supposition} 0 of 3 authorities change;"
    assert told in words and BY_HAND_EDIT.note in words
    assert f"Read as: {BY_HAND_EDIT.supposition}" in words
    assert SECTION.supposition not in words
    full = " ".join(shown(80, made=with_by_hand(result())).split())
    assert BY_HAND_EDIT.supposition in full and BY_HAND_EDIT.note in full


def test_a_pipe_gets_no_escape_sequences_and_a_terminal_no_letter_that_it_lacks() -> None:
    assert "\x1b" not in shown(80)
    assert "\x1b" in shown(80, colour=True)
    text = shown(80, encoding="ascii")
    assert set("·–…“”→").isdisjoint(text)
    assert "1.50" in text


# bad law, marks, and the law on the day

SCHEMA = Path(__file__).resolve().parents[2] / "docs" / "schemas" / "analysis.schema.json"
OVERRULED = Treatment("overruled", "A v B", "2020-03-06", "the point", {"provision": "IPC-302"})


def overruled() -> Result:
    """An analysis whose first precedent was overruled."""
    made = result()
    first, *others = made.precedents
    first = replace(
        first, title="X v Y", standing="overruled", treatment=(OVERRULED,),
        later=(OVERRULED.line(None),),
    )  # fmt: skip
    return replace(made, precedents=(first, *others))


def test_the_screen_and_markdown_name_bad_law_once_behind_the_title() -> None:
    line = "Overruled by A v B (2020): the point"
    for full in (False, True):
        text = " ".join(shown(120, made=overruled(), full=full).split())
        assert text.count("X v Y [overruled]") == text.count(line) == 1
    text = markdown_of(overruled())
    assert r"### 1\. X v Y \[overruled\]" in text and f"**{line}**" in text
    assert "[overruled" not in markdown_of(result())


def test_the_data_keep_the_title_and_state_the_treatment() -> None:
    document = json.loads(json.dumps(analysis_document(overruled())))
    jsonschema.validate(document, json.loads(SCHEMA.read_text(encoding="utf-8")))
    [row, *others] = document["precedents"]
    assert (row["title"], row["standing"]) == ("X v Y", "overruled")
    assert row["treatment"] == [
        {
            "kind": "overruled", "by": "A v B", "date": "2020-03-06", "on": "the point",
            "known_from": {"provision": "IPC-302"},
        }
    ]  # fmt: skip
    assert all(it["standing"] == "" and it["treatment"] == [] for it in others)


def test_overlapping_mentions_are_cut_at_every_border() -> None:
    pieces = stretches("abcdef", [(1, Span(1, 4)), (2, Span(2, 3)), (1, Span(5, 6))])
    assert [(it.text, it.facts, it.ending) for it in pieces] == [
        ("a", (), ()), ("b", (1,), ()), ("c", (2, 1), (2,)), ("d", (1,), (1,)), ("e", (), ()),
        ("f", (1,), (1,)),
    ]  # fmt: skip


@given(
    st.text(max_size=40), st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=5)
)
def test_stretches_are_the_narrative(text: str, borders: list[tuple[int, int]]) -> None:
    size = len(text)
    spans = [Span(*sorted((min(a, size), min(b, size)))) for a, b in borders]
    mentions = list(enumerate((span for span in spans if span.start < span.end), 1))
    pieces = stretches(text, mentions)
    assert "".join(it.text for it in pieces) == text
    assert sorted(number for it in pieces for number in it.ending) == [n for n, _ in mentions]


@pytest.mark.parametrize(
    ("provision", "date", "expected"),
    [
        ("IEA-45", "2020-01-01", "section 45 Evidence Act (opinions of experts)"),
        ("IEA-45", "2024-08-01",
         "section 39 BSA (opinions of experts), before July 2024 s. 45 Evidence Act"),
        ("", "2020", ""),
        ("a rule of the High Court", "2020", "a rule of the High Court"),
    ],
)  # fmt: skip
def test_the_law_is_named_as_on_the_day(provision: str, date: str, expected: str) -> None:
    assert law_on_the_day(provision, FactSheet("x", "He died.", occurred_on=date)) == expected
