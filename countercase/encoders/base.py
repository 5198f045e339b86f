"""The models as retrieval sees them: texts in, vectors and scores out.

`open_encoders` is the one place where a set of models is chosen, by name or by folder. Sets are
found in `countercase.registry.ENCODERS`; `CachedEncoders` is a base class for them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from countercase.encoders.apart import ApartReader
from countercase.encoders.cache import Report, VectorCache, compute_missing, key_of
from countercase.errors import ModelError
from countercase.io import Progress, cache_root
from countercase.registry import ENCODERS

Vectors: TypeAlias = NDArray[np.float32]

Role: TypeAlias = Literal["sentence", "question", "passage", "stance", "cross"]
ROLES: Final[tuple[Role, ...]] = ("sentence", "question", "passage", "stance", "cross")


class Encoders(Protocol):
    """A set of models: a sentence encoder, the two DPR towers, a stance encoder, a cross-encoder.

    The stance encoder puts a statement nearer to one side of a point than to the other; a set that
    has none of its own takes the sentence encoder for it.

    What a text or a pair gives depends on nothing else: not on other texts of the same call, not
    on the number of threads.

    Attributes:
        apart: the cross-encoder as one that reads each text alone; None where it cannot.
    """

    @property
    def apart(self) -> ApartReader | None:
        return None

    def encode(self, role: Role, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        """Return unit vectors, shape (len(texts), width), of every role but `cross`."""
        ...

    def score(self, pairs: Sequence[tuple[str, str]], progress: Progress | None = None) -> Vectors:
        """Cross-encoder scores, shape (len(pairs),), of (segment, chunk) pairs."""
        ...

    def fingerprint(self, role: Role) -> str:
        """Names the model that serves a role; the same name means the same numbers."""
        ...

    def width(self, role: Role) -> int:
        """Length of the vectors of a role; 1 for `cross`."""
        ...

    def count(self, text: str) -> int:
        """Return the number of word pieces of a text."""
        return self.counts([text])[0]

    def counts(self, texts: list[str]) -> list[int]:
        """Return the number of word pieces of each text."""
        ...


@dataclass(frozen=True)
class EncoderOptions:
    """What a registered function that opens a set of models is given.

    Args:
        threads: texts worked on at once; 0: one per core.
        precision: `auto`, `bf16` or `f32`; a set that has one precision only ignores it.
        pair_pieces: most word pieces of a scored pair.
        folder: the folder given as `models`, for `directory`.
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

    @abstractmethod
    def _vectors(self, role: Role, texts: Sequence[str], report: Report) -> Sequence[Vectors]:
        """Compute one vector of shape (width,) or (1, width) per text."""

    @abstractmethod
    def _scores(self, pairs: Sequence[tuple[str, str]], report: Report) -> Sequence[Vectors]:
        """Compute one score of shape (1,) per pair."""

    def _cache_name(self, role: Role) -> str:
        """Names what the cache holds for a role."""
        return self.fingerprint(role)

    def encode(
        self,
        role: Role,
        texts: Sequence[str],
        progress: Progress | None = None,
        keep: bool = True,
    ) -> Vectors:
        """See `Encoders`; with `keep` the cache is read and written."""
        width = self.width(role)
        if not texts:
            return np.zeros((0, width), dtype=np.float32)
        name = self._cache_name(role)
        keys = [key_of(name, text) for text in texts]

        def compute(positions: Sequence[int], report: Report) -> Sequence[Vectors]:
            return self._vectors(role, [texts[at] for at in positions], report)

        return np.stack(self._rows(keys, width, compute, "encoding", progress, keep))

    def encode_as(self, roles: Sequence[Role], texts: Sequence[str]) -> list[Vectors]:
        """`encode` for each of `roles`; a subclass may share work between them."""
        return [self.encode(role, texts) for role in roles]

    def score(self, pairs: Sequence[tuple[str, str]], progress: Progress | None = None) -> Vectors:
        """See `Encoders`."""
        if not pairs:
            return np.zeros(0, dtype=np.float32)
        name = self._cache_name("cross")
        keys = [key_of(name, *pair) for pair in pairs]

        def compute(positions: Sequence[int], report: Report) -> Sequence[Vectors]:
            return self._scores([pairs[at] for at in positions], report)

        return np.concatenate(self._rows(keys, 1, compute, "reranking", progress))

    def _rows(
        self,
        keys: Sequence[bytes],
        width: int,
        compute: Callable[[Sequence[int], Report], Sequence[Vectors]],
        what: str,
        progress: Progress | None,
        keep: bool = True,
    ) -> list[Vectors]:
        """Return one row of shape (width,) per key; see `compute_missing`."""

        def unpack(raw: bytes) -> Vectors | None:
            row = np.frombuffer(raw, dtype="<f4") if len(raw) == 4 * width else None
            return None if row is None or not np.isfinite(row).all() else row.astype(np.float32)

        cache = self._options.cache if keep else None
        rows, computed = compute_missing(
            cache, keys, compute, unpack, lambda row: row.astype("<f4").tobytes(), what, progress
        )
        self.computed += computed
        return [row.reshape(width) for row in rows]


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
    """Open a set of models with this user's cache.

    Args:
        models: `embedded`, `hub`, the name of another registered set, or the path of a
            sentence-transformers folder, whose model takes the place of the embedded
            bi-encoders or cross-encoder.
        threads, precision, pair_pieces, progress: see `EncoderOptions`.

    Raises:
        ModelError: there is no such set or folder, or a model is missing or damaged.
    """
    folder = Path(models)
    if models in ENCODERS and models != "directory":
        name = models
    elif folder.is_dir():
        name = "directory"
    else:
        raise ModelError(f"{ENCODERS.unknown(models)}; or give a sentence-transformers folder")
    cache = VectorCache(cache_file())
    options = EncoderOptions(cache, threads, precision, pair_pieces, folder, progress)
    encoders: Encoders = ENCODERS.get(name)(options)
    return encoders
