"""What a narrative says of a figure a second time, in other terms.

Nineteen days between two dates that are both stated are twenty only where one of the dates moves.
Such a figure is not changed: half of the narrative would contradict the other.
"""

from __future__ import annotations

import re
from datetime import date
from itertools import combinations
from typing import Final

from countercase.fact_types.dependent_words import cuts
from countercase.fact_types.rewriting import sentences_around
from countercase.facts.edits import Replacement
from countercase.facts.model import Fact, FactSheet, NumericalValue
from countercase.text.dates import find_dates, read_date
from countercase.text.spans import Span

_BORN: Final = re.compile(
    r"(?i)\b(?:born|d\.?\s?o\.?\s?b\.?|date of birth|birth as)\b[^.;\n]{0,40}?\b(?:19|20)\d\d\b"
)
_CONCLUSION: Final = re.compile(
    r"(?i)\s*,\s+(?:and\s+)?(?:so|hence|thus|therefore)\b[^.;]*?\b(?:in order|(?:in|within|out of) time"
    r"|within limitation|time[- ]barred|barred|belated|late)\b(?=\s*[.;])"
)
_PROPORTION: Final = re.compile(
    r"(?im)(?<=[.;] )(?:so|hence|thus|therefore)\b[^.;]*\b(?:tenth|in ten|ten per cent|10 ?%)[^.;]*[.;] ?"
)
_MARGIN_ENDS: Final = re.compile(
    r"(?i)\bmargin of [^.;]{0,60}(?<= )(?P<ends>ends)(?= the (?:matter|case)\b)"
)
_PRESUMED: Final = re.compile(r"(?i),? and why [^.,;]*\b(?:may|shall) presume\b[^.,;]*(?=[.;])")
"""An argument on a presumption, beside another, that no court can draw after seven years."""
_OF_A_SHARE: Final = re.compile(r"(?i)income|excess|assets")
_WOULD_BE_LATE: Final = (
    r"[^.;\n]*\b(?:would|should) have\b[^.;\n]*\b(?:delay|late|limitation)\b[^.;\n]*[.]"
)
_HAD_IT_BEEN: Final = re.compile(
    rf"(?im)(?<=[.]) {_WOULD_BE_LATE}|^{_WOULD_BE_LATE} ?"
    r"|, and what would have happened had [^,.;\n]*\b(?:waited|delayed)\b[^,.;\n]*(?=[.;])"
)
"""What would have been on the other side of a limit of time: no more than the figure says."""
_AS_LATE: Final = re.compile(
    r"(?i)(?<=\bback) as (?:late|belated|barred|time[- ]barred)\b(?=[,.;])"
)
_IF_COUNTED: Final = re.compile(
    r"(?i)(?<=[.]) If [^.;\n]* (?:would|should) be [^.;\n]*\b(?:commercial|small)\b[^.;\n]*[.]"
)
"""What a share of a quantity would be, where the whole is already there."""
_MINOR: Final = re.compile(r"(?i)\bminor\s+(?=girl|boy|child|daughter|son|prosecutrix|victim|wife)")
_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")
_DAYS: Final = {"days": 1.0, "weeks": 7.0, "months": 30.4375, "years": 365.25}
_ROUGH: Final = {"days": 1.0, "weeks": 3.0, "months": 16.0, "years": 200.0}
"""By how many days a length of time may miss the one between two dates and still be it."""


def stated_by_dates(sheet: FactSheet, value: NumericalValue) -> bool:
    """Whether a length of time follows from two dates, or an age from a date of birth."""
    if value.kind == "age":
        return bool(_BORN.search(sheet.narrative))
    days = value.value * _DAYS.get(value.unit, 0)
    if value.kind != "duration" or not days:
        return False
    written = (read_date(sheet.narrative[s.start : s.end]) for s in find_dates(sheet.narrative))
    dates = sorted({date.fromisoformat(text) for text in written if len(text) == len("2024-08-12")})
    slack = _ROUGH[value.unit]
    return any(
        -min(slack, 20) <= (later - earlier).days - days <= slack
        for earlier, later in combinations(dates, 2)
    )


def conclusions(sheet: FactSheet, fact: Fact) -> list[Replacement]:
    """Cuts of what is concluded from the figure (`, so the complaint is in time`), or its opposite."""
    whole = [Span(0, len(sheet.narrative))]
    assert isinstance(fact.value, NumericalValue)
    kind, replacements = fact.value.kind, []
    if kind != "amount" or _OF_A_SHARE.search(fact.value.context):
        replacements = [
            cut for words in _CONCLUDED.get(kind, ()) for cut in cuts(sheet, fact, words, whole)
        ]
        ends = _MARGIN_ENDS.finditer(sheet.narrative) if kind == "amount" else ()
        replacements += [Replacement(*match.span("ends"), "does not end") for match in ends]
    own = sentences_around(sheet.narrative, fact.spans)
    return [*cuts(sheet, fact, _CONCLUSION, own), *replacements]


_CONCLUDED: Final = {
    "amount": (_PROPORTION,),
    "duration": (_HAD_IT_BEEN, _AS_LATE),
    "quantity": (_IF_COUNTED,),
}


def presumptions(sheet: FactSheet, fact: Fact, after: NumericalValue) -> list[Replacement]:
    """Cuts of what is argued on a presumption that a longer marriage takes away."""
    before = fact.value
    assert isinstance(before, NumericalValue)
    if before.kind != "duration" or "marri" not in before.context or after.value < before.value:
        return []
    whole = [Span(0, len(sheet.narrative))]
    return cuts(sheet, fact, _PRESUMED, whole)


def years_between(sheet: FactSheet, fact: Fact, after: NumericalValue) -> list[Replacement]:
    """The year from which the figure counts, where its sentence names both years of it.

    `He broke the strip in 1986, so that it was 19 years by 2005` is 31 years from 1974.
    """
    before = fact.value
    if not isinstance(before, NumericalValue) or before.unit != "years":
        return []
    replacements = []
    for place in sentences_around(sheet.narrative, fact.spans):
        years = list(_YEAR.finditer(sheet.narrative, place.start, place.end))
        ends = {int(match[0]) for match in years}
        if len(ends) == 2 and max(ends) - min(ends) == before.value:
            begins = max(ends) - int(after.value)
            replacements += [
                Replacement(*match.span(), str(begins))
                for match in years
                if int(match[0]) == min(ends)
            ]
    return replacements


def called_minor(sheet: FactSheet, fact: Fact) -> list[Replacement]:
    """Cuts of `minor` before the words for a person who is of full age after an edit."""
    whole = Span(0, len(sheet.narrative))
    return cuts(sheet, fact, _MINOR, [whole])
