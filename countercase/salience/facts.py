"""The salience of typed facts: would a court turn on this one? And what they weigh by it.

A logistic model over named features, fitted on labelled matters and on the facts of the casebook's
decisions (`turned_on` and `not_turned_on` of each record; `training/salience_facts.py`). What is read
of a fact is the law that it touches, what it is, how near it is to what the decisions nearest to the
case turned on, and what the reader of facts makes of its words where they stand. The nearest are found
by the sentence encoder alone: a ranking is never read, and a corpus reaches no salience.

A statement weighs `share · salience^power` in its query, in the case as it is and in every state alike,
beside 1 for a segment of the residue. Salience never scales a movement.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from countercase.encoders.base import Encoders
from countercase.encoders.embedded.weights import are_embedded
from countercase.errors import ModelError
from countercase.fact_types.base import FactType, tokens
from countercase.fact_types.lines import lines_of, near_lines
from countercase.fact_types.roles import owner_of, role_of
from countercase.facts.area_of_law import names_of
from countercase.facts.model import (
    EvidenceValue,
    Fact,
    FactSheet,
    NumericalValue,
    PartyValue,
    SectionValue,
)
from countercase.facts.reader import log_odds
from countercase.registry import FACT_TYPES
from countercase.text.sentences import clauses_of, sentence_spans
from countercase.text.spans import Span

DECIMALS: Final = 6
"""A salience is rounded, so that the last bits of a sum reach no ranking."""


@dataclass(frozen=True)
class Salience:
    """How much something weighs, 0 to 1: the probability that a court would turn on it; and why.

    The reasons are named features with what each adds to the log-odds, the largest in size first.
    """

    value: float
    reasons: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class LogisticModel:
    """Weights of named features, and the log-odds where none is present."""

    bias: float
    weights: Mapping[str, float]

    def salience(self, features: Mapping[str, float]) -> Salience:
        """Return the probability of 1 given `features`; those that the model does not know add nothing."""
        parts = [
            (name, self.weights[name] * value)
            for name, value in sorted(features.items())
            if value and name in self.weights
        ]
        total = self.bias + sum(part for _, part in parts)
        parts.sort(key=lambda part: (-abs(part[1]), part[0]))
        reasons = tuple((name, round(part, DECIMALS)) for name, part in parts)
        return Salience(probability(total), reasons)


def probability(log_odds: float) -> float:
    """1 / (1 + exp(−log-odds)), rounded."""
    return round(1 / (1 + math.exp(-max(-500.0, log_odds))), DECIMALS)


@cache
def shipped_model() -> LogisticModel:
    """Return the model as it ships; ModelError where its file is missing or damaged."""
    file = files(__package__) / "facts.json"
    try:
        row = json.loads(file.read_text(encoding="utf-8"))
        return LogisticModel(float(row["bias"]), dict(row["weights"]))
    except (OSError, ValueError, KeyError) as error:
        raise ModelError(f"{file}: not readable ({error}); install countercase again") from error


NEAREST: Final = 10
"""Decisions that a case is compared with."""

Vectors = NDArray[np.float64]


@dataclass(frozen=True)
class Decision:
    """A decision of the casebook, with the unit mean of the vectors of its facts' sentences.

    Of each entry of what it turned on there is the fact type and a unit vector; of each token, how
    many facts with it the decision states (`cited`), and how many it turned on.
    """

    case_id: str
    vector: Vectors
    types: tuple[str, ...]
    points: Vectors
    cited: Mapping[str, int]
    turned: Mapping[str, int]


def find_nearest(
    decisions: Sequence[Decision], case: Vectors, leave_out: str = ""
) -> tuple[Decision, ...]:
    """Return the decisions nearest to a case by cosine, but `leave_out`, ties in the order given."""
    others = [d for d in decisions if d.case_id != leave_out]
    cosine = np.round([float(d.vector @ case) for d in others], DECIMALS)
    return tuple(others[at] for at in np.argsort(-cosine, kind="stable")[:NEAREST])


def encoded(encoders: Encoders, texts: Sequence[str]) -> Vectors:
    """Return sentence vectors in float64, shape (texts, width)."""
    vectors = encoders.encode("sentence", list(texts)).astype(np.float64)
    return vectors.reshape(len(texts), encoders.width("sentence"))


def mean_vector(encoders: Encoders, text: str) -> Vectors:
    """Return the unit mean of the vectors of the sentences of `text`; zeros where it has none."""
    sentences = [" ".join(text[a:b].split()) for a, b in sentence_spans(text)]
    rows = encoded(encoders, sentences)
    total = np.sort(rows, axis=0).sum(axis=0)
    size = float(np.sqrt((total**2).sum()))
    result: Vectors = total / size if size else total
    return result


@cache
def shipped_decisions() -> tuple[Decision, ...]:
    """Return the decisions of the casebook as they ship; ModelError where a file is missing or damaged."""
    from safetensors.numpy import load

    folder = files(__package__)
    try:
        rows: list[dict[str, Any]] = json.loads((folder / "casebook.json").read_text("utf-8"))
        arrays = load((folder / "casebook.safetensors").read_bytes())
        cases, points = (arrays[name].astype(np.float64) for name in ("cases", "points"))
    except (OSError, ValueError, KeyError) as error:
        raise ModelError(f"{folder}: not readable ({error}); install countercase again") from error
    ends = np.cumsum([len(row["types"]) for row in rows])
    return tuple(
        Decision(row["case_id"], vector, tuple(row["types"]), own, row["cited"], row["turned"])
        for row, vector, own in zip(rows, cases, np.split(points, ends[:-1]), strict=True)
    )


Features = dict[str, float]

ANCILLARY: Final = frozenset(
    """
    IPC-34 IPC-107 IPC-109 IPC-114 IPC-120B IPC-147 IPC-148 IPC-149 IPC-201 IPC-294 IPC-323 IPC-341
    IPC-342 IPC-504 IPC-506 IPC-511 CrPC-154 CrPC-157 CrPC-161 CrPC-162 CrPC-164 CrPC-173 CrPC-174
    """.split()  # noqa: SIM905
)
"""Provisions that go with another charge, and the ordinary steps of an investigation."""
READ: Final = "read in its words"
"""The feature that the reader of facts gives: log-odds, less their mean over the labelled facts."""
_SPREAD: Final = 3.0
"""Cosines differ by a few tenths; times this they are of the size of the other features."""


TYPICAL: Final = 0.5
"""The salience of a fact of which the model has no estimate: one that an edit adds."""


def fact_features(
    sheet: FactSheet, encoders: Encoders, decisions: Sequence[Decision], leave_out: str = ""
) -> dict[str, Features]:
    """Return the named features of each fact, by its id; `leave_out` is the decision itself, in training."""
    facts = sheet.facts
    vectors = encoded(encoders, [_words(fact) for fact in facts])
    near = find_nearest(decisions, mean_vector(encoders, sheet.narrative), leave_out)
    nearness = _nearness(facts, vectors, near)
    clauses = [Span(clause.start, clause.end) for clause in clauses_of(sheet.narrative)]
    result: dict[str, Features] = {}
    for at, fact in enumerate(facts):
        alike = [
            i for i, other in enumerate(facts) if other.fact_type == fact.fact_type and i != at
        ]
        row = {
            "type": 1.0,
            "others of its type": math.log1p(len(alike)),
            "first of its type": float(all(i > at for i in alike)),
            "another says the same": max(
                (float(vectors[at] @ vectors[i]) for i in alike), default=0
            ),
            **{name: column[at] for name, column in nearness.items()},
            READ: log_odds(f"fact.{fact.fact_type}", sheet.narrative, *places_of(fact, clauses)),
            **_own(sheet, fact, decisions),
        }
        result[fact.fact_id] = {
            f"{fact.fact_type}: {name}": round(float(value), DECIMALS)
            for name, value in row.items()
            if value
        }
    return result


def places_of(fact: Fact, clauses: Sequence[Span]) -> tuple[list[Span], list[Span]]:
    """Return where a narrative mentions a fact, and the clauses around these words."""
    around = [clause for clause in clauses if any(clause.overlaps(span) for span in fact.spans)]
    return list(fact.spans), around


def _words(fact: Fact) -> str:
    value = fact.value
    if isinstance(value, EvidenceValue):
        return f"{value.evidence_type.replace('_', ' ')}: {value.description}"
    if isinstance(value, NumericalValue):
        return f"{value.value:g} {value.unit} {value.context}"
    if isinstance(value, PartyValue):
        return f"{value.party_type} {value.role}".strip()
    fact_type: FactType = FACT_TYPES.get(fact.fact_type)
    return fact_type.label(fact)


def _nearness(
    facts: Sequence[Fact], vectors: Vectors, near: Sequence[Decision]
) -> dict[str, list[float]]:
    """Return how near each fact is to what the nearest decisions turned on, less the mean of the case."""
    empty = np.zeros((0, vectors.shape[1]))
    points = np.concatenate([empty, *(decision.points for decision in near)])
    types = [name for decision in near for name in decision.types]
    cosine = np.round(vectors @ points.T, 6)
    names = ("like a point of its type", "they turn on its type", "they turn on such a fact")
    cited, turned = Counter[str](), Counter[str]()
    for decision in near:
        cited.update(decision.cited)
        turned.update(decision.turned)
    rows: list[list[float]] = []
    for fact, row in zip(facts, cosine, strict=True):
        own = [c for c, name in zip(row.tolist(), types, strict=True) if name == fact.fact_type]
        rates = [(turned[t] + 0.25) / (cited[t] + 1) for t in tokens(fact)]
        values = max(own, default=0.0), len(own) / max(1, len(near)), max(rates, default=0.25)
        rows.append([_SPREAD * value for value in values])
    return {
        name: [value - sum(column) / len(column) for value in column]
        for name, column in zip(names, zip(*rows, strict=True), strict=False)  # none of no fact
    }


def _own(sheet: FactSheet, fact: Fact, decisions: Sequence[Decision]) -> Features:
    """Return the features that only facts of its type have."""
    match value := fact.value:
        case SectionValue():
            base = re.match(r"[^-]+-[^-(]+", value.provision)
            token = f"provision:{base[0] if base else value.provision}"
            citing = sum(token in decision.cited for decision in decisions)
            rarity = math.log((1 + len(decisions)) / (1 + citing))
            ancillary = any(name in ANCILLARY for name in names_of(value.provision))
            return {"rare in the casebook": rarity / _SPREAD, "ancillary": float(ancillary)}
        case NumericalValue():
            return {
                "a line of the law": float(bool(lines_of(sheet, value))),
                "near a line": float(bool(near_lines(sheet, value))),
                value.kind: 1.0,
                f"whose: {owner_of(sheet, value) or 'not said'}": 1.0,
            }
        case PartyValue():
            private = value.party_type in ("State", "Union of India", "Individual")
            return {
                value.party_type: 1.0,
                value.side: 1.0,
                f"role: {role_of(sheet, value) or 'none'}": 1.0,
                "more than a private person": float(not private),
            }
        case EvidenceValue():
            return {
                value.evidence_type.replace("_", " "): 1.0,
                "said to be missing": float(value.strength == "absent"),
                "length": math.log1p(len(value.description.split())) / _SPREAD,
            }
    return {}


@dataclass(frozen=True)
class Weighing:
    """The weights of the statements of one case: share · salience^power.

    `facts` have the salience by fact id; they are empty where no model fits the encoders, and all
    weigh `share`: that of a statement of salience 1, beside 1 for a segment of the residue.
    """

    facts: Mapping[str, Salience] = field(default_factory=dict)
    power: float = 1.5
    share: float = 1.0

    def of(self, fact_id: str) -> float:
        """Return the weight of the statement of a fact, from 0 up."""
        if not self.facts:
            return self.share
        value = known.value if (known := self.facts.get(fact_id)) else TYPICAL
        return round(float(self.share * value**self.power), 9)


def weigh_facts(sheet: FactSheet, encoders: Encoders, power: float, share: float) -> Weighing:
    """Return the weights of a case; all facts weigh the same without a model for these encoders."""
    if not are_embedded(encoders.fingerprint, "sentence"):
        return Weighing({}, power, share)
    model, features = shipped_model(), fact_features(sheet, encoders, shipped_decisions())
    return Weighing({name: model.salience(row) for name, row in features.items()}, power, share)
