"""What a number measures: the nearest of some words in its clause, else in its sentence.

Where no word of the table stands there, the words of the clause themselves say what it measures
(`sample went to lab after 23 days`). Words may be off by one letter (`compansation`, `custdy`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from countercase.io import read_table
from countercase.text.spans import Span
from countercase.text.words import STOP_WORDS

_STOP: Final = re.compile(r"[.?!](?=\s+[A-Z\"'“(])|;(?=\s)|\n\s*\n")
_ABBREVIATED: Final = re.compile(
    r"\b(?:Rs|Nos?|Dr|Mr|Mrs|Ms|Smt|Shri|Sri|St|vs?|[A-Z]|(?i:acc|accd|petr|petnr|resp|respdt|appl|app"
    r"|applt|compl|complt|deft|defdt|plff|pltf|dec|decd|inft|dt|dtd|approx|abt|adv|ld|md|mohd|kr|km"
    r"|insp|const|hon|ltd|pvt|secs?|arts?|distt|vill|regd|recd|amt|hosp|exh?|cert|dept))\Z"
)
_PAUSE: Final = re.compile(
    r"[,:](?=\s)|[;()\[\]?!=+→]|\s[-–—]\s|\.(?=\s+[A-Z(])|\n"
    r"|\s(?:and|but|while|whereas|so|then|though|because|bcoz|coz|when|who|which|&)\s"
)
_TOKEN: Final = re.compile(r"[^\W\d_][\w'’]*(?:-[^\W\d_]+)*")
_ADJECTIVE: Final = re.compile(
    r"(?i)(?<!one )(?<!\b1 )(?<!st )(?<!nd )(?<!rd )(?<!th )(?:minute|hour|day|week|month|rupee)\Z"
)
_SLIP: Final = 6
"""Letters that a word must have for one wrong letter to be forgiven."""
_NEAR: Final = 25
_EMPTY: Final = frozenset(
    """
    about abt within only after before since for over past last next first now then sum amount rupees
    total years year yrs yr months mths days day hours hrs weeks lakh lakhs lac lacs crore aged case
    act ipc bnss bns crpc bsa nia sec section art rule till when that this says said got one two every
    gave give given comes came took take taken seems later earlier ago back beyond prior gone gap over
    only till yet also least each per than
    """.split()  # noqa: SIM905
)
_SAID: Final = 4
"""How many words of a clause say what a number measures where the table has none of them."""

Lexicon = Sequence[tuple[str, re.Pattern[str]]]
"""Pairs of the context that a fact sheet gives and the words that stand for it in a text."""


@dataclass(frozen=True)
class Measured:
    """What a number of one kind may measure: `charas`, `prosecutrix`, `compensation`.

    Args:
        kind: a numerical kind, or `duration order` for words that only say when.
        name: the context that the fact sheet gives.
        words: pattern of the words that stand for it, from the beginning of a word.
        vague: whether any other word of the clause says it better (`unpaid`, `demanded`).
    """

    kind: str
    name: str
    words: str
    vague: bool = False


@cache
def words_for(kind: str) -> Lexicon:
    """The words for what numbers of one kind measure, from `data/measured.jsonl`."""
    rows = (row for row in read_table("text/measured", Measured) if row.kind == kind)
    return tuple((row.name, re.compile(rf"\b(?:{row.words})", re.IGNORECASE)) for row in rows)


@cache
def _telling_words_for(kind: str) -> Lexicon:
    vague = {row.name for row in read_table("text/measured", Measured) if row.vague}
    return tuple(entry for entry in words_for(kind) if entry[0] not in vague)


def owner(text: str, span: Span, kind: str, before: int, after: int, lean: int = 0) -> str:
    """What the number at `span` measures, or "".

    The nearest word of the table in the clause comes first, then the words of the clause, then
    the nearest word of the table in the sentence. An age is of a person: there only the table
    counts.
    """
    lexicon, sentence = words_for(kind), _window(text, span, before, after)
    clause = _clause(text, span, sentence)
    near = max(sentence[0], span.start - _NEAR), min(sentence[1], span.end + _NEAR)
    person = kind == "age"
    near = clause if person else near
    return (
        _nearest(text, span, _telling_words_for(kind), *clause, lean)
        or _nearest(text, span, lexicon, *clause, lean)
        or ("" if person else _said(text, span, clause, sentence[0]))
        or _nearest(text, span, lexicon, *near, lean)
        or _nearest(text, span, lexicon, *sentence, lean)
        or ("" if person else _said(text, span, sentence, sentence[0]))
    )


def nearest(
    text: str, span: Span, words: Lexicon, before: int = 80, after: int = 80, lean: int = 0
) -> str:
    """The name of the entry of `words` that stands nearest to `span`, or "".

    The search keeps to the sentence of `span`, `before` and `after` characters around it. `lean`
    is added to the distance of what follows the span: above 0 the words before it are favoured.
    """
    return _nearest(text, span, words, *_window(text, span, before, after), lean)


def _nearest(text: str, span: Span, words: Lexicon, left: int, right: int, lean: int) -> str:
    best: tuple[int, int, str] | None = None
    for order, (name, start, end) in _named(text, words, left, right):
        if end <= span.start:
            distance = span.start - end
        elif start >= span.end:
            distance = start - span.end + lean
        else:
            distance = 0
        if best is None or (distance, order) < best[:2]:
            best = (distance, order, name)
    return best[2] if best else ""


def _named(
    text: str, words: Lexicon, left: int, right: int
) -> Iterator[tuple[int, tuple[str, int, int]]]:
    """What stands for an entry of `words`, with the entry's place in the table."""
    seen = []
    for order, (name, pattern) in enumerate(words):
        for match in pattern.finditer(text, left, right):
            seen.append(match.span())
            yield order, (name or " ".join(match.group().split()), *match.span())
    for token in _TOKEN.finditer(text, left, right):
        if len(token.group()) >= _SLIP and not any(
            start < token.end() and token.start() < end for start, end in seen
        ):
            meant = _slip(token.group().lower(), tuple(words))
            if meant is not None:
                yield meant, (words[meant][0], *token.span())


@cache
def _slip(token: str, words: tuple[tuple[str, re.Pattern[str]], ...]) -> int | None:
    """The entry one of whose plain words `token` is, but for one letter."""
    for order, (name, pattern) in enumerate(words):
        for word in re.findall(r"(?<![\w\\?])[a-z]{6,}(?![\w\\?(*+\[])", pattern.pattern):
            if name and word[0] == token[0] and _one_letter_off(token, word):
                return order
    return None


def _one_letter_off(left: str, right: str) -> bool:
    """Whether one letter added, dropped, changed or swapped with the next makes `left` `right`."""
    if left == right or abs(len(left) - len(right)) > 1:
        return False
    at = next((n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), None)
    if at is None:
        return True
    swapped = left[:at] + left[at : at + 2][::-1] + left[at + 2 :]
    rests = ((at + 1, at + 1), (at + 1, at), (at, at + 1))
    return swapped == right or any(left[a:] == right[b:] for a, b in rests)


def _said(text: str, span: Span, within: tuple[int, int], start: int) -> str:
    """The words that stand before the number, else those after it.

    A word alone (`lapsed`) has those before it in the sentence, from `start`, for company. After
    a singular unit (`11 minute video`, `50 rupee paper`) those after it come first.
    """
    before = list(_telling(text, within[0], span.start))[-_SAID:]
    after = list(_telling(text, span.end, within[1]))[:_SAID]
    if _ADJECTIVE.search(text[span.start : span.end]) and after:
        return " ".join(after[:2])
    if len(before) == 1 or (not before and len(after) == 1):
        before = list(_telling(text, start, span.start))[-_SAID:]
    return " ".join(before or after[:2])


def _telling(text: str, left: int, right: int) -> Iterator[str]:
    for match in _TOKEN.finditer(text, left, right):
        word = match.group()
        if match.start() == left and text[left - 1 : left].isalnum():
            continue
        full = next((name for name, p in words_for("abbreviation") if p.match(word)), word)
        if len(full) > 2 and full.lower() not in STOP_WORDS | _EMPTY:
            yield full


def _clause(text: str, span: Span, sentence: tuple[int, int]) -> tuple[int, int]:
    left, right = sentence
    for earlier in _PAUSE.finditer(text, left, span.start):
        left = earlier.end()
    pause = _PAUSE.search(text, span.end, right)
    return left, pause.start() if pause else right


def _window(text: str, span: Span, before: int, after: int) -> tuple[int, int]:
    left, right = max(0, span.start - before), min(len(text), span.end + after)
    for stop in _STOP.finditer(text, left, span.start):
        if not _ABBREVIATED.search(text[max(0, stop.start() - 6) : stop.start()]):
            left = stop.end()
    for stop in _STOP.finditer(text, span.end, right):
        if not _ABBREVIATED.search(text[max(0, stop.start() - 6) : stop.start()]):
            right = stop.start()
            break
    return left, right
