"""Say a figure: its sentence, the side of a line on which it stands, its supposition.

What a figure measures has its clauses in `law/data/measures.jsonl`; one that no row knows is said by
its kind and the words of its context.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from countercase.fact_types.base import templates_of
from countercase.fact_types.catalogue import matter_of
from countercase.fact_types.lines import Line, is_above, is_given_by_law, quantity_tier
from countercase.fact_types.measures import figure_words, measure_of
from countercase.fact_types.roles import name_in, owner_of
from countercase.facts.model import Fact, FactSheet, NumericalValue
from countercase.text import numbers, units
from countercase.text.dates import in_full, reserved_spans
from countercase.text.sentences import clauses_of

STYLES: Final = 3
"""Ways of writing a figure: digits, words, another unit or scale."""
_NAMING: Final = 3  # words of a context that still name a person: `the elder daughter`
KINDS: Final = {
    "amount": "sum", "age": "age", "duration": "period", "quantity": "figure", "count": "number",
}  # fmt: skip
"""What a figure of each kind is called."""
_GRAMS: Final = 0.1  # kilograms below which a weight is written in grams
_PER_YEAR: Final = {"years": 1, "months": 12}
_ONE_OF: Final = {"injuries": "injury", "witnesses": "witness", "children": "child"}


def clause_of_figure(sheet: FactSheet, value: NumericalValue, template: int = 0) -> str:
    """Return a clause that says a figure: `the marriage had lasted 6 years`.

    Every template gives a clause and a way of writing the figure, and all their pairs in turn.
    """
    figure, measure = say_figure(value, template), measure_of(value, matter_of(sheet).cited)
    if measure is not None and measure.says_all(value.context):
        return _turn(measure.says, template).format(figure=figure)
    context, role = " ".join(value.context.split()), str(value.kind)
    if value.kind == "age":
        what = _person(sheet, value)
    elif value.kind == "count":
        named = context and context != value.unit
        what, role = (context, role) if named else ("the number in all", "count in all")
    else:
        what = context or f"{KINDS[value.kind]} in question"
    were, are = ("was", "is") if value.value == 1 and value.upper is None else ("were", "are")
    told = {"what": what, "of": context and f" of {context}", "were": were, "are": are}
    return _turn([way.format(figure=figure, **told) for way in templates_of(role)], template)


def _turn(ways: Sequence[str], template: int) -> str:
    """The clause of a template: no two templates pair one clause with one style before all did."""
    shift = template // STYLES if len(ways) % STYLES == 0 else 0
    return ways[(template + shift) % len(ways)]


def suppose_figure(sheet: FactSheet, value: NumericalValue, would: bool = False) -> str:
    """Return the clause that supposes a figure (`the victim were 19 years old`; `would be`)."""
    figure, measure = say_figure(value), measure_of(value, matter_of(sheet).cited)
    verb = "would be" if would else "were"
    context = " ".join(value.context.split())
    if measure is not None and not would and measure.says_all(context):
        return measure.suppose.format(figure=figure)
    if measure is not None and measure.narrow and value.kind != "duration":
        return f"the {context.partition(' (')[0].removeprefix('the ')} {verb} {figure}"
    if value.kind == "age":
        return f"{_person(sheet, value)} {verb} {figure} old"
    if value.kind == "count":
        return f"there {verb} {figure}"
    if value.kind == "quantity":
        return f"the quantity{f' of {context}' if context else ''} {verb} {figure}"
    return f"the {KINDS[value.kind]}{f' ({context})' if context else ''} {verb} {figure}"


def _counted(value: NumericalValue) -> str:
    """What is counted: `prosecution witnesses`."""
    words = value.context.split()
    short = value.unit in figure_words("person") and 0 < len(words) <= _NAMING
    counted = " ".join(words) if short else value.unit.replace("_", " ")
    return counted.removeprefix("number of ")


def suppose_unknown(sheet: FactSheet, fact: Fact) -> str:
    """Return the clause that takes a figure away: `the age of the victim, 16 years, were not known`.

    A period that the law itself fixes is left out of account.
    """
    value = fact.value_as(NumericalValue)
    if value.kind == "count":
        return f"nothing were known of the number of {_counted(value)}"
    if value.kind == "age":
        return f"the age of {_person(sheet, value)}, {say_figure(value)}, were not known"
    so = "left out of account" if is_given_by_law(sheet, value) else "not known"
    return f"{_name_figure(sheet, fact)} were {so}"


def _name_figure(sheet: FactSheet, fact: Fact) -> str:
    """The figure by its label; one that measures nothing known by the words around it."""
    value = fact.value_as(NumericalValue)
    mention = "".join(sheet.narrative[s.start : s.end] for s in fact.spans[:1])
    said, known = figure_label(value), measure_of(value, matter_of(sheet).cited)
    if mention and not reserved_spans(mention) and known is None:
        start, clauses = fact.spans[0].start, clauses_of(sheet.narrative)
        clause = next((c for c in clauses if c.start <= start < c.end), fact.spans[0])
        before = sheet.narrative[clause.start : start].split()[-_NAMING:]
        after = sheet.narrative[start : clause.end].split()[: 2 * _NAMING]
        said = f"{say_figure(value)} (“… {' '.join([*before, *after])} …”)"
    return f"the {KINDS[value.kind]} of {said}"


def side_of_line(sheet: FactSheet, value: NumericalValue, line: Line) -> tuple[str, bool]:
    """Return on which side of a line a figure stands, and whether the words are a clause alone."""
    drawn = replace(value, value=line.line, unit=line.unit, upper=None, context="")
    above, at = is_above(line, value), line.said or say_figure(drawn)
    tier = quantity_tier(sheet, value)
    if tier is not None:
        quantity = "an intermediate" if tier == "intermediate" else f"a {tier}"
        return f"which is {quantity} quantity", False
    measure = measure_of(value, matter_of(sheet).cited)
    said = "" if measure is None else measure.beyond if above else measure.within
    if said:
        return said.format(line=at), True
    if value.kind == "age":
        return f"{at} or more" if above else f"below {at}", False
    beyond, within = ("{} or more", "short of {}") if line.upper else ("beyond {}", "within {}")
    return f"which is {(beyond if above else within).format(at)}", False


def _person(sheet: FactSheet, value: NumericalValue) -> str:
    """Whose age it is: `the accused Akash`, `the sister-in-law Neha`, `the elder daughter`."""
    owner, name = owner_of(sheet, value), name_in(value.context)
    words = value.context.partition(" (")[0].partition(",")[0].removesuffix(name).split()
    named = " ".join(word for word in words if word not in ("age", "client", "the"))
    if not named or len(words) > _NAMING:
        named = owner or ("" if name else "client" if "client" in words else "person")
    return f"the {named} {name}".strip() if named else name


def say_figure(value: NumericalValue, style: int = 0) -> str:
    """Return a figure with its unit: `Rs. 5,00,000`, `16 years`, `1.25 kilograms`, `1 day`.

    The style modulo three is 0 in digits, 1 in words, 2 in another unit or scale if there is one.
    """
    style %= STYLES
    if value.upper is not None:
        low = say_figure(replace(value, upper=None))
        high = say_figure(replace(value, value=value.upper, upper=None))
        low = low if value.kind == "amount" else low.split()[0]
        return (f"{low} to {high}", f"between {low} and {high}", f"{low} or {high}")[style]
    if value.kind == "amount":
        words = numbers.in_words(value.value) if style == 1 else None
        if words:
            return f"rupees {words}"
        return (numbers.format_lakh if style == 2 else numbers.format_amount)(value.value)
    if value.unit == "weeks" and value.value % 1:
        value = replace(value, value=round(value.value * 7), unit="days")
    if value.kind == "count":
        one = _ONE_OF.get(value.unit, value.unit.removesuffix("s"))
        noun = one if value.value == 1 else value.unit
        return f"{_number(value.value, style)} {noun}"
    if value.kind in ("age", "duration") and value.unit in _PER_YEAR:
        years = value.value / _PER_YEAR[value.unit]
        grown = value.kind == "age" and value.unit == "months" and years > 2
        grown |= value.unit == "years" and years < 1
        if grown or (years % 1 and (value.unit == "years" or years > 2 or value.value % 0.5)):
            written = units.calendar_words(years)
            if style == 1:
                spelt = (numbers.in_words(float(w)) if w.isdigit() else w for w in written.split())
                return " ".join(map(str, spelt))
            months = round(years * _PER_YEAR["months"], 1)
            return f"{months:g} months" if style == 2 and not months % 1 else written
        if style == 2 and value.unit == "years" and years < 10 and not years % 1:
            return f"{years * 12:g} months"
        if style == 2 and value.unit == "months" and years >= 1 and not years % 1:
            return f"{years:g} {units.in_words('years', years)}"
    if value.unit == "kg" and (style == 2 or value.value < _GRAMS):
        grams = value.value * 1000
        return f"{numbers.format_number(grams)} grams"
    unit = value.unit if style == 2 else units.in_words(value.unit, value.value)
    return f"{_number(value.value, style)} {unit.replace('_', ' ')}"


def _number(value: float, style: int) -> str:
    words = numbers.in_words(value) if style == 1 and value < 1000 else None
    return words or numbers.format_number(value)


def figure_label(value: NumericalValue) -> str:
    """Return a figure with what it measures, `16 years (victim)`, and the days that give it."""
    context = " ".join(value.context.split())
    said = say_figure(value)
    if value.is_derived:
        return f"{said} ({context}: {in_full(value.begins)} to {in_full(value.ends)})"
    known = not context or context == value.kind or context in said.split()
    return said if known else f"{said} ({context})"
