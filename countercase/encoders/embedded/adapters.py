"""Low-rank adapters: what training writes, and how they are merged into the base weights.

An adapter holds, for each linear layer that it changes, two matrices A (r, in) and B (out, r); the
merged weight is W + (alpha / r) B A (Hu et al. 2022, "LoRA", eq. 3). Anything else in the file, such
as a scoring head, is kept as it is.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from countercase.errors import ModelError

if TYPE_CHECKING:
    import torch

A_SUFFIX = ".lora_A"
B_SUFFIX = ".lora_B"
HEAD_PREFIX = "head."


def read_adapter(path: Path) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
    """Tensors and metadata (`alpha`, `rank`, ...) of an adapter file."""
    from safetensors import safe_open

    with safe_open(path, framework="pt") as file:
        tensors = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118
        metadata = json.loads((file.metadata() or {}).get("countercase", "{}"))
    return tensors, metadata


def merge(model: torch.nn.Module, tensors: dict[str, torch.Tensor], alpha: float) -> int:
    """Add the low-rank products to the weights of `model`'s layers, in place.

    Returns:
        How many layers changed.

    Raises:
        ModelError: the adapter names a layer that the model does not have.
    """
    import torch

    modules = dict(model.named_modules())
    names = sorted(key.removesuffix(A_SUFFIX) for key in tensors if key.endswith(A_SUFFIX))
    for name in names:
        layer = modules.get(name)
        if not isinstance(layer, torch.nn.Linear) or name + B_SUFFIX not in tensors:
            raise ModelError(f"the adapter does not fit the base model at {name}")
        down, up = tensors[name + A_SUFFIX].float(), tensors[name + B_SUFFIX].float()
        with torch.no_grad():
            layer.weight += (alpha / down.shape[0]) * (up @ down)
    return len(names)
