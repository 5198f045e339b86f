"""The models as retrieval sees them: texts in, vectors and scores out.

`open_encoders` is the one place where a set of models is chosen, by name or by folder. Sets are
found in `countercase.registry.ENCODERS`; `countercase.encoders.cache.CachedEncoders` is a base
class for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from countercase.encoders.cache import VectorCache
from countercase.errors import ModelError
from countercase.io import Progress, cache_root
from countercase.registry import ENCODERS

Vectors: TypeAlias = NDArray[np.float32]

Role: TypeAlias = Literal["sentence", "question", "passage", "cross"]
ROLES: Final[tuple[Role, ...]] = ("sentence", "question", "passage", "cross")


class Encoders(Protocol):
    """A set of models: a sentence encoder, the two DPR towers, a cross-encoder.

    What a text or a pair gives depends on nothing else: not on other texts of the same call, not
    on the number of threads.
    """

    def encode(self, role: Role, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        """Unit vectors, shape (len(texts), width), of `sentence`, `question` or `passage`."""
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
        """Word pieces of a text."""
        ...

    def counts(self, texts: list[str]) -> list[int]:
        """Word pieces of each text."""
        ...


@dataclass(frozen=True)
class EncoderOptions:
    """What a registered function that opens a set of models is given.

    Args:
        cache: where vectors and scores are kept.
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


def open_encoders(
    models: str = "embedded",
    *,
    threads: int = 0,
    precision: str = "auto",
    pair_pieces: int = 384,
    progress: Progress | None = None,
) -> Encoders:
    """A set of models with this user's cache.

    Args:
        models: `embedded`, `hub`, the name of another registered set, or the path of a
            sentence-transformers folder: a bi-encoder serves `sentence`, `question` and
            `passage` beside the embedded cross-encoder, a cross-encoder serves `cross` beside
            the embedded bi-encoders.
        threads, precision, pair_pieces: see `EncoderOptions`.
        progress: told of models that must be prepared first.

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
    cache = VectorCache(cache_root() / "cache" / "vectors.sqlite")
    options = EncoderOptions(cache, threads, precision, pair_pieces, folder, progress)
    encoders: Encoders = ENCODERS.get(name)(options)
    return encoders
