"""Low-rank layers to train, and the adapter files that come of them (Hu et al. 2022, "LoRA").

The second matrix begins at zero, so an adapted model begins as the base model.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from importlib import resources
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import Tensor, nn

from countercase.encoders.embedded.graphs import A_SUFFIX, B_SUFFIX
from countercase.encoders.embedded.weights import sha256_of


class LowRank(nn.Module):
    """A frozen linear layer with a low-rank addition: x W' + (alpha / r) x A' B'."""

    def __init__(self, base: nn.Linear, rank: int, alpha: float) -> None:
        super().__init__()
        self.base = base
        self.scale = alpha / rank
        self.down = nn.Parameter(torch.empty(rank, base.in_features))
        self.up = nn.Parameter(torch.zeros(base.out_features, rank))
        nn.init.kaiming_uniform_(self.down, a=math.sqrt(5))

    def forward(self, x: Tensor) -> Tensor:
        low = nn.functional.linear(nn.functional.linear(x, self.down), self.up)
        out: Tensor = self.base(x) + self.scale * low
        return out


def attach(encoder: nn.Module, rank: int, alpha: float, first_layer: int) -> dict[str, LowRank]:
    """Freeze `encoder` and put low-rank layers at every linear layer from `first_layer` on.

    Returns:
        The new layers by the name of the layer that each one wraps.
    """
    encoder.requires_grad_(False)
    added: dict[str, LowRank] = {}
    for name, module in list(encoder.named_modules()):
        parts = name.split(".")
        if not isinstance(module, nn.Linear) or parts[:2] != ["encoder", "layer"]:
            continue
        if int(parts[2]) < first_layer:
            continue
        layer = LowRank(module, rank, alpha)
        setattr(encoder.get_submodule(name.rpartition(".")[0]), parts[-1], layer)
        added[name] = layer
    return added


def parameters(layers: Mapping[str, LowRank]) -> list[nn.Parameter]:
    """What is trained, in a fixed order."""
    return [p for name in sorted(layers) for p in (layers[name].down, layers[name].up)]


def adapter_tensors(layers: Mapping[str, LowRank]) -> dict[str, Tensor]:
    """The tensors of an adapter file."""
    found: dict[str, Tensor] = {}
    for name in sorted(layers):
        found[name + A_SUFFIX] = layers[name].down.detach()
        found[name + B_SUFFIX] = layers[name].up.detach()
    return found


def write_adapter(path: Path, tensors: Mapping[str, Tensor], metadata: Mapping[str, object]) -> str:
    """Write an adapter in half precision; returns its sha256."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = {name: tensor.to(torch.float16).contiguous() for name, tensor in tensors.items()}
    save_file(half, path, metadata={"countercase": json.dumps(metadata, sort_keys=True)})
    return sha256_of(path)


def adapter_folder() -> Path:
    """Where the package keeps its adapters."""
    return Path(str(resources.files("countercase.encoders.embedded").joinpath("adapter_files")))


def install(path: Path, folder: Path) -> None:
    """Copy an adapter into the package and record its checksum."""
    target = folder / path.name
    target.write_bytes(path.read_bytes())
    listing = folder / "checksums.json"
    listed = json.loads(listing.read_text(encoding="utf-8")) if listing.is_file() else {}
    listed[path.name] = sha256_of(target)
    listing.write_text(json.dumps(listed, indent=2, sort_keys=True) + "\n", encoding="utf-8")
