"""Proper names that an explanation gives and its passage does not."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from countercase.law.act_mentions import find_acts
from countercase.text.content_words import stem
from countercase.text.sentences import sentence_spans
from countercase.text.spans import Span

_CAPITAL: Final = re.compile(r"\b[A-Z][\w.&'’-]*[\w]|\b[A-Z]\b")
_WORD: Final = re.compile(r"[A-Za-z][\w'’-]*")
_INITIALS: Final = re.compile(r"[A-Z](?:\.?[A-Z])+\.?\Z")
_ROMAN: Final = re.compile(r"[IVX]+\Z")
_NO_NAMES: Final = frozenset(
    """
    court courts supreme high section sections article articles rule rules order orders act acts
    exception clause part schedule chapter entry illustration code constitution january february
    march april may june july august september october november december rs re no nos appeal
    appeals judge judges i it state government governments law india indian bench session sessions
    justice v vs mr mrs smt shri fir pw pws dw hc sc
    """.split()  # noqa: SIM905
)
"""Words that legal English writes with a capital and that name nobody in particular."""


def missing_names(text: str, passage: str) -> list[str]:
    """The names of `text` of which no part stands in `passage`, in order.

    An abbreviation stands there where capitalised words with its initials do: `CBI` for `Central
    Bureau of Investigation`.
    """
    there = {stem(_plain(word)) for word in _WORD.findall(passage)}
    capitals = "".join(word[0] for word in _CAPITAL.findall(passage))
    lost = []
    for name, _ in names_in(text):
        known = stem(_plain(name)) in there
        spelled = _INITIALS.match(name) and name.replace(".", "") in capitals
        if not known and not spelled:
            lost.append(name)
    return lost


@lru_cache(maxsize=256)
def names_in(text: str) -> tuple[tuple[str, Span], ...]:
    """The capitalised words of `text` that name somebody or something, each with its place.

    Acts are left to the check of provisions. The first word of a sentence has a capital in any
    case: it is a name only where another name follows it at once, or where the text writes it with
    a capital elsewhere too.
    """
    starts = {_first_word(text, start) for start, _ in sentence_spans(text)}
    found = [Span(*match.span()) for match in _CAPITAL.finditer(text)]
    inner = {text[one.start : one.end] for one in found if one.start not in starts}
    follows = {one.start for one in found if _plain(text[one.start : one.end]) not in _NO_NAMES}
    acts = [act.span for act in find_acts(text)]
    names = []
    for one in found:
        word = text[one.start : one.end]
        if _plain(word) in _NO_NAMES or _ROMAN.match(word) or any(map(one.overlaps, acts)):
            continue
        opening = one.start in starts and not _INITIALS.match(word)
        if opening and word not in inner and one.end + 1 not in follows:
            continue
        if opening and word not in inner and _plain(word) in _OPENERS:
            continue
        names.append((word.removesuffix("'s").removesuffix("’s"), one))
    return tuple(names)


_OPENERS: Final = frozenset(
    """
    the a an in on at by for from with under when where while although though because since as if
    once both neither his her its their this that these those not no every each all any whether
    """.split()  # noqa: SIM905
)


def _plain(word: str) -> str:
    return word.lower().removesuffix("'s").removesuffix("’s").rstrip(".")


def _first_word(text: str, start: int) -> int:
    match = re.compile(r"[A-Za-z]").search(text, start)
    return match.start() if match else start
