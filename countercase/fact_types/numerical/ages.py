"""Ages of people, in years: `aged about 16 years`, `17-year-old`, `age of 18 years`, `minor aged 12`, `14
years of age`, `aged nine months`, `a girl of fourteen or fifteen years`. A bare number is
an age where it is said of a person (`Ramesh (31)`, `the driver Om Prakash, 44, of Sitapur`); the age
of a thing (`a ten-year-old dispute`) is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Final

from countercase.fact_types.measures import figure_words
from countercase.fact_types.numerical.mentions import (
    Mention,
    ends_of,
    free_of,
    lesser_of,
    mention,
    number_of,
    part_of,
    read_all,
)
from countercase.text.dates import reserved_spans
from countercase.text.nearest_word import Lexicon, is_noun, nearest, nearest_in, words_for
from countercase.text.numbers import read_number
from countercase.text.patterns import expanded, finders, pattern
from countercase.text.spans import Span

_OLDEST: Final = 120
_LEAD: Final = len("age being ")
_BEFORE: Final = 110
_REACH: Final = 160
"""How far before a pronoun the person it stands for is looked for, in characters."""
_GROWN: Final = 14
_YOUNGEST: Final = 3  # below it, years beside a name are seldom an age

_BESIDE: Final = 14


def find_ages(text: str) -> list[Mention]:
    """Every age of a person that `text` states, in order, in years, a baby's in months.

    A range is one age with its `upper` end; `17 years, 3 months and 24 days` is 17.3157 years. The
    context is the person (`prosecutrix`, `deceased`), the role that the text gives the name before
    the age, that name where it gives none, or "" where nobody is named near.
    """
    return list(_ages_in(text))


@lru_cache(maxsize=4)
def _ages_in(text: str) -> tuple[Mention, ...]:
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
    if "all" in groups:
        members = pattern("MEMBER").finditer(text, *match.span("all"))
        ages = ((read_number(member.group()), Span(*member.span())) for member in members)
        listed = [(n, span) for n, span in ages if n is not None and 0 < n <= _OLDEST]
        return [mention(text, "age", (n, None), "years", span, whole) for n, span in listed]
    unit = "months" if groups.get("months") else "years"
    first, second, _ = ends_of(match, whole)
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
    here = Span(start, match.end())
    read = mention(_without_parents(text), "age", (value, second), unit, here, whole)
    context = _whose(text, whole, read.value.context, match.group())
    return [replace(read, value=replace(read.value, context=context))]


@lru_cache(maxsize=8)
def _without_parents(text: str) -> str:
    """`text` with blanks for whose child or wife somebody is (`s/o late Ram Lal`)."""
    return pattern("PARENTAGE").sub(lambda match: " " * len(match.group()), text)


def _whose(text: str, span: Span, near: str, words: str) -> str:
    """Return whose age it is: the role of who is named right before it, else the nearest person."""
    myself = pattern("MYSELF").search(text, max(0, span.start - _BEFORE), span.start)
    if myself or pattern("OF_THE_SPEAKER").search(words):
        return "client"
    noun = pattern("BRACKETED").search(text, max(0, span.start - 30), span.start)
    if noun and noun[1].islower() and is_noun(noun[1]) and not words_for("age").name_of(noun[1]):
        return noun[1]
    following = re.match(r"\s+(\w+)", text[span.end :])
    alone = words.lower().endswith("old") and not (following and is_noun(following[1]))
    if alone and pattern("OWN_CHILD").search(text, max(0, span.start - 30), span.start):
        return "child"
    if person := _of_pronoun(text, span, words):
        return _with_role(text, span, person)
    plain = _without_parents(text)
    named = pattern("NAME_BEFORE_AGE").search(plain, max(0, span.start - _BEFORE), span.start)
    role = _role_of_name(plain, span, named) if named else ""
    if not role and near in figure_words("vague"):
        role = nearest(plain, Span(span.start, span.start), _roles(), _BEFORE, 0)
    if role or near:
        whose = _with_role(text, span, role or near)
        return (
            f"{whose} {named['name']}"
            if named and whose in figure_words("one of several")
            else whose
        )
    return " ".join(filter(None, (_of_whom(text, words), named["name"] if named else "")))


def _of_pronoun(text: str, span: Span, words: str) -> str:
    """The last person named before the `he` or `she` whose age it is, if any fits."""
    pronoun = pattern("PRONOUN").search(text, max(0, span.start - 30), span.start)
    if pronoun is None:
        return ""
    unfit = figure_words("men") if pronoun[1].lower() == "she" else figure_words("women")
    people = words_for("age").without((*unfit, *figure_words("no antecedent")))
    told = people.without(figure_words("vague"))
    here = Span(pronoun.start(), pronoun.start())
    left = max(0, here.start - _REACH)
    return nearest_in(text, here, told, left, here.start) or nearest_in(
        text, here, people, left, here.start
    )


def _with_role(text: str, span: Span, person: str) -> str:
    """A relative or a `man` with the part that the text gives them: `deceased woman`."""
    if person not in figure_words("one of several"):
        return person
    words = words_for("age").pattern_of(person)
    pronoun = "she|her" if person in figure_words("women") else "he|him|his"
    rest = re.split(r"[.;]\s", text[span.end : span.end + 80], maxsplit=1)[0]
    if pattern("DIED").search(rest) and not re.search(
        r"(?i)\b(?:wife|husband|father|mother|after)\b", rest
    ):
        return f"deceased {person}"
    if _mentions(text, rf"\b(?:late|deceased)\s+{words}"):
        return f"deceased {person}"
    if part := pattern("ROLE_IS").search(text, max(0, span.start - _BEFORE), span.start):
        role = "petitioner" if part[1].lower() == "petr" else part[1].lower()
        return f"{role} {person}"
    if person in figure_words("suspect") and re.match(
        rf"(?is).{{0,120}}\bbail\b.{{0,90}}?\b(?:{words})", text
    ):
        return f"accused {person}"
    mine = rf"(?:\bmy\s+|\b(?=driver|man\b|lady|woman)){words}"
    if _mentions(text, mine, expanded("{HELD}").format(who=f"{pronoun}|{words}")):
        return f"accused {person}"
    return person


@lru_cache(maxsize=256)
def _mentions(text: str, words: str, then: str = "") -> bool:
    """Return whether `text` has `words` and, from their first mention on, what matches `then`."""
    first = re.search(rf"(?i){words}", text)
    return first is not None and (not then or bool(re.search(then, text[first.start() :])))


def _roles() -> Lexicon:
    return words_for("age").without(figure_words("vague"))


def _role_of_name(plain: str, span: Span, named: re.Match[str]) -> str:
    """The role that stands before a mention of a name, the one beside the age first; or ""."""
    if role := _role_before(plain, named.start()) or _first_role(plain, named["name"].split()[-1]):
        return role
    rest = re.split(r"[.;]\s", plain[span.end : span.end + 80], maxsplit=1)[0]
    return "deceased" if pattern("DIED").search(rest) else ""


def _role_before(plain: str, place: int) -> str:
    opening = pattern("FORENAMES").search(plain, max(0, place - _BEFORE), place)
    start = opening.start() if opening else place
    return nearest(plain, Span(start, start), _roles(), _BESIDE, 0)


@lru_cache(maxsize=256)
def _first_role(plain: str, name: str) -> str:
    """The role before the first mention of `name` that has one, or ""."""
    places = (match.start() for match in re.finditer(rf"\b{re.escape(name)}\b", plain))
    return next(filter(None, (_role_before(plain, place) for place in places)), "")


def _of_whom(text: str, words: str) -> str:
    """Whose age a brief gives that names nobody beside it: its writer's or its first party's."""
    if not pattern("BRIEFLY").search(words):
        return ""
    party = None if pattern("CLIENT").search(text) else pattern("PARTY").search(text)
    return party[1].lower() if party else "client"


def _is_age(text: str, match: re.Match[str]) -> bool:
    """Whether a number without a word for an age is said of a person: `Ramesh (31)`, `client 66`."""
    alone = match.re is pattern("BARE_YEARS").compiled
    if not alone and match.re is not pattern("BARE_AGE").compiled:
        return True
    before = text[max(0, match.start() - _BEFORE) : match.start()]
    value = number_of(match.groupdict(), "first") or 0
    numbered = value < _GROWN and pattern("NUMBERED_PERSON").search(before)
    if numbered or not pattern("OF_A_PERSON").search(before):
        return False
    if alone:
        return bool(pattern("AGE_ENDS").match(text, match.end()))
    return bool(pattern("OF_A_CHILD").search(before)) or (
        not match["months"] and value >= _YOUNGEST
    )
