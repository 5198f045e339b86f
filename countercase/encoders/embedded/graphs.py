"""The computations of the embedded models, as torch modules to be converted once.

Bi-encoders pool the mean of the last hidden states to unit length (Reimers and Gurevych 2019); the
cross-encoder is in `cross.py`.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from countercase.encoders.embedded import adapters, weights
from countercase.encoders.embedded.cross import PairEncoder, PairHead
from countercase.errors import ModelError


class BiEncoder(nn.Module):
    """Word-piece ids (1, n) to a unit vector (1, width)."""

    def __init__(self, encoder: nn.Module) -> None:
        super().__init__()
        self.encoder = encoder

    def forward(self, ids: Tensor, types: Tensor) -> Tensor:
        hidden = self.encoder(
            input_ids=ids, token_type_ids=types, attention_mask=torch.ones_like(ids)
        ).last_hidden_state
        return nn.functional.normalize(hidden.mean(dim=1), dim=-1)


def base_encoder() -> nn.Module:
    """The base model in float32, from verified weights, without a look at the network."""
    weights.base_weights()
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    from transformers import BertConfig, BertModel
    from transformers.utils import logging

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    folder = weights.base_folder()
    config = BertConfig.from_pretrained(folder)
    model: nn.Module = BertModel.from_pretrained(
        folder, config=config, add_pooling_layer=False, dtype=torch.float32
    )
    return model.eval()


def build(recipe: weights.Recipe) -> nn.Module:
    """The torch module of one recipe, its adapter merged.

    Raises:
        ModelError: weights or adapter are missing, damaged or do not fit; or a cross-encoder
            has no head.
    """
    encoder = base_encoder()
    path: Path | None = weights.adapter_file(recipe)
    tensors: dict[str, Tensor] = {}
    metadata: dict[str, Any] = {}
    if path is not None:
        tensors, metadata = adapters.read_adapter(path)
        adapters.merge(encoder, tensors, float(metadata["alpha"]))
    if recipe.role != "cross":
        return BiEncoder(encoder).eval()
    config: Any = encoder.config
    head = PairHead(config.hidden_size, config.vocab_size, config.num_hidden_layers)
    state = {
        key.removeprefix(adapters.HEAD_PREFIX): value.float()
        for key, value in tensors.items()
        if key.startswith(adapters.HEAD_PREFIX)
    }
    if not state:
        raise ModelError("the cross-encoder has no trained adapter; `countercase models list`")
    head.load_state_dict(state)
    return PairEncoder(encoder, head).eval()
