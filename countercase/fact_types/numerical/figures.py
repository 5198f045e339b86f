"""Amounts, ages, durations and quantities as narratives write them.

Amounts of money, in rupees: `Rs. 5.5 lakh`, `Rs 5,00,000/-`, `INR 2 crore`, `rupees fifty thousand`,
`₹ 25,000`, `five lakh rupees`, `Rs. 100/- to 150/-`, and sums that need no currency word (`ten lakhs`).

Ages of people, in years: `aged about 16 years`, `17-year-old`, `age of 18 years`, `minor aged 12`, `14
years of age`, `aged nine months`, `a girl of fourteen or fifteen years`. A bare figure (`was 70`) is no
age, and neither is the age of a thing (`a ten-year-old dispute`).

Lengths of time, such as terms of imprisonment, periods and delays: `within seven years of marriage`,
`delay of 45 days`, `half an hour`, `two and a half years`, `10-15 days`. Ages, dates and clock times are
not lengths of time.

Weights, volumes, lengths and areas: `1.25 kg of charas`, `250 gms`, `2 acres of land`, `3 1/2 bighas`,
`1 kg 200 grams`, `two quintals`. Units outside the closed list (feet, tolas, guntas) are not read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from countercase.fact_types.base import pattern
from countercase.facts.model import NumericalKind, NumericalValue
from countercase.text.dates import reserved_spans
from countercase.text.nearest_word import nearest, words_for
from countercase.text.numbers import NUMBER, read_number
from countercase.text.spans import Span
from countercase.text.units import WRITTEN_QUANTITIES, time_unit

_AMOUNTS: Final = ("SUM_WITH_ANNAS", "MARKED_SUM", "SINGLE_SUM", "TRAILED_SUM", "BARE_SUM")
_TRAILING_SCALE: Final = pattern("TRAILING_SCALE")

_AGES: Final = (
    *("AGE_LIST", "AGED", "AGE_OF", "AGE_WAS", "YEARS_OLD", "PERSON_OF_AGE", "ATTAINED_AGE"),
    "PERSON_WAS",
)
_MEMBER: Final = re.compile(f"(?i){NUMBER}")
_OLDEST: Final = 120
_LEAD: Final = len("age being ")

_DURATIONS: Final = ("DURATION", "HALF_DURATION", "SINGLE_DURATION")
_LONGEST: Final = 999  # above it, `years` follows a calendar year
_ONE_DAY: Final = pattern("ONE_DAY")
_ONE_DAY_BEFORE: Final = pattern("ONE_DAY_BEFORE")
_ONE_DAY_AFTER: Final = pattern("ONE_DAY_AFTER")
_STEPS: Final = {("years", "months"): 12, ("weeks", "days"): 7, ("hours", "minutes"): 60}

_WINDOWS: Final[dict[NumericalKind, tuple[int, int, int]]] = {
    "amount": (90, 70, 10), "age": (70, 45, 5), "duration": (60, 40, 0), "quantity": (60, 40, -10),
}  # fmt: skip
"""Per kind: how far before and behind a number its context is looked for, and `lean` of `nearest`."""


@dataclass(frozen=True)
class Mention:
    """A value and the words of the narrative that state it once."""

    value: NumericalValue
    span: Span


def free_of(mentions: Iterable[Mention], taken: Iterable[Span]) -> list[Mention]:
    """The mentions that share no character with `taken`."""
    spans = tuple(taken)
    return [item for item in mentions if not any(item.span.overlaps(span) for span in spans)]


def find_amounts(text: str) -> list[Mention]:
    """Every amount of money that `text` states, in order, in rupees.

    A range gives both its ends; annas (sixteen to the rupee) and pies (twelve to the anna) are
    read, as until 1957. The context is what the money is said to be (`compensation`, `bribe`,
    `cheque`), or "" where no such word stands near. Foreign currency is not read.
    """
    mentions = _read_all(text, _AMOUNTS, _read_amount)
    # Reserved words that merely follow a currency sign are none: `Rs. 2.50.` is no clock time.
    marked = [item.span for item in mentions if text[item.span.start].lower() in "r₹i"]
    dates = (s for s in reserved_spans(text) if not any(s.overlaps(other) for other in marked))
    return free_of(mentions, dates)


def find_ages(text: str) -> list[Mention]:
    """Every age of a person that `text` states, in order, in years.

    A range gives both its ends; months become a fraction of a year; `14 years, 10 months and 17
    days` is 14, the completed years. The context is the person (`prosecutrix`, `deceased`), or
    "" where none is named near.
    """
    return _read_all(text, _AGES, _read_ages, reserved_spans(text))


def find_durations(text: str) -> list[Mention]:
    """Every length of time that `text` states, in order, in the unit it is stated in.

    A range gives both its ends; `1 year and 6 months` is 18 months; decades are ten years each.
    The context is what lasted (`imprisonment`, `since marriage`, `delay`), or "".
    """
    taken = (*reserved_spans(text), *(item.span for item in find_ages(text)))
    return _read_all(text, _DURATIONS, _read_durations, taken)


def find_quantities(text: str) -> list[Mention]:
    """Every weight, volume, length or area that `text` states, in order.

    Values are in the unit the text uses, except that quintals and tonnes come in kg, and `1 kg
    200 grams` as 1.2 kg. The context is the thing measured (`charas`, `land`), or "".
    """
    return _read_all(text, ("QUANTITY",), _read_quantities, reserved_spans(text))


def _read_all(
    text: str,
    names: Iterable[str],
    read: Callable[[str, re.Match[str]], list[Mention]],
    taken: Iterable[Span] = (),
) -> list[Mention]:
    """What `read` makes of the matches of the patterns outside `taken`, in order.

    Earlier patterns take their words first.
    """
    mentions: list[Mention] = []
    used = [*taken]
    for name in names:
        for match in pattern(name).finditer(text):
            fresh = free_of(read(text, match), used)
            mentions += fresh
            used += (item.span for item in fresh)
    return sorted(mentions, key=lambda item: item.span)


def _mention(
    text: str, kind: NumericalKind, value: Decimal | float, unit: str, span: Span, around: Span
) -> Mention:
    """The value with its context, the nearest word to `around` that says what it measures."""
    context = nearest(text, around, words_for(kind), *_WINDOWS[kind])
    if kind == "duration" and not context:
        context = nearest(text, around, words_for("duration order"), 30, 30)
    return Mention(NumericalValue(kind, float(value), unit, context), span)


def _ends(match: re.Match[str]) -> tuple[Span, Span]:
    """The two ends of a range: `10` and `15 days` of `10-15 days`."""
    left = Span(match.start(), match.end("first"))
    return left, Span(match.start("second"), match.end())


def _number(groups: dict[str, str | None], name: str) -> Decimal | None:
    words = groups.get(name)
    return read_number(words) if words else None


def _read_amount(text: str, match: re.Match[str]) -> list[Mention]:
    def amount(value: Decimal, span: Span) -> Mention:
        return _mention(text, "amount", value, "INR", span, span)

    groups, whole = match.groupdict(), Span(*match.span())
    first, second = read_number(match["first"] or match.group()), _number(groups, "second")
    if first is None:
        return []
    if groups.get("annas") is not None:
        return [
            amount(first + Decimal(groups["annas"]) / 16 + Decimal(groups["pies"]) / 192, whole)
        ]
    if groups.get("paise") is not None:
        # `Rs. 202-50` is Rs. 202.50 as the courts once wrote it, but `Rs. 10-15` is a range.
        paise = Decimal(groups["paise"])
        if match.group().rstrip(" .").endswith(("p", "paise", "P")) or paise < first:
            return [amount(first + paise / 100, Span(match.start(), match.end("left")))]
        left = Span(match.start(), match.end("first"))
        return [amount(first, left), amount(paise, Span(*match.span("paise")))]
    if second is None:
        return [amount(first, whole)]
    scale = _TRAILING_SCALE.search(match["second"])
    if scale and not _TRAILING_SCALE.search(match["first"]):
        multiplied = read_number(f"{match['first']} {scale.group()}")
        if multiplied is not None and first < second:
            first = multiplied
    left, right = Span(match.start(), match.end("left")), Span(match.start("right"), match.end())
    return [amount(first, left), amount(second, right)]


def _read_ages(text: str, match: re.Match[str]) -> list[Mention]:
    def age(value: Decimal | float, span: Span) -> Mention:
        return _mention(text, "age", value, "years", span, Span(*match.span()))

    groups = match.groupdict()
    if "all" in groups:
        members = _MEMBER.finditer(text, *match.span("all"))
        ages = ((read_number(member.group()), Span(*member.span())) for member in members)
        return [age(n, span) for n, span in ages if n is not None and 0 < n <= _OLDEST]
    numbers = (_number(groups, "first"), _number(groups, "second"))
    years = [float(n) / (12 if groups.get("months") else 1) for n in numbers if n is not None]
    if not years or any(not 0 < value <= _OLDEST for value in years):
        return []
    led = match.start("figures") - match.start() <= _LEAD and match.group()[:3].lower() == "age"
    start = match.start() if led else match.start("figures")
    if len(years) == 1:
        return [age(years[0], Span(start, match.end()))]
    left, right = Span(start, match.end("first")), Span(match.start("second"), match.end())
    return [age(years[0], left), age(years[1], right)]


def _read_durations(text: str, match: re.Match[str]) -> list[Mention]:
    groups, unit = match.groupdict(), time_unit(match["unit"])
    whole = Span(*match.span("span" if "span" in groups else 0))

    def duration(value: Decimal, unit: str, span: Span) -> Mention:
        return _mention(
            text, "duration", value, unit, span, whole if groups.get("second") else span
        )

    half = Decimal("0.5") if groups.get("half") else 0
    if "first" not in groups:
        return [duration(Decimal("1" if "span" in groups else "0.5") + half, unit, whole)]
    first, second, rest = (_number(groups, name) for name in ("first", "second", "rest"))
    if first is None or (unit == "years" and first > _LONGEST) or _is_some_day(text, match):
        return []
    factor = 10 if match["unit"].lower().startswith("decade") else 1
    if second is not None:
        left, right = _ends(match)
        return [duration(first * factor, unit, left), duration(second * factor, unit, right)]
    first = first * factor + half
    if not match["rest"]:
        return [duration(first, unit, whole)]
    lesser = time_unit(match["lesser"])
    step = _STEPS.get((unit, lesser))
    if rest is not None and step is not None:
        return [duration(first * step + rest, lesser, whole)]
    both = [duration(first, unit, Span(match.start(), match.end("unit")))]
    if rest is not None and lesser != unit:
        both.append(duration(rest, lesser, Span(match.start("rest"), match.end("lesser"))))
    return both


def _is_some_day(text: str, match: re.Match[str]) -> bool:
    """Whether `one day` means a certain day (`one day he came`) and no length of time."""
    return bool(
        _ONE_DAY.match(match.group())
        and not _ONE_DAY_BEFORE.search(text, max(0, match.start() - 12), match.start())
        and not _ONE_DAY_AFTER.match(text, match.end())
    )


def _read_quantities(text: str, match: re.Match[str]) -> list[Mention]:
    groups, whole = match.groupdict(), Span(*match.span())
    index = next(i for i in range(len(WRITTEN_QUANTITIES)) if match[f"u{i}"])
    unit, factor = WRITTEN_QUANTITIES[index].unit, WRITTEN_QUANTITIES[index].count

    def quantity(value: Decimal, span: Span) -> Mention:
        return _mention(text, "quantity", value, unit, span, whole)

    first, second, rest = (_number(groups, name) for name in ("first", "second", "rest"))
    if first is None:
        return []
    if second is not None:
        left, right = _ends(match)
        right = Span(right.start, match.end(f"u{index}"))
        return [quantity(first * factor, left), quantity(second * factor, right)]
    if rest is not None and unit == "kg" and factor == 1:
        return [quantity(first + rest / 1000, whole)]
    span = Span(match.start(), match.end(f"u{index}")) if rest is not None else whole
    return [quantity(first * factor, span)]
