"""Train the question whether an item of evidence is misread.

    python -m training.misread_items [--install]

The facts that were read in the matters of `judged.jsonl` were judged by readers who wrote neither the
matters nor the rules: right, right with a poor label, or wrong. One linear question on the states of
the reader, which stays as it is, with a bias for each kind of evidence that is there or missing. Every
fifth matter measures in turn; `--install` then fits all of them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from countercase.fact_types.evidence.circumstances import MISREAD, clauses_around, reading_of
from countercase.fact_types.evidence.recognise import CIRCUMSTANCE
from countercase.facts.model import EvidenceValue
from countercase.facts.reader import passage_vector
from countercase.text.spans import Span
from training.circumstances import Question, add_questions
from training.logistic import area_under_curve
from training.matter_sheets import load_judged

STRENGTH: Final = 0.3
"""Inverse of the strength of the penalty."""
STATES: Final = 0.03
"""By what the standardised states of the reader are multiplied: a smaller one is dearer."""
ABSENT: Final = "no "


@dataclass(frozen=True)
class JudgedItem:
    """An item of evidence as it was read, with its class and whether it is misread."""

    vector: NDArray[np.float64]
    reading: str
    is_misread: bool
    matter: int


def read_items() -> Iterator[JudgedItem]:
    """Yield the items of evidence of the judged matters that were read by their words."""
    for number, matter in enumerate(load_judged()):
        text = matter["text"]
        for row in (row for row in matter["facts"] if row["type"] == "Evidence"):
            if row["value"] == CIRCUMSTANCE:
                continue
            starts = zip(row["starts"], row["words"], strict=True)
            spans = [Span(start, start + len(words)) for start, words in starts]
            vector = passage_vector(text, spans, clauses_around(text, spans))
            value = EvidenceValue(row["value"], "", row["strength"])
            if vector is not None:
                yield JudgedItem(vector, reading_of(value), row["read"] == "wrong", number)


def design(readings: Sequence[str], names: Sequence[str]) -> NDArray[np.float64]:
    """Return a column for each reading, for each kind and for what is missing, shape (items, columns)."""
    kinds = sorted({name.removeprefix(ABSENT) for name in names})
    columns = [*names, *kinds, ABSENT]
    rows = np.zeros((len(readings), len(columns)))
    for row, reading in zip(rows, readings, strict=True):
        row[columns.index(reading)] = row[columns.index(reading.removeprefix(ABSENT))] = 1
        row[-1] = reading.startswith(ABSENT)
    return rows


def fit_items(items: Sequence[JudgedItem], names: Sequence[str]) -> Question:
    """Return weights and biases of the question, a row for each of the readings."""
    vectors = np.array([item.vector for item in items])
    middle, spread = vectors.mean(axis=0), (vectors.std(axis=0) + 1e-6) / STATES
    rows = np.hstack([(vectors - middle) / spread, design([it.reading for it in items], names)])
    model = LogisticRegression(C=STRENGTH, max_iter=3000, random_state=0)
    model.fit(rows, [item.is_misread for item in items])
    width = vectors.shape[1]
    weight = model.coef_[0][:width] / spread
    biases = design(names, names) @ model.coef_[0][width:] + model.intercept_[0] - weight @ middle
    return np.tile(weight, (len(names), 1)), biases


def score(
    items: Sequence[JudgedItem], asked: Question, names: Sequence[str]
) -> NDArray[np.float64]:
    """Return the log-odds that items are misread."""
    weights, biases = asked
    at = [names.index(item.reading) for item in items]
    vectors = np.array([item.vector for item in items])
    scores: NDArray[np.float64] = (vectors * weights[at]).sum(axis=1) + biases[at]
    return scores


def main() -> None:
    """Fit, measure and install the question from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--install", action="store_true", help="put it into the package")
    given = parser.parse_args()
    items = list(read_items())
    names = sorted({item.reading for item in items})
    scores = np.zeros(len(items))
    for fold in range(5):
        own = [n for n, item in enumerate(items) if item.matter % 5 == fold]
        others = [item for item in items if item.matter % 5 != fold]
        scores[own] = score([items[n] for n in own], fit_items(others, names), names)
    misread = np.array([item.is_misread for item in items])
    chosen = scores >= MISREAD
    print(
        f"{len(items)} items, {misread.sum()} misread; AUC {area_under_curve(scores, misread):.3f}; "
        f"from {MISREAD}: {chosen.sum()}, of which {misread[chosen].sum()} are misread"
    )
    if given.install:
        add_questions({"item.misread": fit_items(items, names)}, names)


if __name__ == "__main__":
    main()
