"""Evidence that is known by a noun: documents.

A document is known by the noun that heads its phrase: `rent receipt`, `copy of the sale deed`. A noun of
`data/evidence_documents.jsonl` counts by its use. `always`: the phrase alone is evidence. `stated`: its
clause must say that it is there, what it shows, or that it is missing (`the order is annexed`); `shown`
is the same, but its absence is no evidence (`no reply came`). `denied`: only its absence is evidence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise, takewhile
from typing import Final, Literal

from countercase.fact_types.evidence.polarity import is_absent
from countercase.io import read_table
from countercase.text.spans import Span
from countercase.text.words import words_of_role

Use = Literal["always", "stated", "shown", "denied"]

_TOKEN: Final = re.compile(r"[^\W_][\w'’]*(?:[-/][^\W_][\w'’]*)*|[^\w\s]")
_MODIFIERS: Final = 3  # words before the noun that belong to its phrase
_CLAUSE: Final = 9  # words of the clause on each side in which a `stated` document must be there
_CLAUSE_ENDS: Final = (";", ",", "(", ")", "but", "because", "if", "so")
_WITH: Final = ("me", "us", "client", "him", "her", "them")
_YEAR: Final = re.compile(r"(?:18|19|20)\d\d")


@dataclass(frozen=True)
class DocumentNoun:
    """Nouns of documents that count alike."""

    use: Use
    nouns: tuple[str, ...]  # in the singular
    after: tuple[str, ...] = ()  # words of which one must stand before it; none for any
    never: tuple[str, ...] = ()  # words before the noun that make it something else (`SIM card`)
    before: tuple[str, ...] = ()  # words after it that make it something else (`policy matter`)


def _read(tokens: re.Pattern[str], text: str, sentence: Span) -> list[tuple[str, Span]]:
    found = tokens.finditer(text, sentence.start, sentence.end)
    return [(match[0].lower(), Span(*match.span())) for match in found]


@cache
def _rows(noun: str) -> tuple[DocumentNoun, ...]:
    rows = read_table("fact_types/evidence_documents", DocumentNoun)
    return tuple(row for row in rows if noun in row.nouns)


_words: Final = partial(words_of_role, "fact_types/evidence_document_words")


@cache
def _singular(word: str) -> str:
    word = word.removesuffix("'s").removesuffix("’s").rstrip(".'’")
    for plural, one in (("copies", "copy"), ("entries", "entry"), ("replies", "reply")):
        if word.endswith(plural):
            return word.removesuffix(plural) + one
    if word.endswith(("policies", "diaries")):
        return word[:-3] + "y"
    if _rows(word):
        return word
    return word[:-1] if word.endswith("s") else word


def names_document(phrase: str) -> bool:
    """Return whether a phrase tells which document is meant: `sale deed`, and not `papers`."""
    *modifiers, noun = map(_singular, phrase.lower().split())
    rows = [row for row in _rows(noun) if row.use == "always"]
    if modifiers:
        return any(not row.after or {*modifiers} & {*row.after} for row in rows)
    return bool(rows) and not any(row.after or row.never for row in _rows(noun))


def document_spans(text: str, sentence: Span) -> Iterator[tuple[Span, bool]]:
    """Each document that a sentence names, and whether it is absent."""
    tokens = _read(_TOKEN, text, sentence)
    words = [word for word, _ in tokens]
    heads = [at for at, word in enumerate(words) if _rows(_singular(word))]
    for n, at in enumerate(heads):
        following = heads[n + 1] if n + 1 < len(heads) else len(tokens)
        if following == at + 1 or _is_copy_of(words, at, following):
            continue
        first = max(0, at - _MODIFIERS)
        ends = (word in _words("stop") or not word[0].isalnum() for word in words[first:at])
        opening = max((n for n, end in enumerate(ends, first + 1) if end), default=first)
        use = _use(words, opening, at)
        before = words[max(0, opening - 4) : opening][::-1]
        if use is None or {"if", "unless"} & {*before[:3]}:
            continue  # the sentence only supposes it
        span = Span(tokens[opening][1].start, tokens[at][1].end)
        absent = is_absent(text, sentence, span)
        there = use == "always" or (use != "denied" and _is_there(words, opening, at))
        wanted = _words("wanted") & {*_clause(before)}  # `what papers do I need`
        if (use != "shown") if absent else (there and not wanted):
            yield span, absent


def _use(words: Sequence[str], opening: int, at: int) -> Use | None:
    following = {*words[at + 1 : at + 2]}
    before = {*words[max(0, at - 2) : at]}
    modifiers = map(_singular, words[opening:at])
    held = {word for word in modifiers for word in (word, *word.split("-"), *word.split("/"))}
    if following & _words("not_after"):
        return None
    for row in _rows(_singular(words[at])):
        if held & _words("other") - set(row.after):
            continue
        if row.after and not (held | before) & set(row.after):
            continue
        if (held | before) & set(row.never) or following & set(row.before):
            continue
        return row.use
    return None


def _is_copy_of(words: Sequence[str], at: int, following: int) -> bool:
    """Whether the noun only says how the next one is had: `a copy of the lease`."""
    return (
        _singular(words[at]) in ("copy", "photocopy", "original")
        and following < len(words)
        and words[at + 1] == "of"
        and following - at <= _MODIFIERS + 3
    )


def _is_there(words: Sequence[str], opening: int, at: int) -> bool:
    after = _clause(words[at + 1 : at + 1 + _CLAUSE])
    before = _clause(words[max(0, opening - 4) : opening][::-1])
    with_somebody = any(a == "with" and b in _WITH for a, b in pairwise(after))
    dated = any(_YEAR.fullmatch(word) for word in after[:_MODIFIERS])
    return bool(dated or with_somebody or _words("there") & {*after} or _words("held") & {*before})


def _clause(words: Iterable[str]) -> list[str]:
    return [*takewhile(lambda word: word not in _CLAUSE_ENDS, words)]
