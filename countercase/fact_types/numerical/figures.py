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
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from countercase.fact_types.base import expanded, pattern
from countercase.facts.model import NumericalKind, NumericalValue
from countercase.text.dates import reserved_spans
from countercase.text.nearest_word import nearest, owner, words_for
from countercase.text.numbers import NUMBER, read_number, read_range
from countercase.text.spans import Span
from countercase.text.units import WRITTEN_QUANTITIES, time_unit

_AMOUNTS: Final = (
    *("SUM_WITH_ANNAS", "MARKED_SUM", "SINGLE_SUM", "TRAILED_SUM", "BARE_SUM", "SHORT_SUM"),
    *("GROUPED_SUM", "PLAIN_SUM", "PAID_SUM"),
)
_FROM: Final = re.compile(r"(?i)\bfrom\s+\Z")

_AGES: Final = (
    *("AGE_LIST", "AGED", "AGE_OF", "AGE_WAS", "YEARS_OLD", "PERSON_OF_AGE", "ATTAINED_AGE"),
    *(
        "PERSON_WAS",
        "AGE_ON_DATE",
        "AGE_SEX",
        "SEX_AGE",
        "AGE_BY_PROOF",
        "AGE_PER_PROOF",
        "BARE_AGE",
    ),
    *("BARE_YEARS", "NOW_AGED"),
)
_SOMEBODYS: Final = ("salary", "wages", "earnings", "income", "pension")
_MEMBER: Final = re.compile(f"(?i){NUMBER}")
_OLDEST: Final = 120
_LEAD: Final = len("age being ")
_OF_A_PERSON: Final = pattern("OF_A_PERSON")
_OF_A_PERSON_ALONE: Final = pattern("OF_A_PERSON_ALONE")
_AGE_ENDS: Final = pattern("AGE_ENDS")
_BEFORE: Final = 90
_YOUNGEST: Final = 3  # below it, years beside a name are seldom an age

_BRIEFLY: Final = re.compile(r"(?i)\Aage(?:\s+now)?[\s:-]*\d|\d\s*(?:yrs?\b|y\b|sa+l\b|\Z)|half\Z")
_CLIENT: Final = re.compile(r"\b(?:I am|I['’]?m|[Ii] |[Mm]y|[Oo]ur|[Mm]e|(?i:clients?))\b")
_PARTY: Final = re.compile(
    r"(?i)\b(accused|appellant|applicant|petitioner|detenu|convict|claimant|plaintiff)"
)

_DURATIONS: Final = ("DURATION", "HALF_DURATION", "SINGLE_DURATION", "ORDINAL_DAY")
_LONGEST: Final = 999  # above it, `years` follows a calendar year
_ONE_DAY: Final = pattern("ONE_DAY")
_ONE_DAY_BEFORE: Final = pattern("ONE_DAY_BEFORE")
_ONE_DAY_AFTER: Final = pattern("ONE_DAY_AFTER")
_LAW_PERIOD: Final = pattern("LAW_PERIOD")
_LESSER: Final = re.compile(rf"(?i)({NUMBER})\s*({expanded('{LESSER}')})")
_STEPS: Final = {("years", "months"): 12, ("weeks", "days"): 7, ("hours", "minutes"): 60}
_IN_DAYS: Final = {"years": 365.25, "months": 30.4375}
_PARTS: Final = {
    ("bigha", "biswa"): 20,
    ("acre", "gunt"): 40,
    ("acre", "cent"): 100,
    ("kg", "g"): 1000,
}
"""How many of a lesser unit make one of a unit of quantity."""

_WINDOWS: Final[dict[NumericalKind, tuple[int, int, int]]] = {
    "amount": (90, 70, 10), "age": (70, 45, 25), "duration": (60, 40, 0), "quantity": (60, 40, -10),
    "count": (60, 60, 0),
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

    A range is one amount with its `upper` end; annas (sixteen to the rupee) and pies (twelve to
    the anna) are read, as until 1957. The context is what the money is said to be (`compensation`,
    `bribe`, `cheque`). Foreign currency is not read.
    """
    mentions = _read_all(text, _AMOUNTS, _read_amount)
    # Reserved words that merely follow a currency sign are none: `Rs. 2.50.` is no clock time.
    marked = [item.span for item in mentions if text[item.span.start].lower() in "r₹i"]
    dates = (s for s in reserved_spans(text) if not any(s.overlaps(other) for other in marked))
    return free_of(mentions, dates)


def find_ages(text: str) -> list[Mention]:
    """Every age of a person that `text` states, in order, in years, a baby's in months.

    A range is one age with its `upper` end; `17 years, 3 months and 24 days` is 17.3157 years. The
    context is the person (`prosecutrix`, `deceased`), or "" where none is named near.
    """
    return _read_all(text, _AGES, _read_ages, reserved_spans(text))


def find_durations(text: str) -> list[Mention]:
    """Every length of time that `text` states, in order, in the unit it is stated in.

    A range is one duration with its `upper` end; `1 year and 6 months` is 18 months; decades are
    ten years each. A period that only the law sets (`limit of 30 days`, `30 days u/s 138`) is left
    out. The context is what lasted (`imprisonment`, `since marriage`, `delay`).
    """
    taken = (*reserved_spans(text), *(item.span for item in find_ages(text)))
    return _read_all(text, _DURATIONS, _read_durations, taken)


def find_quantities(text: str) -> list[Mention]:
    """Every weight, volume, length or area that `text` states, in order.

    Values are in the unit the text uses, except that quintals and tonnes come in kg, and `1 kg
    200 grams` as 1.2 kg. The context is the thing measured (`charas`, `land`).
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


def mention(
    text: str,
    kind: NumericalKind,
    ends: tuple[Decimal | float, Decimal | float | None],
    unit: str,
    span: Span,
    around: Span | None = None,
) -> Mention:
    """A value, or a range, with its context: what the words around it say that it measures."""
    value, upper = ends
    measured = f"count {unit}" if kind == "count" else kind
    context = owner(text, around or span, measured, *_WINDOWS[kind])
    if context in _SOMEBODYS:
        whose = nearest(text, span, words_for("age"), 25, 5)
        context = f"{whose}'s {context}" if whose else context
    ceiling = None if upper is None else float(upper)
    return Mention(NumericalValue(kind, float(value), unit, context, ceiling), span)


def _ends(match: re.Match[str], whole: Span) -> tuple[Decimal | None, Decimal | None, Span]:
    """Both ends of a range with its words; `Section 302 to ten years` is no range."""
    groups = match.groupdict()
    first, second = (_number(groups, name) for name in ("first", "second"))
    if first is None or second is None or first < second:
        return first, second, whole
    return second, None, Span(match.start("second"), whole.end)


def _number(groups: dict[str, str | None], name: str) -> Decimal | None:
    words = groups.get(name)
    return read_number(words) if words else None


def _read_amount(text: str, match: re.Match[str]) -> list[Mention]:
    def amount(value: Decimal, span: Span, upper: Decimal | None = None) -> Mention:
        return mention(text, "amount", (value, upper), "INR", span)

    groups, whole = match.groupdict(), Span(*match.span())
    if groups.get("low"):
        ends = read_range(match["low"], match["first"])
        return [amount(ends[0], Span(match.start("low"), match.end()), ends[1])] if ends else []
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
        return [amount(first, Span(match.start(), match.end("paise")), paise)]
    if second is None or "right" not in groups:
        start = match.start() if "left" in groups or "half" in groups else match.start("first")
        return [amount(first, Span(start, match.end()), second)]
    ends = read_range(match["first"], match["second"])
    assert ends is not None, "both ends were read"
    if ends[0] < ends[1] and not _FROM.search(text, 0, match.start()):
        return [amount(ends[0], whole, ends[1])]
    left, right = Span(match.start(), match.end("left")), Span(match.start("right"), match.end())
    return [amount(ends[0], left), amount(ends[1], right)]


def _read_ages(text: str, match: re.Match[str]) -> list[Mention]:
    groups, whole = match.groupdict(), Span(*match.span())
    if "all" in groups:
        members = _MEMBER.finditer(text, *match.span("all"))
        ages = ((read_number(member.group()), Span(*member.span())) for member in members)
        listed = [(n, span) for n, span in ages if n is not None and 0 < n <= _OLDEST]
        return [mention(text, "age", (n, None), "years", span, whole) for n, span in listed]
    unit = "months" if groups.get("months") else "years"
    first, second, _ = _ends(match, whole)
    if first is None or not _is_age(text, match):
        return []
    half = Decimal("0.5") if groups.get("half") else 0
    value = float(first + half) + _lesser(groups, unit)
    if not 0 < value <= _OLDEST or (second is not None and second > _OLDEST):
        return []
    begin = match.start("figures" if "figures" in groups else "first")
    led = begin - match.start() <= _LEAD and match.group()[:3].lower() == "age"
    start = match.start() if led or match.re is pattern("SEX_AGE") else begin
    read = mention(text, "age", (value, second), unit, Span(start, match.end()), whole)
    if not read.value.context:
        read = replace(read, value=replace(read.value, context=_of_whom(text, match.group())))
    return [read]


def _of_whom(text: str, words: str) -> str:
    """Whose age a brief gives that names nobody beside it: its writer's or its first party's."""
    if not _BRIEFLY.search(words):
        return ""
    party = None if _CLIENT.search(text) else _PARTY.search(text)
    return party[1].lower() if party else "client"


def _is_age(text: str, match: re.Match[str]) -> bool:
    """Whether a number without a word for an age is said of a person: `Ramesh (31)`, `client 66`."""
    alone = match.re is pattern("BARE_YEARS")
    if not alone and match.re is not pattern("BARE_AGE"):
        return True
    before = text[max(0, match.start() - _BEFORE) : match.start()]
    if alone:
        return bool(_OF_A_PERSON_ALONE.search(before) and _AGE_ENDS.match(text, match.end()))
    grown = not match["months"] and (_number(match.groupdict(), "first") or 0) >= _YOUNGEST
    return grown and bool(_OF_A_PERSON.search(before))


def _lesser(groups: dict[str, str | None], unit: str) -> float:
    """The months and days after years, or the days after months, in `unit`."""
    total = 0.0
    for number, word in _LESSER.findall(groups.get("rest") or ""):
        value, lesser = read_number(number), time_unit(word.strip())
        if value is not None and (unit, lesser) in _STEPS:
            total += float(value) / _STEPS[unit, lesser]
        elif value is not None and lesser == "days" and unit in _IN_DAYS:
            total += float(value) / _IN_DAYS[unit]
    return round(total, 6)


def _read_durations(text: str, match: re.Match[str]) -> list[Mention]:
    groups, unit = match.groupdict(), time_unit(match["unit"])
    whole = Span(*match.span("span" if "span" in groups else 0))

    def duration(value: Decimal | float, unit: str, upper: Decimal | None = None) -> Mention:
        return mention(text, "duration", (value, upper), unit, span)

    half, span = Decimal("0.5") if groups.get("half") else 0, whole
    if "first" not in groups:
        return [duration(Decimal("1" if "span" in groups else "0.5") + half, unit)]
    first, second, span = _ends(match, whole)
    if first is None or (unit == "years" and first > _LONGEST) or _is_some_day(text, match):
        return []
    around = text[max(0, match.start() - 40) : match.start()], text[match.end() : match.end() + 20]
    if _LAW_PERIOD.search("#".join(around)):
        return []
    factor = 10 if match["unit"].lower().startswith("decade") else 1
    if second is not None:
        return [duration(first * factor, unit, second * factor)]
    first = first * factor + half
    rest = groups.get("rest") or ""
    if not rest:
        return [duration(first, unit)]
    lesser = time_unit(_LESSER.findall(rest)[0][1].strip())
    if (step := _STEPS.get((unit, lesser))) is None:
        extra = _lesser(groups, unit)
        return [duration(float(first) + extra, unit)] if extra else []
    months = float(first) * step + _lesser(groups, unit) * step
    return [duration(round(months, 4), lesser)]


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
    rest = _number(groups, "rest")
    first, second, whole = _ends(match, whole)
    if first is None:
        return []
    upper = None if second is None else second * factor
    lesser = (groups.get("lesser") or "").lower()
    step = next((n for (u, word), n in _PARTS.items() if u == unit and lesser.startswith(word)), 0)
    if rest is not None and step and factor == 1 and upper is None:
        return [mention(text, "quantity", (first + rest / step, None), unit, whole)]
    span = Span(whole.start, match.end(f"u{index}")) if rest is not None else whole
    return [mention(text, "quantity", (first * factor, upper), unit, span, whole)]
