"""The embedded models as torch modules, to be converted once.

Bi-encoders pool the mean of the last hidden states to unit length (Reimers and Gurevych 2019); the
cross-encoder is in `cross.py`. Training writes low-rank adapters, which are merged into the base
weights: for each linear layer that it changes an adapter holds two matrices A (r, in) and
B (out, r), and the merged weight is W + (alpha / r) B A (Hu et al. 2022, "LoRA", eq. 3). Anything
else in the file, such as a scoring head, is kept as it is.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from countercase.encoders.embedded import weights
from countercase.encoders.embedded.cross import PairEncoder, PairHead
from countercase.errors import ModelError

A_SUFFIX = ".lora_A"
B_SUFFIX = ".lora_B"
HEAD_PREFIX = "head."


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


def read_adapter(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """Tensors and metadata (`alpha`, `rank`, ...) of an adapter file."""
    from safetensors import safe_open

    with safe_open(path, framework="pt") as file:
        tensors = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118
        metadata = json.loads((file.metadata() or {}).get("countercase", "{}"))
    return tensors, metadata


def merge(model: nn.Module, tensors: dict[str, Tensor], alpha: float) -> int:
    """Add the low-rank products to the weights of `model`'s layers, in place.

    Returns:
        How many layers changed.

    Raises:
        ModelError: the adapter names a layer that the model does not have.
    """
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
