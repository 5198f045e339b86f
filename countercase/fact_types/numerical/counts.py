"""How many accused, blows, injuries, witnesses, victims, children or workers a narrative counts.

`9 named accused`, `11 ante mortem injuries`, `single blow`, `6 of 19 witnesses` (two counts), `two
witnesses signed`, `6-7 others`. A number of things that no unit of the vocabulary names (`2 bikes`,
`5 doctors`) is not read.
"""

from __future__ import annotations

import re
from typing import Final

from countercase.fact_types.base import pattern
from countercase.fact_types.numerical.mentions import Mention, free_of, mention
from countercase.text.dates import reserved_spans
from countercase.text.numbers import read_number
from countercase.text.spans import Span

_COUNTED: Final = {
    **dict.fromkeys(("COUNTED_INJURIES", "INJURIES_COUNTED", "INJURIES_TOTAL"), "injuries"),
    **dict.fromkeys(("COUNTED_BLOWS", "BLOW_COUNTED", "STRUCK_OFTEN"), "blows"),
    **dict.fromkeys(("WITNESSES_OUT_OF", "COUNTED_WITNESSES", "WITNESSES_COUNTED"), "witnesses"),
    **dict.fromkeys(("PANCH_ARE", "COUNTED_TO_DEPOSE", "WITNESSES_DONE"), "witnesses"),
    **dict.fromkeys(("COUNTED_ACCUSED", "ACCUSED_COUNTED", "ACCUSED_ARE"), "accused"),
    **dict.fromkeys(("CLIENTS_COUNTED", "OF_ACCUSED_COUNTED", "PARTICIPLE_COUNTED"), "accused"),
    **dict.fromkeys(("COUNTED_PERSONS", "ATTACKERS_COUNTED", "GANG_OF"), "accused"),
    **dict.fromkeys(("COMPLAINT_NAMES", "COUNTED_OTHERS", "OF_US"), "accused"),
    **dict.fromkeys(("COUNTED_VICTIMS",), "victims"),
    **dict.fromkeys(("COUNTED_CHILDREN",), "children"),
    **dict.fromkeys(("COUNTED_WORKERS",), "workers"),
}
"""The patterns of what is counted, with their units."""

_NUMBER_LAST: Final = (
    *("INJURIES_COUNTED", "WITNESSES_COUNTED", "PANCH_ARE", "ACCUSED_COUNTED", "BLOW_COUNTED"),
)
"""The patterns whose number follows what it counts: `incised wounds 3`."""

_STRUCK: Final = pattern("STRUCK")
_NEAR: Final = 100
_WORDS: Final = {
    **dict.fromkeys(("single", "solitary", "sole", "lone", "ek", "once"), 1),
    "twice": 2,
    "thrice": 3,
    "both": 2,
    "do": 2,
    "teen": 3,
    "tin": 3,
    "char": 4,
    "chaar": 4,
    "panch": 5,
    "paanch": 5,
    "chhe": 6,
    "chha": 6,
    "saat": 7,
    "aath": 8,
    "nau": 9,
    "das": 10,
}


def find_counts(text: str) -> list[Mention]:
    """Every count that `text` states, in order; a range is one count with its `upper` end."""
    mentions: list[Mention] = []
    for name, unit in _COUNTED.items():
        for match in pattern(name).finditer(text):
            fresh = free_of(_read(text, match, unit), [item.span for item in mentions])
            mentions += fresh
    shares = [Span(*m.span()) for m in pattern("WITNESSES_OUT_OF").finditer(text)]
    taken = [s for s in reserved_spans(text) if not any(s.overlaps(share) for share in shares)]
    return sorted(free_of(mentions, taken), key=lambda item: item.span)


def _read(text: str, match: re.Match[str], unit: str) -> list[Mention]:
    before = text[max(0, match.start() - _NEAR) : match.start()]
    if match.group().lower().endswith("times") and not _STRUCK.search(before):
        return []
    behind = match.re in (pattern(name) for name in _NUMBER_LAST)
    span = Span(match.start() if behind else match.start("first"), match.end())
    groups = match.groupdict()
    value, upper, whole = (_number(groups.get(name)) for name in ("first", "second", "whole"))
    if value is None:
        return []
    if whole is None:
        return [mention(text, "count", (value, upper), unit, span)]
    part, rest = Span(span.start, match.start("whole")), Span(match.start("whole"), span.end)
    return [
        mention(text, "count", (value, upper), unit, part),
        mention(text, "count", (whole, None), unit, rest),
    ]


def _number(words: str | None) -> float | None:
    if words is None:
        return None
    number = _WORDS.get(words.lower()) or read_number(words)
    return None if number is None else float(number)
