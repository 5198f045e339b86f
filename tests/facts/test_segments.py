"""Segments: what is encoded, and what an edit leaves alone."""

from __future__ import annotations

import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from countercase.facts.edits import Edit, Replacement, apply_edits
from countercase.facts.model import (
    EvidenceValue,
    Fact,
    FactSheet,
    NumericalValue,
    PartyValue,
    SectionValue,
)
from countercase.facts.segments import Segment, render, root_ranges
from countercase.text.spans import Span

NARRATIVE = (
    "Ram Singh, aged 16 years, was charged under Section 302 IPC. An axe was recovered from his "
    "house; the doctor found one wound, and the widow saw him run. He fled to Sonpura."
)


def _words(text: str) -> int:
    return len(text.split())


def _span(words: str, narrative: str = NARRATIVE) -> Span:
    start = narrative.index(words)
    return Span(start, start + len(words))


SHEET = FactSheet(
    "axe",
    NARRATIVE,
    (
        Fact("section:IPC-302", "Section", SectionValue("IPC-302"), (_span("Section 302"),)),
        Fact("party:respondent", "PartyType", PartyValue("respondent", "State")),
        Fact(
            "evidence:recovery:1",
            "Evidence",
            EvidenceValue("recovery", "axe"),
            (_span("recovered"),),
        ),
        Fact(
            "numerical:age:1",
            "Numerical",
            NumericalValue("age", 16, "years"),
            (_span("aged 16 years"),),
        ),
    ),
)


def _render(sheet: FactSheet, edits: list[Edit], limit: int = 128) -> tuple[Segment, ...]:
    changes = [(r.start, r.end, r.text) for edit in edits for r in edit.replacements]
    ranges = root_ranges(sheet.narrative, _words, limit)
    after = apply_edits(sheet, edits)
    return render(sheet, after.facts, changes, ranges, _words, limit)


def _edit(fact_id: str, new: object, *changes: tuple[int, int, str]) -> Edit:
    replacements = tuple(Replacement(*change) for change in changes)
    kind = {"s": "Section", "p": "PartyType", "e": "Evidence", "n": "Numerical"}[fact_id[0]]
    return Edit(fact_id, kind, "", "", "test", "", new, replacements)  # type: ignore[arg-type]


def test_the_root_is_its_sentences_then_the_facts_it_does_not_state() -> None:
    segments = _render(SHEET, [])
    assert [s.text for s in segments] == [
        "Ram Singh, aged 16 years, was charged under Section 302 IPC.",
        "An axe was recovered from his house; the doctor found one wound, and the widow saw him "
        "run.",
        "He fled to Sonpura.",
        "The respondent is the State.",
    ]
    assert [s.fact_ids for s in segments] == [
        ("section:IPC-302", "numerical:age:1"),
        ("evidence:recovery:1",),
        (),
        ("party:respondent",),
    ]
    assert segments[-1].span is None


def test_a_long_sentence_is_split_at_its_clause_marks() -> None:
    ranges = root_ranges(NARRATIVE, _words, limit=11)
    assert [NARRATIVE[r.start : r.end] for r in ranges] == [
        "Ram Singh, aged 16 years, was charged under Section 302 IPC.",
        "An axe was recovered from his house;",
        "the doctor found one wound, and the widow saw him run.",
        "He fled to Sonpura.",
    ]


def test_an_edit_changes_the_segment_it_touches_and_no_other() -> None:
    place = _span("16")
    older = _edit(
        "numerical:age:1", NumericalValue("age", 19, "years"), (place.start, place.end, "19")
    )
    before, after = _render(SHEET, []), _render(SHEET, [older])
    assert after[0].text == before[0].text.replace("16", "19")
    assert after[1:] == before[1:]
    assert after[0].fact_ids == before[0].fact_ids


def test_a_sentence_taken_away_is_no_segment() -> None:
    sentence = _span(" He fled to Sonpura.")
    gone = _edit("evidence:recovery:1", None, (sentence.start, sentence.end, ""))
    texts = [s.text for s in _render(SHEET, [gone])]
    assert "He fled to Sonpura." not in texts
    assert len(texts) == 3


def test_a_sentence_added_at_the_end_is_a_segment_of_its_own() -> None:
    end = len(NARRATIVE)
    text = " A dying declaration was recorded."
    added = _edit(
        "evidence:dying_declaration:added",
        EvidenceValue("dying_declaration", "recorded"),
        (end, end, text),
    )
    before, after = _render(SHEET, []), _render(SHEET, [added])
    assert after[:3] == before[:3]
    assert after[3] == Segment(text.strip(), None, ("evidence:dying_declaration:added",))


def test_a_sentence_added_between_two_leaves_both_alone() -> None:
    at = _span("IPC.").end
    added = _edit(
        "party:respondent", PartyValue("respondent", "State"), (at, at, " He is a clerk.")
    )
    texts = [s.text for s in _render(SHEET, [added])]
    assert texts[:2] == [_render(SHEET, [])[0].text, "He is a clerk."]


def test_words_added_inside_a_sentence_stay_in_it() -> None:
    at = _span("Ram Singh").end
    added = _edit("party:respondent", PartyValue("respondent", "State"), (at, at, ", a clerk"))
    assert _render(SHEET, [added])[0].text.startswith("Ram Singh, a clerk, aged 16 years")


def test_a_segment_that_grows_too_long_is_split() -> None:
    at = _span("Sonpura").end
    longer = _edit("party:respondent", None, (at, at, " and " + "on " * 30 + "to the sea"))
    segments = _render(SHEET, [longer], limit=20)
    assert all(_words(s.text) <= 20 for s in segments)
    assert " ".join(s.text for s in segments).endswith("to the sea.")


def test_a_fact_whose_words_another_edit_deletes_is_rendered() -> None:
    first = root_ranges(NARRATIVE, _words)[0]
    cut = _edit("section:IPC-302", None, (first.start, first.end, ""))
    segments = _render(SHEET, [cut])
    rendered = [s for s in segments if s.fact_ids == ("numerical:age:1",)]
    assert [s.text for s in rendered] == ["The age in question is 16 years."]


text_pieces = st.lists(
    st.sampled_from(
        [
            "He ran.",
            "She saw him, and he fell;",
            "Rs. 500 was paid",
            "then",
            "\n",
            " ",
            "It rained. ",
        ]
    ),
    max_size=12,
).map(" ".join)


@given(text_pieces, st.integers(1, 8))
def test_ranges_are_in_order_within_the_limit_and_hold_every_word(text: str, limit: int) -> None:
    ranges = root_ranges(text, _words, limit)
    assert all(left.end <= right.start for left, right in pairwise(ranges))
    assert all(_words(text[r.start : r.end]) <= limit for r in ranges)
    assert "".join(text[r.start : r.end] for r in ranges).split() or not text.strip()
    held = "".join(re.sub(r"\s", "", text[r.start : r.end]) for r in ranges)
    assert held == re.sub(r"\s", "", text)


@given(st.data())
def test_segments_hold_exactly_the_edited_narrative(data: st.DataObject) -> None:
    """Whatever the edits, the narrative segments together are the edited narrative's words."""
    text = data.draw(text_pieces)
    points = sorted(data.draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=6)))
    pairs = list(zip(points[::2], points[1::2], strict=False))
    new = [data.draw(st.sampled_from(["", "X", " Y went.", "z "])) for _ in pairs]
    changes = [(a, b, word) for (a, b), word in zip(pairs, new, strict=True)]
    changes = [c for n, c in enumerate(changes) if n == 0 or c[0] > changes[n - 1][1]]
    root = FactSheet("t", text)
    segments = render(root, (), changes, root_ranges(text, _words), _words)
    edited, at = "", 0
    for start, end, word in changes:
        edited += text[at:start] + word
        at = end
    edited += text[at:]
    letters = re.sub(r"\W", "", edited)
    assert re.sub(r"\W", "", "".join(s.text for s in segments)) == letters


@given(st.data())
def test_untouched_ranges_keep_their_bytes(data: st.DataObject) -> None:
    text = data.draw(text_pieces)
    ranges = root_ranges(text, _words)
    points = sorted(data.draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=2)))
    change = (points[0], points[1], data.draw(st.sampled_from(["", "new words", " New one."])))
    root = FactSheet("t", text)
    before = render(root, (), [], ranges, _words)
    after = render(root, (), [change], ranges, _words)
    for segment in before:
        assert segment.span is not None
        if segment.span.end < change[0] or segment.span.start > change[1]:
            assert segment in after
