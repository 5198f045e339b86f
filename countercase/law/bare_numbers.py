"""Section numbers that no mark announces: `302/34 IPC`, `498A FIR`, `(old 363, 366, 376)`.

A number right before an Act, or carried on after one, is a section of it. Any other number is
one only where an Act claims it (`number_claims`) and the words around it treat it as law: a
serial number, a figure, a date or a page is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from countercase.law.acts import ActMention, acts
from countercase.law.number_claims import Claims
from countercase.law.number_lists import (
    NumberList,
    read_numbers,
)
from countercase.text.patterns import pattern

_NO_MARK_NEEDED: Final = frozenset({"IPC", "CrPC", "CPC", "BNS", "BNSS", "BSA"})
_BEFORE: Final = 60
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
        carry = pattern("CARRY").match(text, mention.span.end)
        if mention.code and carry and carry.end() < ceiling:
            following = read_numbers(text, carry.end(), carry.end())
            then = [later.span.start for later in mentions[index + 1 : index + 2]]
            certain = not carry["weak"]
            if (
                following
                and following.end <= ceiling
                and (
                    certain
                    or any(pattern("CONNECTOR").fullmatch(text, following.end, act) for act in then)
                )
            ):
                yield replace(following, marked=False)
                floor = following.end


def _led_by_acts(
    text: str, mentions: Sequence[ActMention], known: Sequence[NumberList]
) -> Iterator[NumberList]:
    """Lists right after an Act (`PC Act 7, 13(1)(d)`) that no later Act takes."""
    starts = {mention.span.start for mention in mentions}
    for mention in mentions:
        gap = pattern("LED").match(text, mention.span.end) if mention.code else None
        numbers = read_numbers(text, gap.end(), gap.end()) if gap else None
        ceiling = min((n.start for n in known if gap and n.start >= gap.end()), default=len(text))
        numbers = _trimmed(numbers, ceiling)
        if numbers is None or any(n.start <= numbers.start < n.end for n in known):
            continue
        if pattern("FIGURE_AFTER").match(text, numbers.end) or pattern("REGISTER").match(
            text, numbers.end
        ):
            continue
        follows = pattern("CLOSES").match(text, numbers.end) or pattern("LAW_AFTER").match(
            text, numbers.end
        )
        connector = pattern("CONNECTOR").match(text, numbers.end)
        if follows and not (connector and connector.end() in starts):
            yield replace(numbers, marked=False)


def _before(text: str, mention: ActMention, floor: int) -> NumberList | None:
    begin = max(floor, mention.span.start - _BEFORE)
    code = mention.code in _NO_MARK_NEEDED
    rules = mention.code is not None and acts()[mention.code].unit == "rule"
    numbered = pattern("FREE_NUMBER" if code else "ANY_NUMBER")
    for number in numbered.finditer(text, begin, mention.span.start):
        numbers = read_numbers(text, number.start(), number.start())
        left = text[max(0, number.start() - 24) : number.start()]
        if numbers is None or (
            not rules
            and re.fullmatch(r"\d", text[numbers.start : numbers.end])
            and not pattern("LAW_BEFORE").search(left)
            and not pattern("JOINED").search(left)
        ):
            continue
        gap = pattern("CONNECTOR") if code else pattern("DIRECT")
        if not gap.fullmatch(text, numbers.end, mention.span.start):
            continue
        if rules:
            mark = pattern("RULE_MARK").search(text, max(0, number.start() - 8), number.start())
            return read_numbers(text, mark.start(), number.start()) if mark else None
        if code or not (
            pattern("SERIAL").search(left) or pattern("COUNTED").match(text, mention.span.end)
        ):
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
    for number in pattern("FREE_NUMBER").finditer(text):
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
    if pattern("SERIAL").search(left) or pattern("FIGURE_AFTER").match(text, end):
        return False
    if pattern("BARE_NUMBERS_ADDRESS").match(text, end):
        return False
    raws = [member.raw for member in numbers.members]
    if len(raws[0]) < 3 and (
        pattern("BARE_NUMBERS_AGED").match(text, end) or pattern("THEN_NOW").search(left)
    ):
        return False
    if pattern("REGISTERED").search(left) and (
        len(raws[0]) < 3 or pattern("REGISTER").match(text, end)
    ):
        return False
    exact = (
        not raws[0].isdecimal()
        and not pattern("CITED_REPORT").search(raws[0])
        and not pattern("NO").search(left)
    )
    if exact and claims.code(raws[:1], start, end):
        lawlike = True  # 498A, 156(3), 304 Part II
    elif pattern("LAW_BEFORE").search(left):
        lawlike = pattern("CLOSES").match(text, end) is not None
    else:
        telling = [raw for raw in raws if len(raw) > 2 and not pattern("ROUND").fullmatch(raw)]
        lawlike = (
            bool(telling or (len(raws[0]) > 2 and raws[0] in cited))
            and pattern("CLOSES").match(text, end) is not None
            and pattern("MAY_BE_LAW").search(left) is not None
        )
    if not lawlike and not pattern("LAW_AFTER").match(text, end):
        return False
    named = exact or (len(raws[0]) > 2 and pattern("LAW_AFTER").match(text, end))
    if not named and pattern("COUNTED_BEFORE").search(left):
        return False
    return all(claims.code([raw], start, end, famous=True) for raw in raws)
