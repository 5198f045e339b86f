"""Fit the model that calls the precedents of a query a weak match.

    python training/weak_matches.py

Reads `training/weak_matches.jsonl` (queries that the casebook has nothing on, and queries that it
has something on, all made up) and queries from every fourth casebook decision, searched without
that decision: its first two sentences, and the one in the middle of its facts. Prints `WEIGHTS` and
`FLOOR` of `countercase/retrieval/strength.py`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from countercase.config import load_settings
from countercase.corpus.casebook.records import casebook_records
from countercase.retrieval.strength import strength_features
from countercase.session import Session, open_session
from countercase.text.sentences import sentence_spans
from training.logistic import fit

QUERIES: Final = Path(__file__).with_name("weak_matches.jsonl")
EVERY: Final = 4
OPENING: Final = 2
"""Sentences of a decision's facts that are a query."""
STRENGTH: Final = 1.0


def queries() -> Iterator[tuple[str, str, bool]]:
    """Text, the decision that is left out of the search, and whether the casebook has its area."""
    for line in QUERIES.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield row["text"], "", row["kind"] == "in_area"
    for record in list(casebook_records())[::EVERY]:
        facts = record["facts"]
        end = sentence_spans(facts)[:OPENING][-1][1]
        yield facts[:end], record["case_id"], True
        start, end = sentence_spans(facts)[len(sentence_spans(facts)) // 2]
        yield facts[start:end], record["case_id"], True


def measure(session: Session, text: str, left_out: str) -> tuple[float, ...]:
    """The features of the first ten decisions of a query."""
    [ranking] = session.retriever.retrieve(
        [session.query(text)], top_k=session.settings.TOP_K, exclude=frozenset({left_out})
    )
    return strength_features(ranking, session.snapshot, session.encoders)


def main() -> None:
    """Fit, and print the constants with their errors on what they were fitted on."""
    settings = load_settings().model_copy(update={"USE_RERANKER": False})
    session = open_session(settings)
    texts, left_out, known = zip(*queries(), strict=True)
    rows = [measure(session, *query) for query in zip(texts, left_out, strict=True)]
    kept = [at for at, row in enumerate(rows) if row]
    matrix, labels = np.asarray([rows[at] for at in kept]), np.asarray([known[at] for at in kept])
    spread = matrix.std(axis=0)
    named = [{f"{at:02d}": value for at, value in enumerate(row)} for row in matrix / spread]
    fitted = fit(named, labels.tolist(), STRENGTH)
    weights = [fitted.weights[name] / s for name, s in zip(sorted(named[0]), spread, strict=True)]
    scores = matrix @ weights
    wrong = {
        float(floor): (scores[~labels] >= floor).mean() + (scores[labels] < floor).mean()
        for floor in np.sort(scores)
    }
    floor = min(wrong, key=lambda at: (wrong[at], at))
    print("WEIGHTS =", tuple(round(float(weight), 2) for weight in weights))
    print("FLOOR =", round(floor, 2))
    print("not called weak, though nothing is there:", int((scores[~labels] >= floor).sum()))
    print(
        "called weak, though something is there:", int((scores[labels] < floor).sum()), len(labels)
    )


if __name__ == "__main__":
    main()
