"""Train the questions of clauses: does one tell what a court may weigh, or only argue or report?

    python training/circumstances.py [--install]

A linear question on the states of the reader, which stays as it is. A clause is labelled by the
evidence of the labelled matters whose words it holds, or by what else of a matter counsel would argue
from (`dates_and_clauses.jsonl`: what somebody is or did, what was not told or asked); and by what
another hand called decisive or immaterial in the matters of `judged.jsonl`. What is decisive counts
whole, what is argued and what is background in part. Of the clauses that are read so,
`clauses_judged.jsonl` says which tell a fact of the matter, which a plea, an argument, a rule of law or
nothing that anybody understands, and which only the course of the litigation or what is asked of the
lawyer; the second question tells the latter two. Every fifth matter measures;
`--install` then fits all of them and puts the questions into the reader's file of weights.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from safetensors import safe_open
from safetensors.numpy import load_file
from scipy.sparse import csr_array, issparse, vstack
from sklearn.linear_model import LogisticRegression

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import torch

from countercase.encoders.embedded import weights
from countercase.fact_types.evidence.circumstances import ARGUED, LEAST, clauses_of_text
from countercase.fact_types.evidence.recognise import evidence_items
from countercase.facts.reader import passage_vector
from countercase.text.sentences import sentence_spans
from countercase.text.spans import Span
from training.logistic import area_under_curve
from training.lora import adapter_folder, install, write_adapter
from training.matter_sheets import is_held_out, load_dates_and_clauses, load_judged, load_matters

WORTH: Final = {"decisive": 1.0, "argued": 0.7, "background": 0.3}
"""How far a clause that tells evidence of a label counts as a yes."""
NO_FACTS: Final = ("argued", "procedure")
"""What a clause tells instead of a fact: a plea or an argument, or the course of the litigation."""
PLAIN: Final = 0.002
"""As `STRENGTH`, of the question which of them; by the matters left out."""
SHARE: Final = 0.5
"""The share of the clause, or of the labelled words, that the other must hold."""
STRENGTH: Final = 0.001
"""Inverse of the strength of the penalty on standardised vectors, a row."""

CLAUSES: Final = Path(__file__).with_name("clauses_judged.jsonl")

Question = tuple[NDArray[np.float64], Any]
"""Weights and bias of a linear question, whose answer is log-odds; a row for each of many classes."""


@dataclass(frozen=True)
class Clause:
    """A clause of a labelled matter.

    Args:
        label: of what it tells, the weightiest; "" where it tells nothing.
        read: whether an item of evidence is read in it without the reader.
    """

    vector: NDArray[np.float64]
    label: str
    read: bool
    held_out: bool


def label_of(text: str, told: Sequence[Mapping[str, Any]], clause: Span) -> str:
    """Return the weightiest label of what is told in words that share enough with a clause.

    Args:
        told: what the text tells, with `words` and `label`.
    """
    found = []
    for row in told:
        start = text.find(row["words"])
        end = start + len(row["words"])
        shared = min(end, clause.end) - max(start, clause.start)
        if shared > 0 and shared >= SHARE * min(end - start, clause.end - clause.start):
            found.append(row["label"])
    return max(found, key=WORTH.__getitem__, default="")


def clauses_of_judged() -> Iterator[Clause]:
    """Yield the clauses of the judged matters that tell what is decisive, or what is immaterial.

    The others are left out: nobody labelled them.
    """
    for place, matter in enumerate(load_judged()):
        text = matter["text"]
        told = [{**fact, "label": "decisive"} for fact in matter["decisive"]]
        told += [{**fact, "label": "background"} for fact in matter["immaterial"]]
        yield from (c for c in read_clauses(text, told, is_held_out(place)) if c.label)


def clauses_of_matters() -> Iterator[Clause]:
    """Yield the clauses of all labelled matters."""
    others = load_dates_and_clauses()
    for place, matter in enumerate(load_matters()):
        evidence = (f for f in matter["facts"] if f["type"] == "Evidence")
        told = [*evidence, *others[matter["matter_id"]]["clauses"]]
        yield from read_clauses(matter["text"], told, is_held_out(place))


def clauses_argued() -> Iterator[Clause]:
    """Yield the judged clauses, each labelled `told`, `argued` or `procedure`."""
    texts = {m["matter_id"]: m["text"] for m in (*load_matters(), *load_judged())}
    for place, row in enumerate(map(json.loads, CLAUSES.read_text(encoding="utf-8").splitlines())):
        text = texts[row["matter_id"]]
        sentences = [Span(*pair) for pair in sentence_spans(text)]
        for label in ("told", *NO_FACTS):
            for clause in (Span(*pair) for pair in row[label]):
                own = [sentence for sentence in sentences if sentence.overlaps(clause)]
                vector = passage_vector(text, [clause], own)
                if vector is not None:
                    yield Clause(vector, label, False, is_held_out(place))


def read_clauses(text: str, told: Sequence[Mapping[str, Any]], held_out: bool) -> Iterator[Clause]:
    """Yield the clauses of a text, labelled by what it tells."""
    spans = [span for item in evidence_items(text) for span in item.spans]
    for clause, sentence in clauses_of_text(text):
        vector = passage_vector(text, [clause], [sentence])
        if vector is not None:
            read = any(span.overlaps(clause) for span in spans)
            yield Clause(vector, label_of(text, told, clause), read, held_out)


def fit(
    rows: NDArray[np.float64] | csr_array,
    worth: NDArray[np.float64],
    strength: float = STRENGTH,
    weights: NDArray[np.float64] | None = None,
) -> Question:
    """Return weights and bias of a question.

    Args:
        rows: standardised vectors, shape (rows, width).
        worth: how far each row is a yes, 0 to 1; the rest of it counts as a no.
        weights: how much each row counts; all the same where None.
    """
    model = LogisticRegression(C=strength, max_iter=3000, random_state=0)
    both = np.concatenate([worth, 1 - worth])
    if weights is not None:
        both *= np.concatenate([weights, weights])
    yes = np.repeat([True, False], len(worth))
    twice = (vstack if issparse(rows) else np.concatenate)([rows, rows])
    model.fit(twice[both > 0], yes[both > 0], sample_weight=both[both > 0])
    return model.coef_[0], float(model.intercept_[0])


def fit_kinds(clauses: list[Clause]) -> Question:
    """Return the question whether a clause tells a fact, `no`, or one of `NO_FACTS`, in their order."""
    vectors = np.array([clause.vector for clause in clauses])
    middle, spread = vectors.mean(axis=0), vectors.std(axis=0) + 1e-6
    model = LogisticRegression(C=PLAIN, max_iter=3000, random_state=0)
    kinds = [(*NO_FACTS, "told").index(clause.label) for clause in clauses]
    model.fit((vectors - middle) / spread, kinds)
    weight, bias = (np.roll(it, 1, axis=0) for it in (model.coef_ / spread, model.intercept_))
    return weight, bias - weight @ middle


def fit_clauses(clauses: list[Clause]) -> Question:
    """Return the question whether a clause tells a circumstance."""
    vectors = np.array([clause.vector for clause in clauses])
    middle, spread = vectors.mean(axis=0), vectors.std(axis=0) + 1e-6
    worth = np.array([WORTH.get(clause.label, 0.0) for clause in clauses])
    weight, bias = fit((vectors - middle) / spread, worth)
    return weight / spread, bias - float(weight / spread @ middle)


def report(clauses: list[Clause], asked: Question) -> None:
    """Print how well a question tells apart clauses in which words name evidence, and others."""
    weight, bias = asked
    for read in (True, False):
        own = [clause for clause in clauses if clause.read == read]
        scores = np.array([clause.vector @ weight + bias for clause in own])
        told = np.array([bool(clause.label) for clause in own])
        decisive = np.array([clause.label == "decisive" for clause in own])
        print(
            f"evidence {'' if read else 'not '}named: {len(own)} clauses, {told.sum()} tell what "
            f"is weighed, {decisive.sum()} what is decisive; AUC {area_under_curve(scores, told):.3f}"
        )
        chosen = scores >= LEAST
        print(
            f"  from {LEAST}: {chosen.sum()}, of which {told[chosen].sum()} tell what is "
            f"weighed, {decisive[chosen].sum()} what is decisive"
        )


def report_kinds(clauses: list[Clause], asked: Question) -> None:
    """Print how well what is argued, and what only tells the course of a matter, is told from facts."""
    scores = np.array([asked[0] @ clause.vector + asked[1] for clause in clauses])
    odds = np.logaddexp.reduce(scores[:, 1:], axis=1) - scores[:, 0]
    for kind in ("told", *NO_FACTS):
        own = np.array([clause.label == kind for clause in clauses])
        print(
            f"{own.sum()} circumstances {kind}, {(odds[own] >= ARGUED).sum()} of them from {ARGUED}"
        )


def add_questions(asked: Mapping[str, Question], classes: Sequence[str] = ("no", "yes")) -> None:
    """Put linear questions of the same classes into the reader's file of weights."""
    tensors = {}
    for question, (weight, bias) in asked.items():
        if weight.ndim == 1:
            weight, bias = np.stack([np.zeros_like(weight), weight]), np.array([0.0, bias])
        tensors[f"head.{question}.weight"] = torch.from_numpy(weight.astype(np.float32))
        tensors[f"head.{question}.bias"] = torch.from_numpy(np.asarray(bias, np.float32))
    add_tensors(tensors, {question: [*classes] for question in asked})


def add_tensors(own: Mapping[str, torch.Tensor], classes: Mapping[str, list[str]]) -> None:
    """Put tensors, and the names of what they tell apart, into the reader's file of weights."""
    file = weights.own_file(weights.READER)
    with safe_open(file, framework="numpy") as opened:
        metadata = json.loads(opened.metadata()["countercase"])
    metadata["classes"] |= classes
    tensors = {name: torch.from_numpy(tensor) for name, tensor in load_file(file).items()}
    path = Path("training/runs") / file.name
    write_adapter(path, tensors | dict(own), metadata)
    install(path, adapter_folder())


def main() -> None:
    """Fit, measure and install the question from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--install", action="store_true", help="put them into the package")
    given = parser.parse_args()
    clauses, judged = list(clauses_of_matters()), list(clauses_of_judged())
    learnt = [clause for clause in (*clauses, *judged) if not clause.held_out]
    asked = fit_clauses(learnt)
    report([clause for clause in clauses if clause.held_out], asked)
    print("of the judged matters, labelled clauses alone:")
    report([clause for clause in judged if clause.held_out], asked)
    argued = list(clauses_argued())
    learnt = [clause for clause in argued if not clause.held_out]
    report_kinds([clause for clause in argued if clause.held_out], fit_kinds(learnt))
    if given.install:
        add_questions({"clause.circumstance": fit_clauses(clauses + judged)})
        add_questions({"clause.argued": fit_kinds(argued)}, ("no", *NO_FACTS))


if __name__ == "__main__":
    main()
