"""Narratives with their marks, and the law behind a change, as every report shows them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countercase.facts.model import FactSheet
from countercase.reports.text import stretches
from countercase.reports.wording import law_on_the_day
from countercase.text.spans import Span


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
def test_the_law_behind_a_change_is_named_as_on_the_day(
    provision: str, date: str, expected: str
) -> None:
    assert law_on_the_day(provision, FactSheet("x", "He died.", occurred_on=date)) == expected
