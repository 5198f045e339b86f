"""Train the cross-encoder: (segment, chunk) to a calibrated score.

    python training/cross_encoder.py --data DIR [--seed 0] [--minutes 60] [--out DIR] [--install]

Two parts, one after the other. First the texts of a batch are read apart and every question is
compared with every passage of the batch, so that one reading of 64 texts trains 768 pairs
(in-batch negatives, Karpukhin et al. 2020; word-by-word comparison, Khattab and Zaharia 2020). Then
pairs are read together, in lists of one positive, hard negatives and passages of judgments drawn
at random, and the gates between the two texts may open. A run that is stopped goes on from its
last checkpoint; the learning rate follows the steps, so that the figures do not depend on where it
was stopped.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from countercase.encoders.embedded.graphs import PairHead
from training import batches, calibration, lora, mining, splits
from training.cross_lists import (
    ALPHA,
    PAIR_PIECES,
    RANK,
    REPORTED,
    Bank,
    Scorer,
    balanced,
    bank_of,
    first_shares,
    learning_rate,
    lists_of,
    nearest_of_others,
    nearest_part,
    score_lists,
)  # fmt: skip

PEAK: Final = 4e-4
HEAD_FASTER: Final = 5.0
QUESTIONS: Final = 16
HARD_EACH: Final = 1
DRAWN_EACH: Final = 1
APART_STEPS: Final = 500
LISTS: Final = 4
HARD: Final = 3
TOGETHER_STEPS: Final = 150
CHECK_EVERY: Final = 250
CHECK_LISTS: Final = 40
REPORT_LISTS: Final = 160


def apart_loss(
    scorer: Scorer, found: mining.TrainingSet, related: dict[str, set[str]], part: list[int],
    draw: random.Random, bank: Bank,
) -> Tensor:  # fmt: skip
    """Softmax cross-entropy of each question over all passages of the batch."""
    pairs = [found.pairs[at] for at in part]
    asked = [(pair.query, pair.positive) for pair in pairs]
    for at, pair in zip(part, pairs, strict=True):
        others = draw.sample(pair.negatives, HARD_EACH)
        others += nearest_of_others(found, bank, at, DRAWN_EACH, draw)
        asked += [(pair.query, row) for row in others]
    # Of each passage the half that most likely answers: shorter texts, more of them in the time.
    texts = [nearest_part(query, found.passages[row].text) for query, row in asked]
    owners = [found.passages[row].case_id for _, row in asked]
    logits = scorer.apart([pair.query for pair in pairs], texts)
    barred = torch.tensor([[owner in related[pair.case_id] for owner in owners] for pair in pairs])
    barred[torch.arange(len(pairs)), torch.arange(len(pairs))] = False
    return nn.functional.cross_entropy(logits.masked_fill(barred, -1e4), torch.arange(len(pairs)))


def together_loss(
    scorer: Scorer, found: mining.TrainingSet, part: list[int], draw: random.Random, bank: Bank
) -> Tensor:
    """The listwise loss of pairs that are read together."""
    texts = []
    for at in part:
        pair = found.pairs[at]
        rows = [pair.positive, *draw.sample(pair.negatives, HARD)]
        rows += nearest_of_others(found, bank, at, 1, draw)
        texts += [(pair.query, found.passages[row].text) for row in rows]
    logits = scorer(texts, PAIR_PIECES).view(len(part), 2 + HARD)
    return nn.functional.cross_entropy(logits, torch.zeros(len(part), dtype=torch.long))


def right_answers(found: mining.TrainingSet) -> dict[str, set[str]]:
    """For each judgment that asks, itself and the judgments that answer any of its questions."""
    right: dict[str, set[str]] = {}
    for pair in found.pairs:
        answers = right.setdefault(pair.case_id, {pair.case_id})
        answers.add(found.passages[pair.positive].case_id)
    return right


def train(
    found: mining.TrainingSet, out: Path, seed: int, minutes: float, apart: int, together: int
) -> tuple[Scorer, dict[str, object]]:
    """Train, or go on training; returns the calibrated scorer and its figures."""
    scorer = Scorer(seed)
    bank = bank_of(found)
    scorer.weigh_words([found.passages[row].text for rows in bank.values() for row in rows])
    slow = lora.parameters(scorer.layers)
    fast = list(scorer.head.parameters())
    groups: list[dict[str, Any]] = [{"params": slow}, {"params": fast, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=PEAK, weight_decay=0.01)
    choosing, reporting = splits.halves(found)
    checked = balanced(found, choosing, CHECK_LISTS)
    rows = [at for at in found.rows("train") if len(found.pairs[at].negatives) >= HARD]
    related = right_answers(found)
    path = out / f"cross-{seed}.checkpoint"
    step, spent = 0, 0.0
    state = batches.read_checkpoint(path)
    if state is not None:
        step, spent = state["step"], state["spent"]
        optimizer.load_state_dict(state["optimizer"])
        with torch.no_grad():
            for parameter, value in zip(scorer.parameters(), state["current"], strict=True):
                parameter.copy_(value)
    began = time.monotonic()
    total = apart + together
    losses: list[float] = []

    def check() -> None:
        for name, lists in zip(("hard", "drawn"), lists_of(found, checked, bank), strict=True):
            scores = score_lists(scorer, found, checked, lists)
            say(f"step {step}, {name} first: {first_shares(found, checked, scores)}")

    while step < total and time.monotonic() - began < 60 * minutes:
        draw = random.Random(f"cross:{seed}:{step}")
        if step < apart:
            rate = learning_rate(step, apart, PEAK)
            loss = apart_loss(scorer, found, related, draw.sample(rows, QUESTIONS), draw, bank)
        else:
            rate = learning_rate(step - apart, together, PEAK / 2)
            loss = together_loss(scorer, found, draw.sample(rows, LISTS), draw, bank)
        for group, faster in zip(optimizer.param_groups, (1.0, HEAD_FASTER), strict=True):
            group["lr"] = rate * faster
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(slow, 1.0)
        optimizer.step()
        step += 1
        losses.append(loss.item())
        if step % 20 == 0:
            mean, spent_now = float(np.mean(losses[-20:])), time.monotonic() - began
            say(f"step {step}/{total} loss {mean:.3f} {spent_now:.0f} s")
        if step % CHECK_EVERY == 0 or step == total:
            batches.write_checkpoint(path, {
                "step": step, "spent": spent + time.monotonic() - began,
                "current": [p.detach() for p in scorer.parameters()],
                "optimizer": optimizer.state_dict(),
            })  # fmt: skip
            check()
    spent += time.monotonic() - began
    if step < total:
        raise SystemExit(f"stopped at step {step} of {total}; the same command goes on from there")
    say(f"trained for {spent:.0f} s")
    figures: dict[str, object] = {"steps": [apart, together]}
    figures |= {"training_pairs": len(rows)}
    figures["gates"] = [round(gate, 2) for gate in scorer.head.gates.tolist()]
    return scorer, figures | calibrate_and_report(scorer, found, choosing, reporting, bank)


def rescale_head(head: PairHead, scale: float, shift: float) -> None:
    """Make the score s of a head into scale * s + shift, in place."""
    with torch.no_grad():
        head.mean_scale.mul_(scale)
        head.word_scale.mul_(scale)
        head.out.weight.mul_(scale)
        head.out.bias.mul_(scale).add_(shift)


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
    rescale_head(scorer.head, *calibration.platt(every, relevant))

    rows = balanced(found, reporting, REPORT_LISTS)
    figures: dict[str, object] = {"lists": len(rows)}
    for name, lists in zip(("hard", "drawn"), lists_of(found, rows, bank), strict=True):
        scores = score_lists(scorer, found, rows, lists)
        cosine = [
            (found.passage_vectors[passages] @ found.query_vectors[at]).astype(np.float64)
            for at, passages in zip(rows, lists, strict=True)
        ]
        figures[name] = {
            "first": first_shares(found, rows, scores),
            "first_cosine": first_shares(found, rows, cosine),
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


def say(text: str) -> None:
    """Progress, at once."""
    print(text, flush=True)


def main() -> None:
    """Train the cross-encoder from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder that holds aila2019/")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=600.0, help="limit of this run")
    parser.add_argument("--apart-steps", type=int, default=APART_STEPS)
    parser.add_argument("--together-steps", type=int, default=TOGETHER_STEPS)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("training/runs"))
    parser.add_argument("--install", action="store_true", help="put the adapter into the package")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    found = mining.training_set(given.data, given.out, given.seed, say)
    scorer, figures = train(
        found, given.out, given.seed, given.minutes, given.apart_steps, given.together_steps
    )
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
