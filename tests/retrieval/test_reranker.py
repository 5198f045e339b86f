"""The vote of the cross-encoder: both ways of reading, and which votes decide a list."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reranking import settled

from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.retrieval.reranker import CrossEncoderReranker, contribution

SEGMENT = "He struck one blow with a stick in a sudden quarrel over the water channel."
CHUNK = "A single blow in the heat of a sudden fight is culpable homicide not amounting to murder."
OTHER = "The assessee cannot claim depreciation on machinery that was never put to use."


def test_a_vote_by_hand() -> None:
    assert contribution(0.0) == pytest.approx(math.log(2), abs=1e-9)
    assert contribution(-40.0) == 0.0
    assert contribution(50.0) == 50.0


@pytest.mark.parametrize("mode", ["apart", "joint"])
def test_the_answer_is_worth_more_than_another_text(mode, encoders: EmbeddedEncoders) -> None:
    reranker = CrossEncoderReranker[str](encoders, mode, str)
    reranker.load([(SEGMENT, CHUNK), (SEGMENT, OTHER), (SEGMENT, CHUNK)])
    assert reranker.vote(SEGMENT, CHUNK) > 0.5 > 0.1 > reranker.vote(SEGMENT, OTHER)
    before = reranker.vote(SEGMENT, CHUNK)
    reranker.forget()
    assert reranker.cached_bytes == 0
    assert reranker.vote(SEGMENT, CHUNK) == before


def test_the_mode_decides_how_a_pair_is_read(encoders: EmbeddedEncoders) -> None:
    apart, joint = (CrossEncoderReranker[str](encoders, m, str) for m in ("apart", "joint"))
    for reranker in (apart, joint):
        reranker.load([(SEGMENT, CHUNK)])
    [pair] = encoders.score([(SEGMENT, CHUNK)]).tolist()
    assert joint.vote(SEGMENT, CHUNK) == contribution(pair)
    first, second = encoders.apart.read([SEGMENT, CHUNK])
    [[alone]] = encoders.apart.compare([([first], second)])
    assert apart.vote(SEGMENT, CHUNK) == contribution(float(alone))


# Which cases of a pool need no reading

K, WEIGHT = 20, 0.3


def top_of(fused: list[float], totals: list[float], top: int) -> list[int]:
    order = sorted(range(len(fused)), key=lambda at: (-totals[at], at))
    rank = {at: number for number, at in enumerate(order, start=1)}
    final = [round(score + WEIGHT / (K + rank[at]), 12) for at, score in enumerate(fused)]
    return sorted(range(len(fused)), key=lambda at: (-final[at], at))[:top]


gaps = st.sampled_from([0.0, 1e-12, 0.0004, 0.001, 0.002, 0.004, 0.02])
pools = st.lists(st.tuples(gaps, st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=12)


@given(pools, st.integers(1, 4))
def test_a_settled_list_is_never_another_one(pool: list[tuple[float, int, int]], top: int) -> None:
    fused = [round(0.2 - sum(gap for gap, _, _ in pool[: at + 1]), 12) for at in range(len(pool))]
    for count in range(len(pool) + 1):  # the best fused ones are read first
        read = [at < count for at in range(len(pool))]
        totals = [float(total) for _, total, _ in pool]
        if settled(fused, totals, read, K, WEIGHT, top):
            # Whatever the unread cases total, the list is the same.
            others = totals[:count] + [float(unread) for _, _, unread in pool[count:]]
            assert top_of(fused, totals, top) == top_of(fused, others, top)
            assert top_of(fused, totals, top) == top_of(
                fused, totals[:count] + [99.0] * (len(pool) - count), top
            )


def test_a_case_far_below_needs_no_reading_where_the_others_keep_their_order() -> None:
    assert settled([0.09, 0.05, 0.01], [5, 3, 0], [True, True, False], K, WEIGHT, 1)
    assert settled([0.09, 0.05, 0.01], [5, 3, 0], [True, True, False], K, WEIGHT, 2)
    # Two that are nearly level: how many stand between them is not known.
    level = [0.05, 0.0501, 0.01]
    assert settled(level, [5, 3, 0], [True, True, True], K, WEIGHT, 2)
    assert not settled([0.05, 0.0507, 0.01], [5, 3, 0], [True, True, False], K, WEIGHT, 2)
