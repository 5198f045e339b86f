"""Lists of section numbers that a mark announces, before it is known to which Act they belong.

A citation is a mark (`Section`, `u/s`, `Art.`, `Order VII Rule`, `IPC-`) with a list of numbers
(`147, 148, 149 and 302`, `302/34`, `19(1)(a) and (g)`), then as a rule the name of the Act. What one
number may look like (`304B`, `376(2)(g)`, `304 Part II`), and what joins the numbers of one list, are
patterns of how Indian lawyers write them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, TypeAlias

from countercase.law.acts import WRITTEN_CODES, ActMention, acts
from countercase.law.provision_ids import known_code, order_number
from countercase.text.patterns import expanded, pattern
from countercase.text.spans import Span

Kind: TypeAlias = Literal["section", "article", "order"]


@dataclass(frozen=True)
class Member:
    """One number of a list: where its words are, and the number as written (`304 Part II`)."""

    span: Span
    raw: str


@dataclass(frozen=True)
class NumberList:
    """A list of numbers under one mark."""

    kind: Kind  # what the numbers are: sections, Articles, or Rules of an Order
    members: tuple[Member, ...]  # in order, never empty; the first span includes the mark
    end: int  # where the list ends
    code: str | None = None  # the Act, where the list begins with its code (`IPC-302`)
    code_span: Span | None = None
    marked: bool = True  # whether a word such as `Section` says what the numbers are

    @property
    def start(self) -> int:
        """Where the list begins."""
        return self.members[0].span.start

    @property
    def span(self) -> Span:
        """The mark and the numbers."""
        return Span(self.start, self.end)

    def with_first(self, raw: str) -> NumberList:
        """The list with `raw` after its first number."""
        first = replace(self.members[0], raw=self.members[0].raw + raw)
        return replace(self, members=(first, *self.members[1:]))


def read_numbers(
    text: str, start: int, at: int, kind: Kind = "section", coded: bool = False
) -> NumberList | None:
    """The list whose first number is at `at` and whose mark begins at `start`."""
    number = pattern("NUMBER_LISTS_NUMBER").match(text, at)
    if number is None:
        return None
    members = [Member(Span(start, number.end()), number.group())]
    end = number.end()
    while True:
        if two := pattern("TWO_CLAUSES").fullmatch(members[-1].raw):
            at, last = members[-1].span.end - len(two["second"]), members.pop()
            members.append(Member(Span(last.span.start, at), two["first"]))
            members.append(Member(Span(at, end), two["stem"] + two["second"]))
        if sub := pattern("SUB_ONLY").match(text, end):
            group = "sub" if sub["sub"] else "part"
            if (raw := _with_sub(members[-1].raw, sub[group])) is not None:
                members.append(Member(Span(sub.start(group), sub.end()), raw))
            end = sub.end()
            continue
        separator = pattern("SEPARATOR").match(text, end)
        number = pattern("NUMBER_LISTS_NUMBER").match(text, separator.end()) if separator else None
        mark = separator["mark"] if separator else None
        other = mark and (coded or kind == "order" or (mark[0] in "Aa") != (kind == "article"))
        if separator is None or number is None or other:  # a mark may be that of another Act
            return NumberList(kind, tuple(members), end)
        begin = separator.start("mark") if separator["mark"] else number.start()
        members.append(Member(Span(begin, number.end()), number.group()))
        end = number.end()


def _with_sub(raw: str, sub: str) -> str | None:
    """`19(1)(a)` with `(g)` is `19(1)(g)`: the last bracket of the same kind gives way."""
    if sub.endswith("II"):
        return re.sub(r"(?<=[\s-])(?:I|1)$", "II", raw)
    groups = re.findall(r"\([^)]*\)", raw)
    while groups:
        if groups.pop()[1].isdecimal() == sub[1].isdigit():
            return raw[: raw.index("(")].strip() + "".join(groups) + sub
    return None


@cache
def _trigger() -> re.Pattern[str]:
    """Find where a citation may begin; the group that matches tells its kind."""
    codes = "|".join(sorted(map(re.escape, acts()), key=lambda code: (-len(code), code)))
    words = expanded("{CITATION}").replace("<codes>", codes)
    return re.compile(words.replace("<written>", "|".join(sorted(WRITTEN_CODES))))


def marked_lists(text: str, mentions: Sequence[ActMention]) -> list[NumberList]:
    """Return the lists that a word or a code announces, in order, none overlapping another."""
    return [part for it in _lists_with_marks(text) for part in _parted(text, it, mentions)]


def _lists_with_marks(text: str) -> Iterator[NumberList]:
    at = last_end = 0
    coded = False
    while match := _trigger().search(text, at):
        at = match.end()
        numbers = _read(text, match)
        after_list = last_end and pattern("CONNECTOR").fullmatch(text, last_end, match.start())
        closing = match["act_spaced"] and (
            not coded if after_list else _has_number_before(text, match.start())
        )
        if numbers is None or closing:
            at = match.end("act_spaced") if closing else at
            continue  # an Act after a list closes that list
        yield numbers
        at = last_end = numbers.end
        coded = numbers.code_span is not None


def _has_number_before(text: str, at: int) -> bool:
    return pattern("NUMBER_BEFORE").search(text[max(0, at - 30) : at]) is not None


def _parted(
    text: str, numbers: NumberList, mentions: Sequence[ActMention]
) -> tuple[NumberList, ...]:
    """A list that begins with one code or Act and runs into another Act, in two.

    The last number, with what a space or stroke joins to it, is of the Act behind it: the 66C 66D
    of `BNS 318(4), 3(5) & 66C 66D IT Act`; after an Act what has a mark of its own, the 307 of
    `TADA ss. 3, 5 and s. 307 IPC`.
    """
    if len(numbers.members) < 2 or numbers.kind != "section":
        return (numbers,)
    ahead = next((m for m in reversed(mentions) if m.span.end <= numbers.start), None)
    leads = numbers.code is not None
    if ahead and not leads and not ahead.bare:
        leading = pattern("LEADING_ACT").fullmatch(text, ahead.span.end, numbers.start)
        leads = leading is not None and not _has_number_before(text, ahead.span.start)
    behind = next((m for m in mentions if m.span.start >= numbers.end), None)
    code = numbers.code or (ahead and ahead.code)
    if not leads or behind is None or behind.code in (None, code):
        return (numbers,)
    if not pattern("CONNECTOR").fullmatch(text, numbers.end, behind.span.start):
        return (numbers,)
    cut, starts = len(numbers.members) - 1, [member.span.start for member in numbers.members]
    while cut > 0 and (
        cut > 1
        and pattern("CITATION_LISTS_JOINED").fullmatch(
            text, numbers.members[cut - 1].span.end, starts[cut]
        )
        if numbers.code
        else not pattern("MARK").match(text, starts[cut])
    ):
        cut -= 1
    own, others = numbers.members[:cut], numbers.members[cut:]
    rest = replace(numbers, members=others, code=None, code_span=None, marked=not numbers.code)
    return (replace(numbers, members=own, end=own[-1].span.end), rest) if own else (numbers,)


def _read(text: str, match: re.Match[str]) -> NumberList | None:
    if match["rules"] or match["order"]:
        return _order(text, match)
    if match["article"] or match["section"]:
        kind: Kind = "article" if match["article"] else "section"
        numbers = read_numbers(text, match.start(), match.end(), kind)
        outer = match["outer_article"] or match["outer"]  # `clause (d) of sub-section (1) of`
        plain = numbers and re.fullmatch(r"\d+[\s-]?[A-Za-z]*", numbers.members[0].raw)
        if numbers and plain and outer and not pattern("PLURAL_MARK").search(match.group()):
            numbers = numbers.with_first("".join(re.findall(r"\(\w+\)", outer)[::-1]))
        if numbers and match["part"]:
            second = re.search(r"II|[Ss]econd", match["part"])
            return numbers.with_first(" Part II" if second else " Part I")
        return numbers
    return _coded(text, match)


def _coded(text: str, match: re.Match[str]) -> NumberList | None:
    group = "act" if match["act"] else "act_spaced"
    code = known_code(re.sub(r"[^A-Za-z0-9]", "", match[group]))
    code_span = Span(*match.span(group))
    if order := pattern("CODE_ORDER").match(text, match.end()):
        member = Member(Span(match.start(), order.end()), order.group())
        return NumberList("order", (member,), order.end(), code, code_span)
    if pattern("MEASURE").match(text, match.end()):
        return None
    numbers = read_numbers(text, match.start(), match.end(), coded=True)
    return replace(numbers, code=code, code_span=code_span) if numbers else None


def _order(text: str, match: re.Match[str]) -> NumberList | None:
    """`Order VII Rule 11`, `Rules 1 and 2 of Order 39`, or an Order alone."""
    order = order_number(match["of_order"] if match["rules"] else match["numeral"])
    if order is None:
        return None
    if match["rules"]:
        rules = re.compile(r"\d{1,3}[A-Z]?").finditer(text, *match.span("list"))
        members = [Member(Span(*rule.span()), f"O{order}R{rule.group()}") for rule in rules]
        whole = match.end() if len(members) == 1 else members[0].span.end
        members[0] = replace(members[0], span=Span(match.start(), whole))
        return NumberList("order", tuple(members), match.end())
    numbers = read_numbers(text, match.start(), match.end(), "order") if match["has_rule"] else None
    if numbers is None:
        end = match.end("numeral")
        return NumberList("order", (Member(Span(match.start(), end), f"O{order}"),), end)
    raws = (f"O{order}R{re.sub('[ -]', '', member.raw)}" for member in numbers.members)
    members = [replace(it, raw=raw) for it, raw in zip(numbers.members, raws, strict=True)]
    return replace(numbers, members=tuple(members))
