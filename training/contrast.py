"""Fit the contrast: which text of a matter speaks of a decisive point, and on which side of it?

    python training/contrast.py [--epochs 4] [--fold N | --install] [--out DIR]

Two bilinear questions over the vectors of the sentence encoder and of the stance encoder, which stay
as they are. Each sentence of `training/sides.jsonl` is set among texts that speak of something else:
sentences on points of other decisions of its area, and texts of the matters of
`training/matters.jsonl`. The whole must then stand on the sentence's side of its point, that of the
other sentence of its pair on the other, and of a point of another decision on neither. What is
written is the average of the last steps (Polyak and Juditsky 1992). With `--fold` a fifth of the
decisions is left out and measured after every epoch. Four epochs take about two minutes.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import torch
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.nn.functional import dropout, softplus

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from countercase.config import load_settings
from countercase.corpus.casebook.records import records_of
from countercase.counterfactual.states import State
from countercase.encoders.base import Encoders, encode_as
from countercase.encoders.embedded import weights
from countercase.facts.extraction import extract
from countercase.retrieval.votes import Questions
from countercase.session import Session, open_session
from training import lora
from training.fusion import MATTERS
from training.stance import FOLDS, Example, fold_of, read_examples

RANK: Final = 48
OTHERS: Final = (6, 10, 16)
"""Texts among which a sentence is set; one of these counts for each batch."""
BATCH: Final = 64
DROPPED: Final = 0.4
"""Share of the numbers of every vector that a step does not see."""
RATE: Final = 2e-3
QUICK: Final = 2e-2
"""Learning rate of the few weights of plain cosines."""
DECAY: Final = 0.05
KEPT: Final = 0.99
"""Share of the average that a step leaves."""
SCALE: Final = 10.0
"""What the products of two projections count, so that their first steps are long enough."""


@dataclass(frozen=True)
class Material:
    """Vectors of all texts, shape (2, texts, width), and which of them belong where.

    Attributes:
        rows: of each example held, otherwise, like and unlike.
        sentences: by area, the example and the text of every sentence.
        matters: by area, the texts of each matter.
    """

    vectors: Tensor
    examples: Sequence[Example]
    rows: Sequence[tuple[int, int, int, int]]
    areas: Sequence[str]
    sentences: dict[str, list[tuple[int, int]]]
    matters: dict[str, list[list[int]]]


def read_material(session: Session) -> Material:
    """Encode the sentences, the sides and the texts of the matters."""
    places: dict[str, int] = {}

    def place(text: str) -> int:
        return places.setdefault(text, len(places))

    examples = read_examples()
    areas = {record["case_id"]: record["area"] for record in records_of()}
    rows = [tuple(map(place, example[1:])) for example in examples]
    sentences = defaultdict[str, list[tuple[int, int]]](list)
    for at, (example, (_, _, like, unlike)) in enumerate(zip(examples, rows, strict=True)):
        sentences[areas[example.case_id]] += [(at, like), (at, unlike)]
    matters = defaultdict[str, list[list[int]]](list)
    for line in MATTERS.read_text("utf-8").splitlines():
        matter = json.loads(line)
        renderer = session.renderer(extract(matter["text"], matter["query_id"]))
        matters[matter["area"]].append(list(map(place, renderer.query(State()).segments)))
    vectors = _encode(session.encoders, list(places))
    own = [areas[example.case_id] for example in examples]
    return Material(vectors, examples, rows, own, dict(sentences), dict(matters))  # type: ignore[arg-type]


def _encode(encoders: Encoders, texts: list[str]) -> Tensor:
    read = encode_as(encoders, ("sentence", "stance"), texts)
    return torch.stack([torch.tensor(np.asarray(own, dtype=np.float32)) for own in read])


class Contrast(nn.Module):
    """The questions of `countercase.retrieval.votes`, to be fitted."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.nearer = nn.Parameter(torch.tensor([14.0, 0.0]))
        self.alike = nn.Parameter(torch.tensor([[3.0, 0.0], [1.0, 4.0]]))
        self.bias = nn.Parameter(torch.tensor([-7.0]))
        for name in ("topic", "topic_of", "side", "side_of"):
            setattr(self, name, nn.Parameter(torch.randn(2, width, RANK) * 0.02))

    def forward(self, texts: Tensor, held: Tensor, otherwise: Tensor) -> Tensor:
        """Return on which side matters stand, shape (n, m): of n points, m matters each.

        Args:
            texts: shape (2, n, m, texts, width).
            held, otherwise: shape (2, n, width).
        """
        nearer = torch.maximum(_products(texts, held), _products(texts, otherwise))
        both, apart = held + otherwise, held - otherwise
        topic = SCALE * self._projected(both, "topic") + self.alike[0].view(2, 1, 1) * both
        side = SCALE * self._projected(apart, "side") + self.alike[1].view(2, 1, 1) * apart
        speaks = nearer * self.nearer.view(2, 1, 1, 1) + _products(texts, topic)
        shares = torch.exp((speaks.sum(0) + self.bias).clamp(max=30))
        leans = _products(texts, side).sum(0)
        return (shares * leans).sum(-1) / (1 + shares.sum(-1))

    def _projected(self, sides: Tensor, name: str) -> Tensor:
        own: Tensor = getattr(self, name)
        other: Tensor = getattr(self, f"{name}_of")
        return sides @ other @ own.transpose(1, 2)

    def tensors(self) -> dict[str, Tensor]:
        """Return what the package reads, in half precision where it is large."""
        found = {name: value.detach() for name, value in self.state_dict().items()}
        for name in ("topic", "side"):
            found[name] = found[name] * SCALE
        found["alike"] = found["alike"][:, :, None, None]
        half = {n: v.half() if v.dim() == 3 else v for n, v in found.items()}
        return {name: half[name].contiguous() for name in Questions._fields}


def _products(texts: Tensor, sides: Tensor) -> Tensor:
    return torch.einsum("enmtw,enw->enmt", texts, sides)


def draw(
    material: Material, chosen: Sequence[int], others: int, rng: random.Random
) -> tuple[Tensor, list[int]]:
    """Return two matters for each of these examples, one on either side, and a foreign example.

    Texts have the shape (2, examples, 2, others + 1, width).
    """
    rows, foreign = [], []
    for at in chosen:
        area, own = material.areas[at], material.examples[at].case_id
        alike = [
            it for it in rng.choices(material.sentences[area], k=4 * others)
            if material.examples[it[0]].case_id != own
        ]  # fmt: skip
        told = [
            text for matter in rng.choices(material.matters.get(area, [[]]), k=2) for text in matter
        ]
        around = [text for _, text in alike[: others // 2]]
        around += rng.sample(told, min(others - len(around), len(told)))
        while len(around) < others:
            around.append(rng.choice(rng.choice(list(material.sentences.values())))[1])
        rows.append([[*around, material.rows[at][side]] for side in (2, 3)])
        foreign.append(alike[-1][0] if alike else rng.randrange(len(material.examples)))
    return material.vectors[:, torch.tensor(rows)], foreign


def sides_of(material: Material, chosen: Sequence[int]) -> tuple[Tensor, Tensor]:
    """Return both sides of the points of these examples, shape (2, examples, width) each."""
    rows = torch.tensor([material.rows[at][:2] for at in chosen])
    found = material.vectors[:, rows]
    return found[:, :, 0], found[:, :, 1]


def measure(model: Contrast, material: Material, chosen: Sequence[int]) -> str:
    """Return the share of matters on their own side, and of pairs that lie the right way."""
    rng, leans = random.Random("contrast:measure"), []
    with torch.no_grad():
        for at in range(0, len(chosen), BATCH):
            part = chosen[at : at + BATCH]
            texts, _ = draw(material, part, OTHERS[1], rng)
            leans.append(model(texts, *sides_of(material, part)))
    like, unlike = torch.cat(leans).unbind(1)
    right = torch.cat([like > 0, unlike < 0]).float().mean()
    return f"matters {right:.3f} pairs {(like > unlike).float().mean():.3f}"


def train(
    material: Material, chosen: list[int], held_out: list[int], epochs: int
) -> dict[str, Tensor]:
    """Return the tensors of a contrast that is fitted on these examples."""
    model = Contrast(material.vectors.shape[-1])
    average = {name: value.clone() for name, value in model.state_dict().items()}
    large = [it for it in model.parameters() if it.dim() == 3]
    small = [it for it in model.parameters() if it.dim() < 3]
    groups = [
        {"params": large, "lr": RATE, "weight_decay": DECAY},
        {"params": small, "lr": QUICK, "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups)
    steps = epochs * -(-len(chosen) // BATCH)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda at: max(0.05, 1 - at / steps))
    rng = random.Random("contrast")
    for epoch in range(epochs):
        order = rng.sample(chosen, len(chosen))
        for at in range(0, len(order), BATCH):
            part = order[at : at + BATCH]
            texts, foreign = draw(material, part, rng.choice(OTHERS), rng)
            texts = dropout(texts, DROPPED)
            like, unlike = model(texts, *sides_of(material, part)).unbind(1)
            away = model(texts, *sides_of(material, foreign))
            loss = softplus(-like) + softplus(unlike) + softplus(unlike - like)
            loss = loss.mean() + (away**2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            scheduler.step()
            for name, value in model.state_dict().items():
                average[name].mul_(KEPT).add_(value, alpha=1 - KEPT)
        print(
            f"epoch {epoch + 1}", measure(model, material, held_out) if held_out else "", flush=True
        )
    model.load_state_dict(average)
    if held_out:
        print("average", measure(model, material, held_out))
    return model.tensors()


def main() -> None:
    """Fit from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--fold", type=int, choices=range(FOLDS), help="leave this fifth out")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("training/runs"))
    parser.add_argument("--install", action="store_true", help="put the weights into the package")
    given = parser.parse_args()
    material = read_material(open_session(load_settings(CONTRAST_WEIGHT=0.0)))
    torch.set_num_threads(given.threads)
    torch.manual_seed(0)
    places = range(len(material.examples))
    held_out = [at for at in places if fold_of(material.examples[at]) == given.fold]
    chosen = sorted(set(places) - set(held_out))
    given.out.mkdir(parents=True, exist_ok=True)
    path = given.out / weights.CONTRAST
    save_file(train(material, chosen, held_out, given.epochs), path)
    if given.install:
        lora.install(path, weights.adapter_folder())


if __name__ == "__main__":
    main()
