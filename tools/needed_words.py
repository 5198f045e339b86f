"""Write `countercase/text/data/needed_words.jsonl`: the words that a text must hold for a pattern.

A row gives, for a pattern of the tables by its key, groups of words. Every text that the pattern
matches holds a member of each group, in lower case, with one space for any space and `EDGE` where
a word begins or ends; a member that is itself a list of groups is held with all of them.
`countercase.text.patterns` compiles a pattern only for such a text.
Run it after a change of a table: `python -m tools.needed_words`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, Final

import countercase
from countercase.corpus.judgment.attribution import courts
from countercase.corpus.judgment.patterns import patterns_of, rows_of
from countercase.fact_types.evidence.triggers import Exempt, Trigger
from countercase.fact_types.party.notes import CLIENT_PLACES, PartyNote, Proceeding
from countercase.fact_types.party.recognise import text_types
from countercase.io import read_table
from countercase.text.patterns import EDGE, TABLES, NamedPattern, Needed, Pattern, expanded, pattern

TABLE: Final = Path(countercase.__file__).parent / "text" / "data" / "needed_words.jsonl"
_FEWEST_LETTERS: Final = 2
"""A word of one letter is in every text."""
_MOST_WORDS: Final = 400
"""Members of a group, at most."""
_MOST_JOINED: Final = 64
"""Members of a group that joins several parts of a pattern, at most."""
_MOST_OF_A_CLASS: Final = 10
"""Letters of a range that is spelt out, at most."""
_NO_WORD_BEFORE: Final = "<"
_NO_WORD_AFTER: Final = ">"
"""Marks of a run of letters: outside of it there is no letter. They are in no word of a pattern."""
_MARKS: Final = f"{EDGE}{_NO_WORD_BEFORE}{_NO_WORD_AFTER}"


@dataclass(frozen=True)
class NeededWords:
    """A row of the table: what a text must hold for the pattern of this key to match."""

    key: str
    words: Needed


def needed_words(words: str, flags: int = 0) -> Needed:
    """Return what each text that the pattern matches holds, in lower case; () for nothing."""
    return _find_groups(parser.parse(words, flags))


def _find_groups(items: Iterable[Any]) -> Needed:
    """Return groups of which each text that a sequence matches holds a member.

    What is written out is joined over its choices (`no (?:sign|mark)` is `no sign`, `no mark`) until
    there are too many; what is open, such as a digit, parts one group from the next.
    """
    groups: list[tuple[str | Needed, ...]] = []
    run = frozenset({""})
    for code, value in _flatten(items):
        if code is op.ASSERT:
            groups.extend(_find_groups(value[1]))
            continue
        choices = _spell_out(code, value)
        if choices is not None and len(run) * len(choices) <= max(_MOST_JOINED, len(run)):
            run = _join(run, choices)
            continue
        groups.extend(_group_of(run))
        run = choices if choices is not None else frozenset({""})
        if choices is None:
            groups.extend(_open_groups(code, value))
    groups.extend(_group_of(run))
    return tuple(sorted(dict.fromkeys(groups), key=lambda group: (len(group), str(group))))


def _flatten(items: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
    """Yield the items of a sequence with those of its brackets among them."""
    for code, value in items:
        if code is op.SUBPATTERN:
            yield from _flatten(value[-1])
        elif code is op.ATOMIC_GROUP:
            yield from _flatten(value)
        else:
            yield code, value


def _spell_out(code: Any, value: Any) -> frozenset[str] | None:
    """Return all that an item matches, with one space for any space; None where that is open."""
    if code is op.AT:
        return frozenset({EDGE if value is op.AT_BOUNDARY else ""})
    if code is op.ASSERT_NOT:
        mark = _NO_WORD_BEFORE if value[0] < 0 else _NO_WORD_AFTER
        return frozenset({mark if _holds_all_letters(value[1]) else ""})
    if code is op.LITERAL:
        return _spell_letter(chr(value))
    if code is op.IN:
        return _unite(_spell_out(*item) for item in value)
    if code is op.CATEGORY:
        return frozenset({" "}) if value is op.CATEGORY_SPACE else None
    if code is op.RANGE and value[1] - value[0] < _MOST_OF_A_CLASS:
        return _unite(_spell_letter(chr(letter)) for letter in range(value[0], value[1] + 1))
    if code is op.BRANCH:
        return _unite(map(_spell_sequence, value[1]))
    if code in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        once = _spell_sequence(value[2])
        if once is None or (value[1] > 1 and once != {" "}):
            return None
        return once if value[0] else once | {""}
    return None


def _spell_sequence(items: Iterable[Any]) -> frozenset[str] | None:
    run = frozenset({""})
    for code, value in _flatten(items):
        choices = _spell_out(code, value)
        if choices is None or len(run) * len(choices) > _MOST_WORDS:
            return None
        run = _join(run, choices)
    return run


def _spell_letter(letter: str) -> frozenset[str] | None:
    lower = " " if letter.isspace() else letter.lower()
    return frozenset({lower}) if len(lower) == 1 and lower not in _MARKS else None


def _unite(choices: Iterable[frozenset[str] | None]) -> frozenset[str] | None:
    united: set[str] = set()
    for each in choices:
        if each is None:
            return None
        united |= each
    return frozenset(united) if len(united) <= _MOST_WORDS else None


def _holds_all_letters(items: Sequence[Any]) -> bool:
    """Return whether a sequence is one class of letters, with every letter of a word in it."""
    if len(items) != 1 or items[0][0] is not op.IN:
        return False
    members = items[0][1]
    return (op.CATEGORY, op.CATEGORY_WORD) in members and (op.NEGATE, None) not in members


def _join(heads: Iterable[str], tails: frozenset[str]) -> frozenset[str]:
    return frozenset(_set_edges(head + tail) for head in heads for tail in tails)


def _set_edges(run: str) -> str:
    """Return a run of letters with an edge at each end of a word within it, and where it has one."""
    letters = re.sub(" +", " ", re.sub(f"[{_MARKS}]", "", run))
    if not letters:
        return "".join(sorted(set(run)))
    before = run[: len(run) - len(run.lstrip(_MARKS))]
    after = run[len(run.rstrip(_MARKS)) :]
    begins = EDGE in before or (_NO_WORD_BEFORE in before and re.match(r"\w", letters))
    ends = EDGE in after or (_NO_WORD_AFTER in after and re.search(r"\w\Z", letters))
    inner = re.sub(r"\b", EDGE, letters).strip(EDGE)
    return f"{EDGE if begins else ''}{inner}{EDGE if ends else ''}"


def _group_of(run: frozenset[str]) -> list[tuple[str, ...]]:
    """Return the words without those that hold another one; none where one is too short."""
    kept: list[str] = []
    for word in sorted(run, key=lambda w: (len(w), w)):
        if not any(other in word for other in kept):
            kept.append(word)
    fewest = min(len(word.strip(f"{_MARKS} ")) for word in kept)
    return [tuple(sorted(kept))] if fewest >= _FEWEST_LETTERS else []


def _open_groups(code: Any, value: Any) -> Needed:
    """Return the groups of an item that cannot be spelt out."""
    if code in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        return _find_groups(value[2]) if value[0] > 0 else ()
    if code is not op.BRANCH:
        return ()
    ways = [_find_groups(branch) for branch in value[1]]
    if not all(ways):
        return ()
    return (tuple(way for groups in ways for way in (groups[0] if len(groups) == 1 else [groups])),)


def table_patterns() -> Iterator[Pattern]:
    """Return every pattern of the tables of fact types and judgments, as the code asks for it."""
    yield from (finder for court in courts() for finder in (court.named, court.report))
    for table in ("attribution", "header", "outcome", "sections"):
        whole = (name for name, words in rows_of(table).items() if "{WORDS}" not in words)
        yield from map(patterns_of(table), whole)
    yield from (finder for _, *both in text_types() for finder in both)
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
