"""Who the parties are in law: public servant or private person, tenant or licensee.

Each change rests on the provision that treats the two differently; the table is
`data/party_changes.jsonl`, the nouns that name a type are in `data/party_words.jsonl`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from countercase.counterfactual.edits import Edit, Replacement
from countercase.counterfactual.perturbations.matter import matter_of
from countercase.counterfactual.perturbations.rewriting import (
    add_sentence,
    in_order,
    mentions,
    put,
    sentences_around,
    with_article,
)
from countercase.counterfactual.perturbations.tables import read_table
from countercase.facts.model import Fact, FactSheet, NumericalValue, PartyValue, Span
from countercase.facts.party_words import ACCUSED, PETITIONER, RESPONDENT

_DETERMINED: Final = re.compile(
    r"(?:\b(?:a|an|the|his|her|their|its|this|that|said|such|no|one|every|any)\s+|-)\Z",
    re.IGNORECASE,
)
_BEARS_TYPE: Final = frozenset({"State", "Union of India", "Corporation"})
_ROLE: Final = re.compile(rf"{PETITIONER}|{RESPONDENT}|{ACCUSED}", re.IGNORECASE)
_FAMILY: Final = "wife|husband|son|daughter|mother|father|brother|sister|widow|m[ae]n|wom[ae]n"
_RELATION: Final = re.compile(
    rf"(?:{_FAMILY}|landlord|landlady|owner|partner|proprietor|director)s?", re.IGNORECASE
)
_COPULA_OR_COMMA: Final = re.compile(
    r"(?P<before>(?:,|\b(?:is|was|being|are|were))\s+)(?:(?:the|an?|his|her)\s+)?\Z"
)
_NATURAL: Final = re.compile(rf"\b(?:he|she|his|her|him|aged|years old|{_FAMILY})\b", re.IGNORECASE)
_FULL_AGE: Final = 18
_BESIDE: Final = 25
"""So many characters after a mention of a party, an age is still that party's."""
_PLURAL: Final = re.compile(r"(?:[^s]s|men)\Z")


@dataclass(frozen=True)
class PartyChange:
    """A party type that may stand in place of another, and the law that tells them apart.

    `matter` is `criminal`, `civil` or "" for both; `noun` replaces the usual noun of the new type.
    """

    original: str
    changed: str
    provision: str
    reason: str
    matter: str = ""
    noun: str = ""


@dataclass(frozen=True)
class PartyWords:
    """The noun that a type is written with, and patterns of the words that already name it."""

    party_type: str
    noun: str
    words: tuple[str, ...]


def propose(sheet: FactSheet) -> list[Edit]:
    """Changes of each party's type, in the order of the table."""
    edits = (
        _edit(sheet, fact, fact.value, change)
        for fact in sheet.of_type("PartyType")
        if isinstance(fact.value, PartyValue)
        for change in _changes(sheet, fact, fact.value)
    )
    return [edit for edit in edits if edit is not None]


def reason(edit: Edit) -> str:
    """Why the law tells the two party types of the edit apart; "" for an unknown pair."""
    for change in read_table("party_changes", PartyChange):
        if (change.original, change.changed, change.provision) == (
            edit.original_value,
            edit.perturbed_value,
            edit.provision,
        ):
            return change.reason
    return ""


def type_words(party_type: str) -> re.Pattern[str]:
    """Pattern of the words that name a party type, longest first."""
    words = next(w for w in read_table("party_words", PartyWords) if w.party_type == party_type)
    ordered = (w.replace(" ", r"\s+") for w in sorted(words.words, key=len, reverse=True))
    joined = "|".join(w if "[A-Z]" in w else f"(?i:{w})" for w in ordered)
    return re.compile(rf"(?<!\w)(?:{joined})(?!\w)")


def _changes(sheet: FactSheet, fact: Fact, value: PartyValue) -> list[PartyChange]:
    matter = matter_of(sheet)
    excluded = _excluded(sheet, fact)
    return [
        change
        for change in read_table("party_changes", PartyChange)
        if change.original == value.party_type
        and change.matter in ("", matter)
        and change.changed not in excluded
    ]


def _excluded(sheet: FactSheet, fact: Fact) -> set[str]:
    """The types that the words beside the party rule out: whoever has an age, a sex or kin is no
    company, and nobody of eighteen or more is a minor."""
    narrative, excluded = sheet.narrative, set[str]()
    sentences = sentences_around(narrative, fact.spans)
    if any(_NATURAL.search(narrative, s.start, s.end) for s in sentences):
        excluded.add("Corporation")
    for other in sheet.facts:
        value = other.value
        if isinstance(value, NumericalValue) and value.kind == "age" and value.value >= _FULL_AGE:
            beside = (Span(s.start, min(s.end + _BESIDE, len(narrative))) for s in fact.spans)
            if any(place.overlaps(age) for place in beside for age in other.spans):
                excluded.add("Minor")
    return excluded


def _edit(sheet: FactSheet, fact: Fact, value: PartyValue, change: PartyChange) -> Edit | None:
    words = read_table("party_words", PartyWords)
    noun = change.noun or next(w.noun for w in words if w.party_type == change.changed)
    replacements = in_order(_replacements(sheet, fact, value, change, noun))
    if replacements is None:
        return None
    name = "" if change.original in _BEARS_TYPE else value.name
    return Edit(
        fact_id=fact.fact_id,
        fact_type="PartyType",
        original_value=change.original,
        perturbed_value=change.changed,
        rule="party.type",
        provision=change.provision,
        new_value=replace(value, party_type=change.changed, name=name),
        replacements=replacements,
    )


def _replacements(
    sheet: FactSheet, fact: Fact, value: PartyValue, change: PartyChange, noun: str
) -> list[Replacement]:
    narrative, found, beside = sheet.narrative, list[Replacement](), list[Span]()
    pattern = type_words(change.original)
    for span in mentions(fact):
        words = narrative[span.start : span.end]
        typed = pattern.search(narrative, span.start, span.end)
        if _ROLE.fullmatch(words):
            beside.append(span)
        elif typed:
            found.append(_put(sheet, fact, Span(*typed.span()), noun, change))
        elif words.casefold() == value.name.casefold() and change.original not in _BEARS_TYPE:
            beside.append(span)
        elif change.original == "Individual" and _RELATION.fullmatch(words):
            found.append(_joined(narrative, span, value, _said(noun, change)))
        else:
            found.append(_put(sheet, fact, span, noun, change))
    if found or not fact.spans:
        return found
    return [_apposition(narrative, beside, value, _said(noun, change))]


def _put(sheet: FactSheet, fact: Fact, place: Span, noun: str, change: PartyChange) -> Replacement:
    """The noun in place of the words, with `the` where a bare name (`State of Haryana`) stood."""
    narrative = sheet.narrative
    before = narrative[max(0, place.start - 12) : place.start]
    words = narrative[place.start : place.end]
    if _PLURAL.search(words) and change.original not in _BEARS_TYPE:
        noun = f"{noun}s"
    bare = not _DETERMINED.search(before) and words[0].isupper()
    return put(
        sheet, fact, place, f"the {noun}" if bare and change.original in _BEARS_TYPE else noun
    )


def _said(noun: str, change: PartyChange) -> str:
    return f"the {noun}" if change.changed == "Union of India" else with_article(noun)


def _joined(narrative: str, span: Span, value: PartyValue, said: str) -> Replacement:
    """`the appellant, a public servant and wife of ...`: who somebody is beside what he is."""
    opening = _COPULA_OR_COMMA.search(narrative, max(0, span.start - 16), span.start)
    if opening is None:
        return _sentence(narrative, span, value, said)
    return Replacement(opening.end("before"), opening.end("before"), f"{said} and ")


def _apposition(narrative: str, spans: Sequence[Span], value: PartyValue, said: str) -> Replacement:
    """Say the type beside the first mention (`Ram Singh, a minor, ...`), or in a sentence."""
    for span in spans:
        following = narrative[span.end : span.end + 1]
        if following in ("", " ", ",", ".", ";"):
            return Replacement(span.end, span.end, f", {said}" + ("," if following == " " else ""))
    return _sentence(narrative, spans[0], value, said)


def _sentence(narrative: str, span: Span, value: PartyValue, said: str) -> Replacement:
    end = sentences_around(narrative, [span])[0].end
    return add_sentence(narrative, end, f"The {value.side} is {said}.")
