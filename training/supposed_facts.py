"""Learn which fact of a matter a supposition is about.

    python training/supposed_facts.py [--install]

`supposed_facts.jsonl` holds suppositions as lawyers, students and clients type them, eight on each of
156 labelled matters, by six hands that saw the facts as they were read: the ids of those that are then
otherwise, the chief one first, none for a new point; what `becomes` of it; and the `new` figure or
provision (editorial). Every fifth matter measures; `--install` then fits all and writes the weights
into the package (`countercase/counterfactual/supposed_fact.py`).
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from countercase.counterfactual.sentence_reading import read_facts
from countercase.counterfactual.supposed_fact import QUESTION, features_of
from countercase.facts.extraction import extract
from training.matter_sheets import is_held_out, load_judged, load_matters
from training.suppositions import write_words

ROWS: Final = Path(__file__).with_name("supposed_facts.jsonl")
PENALTY: Final = 0.01
"""Of the squares of the weights of standardised features; by matters laid aside."""

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Asked:
    """A supposition: features of each fact and of none, and whether each of them is right."""

    held_out: bool
    facts: Array
    none: Array
    right: Array


def load_rows() -> tuple[list[Asked], list[str], list[str]]:
    """Return all suppositions, with the names of the features of a fact and of none."""
    rows = [json.loads(line) for line in ROWS.read_text(encoding="utf-8").splitlines()]
    texts = {it["matter_id"]: it["text"] for it in (*load_matters(), *load_judged())}
    place = {name: n for n, name in enumerate(dict.fromkeys(row["matter_id"] for row in rows))}
    sheets = {name: extract(texts[name]) for name in place}
    told = []
    for row in rows:
        sheet = sheets[row["matter_id"]]
        facts, none = features_of(sheet, row["text"], read_facts(sheet, row["text"]))
        right = [name in row["to"] for name in facts]
        if any(right) or not row["to"]:
            told.append(
                (is_held_out(place[row["matter_id"]]), facts, none, [*right, not row["to"]])
            )
    names = sorted({name for _, facts, *_ in told for own in facts.values() for name in own})
    of_none = sorted({name for *_, none, _ in told for name in none})
    asked = [
        Asked(
            held_out,
            np.array([[own.get(name, 0.0) for name in names] for own in facts.values()]),
            np.array([none.get(name, 0.0) for name in of_none]),
            np.array(right),
        )
        for held_out, facts, none, right in told
    ]
    return asked, names, of_none


def odds(asked: Asked, weights: Array) -> Array:
    """Return the log-odds of each fact and, last, of none of them."""
    known = asked.facts.shape[1]
    return np.append(asked.facts @ weights[:known], asked.none @ weights[known:])


def fit(rows: list[Asked]) -> Array:
    """Return the weights under which the right facts are likeliest together."""
    spread = np.append(
        np.vstack([it.facts for it in rows]).std(axis=0),
        np.array([it.none for it in rows]).std(axis=0),
    )
    spread[spread < 1e-9] = 1.0

    def loss(scaled: Array) -> tuple[float, Array]:
        total, slope = (
            len(rows) * PENALTY * float(scaled @ scaled),
            2 * len(rows) * PENALTY * scaled,
        )
        for it in rows:
            score = odds(it, scaled / spread)
            shares = np.exp(score - score.max())
            own = shares * it.right
            total -= float(np.log(own.sum() / shares.sum()))
            off = shares / shares.sum() - own / own.sum()
            slope = slope + np.append(off[:-1] @ it.facts, off[-1] * it.none) / spread
        return total, slope

    found = minimize(loss, np.zeros(len(spread)), jac=True, method="L-BFGS-B")
    weights: Array = found.x / spread
    return weights


def report(rows: list[Asked], weights: Array) -> None:
    """Print how often the likeliest is right, by how likely it is."""
    told = []
    for it in rows:
        score = odds(it, weights)
        shares = np.exp(score - score.max())
        best = int(shares.argmax())
        told.append((shares[best] / shares.sum(), bool(it.right[best]), best == len(score) - 1))
    print(f"{len(rows)} suppositions, {sum(right for _, right, _ in told)} placed rightly")
    for least in (0.3, 0.4, 0.5, 0.6, 0.7):
        own = [right for share, right, none in told if share >= least and not none]
        print(f"  from {least}: {len(own)} put to a fact, right {np.mean(own):.3f}")


def main() -> None:
    """Measure on every fifth matter, and write the weights where that is asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--install", action="store_true", help="put them into the package")
    install = parser.parse_args().install
    rows, names, of_none = load_rows()
    report([it for it in rows if it.held_out], fit([it for it in rows if not it.held_out]))
    if install:
        weights = [round(it, 3) for it in fit(rows).tolist()]
        own = {"fact": weights[: len(names)], "none": weights[len(names) :]}
        named = {"fact": names, "none": of_none}
        write_words(
            QUESTION,
            [{"name": it, "weights": dict(zip(named[it], own[it], strict=True))} for it in own],
        )


if __name__ == "__main__":
    main()
