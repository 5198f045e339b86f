"""Section numbers and lists of them, as Indian lawyers write them.

What one number may look like (`304B`, `376(2)(g)`, `304 Part II`), which marks announce it
(`Section`, `u/s`, `dhara`), and what joins the numbers of one list (`302/34`, `147, 148 and 149`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from countercase.text.spans import Span

Kind: TypeAlias = Literal["section", "article", "order"]

_SUBS: Final = (
    r"(?:(?:\s?\((?:\d{1,3}-?[A-Z]{0,2}|[a-z]{1,2}-?[a-z]?|[A-Z]{1,2}|[ivx]{1,5}|[IVX]{1,4})\))+"
    r"(?:(?:[a-z]{1,2}|[A-C])(?![A-Za-z(]))?)?"
)
_PART: Final = (
    r"(?:\s*\(\s*[Pp]art[\s-]*(?:II|I|[12])\s*\)"
    r"|[\s,-]{0,3}(?:[Pp]art|PART|[Pp]t\b\.?)[\s-]*(?:\((?:II|I)\)|(?:II|I|[12])\b))"
)
_ENDS_HERE: Final = (
    r"(?=\s*(?:$|[,/)&]|\.\s|of\b|and\b|read\b|r/w|IPC\b|I\.P|BNS|Indian\b|[Pp]enal\b|[Pp]art\b))"
)
_NO_ACT: Final = r"(?!IPC|IPc|CPC|CRPC|CrPC|BNS|NDPS)"
_LETTERS: Final = (
    rf"(?:-{_NO_ACT}(?:[A-Z]{{1,3}}|[a-e])(?![A-Za-z])|\s?-\s?{_NO_ACT}[A-Z]{{1,3}}{_ENDS_HERE}"
    rf"|{_NO_ACT}[A-Z]{{1,4}}(?![A-Za-z])"
    r"|[a-e](?![A-Za-z])"
    rf"|\s(?!A\s?&\s?C)(?:[A-E]|II?){_ENDS_HERE})"
)
_NUMBER_TEXT: Final = (
    rf"(?!0)\d{{1,3}}(?!\d)(?!\.\d)(?!,\d{{2}},\d{{3}}\b|,\d{{3}}/|,0)(?:{_LETTERS})?{_SUBS}(?:{_PART})?"
    r"(?:(?<=[)A-Za-z])|(?<=\d)(?!st\b|nd\b|rd\b|th\b))(?!\s?%)"
)
SECTION_MARK: Final = (
    r"(?:[Ss]ections?\b\.?|SECTIONS?\b|(?:[Uu]/\s?)?(?i:dh?aa?ra|dafa|kalam)\b|धाराओं|धाराएं|धारा|दफा|कलम"
    r"|(?i:secton|sction|setion|seciton|sectoin|sectn|secion|sectin|sectionn|sectio)s?\b"
    r"|[Uu]/\s?[Ss](?:ecs?\b|ections?\b|s?(?:\b|(?=\d)))\.?|[Ss]ecs?(?:\b|(?=\d))\.?|SECS?\b\.?|u\\s\b"
    r"|(?<![.&])[Ss]s?\.|\bss\b|(?<![.&'’])\b(?:S(?=\s?\d{2,3}[A-Z]?\b|-\d{3})|s(?=\d{3}[A-Z]?\b)|(?<!sub\s)(?<!sub-)s(?=\s\d{1,3}(?:[A-Z]\b|\(|\s[A-Z]{2,}\b)|\s\d{2,3}\s*(?:[,;:)&/–-]|\.(?!\d)|$)))|§§?)(?:\s?-(?=\s?\d))?"
)
ARTICLE_MARK: Final = (
    r"(?:[Uu]/\s?A\b\.?|(?:[Uu]/\s?)?(?:[Aa]rticles?|ARTICLES?|[Aa]rts?\.|Arts?\b|art(?=\s\d)|ART(?=[\s.]\d)"
    r"|(?i:artcles?|artical|aritcle|atricle|articel|artice)\b|अनुच्छेद))"
)
NOT_A_SECTION: Final = (
    r"(?!\s*(?:years?|yrs?|months?|mo?n?ths?|days?|weeks?|wks?|hours?|hrs?|minutes?|mins?|others?|persons?"
    r"|accused|witness(?:es)?|witneses|men|women|boys|girls|children|kids|lakhs?|lacs?|crores?|cr|thousand"
    r"|hundred|per\s?cent|percent|acres?|bighas?|cents|guntas?|kgs?|gms?|grams?|g|mg|ml|lit(?:re|er)s?"
    r"|qtls?|quintals?|bags|bottles|tablets|strips|packets|rounds|blows|shots|stitches|wounds|cases|FIRs"
    r"|sq|sal|saal|am|pm|a\.m|p\.m|feet|ft|kms?|metres?|meters?|injur\w+|killed|wounded|dead|arrested|detained|P\.?W|cc|kvs?|kva|hp|votes?|students?|employees|workers"
    r"|labour(?:er)?s|families|shares|plots|trees|units|cartons|boxes|packages|coins|notes|pages|sheets|marks|kmph|yards"
    r"|applications|flats|gaj|kanals?|marlas?|sqft|sq\.?ft|hectares?|ha|tolas?|inch(?:es)?|cm|mm|sacks|cattle|cows|buffalo\w*|times|rupees"
    r"|respectively\s+years)\b)"
)
_DATE_AHEAD: Final = r"(?!(?:0?[1-9]|[12]\d|3[01])[./-](?:0?[1-9]|1[0-2])[./-]\d{2,4}\b)"
_READ_WITH: Final = (
    r"(?:\bread\s+(?:along\s+)?with\b|\br\.?\s?/?\s?w(?:ith)?\b\.?|\bR/W\b\.?"
    r"|\bwith(?=\s+(?:34|149|120-?B|511|109|114|190|3\(5\)|61\(2\))\b))"
)

OUTER: Final = (
    r"(?:(?i:sub-?\s?clause|clause|cl\.|sub-?\s?section|sub-s\.)\s*\(\w{1,4}\)\s*of\s+(?:the\s+)?)+"
)
PART_OF: Final = r"(?:[Pp]art[\s-](?:II|I)|(?:[Ff]irst|[Ss]econd)\s+[Pp]art)\s+of\s+(?:the\s+)?"
PART_FIRST: Final = re.compile(rf"{OUTER}|{PART_OF}")
"""What names a part of a section before it: `Part II of`, `clause (d) of sub-section (1) of`."""
NUMBER: Final = re.compile(_NUMBER_TEXT)
"""One section number with its letters, sub-sections and Part."""

_GLOSS: Final = r"(?:\s?\([a-z][a-z /'-]{3,30}\))?"
"""What a number is for, behind it: the `(murder)` of `302 (murder), 201 IPC`."""

SEPARATOR: Final = re.compile(
    rf"{_GLOSS}(?:\s*/\s*|\s*[-–](?=\d{{2,3}}\b)|"
    r"(?<=[A-Z\d])[ \t]+(?=\d{3}(?:[,/ ]|[A-Z]{1,2}\b)|\d{2}[A-Z]\b)"
    rf"|(?:\s*,\s*(?:and\s+|or\s+|&\s*|{_READ_WITH}\s*)?"
    rf"|\s*[&+]\s*|\s+(?:and|n|or|to|as\s+well\s+as|along\s?with|aur|व|और|एवं)\s+|\s*{_READ_WITH}\s*){_DATE_AHEAD})"
    rf"(?:also\s+)?(?:under\s+|of\s+)?(?P<mark>(?:{SECTION_MARK}|(?:[Aa]rticles?|[Aa]rts?\.)\s)\s*)?"
    rf"{_DATE_AHEAD}(?={_NUMBER_TEXT}{NOT_A_SECTION})"
)
"""What stands between two numbers of one list, up to the next number."""

SUB_ONLY: Final = re.compile(
    r"\s*(?:,|\band\b|\bor\b|/|&)\s*"
    r"(?:(?P<sub>\((?:\d{1,2}-?[A-Z]?|[a-z]{1,2}-?[a-z]?|[ivx]{1,4})\))|(?<=[I1]\sor\s)(?P<part>(?:Part[\s-])?II\b))"
)
"""More of the same section: the `and (g)` of `19(1)(a) and (g)`, the `or II` of `Part I or II`."""

_TWO_CLAUSES: Final = re.compile(
    r"(?P<first>(?P<stem>\d+\(\d\))\([a-hj-uwyz]\))(?P<second>\([a-hj-uwyz]\))"
)
"""Two clauses of one sub-section: `3(1)(r)(s)`."""

CARRY: Final = re.compile(rf"[\s,]*(?:{_READ_WITH}|/)\s*(?=\d)|\s*(?P<weak>,|and\b|&)\s*(?=\d)")
"""From an Act to a number that follows it: the `r/w` of `302 IPC r/w 34`.

After a mere `and` the number is one only where an Act follows it in turn.
"""

CONNECTOR: Final = re.compile(
    rf"{_GLOSS}\)?[\s,]*-?(?:\(?(?:punishable\s+)?(?:of|under|in|from|to)\s+)?(?:the\s+)?(?:provisions?\s+of\s+)?"
    r"(?:the\s+)?(?:said\s+|aforesaid\s+|same\s+|erstwhile\s+|old\s+|new\s+|amended\s+)?[\s(\"'“‘\[]*"
)
"""What may stand between a list and the Act that it belongs to."""

FREE_NUMBER: Final = re.compile(
    r"(?<![\w./-])(?<!\w[.,])(?=(?P<digits>\d{2,3}(?!\d)|\d(?=\([\da-z])))"
)
"""Where a number with no mark before it may begin (`302/34 IPC`)."""
MEASURE: Final = re.compile(rf"(?!\d{{1,3}}{NOT_A_SECTION})\d")
"""A number that counts or measures something (`3 persons`)."""
CODE_ORDER: Final = re.compile(r"O\d{1,2}A?(?:\s?R\s?\d{1,3}[A-Z]?)?(?:\(\w{1,3}\))*")
"""The Order and Rule of a normal form, after its code: `O7R11`."""


AFTER_NUMBER: Final = r"(?:(?<=\d\s)|(?<=\d[A-Za-f]\s)|(?<=\)\s)|(?<=\d\sof\s)|(?<=\d\sof\sthe\s))"
NUMBER_NEXT: Final = (
    r"(?=[\s,:(-]{1,2}(?:[uU]/\s?)?(?:[Ss]s?|[Ss]ecs?|[Ss]ections?)\.?\s?\d"
    r"|(?<=[A-Z]{3})[\s:]{1,2}\d{1,3}\b|(?<=\b[A-Z]{2})\s(?:\d{3}\b(?![,.]\d)|\d{1,2}(?:[(/]|[A-Z]\b)))"
)
"""Where a short name may mean an Act: `138 NI`, `HMA s. 13`."""
NO_ACT_NEXT: Final = (
    r"(?!(?:\s+(?:and|of|the|for|to|&|\(?[A-Z][\w',-]*\)?))*\s*(?:\([A-Za-z]+\)\s*)?"
    r"\b(?:[Aa]ct|ACT|Rules|Code)\b)"
)
"""Keeps `Contract` from being read in `section 2 of the Contract Labour Act`."""


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
    number = NUMBER.match(text, at)
    if number is None:
        return None
    members = [Member(Span(start, number.end()), number.group())]
    end = number.end()
    while True:
        if two := _TWO_CLAUSES.fullmatch(members[-1].raw):
            at, last = members[-1].span.end - len(two["second"]), members.pop()
            members.append(Member(Span(last.span.start, at), two["first"]))
            members.append(Member(Span(at, end), two["stem"] + two["second"]))
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
