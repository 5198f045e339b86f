"""The encoders as retrieval sees them: texts in, vectors and scores out, cached.

`Encoders` is the interface; `EmbeddedEncoders` serves the shipped models. The public models of
`--models hub` serve the same interface from `hub.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from countercase.config import Settings
from countercase.encoders.cache import VectorCache, key_of, missing
from countercase.encoders.embedded import weights
from countercase.encoders.embedded.prepare import prepare
from countercase.encoders.embedded.projection import Projection, read_projection
from countercase.encoders.embedded.runtime import OpenVinoRuntime, Runtime, precision_of
from countercase.encoders.embedded.weights import Role
from countercase.encoders.embedded.word_pieces import Ids, WordPieces
from countercase.io import Progress, cache_root

Vectors = NDArray[np.float32]
WIDTH: Final = 384
_KEEP_EVERY: Final = 256


class Encoders(Protocol):
    """What retrieval needs of a set of models."""

    def encode(self, role: Role, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        """Unit vectors, shape (len(texts), width), of `sentence`, `question` or `passage`."""
        ...

    def score(self, pairs: Sequence[tuple[str, str]], progress: Progress | None = None) -> Vectors:
        """Cross-encoder scores, shape (len(pairs),), of (segment, chunk) pairs."""
        ...

    def fingerprint(self, role: Role) -> str:
        """Names the model that serves a role; the same name means the same numbers."""
        ...

    def count(self, text: str) -> int:
        """Word pieces of a text."""
        ...

    def counts(self, texts: list[str]) -> list[int]:
        """Word pieces of each text."""
        ...


class EmbeddedEncoders:
    """The shipped models, prepared on first use, each loaded when it is first asked.

    Args:
        settings: THREADS, PRECISION and PAIR_PIECES count here.
        cache: where results are kept; None to compute everything.
        preparing: told the role of each model that must be prepared first.
    """

    def __init__(
        self,
        settings: Settings,
        cache: VectorCache | None = None,
        preparing: Callable[[str], None] | None = None,
    ) -> None:
        self._settings, self._cache, self._preparing = settings, cache, preparing
        self._recipes = weights.recipes()
        self._precision = precision_of(settings.PRECISION)
        self._pieces = WordPieces(weights.tokenizer_file())
        self._runtimes: dict[str, Runtime] = {}
        self._projections: dict[Role, Projection | None] = {}
        self.computed = 0
        """Texts and pairs that were computed and not found in the cache, so far."""

    def fingerprint(self, role: Role) -> str:
        return weights.fingerprint(self._recipes[role], self._precision)

    def count(self, text: str) -> int:
        return self._pieces.count(text)

    def counts(self, texts: list[str]) -> list[int]:
        return self._pieces.counts(texts)

    def encode(
        self, role: Role, texts: Sequence[str], progress: Progress | None = None, keep: bool = True
    ) -> Vectors:
        if not texts:
            return np.zeros((0, WIDTH), dtype=np.float32)
        # What a tower adds is added to the kept vectors of its model, not kept a second time.
        name = weights.model_fingerprint(self._recipes[role], self._precision)
        keys = [key_of(name, text) for text in texts]
        rows = self._cached(
            role, keys, lambda at: self._pieces.single(texts[at]), WIDTH, progress, keep
        )
        projection = self._projection(role)
        return np.stack(rows) if projection is None else projection(np.stack(rows))

    def score(self, pairs: Sequence[tuple[str, str]], progress: Progress | None = None) -> Vectors:
        if not pairs:
            return np.zeros(0, dtype=np.float32)
        limit = self._settings.PAIR_PIECES
        name = f"{self.fingerprint('cross')}:{limit}"
        keys = [key_of(name, first, second) for first, second in pairs]
        rows = self._cached(
            "cross", keys, lambda at: self._pieces.pair(*pairs[at], limit), 1, progress, True
        )
        return np.concatenate(rows)

    def _cached(
        self,
        role: Role,
        keys: Sequence[bytes],
        inputs: Callable[[int], tuple[Ids, Ids]],
        width: int,
        progress: Progress | None,
        keep: bool,
    ) -> list[Vectors]:
        found = self._cache.get(keys, width) if self._cache is not None and keep else {}
        wanted = missing(keys, found)
        runtime = self._runtime(role) if wanted else None
        what = "reranking" if role == "cross" else "encoding"
        for start in range(0, len(wanted), _KEEP_EVERY):
            part = wanted[start : start + _KEEP_EVERY]
            assert runtime is not None

            def tell(finished: int, start: int = start) -> None:
                if progress is not None:
                    progress(what, start + finished, len(wanted))

            outputs = runtime.run([inputs(at) for at in part], tell)
            fresh = {keys[at]: row.reshape(width) for at, row in zip(part, outputs, strict=True)}
            self.computed += len(fresh)
            found |= fresh
            if self._cache is not None and keep:
                self._cache.put(fresh)
        return [found[key] for key in keys]

    def _projection(self, role: Role) -> Projection | None:
        if role not in self._projections:
            path = weights.towers_file(self._recipes[role])
            self._projections[role] = (
                read_projection(path, role)
                if path is not None and (role == "question" or role == "passage")
                else None
            )
        return self._projections[role]

    def _runtime(self, role: Role) -> Runtime:
        name = weights.model_fingerprint(self._recipes[role], self._precision)
        if name not in self._runtimes:
            path = prepare([role], self._preparing)[role]
            self._runtimes[name] = OpenVinoRuntime(path, self._precision, self._settings.THREADS)
        return self._runtimes[name]


def open_cache() -> VectorCache:
    """The cache of this user."""
    return VectorCache(cache_root() / "cache" / "vectors.sqlite")


def open_encoders(
    settings: Settings, preparing: Callable[[str], None] | None = None
) -> EmbeddedEncoders:
    """The embedded encoders with the cache of this user."""
    return EmbeddedEncoders(settings, open_cache(), preparing)
