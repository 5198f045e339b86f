"""Learn what happened on a date from labelled dates.

    python -m training.dated_events [--install]

The full dates of the labelled matters are labelled in `dates_and_clauses.jsonl`, those of the judged
matters beside them (`dates`); `dated_notes.jsonl` holds short notes with many dates: `text`, and
`events` of its full dates in order. What no row of the
table of intervals asks for is learnt as `other`. Every fifth matter measures; the others, with the
judged matters and the notes, are what is installed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from countercase.fact_types.numerical.dated_events import (
    QUESTION,
    Interval,
    features_of,
    find_days,
    surroundings,
)
from countercase.facts.reader import passage_vector
from countercase.io import read_table
from training.circumstances import add_questions
from training.matter_sheets import (
    is_held_out,
    load_dates_and_clauses,
    load_judged,
    load_matters,
)

FILE: Final = (
    Path(__file__).parents[1] / "countercase" / "fact_types" / "data" / "dated_events.jsonl"
)
NOTES: Final = Path(__file__).with_name("dated_notes.jsonl")
OTHER: Final = "other"
STRENGTH: Final = 1.0
"""Inverse of the strength of the penalty."""
SCARCE: Final = 3
"""Dates below which a feature is left out."""
STATES: Final = 0.05
"""By what the standardised states of the reader are multiplied: a smaller one is dearer."""
LEAST: Final = 0.15
"""Weights of words below it are left out of the file."""
WIDTH: Final = 5 * 384


@dataclass(frozen=True)
class LabelledDate:
    """A date with the events of its day, the likeliest to be asked for first."""

    features: dict[str, float]
    vector: NDArray[np.float64]
    events: tuple[str, ...]
    held_out: bool


def read_dates() -> list[LabelledDate]:
    """Return all full dates of the matters, then those of the judged matters and of the notes."""
    told, asked = load_dates_and_clauses(), asked_events()
    texts = [
        (m["text"], told[m["matter_id"]]["dates"], is_held_out(n))
        for n, m in enumerate(load_matters())
    ]
    texts += [(m["text"], m["dates"], False) for m in load_judged() if "dates" in m]
    for line in NOTES.read_text(encoding="utf-8").splitlines():
        note = json.loads(line)
        texts.append((note["text"], note["events"], False))
    dates = []
    for text, events, held_out in texts:
        days = find_days(text)
        rows = zip(days, features_of(text, days), surroundings(text, days), events, strict=True)
        for (_, span), features, around, named in rows:
            vector = passage_vector(text, [span], [around])
            own = sorted(named.split("+"), key=lambda event: event not in asked)
            known = tuple(event if event in asked else OTHER for event in own)
            states = np.zeros(WIDTH) if vector is None else vector
            dates.append(LabelledDate(features, states, known, held_out))
    return dates


def asked_events() -> set[str]:
    """Return the events that some interval begins or ends with."""
    rows = read_table("law/intervals", Interval)
    return {event for row in rows for event in (*row.begins, *row.ends)}


@dataclass(frozen=True)
class Fitted:
    """The fitted model: weights of words by event and feature, and those of the reader's states."""

    events: list[str]
    features: list[str]
    words: NDArray[np.float64]
    states: NDArray[np.float64]
    bias: NDArray[np.float64]

    def scores(self, dates: Sequence[LabelledDate]) -> NDArray[np.float64]:
        """Return the scores of the events of dates, shape (dates, events)."""
        places = {name: n for n, name in enumerate(self.features)}
        words = np.zeros((len(dates), len(places)))
        for row, it in zip(words, dates, strict=True):
            for name, value in it.features.items():
                if name in places:
                    row[places[name]] = value
        vectors = np.array([it.vector for it in dates])
        scores: NDArray[np.float64] = words @ self.words.T + vectors @ self.states.T + self.bias
        return scores


def fit_events(
    dates: Sequence[LabelledDate],
    scarce: int = SCARCE,
    by: float = STATES,
    least: float = LEAST,
    strength: float = STRENGTH,
) -> Fitted:
    """Fit the model to labelled dates, or to labelled names in suppositions.

    Args:
        scarce: rows below which a feature is left out.
        by: what the standardised states of the reader are multiplied by.
        least: weights of words below it are left out.
        strength: inverse of the strength of the penalty.
    """
    reader = DictVectorizer()
    words = reader.fit_transform([it.features for it in dates])
    often = np.asarray((words != 0).sum(axis=0)).ravel() >= scarce
    vectors = np.array([it.vector for it in dates])
    middle, spread = vectors.mean(axis=0), vectors.std(axis=0) + 1e-6
    scaled = csr_matrix((vectors - middle) / spread * by)
    model = LogisticRegression(C=strength, max_iter=1000, random_state=0)
    model.fit(hstack([words[:, often], scaled]).tocsr(), [it.events[0] for it in dates])
    known, weights, bias = int(often.sum()), model.coef_, model.intercept_
    if len(weights) == 1:  # of two classes one row says both
        weights, bias = np.vstack([0 * weights, weights]), np.append([0.0], bias)
    named, states = weights[:, :known].round(2), weights[:, known:] * by / spread
    bias = bias - states @ middle
    named[np.abs(named) < least] = 0
    features = [
        name for name, kept in zip(reader.get_feature_names_out(), often, strict=True) if kept
    ]
    return Fitted(list(model.classes_), features, named, states, bias)


def report(dates: Sequence[LabelledDate], fitted: Fitted) -> None:
    """Print how often the likeliest event of a date is right, by how likely it is."""
    scores = fitted.scores(dates)
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    best = shares.argmax(axis=1)
    right = np.array([fitted.events[b] in it.events for b, it in zip(best, dates, strict=True)])
    for least in (0.0, 0.3, 0.5, 0.8):
        sure = shares.max(axis=1) >= least
        print(f"from {least}: {sure.sum()} of {len(dates)} dates, right {right[sure].mean():.3f}")


def word_rows(fitted: Fitted) -> list[dict[str, Any]]:
    """Return what the package reads of the weights of words, a row for each class."""
    return [
        {
            "name": event,
            "weights": {n: float(w) for n, w in zip(fitted.features, own, strict=True) if w},
        }
        for event, own in zip(fitted.events, fitted.words, strict=True)
    ]


def main() -> None:
    """Measure the model on every fifth matter, and write it where that is asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--install", action="store_true", help=f"write {FILE.name} and the question"
    )
    arguments = parser.parse_args()
    dates = read_dates()
    fitted = fit_events([it for it in dates if not it.held_out])
    report([it for it in dates if it.held_out], fitted)
    if arguments.install:
        lines = (json.dumps(row, ensure_ascii=False) for row in word_rows(fitted))
        FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")
        add_questions({QUESTION: (fitted.states, fitted.bias)}, fitted.events)


if __name__ == "__main__":
    main()
