"""Train the question tower: queries move, the passage vectors of the base model stay.

    python training/question_tower.py --data DIR [--seed 0] [--minutes 25] [--out DIR] [--install]

Contrastive loss (Karpukhin et al. 2020, "DPR", eq. 2) at temperature 0.05 over the positives of
the batch, one hard negative each, and passages drawn at random, which cost nothing since passages
are not encoded again. The best step by development recall is kept, and it is installed only if it
is no worse than the base model. A run that is stopped goes on from its last checkpoint.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from countercase.encoders import weights
from countercase.encoders.graphs import base_encoder
from countercase.encoders.pieces import WordPieces
from countercase.encoders.runtime import has_bf16
from training import batches, lora, mining, splits

RANK: Final = 8
ALPHA: Final = 16.0
FIRST_LAYER: Final = 2
PEAK: Final = 5e-4
BATCH: Final = 64
RANDOM_NEGATIVES: Final = 1024
TEMPERATURE: Final = 0.05
STEPS: Final = 120
CHECK_EVERY: Final = 40
PATIENCE: Final = 1
RECALL_AT: Final = 10


class Tower:
    """The question tower in training."""

    def __init__(self, seed: int) -> None:
        torch.manual_seed(seed)
        self.encoder = base_encoder()
        self.layers = lora.attach(self.encoder, RANK, ALPHA, FIRST_LAYER)
        self.pieces = WordPieces(weights.tokenizer_file())
        self.bf16 = has_bf16()

    def __call__(self, texts: list[str]) -> Tensor:
        """Unit vectors of `texts`, shape (texts, 384)."""
        inputs = [self.pieces.single(text) for text in texts]
        return nn.functional.normalize(batches.pooled(self.encoder, inputs, self.bf16), dim=-1)

    def encode(self, texts: list[str]) -> NDArray[np.float32]:
        """The same without gradients, batch by batch."""
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        found = np.zeros((len(texts), 384), dtype=np.float32)
        with torch.inference_mode():
            for start in range(0, len(order), 32):
                part = order[start : start + 32]
                found[part] = self([texts[at] for at in part]).numpy()
        return found


class Cases:
    """Whose passage is whose, and which are no negatives of a pair."""

    def __init__(self, found: mining.TrainingSet) -> None:
        names = sorted({passage.case_id for passage in found.passages})
        self.number = {name: at for at, name in enumerate(names)}
        self.of_row = np.array([self.number[p.case_id] for p in found.passages])
        # A question put to several judgments has several right answers.
        self.right: dict[str, set[int]] = {}
        for pair in found.pairs:
            right = self.right.setdefault(pair.case_id, {self.number.get(pair.case_id, -1)})
            right.add(int(self.of_row[pair.positive]))


def recall(
    found: mining.TrainingSet, cases: Cases, rows: list[int], queries: NDArray[np.float32]
) -> dict[str, float]:
    """Share of questions whose judgment is among the first ten, by kind and as their mean.

    A judgment stands where its nearest passage stands; the judgment that asks, and others that it
    cites, are left out of the ranking.
    """
    hits: dict[str, list[bool]] = {}
    for at, query in zip(rows, queries, strict=True):
        pair = found.pairs[at]
        best = np.full(len(cases.number), -2.0, dtype=np.float32)
        np.maximum.at(best, cases.of_row, found.passage_vectors @ query)
        answer = int(cases.of_row[pair.positive])
        score = best[answer]
        best[[case for case in cases.right[pair.case_id] if case >= 0]] = -2.0
        hits.setdefault(pair.kind, []).append(int((best > score).sum()) < RECALL_AT)
    by_kind = {kind: float(np.mean(found)) for kind, found in sorted(hits.items())}
    return by_kind | {"mean": float(np.mean(list(by_kind.values())))}


def loss_of(
    tower: Tower, found: mining.TrainingSet, cases: Cases, part: list[int], draw: random.Random,
    drawn_from: list[int],
) -> Tensor:  # fmt: skip
    """The contrastive loss of one batch."""
    pairs = [found.pairs[at] for at in part]
    hard = [draw.choice(pair.negatives) for pair in pairs]
    rows = [pair.positive for pair in pairs] + hard + draw.sample(drawn_from, RANDOM_NEGATIVES)
    passages = torch.from_numpy(found.passage_vectors[rows])
    logits = tower([pair.query for pair in pairs]) @ passages.T / TEMPERATURE
    owners = cases.of_row[rows]
    barred = np.stack([np.isin(owners, list(cases.right[pair.case_id])) for pair in pairs])
    barred[np.arange(len(pairs)), np.arange(len(pairs))] = False
    logits = logits.masked_fill(torch.from_numpy(barred), -1e4)
    return nn.functional.cross_entropy(logits, torch.arange(len(pairs)))


def train(
    found: mining.TrainingSet, out: Path, seed: int, minutes: float, steps: int
) -> tuple[Tower, dict[str, object]]:
    """Train, or go on training, and return the tower at its best step with the figures."""
    tower, cases = Tower(seed), Cases(found)
    parameters = lora.parameters(tower.layers)
    optimizer = torch.optim.AdamW(parameters, lr=PEAK, weight_decay=0.01)
    choosing, reporting = splits.halves(found)
    texts = [found.pairs[at].query for at in choosing]
    rows = found.rows("train")
    owners = {found.pairs[at].case_id for at in found.rows("development")}
    drawn_from = [at for at, p in enumerate(found.passages) if p.case_id not in owners]

    base = recall(found, cases, choosing, found.query_vectors[choosing])
    say(f"base, development: {shown(base)}")
    path = out / f"question-{seed}.checkpoint"
    state = batches.read_checkpoint(path)
    step, best, best_step, spent = 0, base["mean"], 0, 0.0
    kept = [p.detach().clone() for p in parameters]
    if state is not None:
        step, best, best_step, spent = (state[k] for k in ("step", "best", "best_step", "spent"))
        kept = state["kept"]
        optimizer.load_state_dict(state["optimizer"])
        _set(parameters, state["current"])
    began = time.monotonic()
    while step < steps and step - best_step < PATIENCE * CHECK_EVERY:
        if time.monotonic() - began > 60 * minutes:
            break
        draw = random.Random(f"question:{seed}:{step}")
        for group in optimizer.param_groups:
            group["lr"] = batches.learning_rate(step, steps, PEAK)
        part = draw.sample(rows, BATCH)
        loss = loss_of(tower, found, cases, part, draw, drawn_from)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        step += 1
        if step % 5 == 0:
            say(f"step {step} loss {loss.item():.3f} {time.monotonic() - began:.0f} s")
        if step % CHECK_EVERY == 0:
            figures = recall(found, cases, choosing, tower.encode(texts))
            if figures["mean"] > best:
                best, best_step = figures["mean"], step
                kept = [p.detach().clone() for p in parameters]
            say(f"step {step}, development: {shown(figures)}; best at {best_step}")
            state = {
                "step": step, "best": best, "best_step": best_step, "kept": kept,
                "current": [p.detach() for p in parameters],
                "optimizer": optimizer.state_dict(),
                "spent": spent + time.monotonic() - began,
            }  # fmt: skip
            batches.write_checkpoint(path, state)
    spent += time.monotonic() - began
    _set(parameters, kept)
    told = tower.encode([found.pairs[at].query for at in reporting])
    return tower, {
        "steps": best_step,
        "seconds": round(spent),
        "development": recall(found, cases, reporting, told),
        "development_base": recall(found, cases, reporting, found.query_vectors[reporting]),
        "development_questions": len(reporting),
        "training_pairs": len(rows),
    }


def _set(parameters: list[nn.Parameter], values: list[Tensor]) -> None:
    with torch.no_grad():
        for parameter, value in zip(parameters, values, strict=True):
            parameter.copy_(value)


def shown(figures: dict[str, float]) -> str:
    """Figures on one line."""
    return " ".join(f"{name} {value:.3f}" for name, value in figures.items())


def say(text: str) -> None:
    """Progress, at once."""
    print(text, flush=True)


def main() -> None:
    """Train the question tower from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder that holds aila2019/")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=25.0, help="limit of this run")
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--out", type=Path, default=Path("training/runs"))
    parser.add_argument("--install", action="store_true", help="put the adapter into the package")
    given = parser.parse_args()
    torch.set_num_threads(1)
    found = mining.training_set(given.data, given.out, given.seed, say)
    tower, figures = train(found, given.out, given.seed, given.minutes, given.steps)
    say(str(figures))
    path = given.out / "question.safetensors"
    metadata = {"alpha": ALPHA, "rank": RANK, "seed": given.seed} | figures
    say(f"{path} {lora.write_adapter(path, lora.adapter_tensors(tower.layers), metadata)}")
    better = figures["development"]["mean"] >= figures["development_base"]["mean"]  # type: ignore[index]
    if given.install and figures["steps"] and better:
        lora.install(path, lora.adapter_folder())
    elif given.install:
        say("not installed: no better than the base model on the development questions")


if __name__ == "__main__":
    main()
