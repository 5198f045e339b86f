"""How the cross-encoder reads a pair: two texts, with gated attention between them.

A model that was only ever shown single texts reads a pair badly: attention that runs freely
between two unrelated texts blurs both. So each text keeps its own positions and its own first
token, attention between the two passes a gate per layer that begins nearly closed, and training
opens it where that helps. What the upper layer says is compared in two ways: by the cosine of the
two means, and word by word, where each piece of the first text finds its nearest piece of the
second (ColBERT, Khattab and Zaharia 2020, sec. 3.2), each piece with a weight of its own that
begins as its inverse document frequency.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

SPECIAL = (101, 102)
"""Word pieces that mark the ends of a text; they take no part in the comparison."""

FIRST_SCALE = 10.0
NEARLY_CLOSED = -6.0
CLOSED = -1e4
APART_LAYERS = 2
"""The lowest layers in which the two texts never see each other."""


class PairHead(nn.Module):
    """The comparison of two texts.

    The score is a scaled cosine of the means, a scaled weighted mean of the best piece-to-piece
    cosines, and a small network over the products of the two means, which begins at zero.
    """

    def __init__(self, width: int, vocabulary: int, layers: int, hidden: int = 64) -> None:
        super().__init__()
        self.mean_scale = nn.Parameter(torch.tensor(FIRST_SCALE))
        self.word_scale = nn.Parameter(torch.tensor(FIRST_SCALE))
        self.word_weight = nn.Parameter(torch.zeros(vocabulary))
        self.gates = nn.Parameter(torch.full((layers,), NEARLY_CLOSED))
        self.dense = nn.Linear(width, hidden)
        self.out = nn.Linear(hidden, 1)
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)

    def compare(self, first: Tensor, second: Tensor, words: Tensor) -> Tensor:
        """Scores (...) from unit means (..., width) of both texts and word agreement (...)."""
        product = first * second
        learned: Tensor = self.out(torch.tanh(self.dense(product * product.shape[-1])))
        cosine = product.sum(-1)
        return self.mean_scale * cosine + self.word_scale * words + learned.squeeze(-1)

    def weights(self, ids: Tensor) -> Tensor:
        """The weight of each piece, shape of `ids`; 0 for the pieces that mark ends."""
        marks = (ids == SPECIAL[0]) | (ids == SPECIAL[1])
        return torch.exp(self.word_weight[ids]).masked_fill(marks, 0.0)

    def forward(self, hidden: Tensor, ids: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        """Scores (n,) of pairs from their states (n, pieces, width)."""
        first, second = pool_apart(hidden, types, mask)
        unit = nn.functional.normalize(hidden, dim=-1)
        marks = (ids == SPECIAL[0]) | (ids == SPECIAL[1])
        answering = types.bool() & mask.bool() & ~marks
        asking = (1 - types) * mask
        near = unit @ unit.transpose(1, 2)
        best = near.masked_fill(~answering.unsqueeze(1), -1.0).max(dim=2).values
        weight = self.weights(ids) * asking
        words = (best * weight).sum(1) / weight.sum(1).clamp(min=1e-6)
        return self.compare(
            nn.functional.normalize(first, dim=-1), nn.functional.normalize(second, dim=-1), words
        )

    def rescale(self, scale: float, shift: float) -> None:
        """Make the score s into scale * s + shift, in place."""
        with torch.no_grad():
            self.mean_scale.mul_(scale)
            self.word_scale.mul_(scale)
            self.out.weight.mul_(scale)
            self.out.bias.mul_(scale).add_(shift)


def pool_apart(hidden: Tensor, types: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """Mean states (n, width) of the first text (type 0) and of the second (type 1) of each pair.

    A text without pieces has the mean 0, so that its pair scores what the head gives for nothing
    in common.

    Args:
        hidden: states, shape (n, pieces, width).
        types, mask: token types, and 1 where there is a piece and 0 where there is padding.
    """
    second = (types * mask).unsqueeze(-1).to(hidden.dtype)
    first = ((1 - types) * mask).unsqueeze(-1).to(hidden.dtype)
    return (
        (hidden * first).sum(1) / first.sum(1).clamp(min=1),
        (hidden * second).sum(1) / second.sum(1).clamp(min=1),
    )


def pair_states(
    encoder: nn.Module, gates: Tensor, ids: Tensor, types: Tensor, mask: Tensor
) -> Tensor:
    """Last states (n, pieces, width) of pairs, attention between the two texts gated per layer.

    Args:
        encoder: a BertModel.
        gates: what is added to the attention of a piece to a piece of the other text, (layers,).
        ids, types, mask: shape (n, pieces); type 1 marks the second text.
    """
    places = torch.arange(ids.shape[1], device=ids.device).unsqueeze(0)
    length = ((1 - types) * mask).sum(1, keepdim=True)
    positions = (places - types * length).clamp(min=0) * mask
    hidden: Tensor = encoder.embeddings(  # type: ignore[operator]
        input_ids=ids, token_type_ids=torch.zeros_like(ids), position_ids=positions
    )
    apart = (types.unsqueeze(2) != types.unsqueeze(1)).unsqueeze(1).to(hidden.dtype)
    absent = (1 - mask).view(len(ids), 1, 1, -1).to(hidden.dtype) * CLOSED
    for number, layer in enumerate(encoder.encoder.layer):  # type: ignore[union-attr,arg-type]
        gate = gates[number] if number >= APART_LAYERS else CLOSED
        hidden = layer(hidden, apart * gate + absent)
    return hidden


class PairEncoder(nn.Module):
    """Word-piece ids of a pair (1, n) to its score (1,)."""

    def __init__(self, encoder: nn.Module, head: PairHead) -> None:
        super().__init__()
        self.encoder, self.head = encoder, head

    def forward(self, ids: Tensor, types: Tensor) -> Tensor:
        mask = torch.ones_like(ids)
        hidden = pair_states(self.encoder, self.head.gates, ids, types, mask)
        scores: Tensor = self.head(hidden, ids, types, mask)
        return scores
