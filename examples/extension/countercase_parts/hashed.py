"""A set of models without weights: words hashed into 64 numbers. Quick, and for tests alone."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from countercase.encoders.base import EncoderOptions
from countercase.io import Progress

WIDTH = 64


class HashedEncoders:
    """Every role is served by the same bag of hashed words."""

    apart = None
    """The cross-encoder reads pairs, not texts alone."""

    def encode(
        self, role: str, texts: Sequence[str], progress: Progress | None = None
    ) -> NDArray[np.float32]:
        """Unit vectors, shape (len(texts), 64)."""
        vectors = np.zeros((len(texts), WIDTH), dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for word in text.lower().split() or ["-"]:
                digest = blake2b(word.encode(), digest_size=4).digest()
                row[int.from_bytes(digest, "big") % WIDTH] += 1.0
            row /= np.linalg.norm(row)
        return vectors

    def score(
        self, pairs: Sequence[tuple[str, str]], progress: Progress | None = None
    ) -> NDArray[np.float32]:
        """Words in common, shape (len(pairs),)."""
        words = [(set(one.lower().split()), set(two.lower().split())) for one, two in pairs]
        return np.asarray([len(left & right) - 5.0 for left, right in words], dtype=np.float32)

    def fingerprint(self, role: str) -> str:
        """The same for every role: there is one way of reading."""
        return "hashed-words-64"

    def width(self, role: str) -> int:
        """Numbers in a vector."""
        return WIDTH

    def count(self, text: str) -> int:
        """Words of a text."""
        return len(text.split())

    def counts(self, texts: list[str]) -> list[int]:
        """Words of each text."""
        return [self.count(text) for text in texts]


def open_hashed(options: EncoderOptions) -> HashedEncoders:
    """The models; threads and precision mean nothing here."""
    return HashedEncoders()
