"""Section numbers that no mark announces, and the Act that a number belongs to where nobody says.

A number right before an Act, or carried on after one, is a section of it (`302/34 IPC`). Any other
(`498A FIR`) is one only where an Act claims it and the words around it treat it as law.

A row of the table of claims gives one Act the numbers that its practitioners cite, and the words of a
matter under it: 52 is a section of the NDPS Act beside `heroin`, of the Transfer of Property Act
beside `lease`. A row without words is of numbers that are famous in every matter.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from typing import Final

from countercase.io import read_table
from countercase.law.acts import ActMention, acts
from countercase.law.number_lists import NumberList, read_numbers
from countercase.law.provision_ids import read_number, widened
from countercase.text.patterns import pattern

_NO_MARK_NEEDED: Final = frozenset({"IPC", "CrPC", "CPC", "BNS", "BNSS", "BSA"})
_BEFORE: Final = 60
_NOTE: Final = 12_000
"""Texts up to this many characters are read as notes: what is longer marks its sections."""
_NEAR: Final = 80
_PART: Final = re.compile(r"p(?:ar)?t\b", re.IGNORECASE)
_OPENING: Final = 6_000  # how much of a long text tells its subject
_PER_WORD: Final = 3_000
"""Characters of text for which a subject needs one more of its words, so that it is the subject."""


@dataclass(frozen=True)
class NumberClaim:
    """The numbers that an Act claims in matters of its subject."""

    code: str  # the Act
    numbers: tuple[str, ...]  # sections, or sub-sections where only they are meant (`3(5)`)
    words: str = ""  # a pattern for words of such a matter; empty for numbers that need none
    near: bool = False  # whether those words must stand close to the number


@cache
def _by_number() -> dict[str, tuple[NumberClaim, ...]]:
    rows: dict[str, list[NumberClaim]] = {}
    for row in read_table("law/number_claims", NumberClaim):
        for number in row.numbers:
            rows.setdefault(number, []).append(row)
    return {number: tuple(claims) for number, claims in rows.items()}


@cache
def claimants() -> frozenset[str]:
    """The Acts that claim any number."""
    return frozenset(row.code for row in read_table("law/number_claims", NumberClaim))


@cache
def _pattern(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![a-z])(?:{words})", re.IGNORECASE)


class Claims:
    """The claims of the Acts on the numbers of one text."""

    def __init__(self, text: str, mentions: Sequence[ActMention]) -> None:
        self._text = text
        self._opening = text[:_OPENING]
        self._active: dict[str, bool] = {}
        times = Counter(mention.code for mention in mentions)
        self._named = {code for code in times if times[code] > len(text) // _PER_WORD}

    def code(self, raws: Sequence[str], start: int, end: int, famous: bool = False) -> str | None:
        """Return the Act with the best claim on the numbers of a list; None where none has one.

        Where `famous`, plain numbers may go by their fame alone (`302`), as those without a mark
        do; lettered ones and sub-sections always may.
        """
        scores: dict[str, tuple[int, int, int]] = {}
        for raw in raws:
            for code, (near, exact) in self._strengths(raw, start, end, famous).items():
                before = scores.get(code, (0, 0, 0))
                scores[code] = (before[0] + 1, before[1] + near, before[2] + exact)
        if not famous:
            scores.pop("CONST", None)  # its divisions are Articles
        return max(scores, key=lambda code: scores[code], default=None)

    @staticmethod
    def sole(raws: Sequence[str]) -> str | None:
        """The one Act that by itself is famous for some of the numbers: the Penal Code for 302."""
        rows = [{r.code for r in _by_number().get(raw, ()) if not r.words} for raw in raws]
        codes = {code for row in rows if len(row) == 1 for code in row}
        return codes.pop() if len(codes) == 1 else None

    def _strengths(
        self, raw: str, start: int, end: int, famous: bool
    ) -> dict[str, tuple[int, int]]:
        """For each Act that claims `raw`: how near its words stand, and how exactly it matches."""
        strengths: dict[str, tuple[int, int]] = {}
        form = read_number("IPC", raw)  # of whatever Act
        for exact, name in enumerate(reversed(widened(form.id)[:-1] if form else ())):
            for row in _by_number().get(name := name.removeprefix("IPC-"), ()):
                near = self._nearness(row, start, end)
                if near or (near == 0 and (famous or not name.isdecimal() or _PART.search(raw))):
                    strengths[row.code] = max(strengths.get(row.code, (0, 0)), (near, exact))
        return strengths

    def _nearness(self, row: NumberClaim, start: int, end: int) -> int | None:
        """How near the matter is: 0 for fame alone, more for its words and its Act; None without."""
        named = row.code in self._named
        if not row.words:
            return int(named)
        words = _pattern(row.words)
        if words.search(self._text, max(0, start - _NEAR), end + _NEAR):
            return 2 + named
        return None if row.near else 1 + named if named or self._is_about(row) else None

    def _is_about(self, row: NumberClaim) -> bool:
        if row.words not in self._active:
            needed = 1 + len(self._opening) // _PER_WORD
            several = islice(_pattern(row.words).finditer(self._opening), needed)
            self._active[row.words] = sum(1 for _ in several) == needed
        return self._active[row.words]


@cache
def _bases() -> frozenset[str]:
    """The numbers that some Act claims, without their letters and sub-sections."""
    return frozenset(re.sub(r"\D.*", "", number) for number in _by_number())


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
            then = mentions[index + 1].span.start if index + 1 < len(mentions) else 0
            fits = following is not None and following.end <= ceiling
            if (
                following
                and fits
                and (not carry["weak"] or pattern("CONNECTOR").fullmatch(text, following.end, then))
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
        if _leads(text, numbers.end, "FIGURE_AFTER", "REGISTER"):
            continue
        closes = _leads(text, numbers.end, "CLOSES", "LAW_AFTER")
        connector = pattern("CONNECTOR").match(text, numbers.end)
        if closes and not (connector and connector.end() in starts):
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
            and not _follows(left, "LAW_BEFORE", "JOINED")
        ):
            continue
        gap = pattern("CONNECTOR") if code else pattern("DIRECT")
        if not gap.fullmatch(text, numbers.end, mention.span.start):
            continue
        if rules:
            mark = pattern("RULE_MARK").search(text, max(0, number.start() - 8), number.start())
            return read_numbers(text, mark.start(), number.start()) if mark else None
        if code or not (_follows(left, "SERIAL") or _leads(text, mention.span.end, "COUNTED")):
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
        if number.start() < floor or number.start() >= ceiling or number["digits"] not in _bases():
            continue
        numbers = _trimmed(read_numbers(text, number.start(), number.start()), ceiling)
        if numbers and _is_law(text, numbers, claims, cited):
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
    raws = [member.raw for member in numbers.members]
    short = len(raws[0]) < 3
    if _follows(left, "SERIAL") or _leads(text, end, "FIGURE_AFTER", "BARE_NUMBERS_ADDRESS"):
        return False
    if short and (
        _follows(left, "THEN_NOW", "REGISTERED") or _leads(text, end, "BARE_NUMBERS_AGED")
    ):
        return False
    if _follows(left, "REGISTERED") and _leads(text, end, "REGISTER"):
        return False
    reported = raws[0].isdecimal() or pattern("CITED_REPORT").search(raws[0]) is not None
    exact = not reported and not _follows(left, "NO")
    if exact and claims.code(raws[:1], start, end):
        lawlike = True  # 498A, 156(3), 304 Part II
    elif _follows(left, "LAW_BEFORE"):
        lawlike = _leads(text, end, "CLOSES")
    else:
        telling = any(len(raw) > 2 and not pattern("ROUND").fullmatch(raw) for raw in raws)
        telling = telling or (not short and raws[0] in cited)
        lawlike = telling and _leads(text, end, "CLOSES") and _follows(left, "MAY_BE_LAW")
    if not lawlike and not _leads(text, end, "LAW_AFTER"):
        return False
    named = exact or (not short and _leads(text, end, "LAW_AFTER"))
    if not named and _follows(left, "COUNTED_BEFORE"):
        return False
    return all(claims.code([raw], start, end, famous=True) for raw in raws)


def _follows(left: str, *names: str) -> bool:
    return any(pattern(name).search(left) for name in names)


def _leads(text: str, end: int, *names: str) -> bool:
    return any(pattern(name).match(text, end) for name in names)
