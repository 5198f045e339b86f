"""Train the question who a person is: whose an age is, whose birth a date tells, who a name names.

    python -m training.persons [--install]

One linear question on the states of the reader, which stays as it is. It is fitted to the mentions
of the parties and of everybody else whom the labelled matters name, to the ages and the dates of
birth, and to ages and dates that are written behind one mention of each name: matters seldom tell
the age of a witness. Every fifth matter measures; the others are what is installed.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from sklearn.linear_model import LogisticRegression

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from countercase.facts.reader import PERSON, SURE_OF_PERSON, Array, span_vector
from countercase.text.spans import Span
from training.circumstances import Question, add_questions
from training.matter_sheets import is_held_out, load_matters
from training.matters_check import ROLES, find_spans

STRENGTH: Final = 0.001
"""Inverse of the strength of the penalty on standardised vectors, chosen by the matters left out."""
PASSES: Final = 200
NATURAL: Final = (
    "Individual", "Minor", "Public servant", "Employee", "Contractor", "Tenant", "Licensee",
)  # fmt: skip
AGES: Final = (
    ", {age}", " ({age})", ", aged {age}", ", aged about {age} years", ", {age} years",
    ", {age} yrs", " ({age} yrs)", " aged {age} years", " (DOB {born})", ", born on {born}",
)  # fmt: skip
"""How an age, or a date of birth, is written behind a name."""
TOLD: Final = re.compile(r"\d[\d.]*\d?(?: (?:years|yrs))?")
LATEST: Final = 2024


@dataclass(frozen=True)
class Place:
    """A place of a text that tells of a person.

    Args:
        kind: `name`, `age`, `birth`, or `written` for an age that was put behind a name.
        role: of the person; "" for one who has none.
    """

    kind: str
    role: str
    vector: Array
    held_out: bool


def places_of(matter: Mapping[str, Any]) -> Iterator[tuple[str, str, str, Span]]:
    """Yield the kind, the role, the text and the place of what tells of persons in a matter."""
    text, names = matter["text"], list[tuple[Span, Mapping[str, Any]]]()
    for fact in matter["facts"]:
        if fact["type"] not in ("PartyType", "Numerical"):
            continue
        spans = [Span(*place) for place in find_spans(text, fact["mentions"])]
        if fact["type"] == "PartyType":
            yield from (("name", fact["role"], text, span) for span in spans)
            named = [s for s in spans if text[s.start].isupper() and _may_have_an_age(text, s)]
            if named and fact["name"] and fact["value"] in NATURAL:
                names.append((named[0], fact))
        elif fact["kind"] == "age" and fact["stated"]:
            yield from (("age", fact["owner"], text, span) for span in spans)
        elif fact["kind"] == "age":
            yield "birth", fact["owner"], text, min(spans, key=lambda s: _year(text, s))
    yield from write_ages(text, names, random.Random(matter["matter_id"]))


def _may_have_an_age(text: str, name: Span) -> bool:
    return not re.match(r"['’]s|[\s,(]*(?:aged?\b|about\b|\d)", text[name.end :])


def _year(text: str, date: Span) -> int:
    return int(re.findall(r"\d{2,4}", text[date.start : date.end])[-1])


def write_ages(
    text: str, names: Sequence[tuple[Span, Mapping[str, Any]]], draw: random.Random
) -> Iterator[tuple[str, str, str, Span]]:
    """Yield the ages that are put behind names of a text, all in one text."""
    written, last, places = "", 0, list[tuple[Span, str]]()
    for name, fact in sorted(names, key=lambda it: it[0]):
        age = draw.randint(8, 17) if fact["value"] == "Minor" else draw.randint(19, 70)
        born = f"{draw.randint(1, 28):02}.{draw.randint(1, 12):02}.{LATEST - age}"
        words = draw.choice(AGES).format(age=age, born=born)
        told = TOLD.search(words)
        assert told is not None
        written += text[last : name.end]
        begin, last = len(written), name.end
        places.append((Span(begin + told.start(), begin + told.end()), fact["role"]))
        written += words
    yield from (("written", role, written + text[last:], span) for span, role in places)


def load_places() -> list[Place]:
    """Return what tells of persons in all labelled matters, as the reader sees it."""
    return [
        Place(kind, role, vector, is_held_out(number))
        for number, matter in enumerate(load_matters())
        for kind, role, text, span in places_of(matter)
        if (vector := span_vector(text, span)) is not None
    ]


def fit(places: Sequence[Place]) -> Question:
    """Return the weights, shape (roles, width), and the biases of the question."""
    vectors = np.array([place.vector for place in places])
    middle, spread = vectors.mean(axis=0), vectors.std(axis=0) + 1e-6
    model = LogisticRegression(C=STRENGTH, max_iter=PASSES)
    model.fit((vectors - middle) / spread, [ROLES.index(place.role) for place in places])
    weights, biases = np.zeros((len(ROLES), len(middle))), np.full(len(ROLES), -30.0)
    weights[model.classes_] = model.coef_ / spread
    biases[model.classes_] = model.intercept_ - (model.coef_ / spread) @ middle
    return weights, biases


def report(places: Sequence[Place], asked: Question) -> None:
    """Print for each kind of place how many roles are told, and the share of them that is right."""
    for kind in ("name", "age", "birth", "written"):
        own = [place for place in places if place.kind == kind]
        scores = np.array([place.vector for place in own]) @ asked[0].T + asked[1]
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        best, right = shares.argmax(axis=1), np.array([ROLES.index(it.role) for it in own])
        told = (shares.max(axis=1) >= SURE_OF_PERSON) & (best > 0)
        print(
            f"{kind}: {len(own)}, likeliest right {np.mean(best == right):.3f}; told {told.sum()}, "
            f"of which right {np.mean(best[told] == right[told]):.3f}"
        )


def main() -> None:
    """Fit, measure and install the question from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--install", action="store_true", help="put it into the package")
    given = parser.parse_args()
    places = load_places()
    asked = fit([place for place in places if not place.held_out])
    report([place for place in places if place.held_out], asked)
    if given.install:
        add_questions({PERSON: asked}, ROLES)


if __name__ == "__main__":
    main()
