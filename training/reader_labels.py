"""What the labels of a matter ask of the reader: its word pieces, spans, pairs and their classes."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from tokenizers import Tokenizer

from countercase.encoders.embedded.weights import tokenizer_file
from countercase.fact_types.numerical.recognise import find_figures
from countercase.facts.vocabulary import EVIDENCE_TYPES, PARTY_TYPES
from countercase.law.citations import find_citations
from countercase.text.dates import find_dates
from countercase.text.sentences import sentence_spans
from training.matters_check import ROLES, find_spans
from training.reader_network import ReaderNetwork, Sample

KINDS: Final = ("amount", "age", "duration", "quantity", "count")
SIDES: Final = ("petitioner", "respondent", "other")
STRENGTHS: Final = ("full", "weakened", "absent")
FEWEST: Final = 5
"""Matters' figures that a measure must have to be a class of its own."""


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
