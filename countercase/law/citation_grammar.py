"""How Indian lawyers write section numbers: the patterns behind `citations`.

A citation is a mark (`Section`, `u/s`, `Art.`, `Order VII Rule`, `IPC-`) with a list of numbers
(`147, 148, 149 and 302`, `302/34`, `19(1)(a) and (g)`), then as a rule the name of the Act.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from countercase.law.acts import WRITTEN_CODES, acts

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

LEADING_ACT: Final = re.compile(
    r"[\s,:(]*(?:and\s+)?(?:also\s+)?(?:under\s+)?(?:read\s+with\s+|r/w\.?\s*|the\s+)?"
)
"""What may stand between an Act and a list that it governs (`Penal Code, section 302`)."""

NOT_THE_CONSTITUTION: Final = re.compile(
    r"\s*(?:of|to|in|under)\s+(?:the\s+|this\s+|its\s+|said\s+)*(?:\w+\s+){0,4}?(?:Schedule|Charter|Articles"
    r"|Memorandum|Covenant|Convention|Treaty|Declaration|Agreement|Statute|Regulations?|Rules|Protocol)\b"
)
"""What follows `Article 12` where it is not an Article of the Constitution."""

OFFENCE_WORDS: Final = re.compile(
    r"\b(?:convict\w*|charge[ds]?|chargesheet\w*|punish\w*|offences?|sentenced?|guilty|booked|F\.?I\.?R"
    r"|registered|acquitt\w*|framed)\b",
    re.IGNORECASE,
)
"""Words that announce a section of substantive criminal law."""

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
