"""Train the stance encoder: on which side of a decisive point does a sentence stand?

    python training/stance.py [--epochs 5] [--fold N | --install] [--out DIR]

Low-rank layers over the base model (Hu et al. 2022). The casebook states each point on which a
decision turned on both sides, `held` and `otherwise`; `training/sides.jsonl` has sentences of
invented matters that stand on either. Each sentence must lie nearer to its own side than to the
other, and each side nearer to its own sentence: the two matters of a pair swap their labels, so that
neither the topic nor a word of negation alone can tell (reversed queries, Weller et al. 2024,
"NevIR"). With `--fold` a fifth of the decisions is left out and measured after every epoch.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
import zlib
from pathlib import Path
from typing import Final, NamedTuple

import torch
from torch import Tensor, nn

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from countercase.corpus.casebook.records import records_of
from countercase.encoders.embedded import weights
from countercase.encoders.embedded.graphs import base_encoder
from countercase.encoders.embedded.runtime import WordPieces
from training import batches, lora

SIDES: Final = Path(__file__).with_name("sides.jsonl")
FOLDS: Final = 5
RANK: Final = 16
FIRST_LAYER: Final = 1
PEAK: Final = 5e-4
WARM: Final = 20
POINTS: Final = 24
TEMPERATURE: Final = 0.1
PIECES: Final = 64
ALIKE: Final = 32
"""Texts of like length that are read together."""


class Example(NamedTuple):
    """A point on both its sides, and a sentence of an invented matter on each."""

    case_id: str
    held: str
    otherwise: str
    like: str
    unlike: str


def read_examples() -> list[Example]:
    """Return the labelled sentences with the points that they speak of, in one order."""
    points = {record["case_id"]: record["dispositive"] for record in records_of()}
    rows = [json.loads(line) for line in SIDES.read_text("utf-8").splitlines()]
    found = []
    for row in rows:
        point = points[row["case_id"]][row["n"]]
        sides = point["held"], point["otherwise"]
        found.append(Example(row["case_id"], *sides, row["like"], row["unlike"]))
    return sorted(found)


def fold_of(example: Example) -> int:
    """Return the fold of a decision; all its points are in one."""
    return zlib.crc32(example.case_id.encode()) % FOLDS


class Reader:
    """Texts to unit vectors (texts, width), by the model that is trained."""

    def __init__(self, encoder: nn.Module) -> None:
        self._encoder, self._pieces = encoder, WordPieces(weights.tokenizer_file())

    def __call__(self, texts: list[str]) -> Tensor:
        rows = [torch.as_tensor(self._pieces.single(text)[0]).flatten()[:PIECES] for text in texts]
        order = sorted(range(len(rows)), key=lambda at: len(rows[at]))
        parts = [order[at : at + ALIKE] for at in range(0, len(order), ALIKE)]
        read = torch.cat([self._read([rows[at] for at in part]) for part in parts])
        return read[torch.argsort(torch.tensor(order))]

    def _read(self, rows: list[Tensor]) -> Tensor:
        ids = nn.utils.rnn.pad_sequence(list(map(Tensor.long, rows)), batch_first=True)
        lengths = torch.tensor([len(row) for row in rows])
        mask = (torch.arange(ids.shape[1])[None] < lengths[:, None]).long()
        states = self._encoder(
            input_ids=ids, attention_mask=mask, token_type_ids=ids * 0
        ).last_hidden_state
        pooled = (states * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        return nn.functional.normalize(pooled, dim=-1)


def loss_of(vectors: Tensor) -> Tensor:
    """Return the loss of points, shape (points, 4, width): both sides, then both sentences."""
    held, otherwise, like, unlike = vectors.unbind(1)
    near = (like * held).sum(1), (unlike * otherwise).sum(1)
    far = (like * otherwise).sum(1), (unlike * held).sum(1)
    terms = [nn.functional.softplus((b - a) / TEMPERATURE).mean() for a in near for b in far]
    return torch.stack(terms).sum()


def measure(read: Reader, examples: list[Example]) -> dict[str, float]:
    """Return the share of sentences on their own side, and of pairs that lie the right way."""
    leans = []
    with torch.no_grad():
        for at in range(0, len(examples), POINTS):
            part = examples[at : at + POINTS]
            texts = [text for example in part for text in example[1:]]
            held, otherwise, like, unlike = read(texts).view(len(part), 4, -1).unbind(1)
            apart = held - otherwise
            leans.append(torch.stack([(like * apart).sum(1), (unlike * apart).sum(1)]))
    like, unlike = torch.cat(leans, dim=1)
    right = torch.cat([like > 0, unlike < 0]).float().mean()
    return {"sentences": right.item(), "pairs": (like > unlike).float().mean().item()}


def train(examples: list[Example], held_out: list[Example], epochs: int, path: Path) -> None:
    """Train from the base model; the adapter is written to `path` after every epoch."""
    encoder = base_encoder()
    layers = lora.attach(encoder, RANK, 2 * RANK, FIRST_LAYER)
    parameters, read = lora.parameters(layers), Reader(encoder)
    optimizer = torch.optim.AdamW(parameters, lr=PEAK, weight_decay=0.01)
    steps = epochs * (len(examples) // POINTS)
    scheduler = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / WARM) * max(0.05, 1 - step / steps)
    )
    state = batches.read_checkpoint(path.with_suffix(".checkpoint")) or {"epoch": 0}
    if state["epoch"]:
        with torch.no_grad():
            for parameter, value in zip(parameters, state["parameters"], strict=True):
                parameter.copy_(value)
        optimizer.load_state_dict(state["optimizer"])
        scheduler.load_state_dict(state["scheduler"])
    began = time.monotonic()
    for epoch in range(state["epoch"], epochs):
        order = random.Random(f"stance:{epoch}").sample(examples, len(examples))
        encoder.train()
        torch.manual_seed(epoch)
        for at in range(0, len(order) - POINTS + 1, POINTS):
            part = order[at : at + POINTS]
            texts = [text for example in part for text in example[1:]]
            with torch.autocast("cpu", dtype=torch.bfloat16):
                vectors = read(texts)
            loss = loss_of(vectors.float().view(len(part), 4, -1))
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(parameters, 1.0)
            optimizer.step()
            scheduler.step()
        encoder.eval()
        lora.write_adapter(path, lora.adapter_tensors(layers), {"alpha": 2 * RANK, "rank": RANK})
        batches.write_checkpoint(path.with_suffix(".checkpoint"), {
            "epoch": epoch + 1, "parameters": [p.detach() for p in parameters],
            "optimizer": optimizer.state_dict(), "scheduler": scheduler.state_dict(),
        })  # fmt: skip
        shares = measure(read, held_out) if held_out else {}
        figures = " ".join(f"{name} {share:.3f}" for name, share in shares.items())
        print(f"epoch {epoch + 1}: {time.monotonic() - began:.0f} s {figures}", flush=True)


def main() -> None:
    """Train from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--fold", type=int, choices=range(FOLDS), help="leave this fifth out")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("training/runs"))
    parser.add_argument("--install", action="store_true", help="put the adapter into the package")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    torch.manual_seed(0)
    given.out.mkdir(parents=True, exist_ok=True)
    examples = read_examples()
    held_out = [it for it in examples if fold_of(it) == given.fold]
    path = given.out / (
        "stance.safetensors" if given.fold is None else f"fold-{given.fold}.safetensors"
    )
    train([it for it in examples if it not in held_out], held_out, given.epochs, path)
    if given.install:
        lora.install(path, lora.adapter_folder())


if __name__ == "__main__":
    main()
