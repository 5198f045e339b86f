"""The shipped models as a set of encoders, prepared on first use and loaded when first asked."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np

from countercase.encoders.base import EncoderOptions, Role, Vectors
from countercase.encoders.cache import CachedEncoders, key_of
from countercase.encoders.embedded import weights
from countercase.encoders.embedded.prepare import prepare
from countercase.encoders.embedded.projection import Projection, read_projection
from countercase.encoders.embedded.runtime import OpenVinoRuntime, Runtime, precision_of
from countercase.encoders.embedded.word_pieces import Ids, WordPieces
from countercase.io import Progress


class EmbeddedEncoders(CachedEncoders):
    """The shipped models.

    Args:
        options: see `EncoderOptions`; without a cache everything is computed.
    """

    def __init__(self, options: EncoderOptions | None = None) -> None:
        self._options = options or EncoderOptions()
        super().__init__(self._options.cache)
        self._recipes = weights.recipes()
        self._precision = precision_of(self._options.precision)
        self._pieces = WordPieces(weights.tokenizer_file())
        self._runtimes: dict[str, Runtime] = {}
        self._projections: dict[Role, Projection | None] = {}

    @cached_property
    def _base_width(self) -> int:
        config = json.loads((weights.base_folder() / "config.json").read_text(encoding="utf-8"))
        return int(config["hidden_size"])

    def fingerprint(self, role: Role) -> str:
        return weights.fingerprint(self._recipes[role], self._precision)

    def width(self, role: Role) -> int:
        return 1 if role == "cross" else self._base_width

    def count(self, text: str) -> int:
        return self._pieces.count(text)

    def counts(self, texts: list[str]) -> list[int]:
        return self._pieces.counts(texts)

    def encode(
        self,
        role: Role,
        texts: Sequence[str],
        progress: Progress | None = None,
        keep: bool = True,
    ) -> Vectors:
        if not texts:
            return np.zeros((0, self.width(role)), dtype=np.float32)
        # The cache holds the base model's vectors; the towers' projections are applied to them.
        name = weights.model_fingerprint(self._recipes[role], self._precision)
        keys = [key_of(name, text) for text in texts]
        rows = self._rows(
            keys,
            self.width(role),
            self._computing(role, lambda at: self._pieces.single(texts[at])),
            progress,
            keep,
        )
        projection = self._projection(role)
        return np.stack(rows) if projection is None else projection(np.stack(rows))

    def score(self, pairs: Sequence[tuple[str, str]], progress: Progress | None = None) -> Vectors:
        if not pairs:
            return np.zeros(0, dtype=np.float32)
        limit = self._options.pair_pieces
        name = f"{self.fingerprint('cross')}:{limit}"
        keys = [key_of(name, first, second) for first, second in pairs]
        compute = self._computing("cross", lambda at: self._pieces.pair(*pairs[at], limit))
        return np.concatenate(self._rows(keys, 1, compute, progress))

    def _computing(
        self, role: Role, inputs: Callable[[int], tuple[Ids, Ids]]
    ) -> Callable[[Sequence[int], Callable[[int], None]], list[Vectors]]:
        def compute(positions: Sequence[int], report: Callable[[int], None]) -> list[Vectors]:
            return self._runtime(role).run([inputs(at) for at in positions], report)

        return compute

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
            path = prepare([role], self._options.progress)[role]
            self._runtimes[name] = OpenVinoRuntime(path, self._precision, self._options.threads)
        return self._runtimes[name]
