"""Word pieces to padded batches, the pooled states of a batch, and checkpoints of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor, nn

from countercase.encoders.embedded.runtime import Ids

_TOGETHER: Final = 8


def pooled(encoder: nn.Module, inputs: Sequence[tuple[Ids, Ids]], bf16: bool) -> Tensor:
    """Mean of the last hidden states of each input, shape (inputs, width).

    Inputs of like length are padded together, and the padding is left out of the mean.
    """
    parts, back = together(inputs)
    states = []
    for part in parts:
        hidden, mask = _hidden(encoder, [inputs[at] for at in part], bf16)
        weight = mask.unsqueeze(-1).float()
        states.append((hidden * weight).sum(1) / weight.sum(1))
    return torch.cat(states)[back]


def together(inputs: Sequence[tuple[Ids, Ids]]) -> tuple[list[list[int]], Tensor]:
    """Positions of like length together, and what puts their results back in order."""
    order = sorted(range(len(inputs)), key=lambda at: inputs[at][0].shape[1])
    parts = [order[start : start + _TOGETHER] for start in range(0, len(order), _TOGETHER)]
    return parts, torch.argsort(torch.tensor(order))


def padded(inputs: Sequence[tuple[Ids, Ids]]) -> tuple[Tensor, Tensor, Tensor]:
    """Ids, token types and mask of inputs padded together, each (inputs, longest)."""
    longest = max(ids.shape[1] for ids, _ in inputs)
    shape = (len(inputs), longest)
    ids, types, mask = (torch.zeros(shape, dtype=torch.long) for _ in range(3))
    for row, (own_ids, own_types) in enumerate(inputs):
        size = own_ids.shape[1]
        ids[row, :size] = torch.from_numpy(own_ids[0])
        types[row, :size] = torch.from_numpy(own_types[0])
        mask[row, :size] = 1
    return ids, types, mask


def _hidden(
    encoder: nn.Module, inputs: Sequence[tuple[Ids, Ids]], bf16: bool
) -> tuple[Tensor, Tensor]:
    """Last hidden states in float32 and mask of inputs padded together."""
    ids, types, mask = padded(inputs)
    with torch.autocast("cpu", torch.bfloat16, enabled=bf16):
        hidden = encoder(input_ids=ids, token_type_ids=types, attention_mask=mask)
    return hidden.last_hidden_state.float(), mask


def write_checkpoint(path: Path, state: Mapping[str, Any]) -> None:
    """Write `state` beside `path` and move it into place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".part")
    torch.save(dict(state), beside)
    beside.replace(path)


def read_checkpoint(path: Path) -> dict[str, Any] | None:
    """The last state that was written, or None where there is none."""
    if not path.is_file():
        return None
    state: dict[str, Any] = torch.load(path, weights_only=True)
    return state


def learning_rate(step: int, steps: int, peak: float, warm_up: int = 15) -> float:
    """Linear warm-up to `peak`, then linear decay to a tenth of it at the last step."""
    if step < warm_up:
        return peak * (step + 1) / warm_up
    return peak * (1.0 - 0.9 * min(1.0, (step - warm_up) / max(1, steps - warm_up)))
