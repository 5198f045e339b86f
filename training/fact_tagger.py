"""Train the fact tagger: spaCy's entity recogniser on InLegalNER.

    python training/fact_tagger.py --data DIR [--seed 0] [--minutes 45] [--out DIR] [--install]
                                   [--stop 10] [--everything] [--gpu]

Trains on the training part alone, sentences and preambles together, and keeps the pass after which
a tenth of it that is left out scores best; `--everything` trains on that tenth too and keeps the
last pass. The development part is only measured, at the very end. A run that is stopped goes on
from its last checkpoint, to the same weights as if it had not been.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import random
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import spacy
from numpy.typing import NDArray
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from thinc.api import Optimizer

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from countercase.facts.tagger import network, weights
from countercase.facts.tagger.reading import tag_texts
from training import inlegalner
from training.inlegalner import Text
from training.lora import adapter_folder, install

PASSES: Final = 12
PEAK: Final = 1e-3
FLOOR: Final = 1e-4
WARM: Final = 200
DROPOUT: Final = 0.2
FIRST_WORDS: Final = 800.0
MOST_WORDS: Final = 1600.0
GROWTH: Final = 1.3
CHECK_EVERY: Final = 100


def arrays_of(nlp: Language) -> dict[str, NDArray[np.float32]]:
    """Return the parameters of the recogniser by name."""
    return {
        key: node.ops.to_numpy(node.get_param(name)) for key, node, name in weights.named_nodes(nlp)
    }


def write_weights(
    arrays: Mapping[str, NDArray[Any]], metadata: Mapping[str, object], to: Path
) -> str:
    """Write the weights into the folder `to`; returns their sha256."""
    from safetensors.numpy import save

    halves = {key: value.astype(np.float16) for key, value in sorted(arrays.items())}
    content = save(halves, {"countercase": json.dumps(dict(metadata), sort_keys=True)})
    to.mkdir(parents=True, exist_ok=True)
    (to / weights.WEIGHTS).write_bytes(content)
    return hashlib.sha256(content).hexdigest()


def say(text: str) -> None:
    """Progress, at once."""
    print(text, flush=True)


def examples_of(nlp: Language, texts: Sequence[Text]) -> tuple[list[Example], int]:
    """The texts as spaCy examples, and how many spans did not lie on token borders.

    Such a span is widened to whole tokens; where it would then meet another it is narrowed to the
    whole tokens inside it, and left out where there are none.
    """
    examples, moved = [], 0
    for text in texts:
        predicted = network.with_attributes(nlp.make_doc(text.text))
        reference = Doc(
            nlp.vocab, [t.text for t in predicted], [bool(t.whitespace_) for t in predicted]
        )
        spans: list[Any] = []
        taken: set[int] = set()
        for entity in text.entities:
            for mode in ("strict", "expand", "contract"):
                span = reference.char_span(
                    entity.span.start, entity.span.end, label=entity.label, alignment_mode=mode
                )
                moved += mode == "expand"
                if span is not None and not taken & set(range(span.start, span.end)):
                    taken |= set(range(span.start, span.end))
                    spans.append(span)
                    break
        reference.set_ents(spans)
        examples.append(Example(predicted, reference))
    return examples, moved


def batches(sizes: Sequence[int], words: float, draw: random.Random) -> Iterator[list[int]]:
    """One pass: places of texts in random order, in batches of about `words` words."""
    order = list(range(len(sizes)))
    draw.shuffle(order)
    part: list[int] = []
    total = 0
    for place in order:
        if part and total + sizes[place] > words:
            yield part
            part, total = [], 0
        part.append(place)
        total += sizes[place]
    if part:
        yield part


def learning_rate(step: int, steps: int) -> float:
    """Up to the peak in `WARM` steps, then down to the floor in a straight line."""
    if step < WARM:
        return PEAK * (step + 1) / WARM
    return PEAK - (PEAK - FLOOR) * min(1.0, (step - WARM) / max(1, steps - WARM))


class Trainer:
    """The recogniser in training, with its optimiser and its checkpoints."""

    def __init__(self, texts: Sequence[Text], out: Path, name: str, seed: int, passes: int) -> None:
        self.nlp = network.size(network.blank_tagger(), seed)
        self.examples, self.moved = examples_of(self.nlp, texts)
        self.sizes = [len(example.predicted) for example in self.examples]
        self.seed, self.passes = seed, passes
        self.optimizer = Optimizer(
            PEAK, L2=0.01, beta1=0.9, beta2=0.999, eps=1e-8, grad_clip=1.0, use_averages=True
        )
        self.done, self.spent = 0, 0.0
        self.best: tuple[float, int] = (-1.0, 0)
        self.path = out / f"tagger-{name}-{seed}.npz"
        self.steps = sum(1 for number in range(passes) for _ in self._pass(number))
        self._resume()
        gc.freeze()

    def _pass(self, number: int) -> Iterator[list[int]]:
        words = min(MOST_WORDS, FIRST_WORDS * GROWTH**number)
        return batches(self.sizes, words, random.Random(f"tagger:{self.seed}:{number}"))

    def run_pass(self) -> float:
        """Train on every text once; returns the loss."""
        ner = self.nlp.get_pipe("ner")
        began, losses = time.monotonic(), {"ner": 0.0}
        before = sum(1 for number in range(self.done) for _ in self._pass(number))
        for at, part in enumerate(self._pass(self.done)):
            step = before + at
            spacy.util.fix_random_seed(self.seed * 1_000_003 + step)
            self.optimizer.learn_rate = learning_rate(step, self.steps)
            examples = [self.examples[place] for place in part]
            ner.update(examples, drop=DROPOUT, sgd=self.optimizer, losses=losses)
            if (at + 1) % CHECK_EVERY == 0:
                seconds = time.monotonic() - began
                say(f"pass {self.done + 1}, step {step + 1} of {self.steps}, {seconds:.0f} s")
        self.done += 1
        self.spent += time.monotonic() - began
        return losses["ner"]

    def averaged(self) -> dict[str, NDArray[np.float32]]:
        """The averages of the weights over the steps so far, by name."""
        averages = self.optimizer.averages or {}
        return {
            key: np.array(averages.get((node.id, name), node.get_param(name)))
            for key, node, name in weights.named_nodes(self.nlp)
        }

    def score(self, texts: Sequence[Text]) -> float:
        """F1 over the main types with averaged weights at half precision."""
        current = {key: value.copy() for key, value in arrays_of(self.nlp).items()}
        weights.put_arrays(self.nlp, as_shipped(self.averaged()))
        found = tag_texts([text.text for text in texts], self.nlp)
        weights.put_arrays(self.nlp, current)
        return inlegalner.strict([text.entities for text in texts], found)["main"].f1

    def save(self) -> None:
        """Write a checkpoint beside the last one and move it into place."""
        state: dict[str, Any] = {"done": self.done, "spent": self.spent, "best": self.best}
        for key, node, name in weights.named_nodes(self.nlp):
            at = (node.id, name)
            state[f"current/{key}"] = node.get_param(name)
            if at in self.optimizer.mom1:
                state[f"first/{key}"] = self.optimizer.mom1[at]
                state[f"second/{key}"] = self.optimizer.mom2[at]
                state[f"average/{key}"] = (self.optimizer.averages or {})[at]
                state[f"updates/{key}"] = self.optimizer.nr_update[at]
        self.path.parent.mkdir(parents=True, exist_ok=True)
        beside = self.path.with_suffix(".part.npz")
        np.savez(beside, allow_pickle=False, **state)
        beside.replace(self.path)

    def _resume(self) -> None:
        if not self.path.is_file():
            return
        with np.load(self.path, allow_pickle=False) as state:
            self.done, self.spent = int(state["done"]), float(state["spent"])
            self.best = (float(state["best"][0]), int(state["best"][1]))
            names = set(state.files)
            for key, node, name in weights.named_nodes(self.nlp):
                at = (node.id, name)
                node.set_param(name, state[f"current/{key}"])
                if f"first/{key}" in names and self.optimizer.averages is not None:
                    self.optimizer.mom1[at] = state[f"first/{key}"]
                    self.optimizer.mom2[at] = state[f"second/{key}"]
                    self.optimizer.averages[at] = state[f"average/{key}"]
                    self.optimizer.nr_update[at] = int(state[f"updates/{key}"])


def as_shipped(arrays: dict[str, NDArray[np.float32]]) -> dict[str, NDArray[np.float32]]:
    """The weights as they come back from disk, at half precision."""
    return {key: value.astype(np.float16).astype(np.float32) for key, value in arrays.items()}


def main() -> None:
    """Train the fact tagger from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder that holds inlegalner/")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=45.0, help="limit of this run")
    parser.add_argument("--passes", type=int, default=PASSES, help="passes over the texts, planned")
    parser.add_argument("--stop", type=int, default=PASSES, help="stop after this pass")
    parser.add_argument("--out", type=Path, default=Path("training/runs"))
    parser.add_argument("--everything", action="store_true", help="train on the left-out tenth too")
    parser.add_argument("--gpu", action="store_true", help="train on the first GPU (needs cupy)")
    parser.add_argument("--install", action="store_true", help="put the weights into the package")
    given = parser.parse_args()
    if given.gpu:
        spacy.require_gpu()
    given.out.mkdir(parents=True, exist_ok=True)
    everything = inlegalner.read_part(given.data, "train", clean=True)
    held = [text for text in everything if inlegalner.held_out(text, given.seed)]
    rest = [text for text in everything if not inlegalner.held_out(text, given.seed)]
    name = "everything" if given.everything else "held"
    texts = everything if given.everything else rest
    trainer = Trainer(texts, given.out, name, given.seed, given.passes)
    say(f"{len(texts)} texts, {sum(trainer.sizes)} words, {trainer.moved} spans off token borders")
    began = time.monotonic()
    best = given.out / f"tagger-{name}-{given.seed}"
    last = min(trainer.passes, given.stop)
    while trainer.done < last and time.monotonic() - began < 60 * given.minutes:
        loss = trainer.run_pass()
        scored = not given.everything and 2 * trainer.done >= trainer.passes
        score = trainer.score(held) if scored else -1.0
        if given.everything or score > trainer.best[0]:
            trainer.best = (score, trainer.done)
            metadata = {"seed": given.seed, "passes": trainer.done, "of": trainer.passes}
            write_weights(trainer.averaged(), metadata, best)
        trainer.save()
        say(f"pass {trainer.done}: loss {loss:.0f}, left-out F1 {score:.4f}, {trainer.spent:.0f} s")
    if not trainer.best[1]:
        say("stopped before the first pass that is measured; run again to go on")
        return
    weights.put_arrays(trainer.nlp, weights.read(best / weights.WEIGHTS))
    development = inlegalner.read_part(given.data, "dev")
    found = tag_texts([text.text for text in development], trainer.nlp)
    scores = inlegalner.strict([text.entities for text in development], found)
    say(json.dumps({label: round(score.f1, 4) for label, score in scores.items()}))
    say(f"best pass {trainer.best[1]}, {trainer.spent:.0f} s, {best / weights.WEIGHTS}")
    if given.install:
        install(best / weights.WEIGHTS, adapter_folder())
        say(f"installed in {adapter_folder()}")


if __name__ == "__main__":
    main()
