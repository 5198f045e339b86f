"""What a supposed figure, or a supposed day, is, and which figure of the sheet it replaces.

Whether the true figure is the one named, beyond it or short of it is learnt from the words around it
in suppositions as lawyers and students type them, as in a multinomial logistic regression:
`python training/suppositions.py` writes `fact_types/data/supposed_words.jsonl`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from countercase.counterfactual.proposals import NoChangeError, add_fact, keep_sentence, make_edit
from countercase.fact_types.base import telling_words
from countercase.fact_types.catalogue import matter_of
from countercase.fact_types.consequences import consequences_of
from countercase.fact_types.lines import MONTH_DAYS, lines_of
from countercase.fact_types.measures import figure_words, measure_of
from countercase.fact_types.numerical import dated_events
from countercase.fact_types.numerical.dated_events import DatedEvent, Interval, WordModel
from countercase.fact_types.roles import owner_of
from countercase.fact_types.suppositions import describe_change
from countercase.facts.edits import Change, Edit
from countercase.facts.model import Fact, FactSheet, NumericalValue, SectionValue
from countercase.io import read_table
from countercase.law.in_force import NEW_CODES, PROCEDURE, Period
from countercase.law.provisions import in_code_of
from countercase.text.dates import time_between
from countercase.text.spans import Span
from countercase.text.units import convert

UNITS: Final = {"days": 1.0, "weeks": 7.0, "months": MONTH_DAYS, "years": 12 * MONTH_DAYS}
"""Units in which the time between two days is told, in days."""
SURE, SURER = 0.5, 4.0
"""How likely a figure must be to be taken, and how much likelier another for it not to be."""
CONSTANT: Final = ""  # a feature that every name has
NONE: Final = ""
"""In place of the id of a fact: none of them is meant."""
_TOKEN: Final = re.compile(r"[^\W_]+(?:['’]\w+)?|[<>]=?")


def read_bound(plain: str, value: NumericalValue, named: Span) -> NumericalValue:
    """Return the figure as the words around it bound it: 17 for `under 18`, 18 for `not under 18`."""
    scores = score_features("bound", words_around(plain, named))
    bound = max(scores, key=lambda name: scores[name])
    if bound == "exact" or value.upper is not None:
        return value
    step = value.value / 10 if value.kind in ("quantity", "amount") else 1.0
    moved = step if bound == "more" else -min(step, value.value / 2)
    return replace(value, value=value.value + moved)


def score_features(question: str, features: dict[str, float]) -> dict[str, float]:
    """Return what features say for each answer to a question."""
    rows = read_table("fact_types/supposed_words", WordModel)
    own = ((row.name.partition(": "), row) for row in rows)
    return {name: row.score(features) for (asked, _, name), row in own if asked == question}


def words_around(clause: str, named: Span) -> dict[str, float]:
    """Return the words before and behind a name by their distance, and the nearest together."""
    features = {CONSTANT: 1.0}
    for side, text in (("before", clause[: named.start]), ("behind", clause[named.end :])):
        words = [word.lower() for word in _TOKEN.findall(text)][:: -1 if side == "before" else 1]
        for place, word in enumerate(words):
            features.setdefault(f"{side} {word}", 1 / (1 + place / 4))  # half at the fifth word
            if place < 4:
                features[f"{side}: {' '.join(words[: place + 1])}"] = 1.0
    return features


def is_like_figure(one: NumericalValue, other: NumericalValue) -> bool:
    """Return whether a figure can take the place of another: of one kind, in units that convert."""
    convertible = convert(one.value, one.unit, other.unit) is not None
    return one.kind == other.kind and (one.kind == "duration" or convertible)


def replace_figure(
    sheet: FactSheet, clause: str, read: Fact, chances: Mapping[str, float]
) -> Edit | None:
    """The edit of the figure of the sheet that a supposed one replaces: the likeliest of its kind."""
    value, cited = read.value_as(NumericalValue), matter_of(sheet).cited
    measure, owner = measure_of(value, cited), owner_of(sheet, value)
    own = [
        (fact, stood, measure_of(stood, cited))
        for fact, stood in sheet.valued(NumericalValue)
        if is_like_figure(stood, value)
        and (measure is None or measure_of(stood, cited) in (None, measure))
    ]
    alike = [it for it in own if not _is_of_another_thing(sheet, value, it[1])]
    if len(alike) < len(own) and not any(lines_of(sheet, stood) for _, stood, _ in alike):
        return add_fact(sheet, read, clause)
    words, most, fitting = telling_words(clause), max(chances.values()), []
    for fact, stood, measured in alike:
        chance = chances[fact.fact_id]
        agreed = 2.0 * (measure is not None and measured == measure)
        agreed += 2.0 * (bool(owner) and owner_of(sheet, stood) == owner)
        near = most < SURER * chance
        if value.kind == "age" and not owner:
            agreed += _fits_pronoun(sheet, clause, stood, near and not value.context)
        shared = near and bool(words & telling_words(stood.context))
        other = value.context if value.kind == "age" else measured and value.kind == "duration"
        sure = chance >= SURE and measure is None and not other
        if agreed or shared or sure:  # custody is no marriage
            order = agreed, stood.upper is None, chance, stood.value != value.value
            fitting.append((order, fact, stood))
    if not fitting:
        return None
    _, fact, stood = max(fitting, key=lambda it: it[0])
    after = replace(value, context=stood.context, owner=stood.owner)
    return make_edit(sheet, fact, "replace", after, clause)


def _is_of_another_thing(sheet: FactSheet, read: NumericalValue, stood: NumericalValue) -> bool:
    """Whether the law draws its lines elsewhere for what is read: through ganja, not through charas."""
    own, drawn = ({(it.provision, it.line) for it in lines_of(sheet, v)} for v in (stood, read))
    return bool(own and drawn) and own.isdisjoint(drawn)


def _fits_pronoun(sheet: FactSheet, clause: str, age: NumericalValue, about: bool) -> float:
    """How well `he` or `she` stands for the person of an age: the accused first, no man for `she`."""
    owner, words = owner_of(sheet, age), {*age.context.lower().split()}
    woman = bool(words & figure_words("women")) or owner == "victim"
    said = {*clause.lower().split()}
    if "she" in said or said & figure_words("women") or owner == "relative":
        return 2.0 if woman and owner != "relative" else 0.0
    return 0.0 if woman or not about else 2.0 if owner == "accused" else 1.0


def move_date(sheet: FactSheet, clause: str) -> Edit | None:
    """Return the edit of what a supposed day changes: lengths of time, and the code that then stands.

    What happened on the day, and on those of the narrative, is learnt. The other end of each length
    stays: the day that it was counted to, else that of its event, else the day of the occurrence.
    """
    supposed, told = map(dated_events.find_events, (clause, sheet.narrative))
    if len(supposed) != 1:
        return None
    is_occurrence = dated_events.is_occurrence(supposed[0], sheet.occurred_on, told)
    day = str(supposed[0].day) if is_occurrence else ""
    if day and day == sheet.occurred_on:
        raise NoChangeError
    moved = [
        (fact, after)
        for fact, own in sheet.valued(NumericalValue)
        if (after := _moved_to(sheet, own, supposed[0], told)) is not None and after != own
    ]
    moved.sort(key=lambda it: not lines_of(sheet, it[1]))  # what the law asks for comes first
    changes = [Change(it.fact_id, it.fact_type, "replace", it.value, own) for it, own in moved]
    changes += _in_codes(sheet, day, changes) if day else ()
    if not changes:
        return replace(keep_sentence(clause), occurred_on=day) if day else None
    first = sheet.fact(changes[0].fact_id)
    edit = make_edit(sheet, first, "replace", changes[0].after, clause, changes[1:])
    if first.fact_type == "Section":  # the day is supposed, and this follows from it too
        follows = "; ".join(filter(None, [describe_change(sheet, changes[0]), edit.follows]))
        edit = replace(edit, follows=follows, supposition=f"{edit.supposed}: {follows}.")
    return replace(edit, occurred_on=day)


def _in_codes(sheet: FactSheet, day: str, moved: Sequence[Change]) -> Iterator[Change]:
    """Yield the provisions of a code that did not stand, as they or what they become stand in the other.

    An offence is of the code of its day; a step of procedure may come later, under the new code.
    """
    changes = (c for it in moved for c in consequences_of(sheet, it))
    drawn = {c.fact_id: (c.after, c.provision) for c in changes}
    on = Period(day, day)
    for fact, section in sheet.valued(SectionValue):
        becomes, law = drawn.get(fact.fact_id, (section, ""))
        may_stay = section.provision.partition("-")[0] in PROCEDURE - {*NEW_CODES}
        if becomes and not may_stay and (new := in_code_of(on, str(becomes))) != section.provision:
            yield Change(fact.fact_id, fact.fact_type, "replace", section, SectionValue(new), law)


def _moved_to(
    sheet: FactSheet, own: NumericalValue, supposed: DatedEvent, told: Sequence[DatedEvent]
) -> NumericalValue | None:
    """Return a length of time as it is from or to a supposed day; None where it is no end of it."""
    row = _interval_of(own, supposed, matter_of(sheet).cited)
    starts, stops = map(supposed.likelihood, (row.begins, row.ends) if row else ((), ()))
    if row is None or max(starts, stops) < dated_events.SURE:
        return None
    begins, ends = (
        known or _day_of(sheet, names, told)
        for known, names in ((own.begins, row.begins), (own.ends, row.ends))
    )
    day, is_start, unit = str(supposed.day), starts > stops, own.unit
    if ends if is_start else begins:
        begins, ends = (day, ends) if is_start else (begins, day)
        unit = unit if unit in ("months", "years") else "days"
        value = time_between(begins, ends, unit)
        moved = replace(own, value=value, unit=unit, upper=None, begins=begins, ends=ends)
    elif unit in UNITS and (was := begins if is_start else ends):
        longer = time_between(*((day, was) if is_start else (was, day)), "days")
        value = round(own.value + longer / UNITS[unit], 2)
        moved = replace(own, value=value, upper=None, begins="", ends="")
    else:
        return None
    return moved if moved.value > 0 else None


def _day_of(sheet: FactSheet, names: Sequence[str], told: Sequence[DatedEvent]) -> str:
    """Return the day of the narrative on which one of these events is likeliest; "" for none."""
    if likely := dated_events.dates_of(names, told):
        return str(likely[0].day)
    is_full = len(sheet.occurred_on) == len("2024-07-01")
    return sheet.occurred_on if is_full and {*names} & {"occurrence", "death"} else ""


def _interval_of(own: NumericalValue, day: DatedEvent, cited: frozenset[str]) -> Interval | None:
    """Return the row of a length of time, by name or by measure, that a supposed day fits best."""
    rows = [row for row in read_table("law/intervals", Interval) if row.kind == own.kind]
    measure, named = measure_of(own, cited), [row for row in rows if row.name == own.context]
    measures = ((row, measure_of(replace(own, context=row.name), cited)) for row in rows)
    fitting = named or [row for row, it in measures if it and it == measure]
    return max(fitting, key=lambda it: day.likelihood((*it.begins, *it.ends)), default=None)
