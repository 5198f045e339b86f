"""Train the reader on the labelled matters: whose figures are, when it happened, and more.

    python training/reader.py [--seed 0] [--passes 20] [--more 0]

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
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from countercase.encoders.embedded.weights import tokenizer_file
from countercase.fact_types.numerical.recognise import find_figures
from countercase.facts.vocabulary import EVIDENCE_TYPES, PARTY_TYPES
from countercase.law.citations import find_citations
from countercase.text.dates import find_dates
from countercase.text.sentences import sentence_spans
from training.lora import write_adapter
from training.matter_sheets import is_held_out, load_matters
from training.matters_check import ROLES, find_spans
from training.reader_network import FROZEN, ReaderNetwork, Sample

KINDS: Final = ("amount", "age", "duration", "quantity", "count")
SIDES: Final = ("petitioner", "respondent", "other")
STRENGTHS: Final = ("full", "weakened", "absent")
LAYER: Final = "layer."
"""What the names of the retrained layers begin with in the file of weights."""
FEWEST: Final = 5
"""Matters' figures that a measure must have to be a class of its own."""
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


def classes_of(matters: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return the classes of each head by name, in order."""
    figures = [f for m in matters for f in m["facts"] if f["type"] == "Numerical"]
    told = Counter(f["measures"] for f in figures)
    derived = Counter(f["measures"] for f in figures if not f["stated"])
    measures = sorted(m for m, n in told.items() if n >= FEWEST)
    between = sorted(m for m, n in derived.items() if n >= FEWEST)
    inside = ["O", "B", "I"]
    return {
        "tag.evidence": inside,
        "tag.party": inside,
        "tag.figure": ["O", *(f"{part}-{kind}" for kind in KINDS for part in "BI")],
        "clause.evidence.type": list(EVIDENCE_TYPES),
        "clause.evidence.strength": list(STRENGTHS),
        "span.party.type": list(PARTY_TYPES),
        "span.party.side": list(SIDES),
        "span.party.role": list(ROLES),
        "span.party.named": ["no", "yes"],
        "span.figure.is_fact": ["no", "yes"],
        "span.figure.measures": ["", *measures],
        "span.figure.owner": list(ROLES),
        "span.date.read_on": ["no", "yes"],
        "pair.party.same": ["no", "yes"],
        "pair.evidence.same": ["no", "yes"],
        "pair.date.between": ["none", "other", *between],
    }


class Labeller:
    """Turns a labelled matter into pieces and classes."""

    def __init__(self, classes: Mapping[str, list[str]]) -> None:
        self.classes = classes
        self.places = {name: {c: n for n, c in enumerate(own)} for name, own in classes.items()}
        self.tokenizer = Tokenizer.from_file(str(tokenizer_file()))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()

    def sample(
        self, matter: Mapping[str, Any], network: ReaderNetwork, part: tuple[int, int] | None = None
    ) -> Sample:
        """Return one matter with its frozen states, or a part of it as if it were all.

        In a part nobody is asked for side and role, which the rest of the matter may tell.
        """
        whole = matter["text"]
        cut = part or (0, len(whole))
        text = whole[cut[0] : cut[1]]
        encoded = self.tokenizer.encode(text)
        offsets = encoded.offsets
        spans: dict[str, list[tuple[int, int]]] = {
            k: [] for k in ("evidence", "party", "figure", "date")
        }
        classes: dict[str, list[int]] = {
            name: [] for name in self.classes if name.startswith(("span", "clause"))
        }
        pairs: dict[str, list[tuple[int, int, int]]] = {
            n: [] for n in self.classes if n.startswith("pair")
        }
        tags = {name: [0] * len(offsets) for name in self.classes if name.startswith("tag")}
        clauses: list[tuple[int, int]] = []
        owners: dict[str, list[int]] = {"evidence": [], "party": []}

        def add(kind: str, at: tuple[int, int], **own: str | None) -> None:
            spans[kind].append(at)
            for name in classes:
                _, whose, what = name.split(".")
                if whose == kind:
                    value = own[what]
                    classes[name].append(-100 if value is None else self.places[name][value])

        dates = [(d.start, d.end) for d in find_dates(text)]
        date_at = {d: at for d in dates if (at := pieces_of(offsets, d)) is not None}
        dates = list(date_at)
        between: dict[tuple[int, int], str] = {}
        taken: list[tuple[int, int]] = []
        for number, fact in enumerate(matter["facts"]):
            places = [
                (a - cut[0], b - cut[0])
                for a, b in find_spans(whole, fact["mentions"])
                if cut[0] <= a and b <= cut[1]
            ]
            if fact["type"] == "Numerical" and not fact["stated"]:
                met = [
                    next((n for n, d in enumerate(dates) if d[0] < b and a < d[1]), None)
                    for a, b in places
                ]
                if len(met) == 2 and None not in met and met[0] != met[1]:
                    low, high = sorted(n for n in met if n is not None)
                    between[low, high] = fact["measures"]
                continue
            for place in places:
                at = pieces_of(offsets, place)
                if at is None:
                    continue
                if fact["type"] == "Evidence":
                    add("evidence", at, type=fact["value"], strength=fact["strength"])
                    owners["evidence"].append(number)
                    clauses.append(clause_of(text, fact["words"], place, offsets) or at)
                    mark(tags["tag.evidence"], at, 1)
                elif fact["type"] == "PartyType":
                    named = "yes" if is_named(text[place[0] : place[1]], fact["name"]) else "no"
                    side, role = (None, None) if part else (fact["side"], fact["role"])
                    add("party", at, type=fact["value"], side=side, role=role, named=named)
                    owners["party"].append(number)
                    mark(tags["tag.party"], at, 1)
                elif fact["type"] == "Numerical":
                    measures = fact["measures"]
                    known = measures in self.places["span.figure.measures"]
                    add(
                        "figure",
                        at,
                        is_fact="yes",
                        measures=measures if known else "",
                        owner=fact["owner"],
                    )
                    taken.append(place)
                    mark(tags["tag.figure"], at, 1 + 2 * KINDS.index(fact["kind"]))
        cited = [c.span for c in find_citations(text)]
        for mention in find_figures(text, cited):
            if not any(mention.span.start < b and a < mention.span.end for a, b in taken):
                at = pieces_of(offsets, (mention.span.start, mention.span.end))
                if at is not None:
                    add("figure", at, is_fact="no", measures=None, owner=None)
        words = matter["read_on_words"]
        start = text.find(words) if words else -1
        for date in dates if part is None else ():
            on = start >= 0 and date[0] < start + len(words) and start < date[1]
            add("date", date_at[date], read_on="yes" if on else "no")
        for kind in ("evidence", "party"):
            own = owners[kind]
            pairs[f"pair.{kind}.same"] = [
                (a, b, int(own[a] == own[b])) for b in range(len(own)) for a in range(b)
            ]
        gaps = self.places["pair.date.between"]
        pairs["pair.date.between"] = [
            (a, b, gaps.get(between.get((a, b), "none"), gaps["other"]))
            for b in range(len(dates) if part is None else 0)
            for a in range(b)
        ]
        return Sample(network.frozen_states(encoded.ids), tags, spans, classes, clauses, pairs)

    def suppositions(self, matter: Mapping[str, Any], network: ReaderNetwork) -> Iterator[Sample]:
        """Yield what counsel would suppose of each figure, in which only the figure is asked for."""
        facts = {fact["id"]: fact for fact in matter["facts"] if fact["type"] == "Numerical"}
        for row in matter["what_ifs"]:
            fact = facts.get(row["fact"])
            if fact is None:
                continue
            encoded = self.tokenizer.encode(row["suppose"])
            found = [m.span for m in find_figures(row["suppose"]) if m.value.kind == fact["kind"]]
            at = pieces_of(encoded.offsets, (found[0].start, found[0].end)) if found else None
            if at is None:
                continue
            known = fact["measures"] in self.places["span.figure.measures"]
            measures = self.places["span.figure.measures"][fact["measures"] if known else ""]
            owner = self.places["span.figure.owner"][fact["owner"]]
            classes = {
                "span.figure.is_fact": [1],
                "span.figure.measures": [measures],
                "span.figure.owner": [owner],
            }
            yield Sample(network.frozen_states(encoded.ids), {}, {"figure": [at]}, classes, [], {})


def random_part(text: str, draw: random.Random) -> tuple[int, int]:
    """Return one to three sentences of a text that follow each other."""
    sentences = sentence_spans(text)
    first = draw.randrange(len(sentences))
    last = min(len(sentences), first + draw.randint(1, 3)) - 1
    return sentences[first][0], sentences[last][1]


def is_named(words: str, name: str) -> bool:
    """Return whether the words that mention a party give its name, or the end of it."""
    return bool(name) and (words in name or name in words)


def date_at_place(dates: Sequence[tuple[int, int]], place: tuple[int, int]) -> int | None:
    """Return the number of the date that shares a character with a place."""
    return next((n for n, (a, b) in enumerate(dates) if a < place[1] and place[0] < b), None)


def pieces_of(offsets: Sequence[tuple[int, int]], place: tuple[int, int]) -> tuple[int, int] | None:
    """Return the pieces [first, behind) that share a character with a place."""
    met = [n for n, (a, b) in enumerate(offsets) if a < b and a < place[1] and place[0] < b]
    return (met[0], met[-1] + 1) if met else None


def clause_of(
    text: str, words: str, place: tuple[int, int], offsets: Sequence[tuple[int, int]]
) -> tuple[int, int] | None:
    """Return the pieces of the clause `words` that holds `place`, or else of its first occurrence."""
    starts = [n for n in range(len(text)) if text.startswith(words, n)]
    holding = [n for n in starts if n <= place[0] and place[1] <= n + len(words)]
    for start in (*holding, *starts):
        return pieces_of(offsets, (start, start + len(words)))
    return None


def mark(tags: list[int], at: tuple[int, int], begin: int) -> None:
    """Write the class of a first piece and, for those behind it, the class after it."""
    tags[at[0]] = begin
    for piece in range(at[0] + 1, at[1]):
        tags[piece] = begin + 1


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
        """Write the retrained layers and the heads in half precision; returns the file."""
        path = self.path.with_name(name)
        tensors = packed(dict(self.network.named_parameters()))
        write_adapter(path, tensors, {"classes": self.classes})
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
    """Return the parameters that are trained under the names of the file of weights."""
    tensors = {}
    for name, tensor in parameters.items():
        if name.startswith("upper."):
            number, _, rest = name.removeprefix("upper.").partition(".")
            tensors[f"{LAYER}{int(number) + FROZEN}.{rest}"] = tensor.detach()
        elif name.startswith("heads."):
            head, _, part = name.removeprefix("heads.").rpartition(".")
            head = head.removeprefix("layers.").replace("-", ".")
            tensors[f"head.{head}.{part}"] = tensor.detach()
    return tensors


def main() -> None:
    """Train the reader from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--passes", type=int, default=20, help="over four fifths of the matters")
    parser.add_argument("--more", type=int, default=0, help="then over all matters")
    parser.add_argument("--out", type=Path, default=Path("training/runs"))
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
    say(f"weights in {trainer.export('reader.safetensors')}")


if __name__ == "__main__":
    main()
