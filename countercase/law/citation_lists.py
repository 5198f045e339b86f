"""Lists of section numbers in a text, before it is known to which Act they belong.

A citation is a mark (`Section`, `u/s`, `Art.`, `Order VII Rule`, `IPC-`) with a list of numbers
(`147, 148, 149 and 302`, `302/34`, `19(1)(a) and (g)`), then as a rule the name of the Act. The
patterns are those of how Indian lawyers write them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, Literal, TypeAlias

from countercase.law.acts import WRITTEN_CODES, ActMention, acts
from countercase.law.provision_ids import from_roman, known_code
from countercase.text.spans import Span

Kind: TypeAlias = Literal["section", "article", "order"]

_NO_MARK_NEEDED: Final = frozenset({"IPC", "CrPC", "CPC", "BNS", "BNSS", "BSA"})
_BEFORE: Final = 60
_PLURAL_MARK: Final = re.compile(r"(?:ections|rticles|rts\.|[Ss]s\.)\s*\Z")

_SUBS: Final = (
    r"(?:\s?\((?:\d{1,3}-?[A-Z]{0,2}|[a-z]{1,2}-?[a-z]?|[A-Z]{1,2}|[ivx]{1,5}|[IVX]{1,4})\))*"
)
_PART: Final = (
    r"(?:\s*\(\s*[Pp]art[\s-]*(?:II|I|[12])\s*\)"
    r"|[\s,-]{0,3}(?:[Pp]art|PART|[Pp]t\.)[\s-]*(?:\((?:II|I)\)|(?:II|I|[12])\b))"
)
_ENDS_HERE: Final = (
    r"(?=\s*(?:$|[,/)&]|\.\s|of\b|and\b|read\b|r/w|IPC\b|I\.P|BNS|Indian\b|[Pp]enal\b|[Pp]art\b))"
)
_NO_ACT: Final = r"(?!IPC|IPc|CPC|CRPC|CrPC|BNS|NDPS)"
_LETTERS: Final = (
    rf"(?:-{_NO_ACT}(?:[A-Z]{{1,3}}|[a-e])(?![A-Za-z])|\s?-\s?{_NO_ACT}[A-Z]{{1,3}}{_ENDS_HERE}"
    rf"|{_NO_ACT}[A-Z]{{1,4}}(?![A-Za-z])"
    r"|[a-e](?![A-Za-z])"
    rf"|\s(?:[A-E]|II?){_ENDS_HERE})"
)
_NUMBER_TEXT: Final = (
    rf"\d{{1,3}}(?!\d)(?!\.\d)(?!,\d{{2}},\d{{3}}\b|,\d{{3}}/|,0)(?:{_LETTERS})?{_SUBS}(?:{_PART})?"
    r"(?:(?<=[)A-Za-z])|(?<=\d)(?!st\b|nd\b|rd\b|th\b))(?!\s?%)"
)
_SECTION_MARK: Final = (
    r"(?:[Ss]ections?\b\.?|SECTIONS?\b|[Uu]/\s?[Ss](?:ecs?\b|ections?\b|s?\b)\.?|[Ss]ecs?\b\.?|SECS?\b\.?"
    r"|(?<![.&])[Ss]s?\.|\bss\b|§§?)"
)
_NOT_A_SECTION: Final = (
    r"(?!\s*(?:years?|months?|days?|weeks?|hours?|minutes?|others?|persons?|accused|witness(?:es)?"
    r"|men|women|lakhs?|crores?|thousand|hundred|per\s?cent|percent|acres?|bighas?|kgs?|gms?|grams?"
    r"|a\.m|p\.m|am|pm|feet|kms?|injur\w+|P\.?W|times|rupees|respectively\s+years)\b)"
)
_DATE_AHEAD: Final = r"(?!\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b)"
_READ_WITH: Final = r"(?:\bread\s+(?:along\s+)?with\b|\br\.?\s?/?\s?w\b\.?|\bR/W\b\.?)"

_OUTER: Final = (
    r"(?:(?i:sub-?\s?clause|clause|cl\.|sub-?\s?section|sub-s\.)\s*\(\w{1,4}\)\s*of\s+(?:the\s+)?)+"
)
_PART_OF: Final = r"(?:[Pp]art[\s-](?:II|I)|(?:[Ff]irst|[Ss]econd)\s+[Pp]art)\s+of\s+(?:the\s+)?"
PART_FIRST: Final = re.compile(rf"{_OUTER}|{_PART_OF}")
"""What names a part of a section before it: `Part II of`, `clause (d) of sub-section (1) of`."""
NUMBER: Final = re.compile(_NUMBER_TEXT)
"""One section number with its letters, sub-sections and Part."""

SEPARATOR: Final = re.compile(
    rf"(?:\s*/\s*|\s*[-–](?=\d{{2,3}}\b)|(?:\s*,\s*(?:and\s+|or\s+|&\s*|{_READ_WITH}\s*)?"
    rf"|\s*&\s*|\s+(?:and|or|to|as\s+well\s+as|along\s?with)\s+|\s*{_READ_WITH}\s*){_DATE_AHEAD})"
    rf"(?:also\s+)?(?:under\s+|of\s+)?(?P<mark>(?:{_SECTION_MARK}|(?:[Aa]rticles?|[Aa]rts?\.)\s)\s*)?"
    rf"{_DATE_AHEAD}(?={_NUMBER_TEXT}{_NOT_A_SECTION})"
)
"""What stands between two numbers of one list, up to the next number."""

SUB_ONLY: Final = re.compile(
    r"\s*(?:,|\band\b|\bor\b|/|&)\s*"
    r"(?:(?P<sub>\((?:\d{1,2}[A-Z]?|[a-z]{1,2}|[ivx]{1,4})\))|(?<=[I1]\sor\s)(?P<part>(?:Part[\s-])?II\b))"
)
"""More of the same section: the `and (g)` of `19(1)(a) and (g)`, the `or II` of `Part I or II`."""

CARRY: Final = re.compile(rf"[\s,]*(?:{_READ_WITH}|/)\s*(?=\d)|\s*(?P<weak>,|and\b|&)\s*(?=\d)")
"""From an Act to a number that follows it: the `r/w` of `302 IPC r/w 34`.

After a mere `and` the number is one only where an Act follows it in turn.
"""

CONNECTOR: Final = re.compile(
    r"[\s,]*-?(?:\(?(?:punishable\s+)?(?:of|under|in|from|to)\s+)?(?:the\s+)?(?:provisions?\s+of\s+)?"
    r"(?:the\s+)?(?:said\s+|aforesaid\s+|same\s+|erstwhile\s+|old\s+|new\s+|amended\s+)?[\s(\"'“‘\[]*"
)
"""What may stand between a list and the Act that it belongs to."""

FREE_NUMBER: Final = re.compile(r"(?<![\w./-])(?<!\w[.,])(?=\d{2,3}(?!\d))")
"""Where a number with no mark before it may begin (`302/34 IPC`)."""
MEASURE: Final = re.compile(rf"(?!\d{{1,3}}{_NOT_A_SECTION})\d")
"""A number that counts or measures something (`3 persons`)."""
CODE_ORDER: Final = re.compile(r"O\d{1,2}A?(?:R\d{1,3}[A-Z]?)?(?:\(\w{1,3}\))*")
"""The Order and Rule of a normal form, after its code: `O7R11`."""


@cache
def trigger() -> re.Pattern[str]:
    """Where a citation may begin; the groups say of which kind it is.

    `section`, `article` and `code` end where the first number begins; `order` ends where the
    first rule begins, or after the Order where no rule is named; `rules` is `Rule 11 of Order
    VII` in one.
    """
    codes = "|".join(sorted(map(re.escape, acts()), key=lambda code: (-len(code), code)))
    spaced = "|".join(sorted(WRITTEN_CODES))
    short = (
        r"[Ii]\.?\s?[Pp]\.?\s?[Cc]\b\.?|[Cc][Rr]\.?\s?[Pp]\.?\s?[Cc]\b\.?|[Cc]\.?[Pp]\.?[Cc]\b\.?"
        r"|BNSS|BNS|BSA|NDPS|POCSO"
    )
    numeral = r"(?:\d{1,2}|[IVXL]{1,7})"
    return re.compile(
        rf"(?<![\w-])(?:"
        rf"(?P<section>(?P<part>{_PART_OF})?(?P<outer>{_OUTER})?"
        rf"{_SECTION_MARK}\s*(?:[Nn]os?\.\s*)?)(?=\d)"
        rf"|(?P<article>(?P<outer_article>{_OUTER})?(?:[Aa]rticles?|ARTICLES?|[Aa]rts?\.|Arts?)\s*)(?=\d)"
        rf"|(?P<order>(?:[Oo]rders?|ORDER|O\.|Or\.)\s*(?P<numeral>{numeral})(?![\w/])[\s,]*"
        rf"(?P<has_rule>(?:[Rr]ules?|RULES?|[Rr]{{1,2}}\.)\s*(?=\d))?)"
        rf"|(?P<rules>[Rr]ules?\s+(?P<list>\d{{1,3}}[A-Z]?(?:(?:,|\s+and|\s+or)\s*\d{{1,3}}[A-Z]?)*)\s+of\s+"
        rf"[Oo]rder\s+(?P<of_order>{numeral})\b)"
        rf"|(?P<code>(?P<act>{codes})-|(?P<act_spaced>{short}|(?:{spaced})(?=[\s:]))"
        rf"\s*[-:\s]\s*(?:{_SECTION_MARK}\s*)?)(?=\d|O\d)"
        rf")"
    )


@dataclass(frozen=True)
class Member:
    """One number of a list: where its words are, and the number as written (`304 Part II`)."""

    span: Span
    raw: str


@dataclass(frozen=True)
class NumberList:
    """A list of numbers under one mark.

    Args:
        kind: what the numbers are: sections, Articles, or Rules of an Order.
        members: in order, never empty; the first span includes the mark.
        end: where the list ends.
        code, code_span: the Act, where the list begins with its code (`IPC-302`).
        marked: whether a word such as `Section` says what the numbers are.
    """

    kind: Kind
    members: tuple[Member, ...]
    end: int
    code: str | None = None
    code_span: Span | None = None
    marked: bool = True

    @property
    def start(self) -> int:
        """Where the list begins."""
        return self.members[0].span.start

    def with_first(self, raw: str) -> NumberList:
        """The list with `raw` after its first number."""
        first = replace(self.members[0], raw=self.members[0].raw + raw)
        return replace(self, members=(first, *self.members[1:]))


def find_lists(text: str, mentions: Sequence[ActMention]) -> list[NumberList]:
    """Every list of provision numbers in `text`, in order, none overlapping another."""
    marked = list(_marked(text))
    return sorted([*marked, *_unmarked(text, mentions, marked)], key=lambda numbers: numbers.start)


def _marked(text: str) -> Iterator[NumberList]:
    at = last_end = 0
    pattern = trigger()
    while match := pattern.search(text, at):
        at = match.end()
        numbers = _read(text, match)
        after_list = last_end and CONNECTOR.fullmatch(text, last_end, match.start())
        if numbers is None or (match["act_spaced"] and after_list):
            continue  # an Act after a list closes that list
        yield numbers
        at = last_end = numbers.end


def _read(text: str, match: re.Match[str]) -> NumberList | None:
    if match["rules"]:
        return _rules_of_order(text, match)
    if match["order"]:
        return _order(text, match)
    if match["article"] or match["section"]:
        kind: Kind = "article" if match["article"] else "section"
        numbers = _numbers(text, match.start(), match.end(), kind)
        numbers = _narrowed(numbers, match["outer_article"] or match["outer"], match.group())
        if numbers and match["part"]:
            second = re.search(r"II|[Ss]econd", match["part"])
            return numbers.with_first(" Part II" if second else " Part I")
        return numbers
    return _coded(text, match)


def _numbers(
    text: str, start: int, at: int, kind: Kind = "section", coded: bool = False
) -> NumberList | None:
    """The list whose first number is at `at` and whose mark begins at `start`."""
    number = NUMBER.match(text, at)
    if number is None:
        return None
    members = [Member(Span(start, number.end()), number.group())]
    end = number.end()
    while True:
        if sub := SUB_ONLY.match(text, end):
            group = "sub" if sub["sub"] else "part"
            if (raw := _with_sub(members[-1].raw, sub[group])) is not None:
                members.append(Member(Span(sub.start(group), sub.end()), raw))
            end = sub.end()
            continue
        separator = SEPARATOR.match(text, end)
        number = NUMBER.match(text, separator.end()) if separator else None
        if separator is None or number is None or _opens_another(separator["mark"], kind, coded):
            return NumberList(kind, tuple(members), end)
        begin = separator.start("mark") if separator["mark"] else number.start()
        members.append(Member(Span(begin, number.end()), number.group()))
        end = number.end()


def _opens_another(mark: str | None, kind: str, coded: bool) -> bool:
    """Whether a further mark begins a list of its own: of Articles after sections, and so on.

    After a code that stands first (`IPC 302 and section 27`) it may be that of another Act.
    """
    if mark is None:
        return False
    return coded or kind == "order" or (mark[0] in "Aa") != (kind == "article")


def _with_sub(raw: str, sub: str) -> str | None:
    """`19(1)(a)` with `(g)` is `19(1)(g)`: the last bracket of the same kind gives way."""
    if sub.endswith("II"):
        return re.sub(r"(?<=[\s-])(?:I|1)$", "II", raw)
    groups = re.findall(r"\([^)]*\)", raw)
    while groups:
        if groups.pop()[1].isdigit() == sub[1].isdigit():
            return raw[: raw.index("(")].strip() + "".join(groups) + sub
    return None


def _narrowed(numbers: NumberList | None, outer: str | None, mark: str) -> NumberList | None:
    """The list with its first number as `clause (d) of sub-section (1) of` narrows it.

    It does not narrow several at once (`clause (1) of Articles 14 and 16`).
    """
    if numbers is None or outer is None or _PLURAL_MARK.search(mark):
        return numbers
    if not re.fullmatch(r"\d+[\s-]?[A-Za-z]*", numbers.members[0].raw):
        return numbers
    return numbers.with_first("".join(reversed(re.findall(r"\(\w+\)", outer))))


def _coded(text: str, match: re.Match[str]) -> NumberList | None:
    group = "act" if match["act"] else "act_spaced"
    code = known_code(re.sub(r"[^A-Za-z0-9]", "", match[group]))
    code_span = Span(*match.span(group))
    if order := CODE_ORDER.match(text, match.end()):
        member = Member(Span(match.start(), order.end()), order.group())
        return NumberList("order", (member,), order.end(), code, code_span)
    if MEASURE.match(text, match.end()):
        return None
    numbers = _numbers(text, match.start(), match.end(), coded=True)
    return replace(numbers, code=code, code_span=code_span) if numbers else None


def _order(text: str, match: re.Match[str]) -> NumberList | None:
    order = _order_number(match["numeral"])
    if order is None:
        return None
    numbers = _numbers(text, match.start(), match.end(), "order") if match["has_rule"] else None
    if numbers is None:
        end = match.end("numeral")
        return NumberList("order", (Member(Span(match.start(), end), f"O{order}"),), end)
    members = tuple(
        replace(member, raw=f"O{order}R{member.raw.replace(' ', '').replace('-', '')}")
        for member in numbers.members
    )
    return replace(numbers, members=members)


def _rules_of_order(text: str, match: re.Match[str]) -> NumberList | None:
    order = _order_number(match["of_order"])
    if order is None:
        return None
    members = [
        Member(Span(*number.span()), f"O{order}R{number.group()}")
        for number in re.compile(r"\d{1,3}[A-Z]?").finditer(text, *match.span("list"))
    ]
    whole = match.end() if len(members) == 1 else members[0].span.end
    members[0] = replace(members[0], span=Span(match.start(), whole))
    return NumberList("order", tuple(members), match.end())


def _order_number(numeral: str) -> int | None:
    if numeral.isdigit():
        return int(numeral) or None
    try:
        return from_roman(numeral)
    except ValueError:
        return None


def _unmarked(
    text: str, mentions: Sequence[ActMention], marked: Sequence[NumberList]
) -> Iterator[NumberList]:
    """Lists without a mark: right before an Act (`302/34 IPC`) or carried on after one."""
    at = floor = 0
    for index, mention in enumerate(mentions):
        while at < len(marked) and marked[at].end <= mention.span.start:
            floor = max(floor, marked[at].end)
            at += 1
        ceiling = marked[at].start if at < len(marked) else len(text)
        if mention.span.start >= ceiling:
            floor = max(floor, mention.span.end)
            continue
        if mention.code in _NO_MARK_NEEDED and (numbers := _before(text, mention, floor)):
            yield numbers
        floor = max(floor, mention.span.end)
        carry = CARRY.match(text, mention.span.end)
        if mention.code and carry and carry.end() < ceiling:
            following = _numbers(text, carry.end(), carry.end())
            then = [later.span.start for later in mentions[index + 1 : index + 2]]
            certain = not carry["weak"]
            if (
                following
                and following.end <= ceiling
                and (certain or any(CONNECTOR.fullmatch(text, following.end, act) for act in then))
            ):
                yield replace(following, marked=False)
                floor = following.end


def _before(text: str, mention: ActMention, floor: int) -> NumberList | None:
    begin = max(floor, mention.span.start - _BEFORE)
    for number in FREE_NUMBER.finditer(text, begin, mention.span.start):
        numbers = _numbers(text, number.start(), number.start())
        if numbers and CONNECTOR.fullmatch(text, numbers.end, mention.span.start):
            return replace(numbers, marked=False)
    return None
