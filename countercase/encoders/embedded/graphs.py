"""The embedded models as torch modules, to be converted once.

Bi-encoders pool the mean of the last hidden states to unit length (Reimers and Gurevych 2019).

The cross-encoder reads a pair as two texts: each keeps its own positions and its own first token, and
attention between the two, which blurs both where they are unrelated, passes a gate per layer that begins
nearly closed and that training opens where that helps. The upper states are compared by the cosine
of the two means, and word by word, where each piece of the first text finds its nearest piece of the second
(ColBERT, Khattab and Zaharia 2020, sec. 3.2), with a weight that begins as its inverse document frequency.

Training writes low-rank adapters: for each linear layer that it changes two matrices A (r, in) and B
(out, r), and the merged weight is W + (alpha / r) B A (Hu et al. 2022, "LoRA", eq. 3).
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from countercase.encoders.apart import SPECIAL as SPECIAL
from countercase.encoders.embedded import weights
from countercase.errors import ModelError

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
        """Return scores (...) from unit means (..., width) of both texts and word agreement (...)."""
        product = first * second
        learned: Tensor = self.out(torch.tanh(self.dense(product * product.shape[-1])))
        cosine = product.sum(-1)
        return self.mean_scale * cosine + self.word_scale * words + learned.squeeze(-1)

    def weights(self, ids: Tensor) -> Tensor:
        """Return the weight of each piece, shape of `ids`; 0 for the pieces that mark ends."""
        marks = (ids == SPECIAL[0]) | (ids == SPECIAL[1])
        return torch.exp(self.word_weight[ids]).masked_fill(marks, 0.0)

    def forward(self, hidden: Tensor, ids: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        """Return scores (n,) of pairs from their states (n, pieces, width)."""
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


def pool_apart(hidden: Tensor, types: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """Return mean states (n, width) of the first text (type 0) and of the second (type 1) of pairs.

    `hidden` are states (n, pieces, width); `mask` is 0 for padding. A text without pieces has the
    mean 0, so that its pair scores what the head gives for nothing in common.
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
    """Last states (n, pieces, width) of pairs by a BertModel.

    `gates` (layers,) are added to the attention of a piece to a piece of the other text; `ids`,
    `types` and `mask` have shape (n, pieces), and type 1 marks the second text.
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


A_SUFFIX = ".lora_A"
B_SUFFIX = ".lora_B"
HEAD_PREFIX = "head."


class TextEncoder(nn.Module):
    """Word-piece ids (1, n) of one text to its last states (1, n, width)."""

    def __init__(self, encoder: nn.Module) -> None:
        super().__init__()
        self.encoder = encoder

    def forward(self, ids: Tensor, types: Tensor) -> Tensor:
        states: Tensor = self.encoder(
            input_ids=ids, token_type_ids=types * 0, attention_mask=torch.ones_like(ids)
        ).last_hidden_state
        return states


class BiEncoder(TextEncoder):
    """Word-piece ids (1, n) to a unit vector (1, width)."""

    def forward(self, ids: Tensor, types: Tensor) -> Tensor:
        return nn.functional.normalize(super().forward(ids, types).mean(dim=1), dim=-1)


def read_adapter(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """Return tensors and metadata (`alpha`, `rank`, ...) of an adapter file."""
    from safetensors import safe_open

    with safe_open(path, framework="pt") as file:
        tensors = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118
        metadata = json.loads((file.metadata() or {}).get("countercase", "{}"))
    return tensors, metadata


def merge(model: nn.Module, tensors: dict[str, Tensor], alpha: float) -> int:
    """Add low-rank products to layers of a model, and return how many; ModelError where one is lacking."""
    modules = dict(model.named_modules())
    names = sorted(key.removesuffix(A_SUFFIX) for key in tensors if key.endswith(A_SUFFIX))
    for name in names:
        layer = modules.get(name)
        if not isinstance(layer, nn.Linear) or name + B_SUFFIX not in tensors:
            raise ModelError(f"the adapter does not fit the base model at {name}")
        down, up = tensors[name + A_SUFFIX].float(), tensors[name + B_SUFFIX].float()
        with torch.no_grad():
            layer.weight += (alpha / down.shape[0]) * (up @ down)
    return len(names)


def base_encoder() -> nn.Module:
    """Return the base model in float32, from verified weights, without a look at the network."""
    weights.base_weights()
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    from transformers import BertModel
    from transformers.utils import logging

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    model: nn.Module = BertModel.from_pretrained(
        weights.base_folder(), add_pooling_layer=False, dtype=torch.float32
    )
    return model.eval()


def build(recipe: weights.Recipe) -> nn.Module:
    """Return the torch module of one recipe, its adapter merged; ModelError where they do not fit."""
    encoder = base_encoder()
    tensors: dict[str, Tensor] = {}
    if path := weights.adapter_file(recipe):
        tensors, metadata = read_adapter(path)
        merge(encoder, tensors, float(metadata["alpha"]))
    if recipe.apart:
        return TextEncoder(encoder).eval()
    if recipe.role != "cross":
        return BiEncoder(encoder).eval()
    config: Any = encoder.config
    head = PairHead(config.hidden_size, config.vocab_size, config.num_hidden_layers)
    state = {
        key.removeprefix(HEAD_PREFIX): value.float()
        for key, value in tensors.items()
        if key.startswith(HEAD_PREFIX)
    }
    if not state:
        raise ModelError("the cross-encoder has no trained adapter; `countercase models list`")
    head.load_state_dict(state)
    return PairEncoder(encoder, head).eval()
