"""Train the reader on the labelled matters: whose figures are, when it happened, and more.

    python training/reader.py [--seed 0] [--passes 20] [--more 0] [--install]

Trains on four fifths of the matters, so that every fifth one can measure
(`python -m training.reading_scores`), then goes on over all matters for `--more` passes. A run that
is stopped goes on from its last checkpoint.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import torch
from safetensors.torch import load_file, save_file

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from training.lora import adapter_folder, install, write_adapter
from training.matter_sheets import is_held_out, load_matters
from training.reader_labels import Labeller, classes_of, random_part
from training.reader_network import FROZEN, ReaderNetwork, Sample

SHIPPED: Final = ("span.figure.owner", "span.date.read_on")
"""Heads that the package holds. The others are trained beside them, since what they ask teaches
the layers that all share; they are not better than the rules yet."""
LAYER: Final = "layer."
"""What the names of the retrained layers begin with in the file of weights."""
BATCH: Final = 8
PIECES: Final = 8 * 360
"""Word pieces of a batch, at most."""
PEAK: Final = 3e-4
PEAK_HEADS: Final = 2e-3
WARM: Final = 40
WEIGHTS: Final = {
    "tag.evidence": 12.0, "tag.party": 12.0, "tag.figure": 3.0, "clause.evidence.type": 2.0,
    "clause.evidence.strength": 2.0, "span.party.type": 2.0, "span.party.side": 2.0,
    "begin": 0.5, "end": 0.5, "pair.party.same": 2.0,
}  # fmt: skip
"""How much the loss of a head counts; 1 where it is not named. Most pieces are in no mention, so
the mean loss of a tagging head is small."""


def say(text: str) -> None:
    """Print progress at once."""
    print(text, flush=True)


class Trainer:
    """The network in training, with its optimiser and its checkpoints."""

    def __init__(self, out: Path, seed: int, passes: int, more: int) -> None:
        matters = load_matters()
        self.classes = classes_of(matters)
        self.network = ReaderNetwork({name: len(own) for name, own in self.classes.items()})
        torch.manual_seed(seed)
        for layer in self.network.heads.modules():
            if isinstance(layer, torch.nn.Linear):
                torch.nn.init.normal_(layer.weight, std=0.02)
                torch.nn.init.zeros_(layer.bias)
        labeller = Labeller(self.classes)
        began = time.monotonic()
        self.network.eval()
        draw = random.Random(f"reader:{seed}")
        self.samples: list[Sample] = []
        self.held_out: list[bool] = []
        for number, matter in enumerate(matters):
            part = random_part(matter["text"], draw)
            own = [
                labeller.sample(matter, self.network),
                labeller.sample(matter, self.network, part),
                *labeller.suppositions(matter, self.network),
            ]
            self.samples += own
            self.held_out += [is_held_out(number)] * len(own)
        say(f"{len(self.samples)} texts labelled in {time.monotonic() - began:.0f} s")
        self.seed, self.passes, self.more = seed, passes, more
        self.done, self.spent = 0, 0.0
        heads = list(self.network.heads.parameters())
        self.parameters = [*self.network.upper.parameters(), *heads]
        self.optimizer = torch.optim.AdamW(
            [
                {"params": list(self.network.upper.parameters()), "peak": PEAK},
                {"params": heads, "peak": PEAK_HEADS},
            ],
            lr=PEAK,
            weight_decay=0.01,
        )
        self.path = out / f"reader-{seed}.safetensors"
        self.steps = sum(len(list(self.batches(number))) for number in range(passes + more))
        self._resume()

    def batches(self, number: int) -> Iterator[list[int]]:
        """Yield the places of the matters of one pass, matters of like length together."""
        everything = number >= self.passes
        places = [n for n in range(len(self.samples)) if everything or not self.held_out[n]]
        draw = random.Random(f"reader:{self.seed}:{number}")
        draw.shuffle(places)
        parts: list[list[int]] = []
        for start in range(0, len(places), 16 * BATCH):
            chunk = sorted(places[start : start + 16 * BATCH], key=self._length)
            parts += batched_by_length(chunk, [self._length(n) for n in chunk])
        draw.shuffle(parts)
        yield from parts

    def _length(self, place: int) -> int:
        return len(self.samples[place].states)

    def run_pass(self) -> dict[str, float]:
        """Train on every matter of a pass once; returns the mean loss of each head."""
        began = time.monotonic()
        torch.manual_seed(1000 * (self.seed + 1) + self.done)
        self.network.train()
        before = sum(len(list(self.batches(number))) for number in range(self.done))
        totals: dict[str, list[float]] = {}
        for at, part in enumerate(self.batches(self.done)):
            step = before + at
            share = min((step + 1) / WARM, 1.0) * max(0.02, 1 - step / self.steps)
            for group in self.optimizer.param_groups:
                group["lr"] = group["peak"] * share
            losses = self.network.loss([self.samples[n] for n in part])
            total = torch.stack(
                [WEIGHTS.get(name, 1.0) * loss for name, loss in losses.items()]
            ).sum()
            self.optimizer.zero_grad()
            total.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(self.parameters, 1.0)
            self.optimizer.step()
            for name, loss in losses.items():
                totals.setdefault(name, []).append(float(loss.detach()))
            if (at + 1) % 20 == 0:
                say(
                    f"pass {self.done + 1}, step {step + 1} of {self.steps}, {time.monotonic() - began:.0f} s"
                )
        self.done += 1
        self.spent += time.monotonic() - began
        return {name: sum(own) / len(own) for name, own in totals.items()}

    def save(self) -> None:
        """Write a checkpoint beside the last one and move it into place."""
        state = dict(self.network.named_parameters())
        tensors = {f"weight/{name}": p.detach() for name, p in state.items() if p.requires_grad}
        for number, parameter in enumerate(self.parameters):
            for key, value in self.optimizer.state[parameter].items():
                tensors[f"moment/{number}/{key}"] = torch.as_tensor(value).detach().clone()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        beside = self.path.with_suffix(".part")
        metadata = {"done": self.done, "spent": self.spent, "classes": self.classes}
        save_file(
            {name: t.contiguous() for name, t in tensors.items()},
            beside,
            {"countercase": json.dumps(metadata)},
        )
        beside.replace(self.path)

    def export(self, name: str) -> Path:
        """Write the retrained layers and the heads as the package holds them; returns the file."""
        path = self.path.with_name(name)
        tensors = packed(dict(self.network.named_parameters()))
        write_adapter(path, tensors, {"classes": {name: self.classes[name] for name in SHIPPED}})
        return path

    def _resume(self) -> None:
        if not self.path.is_file():
            return
        from safetensors import safe_open

        with safe_open(self.path, framework="pt") as file:
            metadata = json.loads((file.metadata() or {})["countercase"])
        tensors = load_file(self.path)
        self.done, self.spent = metadata["done"], metadata["spent"]
        with torch.no_grad():
            for name, parameter in self.network.named_parameters():
                if parameter.requires_grad:
                    parameter.copy_(tensors[f"weight/{name}"])
        for number, parameter in enumerate(self.parameters):
            prefix = f"moment/{number}/"
            own = {k: tensor for k, tensor in tensors.items() if k.startswith(prefix)}
            self.optimizer.state[parameter] = {
                name.removeprefix(prefix): tensor for name, tensor in own.items()
            }


def batched_by_length(places: Sequence[int], lengths: Sequence[int]) -> list[list[int]]:
    """Return batches of at most `PIECES` word pieces, padding counted, in the order given."""
    batches: list[list[int]] = []
    for place, length in zip(places, lengths, strict=True):
        if not batches or (len(batches[-1]) + 1) * length > PIECES:
            batches.append([])
        batches[-1].append(place)
    return batches


def packed(parameters: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return the parameters that are trained under the names that the package reads."""
    tensors = {}
    for name, tensor in parameters.items():
        if name.startswith("upper."):
            number, _, rest = name.removeprefix("upper.").partition(".")
            tensors[f"{LAYER}{int(number) + FROZEN}.{rest}"] = tensor.detach()
        elif name.startswith("heads.layers."):
            head, _, part = name.removeprefix("heads.layers.").rpartition(".")
            head = head.replace("-", ".")
            if head in SHIPPED:
                tensors[f"head.{head}.{part}"] = tensor.detach()
    return tensors


def main() -> None:
    """Train the reader from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--passes", type=int, default=20, help="over four fifths of the matters")
    parser.add_argument("--more", type=int, default=0, help="then over all matters")
    parser.add_argument("--out", type=Path, default=Path("training/runs"))
    parser.add_argument("--install", action="store_true", help="put the weights into the package")
    given = parser.parse_args()
    torch.set_num_threads(1)
    trainer = Trainer(given.out, given.seed, given.passes, given.more)
    while trainer.done < given.passes + given.more:
        losses = trainer.run_pass()
        trainer.save()
        if trainer.done == given.passes:
            held = trainer.path.with_name(f"reader-held-{given.seed}.safetensors")
            held.write_bytes(trainer.path.read_bytes())
        told = ", ".join(f"{name} {loss:.3f}" for name, loss in losses.items())
        say(f"pass {trainer.done}: {trainer.spent:.0f} s; {told}")
    if given.install:
        install(trainer.export("reader.safetensors"), adapter_folder())


if __name__ == "__main__":
    main()
