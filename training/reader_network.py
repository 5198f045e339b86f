"""The reader in training: the upper layers of the base model with heads on their token states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from countercase.encoders.embedded.graphs import base_encoder

FROZEN: Final = 3
"""Layers of the base model that stay as they are."""
WIDTH: Final = 384
IGNORED: Final = -100
DROPOUT: Final = 0.1


@dataclass(frozen=True)
class Sample:
    """One matter as the network sees it.

    Args:
        states: output of the frozen layers, shape (n, `WIDTH`), half precision.
        tags: class of each piece for each tagging head, by head.
        spans: for each kind of span the pieces [first, behind) of each span.
        classes: for each head over spans the class of each span, in the order of `spans`.
        clauses: the pieces [first, behind) of the clause of each evidence span.
        pairs: for each head over pairs the places of two spans and their class.
    """

    states: Tensor
    tags: Mapping[str, list[int]]
    spans: Mapping[str, list[tuple[int, int]]]
    classes: Mapping[str, list[int]]
    clauses: list[tuple[int, int]]
    pairs: Mapping[str, list[tuple[int, int, int]]]


class Heads(nn.Module):
    """One linear layer for each question that is asked of a piece, a span or a pair of spans."""

    def __init__(self, sizes: Mapping[str, int]) -> None:
        super().__init__()
        widths = {"tag": WIDTH, "span": 3 * WIDTH, "clause": 4 * WIDTH, "pair": 2 * WIDTH}
        self.layers = nn.ModuleDict(
            {
                name.replace(".", "-"): nn.Linear(widths[name.split(".")[0]], size)
                for name, size in sizes.items()
            }
        )
        self.begin = nn.Linear(3 * WIDTH, WIDTH)
        self.end = nn.Linear(3 * WIDTH, WIDTH)

    def ask(self, name: str, vectors: Tensor) -> Tensor:
        """Return the scores of one head."""
        scores: Tensor = self.layers[name.replace(".", "-")](vectors)
        return scores


class ReaderNetwork(nn.Module):
    """The trained layers and the heads; the frozen layers are computed once for all passes."""

    def __init__(self, sizes: Mapping[str, int]) -> None:
        super().__init__()
        encoder: Any = base_encoder()
        self.lower = nn.ModuleList(encoder.encoder.layer[:FROZEN]).requires_grad_(False)
        self.embeddings = encoder.embeddings.requires_grad_(False)
        self.upper = nn.ModuleList(encoder.encoder.layer[FROZEN:])
        for module in self.upper.modules():
            if isinstance(module, nn.Dropout):
                module.p = 0.0
        self.dropout = nn.Dropout(DROPOUT)
        self.heads = Heads(sizes)

    @torch.no_grad()
    def frozen_states(self, ids: Sequence[int]) -> Tensor:
        """Return the output of the frozen layers for one text, shape (n, `WIDTH`)."""
        states = self.embeddings(torch.tensor([list(ids)]))
        for layer in self.lower:
            states = _first(layer(states))
        half: Tensor = states[0].to(torch.float16)
        return half

    def states(self, below: Tensor, mask: Tensor | None = None) -> Tensor:
        """Return the last states, shape of `below`; `mask` is added to attention scores."""
        states = below
        for layer in self.upper:
            states = self.dropout(_first(layer(states, mask)))
        return states

    def loss(self, batch: Sequence[Sample]) -> dict[str, Tensor]:
        """Return the loss of each head over a batch."""
        longest = max(len(sample.states) for sample in batch)
        below = torch.zeros(len(batch), longest, WIDTH)
        mask = torch.full((len(batch), 1, 1, longest), -1e4)
        for row, sample in enumerate(batch):
            below[row, : len(sample.states)] = sample.states.float()
            mask[row, :, :, : len(sample.states)] = 0.0
        with torch.autocast("cpu", dtype=torch.bfloat16):
            states = self.states(below, mask.to(torch.bfloat16))
        states = states.float()
        losses: dict[str, list[tuple[Tensor, int]]] = {}
        for row, sample in enumerate(batch):
            own = states[row, : len(sample.states)]
            for name, scores, targets in self._answers(own, sample):
                n = sum(target != IGNORED for target in targets)
                if n:
                    total = cross_entropy(
                        scores, torch.tensor(targets), ignore_index=IGNORED, reduction="sum"
                    )
                    losses.setdefault(name, []).append((total, n))
        return {
            name: torch.stack([t for t, _ in parts]).sum() / sum(n for _, n in parts)
            for name, parts in losses.items()
        }

    def _answers(self, own: Tensor, sample: Sample) -> list[tuple[str, Tensor, list[int]]]:
        answers: list[tuple[str, Tensor, list[int]]] = []
        for name, tags in sample.tags.items():
            answers.append((name, self.heads.ask(name, own), tags))
        vectors = {kind: span_vectors(own, spans) for kind, spans in sample.spans.items()}
        for name, classes in sample.classes.items():
            form, kind = name.split(".")[:2]
            if not classes:
                continue
            if form == "clause":
                clauses = torch.stack([own[a:b].mean(0) for a, b in sample.clauses])
                answers.append(
                    (name, self.heads.ask(name, torch.cat([vectors[kind], clauses], 1)), classes)
                )
            else:
                answers.append((name, self.heads.ask(name, vectors[kind]), classes))
        if sample.clauses:
            for name, layer, side in (("begin", self.heads.begin, 0), ("end", self.heads.end, 1)):
                scores = layer(vectors["evidence"]) @ own.T
                answers.append((name, scores, [c[side] - side for c in sample.clauses]))
        for name, pairs in sample.pairs.items():
            if pairs:
                means = vectors[name.split(".")[1]][:, :WIDTH]
                left, right = means[[p[0] for p in pairs]], means[[p[1] for p in pairs]]
                both = torch.cat([left * right, (left - right).abs()], 1)
                answers.append((name, self.heads.ask(name, both), [p[2] for p in pairs]))
        return answers


def span_vectors(states: Tensor, spans: Sequence[tuple[int, int]]) -> Tensor:
    """Return mean, first piece and first state of the text for each span, joined."""
    if not spans:
        return torch.zeros(0, 3 * WIDTH)
    return torch.stack([torch.cat([states[a:b].mean(0), states[a], states[0]]) for a, b in spans])


def _first(output: Any) -> Tensor:
    states: Tensor = output[0] if isinstance(output, tuple) else output
    return states
