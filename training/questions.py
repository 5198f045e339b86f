"""Learn which questions of the catalogue fit a matter.

    python -m training.questions [--install]

`questions_judged.jsonl` says of 910 matters and 330 decided cases which of some sixty questions counsel
would want to see asked, which are sound, and which are wrong there: what they suppose is so already, or
does not arise. They were judged by readers who wrote neither the matters nor the questions. To each
matter questions of other areas are added, as wrong. Every fifth matter measures, and there too how many
of the twenty that a reader would try first of all that its area has (`picked`) are among those asked;
they are not learnt from, since that asked no more of what counsel wants. `--install` then fits all. The
model asks the states of the reader, which stays as it is (`countercase/fact_types/evidence/fitting.py`).
The area of law of a matter is a logistic regression on all labelled matters.

Those readers were quick and mild. What a model without the matter would have asked there (`again`) seven
others judged as a senior who signs the list: .39 is wrong, .21 wanted; of 556 that two of them judged
they agree on wrong with a kappa of .69. Eight more judged so the twenty questions that came first in 104
other matters (`again` alone); the model in the package has not learnt from those yet. How their answers
follow from the two log-odds and from the question itself is a logistic regression, from models that have
not seen the matter. With seven models in all `--install` takes half an hour.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from torch import Tensor, nn

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from countercase.corpus.casebook.records import casebook_records
from countercase.fact_types.catalogue import WhatIf, matter_of
from countercase.fact_types.evidence.fitting import (
    ASKED,
    COUNTS,
    KINDS,
    OWN,
    ROWS,
    STATES,
    choose,
    clause_states,
)
from countercase.facts.extraction import extract
from countercase.facts.reader import AREAS, TOKENS, token_states
from countercase.io import read_table
from training.circumstances import add_tensors
from training.logistic import area_under_curve
from training.matter_sheets import is_held_out, load_judged, load_matters, load_others

JUDGED: Final = Path(__file__).with_name("questions_judged.jsonl")
WIDTH, RANK = 128, 24
EPOCHS, BATCH, PEAK, DROPPED = 16, 128, 2e-3, 0.4
AREA_STRENGTH: Final = 1.0
"""Inverse of the strength of the penalty of the model of areas."""
SCARCE: Final = 3
"""Matters below which a token is left out."""
SPREAD: Final = 0.3
"""Standard deviation of what enters the products."""
FOLDS: Final = 5
REMOTE: Final = 30
"""Questions of other areas that are added to each matter, as wrong."""

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Matter:
    """What is asked of a matter: states of its clauses and of the whole, its tokens, its area."""

    area: str
    clauses: Array
    whole: Array
    tokens: frozenset[str]


def read_matter(area: str, text: str) -> Matter:
    """Return what the questions are asked of."""
    clauses, whole = clause_states(text)
    return Matter(area, clauses, whole, frozenset(matter_of(extract(text)).tokens))


def unit(vectors: Array) -> Array:
    """Return vectors of length 1."""
    lengths: Array = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return vectors / np.maximum(lengths, 1e-9)


class Data:
    """All labelled pairs of a matter and a question, as tensors."""

    def __init__(self) -> None:
        rows = read_table("law/what_ifs", WhatIf)
        self.rows = [it for it in rows if (it.operation, it.fact_type) == ("add", "Evidence")]
        at = {row.name: n for n, row in enumerate(self.rows)}
        others = (*load_matters(), *load_judged(), *load_others())
        texts = {m["matter_id"]: (m["area"], m["text"]) for m in others}
        decided = {
            f"casebook:{it['case_id']}": (it["area"], it["facts"]) for it in casebook_records()
        }
        lines = [json.loads(line) for line in JUDGED.read_text(encoding="utf-8").splitlines()]
        judged = {row["matter_id"]: row for row in lines}
        self.picked = [{at[name] for name in row["picked"] if name in at} for row in lines]
        again = [
            (n, at[name], label)
            for n, row in enumerate(lines)
            for label, key in enumerate(("wrong", "fine", "wanted"))
            for name in row.get("again", {}).get(key, ())
            if name in at
        ]
        self.again = np.array(again)
        texts |= {name: text for name, text in decided.items() if name in judged}
        texts = {name: texts[name] for name in (*judged, *texts)}  # the judged ones first
        matters = [read_matter(*text) for text in texts.values()]
        pairs = []
        for n, row in enumerate(judged.values()):
            labels = (("wrong", 0), ("fine", 1), ("wanted", 2))
            named = [(at[q], label) for key, label in labels for q in row[key] if q in at]
            pairs += [(n, k, label) for k, label in named]
            area = matters[n].area
            other = [k for k, r in enumerate(self.rows) if r.asked_in and area not in r.asked_in]
            pairs += [(n, k, 0) for k in random.Random(n).sample(other, REMOTE)]
        self.matter, self.question, self.label = map(torch.tensor, zip(*pairs, strict=True))
        self._prepare(matters)

    def _prepare(self, matters: Sequence[Matter]) -> None:
        said = unit(np.array([token_states(row.says)[1].mean(axis=0) for row in self.rows]))
        clauses = [unit(matter.clauses) for matter in matters]
        self.reduction = PCA(WIDTH, random_state=0).fit(np.vstack([said, *clauses[::3]]))
        self.scale = SPREAD / float(np.sqrt(self.reduction.explained_variance_.mean()))
        most = max(map(len, clauses))
        self.clauses = torch.zeros(len(matters), most, WIDTH)
        self.is_clause = torch.zeros(len(matters), most, dtype=torch.bool)
        for n, own in enumerate(clauses):
            self.clauses[n, : len(own)] = self._reduce(own)
            self.is_clause[n, : len(own)] = True
        self.said = self._reduce(said)
        counts = Counter(token for matter in matters for token in matter.tokens)
        self.tokens = sorted(token for token, count in counts.items() if count >= SCARCE)
        whole = np.array([matter.whole for matter in matters])
        self.middle, self.spread = whole.mean(axis=0), (whole.std(axis=0) + 1e-6) / SPREAD
        named = np.array([[token in m.tokens for token in self.tokens] for m in matters], float)
        told = np.hstack([(whole - self.middle) / self.spread, named])
        self.told = torch.tensor(told, dtype=torch.float32)
        self.area_of = [matter.area for matter in matters]
        areas = sorted({area for row in self.rows for area in row.asked_in})
        asked = np.array([[a in row.asked_in for a in areas] for row in self.rows], float)
        asked /= np.maximum(asked.sum(axis=1, keepdims=True), 1)
        self.areas = torch.tensor(asked, dtype=torch.float32)
        self.kinds = sorted({row.of[0] for row in self.rows})
        self.kind = torch.tensor([self.kinds.index(row.of[0]) for row in self.rows])
        has = [[f"evidence:{kind}" in m.tokens for kind in self.kinds] for m in matters]
        self.has = torch.tensor(has, dtype=torch.long)

    def _reduce(self, vectors: Array) -> Tensor:
        reduced = self.reduction.transform(vectors) * self.scale
        return torch.tensor(reduced, dtype=torch.float32)


class Model(nn.Module):
    """Two log-odds of a question in a matter: that it is not wrong there, and that it is wanted."""

    def __init__(self, data: Data) -> None:
        super().__init__()
        self.data = data

        def start(*shape: int, spread: float = 0.05) -> nn.Parameter:
            return nn.Parameter(torch.randn(*shape) * spread)

        self.sharp = nn.Parameter(torch.tensor([6.0, -3.0]))
        self.topic, self.topic_of = start(WIDTH, RANK), start(WIDTH, RANK)
        self.side, self.side_of = start(WIDTH, RANK), start(WIDTH, RANK)
        self.matter = start(data.told.shape[1], RANK, spread=0.02)
        self.asked, self.area = start(WIDTH, RANK), start(data.areas.shape[1], RANK)
        self.own = start(WIDTH, 2)
        self.bias = nn.Parameter(torch.zeros(len(data.rows), 2))
        self.known = nn.Parameter(torch.zeros(len(data.kinds), 2, 2))
        self.parts = start(4, 2, spread=0.5)
        self.drop = nn.Dropout(DROPPED)

    def forward(self, matter: Tensor, question: Tensor) -> Tensor:
        """Return log-odds of shape (pairs, 2)."""
        data = self.data
        said, clauses = data.said[question], data.clauses[matter]
        near = nn.functional.cosine_similarity(clauses, said[:, None], dim=2)
        said, clauses = self.drop(said), self.drop(clauses)
        speaks = self.sharp[0] * near + self.sharp[1]
        speaks = speaks + ((said @ self.topic)[:, None] * (clauses @ self.topic_of)).sum(2)
        speaks = speaks.masked_fill(~data.is_clause[matter], -1e4)
        none = torch.zeros(len(matter), 1)
        shares = torch.softmax(torch.cat([speaks, none], 1), 1)[:, :-1]
        side = ((said @ self.side)[:, None] * (clauses @ self.side_of)).sum(2)
        asked = said @ self.asked + data.areas[question] @ self.area
        fits = (asked * (self.drop(data.told[matter]) @ self.matter)).sum(1)
        nearest = near.masked_fill(~data.is_clause[matter], -1).max(1)[0]
        parts = torch.stack([shares.sum(1), (side * shares).sum(1), fits, 4 * nearest], 1)
        kind = data.kind[question]
        known = self.known[kind, data.has[matter, kind]]
        odds: Tensor = parts @ self.parts + said @ self.own + self.bias[question] + known
        return odds


def train(data: Data, chosen: Tensor) -> Model:
    """Return the model of the chosen pairs."""
    torch.manual_seed(0)
    model = Model(data)
    optimizer = torch.optim.AdamW(model.parameters(), lr=PEAK, weight_decay=0.02)
    places = torch.nonzero(chosen).flatten().tolist()
    steps = EPOCHS * -(-len(places) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, PEAK, total_steps=steps)
    asked = nn.BCEWithLogitsLoss()
    for epoch in range(EPOCHS):
        model.train()
        order = random.Random(epoch).sample(places, len(places))
        for at in range(0, len(order), BATCH):
            own = torch.tensor(order[at : at + BATCH])
            odds, labels = model(data.matter[own], data.question[own]), data.label[own]
            loss = asked(odds[:, 0], (labels > 0).float()) + asked(
                odds[:, 1], (labels == 2).float()
            )
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    model.eval()
    return model


@dataclass(frozen=True)
class Strict:
    """How the stricter readers' answers follow: log-odds by those of the model, (2, 2), and by row."""

    slope: Array
    row: Array

    def odds(self, odds: Array, question: NDArray[np.int64]) -> Array:
        """Return the log-odds that these questions are not wrong and that they are wanted."""
        answers: Array = odds @ self.slope + self.row[question]
        return answers


def odds_left_out(data: Data) -> Array:
    """Return the log-odds of `again`, each by a model that has not seen its matter."""
    found = np.zeros((len(data.again), 2))
    for fold in range(FOLDS):
        own = data.again[:, 0] % FOLDS == fold
        model = train(data, data.matter % FOLDS != fold)
        found[own] = odds_of(model, *data.again[own, :2].T)
    return found


def odds_of(model: Model, matter: NDArray[np.int64], question: NDArray[np.int64]) -> Array:
    """Return the log-odds of pairs, (pairs, 2)."""
    with torch.no_grad():
        odds: Array = model(torch.tensor(matter), torch.tensor(question)).numpy()
    return odds


def fit_strict(data: Data, odds: Array, chosen: NDArray[np.bool_]) -> Strict:
    """Return what the stricter readers' answers to the chosen of `again` teach."""
    question, label = data.again[chosen, 1:].T
    named = csr_matrix((np.ones(len(question)), (np.arange(len(question)), question)),
                       shape=(len(question), len(data.rows)))  # fmt: skip
    told = hstack([named, odds[chosen]]).tocsr()
    models = [LogisticRegression(max_iter=1000).fit(told, label >= least) for least in (1, 2)]
    weights = np.array([model.coef_[0] for model in models]).T
    row = weights[: len(data.rows)] + np.array([model.intercept_[0] for model in models])
    return Strict(weights[len(data.rows) :], row)


def fit_areas(data: Data, chosen: Sequence[int]) -> LogisticRegression:
    """Return the model that tells the area of law of a matter."""
    model = LogisticRegression(C=AREA_STRENGTH, max_iter=2000, random_state=0)
    return model.fit(data.told.numpy()[chosen], [data.area_of[n] for n in chosen])


def report_areas(data: Data) -> None:
    """Print how often the area of every fifth matter is the likeliest, or at least likely enough."""
    places = range(len(data.area_of))
    model = fit_areas(data, [n for n in places if not is_held_out(n)])
    own = [n for n in places if is_held_out(n)]
    shares = model.predict_proba(data.told.numpy()[own])
    named = [model.classes_.tolist().index(data.area_of[n]) for n in own]
    first = np.mean(shares.argmax(axis=1) == named)
    among = np.mean(shares[np.arange(len(own)), named] >= OWN)
    print(
        f"areas of {len(own)} matters: {first:.3f} right, {among:.3f} among the likely ones, "
        f"{(shares >= OWN).sum(axis=1).mean():.2f} of them a matter"
    )


def report(data: Data, model: Model, held_out: Tensor) -> None:
    """Print how well wrong questions are told from the others in matters laid aside."""
    own = torch.nonzero(held_out).flatten()
    with torch.no_grad():
        odds = model(data.matter[own], data.question[own]).numpy()
    labels, matters = data.label[own].numpy(), len(set(data.matter[own].tolist()))
    areas = [area_under_curve(odds[:, 0], labels > 0), area_under_curve(odds[:, 1], labels == 2)]
    print(f"{len(own)} pairs of {matters} matters: AUC {areas[0]:.3f}, wanted {areas[1]:.3f}")
    for least in (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9):
        asked = labels[odds[:, 0] >= np.log(least / (1 - least))]
        print(
            f"  from {least}: {len(asked) / matters:.1f} a matter, {(asked == 0).mean():.3f} wrong, "
            f"{(asked == 2).mean():.3f} wanted, {(asked == 2).sum() / (labels == 2).sum():.3f} of all "
            "wanted"
        )


def is_laid_aside(data: Data) -> NDArray[np.bool_]:
    """Return of each of `again` whether its matter measures."""
    return np.array([is_held_out(n) for n in data.again[:, 0].tolist()])


def report_strict(data: Data, odds: Array, strict: Strict) -> None:
    """Print what the stricter readers of matters laid aside say of what is asked there."""
    held_out = is_laid_aside(data)
    matter, question, label = data.again[held_out].T
    answers = strict.odds(odds[held_out], question)
    areas = [area_under_curve(answers[:, at], label > at) for at in (0, 1)]
    print(f"strictly: {len(label)} pairs, AUC {areas[0]:.3f}, wanted {areas[1]:.3f}")
    matters, sums = len(set(matter.tolist())), answers @ [COUNTS, 1.0]
    for least in (-9.0, -1.5, -1.0, ASKED, -0.5, 0.0):
        asked = label[sums >= least]
        print(
            f"  from {least}: {len(asked) / matters:.1f} a matter, {(asked == 0).mean():.3f} wrong, "
            f"{(asked == 2).mean():.3f} wanted, {(asked == 2).sum() / (label == 2).sum():.3f} of all "
            "wanted"
        )


def report_picks(data: Data, model: Model, strict: Strict) -> None:
    """Print how many of the questions asked in matters laid aside a reader would try first."""
    asked = found = picks = 0
    for n, picked in enumerate(data.picked):
        area = data.area_of[n]
        if is_held_out(n) and picked:
            listed = (k for k, r in enumerate(data.rows) if not r.asked_in or area in r.asked_in)
            own = np.array(list(listed))
            odds = odds_of(model, np.full(len(own), n), own)
            first = {*own[choose(np.hstack([odds, strict.odds(odds, own)]))].tolist()}
            asked += len(first)
            found += len(first & picked)
            picks += len(picked)
    print(f"{found} of {asked} asked are among the {picks} picked")


def export(
    data: Data, model: Model, strict: Strict, areas: LogisticRegression
) -> dict[str, Tensor]:
    """Return the tensors that the package asks, by name."""
    with torch.no_grad():
        reduction = torch.tensor(data.reduction.components_ * data.scale).float()
        spread = torch.tensor(np.concatenate([data.spread, np.ones(len(data.tokens))])).float()
        matter = model.matter / spread[:, None]
        middle = torch.tensor(data.middle).float() @ matter[: len(data.middle)]
        return {
            "centre": torch.tensor(data.reduction.mean_).float(),
            "reduction": reduction.T,
            "said": data.said,
            "sharp": model.sharp,
            "topic": data.said @ model.topic,
            "topic_of": model.topic_of,
            "side": data.said @ model.side,
            "side_of": model.side_of,
            "asked": data.said @ model.asked + data.areas @ model.area,
            "matter": matter,
            "middle": middle,
            "own": data.said @ model.own + model.bias,
            "known": model.known[data.kind],
            "parts": model.parts,
            "strict": torch.tensor(strict.slope).float(),
            "strict_row": torch.tensor(strict.row).float(),
            "area": torch.tensor(areas.coef_.T / spread.numpy()[:, None]).float(),
            "area_bias": torch.tensor(
                areas.intercept_ - (areas.coef_[:, : len(data.middle)] / data.spread) @ data.middle
            ).float(),
        }


def main() -> None:
    """Fit, measure and install the model from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--install", action="store_true", help="put it into the package")
    given = parser.parse_args()
    torch.set_num_threads(1)
    data = Data()
    held_out = torch.tensor([is_held_out(n) for n in data.matter.tolist()])
    report_areas(data)
    model = train(data, ~held_out)
    report(data, model, held_out)
    odds = odds_left_out(data)
    strict = fit_strict(data, odds, ~is_laid_aside(data))
    report_strict(data, odds, strict)
    report_picks(data, model, strict)
    if given.install:
        model = train(data, torch.ones_like(held_out))
        kinds = [row.of[0] for row in data.rows]
        names = {ROWS: [row.name for row in data.rows], TOKENS: data.tokens, KINDS: kinds}
        areas = fit_areas(data, range(len(data.area_of)))
        names[AREAS] = areas.classes_.tolist()
        strict = fit_strict(data, odds, np.ones(len(odds), bool))
        tensors = export(data, model, strict, areas)
        add_tensors({f"{STATES}.{key}": it for key, it in tensors.items()}, names)


if __name__ == "__main__":
    main()
