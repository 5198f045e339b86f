"""Which numbers of a narrative count accused, blows, injuries, witnesses or victims."""

from __future__ import annotations

import pytest
from labelled_rows import labelled

from countercase.fact_types.numerical.figures import find_counts


def _counts(text: str) -> list[str]:
    return [str(item.value) for item in find_counts(text)]


@labelled("counts")
def test_what_is_counted(text: str, counts: list[str]) -> None:
    assert _counts(text) == counts


def test_a_part_of_a_whole_is_two_counts() -> None:
    assert [count.split()[0] for count in _counts("Only 6 of 19 witnesses examined.")] == [
        "6",
        "19",
    ]


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("PM: abrasions 4, contusion 2.", ["4 injuries", "2 injuries"]),
        ("Single entry wound on the chest.", ["1 injuries"]),
        ("Five convicted by the trial court.", ["5 accused"]),
        ("Four co-accused, 2 are out on bail.", ["4 accused", "2 accused"]),
        ("Neighbours (3) did not support.", ["3 witnesses"]),
        ("She has two minor children.", ["2 children"]),
        ("He slapped her twice.", ["2 blows"]),
    ],
)
def test_counts_by_head_noun(text: str, counts: list[str]) -> None:
    read = _counts(text)
    assert len(read) == len(counts)
    assert all(own.startswith(count) for own, count in zip(read, counts, strict=True))
