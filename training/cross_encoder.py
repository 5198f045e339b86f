"""Train the cross-encoder: (segment, chunk) to a calibrated score.

    python training/cross_encoder.py --data DIR [--seed 0] [--minutes 25] [--out DIR] [--install]

Listwise softmax cross-entropy over one positive, hard negatives and a random passage. Most steps
read the third of each passage that shares most words with the query, which is more than twice as
fast; the last ones read whole passages. At the beginning part of the target is the softmax of the
base model's cosines (Hinton, Vinyals and Dean 2015), which fades out by half-time. A run that is
stopped goes on from its last checkpoint.
"""

from __future__ import annotations

import argparse
import random
import re
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
from countercase.encoders.graphs import CrossHead, base_encoder
from countercase.encoders.pieces import WordPieces
from countercase.encoders.runtime import has_bf16
from training import batches, calibration, lora, mining, splits

RANK: Final = 16
ALPHA: Final = 32.0
FIRST_LAYER: Final = 2
PEAK: Final = 1e-3
LISTS: Final = 8
HARD: Final = 2
EASY: Final = 1
STEPS: Final = 340
SHORT_SHARE: Final = 0.8
SHORT_PIECES: Final = 112
PARTS: Final = 3
PAIR_PIECES: Final = 256
TEMPERATURE: Final = 0.05
CHECK_EVERY: Final = 70
CHECK_LISTS: Final = 60
REPORT_LISTS: Final = 240
REPORT_HARD: Final = 5


class Scorer:
    """The cross-encoder in training."""

    def __init__(self, seed: int) -> None:
        torch.manual_seed(seed)
        self.encoder = base_encoder()
        self.layers = lora.attach(self.encoder, RANK, ALPHA, FIRST_LAYER)
        self.head = CrossHead()
        self.pieces = WordPieces(weights.tokenizer_file())
        self.bf16 = has_bf16()

    def parameters(self) -> list[nn.Parameter]:
        """What is trained, in a fixed order."""
        return [*lora.parameters(self.layers), *self.head.parameters()]

    def __call__(self, pairs: list[tuple[str, str]], limit: int) -> Tensor:
        """Scores of (segment, chunk) pairs, shape (pairs,)."""
        inputs = [self.pieces.pair(first, second, limit) for first, second in pairs]
        scores: Tensor = self.head(batches.pooled(self.encoder, inputs, self.bf16))
        return scores

    def score(self, pairs: list[tuple[str, str]], limit: int) -> NDArray[np.float64]:
        """The same without gradients, batch by batch."""
        order = sorted(range(len(pairs)), key=lambda at: sum(map(len, pairs[at])))
        found = np.zeros(len(pairs))
        with torch.inference_mode():
            for start in range(0, len(order), 24):
                part = order[start : start + 24]
                found[part] = self([pairs[at] for at in part], limit).numpy()
        return found


def nearest_part(query: str, passage: str) -> str:
    """The third of a passage that shares most words with the query; of equals the first."""
    words = passage.split()
    size = max(1, -(-len(words) // PARTS))
    parts = [" ".join(words[at : at + size]) for at in range(0, len(words), size)] or [passage]
    asked = set(re.findall(r"[a-z]{4,}", query.lower()))
    return max(parts, key=lambda part: len(asked & set(re.findall(r"[a-z]{4,}", part.lower()))))


def loss_of(
    scorer: Scorer, found: mining.TrainingSet, part: list[int], draw: random.Random,
    drawn_from: list[int], progress: float,
) -> Tensor:  # fmt: skip
    """The listwise loss of one batch; `progress` runs from 0 to 1."""
    short = progress < SHORT_SHARE
    texts, cosines = [], []
    for at in part:
        pair = found.pairs[at]
        rows = [
            pair.positive, *draw.sample(pair.negatives, HARD), *draw.sample(drawn_from, EASY)
        ]  # fmt: skip
        cosines.append(found.passage_vectors[rows] @ found.query_vectors[at])
        for row in rows:
            text = found.passages[row].text
            texts.append((pair.query, nearest_part(pair.query, text) if short else text))
    size = 1 + HARD + EASY
    logits = scorer(texts, SHORT_PIECES if short else PAIR_PIECES).view(len(part), size)
    target = torch.zeros(len(part), size)
    target[:, 0] = 1.0
    taught = 0.5 * max(0.0, 1.0 - 2.0 * progress)
    teacher = torch.softmax(torch.from_numpy(np.stack(cosines)) / TEMPERATURE, dim=1)
    return nn.functional.cross_entropy(logits, (1 - taught) * target + taught * teacher)


def first_shares(
    found: mining.TrainingSet, rows: list[int], lists: list[NDArray[np.float64]]
) -> dict[str, float]:
    """Share of lists whose positive, item 0, scores above all negatives, by kind and over all."""
    first: dict[str, list[bool]] = {}
    for at, scores in zip(rows, lists, strict=True):
        first.setdefault(found.pairs[at].kind, []).append(bool(scores[0] > scores[1:].max()))
    shares = {kind: round(float(np.mean(hit)), 3) for kind, hit in sorted(first.items())}
    return shares | {"all": round(float(np.mean([h for hit in first.values() for h in hit])), 3)}


def lists_of(found: mining.TrainingSet, rows: list[int]) -> list[tuple[str, str]]:
    """The pairs of each row with its positive and its first hard negatives, one after another."""
    return [
        (found.pairs[at].query, found.passages[row].text)
        for at in rows
        for row in (found.pairs[at].positive, *found.pairs[at].negatives[:REPORT_HARD])
    ]


def balanced(found: mining.TrainingSet, rows: list[int], most: int) -> list[int]:
    """At most `most` rows with full lists, the kinds in turn."""
    by_kind: dict[str, list[int]] = {}
    for at in random.Random("balanced").sample(rows, len(rows)):
        if len(found.pairs[at].negatives) >= REPORT_HARD:
            by_kind.setdefault(found.pairs[at].kind, []).append(at)
    each = most // max(1, len(by_kind))
    return sorted(at for kind in by_kind.values() for at in kind[:each])


def train(
    found: mining.TrainingSet, out: Path, seed: int, minutes: float, steps: int
) -> tuple[Scorer, dict[str, object]]:
    """Train, or go on training; returns the calibrated scorer and its figures."""
    scorer = Scorer(seed)
    parameters = scorer.parameters()
    optimizer = torch.optim.AdamW(parameters, lr=PEAK, weight_decay=0.01)
    choosing, reporting = splits.halves(found)
    checked = balanced(found, choosing, CHECK_LISTS)
    rows = [at for at in found.rows("train") if len(found.pairs[at].negatives) >= HARD]
    owners = {found.pairs[at].case_id for at in found.rows("development")}
    drawn_from = [at for at, p in enumerate(found.passages) if p.case_id not in owners]
    path = out / f"cross-{seed}.checkpoint"
    state = batches.read_checkpoint(path)
    step, spent = 0, 0.0
    if state is not None:
        step, spent = state["step"], state["spent"]
        optimizer.load_state_dict(state["optimizer"])
        with torch.no_grad():
            for parameter, value in zip(parameters, state["current"], strict=True):
                parameter.copy_(value)
    began = time.monotonic()
    while step < steps and time.monotonic() - began < 60 * minutes:
        draw = random.Random(f"cross:{seed}:{step}")
        for group in optimizer.param_groups:
            group["lr"] = batches.learning_rate(step, steps, PEAK)
        part = draw.sample(rows, LISTS)
        loss = loss_of(scorer, found, part, draw, drawn_from, step / steps)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        step += 1
        if step % 10 == 0:
            say(f"step {step} loss {loss.item():.3f} {time.monotonic() - began:.0f} s")
        if step % CHECK_EVERY == 0 or step == steps:
            state = {
                "step": step, "spent": spent + time.monotonic() - began,
                "current": [p.detach() for p in parameters],
                "optimizer": optimizer.state_dict(),
            }  # fmt: skip
            batches.write_checkpoint(path, state)
            scores = scorer.score(lists_of(found, checked), PAIR_PIECES)
            say(f"step {step}, first: {first_shares(found, checked, _cut(scores))}")
    spent += time.monotonic() - began
    figures: dict[str, object] = {"steps": step, "seconds": round(spent)}
    figures |= {"training_pairs": len(rows)}
    return scorer, figures | calibrate_and_report(scorer, found, choosing, reporting, drawn_from)


def _cut(scores: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    return list(scores.reshape(-1, 1 + REPORT_HARD))


def calibrate_and_report(
    scorer: Scorer, found: mining.TrainingSet, choosing: list[int], reporting: list[int],
    drawn_from: list[int],
) -> dict[str, object]:  # fmt: skip
    """Fold the calibration of one half into the head; the figures of the other half."""
    halves = [balanced(found, half, REPORT_LISTS) for half in (choosing, reporting)]
    results = []
    for rows in halves:
        draw = random.Random("calibration")
        easy = [
            (found.pairs[at].query, found.passages[draw.choice(drawn_from)].text) for at in rows
        ]
        scores = scorer.score(lists_of(found, rows) + easy, PAIR_PIECES)
        results.append((_cut(scores[: -len(easy)]), scores[-len(easy) :]))
    lists, easy_scores = results[0]
    every = np.concatenate([*lists, easy_scores])
    relevant = np.zeros(len(every), dtype=bool)
    relevant[: (1 + REPORT_HARD) * len(lists) : 1 + REPORT_HARD] = True
    scale, shift = calibration.platt(every, relevant)
    calibration.fold(scorer.head, scale, shift)

    rows = halves[1]
    lists = [scale * scores + shift for scores in results[1][0]]
    positive = np.array([scores[0] for scores in lists])
    hard = np.concatenate([scores[1:] for scores in lists])
    random_ones = scale * results[1][1] + shift
    cosine = [found.cosines(at)[: 1 + REPORT_HARD].astype(np.float64) for at in rows]
    lexical = [np.array(found.pairs[at].lexical[: 1 + REPORT_HARD]) for at in rows]
    both = [_standard(c) + _standard(b) for c, b in zip(cosine, lexical, strict=True)]
    return {
        "lists": len(rows),
        "first": first_shares(found, rows, lists),
        "first_cosine": first_shares(found, rows, cosine),
        "first_bm25": first_shares(found, rows, lexical),
        "first_with_cosine": first_shares(
            found, rows, [_standard(x) + _standard(c) for x, c in zip(lists, cosine, strict=True)]
        ),
        "first_cosine_and_bm25": first_shares(found, rows, both),
        "above_0": _shares(positive, hard, random_ones, 0.0),
        "above_-2": _shares(positive, hard, random_ones, -2.0),
        "above_-5": _shares(positive, hard, random_ones, -5.0),
        "range": [round(float(np.min(random_ones)), 2), round(float(positive.max()), 2)],
    }


def _standard(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores of a list, standardised."""
    standard: NDArray[np.float64] = (scores - scores.mean()) / (scores.std() + 1e-9)
    return standard


def _shares(
    positive: NDArray[np.float64], hard: NDArray[np.float64], easy: NDArray[np.float64], line: float
) -> dict[str, float]:
    groups = {"positive": positive, "hard": hard, "random": easy}
    return {name: round(float((group > line).mean()), 3) for name, group in groups.items()}


def say(text: str) -> None:
    """Progress, at once."""
    print(text, flush=True)


def main() -> None:
    """Train the cross-encoder from the command line."""
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
    scorer, figures = train(found, given.out, given.seed, given.minutes, given.steps)
    say(str(figures))
    tensors = lora.adapter_tensors(scorer.layers) | {
        f"head.{name}": value.detach() for name, value in scorer.head.state_dict().items()
    }
    path = given.out / "cross.safetensors"
    metadata = {"alpha": ALPHA, "rank": RANK, "seed": given.seed} | figures
    say(f"{path} {lora.write_adapter(path, tensors, metadata)}")
    if given.install:
        lora.install(path, lora.adapter_folder())


if __name__ == "__main__":
    main()
