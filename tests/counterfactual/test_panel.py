"""Measures of how far a ranking moved, against answers worked by hand."""

from __future__ import annotations

import pytest

from countercase.counterfactual.displacement import (
    distances,
    kendall_distance,
    rank_biased_overlap,
    tied_ranks,
)
from countercase.retrieval.base import Query, Ranking


def scored(ids: str, *scores: float) -> list[tuple[str, float]]:
    """One letter an id; scores falling by 1 where none are given."""
    return list(zip(ids, scores or [float(len(ids) - at) for at in range(len(ids))], strict=True))


def test_those_of_one_score_share_the_first_rank_of_their_group() -> None:
    assert tied_ranks(scored("abcd", 3, 2, 2, 1)) == {"a": 1, "b": 2, "c": 2, "d": 4}
    assert tied_ranks(scored("abc", 3, 1, 2)) == {"a": 1, "b": 2, "c": 3}


@pytest.mark.parametrize(
    ("first", "second", "k", "overlap"),
    [
        (scored("abcde"), scored("abcde"), 5, 1),
        (scored("abc"), scored("def"), 3, 0),
        # Agreement 0 at depth 1 and 1 at depth 2, p = 1/2: 1 * 1/4 + 1/2 * (0 + 1 * 1/2).
        (scored("ab"), scored("ba"), 2, 0.5),
        # Depth 1 holds {a} and {a, b}: agreement 2/3. Then 1 * 1/4 + 1/2 * (2/3 + 1/2).
        (scored("ab"), scored("ba", 1, 1), 2, 5 / 6),
    ],
)
def test_overlap_by_hand(
    first: list[tuple[str, float]], second: list[tuple[str, float]], k: int, overlap: float
) -> None:
    assert rank_biased_overlap(first, second, k) == pytest.approx(overlap)


@pytest.mark.parametrize(
    ("first", "second", "distance"),
    [
        # a and b are exchanged (1); c left and d came (1). Most: 9 + (6 + 6) / 4 = 12.
        (scored("abc"), scored("bad"), 2 / 12),
        (scored("abc"), scored("def"), 1),
        (scored("abc"), scored("abc"), 0),
        # A pair that one list ties counts half.
        (scored("ab"), scored("ab", 1, 1), 0.5 / 5),
        # ab: both absent from the other list, 1/2; likewise cd; the four pairs across, 1 each.
        (scored("ab"), scored("cd"), 1),
    ],
)
def test_kendall_distance_of_top_lists(
    first: list[tuple[str, float]], second: list[tuple[str, float]], distance: float
) -> None:
    assert kendall_distance(first, second) == pytest.approx(distance)


def test_the_distances_at_one_depth() -> None:
    before = scored("abcd", 10, 8, 6, 4)
    after = scored("bacd", 10, 9, 8, 3)
    two = distances(before, after, 2)
    assert (two.displacement, two.turnover, two.censored) == (1.0, 0.0, 0.0)
    assert two.shift == pytest.approx((2 + 1) / 2 / 10)  # c from 6 to 8, d from 4 to 3
    one = distances(before, after, 1)
    # a from rank 1 to 2 and b from 2 to 1, both absent once: 2 of 4 ranks are unknown.
    assert (one.displacement, one.turnover, one.censored, one.tau) == (1.0, 1.0, 0.5, 1.0)


def test_a_panel_reads_the_scores_below_the_list() -> None:
    def ranking(*order: tuple[str, float]) -> Ranking:
        return Ranking(Query(("text",)), (), 1, scored=order)

    first, second = ranking(("a", 2.0), ("b", 1.0)), ranking(("a", 2.0), ("b", 0.5))
    at_one, at_five = (distances(first.order, second.order, k) for k in (1, 5))
    assert (at_one.displacement, at_one.shift) == (0.0, 0.25)
    assert (at_five.displacement, at_five.shift) == (0.0, None)
