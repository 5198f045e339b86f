"""What `apply_edits` promises about the spans of facts, for any replacements."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countercase.facts.edits import Edit, Replacement, apply_edits, compatible
from countercase.facts.model import Fact, FactSheet, SectionValue
from countercase.text.spans import Span


def edit(fact_id: str, *replacements: tuple[int, int, str], gone: bool = False) -> Edit:
    return Edit(
        fact_id=fact_id,
        fact_type="Section",
        original_value="a",
        perturbed_value="b",
        rule="test",
        provision="IPC-302",
        new_value=None if gone else SectionValue("IPC-304"),
        replacements=tuple(Replacement(*r) for r in replacements),
    )


def root(text: str, **spans: tuple[int, int]) -> FactSheet:
    facts = (
        Fact(name, "Section", SectionValue("IPC-302"), (Span(*s),)) for name, s in spans.items()
    )
    return FactSheet("case", text, tuple(facts))


def words(sheet: FactSheet, fact_id: str) -> list[str]:
    return [sheet.narrative[s.start : s.end] for s in sheet.fact(fact_id).spans]


@st.composite
def sheets_and_edits(draw: st.DrawFn) -> tuple[FactSheet, list[Edit]]:
    """A text, facts at random places, and edits of some of them that do not collide."""
    text = draw(st.text(alphabet="abcdefgh .", min_size=1, max_size=60))
    place = st.integers(0, len(text))
    spans = draw(st.lists(st.tuples(place, place).map(sorted), min_size=1, max_size=6))
    facts = tuple(
        Fact(f"f{i}", "Section", SectionValue("IPC-302"), (Span(*s),) if s[0] < s[1] else ())
        for i, s in enumerate(spans)
    )
    raw = draw(
        st.lists(
            st.tuples(st.integers(0, 7), place, place, st.text(alphabet="XYZ", max_size=4)),
            max_size=6,
        )
    )
    chosen: list[Edit] = []
    for number, start, end, new in raw:
        candidate = edit(f"f{number}", (min(start, end), max(start, end), new))
        if compatible([*chosen, candidate]):
            chosen.append(candidate)
    return FactSheet("case", text, facts), chosen


@given(sheets_and_edits())
def test_the_order_of_edits_does_not_matter(drawn: tuple[FactSheet, list[Edit]]) -> None:
    sheet, edits = drawn
    assert apply_edits(sheet, edits) == apply_edits(sheet, list(reversed(edits)))


@given(sheets_and_edits())
def test_the_narrative_is_the_root_with_each_replacement_made(
    drawn: tuple[FactSheet, list[Edit]],
) -> None:
    sheet, edits = drawn
    expected = sheet.narrative
    for change in sorted((r for e in edits for r in e.replacements), reverse=True):
        expected = expected[: change.start] + change.text + expected[change.end :]
    assert apply_edits(sheet, edits).narrative == expected


@given(sheets_and_edits())
def test_a_span_that_no_edit_touches_keeps_its_words(drawn: tuple[FactSheet, list[Edit]]) -> None:
    sheet, edits = drawn
    after = apply_edits(sheet, edits)
    changes = [r for e in edits for r in e.replacements]
    for fact in sheet.facts:
        for span in fact.spans:
            if not any(c.start < span.end and span.start < c.end for c in changes) and not any(
                c.span == span for c in changes
            ):
                assert words(after, fact.fact_id) == [sheet.narrative[span.start : span.end]]


@given(sheets_and_edits())
def test_no_span_is_empty_or_outside_the_new_narrative(drawn: tuple[FactSheet, list[Edit]]) -> None:
    sheet, edits = drawn
    after = apply_edits(sheet, edits)
    for fact in after.facts:
        assert all(0 <= s.start < s.end <= len(after.narrative) for s in fact.spans)


def test_a_fact_follows_a_change_that_reaches_beyond_its_mention() -> None:
    sheet = root("under section 302 of the Code today", one=(6, 17))
    after = apply_edits(sheet, [edit("one", (6, 29, "article 14"))])
    assert words(after, "one") == ["article 14"]


def test_a_fact_follows_a_change_that_overlaps_its_mention() -> None:
    sheet = root("under section 302 of the Code today", one=(6, 17))
    after = apply_edits(sheet, [edit("one", (14, 29, "304 IPC"))])
    assert words(after, "one") == ["section 304 IPC"]


def test_another_facts_change_that_swallows_a_mention_ends_it() -> None:
    sheet = root("He saw the boy of 16 there.", saw=(3, 6), age=(18, 20))
    after = apply_edits(sheet, [edit("saw", (0, 27, "He saw nobody."))])
    assert words(after, "age") == []
    assert words(after, "saw") == ["He saw nobody."]


def test_a_change_inside_a_longer_mention_grows_it() -> None:
    sheet = root("He saw the boy of 16 there.", saw=(0, 26), age=(18, 20))
    after = apply_edits(sheet, [edit("age", (18, 20, "eighteen"))])
    assert words(after, "saw") == ["He saw the boy of eighteen there"]
    assert words(after, "age") == ["eighteen"]


def test_a_mention_cut_out_piece_by_piece_is_gone() -> None:
    sheet = root("abcdef", one=(1, 5))
    after = apply_edits(sheet, [edit("one", (1, 3, ""), (3, 5, ""))])
    assert after.narrative == "af"
    assert words(after, "one") == []


def test_an_insertion_at_either_edge_of_a_mention_stays_outside() -> None:
    sheet = root("abcdef", one=(2, 4))
    after = apply_edits(sheet, [edit("x", (2, 2, "--")), edit("y", (4, 4, "++"))])
    assert after.narrative == "ab--cd++ef"
    assert words(after, "one") == ["cd"]


def test_added_text_is_the_mention_of_the_fact_it_adds() -> None:
    sheet = root("It began.", one=(0, 2))
    after = apply_edits(sheet, [edit("new", (9, 9, " It ended."))])
    assert words(after, "new") == [" It ended."]


def test_an_edit_beyond_the_narrative_is_an_error() -> None:
    with pytest.raises(ValueError, match="beyond its narrative"):
        apply_edits(root("short", one=(0, 2)), [edit("one", (0, 50, "x"))])


def test_edits_of_the_same_words_cannot_hold_at_once() -> None:
    with pytest.raises(ValueError, match="cannot hold at once"):
        apply_edits(
            root("abcdef", one=(0, 2)), [edit("one", (0, 3, "x")), edit("two", (2, 4, "y"))]
        )
