"""Records of the casebook beside the passages of their judgments that bear them out.

For each sentence that a record says of its decision, the paragraph of the judgment that shares most
of its words, rare words counting more; for each fact that the case turned on, the paragraph that the
record names. A reader then compares the two; nothing here decides whether they agree.
"""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from countercase.corpus.casebook.check import words
from countercase.text.sentences import sentence_spans

EXCERPT: Final = 420
"""Characters of a passage that are shown."""

_NUMBERED: Final = re.compile(r"(?:^|\n)\s*\[?(\d{1,3})\s*[.\])]?\\?[.)]?\s+(?=\S)")


@dataclass(frozen=True)
class Beside:
    """A statement of a record and the passage of the judgment beside it.

    Args:
        part: `facts`, `holding`, `dispositive`, `head`.
        place: where the passage stands: `paragraph 7`, `head`.
    """

    part: str
    statement: str
    passage: str
    place: str


def drawn(records: Sequence[Mapping[str, Any]], count: int, seed: int) -> list[Mapping[str, Any]]:
    """The first `count` records of a seeded shuffle."""
    shuffled = sorted(records, key=lambda record: str(record["case_id"]))
    random.Random(f"beside:{seed}").shuffle(shuffled)
    return shuffled[:count]


def beside(record: Mapping[str, Any], source: str) -> list[Beside]:
    """Everything that a record says, each beside a passage of `source`."""
    paragraphs = list(_paragraphs(source))
    frequency = Counter(word for _, text in paragraphs for word in set(words(text)))
    head = f"{record['title']}; {record['date']}; {record['docket']}; {', '.join(record['bench'])}"
    found = [Beside("head", head, _shown(source[:EXCERPT], frozenset()), "head")]
    for part in ("facts", "holding"):
        text = record[part]
        for start, end in sentence_spans(text):
            place, passage = _nearest(text[start:end], paragraphs, frequency)
            asked = frozenset(words(text[start:end]))
            found.append(Beside(part, text[start:end], _shown(passage, asked), place))
    by_number = dict(reversed(paragraphs))
    for item in record["dispositive"]:
        statement = f"{item['fact']} ({item['fact_type']}): {item['why']}"
        place = f"paragraph {item['paragraph']}"
        passage = by_number.get(place, "")
        if not passage:
            place, passage = _nearest(statement, paragraphs, frequency)
        shown = _shown(passage, frozenset(words(statement)))
        found.append(Beside("dispositive", statement, shown, place))
    return found


def _paragraphs(source: str) -> Iterator[tuple[str, str]]:
    """Place and text of each paragraph; a line without a number belongs to the one before."""
    place: str = "head"
    lines: list[str] = []
    expected = 1
    for line in source.split("\n"):
        match = _NUMBERED.match(line)
        if match is not None and expected <= int(match[1]) <= expected + 3:
            if lines:
                yield place, " ".join(lines)
            place, lines, expected = f"paragraph {match[1]}", [], int(match[1]) + 1
        lines.append(" ".join(line.split()))
    if lines:
        yield place, " ".join(lines)


def _nearest(
    statement: str, paragraphs: Sequence[tuple[str, str]], frequency: Counter[str]
) -> tuple[str, str]:
    asked = set(words(statement))

    def shared(text: str) -> float:
        return sum(
            math.log((1 + len(paragraphs)) / (1 + frequency[word])) + 0.1
            for word in asked & set(words(text))
        )

    return max(paragraphs, key=lambda paragraph: shared(paragraph[1]))


def _shown(text: str, asked: frozenset[str]) -> str:
    """The stretch of a passage that shares most words with what was asked."""
    text = " ".join(text.split())
    if len(text) <= EXCERPT:
        return text
    starts = [0, *(match.end() for match in re.finditer(r"[.;:]\s", text))]
    best = max(
        starts, key=lambda start: (len(asked & set(words(text[start : start + EXCERPT]))), -start)
    )
    cut = text[best : best + EXCERPT]
    return ("… " if best else "") + cut.rsplit(" ", 1)[0] + " …"
