"""The shipped models as a set of encoders, prepared on first use and loaded when first asked.

*Towers.* The base model's vectors of judgments lie in a narrow cone. Each DPR tower moves its centre to
the origin, turns and stretches the space by a trained matrix, and takes the result to unit length
(whitening, Su et al. 2021; trained further as two towers, Karpukhin et al. 2020). One reading of a text
serves all three bi-encoders.

*Known answers* say that file, conversion and arithmetic together give the right numbers. They were
written with float32 (`training/known_answers.py`); bfloat16 moves a cosine in the third decimal.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from countercase.encoders.apart import ApartReader, Comparison, Ids
from countercase.encoders.base import CachedEncoders, EncoderOptions, Encoders, Role, Vectors
from countercase.encoders.cache import Report
from countercase.encoders.embedded import weights
from countercase.encoders.embedded.runtime import (
    SUMS,
    OpenVinoRuntime,
    WordPieces,
    precision_of,
    prepare_one,
)
from countercase.errors import ModelError
from countercase.integrity import Checked, checksum


@dataclass(frozen=True)
class Projection:
    """One tower's addition to the base model: shapes (width,) and (width, width)."""

    centre: NDArray[np.float64]
    matrix: NDArray[np.float64]

    def __call__(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return unit vectors of this tower, shape of `vectors`; each row by itself, in float64."""
        turned = np.zeros(vectors.shape)
        for at, row in enumerate(vectors.astype(np.float64) - self.centre):
            np.einsum("i,ij->j", row, self.matrix, out=turned[at])
        length = np.sqrt(np.einsum("ij,ij->i", turned, turned))[:, None]
        unit: NDArray[np.float32] = (turned / np.maximum(length, 1e-12)).astype(np.float32)
        return unit


def read_projection(path: Path, tower: Role) -> Projection:
    """Return the addition of one tower from the file of both; ModelError where it has none."""
    return Projection(*weights.read_tensors(path, f"{tower}.centre", f"{tower}.matrix"))


def read_comparison(path: Path) -> Comparison:
    """Return the comparison in a cross-encoder's adapter file; ModelError where it holds none."""
    names = ("mean_scale", "word_scale", "word_weight")
    layers = ("dense.weight", "dense.bias", "out.weight", "out.bias")
    return Comparison(*weights.read_tensors(path, *(f"head.{it}" for it in (*names, *layers))))


ASKED: Final = "He struck one blow with a stick in a sudden quarrel over the water channel."
ANSWERS: Final = (
    "A single blow in the heat of a sudden fight, without premeditation, is culpable homicide "
    "not amounting to murder; the conviction is altered to section 304 Part II.",
    "The assessee cannot claim depreciation on machinery that was never put to use in the year.",
)
COSINE_TOLERANCE: Final = 0.01
SCORE_TOLERANCE: Final = 0.2


def known_answers(encoders: Encoders, role: Role, apart: bool = False) -> list[float]:
    """Score `ASKED` against each of `ANSWERS` by the models of `role`, `apart`: each alone.

    Cosines for the bi-encoders, scores for the cross-encoder. The towers are taken as a pair: the
    question tower is asked against the passage tower, and the passage tower against itself.
    """
    if apart and encoders.apart is not None:
        asked, *answers = encoders.apart.read([ASKED, *ANSWERS])
        compared = encoders.apart.compare([([asked], answer) for answer in answers])
        return [float(scores[0]) for scores in compared]
    if role == "cross":
        return [float(score) for score in encoders.score([(ASKED, answer) for answer in ANSWERS])]
    answering: Role = role if role in ("sentence", "stance") else "passage"
    [question] = encoders.encode(role, [ASKED])
    return [float(vector @ question) for vector in encoders.encode(answering, ANSWERS)]


def difference(encoders: Encoders, role: Role, apart: bool = False) -> str:
    """Return what is wrong with the answers of `role`; empty where they are as shipped.

    Read apart or jointly, the cross-encoder's answers are the same within the tolerance.
    """
    expected: list[float] = json.loads(_shipped())[role]
    answers = known_answers(encoders, role, apart)
    tolerance = SCORE_TOLERANCE if role == "cross" else COSINE_TOLERANCE
    if all(abs(a - b) <= tolerance for a, b in zip(answers, expected, strict=True)):
        return ""
    return (
        f"gives {', '.join(f'{value:.3f}' for value in answers)} where it gave "
        f"{', '.join(f'{value:.3f}' for value in expected)} when it was shipped; "
        "`countercase models prepare --again` makes it anew"
    )


def _shipped() -> bytes:
    return (weights.adapter_folder() / "known_answers.json").read_bytes()


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
        self._runtimes: dict[str, OpenVinoRuntime] = {}
        self._projections: dict[Role, Projection | None] = {}

    @cached_property
    def _base_width(self) -> int:
        config = json.loads((weights.base_folder() / "config.json").read_text(encoding="utf-8"))
        return int(config["hidden_size"])

    @cached_property
    def apart(self) -> ApartReader | None:
        recipe = self._recipes["cross"]
        path = weights.adapter_file(recipe)
        if path is None:
            raise ModelError("the cross-encoder has no trained adapter; `countercase models list`")
        limit = self._options.pair_pieces

        def states(texts: Sequence[str], report: Report) -> list[tuple[Ids, Vectors]]:
            inputs = [self._pieces.single(text, limit) for text in texts]
            outputs = self._runtime(replace(recipe, apart=True)).run(inputs, report)
            return [(ids[0], own[0]) for (ids, _), own in zip(inputs, outputs, strict=True)]

        name = f"{self.fingerprint('cross')}:apart:{limit}"
        comparison = read_comparison(path)
        return ApartReader(name, self._base_width, comparison, states, self._options.cache)

    def fingerprint(self, role: Role) -> str:
        return weights.fingerprint(self._recipes[role], self._precision)

    def width(self, role: Role) -> int:
        return 1 if role == "cross" else self._base_width

    def count(self, text: str) -> int:
        return self._pieces.count(text)

    def counts(self, texts: list[str]) -> list[int]:
        return self._pieces.counts(texts)

    def _projected(self, role: Role, vectors: Vectors) -> Vectors:
        projection = self._projection(role)
        return vectors if projection is None else projection(vectors)

    def _cache_name(self, role: Role) -> str:
        if role == "cross":
            return f"{self.fingerprint(role)}:{self._options.pair_pieces}"
        # The base model's vectors are kept; the towers' projections are applied to them.
        return weights.model_fingerprint(self._recipes[role], self._precision)

    def _vectors(self, role: Role, texts: Sequence[str], report: Report) -> Sequence[Vectors]:
        return self._runtime(self._recipes[role]).run(
            [self._pieces.single(text) for text in texts], report
        )

    def _scores(self, pairs: Sequence[tuple[str, str]], report: Report) -> Sequence[Vectors]:
        limit = self._options.pair_pieces
        return self._runtime(self._recipes["cross"]).run(
            [self._pieces.pair(*pair, limit) for pair in pairs], report
        )

    def _projection(self, role: Role) -> Projection | None:
        if role not in self._projections:
            path = weights.towers_file(self._recipes[role])
            self._projections[role] = None if path is None else read_projection(path, role)
        return self._projections[role]

    def _runtime(self, recipe: weights.Recipe) -> OpenVinoRuntime:
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
        shipped = hashlib.sha256(_shipped()).hexdigest()
        asked = [checksum(folder / SUMS), ov.__version__, platform.machine(), shipped]
        if checked.notes.get(f"answers in {self._precision}") == asked:
            return
        plain = EmbeddedEncoders(replace(self._options, cache=None, progress=None), asked=False)
        plain._runtimes = dict(self._runtimes)
        if problem := difference(plain, recipe.role, recipe.apart):
            raise ModelError(f"{folder / 'model.xml'}: the {recipe.role} model {problem}")
        checked.take_note(f"answers in {self._precision}", asked)
        checked.save()
