"""Learn what the words of a supposition make of the figure, the item or the charge that they name.

    python training/suppositions.py [--install]

`suppositions.jsonl` holds clauses as lawyers and students type them, by six hands: `text`, the
`words` that name something in it, and the `answer` to a `question` about it (editorial). One hand
measures; `--install` then fits all of them and writes the weights of words into the package and the
questions into the reader's file of weights.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from countercase.counterfactual.wording import BECOMES, BOUND, words_around
from countercase.facts.reader import passage_vector
from countercase.text.spans import Span
from training.circumstances import add_questions
from training.dated_events import FILE, LabelledDate, fit_events, report, word_rows

ROWS: Final = Path(__file__).with_name("suppositions.jsonl")
MEASURES: Final = "d"
"""The hand whose clauses measure."""
STATES: Final = {BOUND: 0.02, BECOMES: 0.05}
"""By what the standardised states of the reader are multiplied; by the clauses that measure."""
LEAST: Final = 0.05
"""Weights of words below it are left out."""


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
            clauses.append(LabelledDate(words, states, (row["answer"],), row["hand"] == MEASURES))
    return clauses


def main() -> None:
    """Measure both questions on the clauses of one hand, and write them where that is asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--install", action="store_true", help="put them into the package")
    install = parser.parse_args().install
    lines = []
    for question in (BOUND, BECOMES):
        clauses = load_clauses(question)
        print(question)
        held_out = [it for it in clauses if it.held_out]
        others = [it for it in clauses if not it.held_out]
        report(held_out, fit_events(others, 1, STATES[question], LEAST))
        if install:
            fitted = fit_events(clauses, 1, STATES[question], LEAST)
            lines += [json.dumps({"question": question, **row}) for row in word_rows(fitted)]
            add_questions({question: (fitted.states, fitted.bias)}, fitted.events)
    if install:
        FILE.with_name("supposed_words.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
