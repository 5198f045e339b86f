"""Train the questions of mentions: is it evidence of its kind in this matter?

    python training/mentions.py [--install]

Words name evidence (`seal`, `recovery`, `saw`), and in another sense they name none. One linear question
for each kind is asked of the states of the reader, which stays as it is: what all kinds share and what
is a kind's own are fitted together. Labels are those of the matters, and `mentions.jsonl`: notes
written for it, each with the words that name evidence of a kind, or seem to, and what they say: `full`,
`absent`, `weakened`, or `nothing` (another sense, a thing promised or prayed for, another case).

In `facts_judged.jsonl` readers who wrote neither say of the facts that were read in 502 other matters
which are misread, and what they are instead (`rather`); of those matters (`text`, or a `matter_id` of
`judged.jsonl`) the mentions of evidence are learnt from too.

Every fifth matter and every fifth note measure; `--install` then fits all of them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, diags_array, hstack

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from countercase.fact_types.evidence.recognise import CIRCUMSTANCE, DOUBTFUL, evidence_items
from countercase.facts.reader import passage_vector
from countercase.facts.vocabulary import EVIDENCE_TYPES
from countercase.text.sentences import sentence_spans
from countercase.text.spans import Span
from training.circumstances import Question, add_questions, fit
from training.logistic import area_under_curve
from training.matter_sheets import FACTS_JUDGED, is_held_out, load_judged, load_matters
from training.matters_check import find_spans

SENTENCES: Final = Path(__file__).parent / "mentions.jsonl"
KINDS: Final = tuple(kind for kind in EVIDENCE_TYPES if kind != CIRCUMSTANCE)
FEWEST: Final = 40
"""Mentions of a kind from which on it has weights of its own."""
OWN: Final = 0.7
KIND: Final = 5.0
"""By what factor the inputs of a kind's own weights, and of the kind itself, are longer than those of
the weights that all kinds share: a weight is cheaper for it."""
OTHER: Final = 0.6
"""How far a mention counts as a yes in whose place evidence of another kind is labelled."""
STRENGTH: Final = 3e-4
"""Inverse of the strength of the penalty on standardised vectors."""
SENTENCE: Final = 0.8
"""How much a note written for it counts beside a mention of a matter."""


@dataclass(frozen=True)
class Example:
    """A mention with its labels.

    Args:
        told: how far it is evidence of its kind, 0 to 1.
    """

    vector: NDArray[np.float64]
    kind: str
    told: float
    held_out: bool
    weight: float = 1.0


def examples_of_matters() -> Iterator[Example]:
    """Yield the mentions of all labelled matters that the words name."""
    for place, matter in enumerate(load_matters()):
        text = matter["text"]
        labels = [fact for fact in matter["facts"] if fact["type"] == "Evidence"]
        places = [(fact, _places(text, fact)) for fact in labels]
        for item in evidence_items(text):
            kind = item.value.evidence_type
            for span in item.spans:
                near = [
                    f for f, own in places if any(a < span.end and span.start < b for a, b in own)
                ]
                same = any(fact["value"] == kind for fact in near)
                told = 1.0 if same else OTHER if near else 0.0
                if (vector := _vector(text, span)) is not None:
                    yield Example(vector, kind, told, is_held_out(place))


def _places(text: str, fact: Mapping[str, Any]) -> list[tuple[int, int]]:
    start = text.find(fact["words"])
    return [*find_spans(text, fact["mentions"]), (start, start + len(fact["words"]))]


def examples_of_sentences() -> Iterator[Example]:
    """Yield the mentions of the notes that were written for it."""
    for number, line in enumerate(SENTENCES.read_text(encoding="utf-8").splitlines()):
        row = json.loads(line)
        start = row["text"].index(row["words"])
        span = Span(start, start + len(row["words"]))
        told = row["says"] != "nothing"
        vector = _vector(row["text"], span)
        assert vector is not None
        yield Example(vector, row["kind"], float(told), is_held_out(number), SENTENCE)


def examples_of_judged() -> Iterator[Example]:
    """Yield the mentions of evidence that were read in other matters, as readers judged them."""
    texts = {matter["matter_id"]: matter["text"] for matter in load_judged()}
    for place, line in enumerate(FACTS_JUDGED.read_text(encoding="utf-8").splitlines()):
        row = json.loads(line)
        text = row.get("text") or texts[row["matter_id"]]
        for item in row["evidence"]:
            rather = item.get("rather", "")
            nothing = rather in ("nothing", CIRCUMSTANCE)
            told = 0.0 if nothing else OTHER if rather in EVIDENCE_TYPES else 1.0
            for start, end in item["spans"] if item["kind"] != CIRCUMSTANCE else ():
                if (vector := _vector(text, Span(start, end))) is not None:
                    yield Example(vector, item["kind"], told, is_held_out(place))


def _vector(text: str, span: Span) -> NDArray[np.float64] | None:
    sentence = next((s for s in map(_span, sentence_spans(text)) if s.overlaps(span)), span)
    return passage_vector(text, [span], [sentence])


def _span(pair: tuple[int, int]) -> Span:
    return Span(*pair)


def fit_kinds(examples: Sequence[Example]) -> dict[str, Question]:
    """Return for each kind the question whether a mention is evidence of it."""
    vectors = np.array([e.vector for e in examples])
    middle, spread = vectors.mean(axis=0), vectors.std(axis=0) + 1e-6
    scaled = (vectors - middle) / spread
    counts = Counter(e.kind for e in examples)
    own = [kind for kind in KINDS if counts[kind] >= FEWEST]
    of = np.array([[e.kind == kind for kind in KINDS] for e in examples], float)
    parts = (diags_array(of[:, KINDS.index(kind)]) @ csr_array(OWN * scaled) for kind in own)
    weight, bias = fit(
        hstack([csr_array(scaled), csr_array(KIND * of), *parts], format="csr"),
        np.array([e.told for e in examples]),
        STRENGTH,
        np.array([e.weight for e in examples]),
    )
    width = vectors.shape[1]
    shared, kinds, rest = np.split(weight, [width, width + len(KINDS)])
    found = {}
    for at, kind in enumerate(KINDS):
        weights = shared.copy()
        if kind in own:
            weights += OWN * rest.reshape(len(own), width)[own.index(kind)]
        weights /= spread
        found[kind] = weights, bias + KIND * float(kinds[at]) - float(weights @ middle)
    return found


def report(examples: Sequence[Example], kinds: Mapping[str, Question]) -> None:
    """Print what the questions leave out of mentions that they did not learn from."""
    for name, doc in (("documents", True), ("other kinds", False)):
        own = [e for e in examples if (e.kind == "documentary") == doc]
        scores = np.array([e.vector @ kinds[e.kind][0] + kinds[e.kind][1] for e in own])
        told = np.array([e.told for e in own])
        area = area_under_curve(scores[told != OTHER], told[told != OTHER] == 1)
        shares = [f"{(scores[told == level] < DOUBTFUL).sum()}" for level in (0, OTHER, 1)]
        print(f"{name}: {len(own)} mentions, AUC {area:.3f}, left out of no evidence {shares[0]}, "
              f"of another kind {shares[1]}, of the kind {shares[2]}")  # fmt: skip


def main() -> None:
    """Fit, measure and install the questions from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--install", action="store_true", help="put them into the package")
    given = parser.parse_args()
    sources = {
        "matters": list(examples_of_matters()),
        "sentences": list(examples_of_sentences()),
        "judged matters": list(examples_of_judged()),
    }
    examples = [example for own in sources.values() for example in own]
    kinds = fit_kinds([example for example in examples if not example.held_out])
    for name, own in sources.items():
        print(f"# {name}")
        report([example for example in own if example.held_out], kinds)
    if given.install:
        asked = fit_kinds(examples)
        add_questions({f"mention.{kind}": question for kind, question in asked.items()})


if __name__ == "__main__":
    main()
