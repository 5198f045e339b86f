"""Write `countercase/text/data/needed_words.jsonl`: the words that a text must hold for a pattern.

A row gives, for a pattern of the tables by its key, words of which every text that the pattern
matches holds one, in lower case. `countercase.text.patterns` compiles a pattern only for such a text.
Run it after a change of a table: `python -m tools.needed_words`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, Final

import countercase
from countercase.fact_types.evidence.triggers import Exempt, Trigger
from countercase.fact_types.party.notes import CLIENT_PLACES, PartyNote, Proceeding
from countercase.io import read_table
from countercase.text.patterns import TABLES, NamedPattern, Pattern, expanded, pattern

TABLE: Final = Path(countercase.__file__).parent / "text" / "data" / "needed_words.jsonl"
_FEWEST_LETTERS: Final = 2
"""A word of one letter is in every text."""
_MOST_WORDS: Final = 400


def needed_words(words: str, flags: int = 0) -> tuple[str, ...]:
    """Return words, lower case, of which each text that the pattern matches holds one; () for none."""
    best = _needed(parser.parse(words, flags))
    return () if best is None else tuple(sorted(_shortest(best)))


def _shortest(words: Iterable[str]) -> set[str]:
    """The words without those that hold another one."""
    kept: set[str] = set()
    for word in sorted(set(words), key=lambda w: (len(w), w)):
        if not any(other in word for other in kept):
            kept.add(word)
    return kept


def _needed(items: Iterable[Any]) -> frozenset[str] | None:
    options: list[frozenset[str]] = []
    run = ""
    for code, value in [*items, (None, None)]:
        if code is op.LITERAL and len(chr(value).lower()) == 1:
            run += chr(value).lower()
            continue
        if len(run) >= _FEWEST_LETTERS:
            options.append(frozenset({run}))
        run = ""
        if code is not None and (inner := _of_item(code, value)) is not None:
            options.append(inner)
    fair = [option for option in options if len(option) <= _MOST_WORDS]
    return max(fair, key=lambda words: (min(map(len, words)), -len(words)), default=None)


def _of_item(code: Any, value: Any) -> frozenset[str] | None:
    if code is op.SUBPATTERN:
        return _needed(value[-1])
    if code is op.ATOMIC_GROUP:
        return _needed(value)
    if code is op.ASSERT:
        return _needed(value[1])
    if code in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        return _needed(value[2]) if value[0] > 0 else None
    if code is op.BRANCH:
        branches = [_needed(branch) for branch in value[1]]
        if any(branch is None for branch in branches):
            return None
        return frozenset(word for branch in branches if branch for word in branch)
    return None


def table_patterns() -> Iterator[Pattern]:
    """Return every pattern of the tables of fact types, as the code asks for it."""
    names = [row.name for table in TABLES for row in read_table(table, NamedPattern)]
    yield from map(pattern, names)
    ignoring = [
        *(
            words
            for row in read_table("fact_types/evidence_triggers", Trigger)
            for words in row.patterns
        ),
        *_columns("evidence_triggers", Trigger, "sentence_has sentence_lacks text_has text_lacks"),
        *_columns("evidence_exceptions", Exempt, "trigger before unless text_has"),
        *_columns("party_notes", PartyNote, "pattern text_has text_lacks"),
        *_columns("party_proceedings", Proceeding, "strong signs"),
        *(f"{{{name}}}" for name in names),
        *(
            place.format(row.pattern)
            for row in read_table("fact_types/party_notes", PartyNote)
            for place in CLIENT_PLACES
            if row.how == "client"
        ),
    ]
    yield from (Pattern(expanded(words), re.IGNORECASE) for words in dict.fromkeys(ignoring))


def _columns(table: str, row_type: type[Any], names: str) -> Iterator[str]:
    for row in read_table(f"fact_types/{table}", row_type):
        yield from (words for name in names.split() if (words := getattr(row, name)))


def rows(patterns: Iterable[Pattern]) -> Sequence[dict[str, object]]:
    """Return the rows of the table, by key; a pattern without such words has none."""
    told = {p.key: needed_words(p.words, p.flags) for p in patterns}
    return [{"key": key, "words": words} for key, words in sorted(told.items()) if words]


def main() -> None:
    """Write the table."""
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows(table_patterns())]
    TABLE.write_text("".join(lines), encoding="utf-8")
    print(f"{TABLE.name}: {len(lines)} patterns")


if __name__ == "__main__":
    main()
