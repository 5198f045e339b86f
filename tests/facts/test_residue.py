"""The residue: what the narrative says beyond its facts."""

from __future__ import annotations

import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from perturbation_cases import figure, section, sheet

from countercase.facts.extraction import extract
from countercase.facts.model import Fact, FactSheet, NumericalValue
from countercase.facts.residue import extents_of, fit_into, residue_of, root_ranges
from countercase.text.spans import Span

NARRATIVE = (
    "Ram Singh, aged 16 years, was charged under Section 302 IPC. An axe was recovered from his "
    "house; the doctor found one wound, and the widow saw him run. He fled to Sonpura."
)


def count(text: str) -> int:
    return len(text.split())


def test_a_long_sentence_is_split_at_its_clause_marks() -> None:
    ranges = root_ranges(NARRATIVE, count, limit=11)
    assert [NARRATIVE[r.start : r.end] for r in ranges] == [
        "Ram Singh, aged 16 years, was charged under Section 302 IPC.",
        "An axe was recovered from his house;",
        "the doctor found one wound, and the widow saw him run.",
        "He fled to Sonpura.",
    ]


def test_the_residue_is_the_sentences_without_the_extents_of_all_facts() -> None:
    root = sheet(
        "He was tried {s|under section 302} after he fled. The girl was {n|16 years} then.",
        s=section("IPC-302"),
        n=figure("age", 16, context="girl"),
    )
    texts = [segment.text for segment in residue_of(root, count)]
    assert texts == ["He was tried after he fled.", "The girl was then."]
    # What says nothing by itself is left out.
    bare = sheet("Under {s|section 302 IPC}. He fled.", s=section("IPC-302"))
    assert residue_of(bare, count) == ()


def test_an_item_of_evidence_takes_its_clause_but_not_the_mentions_of_others() -> None:
    text = "The knife was recovered at the instance of the accused; the shop stood open."
    root = extract(text, tagger=False)
    own = [f for f in root.facts if f.fact_type == "Evidence"]
    assert own
    words = " ".join(text[s.start : s.end] for f in own for s in extents_of(root)[f.fact_id])
    assert "at the instance" in words and "shop" not in words


def test_the_beginning_of_a_text_fits_the_limit() -> None:
    assert fit_into(NARRATIVE, count, 200) == NARRATIVE
    assert count(fit_into(NARRATIVE, count, 9)) <= 9
    assert NARRATIVE.startswith(fit_into(NARRATIVE, count, 9))


WORDS = (
    "He ran.",
    "She saw him, and he fell;",
    "Rs. 500 was paid",
    "then",
    "\n",
    " ",
    "It rained. ",
)
PIECES = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)


@given(PIECES, st.integers(1, 8))
def test_ranges_are_in_order_within_the_limit_and_hold_every_word(text: str, limit: int) -> None:
    ranges = root_ranges(text, count, limit)
    assert all(left.end <= right.start for left, right in pairwise(ranges))
    assert all(count(text[r.start : r.end]) <= limit for r in ranges)
    held = "".join(re.sub(r"\s", "", text[r.start : r.end]) for r in ranges)
    assert held == re.sub(r"\s", "", text)


@given(PIECES, st.data())
def test_no_word_of_an_extent_is_in_the_residue_and_every_segment_is_of_its_sentence(
    text: str, data: st.DataObject
) -> None:
    ends = sorted(data.draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=2)))
    fact = Fact("n", "Numerical", NumericalValue("age", 1, "years"), (Span(*ends),))
    left = text[: ends[0]] + " " + text[ends[1] :]
    for segment in residue_of(FactSheet("case", text, (fact,)), count):
        assert segment.span is not None
        assert "".join(segment.text.split()) in "".join(left.split())
