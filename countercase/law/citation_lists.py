"""Lists of section numbers in a text, before it is known to which Act they belong."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from countercase.law import citation_grammar as grammar
from countercase.law.act_mentions import ActMention
from countercase.law.provision_ids import from_roman, known_code
from countercase.text.spans import Span

_NO_MARK_NEEDED: Final = frozenset({"IPC", "CrPC", "CPC", "BNS", "BNSS", "BSA"})
_BEFORE: Final = 60
_PLURAL_MARK: Final = re.compile(r"(?:ections|rticles|rts\.|[Ss]s\.)\s*\Z")
_PLAIN_NUMBER: Final = re.compile(r"\d+[\s-]?[A-Za-z]*")


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

    kind: Literal["section", "article", "order"]
    members: tuple[Member, ...]
    end: int
    code: str | None = None
    code_span: Span | None = None
    marked: bool = True

    @property
    def start(self) -> int:
        """Where the list begins."""
        return self.members[0].span.start


def find_lists(text: str, mentions: Sequence[ActMention]) -> list[NumberList]:
    """Every list of provision numbers in `text`, in order, none overlapping another."""
    marked = list(_marked(text))
    unmarked = list(_unmarked(text, mentions, marked))
    return sorted([*marked, *unmarked], key=lambda numbers: numbers.start)


def _marked(text: str) -> Iterator[NumberList]:
    at = last_end = 0
    pattern = grammar.trigger()
    while match := pattern.search(text, at):
        at = match.end()
        numbers = _read(text, match)
        if numbers is None:
            continue
        after_list = last_end and grammar.CONNECTOR.fullmatch(text, last_end, match.start())
        if match["act_spaced"] and after_list:
            continue  # the Act closes the list before it
        yield numbers
        at = last_end = numbers.end


def _read(text: str, match: re.Match[str]) -> NumberList | None:
    if match["rules"]:
        return _rules_of_order(text, match)
    if match["order"]:
        return _order(text, match)
    if match["article"]:
        numbers = _numbers(text, match.start(), match.end(), "article")
        return _narrowed(numbers, match["outer_article"], match.group())
    if match["section"]:
        numbers = _numbers(text, match.start(), match.end(), "section")
        numbers = _narrowed(numbers, match["outer"], match.group())
        return _with_part(numbers, match["part"]) if numbers and match["part"] else numbers
    return _coded(text, match)


def _numbers(
    text: str,
    start: int,
    at: int,
    kind: Literal["section", "article", "order"],
    coded: bool = False,
) -> NumberList | None:
    """The list whose first number is at `at` and whose mark begins at `start`."""
    number = grammar.NUMBER.match(text, at)
    if number is None:
        return None
    members = [Member(Span(start, number.end()), number.group())]
    end = number.end()
    while True:
        if sub := grammar.SUB_ONLY.match(text, end):
            group = "sub" if sub["sub"] else "part"
            raw = _with_sub(members[-1].raw, sub[group])
            if raw is not None:
                members.append(Member(Span(sub.start(group), sub.end()), raw))
            end = sub.end()
            continue
        separator = grammar.SEPARATOR.match(text, end)
        number = grammar.NUMBER.match(text, separator.end()) if separator else None
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
    digit = sub[1].isdigit()
    for index in range(len(groups) - 1, -1, -1):
        if groups[index][1].isdigit() == digit:
            return raw[: raw.index("(")].strip() + "".join(groups[:index]) + sub
    return None


def _with_part(numbers: NumberList, words: str) -> NumberList:
    part = "II" if re.search(r"II|[Ss]econd", words) else "I"
    first = replace(numbers.members[0], raw=f"{numbers.members[0].raw} Part {part}")
    return replace(numbers, members=(first, *numbers.members[1:]))


def _narrowed(numbers: NumberList | None, outer: str | None, mark: str) -> NumberList | None:
    """The list with its first number as `clause (d) of sub-section (1) of` narrows it.

    It does not narrow several at once (`clause (1) of Articles 14 and 16`).
    """
    if numbers is None or outer is None or _PLURAL_MARK.search(mark):
        return numbers
    if not _PLAIN_NUMBER.fullmatch(numbers.members[0].raw):
        return numbers
    subs = "".join(reversed(re.findall(r"\(\w+\)", outer)))
    first = replace(numbers.members[0], raw=f"{numbers.members[0].raw}{subs}")
    return replace(numbers, members=(first, *numbers.members[1:]))


def _coded(text: str, match: re.Match[str]) -> NumberList | None:
    group = "act" if match["act"] else "act_spaced"
    code = known_code(re.sub(r"[^A-Za-z0-9]", "", match[group]))
    code_span = Span(*match.span(group))
    order = grammar.CODE_ORDER.match(text, match.end())
    if order:
        member = Member(Span(match.start(), order.end()), order.group())
        return NumberList("order", (member,), order.end(), code, code_span)
    if grammar.MEASURE.match(text, match.end()):
        return None
    numbers = _numbers(text, match.start(), match.end(), "section", coded=True)
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
    numbers = list(re.finditer(r"\d{1,3}[A-Z]?", text[: match.end("list")][match.start("list") :]))
    base = match.start("list")
    members = [
        Member(Span(base + number.start(), base + number.end()), f"O{order}R{number.group()}")
        for number in numbers
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
    at = 0
    floor = 0
    for index, mention in enumerate(mentions):
        while at < len(marked) and marked[at].end <= mention.span.start:
            floor = max(floor, marked[at].end)
            at += 1
        ceiling = marked[at].start if at < len(marked) else len(text)
        if mention.span.start >= ceiling:
            floor = max(floor, mention.span.end)
            continue
        if mention.code in _NO_MARK_NEEDED:
            numbers = _before(text, mention, floor)
            if numbers:
                yield numbers
        floor = max(floor, mention.span.end)
        carry = grammar.CARRY.match(text, mention.span.end)
        if mention.code and carry and carry.end() < ceiling:
            following = _numbers(text, carry.end(), carry.end(), "section")
            then = mentions[index + 1].span.start if index + 1 < len(mentions) else -1
            if (
                following
                and following.end <= ceiling
                and (
                    not carry["weak"]
                    or (then >= 0 and grammar.CONNECTOR.fullmatch(text, following.end, then))
                )
            ):
                yield replace(following, marked=False)
                floor = following.end


def _before(text: str, mention: ActMention, floor: int) -> NumberList | None:
    begin = max(floor, mention.span.start - _BEFORE)
    for number in grammar.FREE_NUMBER.finditer(text, begin, mention.span.start):
        numbers = _numbers(text, number.start(), number.start(), "section")
        if numbers and grammar.CONNECTOR.fullmatch(text, numbers.end, mention.span.start):
            return replace(numbers, marked=False)
    return None
