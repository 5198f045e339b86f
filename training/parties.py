"""Measure how the parties of the labelled matters are read, by the rules and by a learnt trial.

    python -m training.parties

A party is right by its side, its type and its role; a role that the package does not know counts as the
one that stands for it (`ROLE_FOR`). `client` is the share of the matters whose words `client`, `I`, `my` or
`we` name a party, in which a party of that side is read there or, where a reading has no places, at all.

The trial asks the states of the reader, which stays as it is: one weighing of the pieces a side, linear
questions on what they give and on the whole text for each type and role, in five folds by matter. The
layers of the reader have seen the matters of the first four, so the fifth alone is clean. It is not
installed: there it is little better than the rules (F1 .41 against .39 when it was tried), and of the
messy matters of `countercase eval reading` it reads .75 by side and type where the rules read .95.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch.nn import functional

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from countercase.facts.extraction import recognise
from countercase.facts.model import PartyValue
from countercase.facts.reader import token_states
from countercase.facts.vocabulary import PARTY_TYPES, ROLES, SIDES
from countercase.text.spans import Span
from training.matter_sheets import load_matters
from training.matters_check import find_spans

ROLE_FOR: Final = {
    "consumer": "complainant", "creditor": "claimant", "debtor": "defendant",
    "service provider": "defendant", "injured": "victim",
}  # fmt: skip
OF_A_CHEQUE: Final = {"creditor": "complainant", "debtor": "accused"}
CLIENT: Final = re.compile(r"(?i)\b(?:client|i|my|we|our)\b")
KNOWN: Final = ("", *ROLES)
FOLDS, PASSES, BATCH, RATE, DROPPED = 5, 8, 16, 2e-3, 0.6
LEAST: Final = 0.35
"""The probability of its likeliest type from which on a side has a party."""

Read = tuple[str, str, str]
"""Side, type and role of a party."""


@dataclass(frozen=True)
class Sample:
    """The states of a matter, (pieces, width), with what it says of each side.

    Args:
        told: which types and roles a side has, (sides, types and roles).
        at: which pieces name a party of a side, (pieces, sides).
    """

    states: torch.Tensor
    told: torch.Tensor
    at: torch.Tensor


def role_in(area: str, role: str) -> str:
    """Return the role of the package that stands for a labelled one; "" for none."""
    own = OF_A_CHEQUE.get(role, "") if area == "cheque_dishonour" else ""
    role = own or ROLE_FOR.get(role, role)
    return role if role in KNOWN else ""


def parties_of(matter: Mapping[str, Any]) -> list[tuple[Read, list[Span]]]:
    """Return the parties of a matter as labelled, each with its places."""
    own = (f for f in matter["facts"] if f["type"] == "PartyType" and f["side"] != "other")
    return [
        (
            (fact["side"], fact["value"], role_in(matter["area"], fact["role"])),
            [Span(*it) for it in find_spans(matter["text"], fact["mentions"])],
        )
        for fact in own
    ]


def read_by_rules(matter: Mapping[str, Any]) -> list[tuple[Read, tuple[Span, ...]]]:
    """Return the parties of a matter that the package reads without a title or a tagger."""
    facts = recognise(matter["text"], types=("PartyType",))
    values = ((f.value, f.spans) for f in facts)
    return [((v.side, v.party_type, v.role), s) for v, s in values if isinstance(v, PartyValue)]


def sample_of(matter: Mapping[str, Any]) -> Sample:
    """Return a matter as the trial sees it."""
    offsets, states, _ = token_states(matter["text"])
    told = torch.zeros(len(SIDES), len(PARTY_TYPES) + len(KNOWN))
    at = torch.zeros(len(states), len(SIDES), dtype=torch.bool)
    for (side, kind, role), spans in parties_of(matter):
        number = [*SIDES].index(side)
        told[number, PARTY_TYPES.index(kind)] = 1
        told[number, len(PARTY_TYPES) + KNOWN.index(role)] = 1
        for span in spans:
            met = (offsets[:, 0] < span.end) & (span.start < offsets[:, 1])
            at[torch.from_numpy(met), number] = True
    return Sample(torch.from_numpy(states.astype(np.float32)), told, at)


class Trial(torch.nn.Module):
    """Where a party of each side is named, and of what types and roles the parties are."""

    def __init__(self, samples: Sequence[Sample]) -> None:
        super().__init__()
        pieces = torch.cat([sample.states for sample in samples])
        self.middle, self.spread = pieces.mean(0), pieces.std(0) + 1e-6
        width, classes = pieces.shape[1], samples[0].told.shape[1]
        self.weighs = torch.nn.Linear(width, len(SIDES), bias=False)
        asked = (torch.nn.Linear((len(SIDES) + 1) * width, classes) for _ in SIDES)
        self.asked, self.dropped = torch.nn.ModuleList(asked), torch.nn.Dropout(DROPPED)

    def forward(self, states: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the log-odds of the classes of each side, and the logarithms of the weights."""
        states = (states - self.middle) / self.spread
        weights = torch.log_softmax(self.weighs(states), 0)
        seen = torch.cat([(weights.exp().T @ states).flatten(), states.mean(0)])
        return torch.stack([asked(self.dropped(seen)) for asked in self.asked]), weights

    def loss(self, sample: Sample) -> torch.Tensor:
        """Return what is wrong about the classes, and about the places where there are any."""
        odds, weights = self(sample.states)
        wrong = functional.binary_cross_entropy_with_logits(odds, sample.told, reduction="sum")
        told = sample.at.any(0)
        named = weights.masked_fill(~sample.at, -1e9)[:, told]
        return wrong - 0.5 * torch.logsumexp(named, 0).sum()


def fit(samples: Sequence[Sample]) -> Trial:
    """Return the trial fitted to samples."""
    torch.manual_seed(0)
    draw, trial = random.Random(0), Trial(samples)
    optimizer = torch.optim.AdamW(trial.parameters(), lr=RATE, weight_decay=0.1)
    for _ in range(PASSES):
        order = draw.sample(range(len(samples)), len(samples))
        for start in range(0, len(order), BATCH):
            own = [trial.loss(samples[n]) for n in order[start : start + BATCH]]
            optimizer.zero_grad()
            torch.stack(own).mean().backward()  # type: ignore[no-untyped-call]
            optimizer.step()
    return trial.eval()


def read_by_trial(trial: Trial, sample: Sample, seen: set[Read]) -> Iterator[Read]:
    """Yield for each side its likeliest type with its likeliest role of those that were seen."""
    with torch.no_grad():
        chances = torch.sigmoid(trial(sample.states)[0])
    for side, own in zip(SIDES, chances, strict=True):
        kinds = own[: len(PARTY_TYPES)]
        kind = PARTY_TYPES[int(kinds.argmax())]
        odds = dict(zip(KNOWN, own[len(PARTY_TYPES) :].tolist(), strict=True))
        roles = [role for _, its, role in seen if its == kind]
        if float(kinds.max()) >= LEAST and roles:
            yield side, kind, max(roles, key=odds.__getitem__)


def report(name: str, labelled: Sequence[set[Read]], read: Sequence[set[Read]]) -> None:
    """Print precision and recall of parties, by side, type and role and by side and type."""
    for what, size in (("side, type, role", 3), ("side, type", 2)):
        pairs = [({p[:size] for p in own}, {p[:size] for p in its})
                 for own, its in zip(labelled, read, strict=True)]  # fmt: skip
        right = sum(len(own & its) for own, its in pairs)
        wanted, found = (sum(len(pair[at]) for pair in pairs) for at in (0, 1))
        print(f"{name}, {what}: precision {right / found:.3f}, recall {right / wanted:.3f}")


def client_side(matter: Mapping[str, Any]) -> tuple[str, list[Span]] | None:
    """Return the side of the party that words for the client name, and where; None for none."""
    for (side, _, _), spans in parties_of(matter):
        own = [s for s in spans if CLIENT.search(matter["text"][s.start : s.end])]
        if own:
            return side, own
    return None


def main() -> None:
    """Measure both on every fold."""
    torch.set_num_threads(1)
    matters = load_matters()
    samples = [sample_of(matter) for matter in matters]
    labelled = [{party for party, _ in parties_of(matter)} for matter in matters]
    placed = [read_by_rules(matter) for matter in matters]
    for fold in range(FOLDS):
        own = [n for n in range(len(matters)) if n % FOLDS == fold]
        others = [n for n in range(len(matters)) if n % FOLDS != fold]
        trial = fit([samples[n] for n in others])
        seen = set[Read]().union(*(labelled[n] for n in others))
        learnt = [{*read_by_trial(trial, samples[n], seen)} for n in own]
        report(f"fold {fold + 1}, rules", [labelled[n] for n in own],
               [{party for party, _ in placed[n]} for n in own])  # fmt: skip
        report(f"fold {fold + 1}, trial", [labelled[n] for n in own], learnt)
    clients = [(n, told) for n, matter in enumerate(matters) if (told := client_side(matter))]
    right = sum(
        any(
            p[0] == side and any(s.overlaps(o) for s in spans for o in own)
            for p, spans in placed[n]
        )
        for n, (side, own) in clients
    )
    print(f"client, rules: {right} of {len(clients)}")


if __name__ == "__main__":
    main()
