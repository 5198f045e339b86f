"""Ages, amounts, durations, quantities and counts as narratives write them.

Ages are those of people (`aged about 16 years`, `17-year-old`); a bare number is one where it is said of
a person (`Ramesh (31)`), and the age of a thing (`a ten-year-old dispute`) is none. Amounts are rupees
(`Rs. 5.5 lakh`, `ten lakhs`), lengths of time neither ages nor dates (`delay of 45 days`). Units outside
the closed list (`two maunds`) and things that no unit of the vocabulary names (`2 bikes`) are not read;
`6 of 19 witnesses` is two counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache, partial
from typing import Final

from countercase.fact_types.measures import figure_words
from countercase.fact_types.numerical.mentions import (
    IN_DAYS,
    LESSER,
    STEPS,
    Mention,
    ends_of,
    free_of,
    lesser_of,
    mention,
    number_of,
    part_of,
    read_all,
)
from countercase.facts.vocabulary import COUNT_UNITS
from countercase.text.dates import reserved_spans
from countercase.text.nearest_word import is_noun, nearest_in, window, words_for
from countercase.text.numbers import number_words, numbers_of, read_number, read_range
from countercase.text.patterns import NamedPattern, finders, pattern
from countercase.text.spans import Places, Span
from countercase.text.units import WRITTEN_QUANTITIES, time_unit

_OLDEST: Final = 120
_LEAD: Final = len("age being ")
_BEFORE: Final = 110
_AHEAD, _BEHIND = 12, 6
"""Characters before a name and behind its age that the word for the person meets."""
_GROWN: Final = 14
_YOUNGEST: Final = 3  # below it, years beside a name are seldom an age
_LONGEST: Final = 999  # above it, `years` follows a calendar year
_PARTS: Final = {
    ("bigha", "biswa"): 20, ("acre", "gunt"): 40, ("acre", "cent"): 100, ("kg", "g"): 1000,
    ("kanal", "marla"): 20, ("katha", "dhur"): 20, ("bigha", "kat"): 20,
}  # fmt: skip
"""How many of a lesser unit make one of a unit of quantity."""

_STRUCK_NEAR: Final = 100
_WORDS: Final = number_words("count")


@lru_cache(maxsize=4)
def find_ages(text: str) -> tuple[Mention, ...]:
    """Every age of a person that `text` states, in order, in years, a baby's in months.

    A range is one age with its `upper` end; `17 years, 3 months and 24 days` is 17.3157 years. The
    context is the person named nearest (`prosecutrix`, `deceased`), with a name where the word tells
    one person badly from another, or "" where nobody is named near.
    """
    taken = reserved_spans(text)
    ages = read_all(text, finders("age"), _read_ages, taken)
    following = [after for age in ages for after in _following(text, age)]
    fresh = free_of(following, (*taken, *(age.span for age in ages)))
    return tuple(sorted([*ages, *fresh], key=lambda age: age.span))


def _following(text: str, age: Mention) -> Iterable[Mention]:
    """The ages that a list goes on with: `two brothers, 51 and 47`."""
    at = age.span.end
    while (match := pattern("NEXT_AGE").match(text, at)) and pattern("AGE_ENDS").match(
        text, match.end()
    ):
        ends = ends_of(match, Span(*match.span()))[:2]
        if ends[0] is None or not 0 < ends[0] <= _OLDEST:
            return
        value = replace(age.value, value=float(ends[0]), unit="years", upper=None)
        yield Mention(value, Span(match.start("first"), match.end()))
        at = match.end()


def _read_ages(text: str, match: re.Match[str]) -> list[Mention]:
    groups, whole = match.groupdict(), Span(*match.span())
    unit = "months" if groups.get("months") else "years"
    first, second, _ = ends_of(match, whole)
    late = pattern("TIME_UNIT").match(text, whole.end + 1) if groups.get("figures") else None
    if late and first and (stated := time_unit(late[0])) in ("weeks", "days"):  # `aged 6 weeks`
        months = Decimal(IN_DAYS[stated] / IN_DAYS["months"])
        first, second = round(first * months, 2), second and round(second * months, 2)
        unit, whole = "months", Span(whole.start, late.end())
    if unit == "months" and not pattern("INFANT").search(
        text, max(0, whole.start - _BEFORE), whole.end + 40
    ):
        return []  # `the operation is 8 months old`
    if first is None or not _is_age(text, match):
        return []
    value = float(first + part_of(groups)) + lesser_of(groups, unit)
    if not 0 < value <= _OLDEST or (second is not None and second > _OLDEST):
        return []
    begin = match.start("figures" if "figures" in groups else "first")
    led = begin - match.start() <= _LEAD and match.group()[:3].lower() == "age"
    start = match.start() if led or match.re is pattern("SEX_AGE").compiled else begin
    here = Span(start, whole.end)
    read = mention(text, "age", (value, second), unit, here, whole)
    context = _whose(text, whole, read.value.context, match.group())
    return [replace(read, value=replace(read.value, context=context))]


def _whose(text: str, span: Span, near: str, words: str) -> str:
    """Return whose age it is: of the person named before it, the nearest one, or the speaker."""
    before = max(0, span.start - _BEFORE)
    noun = pattern("BRACKETED").search(text, before, span.start)
    if noun and noun[1].islower() and is_noun(noun[1]) and not words_for("age").name_of(noun[1]):
        return noun[1]
    following = re.match(r"\s+(\w+)", text[span.end :])
    alone = words.lower().endswith("old") and not (following and is_noun(following[1]))
    if alone and pattern("OWN_CHILD").search(text, before, span.start):
        return "child"
    if named := pattern("NAME_BEFORE_AGE").search(_before(text, span.start)):
        at, people = span.start - len(named[0]), words_for("age")
        left, right = window(text, Span(at, span.end), _AHEAD, _BEHIND)
        left, right = text.rfind(" ", 0, left) + 1, max(right, text.find(" ", right))
        near = nearest_in(text, Span(at, at), people, left, at)
        near = near or nearest_in(text, Span(span.end, span.end), people, span.end, right)
        return near if near in figure_words("unnamed") else f"{near} {named['name']}".strip()
    return near or ("client" if pattern("OF_THE_SPEAKER").search(words) else "")


def _before(text: str, at: int) -> str:
    """The words before a place, those in lower case that no name begins with: `flat 12`."""
    before = text[max(0, at - _BEFORE) : at]
    return pattern("NOT_A_NAME").sub(lambda word: word[0].lower(), before)


def _is_age(text: str, match: re.Match[str]) -> bool:
    """Whether a number without a word for an age is said of a person: `Ramesh (31)`, `client 66`."""
    alone = match.re is pattern("BARE_YEARS").compiled
    if not alone and match.re is not pattern("BARE_AGE").compiled:
        return True
    before = _before(text, match.start())
    value = number_of(match.groupdict(), "first") or 0
    numbered = value < _GROWN and pattern("NUMBERED_PERSON").search(before)
    if numbered or not pattern("OF_A_PERSON").search(before):
        return False
    if alone:
        return bool(pattern("AGE_ENDS").match(text, match.end()))
    return bool(pattern("OF_A_CHILD").search(before)) or (
        not match["months"] and value >= _YOUNGEST
    )


def find_amounts(text: str) -> list[Mention]:
    """Every amount of money that `text` states, in order, in rupees.

    A range is one amount with its `upper` end. The context is what the money is said to be
    (`compensation`, `bribe`, `cheque`). Foreign currency is not read.
    """
    mentions = read_all(text, finders("amount"), _read_amount)
    # Reserved words that merely follow a currency sign are none: `Rs. 2.50.` is no clock time.
    marked = Places(item.span for item in mentions if text[item.span.start].lower() in "r₹i")
    return free_of(mentions, (span for span in reserved_spans(text) if not marked.meet(span)))


def find_durations(text: str) -> list[Mention]:
    """Every length of time that `text` states, in order, in the unit it is stated in.

    A range is one duration with its `upper` end; `1 year and 6 months` is 18 months; decades are
    ten years each. A period that only the law sets (`limit of 30 days`, `30 days u/s 138`) is left
    out. The context is what lasted (`imprisonment`, `since marriage`, `delay`).
    """
    taken = (*reserved_spans(text), *(item.span for item in find_ages(text)))
    return read_all(text, finders("duration"), _read_durations, taken)


def find_quantities(text: str) -> list[Mention]:
    """Every weight, volume, length or area that `text` states, in order.

    Values are in the unit the text uses, except that quintals and tonnes come in kg, and `1 kg
    200 grams` as 1.2 kg. The context is the thing measured (`charas`, `land`).
    """
    return read_all(text, finders("quantity"), _read_quantities, reserved_spans(text))


def _read_amount(text: str, match: re.Match[str]) -> list[Mention]:
    def amount(value: Decimal, span: Span, upper: Decimal | None = None) -> Mention:
        return mention(text, "amount", (value, upper), "INR", span)

    groups, whole = match.groupdict(), Span(*match.span())
    ends = read_range(match["low"], match["first"]) if groups.get("low") else None
    if ends and ends[0] < ends[1]:
        return [amount(ends[0], Span(match.start("low"), match.end()), ends[1])]
    first, second = read_number(match["first"] or match.group()), number_of(groups, "second")
    if first is None:
        return []
    if second is None or "right" not in groups:
        start = match.start() if "left" in groups or "half" in groups else match.start("first")
        words, at = match["first"] or "", match.start("first")
        if len(several := numbers_of(words)) > 1:
            read = [read_number(words[it.start : it.end]) or first for it in several]
            spans = [Span(at + it.start if it.start else start, at + it.end) for it in several]
            return list(map(amount, read, spans))
        return [amount(first, Span(start, match.end()), second)]
    ends = read_range(match["first"], match["second"])
    assert ends is not None, "both ends were read"
    if ends[0] < ends[1] and not pattern("FROM").search(
        text, max(0, match.start() - 90), match.start()
    ):
        return [amount(ends[0], whole, ends[1])]
    left, right = Span(match.start(), match.end("left")), Span(match.start("right"), match.end())
    return [amount(ends[0], left), amount(ends[1], right)]


def _read_durations(text: str, match: re.Match[str]) -> list[Mention]:
    groups, unit = match.groupdict(), time_unit(match["unit"])
    whole = Span(*match.span("span" if "span" in groups else 0))

    def duration(value: Decimal | float, unit: str, upper: Decimal | None = None) -> Mention:
        return mention(text, "duration", (value, upper), unit, span)

    first: Decimal | None = Decimal("1" if "span" in groups else "0.5")
    half, second, span = part_of(groups), None, whole
    if "first" in groups:
        first, second, span = ends_of(match, whole)
    if first is None or (unit == "years" and first > _LONGEST):
        return []
    around = text[max(0, match.start() - 40) : match.start()], text[match.end() : match.end() + 20]
    beside = "#".join(around)
    most = pattern("AT_MOST").search(around[0]) and pattern("OFFENCE").search(beside)
    if not (most and unit == "years") and pattern("LAW_PERIOD").search(beside):
        return []
    factor = 10 if match["unit"].lower().startswith("decade") else 1
    if second is not None:
        return [duration(first * factor, unit, second * factor)]
    first = first * factor + half
    rest = groups.get("rest") or ""
    if not rest:
        return [duration(first, unit)]
    lesser = time_unit(LESSER.findall(rest)[0][1].strip())
    if (step := STEPS.get((unit, lesser))) is None:
        if extra := lesser_of(groups, unit):
            return [duration(round(float(first) + extra, 6), unit)]
        span = Span(whole.start, match.end("unit"))  # of `12 months, three months left` the first
        return [duration(first, unit)]
    months = float(first) * step + lesser_of(groups, unit) * step
    return [duration(round(months, 4), lesser)]


def _read_quantities(text: str, match: re.Match[str], more: bool = True) -> list[Mention]:
    groups, whole = match.groupdict(), Span(*match.span())
    index = next(i for i in range(len(WRITTEN_QUANTITIES)) if match[f"u{i}"])
    unit, factor = WRITTEN_QUANTITIES[index].unit, WRITTEN_QUANTITIES[index].count
    rest = number_of(groups, "rest")
    first, last, whole = ends_of(match, whole)
    if first is None:
        return []
    upper = None if last is None else last * factor
    lesser = (groups.get("lesser") or "").lower()
    step = next((n for (u, word), n in _PARTS.items() if u == unit and lesser.startswith(word)), 0)
    if rest is not None and step and factor == 1 and upper is None:
        return [mention(text, "quantity", (first + rest / step, None), unit, whole)]
    span = Span(whole.start, match.end(f"u{index}")) if rest is not None else whole
    read = [mention(text, "quantity", (first * factor, upper), unit, span, whole)]
    if not (more and rest and not step):
        return read
    second = pattern("QUANTITY").match(text, match.start("rest"))  # `3 vigha 8 guntha`
    return read + (_read_quantities(text, second, more=False) if second else [])


def find_counts(text: str) -> list[Mention]:
    """Every count that `text` states, in order; a range is one count with its `upper` end."""
    mentions: list[Mention] = []
    for row in finders(*COUNT_UNITS):
        read = partial(_read_counts, row=row)
        mentions += read_all(text, [row], read, [item.span for item in mentions])
    shares = [Span(*m.span()) for m in pattern("WITNESSES_OUT_OF").finditer(text)]
    taken = [s for s in reserved_spans(text) if not any(s.overlaps(share) for share in shares)]
    return sorted(free_of(mentions, taken), key=lambda item: item.span)


def _read_counts(text: str, match: re.Match[str], row: NamedPattern) -> list[Mention]:
    before = text[max(0, match.start() - _STRUCK_NEAR) : match.start()]
    if match.group().lower().endswith("times") and not pattern("STRUCK").search(before):
        return []
    span = Span(match.start() if row.number_last else match.start("first"), match.end())
    groups, unit = match.groupdict(), row.finds
    value, upper, whole = (_counted(groups.get(name)) for name in ("first", "second", "whole"))
    if value is None:
        return []
    if whole is None:
        return [mention(text, "count", (value, upper), unit, span)]
    part, rest = Span(span.start, match.start("whole")), Span(match.start("whole"), span.end)
    return [
        mention(text, "count", (value, upper), unit, part),
        mention(text, "count", (whole, None), unit, rest),
    ]


def _counted(words: str | None) -> float | None:
    number = _WORDS.get((words or "").lower()) or read_number(words or "")
    return None if number is None else float(number)
