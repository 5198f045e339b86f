"""Section numbers and lists of them, as Indian lawyers write them.

What one number may look like (`304B`, `376(2)(g)`, `304 Part II`), which marks announce it
(`Section`, `u/s`, `dhara`), and what joins the numbers of one list (`302/34`, `147, 148 and 149`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from countercase.text.patterns import pattern
from countercase.text.spans import Span

Kind: TypeAlias = Literal["section", "article", "order"]


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
        if groups.pop()[1].isdecimal() == sub[1].isdigit():
            return raw[: raw.index("(")].strip() + "".join(groups) + sub
    return None
