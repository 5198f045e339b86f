"""Sentence boundaries in judgments and pleadings.

Legal English ends few sentences where it puts a full stop: `S. 302 r/w. s. 34`, `A.I.R. 1973
S.C. 2622`, `Rs. 500`, `Smt. Kamla v. State of U.P.`, `(P.W. 1)`, numbered paragraphs. A stop is
a boundary here only where what stands before it is no abbreviation or initial and what stands
after it begins like a sentence.

Every pattern takes time in proportion to the text: one such as `\\s+and` looks through a run of n
blanks from each of them, n² steps. Text that people write has no long runs, so the readers see long
ones cut, at the same length: all places stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from countercase.text.spans import Span, trimmed
from countercase.text.words import read_words

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
