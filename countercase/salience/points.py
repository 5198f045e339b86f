"""What the decisions of the casebook turned on, as vectors that a case is compared with.

A case is compared with the decisions whose facts are nearest to its own, by the sentence encoder
alone: no ranking and no corpus reaches its salience. The vectors ship with the package and are
those of the embedded encoder.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from countercase.encoders.base import Encoders
from countercase.errors import ModelError
from countercase.text.sentences import sentence_spans

NEAREST: Final = 10
"""Decisions that a case is compared with."""

DECIMALS: Final = 6
Vectors = NDArray[np.float64]


@dataclass(frozen=True)
class Decision:
    """A decision of the casebook.

    Attributes:
        vector: unit mean of the vectors of its facts' sentences.
        types: fact type of each entry of what it turned on.
        points: a unit vector for each entry, shape (entries, width).
        cited, turned: how many facts with each token it states, and how many it turned on.
    """

    case_id: str
    vector: Vectors
    types: tuple[str, ...]
    points: Vectors
    cited: Mapping[str, int]
    turned: Mapping[str, int]


@dataclass(frozen=True)
class Points:
    """All decisions, and the encoders whose vectors they are compared with."""

    decisions: tuple[Decision, ...]

    def nearest(self, case: Vectors, leave_out: str = "") -> tuple[Decision, ...]:
        """Return the decisions nearest to a case by cosine, but `leave_out`, ties in order of id."""
        others = [d for d in self.decisions if d.case_id != leave_out]
        cosine = np.round([float(d.vector @ case) for d in others], DECIMALS)
        order = np.lexsort((np.arange(len(others)), -cosine))
        return tuple(others[at] for at in order[:NEAREST])


def encoded(encoders: Encoders, texts: Sequence[str]) -> Vectors:
    """Return sentence vectors in float64, shape (texts, width)."""
    if not texts:
        return np.zeros((0, encoders.width("sentence")))
    return encoders.encode("sentence", list(texts)).astype(np.float64)


def mean_vector(encoders: Encoders, text: str) -> Vectors:
    """Return the unit mean of the vectors of the sentences of `text`; zeros where it has none."""
    sentences = [" ".join(text[a:b].split()) for a, b in sentence_spans(text)]
    rows = encoded(encoders, sentences)
    total = np.sort(rows, axis=0).sum(axis=0)
    size = float(np.sqrt((total**2).sum()))
    result: Vectors = total / size if size else total
    return result


@cache
def shipped_points() -> Points:
    """Return the decisions of the casebook, from `casebook.json` and `casebook.safetensors`.

    ModelError where a file is missing or damaged.
    """
    from safetensors.numpy import load

    folder = files(__package__)
    try:
        rows: list[dict[str, Any]] = json.loads((folder / "casebook.json").read_text("utf-8"))
        arrays = load((folder / "casebook.safetensors").read_bytes())
        cases, points = (arrays[name].astype(np.float64) for name in ("cases", "points"))
    except (OSError, ValueError, KeyError) as error:
        raise ModelError(f"{folder}: not readable ({error}); install countercase again") from error
    ends = np.cumsum([len(row["types"]) for row in rows])
    decisions = (
        Decision(row["case_id"], vector, tuple(row["types"]), own, row["cited"], row["turned"])
        for row, vector, own in zip(rows, cases, np.split(points, ends[:-1]), strict=True)
    )
    return Points(tuple(decisions))
