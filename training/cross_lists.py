"""Lists to train and to report a cross-encoder on, and the scorer that is trained."""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from countercase.encoders.embedded import weights
from countercase.encoders.embedded.graphs import PairHead, base_encoder, pair_states
from countercase.encoders.embedded.runtime import Ids, WordPieces, has_bf16
from training import batches, lora, mining

RANK: Final = 16
ALPHA: Final = 32.0
FIRST_LAYER: Final = 2
REPORTED: Final = 5
PAIR_PIECES: Final = 256
PARTS: Final = 2

Bank: TypeAlias = dict[str, list[int]]


class Scorer:
    """The cross-encoder in training."""

    def __init__(self, seed: int) -> None:
        torch.manual_seed(seed)
        self.encoder = base_encoder()
        self.layers = lora.attach(self.encoder, RANK, ALPHA, FIRST_LAYER)
        config: Any = self.encoder.config
        self.head = PairHead(config.hidden_size, config.vocab_size, config.num_hidden_layers)
        self.pieces = WordPieces(weights.tokenizer_file())
        self.bf16 = has_bf16()

    def weigh_words(self, texts: Sequence[str]) -> None:
        """Begin the word weights as ln of the inverse document frequency over `texts`."""
        seen: Counter[int] = Counter()
        for text in texts:
            seen.update(set(self.pieces.single(text)[0][0].tolist()))
        frequency = torch.tensor([seen.get(at, 0) for at in range(len(self.head.word_weight))])
        inverse = torch.log((len(texts) + 1) / (frequency + 1)).clamp(min=0.05)
        with torch.no_grad():
            self.head.word_weight.copy_(torch.log(inverse))

    def parameters(self) -> list[nn.Parameter]:
        """What is trained, in a fixed order."""
        return [*lora.parameters(self.layers), *self.head.parameters()]

    def __call__(self, pairs: list[tuple[str, str]], limit: int) -> Tensor:
        """Scores of (segment, chunk) pairs that attend each other, shape (pairs,)."""
        inputs = [self.pieces.pair(first, second, limit) for first, second in pairs]
        parts, back = batches.together(inputs)
        scores = []
        for part in parts:
            ids, types, mask = batches.padded([inputs[at] for at in part])
            with torch.autocast("cpu", torch.bfloat16, enabled=self.bf16):
                hidden = pair_states(self.encoder, self.head.gates, ids, types, mask)
            scores.append(self.head(hidden.float(), ids, types, mask))
        return torch.cat(scores)[back]

    def apart(self, queries: list[str], passages: list[str]) -> Tensor:
        """Scores (queries, passages) of texts that do not attend each other: all at one cost."""
        q_states, q_ids, q_mask = self._alone(queries)
        p_states, p_ids, p_mask = self._alone(passages)
        first = nn.functional.normalize(_mean(q_states, q_mask), dim=-1)
        second = nn.functional.normalize(_mean(p_states, p_mask), dim=-1)
        asking = self.head.weights(q_ids) * q_mask
        answering = (p_mask * (self.head.weights(p_ids) > 0)).bool()
        near = torch.einsum(
            "qld,pmd->qplm",
            nn.functional.normalize(q_states, dim=-1).bfloat16(),
            nn.functional.normalize(p_states, dim=-1).bfloat16(),
        )
        best = near.masked_fill(~answering[None, :, None, :], -1.0).max(dim=3).values.float()
        words = (best * asking.unsqueeze(1)).sum(2) / asking.sum(1, keepdim=True).clamp(min=1e-6)
        return self.head.compare(first.unsqueeze(1), second.unsqueeze(0), words)

    def _alone(self, texts: list[str]) -> tuple[Tensor, Tensor, Tensor]:
        inputs: list[tuple[Ids, Ids]] = [self.pieces.single(text) for text in texts]
        inputs = [(ids[:, :PAIR_PIECES], types[:, :PAIR_PIECES]) for ids, types in inputs]
        ids, _, mask = batches.padded(inputs)
        states = torch.zeros(*ids.shape, 384)
        parts, _ = batches.together(inputs)
        rows = []
        for part in parts:
            own, _, own_mask = batches.padded([inputs[at] for at in part])
            with torch.autocast("cpu", torch.bfloat16, enabled=self.bf16):
                hidden = self.encoder(input_ids=own, attention_mask=own_mask).last_hidden_state
            rows.append(nn.functional.pad(hidden.float(), (0, 0, 0, ids.shape[1] - own.shape[1])))
        order = torch.argsort(torch.tensor([at for part in parts for at in part]))
        states = torch.cat(rows)[order]
        return states, ids, mask

    def score(self, pairs: list[tuple[str, str]], limit: int) -> NDArray[np.float64]:
        """Scores of pairs without gradients, batch by batch."""
        order = sorted(range(len(pairs)), key=lambda at: sum(map(len, pairs[at])))
        found = np.zeros(len(pairs))
        with torch.inference_mode():
            for start in range(0, len(order), 24):
                part = order[start : start + 24]
                found[part] = self([pairs[at] for at in part], limit).numpy()
        return found


def _mean(states: Tensor, mask: Tensor) -> Tensor:
    weight = mask.unsqueeze(-1).float()
    return (states * weight).sum(1) / weight.sum(1)


def nearest_part(query: str, passage: str) -> str:
    """The half of a passage that shares most words with the query; of equals the first."""
    words = passage.split()
    size = max(1, -(-len(words) // PARTS))
    parts = [" ".join(words[at : at + size]) for at in range(0, len(words), size)] or [passage]
    asked = set(re.findall(r"[a-z]{4,}", query.lower()))
    return max(parts, key=lambda part: len(asked & set(re.findall(r"[a-z]{4,}", part.lower()))))


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
    found: mining.TrainingSet, rows: list[int], lists: Sequence[NDArray[np.float64]]
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


def learning_rate(step: int, steps: int, peak: float) -> float:
    """Warm-up over a twentieth of the steps, then a cosine down to a twentieth of the peak."""
    warm = max(1, steps // 20)
    if step < warm:
        return peak * (step + 1) / warm
    return peak * (0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * (step - warm) / (steps - warm))))
