"""Print casebook records beside the passages of their judgments that bear them out.

    python -m tools.casebook.source_check --data DIR [--count N] [--seed N] [--id ID] [--json]

For each sentence that a record says of its decision, the paragraph of the judgment that shares most
of its words, rare words counting more; for each fact that the case turned on, the paragraph that the
record names. A reader then compares the two; nothing here decides whether they agree.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from countercase.corpus.casebook.records import casebook_records, record_of
from countercase.errors import InputError
from countercase.text.sentences import sentence_spans
from tools.casebook.check import sources_of, words

EXCERPT: Final = 420
"""Characters of a passage that are shown."""

_NUMBERED: Final = re.compile(r"(?:^|\n)\s*\[?(\d{1,3})\s*[.\])]?\\?[.)]?\s+(?=\S)")


@dataclass(frozen=True)
class Pair:
    """A statement of a record and the passage of the judgment beside it.

    Args:
        part: `facts`, `holding`, `dispositive`, `head`.
        place: where the passage stands: `paragraph 7`, `head`.
    """

    part: str
    statement: str
    passage: str
    place: str


def sample(records: Sequence[Mapping[str, Any]], count: int, seed: int) -> list[Mapping[str, Any]]:
    """The first `count` records of a seeded shuffle."""
    shuffled = sorted(records, key=lambda record: str(record["case_id"]))
    random.Random(f"beside:{seed}").shuffle(shuffled)
    return shuffled[:count]


def pairs_of(record: Mapping[str, Any], source: str) -> list[Pair]:
    """Everything that a record says, each beside a passage of `source`."""
    paragraphs = list(_paragraphs(source))
    frequency = Counter(word for _, text in paragraphs for word in set(words(text)))
    head = f"{record['title']}; {record['date']}; {record['docket']}; {', '.join(record['bench'])}"
    pairs = [Pair("head", head, _shown(source[:EXCERPT], frozenset()), "head")]
    for part in ("facts", "holding"):
        text = record[part]
        for start, end in sentence_spans(text):
            place, passage = _nearest(text[start:end], paragraphs, frequency)
            asked = frozenset(words(text[start:end]))
            pairs.append(Pair(part, text[start:end], _shown(passage, asked), place))
    by_number = dict(reversed(paragraphs))
    for item in record["dispositive"]:
        statement = f"{item['fact']} ({item['fact_type']}): {item['why']}"
        place = f"paragraph {item['paragraph']}"
        passage = by_number.get(place, "")
        if not passage:
            place, passage = _nearest(statement, paragraphs, frequency)
        shown = _shown(passage, frozenset(words(statement)))
        pairs.append(Pair("dispositive", statement, shown, place))
    return pairs


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


def main(argv: Sequence[str] | None = None) -> int:
    """Print a sample of records beside their judgments; 2 where files cannot be read."""
    parser = argparse.ArgumentParser(description="Records beside the passages of their judgments.")
    parser.add_argument("--data", type=Path, required=True, help="folder of the judgments")
    parser.add_argument("--count", type=int, default=10, help="records to draw")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--id", default="", help="this record instead of a draw")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(argv)
    try:
        records = (
            [record_of(options.id)]
            if options.id
            else sample(casebook_records(), options.count, options.seed)
        )
        sources = sources_of(options.data, records)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    shown = {row["case_id"]: pairs_of(row, sources[row["source"]["id"]]) for row in records}
    if options.json:
        document = {name: [asdict(pair) for pair in pairs] for name, pairs in shown.items()}
        print(json.dumps(document, indent=1, ensure_ascii=False))
        return 0
    for name, pairs in shown.items():
        print(f"== {name}")
        for pair in pairs:
            print(f"\n{pair.part}: {pair.statement}\n    {pair.place}: {pair.passage}")
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
