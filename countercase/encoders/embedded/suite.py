"""The shipped models as a set of encoders, prepared on first use and loaded when first asked."""

from __future__ import annotations

import json
import platform
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from countercase.encoders.base import CachedEncoders, EncoderOptions, Report, Role, Vectors
from countercase.encoders.embedded import weights
from countercase.encoders.embedded.apart import EmbeddedApart, read_comparison
from countercase.encoders.embedded.known_answers import answers_digest, difference
from countercase.encoders.embedded.prepare import SUMS, prepare_one
from countercase.encoders.embedded.projection import Projection, read_projection
from countercase.encoders.embedded.runtime import OpenVinoRuntime, Runtime, precision_of
from countercase.encoders.embedded.word_pieces import WordPieces
from countercase.errors import ModelError
from countercase.integrity import Checked, checksum
from countercase.io import Progress


class EmbeddedEncoders(CachedEncoders):
    """The shipped models; unless not `asked`, each answers its known questions before it is used,
    once per change of its file, of the arithmetic or of the runtime.
    """

    def __init__(self, options: EncoderOptions | None = None, asked: bool = True) -> None:
        super().__init__(options)
        self._asked = asked
        self._recipes = weights.recipes()
        self._precision = precision_of(self._options.precision)
        self._pieces = WordPieces(weights.tokenizer_file())
        self._runtimes: dict[str, Runtime] = {}
        self._projections: dict[Role, Projection | None] = {}

    @cached_property
    def _base_width(self) -> int:
        config = json.loads((weights.base_folder() / "config.json").read_text(encoding="utf-8"))
        return int(config["hidden_size"])

    @cached_property
    def apart(self) -> EmbeddedApart:
        recipe = self._recipes["cross"]
        path = weights.adapter_file(recipe)
        if path is None:
            raise ModelError("the cross-encoder has no trained adapter; `countercase models list`")
        return EmbeddedApart(
            self.fingerprint("cross"),
            self._base_width,
            self._pieces,
            read_comparison(path),
            lambda: self._runtime_of(weights.apart(recipe)),
            self._options.cache,
            self._options.pair_pieces,
        )

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
        return self._projected(role, super().encode(role, texts, progress, keep))

    def encode_as(
        self, roles: Sequence[Role], texts: Sequence[str], progress: Progress | None = None
    ) -> list[Vectors]:
        read: dict[str, Vectors] = {}
        for role in roles:
            name = self._cache_name(role)
            if name not in read:
                read[name] = super().encode(role, texts, progress)
        return [self._projected(role, read[self._cache_name(role)]) for role in roles]

    def _projected(self, role: Role, vectors: Vectors) -> Vectors:
        projection = self._projection(role)
        return vectors if projection is None or not len(vectors) else projection(vectors)

    def _cache_name(self, role: Role) -> str:
        if role == "cross":
            return f"{self.fingerprint(role)}:{self._options.pair_pieces}"
        # The base model's vectors are kept; the towers' projections are applied to them.
        return weights.model_fingerprint(self._recipes[role], self._precision)

    def _vectors(self, role: Role, texts: Sequence[str], report: Report) -> Sequence[Vectors]:
        return self._runtime(role).run([self._pieces.single(text) for text in texts], report)

    def _scores(self, pairs: Sequence[tuple[str, str]], report: Report) -> Sequence[Vectors]:
        limit = self._options.pair_pieces
        return self._runtime("cross").run(
            [self._pieces.pair(*pair, limit) for pair in pairs], report
        )

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
        return self._runtime_of(self._recipes[role])

    def _runtime_of(self, recipe: weights.Recipe) -> Runtime:
        name = weights.model_fingerprint(recipe, self._precision)
        if name not in self._runtimes:
            path = prepare_one(recipe, self._options.progress)
            self._runtimes[name] = OpenVinoRuntime(path, self._precision, self._options.threads)
            if self._asked:
                self._ask(recipe, path.parent)
        return self._runtimes[name]

    def _ask(self, recipe: weights.Recipe, folder: Path) -> None:
        """Refuse a model that answers known questions otherwise than when it was shipped."""
        import openvino as ov

        checked = Checked(folder)
        asked = [checksum(folder / SUMS), ov.__version__, platform.machine(), answers_digest()]
        if checked.note(f"answers in {self._precision}") == asked:
            return
        uncached = copy(self)
        uncached._options = replace(self._options, cache=None, progress=None)
        uncached.__dict__.pop("apart", None)
        apart = recipe not in self._recipes.values()
        if problem := difference(uncached, recipe.role, apart):
            raise ModelError(f"{folder / 'model.xml'}: the {recipe.role} model {problem}")
        checked.take_note(f"answers in {self._precision}", asked)
        checked.save()
