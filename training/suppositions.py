"""Learn what the words of a supposition make of the figure, the item or the charge that they name.

    python training/suppositions.py [--install]

`suppositions.jsonl` holds clauses as lawyers and students type them, by nineteen hands: `text`, the
`words` that name something in it, and the `answer` to a `question` about it (editorial). Whether a
figure is `exact`, exceeded (`more`) or not reached (`less`), and whether a charge stands `beside` the
others or comes `instead` of one, is learnt from the words around it; whether there is no such item or
charge (`none`), whether it is `doubted`, `there` or `otherwise`, from these and the states of the
reader. One hand of each measures; `--install` then fits all of them and writes the weights of words into
the package and the question into the reader's file of weights.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from countercase.counterfactual.sentence_reading import BECOMES
from countercase.counterfactual.supposed_figures import CONSTANT, words_around
from countercase.facts.reader import passage_vector
from countercase.text.spans import Span
from training.circumstances import add_questions
from training.dated_events import FILE, Fitted, LabelledDate, fit_events, report, word_rows

ROWS: Final = Path(__file__).with_name("suppositions.jsonl")
MEASURES: Final = ("d", "k6", "m4")
"""The hands whose clauses measure; every fourth of the plain ones of another hand is put to one."""
BOUND, JOINS = "supposed.bound", "supposed.joins"
LEAST: Final = 0.05
"""Weights of words below it are left out."""
STRENGTH: Final = 10.0
"""Inverse of the strength of the penalty on the words around a figure; by the clauses that measure."""
STATES: Final = 0.05
"""By what the standardised states of the reader are multiplied; by the clauses that measure."""


def load_clauses(question: str) -> list[LabelledDate]:
    """Return the clauses of a question, each with its words, its states and its one answer."""
    clauses = []
    for row in map(json.loads, ROWS.read_text(encoding="utf-8").splitlines()):
        if row["question"] == question:
            start = row["text"].index(row["words"])
            named, whole = Span(start, start + len(row["words"])), Span(0, len(row["text"]))
            states = passage_vector(row["text"], [named], [whole])
            assert states is not None
            words = words_around(row["text"], named)
            del words[CONSTANT]  # fitted as the bias
            clauses.append(LabelledDate(words, states, (row["answer"],), row["hand"] in MEASURES))
    return clauses


def main() -> None:
    """Measure both questions on the clauses of one hand, and write them where that is asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--install", action="store_true", help="put them into the package")
    install = parser.parse_args().install
    bounds, joins, becomes = map(load_clauses, (BOUND, JOINS, BECOMES))
    for clauses, fit in ((bounds, fit_words), (joins, fit_words), (becomes, fit_becomes)):
        report(
            [it for it in clauses if it.held_out], fit([it for it in clauses if not it.held_out])
        )
    if install:
        fitted = fit_becomes(becomes)
        for question, clauses in (("bound", bounds), ("joins", joins)):
            own = fit_words(clauses)
            biases = zip(word_rows(own), own.bias.round(2).tolist(), strict=True)
            rows = [{**it, "weights": {**it["weights"], CONSTANT: bias}} for it, bias in biases]
            write_words(question, rows)
        write_words("becomes", word_rows(fitted))
        add_questions({BECOMES: (fitted.states, fitted.bias)}, fitted.events)


def write_words(question: str, rows: Iterable[Mapping[str, Any]]) -> None:
    """Put the weights of the answers to a question in place of those that it has in the package."""
    path = FILE.with_name("supposed_words.jsonl")
    kept = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    kept = [it for it in kept if it["name"].partition(": ")[0] != question]
    kept += [{**it, "name": f"{question}: {it['name']}"} for it in rows]
    lines = (json.dumps(it, ensure_ascii=False) for it in kept)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def fit_words(clauses: list[LabelledDate]) -> Fitted:
    """Fit what the words around a figure, or a charge, say of it."""
    return fit_events(clauses, scarce=1, by=0.0, least=LEAST, strength=STRENGTH)


def fit_becomes(clauses: list[LabelledDate]) -> Fitted:
    """Fit what the words around a name, and the states of the reader at it, say of it."""
    return fit_events(clauses, scarce=1, by=STATES, least=LEAST)


if __name__ == "__main__":
    main()
