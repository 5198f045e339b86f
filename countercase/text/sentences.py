"""Sentence boundaries in judgments and pleadings, and clauses within sentences.

Legal English ends few sentences where it puts a full stop: `S. 302 r/w. s. 34`, `A.I.R. 1973
S.C. 2622`, `Rs. 500`, `Smt. Kamla v. State of U.P.`, `(P.W. 1)`, numbered paragraphs. A stop is
a boundary here only where what stands before it is no abbreviation or initial and what stands
after it begins like a sentence.

Readers see long runs of blanks cut, at the same length, so that every pattern takes time in proportion
to the text: one such as `\\s+and` takes n² steps for n blanks.

A clause is the smallest unit in which something is said of somebody (`clauses_of`), or a readable piece
of a long sentence, for a description or a query (`clause_around`, `middle_cut`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final

from countercase.text.patterns import pattern
from countercase.text.spans import Span, trimmed
from countercase.text.words import content_words, read_words

_ABBREVIATIONS: Final = read_words("text/abbreviations")
_END: Final = re.compile(
    r"[.!?]+[\"'”’)\]]*(?=\s)|\n\s*\n|\n(?=\s*(?:\d{1,3}\\?[.)]\s|\([a-zivx]{1,4}\)\s))|;\s*\n"
)
LONGEST_SENTENCE: Final = 6_000
"""Characters of a sentence, at most; what runs on longer is cut between words."""
_OPENING: Final = re.compile(r"\s+[\"'“‘(\[]*(?:[A-Z]|\d|[\"“‘])")
_LAST_TOKEN: Final = re.compile(r"(\S+)$")
_ENUMERATOR: Final = re.compile(r"^[\"'“‘(\[]*(?:\d{1,3}|[ivxlc]{1,5}|[a-zA-Z])[.)]+$")


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Ranges of the sentences of `text`, in order, blank margins left out.

    The ranges do not overlap and hold every character of `text` that is not white space; none is
    longer than `LONGEST_SENTENCE`.
    """
    seen = bounded_runs(text)
    cuts = [match.end() for match in _END.finditer(seen) if _is_boundary(seen, match)]
    spans: list[Span] = []
    start = 0
    for cut in [*cuts, len(text)]:
        while cut - start > LONGEST_SENTENCE:
            blank = seen.rfind(" ", start + 1, start + LONGEST_SENTENCE)
            middle = blank if blank > 0 else start + LONGEST_SENTENCE
            spans.append(trimmed(text, Span(start, middle)))
            start = middle
        spans.append(trimmed(text, Span(start, cut)))
        start = cut
    return [(span.start, span.end) for span in spans if span.start < span.end]


def _is_boundary(text: str, match: re.Match[str]) -> bool:
    mark = match.group()
    if mark.startswith(("\n", ";")):
        return True
    if not _OPENING.match(text, match.end()):
        return False
    if mark[0] != ".":
        return True
    line = text.rfind("\n", 0, match.start()) + 1
    last = _LAST_TOKEN.search(text, max(line, match.start() - 40), match.start())
    if last is None:
        return False
    token = last.group(1).lstrip("\"'“‘([").lower()
    if _ENUMERATOR.match(token + ".") and text[line : last.start(1)].strip() == "":
        return False
    bare = token.rstrip(".")
    if bare in _ABBREVIATIONS or re.split("[-/]", bare)[-1] in _ABBREVIATIONS:  # `115 CPC/Art. 227`
        # An abbreviation may still close a sentence, but then a capitalised word follows on a new line.
        return text[match.end() : match.end() + 1] == "\n"
    return not re.fullmatch(r"(?:[a-z]\.)*[a-z]", bare)


MOST_SIGNS: Final = 80
"""Characters in a row that are no letter and no digit, at most: blanks, dots, a ruled line."""

MOST_LETTERS: Final = 200
"""Characters in a row without white space, at most: the longest word."""

_LONG: Final = re.compile(rf"[\W_]{{{MOST_SIGNS + 1}}}|\S{{{MOST_LETTERS + 1}}}")


@lru_cache(maxsize=16)
def bounded_runs(text: str) -> str:
    """`text` with every long run cut: an `x` among signs and blanks, a blank within a word.

    The result has the length of `text`, and is `text` itself where no run is too long.
    """
    return "".join(_cut(text)) if _LONG.search(text) else text


def _cut(text: str) -> Iterator[str]:
    signs = letters = 0
    for char in text:
        # A blank is a sign and an `x` a letter, so that both runs must not be full at once.
        if signs == MOST_SIGNS or (letters, signs) == (MOST_LETTERS - 1, MOST_SIGNS - 1):
            char = "x"
        elif letters == MOST_LETTERS and not char.isspace():
            char = " "
        signs = 0 if char.isalnum() else signs + 1
        letters = 0 if char.isspace() else letters + 1
        yield char


_FEWEST: Final = 2  # a piece with fewer content words belongs to the clause beside it
_CUTS: Final = (
    re.compile(r";\s+"),
    re.compile(r",\s+(?=(?:and|but|or|while|whereas|whereupon|who|which|when|where|after|as)\b)"),
    re.compile(r"[,:]\s+|\s+(?=(?:and|but|who|which|when|where|after|that)\s)"),
    re.compile(r"\s+"),
)
"""Where a long sentence may be cut, the best kinds of place first."""


@dataclass(frozen=True)
class Clause:
    """One or two clauses of a sentence: which ones of the text, and where they begin in it."""

    text: str
    sentence: int
    index: int
    start: int

    @property
    def end(self) -> int:
        """Where it ends in the text."""
        return self.start + len(self.text)

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of its content words."""
        return frozenset(content_words(self.text))


@lru_cache(maxsize=256)
def clauses_of(text: str) -> tuple[Clause, ...]:
    """The clauses of all sentences of `text`, in order; together they hold all its words.

    A comma or a conjunction begins a new clause, but not an `and` that only joins two nouns.
    """
    text = bounded_runs(text)
    clauses: list[Clause] = []
    for sentence, (start, end) in enumerate(sentence_spans(text)):
        for left, right in _pieces(text, start, end):
            clauses.append(Clause(text[left:right], sentence, len(clauses), left))
    return tuple(clauses)


@lru_cache(maxsize=256)
def windows_of(text: str) -> tuple[Clause, ...]:
    """Every clause of `text`, and every two of one sentence that follow each other."""
    single = clauses_of(text)
    pairs = [
        Clause(text[left.start : right.end], left.sentence, left.index, left.start)
        for left, right in pairwise(single)
        if left.sentence == right.sentence
    ]
    return (*single, *pairs)


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    cuts = []
    breaks = list(pattern("BREAK").finditer(text, start, end))
    for at, match in enumerate(breaks):
        until = breaks[at + 1].start() if at + 1 < len(breaks) else end
        joins = pattern("AND").match(text, match.end())
        comma = text[match.start()] in ",;:—–" and not joins
        if comma or not joins or pattern("CLAUSES_VERB").search(text, match.end(), until):
            cuts.append(match.end())
    left = start
    for right in [*cuts, end]:
        rest = text[right:end]
        few = len(content_words(text[left:right])) < _FEWEST
        if right < end and (few or len(content_words(rest)) < _FEWEST):
            continue
        yield left, right
        left = right


def clause_around(text: str, sentence: Span, mention: Span) -> Span:
    """The clause of `sentence` that holds `mention`."""
    start, end = sentence.start, sentence.end
    for mark in pattern("AROUND").finditer(text, sentence.start, sentence.end):
        if mark.end() <= mention.start:
            start = mark.end()
        elif mark.start() >= mention.end:
            end = mark.start()
            break
    return Span(start, end)


def middle_cut(text: str, whole: Span) -> int | None:
    """Where to cut a long sentence in two; None for a single word.

    After the mark nearest to the middle, of the best kind that has one in the middle half.
    """
    middle = (whole.start + whole.end) / 2
    fair = (whole.end - whole.start) / 4
    nearest: int | None = None
    for marks in _CUTS:
        cuts = [match.end() for match in marks.finditer(text, whole.start, whole.end)]
        inner = [cut for cut in cuts if whole.start < cut < whole.end]
        if inner:
            nearest = min(inner, key=lambda cut: (abs(cut - middle), cut))
            if abs(nearest - middle) <= fair:
                return nearest
    return nearest
