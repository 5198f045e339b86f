"""The models as retrieval sees them: texts in, vectors and scores out.

`open_encoders` is the one place where a set of models is chosen, by name or by folder. Sets are
found in `countercase.registry.ENCODERS`; `CachedEncoders` is a base class for them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, Literal, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from countercase.encoders.apart import ApartReader
from countercase.encoders.cache import Item, Report, VectorCache, compute_missing, key_of
from countercase.errors import ModelError
from countercase.io import Progress, cache_root
from countercase.registry import ENCODERS

Vectors: TypeAlias = NDArray[np.float32]

Role: TypeAlias = Literal["sentence", "question", "passage", "stance", "cross"]
ROLES: Final[tuple[Role, ...]] = ("sentence", "question", "passage", "stance", "cross")


@runtime_checkable
class Encoders(Protocol):
    """A set of models: a sentence encoder, the two DPR towers, a stance encoder, a cross-encoder.

    The stance encoder puts a statement nearer to one side of a point than to the other; a set that
    has none of its own takes the sentence encoder for it. What a text or a pair gives depends on
    nothing else: not on other texts of the same call, not on the number of threads.
    """

    @property
    def apart(self) -> ApartReader | None:
        """The cross-encoder as one that reads each text alone; None where it cannot."""
        return None

    def encode(self, role: Role, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        """Return unit vectors, shape (len(texts), width), of every role but `cross`."""

    def score(self, pairs: Sequence[tuple[str, str]], progress: Progress | None = None) -> Vectors:
        """Cross-encoder scores, shape (len(pairs),), of (segment, chunk) pairs."""

    def fingerprint(self, role: Role) -> str:
        """Names the model that serves a role; the same name means the same numbers."""

    def width(self, role: Role) -> int:
        """Length of the vectors of a role; 1 for `cross`."""

    def count(self, text: str) -> int:
        """Return the number of word pieces of a text."""
        return self.counts([text])[0]

    def counts(self, texts: list[str]) -> list[int]:
        """Return the number of word pieces of each text."""


@dataclass(frozen=True)
class EncoderOptions:
    """What a registered function that opens a set of models is given.

    `threads` are texts worked on at once, 0: one per core; `precision` is `auto`, `bf16` or `f32`;
    `pair_pieces` the most word pieces of a scored pair; `folder` that given as `models`.
    """

    cache: VectorCache | None = None
    threads: int = 0
    precision: str = "auto"
    pair_pieces: int = 384
    folder: Path | None = None
    progress: Progress | None = None


class CachedEncoders(Encoders, ABC):
    """Base of a set of models: what is in the cache, if there is one, is not computed again.

    A subclass has `fingerprint`, `width` and `counts` of `Encoders`, and `_vectors` and `_scores`.
    `computed` counts texts and pairs that were not taken from the cache.
    """

    def __init__(self, options: EncoderOptions | None = None) -> None:
        self._options = options or EncoderOptions()
        self.computed = 0

    def encode(self, role: Role, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        """See `Encoders`."""
        return self._projected(role, self._read(role, texts, progress))

    def encode_as(self, roles: Sequence[Role], texts: Sequence[str]) -> list[Vectors]:
        """`encode` for each of `roles`; what serves several of them is computed once."""
        read: dict[str, Vectors] = {}
        for role in roles:
            if (name := self._cache_name(role)) not in read:
                read[name] = self._read(role, texts)
        return [self._projected(role, read[self._cache_name(role)]) for role in roles]

    def score(self, pairs: Sequence[tuple[str, str]], progress: Progress | None = None) -> Vectors:
        """See `Encoders`."""
        name = self._cache_name("cross")
        keys = [key_of(name, *pair) for pair in pairs]
        return self._rows(keys, pairs, 1, self._scores, "reranking", progress).reshape(len(pairs))

    @abstractmethod
    def _vectors(self, role: Role, texts: Sequence[str], report: Report) -> Sequence[Vectors]:
        """Compute one vector of shape (width,) or (1, width) per text."""

    @abstractmethod
    def _scores(self, pairs: Sequence[tuple[str, str]], report: Report) -> Sequence[Vectors]:
        """Compute one score of shape (1,) per pair."""

    def _cache_name(self, role: Role) -> str:
        return self.fingerprint(role)

    def _projected(self, role: Role, vectors: Vectors) -> Vectors:
        """Return the vectors of a role, made of what the cache holds for it."""
        return vectors

    def _read(self, role: Role, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        name = self._cache_name(role)
        keys = [key_of(name, text) for text in texts]
        compute = partial(self._vectors, role)
        return self._rows(keys, texts, self.width(role), compute, "encoding", progress)

    def _rows(
        self,
        keys: Sequence[bytes],
        items: Sequence[Item],
        width: int,
        compute: Callable[[list[Item], Report], Sequence[Vectors]],
        what: str,
        progress: Progress | None,
    ) -> Vectors:
        """Return one row per item, shape (len(items), width); see `compute_missing`."""

        def unpack(raw: bytes) -> Vectors | None:
            row = np.frombuffer(raw, dtype="<f4") if len(raw) == 4 * width else None
            return None if row is None or not np.isfinite(row).all() else row.astype(np.float32)

        rows, computed = compute_missing(
            self._options.cache, keys, items, compute, unpack,
            lambda row: row.astype("<f4").tobytes(), what, progress,
        )  # fmt: skip
        self.computed += computed
        flat = [row.reshape(width) for row in rows]
        return np.array(flat, dtype=np.float32).reshape(len(keys), width)


def encode_as(encoders: Encoders, roles: Sequence[Role], texts: Sequence[str]) -> list[Vectors]:
    """`encode` for each of `roles`; models that share what two of them need compute it once."""
    if isinstance(encoders, CachedEncoders):
        return encoders.encode_as(roles, texts)
    return [encoders.encode(role, texts) for role in roles]


def cache_file() -> Path:
    """Return where this user's vectors and scores are kept."""
    return cache_root() / "cache" / "vectors.sqlite"


def open_encoders(
    models: str = "embedded",
    *,
    threads: int = 0,
    precision: str = "auto",
    pair_pieces: int = 384,
    progress: Progress | None = None,
) -> Encoders:
    """Open a set of models with this user's cache; for the options see `EncoderOptions`.

    `models` is `embedded`, `hub`, another registered name, or a sentence-transformers folder, in place
    of the embedded bi-encoders or cross-encoder. ModelError where one is missing or damaged.
    """
    folder = Path(models)
    if models in ENCODERS and models != "directory":
        name = models
    elif folder.is_dir():
        name = "directory"
    else:
        raise ModelError(f"{ENCODERS.unknown(str(models))}; or give a sentence-transformers folder")
    cache = VectorCache(cache_file())
    options = EncoderOptions(cache, threads, precision, pair_pieces, folder, progress)
    encoders: Encoders = ENCODERS.make(name, options)
    return encoders
