"""The head of a judgment: court, parties, counsel and judges, before the first sentence.

It is one piece of layout, where a name's side depends on lines far from it, so it is read whole;
what follows is read by sentences.
"""

from __future__ import annotations

import re
from typing import Final

from countercase.text.sentences import sentence_spans
from countercase.text.spans import Span

_SIGNS: Final = tuple(
    re.compile(pattern, re.IGNORECASE | re.MULTILINE)
    for pattern in (
        r"^[^\n]{0,50}(?<!\w)(?:v\s?e\s?r\s?s\s?u\s?s|v/s|vs?)(?!\w)[^\n]{0,40}$",
        r"(?:\.|…|--|:|[ \t]{3}|^)[ \t]*(?:petitioner|appellant|plaintiff|applicant|complainant)"
        r"\w*(?:\(s\)|/s)?[ \t.:]*(?:$|\s{3}|versus)",
        r"(?:\.|…|--|:|[ \t]{3}|^)[ \t]*(?:respondent|defendant|opposite party)"
        r"\w*(?:\(s\)|/s)?[ \t.:]*(?:$|\s{3}|counsel)",
        r"^[ \t\d.:*_-]*(?:in|before)\s+the\s+[^\n]{0,60}(?:court|tribunal)|^the\s+hon'?ble",
        r"^[ \t]*(?:coram|present|before|bench)[ \t]*:|,[ \t]*jj?\.[ \t]*$"
        r"|\bhon(?:'?ble|ourable)[^\n]{0,20}justice",
        r"\b(?:counsel|advocate)s?\s+for\s+(?:the\s+)?\w+|^[ \t!]*for\s+(?:the\s+)?(?:petitioner"
        r"|appellant|respondent)",
    )
)
_GAP: Final = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")
_NO_PROSE: Final = re.compile(
    r"\b[sdwr]/o\b|\badvocates?\b|\bcounsel\b|\bcoram\b|\bresid(?:ent|ing)\s|\baged\b"
    r"|\bhead\s?note|<gist|\bprayer\b|\bprays?\b|\bfiled\s+under\b",
    re.IGNORECASE,
)
_FUNCTION_WORDS: Final = frozenset(
    """
    a against an and are as been by for from had has have in is it not of on that the these this to was
    were which with
    """.split()  # noqa: SIM905
)
_SEARCHED: Final = 3000
_LONGEST: Final = 25_000
_PROSE: Final = 25
_SHORT: Final = 200
_SHARE: Final = 0.3


def head_end(text: str) -> int:
    """Where the head of a judgment ends; 0 where the text begins without one.

    A head shows itself by at least two of six signs: a short line with `versus`, a petitioner
    and a respondent set apart by dots or a line's end, a court's name as a title, a bench,
    counsel for a side. It ends before the first paragraph of prose.
    """
    first = _first_prose(text)
    opening = text[: min(first, _SEARCHED)]
    if "\n" not in opening or sum(sign.search(opening) is not None for sign in _SIGNS) < 2:
        return 0
    return first


def _first_prose(text: str) -> int:
    begin = 0
    limit = min(len(text), _LONGEST)
    for gap in _GAP.finditer(text, 0, limit):
        if _is_prose(text[begin : gap.start()]):
            return begin
        begin = gap.end()
    return begin if begin and _is_prose(text[begin:limit]) else limit


def pieces(text: str) -> list[Span]:
    """The head of `text`, where it has one, and what follows by sentences, in order.

    Short sentences that follow one another are one piece of at most 200 characters, so that a
    stop in a citation that is taken for a sentence's end does less harm.
    """
    head = head_end(text)
    spans = [Span(0, head)] if text[:head].strip() else []
    begin = last = 0
    for start, end in sentence_spans(text[head:]):
        if last and end - begin > _SHORT:
            spans.append(Span(head + begin, head + last))
            last = 0
        begin, last = begin if last else start, end
    if last:
        spans.append(Span(head + begin, head + last))
    return spans


def _is_prose(paragraph: str) -> bool:
    words = paragraph.split()
    common = sum(word in _FUNCTION_WORDS for word in words)
    return (
        len(words) >= _PROSE
        and common >= _SHARE * len(words)
        and _NO_PROSE.search(paragraph) is None
    )
