"""Section numbers that no mark announces: `302/34 IPC`, `498A FIR`, `(old 363, 366, 376)`.

A number right before an Act, or carried on after one, is a section of it. Any other number is
one only where an Act claims it (`number_claims`) and the words around it treat it as law: a
serial number, a figure, a date or a page is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from countercase.io import read_table
from countercase.law.acts import ActMention, acts
from countercase.law.number_claims import Claims
from countercase.law.number_lists import (
    CARRY,
    CONNECTOR,
    FREE_NUMBER,
    NOT_A_SECTION,
    NumberList,
    read_numbers,
)

_NO_MARK_NEEDED: Final = frozenset({"IPC", "CrPC", "CPC", "BNS", "BNSS", "BSA"})
_BEFORE: Final = 60
_DIRECT: Final = re.compile(r"\s+(?:of\s+(?:the\s+)?)?")
"""Between a bare number and an Act other than the Codes (`25, 27 Arms Act`)."""
_RULE_MARK: Final = re.compile(r"\b[Rr](?:ules?|r?\.)\s*\Z")
_LED: Final = re.compile(r"(?:\s*:\s*|\s+)(?=\d)")
_ANY_NUMBER: Final = re.compile(r"(?<![\w./-])(?<!\w[.,])(?=\d{1,3}(?!\d))")
_JOINED: Final = re.compile(r"(?:\A|[&+(\[,;/:]|\b(?:and|r/w|with|[Ss]))\s*\Z")
_COUNTED: Final = re.compile(r"\s*(?:cases|FIRs|matters|appeals|accused|prisoners|convicts)\b")


@dataclass(frozen=True)
class Surroundings:
    """Patterns of what may stand at one place beside a number.

    Args:
        place: `serial` and `address` make it no section, `counted` does unless law follows;
            `law_before` and `law_after` make it one, `perhaps_before` and `follows` do together.
        words: the patterns.
    """

    place: str
    words: tuple[str, ...]


def _words(place: str) -> str:
    rows = read_table("law/number_surroundings", Surroundings)
    return "|".join(word for row in rows if row.place == place for word in row.words)


_SERIAL: Final = re.compile(
    rf"(?:\b(?:{_words('serial')})\b\.?|[₹$#@*×]"
    r"|\b(?:19|20)\d\d\)?\W+(?:\(?\d+\)?\s+)?[a-z.]+(?:\s[a-z.]+)?)\s*[-:(]?\s*\Z",
    re.IGNORECASE,
)
"""What makes the number after it a serial number, a figure or a page."""
_REGISTERED: Final = re.compile(
    r"\b(?:fir|crime|cr|case|complaint|appeal|w\.?p|petition|application|revision|execution|stay|bail|suit|writ)\.?\s*[-:(]?\s*\Z",
    re.I,
)
_REGISTER: Final = re.compile(r"\s*(?:/\s*\d|of\s+\d|dt\b|dated\b|,?\s*p\.?s\b)", re.IGNORECASE)
"""What follows the number of a register (`FIR 302/24`)."""
_FIGURE_AFTER: Final = re.compile(
    rf"(?!{NOT_A_SECTION})|\s*(?:%|/\s*-|/\s*\d|-\s*\d|:\d|\s+of\s+(?:19|20)\d\d\b|st\b|nd\b|rd\b|th\b)"
    r"|\s+(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*\b",
    re.IGNORECASE,
)
_AGED: Final = re.compile(r"\s+k[aei]\s+h(?:u|oo|oon|un|ai|ain)\b", re.IGNORECASE)
"""`main 32 ka hu`: the age of the speaker."""
_THEN_NOW: Final = re.compile(r"\bthen\s+\d{1,2},?\s+now\s+\Z", re.IGNORECASE)
"""`then 24 now 27`: the age of a person."""
_CITED_REPORT: Final = re.compile(r"\([A-Z]{2,}\)")
"""The court after the page of a report: `377 (SC)`."""
_NO: Final = re.compile(r"\bNo\s*\Z")
"""`No 65B certificate` or `No 41A, Grey Street`."""
_ADDRESS: Final = re.compile(rf"\s(?:[A-Z]\w+\s){{0,2}}(?:{_words('address')})\b")
_LAW_BEFORE: Final = re.compile(
    rf"(?:\b(?:{_words('law_before')})|\bu/)\s*[\s:(\[-]*\Z", re.IGNORECASE
)
_MAY_BE_LAW: Final = re.compile(
    rf"(?:['’]s?|[:(\[=+&/,→-]|\b(?:{_words('perhaps_before')}))\s*\Z", re.IGNORECASE
)
_LAW_AFTER: Final = re.compile(rf"[\s-]*(?:{_words('law_after')})", re.IGNORECASE)
_CLOSES: Final = re.compile(
    rf"\s*(?:[.,;:)\]?!–—-]|\Z|$|(?:{_words('follows')})(?!\w)|[&/+=→])", re.IGNORECASE
)
_COUNTED_BEFORE: Final = re.compile(rf"\b(?:{_words('counted')})\s*\Z", re.IGNORECASE)
"""What makes the number after it a count, unless a word of law follows (`at 313 stage`)."""
_ROUND: Final = re.compile(r"\d?[05]0")
"""Numbers that people count with; alone they are sections only where the law is named."""
_NOTE: Final = 12_000
"""Texts up to this many characters are read as notes: what is longer marks its sections."""


def unmarked_lists(
    text: str, mentions: Sequence[ActMention], marked: Sequence[NumberList]
) -> list[NumberList]:
    """Every list without a mark, in order, none overlapping a marked one."""
    beside = list(_beside_acts(text, mentions, marked))
    beside += _led_by_acts(text, mentions, [*marked, *beside])
    if len(text) > _NOTE:
        return beside
    return [*beside, *_claimed(text, mentions, [*marked, *beside])]


def _beside_acts(
    text: str, mentions: Sequence[ActMention], marked: Sequence[NumberList]
) -> Iterator[NumberList]:
    """Lists right before an Act (`302/34 IPC`) or carried on after one."""
    at = floor = 0
    for index, mention in enumerate(mentions):
        while at < len(marked) and marked[at].end <= mention.span.start:
            floor = max(floor, marked[at].end)
            at += 1
        ceiling = marked[at].start if at < len(marked) else len(text)
        if mention.span.start >= ceiling:
            floor = max(floor, mention.span.end)
            continue
        if mention.code and (numbers := _before(text, mention, floor)):
            yield numbers
        floor = max(floor, mention.span.end)
        carry = CARRY.match(text, mention.span.end)
        if mention.code and carry and carry.end() < ceiling:
            following = read_numbers(text, carry.end(), carry.end())
            then = [later.span.start for later in mentions[index + 1 : index + 2]]
            certain = not carry["weak"]
            if (
                following
                and following.end <= ceiling
                and (certain or any(CONNECTOR.fullmatch(text, following.end, act) for act in then))
            ):
                yield replace(following, marked=False)
                floor = following.end


def _led_by_acts(
    text: str, mentions: Sequence[ActMention], known: Sequence[NumberList]
) -> Iterator[NumberList]:
    """Lists right after an Act (`PC Act 7, 13(1)(d)`) that no later Act takes."""
    starts = {mention.span.start for mention in mentions}
    for mention in mentions:
        gap = _LED.match(text, mention.span.end) if mention.code else None
        numbers = read_numbers(text, gap.end(), gap.end()) if gap else None
        ceiling = min((n.start for n in known if gap and n.start >= gap.end()), default=len(text))
        numbers = _trimmed(numbers, ceiling)
        if numbers is None or any(n.start <= numbers.start < n.end for n in known):
            continue
        if _FIGURE_AFTER.match(text, numbers.end) or _REGISTER.match(text, numbers.end):
            continue
        follows = _CLOSES.match(text, numbers.end) or _LAW_AFTER.match(text, numbers.end)
        connector = CONNECTOR.match(text, numbers.end)
        if follows and not (connector and connector.end() in starts):
            yield replace(numbers, marked=False)


def _before(text: str, mention: ActMention, floor: int) -> NumberList | None:
    begin = max(floor, mention.span.start - _BEFORE)
    code = mention.code in _NO_MARK_NEEDED
    rules = mention.code is not None and acts()[mention.code].unit == "rule"
    for number in (FREE_NUMBER if code else _ANY_NUMBER).finditer(text, begin, mention.span.start):
        numbers = read_numbers(text, number.start(), number.start())
        left = text[max(0, number.start() - 24) : number.start()]
        if numbers is None or (
            not rules
            and re.fullmatch(r"\d", text[numbers.start : numbers.end])
            and not _LAW_BEFORE.search(left)
            and not _JOINED.search(left)
        ):
            continue
        gap = CONNECTOR if code else _DIRECT
        if not gap.fullmatch(text, numbers.end, mention.span.start):
            continue
        if rules:
            mark = _RULE_MARK.search(text, max(0, number.start() - 8), number.start())
            return read_numbers(text, mark.start(), number.start()) if mark else None
        if code or not (_SERIAL.search(left) or _COUNTED.match(text, mention.span.end)):
            return replace(numbers, marked=False)
    return None


def _claimed(
    text: str, mentions: Sequence[ActMention], known: Sequence[NumberList]
) -> Iterator[NumberList]:
    """Lists that stand by themselves, each claimed by an Act and treated as law by the text."""
    taken = sorted(
        [(n.start, n.end) for n in known] + [(m.span.start, m.span.end) for m in mentions]
    )
    claims = Claims(text, mentions)
    cited = {member.raw for numbers in known for member in numbers.members}
    at = floor = 0
    for number in FREE_NUMBER.finditer(text):
        while at < len(taken) and taken[at][1] <= number.start():
            at += 1
        ceiling = taken[at][0] if at < len(taken) else len(text)
        if (
            number.start() < floor
            or number.start() >= ceiling
            or not claims.knows(number["digits"])
        ):
            continue
        numbers = _trimmed(read_numbers(text, number.start(), number.start()), ceiling)
        if numbers is None:
            continue
        if _is_law(text, numbers, claims, cited):
            yield replace(numbers, marked=False)
            floor = numbers.end


def _trimmed(numbers: NumberList | None, ceiling: int) -> NumberList | None:
    """The list up to where the next one begins; None where nothing of it is left."""
    members = [m for m in numbers.members if m.span.end <= ceiling] if numbers else []
    if numbers is None or not members:
        return None
    return replace(numbers, members=tuple(members), end=members[-1].span.end)


def _is_law(text: str, numbers: NumberList, claims: Claims, cited: set[str]) -> bool:
    start, end = numbers.start, numbers.end
    left = text[max(0, start - 40) : start]
    if _SERIAL.search(left) or _FIGURE_AFTER.match(text, end):
        return False
    if _ADDRESS.match(text, end):
        return False
    raws = [member.raw for member in numbers.members]
    if len(raws[0]) < 3 and (_AGED.match(text, end) or _THEN_NOW.search(left)):
        return False
    if _REGISTERED.search(left) and (len(raws[0]) < 3 or _REGISTER.match(text, end)):
        return False
    exact = not raws[0].isdigit() and not _CITED_REPORT.search(raws[0]) and not _NO.search(left)
    if exact and claims.code(raws[:1], start, end):
        lawlike = True  # 498A, 156(3), 304 Part II
    elif _LAW_BEFORE.search(left):
        lawlike = _CLOSES.match(text, end) is not None
    else:
        telling = [raw for raw in raws if len(raw) > 2 and not _ROUND.fullmatch(raw)]
        lawlike = (
            bool(telling or (len(raws[0]) > 2 and raws[0] in cited))
            and _CLOSES.match(text, end) is not None
            and _MAY_BE_LAW.search(left) is not None
        )
    if not lawlike and not _LAW_AFTER.match(text, end):
        return False
    named = exact or (len(raws[0]) > 2 and _LAW_AFTER.match(text, end))
    if not named and _COUNTED_BEFORE.search(left):
        return False
    return all(claims.code([raw], start, end, famous=True) for raw in raws)
