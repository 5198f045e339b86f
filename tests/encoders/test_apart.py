"""Texts read apart: against the torch model with closed gates, to the bit in any company, kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from countercase.encoders.apart import Comparison, Reading, agreement, reading_of, unpacked
from countercase.encoders.base import EncoderOptions
from countercase.encoders.cache import VectorCache
from countercase.encoders.embedded import graphs, weights
from countercase.encoders.embedded.graphs import CLOSED, PairHead, pair_states
from countercase.encoders.embedded.runtime import WordPieces
from countercase.encoders.embedded.suite import ANSWERS, ASKED, EmbeddedEncoders

TEXTS = (
    ASKED,
    *ANSWERS,
    "The cheque was returned unpaid and the notice was sent on the twentieth day.",
    "Khurpi.",
    "The tenant sublet the shop without consent, and the rent was three years in arrears.",
)
STEP_BOUND = 0.02
"""How far a score may move because states are kept in 127 steps."""


@pytest.fixture(scope="module")
def plain(home: Path) -> EmbeddedEncoders:
    """The models in float32, without a cache."""
    return EmbeddedEncoders(EncoderOptions(precision="f32"))


def reading(states: list[list[float]], piece_weights: list[float]) -> Reading:
    return reading_of(
        np.asarray(states, dtype=np.float32), np.asarray(piece_weights, dtype=np.float32)
    )


# By hand


def test_a_comparison_by_hand() -> None:
    # The first text points east and north, the second east: the means' cosine is √½; the eastern
    # piece finds itself, the northern one nothing, and the eastern one counts three times as much.
    first = reading([[2.0, 0.0], [0.0, 2.0]], [3.0, 1.0])
    second = reading([[5.0, 0.0]], [1.0])
    assert agreement([first], second).tolist() == [pytest.approx(0.75, abs=1e-6)]
    comparison = Comparison(
        mean_scale=10.0, word_scale=10.0, word_weight=np.zeros(200), dense=np.zeros((3, 2)),
        dense_bias=np.zeros(3), out=np.zeros(3), out_bias=0.0,
    )  # fmt: skip
    [score] = comparison.scores([first], second)
    assert score == pytest.approx(10 * (0.5**0.5 + 0.75), abs=1e-5)


# Against torch


def test_the_score_is_that_of_the_torch_model_with_closed_gates(plain: EmbeddedEncoders) -> None:
    module = graphs.build(weights.recipes()["cross"])
    encoder, head = module.encoder, module.head
    assert isinstance(head, PairHead) and isinstance(encoder, torch.nn.Module)
    pieces = WordPieces(weights.tokenizer_file())
    closed = torch.full_like(head.gates, CLOSED)
    texts = TEXTS[:4]
    readings = plain.apart.read(texts)
    for second, text in zip(readings[1:], texts[1:], strict=True):
        [scores] = plain.apart.compare([(readings[:2], second)])
        for first, score in zip(texts, scores, strict=False):
            ids, types = (torch.from_numpy(part) for part in pieces.pair(first, text, 384))
            mask = torch.ones_like(ids)
            with torch.no_grad():
                states = pair_states(encoder, closed, ids, types, mask)
                expected = head(states, ids, types, mask).item()
            assert score == pytest.approx(expected, abs=STEP_BOUND)


# To the bit


def test_a_score_is_the_same_in_any_company(home: Path) -> None:
    one, two = (EmbeddedEncoders(EncoderOptions(threads=n)) for n in (1, 2))
    together = two.apart.read(TEXTS)
    alone = [one.apart.read([text])[0] for text in TEXTS]
    for a, b in zip(together, alone, strict=True):
        assert a.packed() == b.packed()
    [every] = two.apart.compare([(together, together[1])])
    for reading, score in zip(alone, every, strict=True):
        [[single]] = one.apart.compare([([reading], alone[1])])
        assert single.tobytes() == score.tobytes()


# Kept


@given(st.integers(1, 9), st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_a_reading_survives_packing_and_is_near_its_states(
    pieces: int, width: int, seed: int
) -> None:
    draw = np.random.default_rng(seed)
    states = draw.normal(size=(pieces, width)).astype(np.float32)
    whole = reading_of(states, draw.random(pieces).astype(np.float32))
    again = unpacked(whole.packed(), width)
    assert again is not None and again.packed() == whole.packed()
    unit = states.astype(np.float64) / np.linalg.norm(states.astype(np.float64), axis=1)[:, None]
    kept = again.states * again.scales[:, None].astype(np.float64)
    # Half a step, of the largest number of the state, at most.
    assert (np.abs(kept - unit) <= again.scales[:, None] * 0.501).all()


def test_what_is_no_reading_is_not_read_as_one() -> None:
    raw = reading([[1.0, 0.0], [0.0, 1.0]], [1.0, 0.0]).packed()
    assert unpacked(raw, 2) is not None
    for damaged in (b"", raw[:-1], raw + b"\0", raw[: 4 * 2], b"\xff" * len(raw)):
        assert unpacked(damaged, 2) is None


def test_readings_are_kept_by_content_and_limit_and_a_damaged_one_is_read_again(
    tmp_path: Path, home: Path
) -> None:
    cache = VectorCache(tmp_path / "vectors.sqlite")
    first = EmbeddedEncoders(EncoderOptions(cache=cache)).apart
    before = first.read([ASKED, *ANSWERS, ASKED])
    assert first.computed == 3
    again = EmbeddedEncoders(EncoderOptions(cache=cache)).apart
    assert [r.packed() for r in again.read([ASKED, *ANSWERS, ASKED])] == [
        r.packed() for r in before
    ]
    assert again.computed == 0
    shorter = EmbeddedEncoders(EncoderOptions(cache=cache, pair_pieces=64)).apart
    shorter.read([ASKED])
    assert shorter.computed == 1  # another limit, another reading
    [cut] = shorter.read(["word " * 300])
    assert cut.states.shape == (64, 384)
    with cache._db:
        cache._db.execute("UPDATE entry SET value = zeroblob(length(value))")
    [mended, *_] = EmbeddedEncoders(EncoderOptions(cache=cache)).apart.read([ASKED])
    assert mended.packed() == before[0].packed()
