"""Which Act a list of section numbers belongs to."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from countercase.law import citation_grammar as grammar
from countercase.law.act_mentions import ActMention
from countercase.law.citation_lists import NumberList
from countercase.law.provision_ids import Form, read_number, within_bound
from countercase.text.sentences import sentence_spans
from countercase.text.spans import Span

TELLING_NUMBER: Final = 100
"""From here up a section number says much about its Act: few Acts are that long."""

_CODES: Final = frozenset({"IPC", "CrPC", "CrPC98", "CPC", "BNS", "BNSS"})
_OFFENCE_CODES: Final = ("IPC", "BNS")
_PROCEDURE_CODES: Final = ("CrPC", "BNSS", "CrPC98", "CPC", "IPC", "BNS")
_PROCEDURE: Final = frozenset({"CrPC", "CrPC98", "CPC", "IEA", "BNSS", "BSA"})
_SMALL_ACT: Final = 120
_OFFENCES: Final = range(107, 512)
_AROUND: Final = 500
_DEFINED: Final = re.compile(
    r"(?:\s*,?\s*\([^()\n;\"'“‘]{0,30}\b\w+\s+of\s+\d{4}\s*\))?"
    r"(?:[^()\n.;]{0,12}[(\[]?[^()\n;\"'“‘]{0,60}[\"'“‘](?:the\s+|said\s+|principal\s+)*"
    r"(?P<word>Act|Code)[\"'”’]"
    r"|[\s,(\[\"“]*hereinafter\s+(?:to\s+be\s+)?(?:called|referred\s+to)\s+(?:as\s+)?"
    r"(?:the\s+|said\s+|principal\s+)*(?P<plain>Act|Code)\b)"
)


@dataclass(frozen=True)
class Named:
    """The Act found for a list.

    Args:
        code: None where it cannot be known.
        span: its words.
        inferred: whether the text leaves it to be understood.
        the_code: whether the words are `the Code` and do not say which.
    """

    code: str | None
    span: Span | None = None
    inferred: bool = False
    the_code: bool = False


class Context:
    """The Acts that a text names, and what its lists of numbers can be told from them."""

    def __init__(self, text: str, mentions: Sequence[ActMention]) -> None:
        self._text = text
        self._mentions = _pointed(text, mentions)
        self._starts = [mention.span.start for mention in self._mentions]
        self._ends = [mention.span.end for mention in self._mentions]
        self._told: dict[str, str] = {}

    def named_with(self, found: NumberList) -> Named | None:
        """The Act that the text names with this list; None where it names none there."""
        if found.code_span is not None:
            return Named(found.code, found.code_span)
        index = bisect_left(self._starts, found.end)
        if index < len(self._mentions):
            after = self._mentions[index]
            if after.span.start - found.end < 90 and grammar.CONNECTOR.fullmatch(
                self._text, found.end, after.span.start
            ):
                the_code = after.words == "code" and after.code is None
                return Named(after.code, after.span, the_code, the_code)
        index = bisect_right(self._ends, found.start) - 1
        if index >= 0 and found.kind == "section":
            before = self._mentions[index]
            if not before.bare and grammar.LEADING_ACT.fullmatch(
                self._text, before.span.end, found.start
            ):
                return Named(before.code, before.span, inferred=True)
        return None

    def remember(self, found: NumberList, code: str) -> None:
        """Note that the text itself names `code` with the numbers of this list."""
        for member in found.members:
            form = read_number(code, member.raw)
            if form is not None and within_bound(form):
                self._told.setdefault(form.number, code)

    def code_meant(self, found: NumberList) -> str | None:
        """Which Code `the Code` is: the only one named, or the likeliest of several."""
        named = {mention.code for mention in self._mentions if mention.code in _CODES}
        if len(named) < 2:
            return next(iter(named), None)
        forms = [form for member in found.members if (form := read_number("", member.raw))]
        told = next((self._told[form.number] for form in forms if form.number in self._told), None)
        if told in named:
            return told
        if self._offence_before(found):
            return next((code for code in _OFFENCE_CODES if code in named), None)
        return next((code for code in _PROCEDURE_CODES if code in named), None)

    def infer(self, found: NumberList) -> str | None:
        """The Act of a list that stands without one, by the order of `citations`."""
        forms = [form for member in found.members if (form := read_number("", member.raw))]
        if not forms:
            return None
        largest = max(forms, key=lambda form: form.base)
        told = next((self._told[form.number] for form in forms if form.number in self._told), None)
        if told and largest.base >= TELLING_NUMBER:
            return told
        substantive = self._offence_before(found)
        near = self._nearest(found, largest, substantive)
        if near is not None:
            return near.code
        if told:
            return told
        index = bisect_right(self._ends, found.start) - 1
        while index >= 0:
            mention = self._mentions[index]
            if self._fits(mention, largest, substantive):
                return mention.code
            index -= 1
        return "IPC" if largest.base in _OFFENCES else None

    def _nearest(self, found: NumberList, form: Form, substantive: bool) -> ActMention | None:
        begin, end = self._sentence(found)
        first, last = bisect_left(self._starts, begin), bisect_left(self._starts, end)
        fitting = [
            mention
            for mention in self._mentions[first:last]
            if self._fits(mention, form, substantive)
        ]
        return min(fitting, key=lambda mention: _distance(mention.span, found), default=None)

    def _fits(self, mention: ActMention, form: Form, substantive: bool) -> bool:
        if mention.code is None:
            return not mention.bare and form.base <= _SMALL_ACT
        if mention.code == "CONST" or (substantive and mention.code in _PROCEDURE):
            return False
        return within_bound(replace(form, code=mention.code))

    def _offence_before(self, found: NumberList) -> bool:
        before = self._text[max(0, found.start - 60) : found.start]
        return grammar.OFFENCE_WORDS.search(before) is not None

    def _sentence(self, found: NumberList) -> tuple[int, int]:
        begin = max(0, found.start - _AROUND)
        window = self._text[begin : found.end + _AROUND]
        for start, end in sentence_spans(window):
            if begin + end > found.start:
                return begin + start, begin + end
        return found.start, found.end


def _distance(span: Span, found: NumberList) -> int:
    return max(found.start - span.end, span.start - found.end, 0)


def _pointed(text: str, mentions: Sequence[ActMention]) -> list[ActMention]:
    """The mentions, with `the Act` and `the Code` read as the text defines them."""
    pointed: list[ActMention] = []
    meaning: dict[str, str | None] = {}
    for mention in mentions:
        code = mention.code
        if mention.bare:
            code = meaning.get(mention.words)
            pointed.append(ActMention(mention.span, code, mention.words))
            continue
        defined = _DEFINED.match(text, mention.span.end)
        if defined:
            meaning[(defined["word"] or defined["plain"]).lower()] = code
        pointed.append(mention)
    return pointed
