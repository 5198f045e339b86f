"""Train the two DPR towers: a centre and a matrix each, over the vectors of the base model.

    python training/towers.py --data DIR [--seed 0] [--out DIR] [--install]

Both begin as the whitening of the passages (Su et al. 2021, with a ridge of twice the mean
variance). From there they are trained apart, in-batch, against BM25 hard negatives and passages
drawn at random (Karpukhin et al. 2020, eq. 2), and the result is averaged with the beginning
(Wortsman et al. 2022): what is learned from the citations of one collection, a quarter of it carries
over to others. The base model stays as it is, so its vectors are computed once and a run takes
minutes on one core.
"""

from __future__ import annotations

import argparse
import dataclasses
import random
import sys
import time
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import save_file
from torch import Tensor, nn

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from training import batches, lora, mining, splits
from training.recall import Cases, recall

RIDGE: Final = 2.0
RATE: Final = 3e-4
BATCH: Final = 256
HARD: Final = 3
DRAWN: Final = 2500
TEMPERATURE: Final = 0.05
STEPS: Final = 120
KEPT: Final = 0.5
"""Share of what was learned that is kept; the rest is the whitening."""

CHECKPOINT_EVERY: Final = 40

Matrix = NDArray[np.float32]


def whitening(vectors: Matrix) -> tuple[Matrix, Matrix]:
    """Centre (width,) and matrix (width, width) that even out the directions of `vectors`.

    The eigenvalues get a ridge of `RIDGE` times their mean, so that directions of next to no
    variance, which are noise, are not blown up.
    """
    centre = vectors.mean(axis=0, dtype=np.float64)
    apart = vectors - centre
    values, axes = np.linalg.eigh(apart.T @ apart / len(apart))
    scale = np.sqrt(values.mean()) / np.sqrt(values + RIDGE * values.mean())
    return centre.astype(np.float32), ((axes * scale) @ axes.T).astype(np.float32)


def turned(vectors: Matrix, centre: Matrix, matrix: Matrix) -> Matrix:
    """Unit vectors of a tower."""
    moved = (vectors - centre) @ matrix
    unit: Matrix = (moved / np.linalg.norm(moved, axis=1, keepdims=True)).astype(np.float32)
    return unit


def loss_of(
    found: mining.TrainingSet, cases: Cases, towers: tuple[Tensor, Tensor], centre: Tensor,
    part: list[int], draw: random.Random, drawn_from: list[int],
) -> Tensor:  # fmt: skip
    """The contrastive loss of one batch."""
    pairs = [found.pairs[at] for at in part]
    rows = [pair.positive for pair in pairs]
    rows += [row for pair in pairs for row in pair.negatives[:HARD]]
    rows += draw.sample(drawn_from, min(DRAWN, len(drawn_from)))
    question, passage = towers
    asked = (torch.from_numpy(found.query_vectors[part]) - centre) @ question
    answers = (torch.from_numpy(found.passage_vectors[rows]) - centre) @ passage
    logits = nn.functional.normalize(asked, dim=-1) @ nn.functional.normalize(answers, dim=-1).T
    owners = cases.of_row[rows]
    barred = np.stack([np.isin(owners, list(cases.right[pair.case_id])) for pair in pairs])
    barred[np.arange(len(pairs)), np.arange(len(pairs))] = False
    masked = (logits / TEMPERATURE).masked_fill(torch.from_numpy(barred), -1e4)
    return nn.functional.cross_entropy(masked, torch.arange(len(pairs)))


def train(
    found: mining.TrainingSet, centre: Matrix, start: Matrix, out: Path, seed: int
) -> tuple[Matrix, Matrix, float]:
    """Question matrix, passage matrix and seconds; a stopped run goes on where it was."""
    cases = Cases(found)
    towers = tuple(nn.Parameter(torch.from_numpy(start.copy())) for _ in range(2))
    optimizer = torch.optim.Adam(towers, lr=RATE)
    rows = found.rows("train")
    held = {found.pairs[at].case_id for at in found.rows("development")}
    drawn_from = [at for at, passage in enumerate(found.passages) if passage.case_id not in held]
    path = out / f"towers-{seed}.checkpoint"
    step, spent = 0, 0.0
    state = batches.read_checkpoint(path)
    if state is not None:
        step, spent = state["step"], state["spent"]
        optimizer.load_state_dict(state["optimizer"])
        with torch.no_grad():
            for tower, value in zip(towers, state["towers"], strict=True):
                tower.copy_(value)
    began = time.monotonic()
    while step < STEPS:
        draw = random.Random(f"towers:{seed}:{step}")
        loss = loss_of(
            found, cases, (towers[0], towers[1]), torch.from_numpy(centre),
            draw.sample(rows, min(BATCH, len(rows))), draw, drawn_from,
        )  # fmt: skip
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        step += 1
        if step % 10 == 0:
            say(f"step {step}/{STEPS} loss {loss.item():.3f}")
        if step % CHECKPOINT_EVERY == 0:
            batches.write_checkpoint(path, {
                "step": step, "spent": spent + time.monotonic() - began,
                "towers": [tower.detach() for tower in towers],
                "optimizer": optimizer.state_dict(),
            })  # fmt: skip
    learned = [start + KEPT * (tower.detach().numpy() - start) for tower in towers]
    return learned[0], learned[1], spent + time.monotonic() - began


def development(
    found: mining.TrainingSet, rows: list[int], centre: Matrix, question: Matrix, passage: Matrix
) -> dict[str, float]:
    """Recall@10 of judgments by kind of question, see `recall`."""
    seen = dataclasses.replace(
        found, passage_vectors=turned(found.passage_vectors, centre, passage)
    )
    return recall(seen, Cases(found), rows, turned(found.query_vectors[rows], centre, question))


def say(text: str) -> None:
    """Progress, at once."""
    print(text, flush=True)


def main() -> None:
    """Train both towers from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder that holds aila2019/")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("training/runs"))
    parser.add_argument("--install", action="store_true", help="put the towers into the package")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    torch.manual_seed(given.seed)
    found = mining.training_set(given.data, given.out, given.seed, say)
    _, rows = splits.halves(found)
    centre, start = whitening(found.passage_vectors)
    question, passage, seconds = train(found, centre, start, given.out, given.seed)
    figures = {
        "base": recall(found, Cases(found), rows, found.query_vectors[rows]),
        "whitened": development(found, rows, centre, start, start),
        "trained": development(found, rows, centre, question, passage),
    }
    for name, shares in figures.items():
        say(f"{name}: {' '.join(f'{kind} {share:.3f}' for kind, share in shares.items())}")
    path = given.out / "towers.safetensors"
    tensors = {
        "question.centre": centre, "question.matrix": question,
        "passage.centre": centre, "passage.matrix": passage,
    }  # fmt: skip
    half = {
        name: np.ascontiguousarray(tensor.astype(np.float16)) for name, tensor in tensors.items()
    }
    save_file(half, path, metadata={"seed": str(given.seed)})
    say(f"{path}, {seconds:.0f} s")
    if given.install:
        lora.install(path, lora.adapter_folder())


if __name__ == "__main__":
    main()
