"""Which questions of the catalogue fit a matter, as learnt from judged questions.

Whether it makes sense to suppose a thing depends on how a matter tells of it, and no typed condition
knows that. A small model reads it from the states of the reader (`training/questions.py`): which
clauses speak of what a question supposes and how they stand to it, what the matter is about, and what
is typed on its sheet. It says how probably a question is sound there, neither answered already nor
foreign to it, and how probably it is wanted. Asked are questions of the areas that a matter is likely of.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from countercase.fact_types.catalogue import WhatIf, matter_of
from countercase.fact_types.evidence.circumstances import clauses_of_text
from countercase.facts.model import FactSheet
from countercase.facts.reader import load_network, matter_vector, span_vector, token_states

STATES, ROWS, KINDS = "question", "question.rows", "question.kinds"
OWN: Final = 0.12
"""The probability from which on a matter is of an area of law."""
SOUND: Final = 0.2
"""The log-odds that it is sound from which on a question may be asked."""
MOST: Final = 22
"""The most questions that may be asked, those that are likeliest wanted and sound."""
WANTED: Final = 4.0
"""What the log-odds that a question is wanted count, against those that it is sound."""
ASKED: Final = -0.75
"""What strict readers' log-odds must come to, for a question to be asked; by matters laid aside."""
COUNTS: Final = 2.0
"""What their log-odds that it is not wrong count, against those that it is wanted."""
_WIDTH, _DECIMALS = 384, 6

Array = NDArray[np.float64]


def clause_states(text: str) -> tuple[Array, Array]:
    """Return the mean state of each clause of a text, (clauses, width), and of the whole text."""
    vectors = (span_vector(text, clause) for clause, _ in clauses_of_text(text))
    clauses = [vector[:_WIDTH] for vector in vectors if vector is not None]
    return np.array(clauses).reshape(-1, _WIDTH), token_states(text)[1].mean(axis=0)


def questions_that_fit(sheet: FactSheet, rows: list[WhatIf]) -> list[WhatIf]:
    """Return the rows to ask in a matter, the best first; without a narrative, those with provisions."""
    if not token_states(sheet.narrative)[1].size:
        return [row for row in rows if row.cited]
    odds, areas = _fit(sheet), areas_of(sheet)
    own = [r for r in rows if r.name in odds and (not r.asked_in or areas & {*r.asked_in})]
    return [own[at] for at in choose(np.array([odds[row.name] for row in own]).reshape(-1, 4))]


def choose(odds: Array) -> list[int]:
    """Return the places of the questions that are asked, by their log-odds, (questions, 4)."""
    sums = COUNTS * odds[:, 2] + odds[:, 3]
    first = np.argsort(-odds[:, 0] - WANTED * odds[:, 1], kind="stable").tolist()
    likely = [at for at in first if odds[at, 0] >= SOUND][:MOST]
    return sorted((at for at in likely if sums[at] >= ASKED), key=lambda at: -float(sums[at]))


def areas_of(sheet: FactSheet) -> frozenset[str]:
    """Return the areas of law that a matter is likely of; none without a narrative."""
    return frozenset(area for area, share in matter_of(sheet).areas.items() if share >= OWN)


@cache
def _tensors() -> dict[str, Any]:
    tensors = load_network().tensors.items()
    named = ((name.partition(".")[2], it) for name, it in tensors if name.startswith(f"{STATES}."))
    return {name: it.astype(np.float64) for name, it in named}


@lru_cache(maxsize=32)
def _read(text: str) -> Array:
    """Return what the clauses of a text say to each row, (3, rows): how surely one speaks of what the
    row supposes, how they stand to it, how near the nearest lies.
    """
    learnt, (clauses, _) = _tensors(), clause_states(text)
    # Without BLAS: no number of threads changes a bit.
    clauses = np.einsum("cj,jk->ck", _unit(clauses) - learnt["centre"], learnt["reduction"])
    near = np.einsum("rk,ck->rc", _unit(learnt["said"]), _unit(clauses))
    topic = np.einsum("ck,kd->cd", clauses, learnt["topic_of"])
    speaks = learnt["sharp"][0] * near + learnt["sharp"][1]
    speaks += np.einsum("rd,cd->rc", learnt["topic"], topic)
    most = np.maximum(speaks.max(axis=1, keepdims=True, initial=0), 0)
    shares = np.exp(speaks - most)
    shares /= shares.sum(axis=1, keepdims=True) + np.exp(-most)
    side = np.einsum("ck,kd->cd", clauses, learnt["side_of"])
    stands = (np.einsum("rd,cd->rc", learnt["side"], side) * shares).sum(axis=1)
    return np.stack([shares.sum(axis=1), stands, near.max(axis=1, initial=-1)])


@lru_cache(maxsize=32)
def _fit(sheet: FactSheet) -> dict[str, Array]:
    """Return for each row by name the log-odds that it is sound in the matter and that it is wanted,
    and what strict readers would say (not wrong, wanted).
    """
    learnt, classes, tokens = _tensors(), load_network().classes, matter_of(sheet).tokens
    spoken, stands, near = _read(sheet.narrative)
    told = matter_vector(sheet.narrative, tokens)
    about = np.einsum("j,jd->d", told, learnt["matter"]) - learnt["middle"]
    parts = np.stack([spoken, stands, np.einsum("rd,d->r", learnt["asked"], about), 4 * near])
    odds = np.einsum("pr,po->ro", parts, learnt["parts"]) + learnt["own"]
    has = [int(f"evidence:{kind}" in tokens) for kind in classes[KINDS]]
    odds += learnt["known"][np.arange(len(odds)), has]
    strictly = np.einsum("ro,op->rp", odds, learnt["strict"]) + learnt["strict_row"]
    odds = np.round(np.hstack([odds, strictly]), _DECIMALS)
    return dict(zip(classes[ROWS], odds, strict=True))


def _unit(vectors: Array) -> Array:
    lengths: Array = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / lengths
