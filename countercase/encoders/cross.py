"""The cross-encoder's reading of a pair: both texts attend to each other, and are pooled apart.

Pooled together, the states of a pair say nothing of its two texts until a long training has taught
the model to write the comparison into them. Pooled apart by token type, the model begins near the
cosine of the base model, and training moves it from there (poly-encoders, Humeau et al. 2020, keep
the two apart for speed; here the attention between them is kept, and only the pooling is apart).
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

FIRST_SCALE = 15.0


class PairHead(nn.Module):
    """Pooled states of the two texts of a pair, each (n, width), to its score (n,).

    The score is a scaled cosine, a shift, and a small network over the products of the two unit
    vectors, which begins at zero.
    """

    def __init__(self, width: int = 384, hidden: int = 64) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(FIRST_SCALE))
        self.dense = nn.Linear(width, hidden)
        self.out = nn.Linear(hidden, 1)
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)

    def forward(self, first: Tensor, second: Tensor) -> Tensor:
        product = nn.functional.normalize(first, dim=-1) * nn.functional.normalize(second, dim=-1)
        learned: Tensor = self.out(torch.tanh(self.dense(product * product.shape[-1])))
        return self.scale * product.sum(-1) + learned.squeeze(-1)

    def rescale(self, scale: float, shift: float) -> None:
        """Make the score s into scale * s + shift, in place."""
        with torch.no_grad():
            self.scale.mul_(scale)
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


class PairEncoder(nn.Module):
    """Word-piece ids of a pair (1, n) to its score (1,)."""

    def __init__(self, encoder: nn.Module, head: PairHead) -> None:
        super().__init__()
        self.encoder, self.head = encoder, head

    def forward(self, ids: Tensor, types: Tensor) -> Tensor:
        mask = torch.ones_like(ids)
        hidden = self.encoder(
            input_ids=ids, token_type_ids=types, attention_mask=mask
        ).last_hidden_state
        scores: Tensor = self.head(*pool_apart(hidden, types, mask))
        return scores
