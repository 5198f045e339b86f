"""Train the cross-encoder: (segment, chunk) to a calibrated score.

    python training/cross_encoder.py --data DIR [--seed 0] [--minutes 25] [--out DIR] [--install]

Listwise softmax cross-entropy over one positive, a hard negative and the nearest passages of
judgments drawn at random, which is how a candidate case meets a segment in use. Most steps
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
from typing import Final, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from countercase.encoders import weights
from countercase.encoders.cross import PairHead
from countercase.encoders.graphs import base_encoder
from countercase.encoders.pieces import WordPieces
from countercase.encoders.runtime import has_bf16
from training import batches, calibration, lora, mining, splits

RANK: Final = 16
ALPHA: Final = 32.0
FIRST_LAYER: Final = 2
PEAK: Final = 5e-4
LISTS: Final = 8
HARD: Final = 1
DRAWN: Final = 2
STEPS: Final = 90
SHORT_SHARE: Final = 0.75
SHORT_PIECES: Final = 112
PARTS: Final = 3
PAIR_PIECES: Final = 256
TEMPERATURE: Final = 0.05
CHECK_EVERY: Final = 30
CHECK_LISTS: Final = 32
REPORT_LISTS: Final = 96
REPORTED: Final = 5


Bank: TypeAlias = dict[str, list[int]]


class Scorer:
    """The cross-encoder in training."""

    def __init__(self, seed: int) -> None:
        torch.manual_seed(seed)
        self.encoder = base_encoder()
        self.layers = lora.attach(self.encoder, RANK, ALPHA, FIRST_LAYER)
        self.head = PairHead()
        self.pieces = WordPieces(weights.tokenizer_file())
        self.bf16 = has_bf16()

    def parameters(self) -> list[nn.Parameter]:
        """What is trained, in a fixed order."""
        return [*lora.parameters(self.layers), *self.head.parameters()]

    def __call__(self, pairs: list[tuple[str, str]], limit: int) -> Tensor:
        """Scores of (segment, chunk) pairs, shape (pairs,)."""
        inputs = [self.pieces.pair(first, second, limit) for first, second in pairs]
        scores: Tensor = self.head(*batches.pooled_apart(self.encoder, inputs, self.bf16))
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
    bank: Bank, progress: float,
) -> Tensor:  # fmt: skip
    """The listwise loss of one batch; `progress` runs from 0 to 1."""
    short = progress < SHORT_SHARE
    texts, cosines = [], []
    for at in part:
        pair = found.pairs[at]
        hard = draw.sample(pair.negatives, HARD)
        rows = [pair.positive, *hard, *nearest_of_others(found, bank, at, DRAWN, draw)]
        cosines.append(found.passage_vectors[rows] @ found.query_vectors[at])
        for row in rows:
            text = found.passages[row].text
            texts.append((pair.query, nearest_part(pair.query, text) if short else text))
    size = 1 + HARD + DRAWN
    logits = scorer(texts, SHORT_PIECES if short else PAIR_PIECES).view(len(part), size)
    target = torch.zeros(len(part), size)
    target[:, 0] = 1.0
    taught = 0.5 * max(0.0, 1.0 - 2.0 * progress)
    teacher = torch.softmax(torch.from_numpy(np.stack(cosines)) / TEMPERATURE, dim=1)
    return nn.functional.cross_entropy(logits, (1 - taught) * target + taught * teacher)


def bank_of(found: mining.TrainingSet) -> Bank:
    """Rows of the passages of each judgment that is not left out for development."""
    owners = {found.pairs[at].case_id for at in found.rows("development")}
    bank: Bank = {}
    for row, passage in enumerate(found.passages):
        if passage.case_id not in owners:
            bank.setdefault(passage.case_id, []).append(row)
    return bank


def nearest_of_others(
    found: mining.TrainingSet, bank: Bank, at: int, count: int, draw: random.Random
) -> list[int]:
    """Of each of `count` judgments drawn at random the passage nearest to the query."""
    pair = found.pairs[at]
    barred = {pair.case_id, found.passages[pair.positive].case_id}
    drawn = [case for case in draw.sample(sorted(bank), count + 2) if case not in barred]
    return [
        bank[case][int(np.argmax(found.passage_vectors[bank[case]] @ found.query_vectors[at]))]
        for case in drawn[:count]
    ]


def first_shares(
    found: mining.TrainingSet, rows: list[int], lists: list[NDArray[np.float64]]
) -> dict[str, float]:
    """Share of lists whose positive, item 0, scores above all negatives, by kind and over all."""
    first: dict[str, list[bool]] = {}
    for at, scores in zip(rows, lists, strict=True):
        first.setdefault(found.pairs[at].kind, []).append(bool(scores[0] > scores[1:].max()))
    shares = {kind: round(float(np.mean(hit)), 3) for kind, hit in sorted(first.items())}
    return shares | {"all": round(float(np.mean([h for hit in first.values() for h in hit])), 3)}


def lists_of(
    found: mining.TrainingSet, rows: list[int], bank: Bank
) -> tuple[list[list[int]], list[list[int]]]:
    """For each row its positive with hard negatives, and its positive with drawn negatives."""
    draw = random.Random("lists")
    hard, drawn = [], []
    for at in rows:
        pair = found.pairs[at]
        hard.append([pair.positive, *pair.negatives[:REPORTED]])
        drawn.append([pair.positive, *nearest_of_others(found, bank, at, REPORTED, draw)])
    return hard, drawn


def score_lists(
    scorer: Scorer, found: mining.TrainingSet, rows: list[int], lists: list[list[int]]
) -> list[NDArray[np.float64]]:
    """Scores of every passage of every list."""
    texts = [
        (found.pairs[at].query, found.passages[row].text)
        for at, passages in zip(rows, lists, strict=True)
        for row in passages
    ]
    return list(scorer.score(texts, PAIR_PIECES).reshape(len(rows), -1))


def balanced(found: mining.TrainingSet, rows: list[int], most: int) -> list[int]:
    """At most `most` rows with full lists, the kinds in turn."""
    by_kind: dict[str, list[int]] = {}
    for at in random.Random("balanced").sample(rows, len(rows)):
        if len(found.pairs[at].negatives) >= REPORTED:
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
    bank = bank_of(found)
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
        loss = loss_of(scorer, found, part, draw, bank, step / steps)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        step += 1
        if step % 5 == 0:
            say(f"step {step} loss {loss.item():.3f} {time.monotonic() - began:.0f} s")
        if step % CHECK_EVERY == 0 or step == steps:
            state = {
                "step": step, "spent": spent + time.monotonic() - began,
                "current": [p.detach() for p in parameters],
                "optimizer": optimizer.state_dict(),
            }  # fmt: skip
            batches.write_checkpoint(path, state)
            scores = score_lists(scorer, found, checked, lists_of(found, checked, bank)[1])
            say(f"step {step}, first: {first_shares(found, checked, scores)}")
    spent += time.monotonic() - began
    figures: dict[str, object] = {"steps": step, "seconds": round(spent)}
    figures |= {"training_pairs": len(rows)}
    return scorer, figures | calibrate_and_report(scorer, found, choosing, reporting, bank)


def calibrate_and_report(
    scorer: Scorer,
    found: mining.TrainingSet,
    choosing: list[int],
    reporting: list[int],
    bank: Bank,
) -> dict[str, object]:
    """Fold the calibration of one half into the head; the figures of the other half."""
    rows = balanced(found, choosing, REPORT_LISTS)
    every = np.concatenate(score_lists(scorer, found, rows, lists_of(found, rows, bank)[1]))
    relevant = np.arange(len(every)) % (1 + REPORTED) == 0
    scorer.head.rescale(*calibration.platt(every, relevant))

    rows = balanced(found, reporting, REPORT_LISTS)
    figures: dict[str, object] = {"lists": len(rows)}
    for name, lists in zip(("hard", "drawn"), lists_of(found, rows, bank), strict=True):
        scores = score_lists(scorer, found, rows, lists)
        cosine = [
            (found.passage_vectors[passages] @ found.query_vectors[at]).astype(np.float64)
            for at, passages in zip(rows, lists, strict=True)
        ]
        both = [_standard(a) + _standard(b) for a, b in zip(scores, cosine, strict=True)]
        figures[name] = {
            "first": first_shares(found, rows, scores),
            "first_cosine": first_shares(found, rows, cosine),
            "first_with_cosine": first_shares(found, rows, both),
        }
        if name == "hard":
            lexical = [np.array(found.pairs[at].lexical[: 1 + REPORTED]) for at in rows]
            figures["hard_bm25"] = first_shares(found, rows, lexical)
    positive = np.array([one[0] for one in scores])
    others = np.concatenate([one[1:] for one in scores])
    figures["above"] = {
        str(line): [round(float((group > line).mean()), 3) for group in (positive, others)]
        for line in (0, -2, -5)
    }
    figures["range"] = [round(float(others.min()), 2), round(float(positive.max()), 2)]
    return figures


def _standard(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores of a list, standardised."""
    standard: NDArray[np.float64] = (scores - scores.mean()) / (scores.std() + 1e-9)
    return standard


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
