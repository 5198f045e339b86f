"""What a narrative says that a party is, how old it is, and how to make it say something else.

Where a noun says what the party is (`a constable`, `State of Goa`) the noun is replaced; where the
party is only named, or called by its role or kin, the new type is put beside it (`Ram Singh, a
minor, ...`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from countercase.fact_types.base import expanded, pattern, spans_of
from countercase.fact_types.rewriting import (
    add_sentence,
    foreign_spans,
    mentions,
    put,
    sentences_around,
    touches_any,
    with_article,
)
from countercase.fact_types.roles import owner_of, role_of
from countercase.facts.edits import Replacement
from countercase.facts.model import Fact, FactSheet, NumericalValue, PartyValue
from countercase.io import read_table
from countercase.text.spans import Span
from countercase.text.units import convert

PETITIONER: Final = expanded("{PETITIONER_ROLE}")
RESPONDENT: Final = expanded("{RESPONDENT_ROLE}")
ACCUSED: Final = expanded("{ACCUSED_ROLE}")

ROLE: Final = pattern("ROLE")
"""A party called by its place in the case."""

KIN: Final = expanded("{KIN}")
"""Pattern of the words for kin and sex."""

NAMED_BY_TYPE: Final = frozenset({"State", "Union of India", "Corporation"})
"""Types that show in a party's own name (`State of Goa`): the name changes with the type."""

_AGED_ROLES: Final = {
    "petitioner": r"appellant|petitioner|applicant|plaintiff|claimant",
    "respondent": r"respondent|defendant",
}
_DETERMINED: Final = pattern("DETERMINED")
_RELATION: Final = pattern("RELATION")
_COPULA_OR_COMMA: Final = pattern("COPULA_OR_COMMA")
_TAIL: Final = pattern("MENTION_TAIL")
_COUNTED: Final = pattern("COUNTED_PARTIES")
_ONE_OF: Final = pattern("ONE_OF_THE")
_PLURAL: Final = re.compile(r"(?:[^s]s|men)\Z")


@dataclass(frozen=True)
class PartyWords:
    """How a party type is written.

    Args:
        noun: what an edit calls such a party.
        words: patterns of the words that name the type.
        phrase: the type in a sentence of its own (`a public servant`, `the State`).
    """

    party_type: str
    noun: str
    words: tuple[str, ...]
    phrase: str


def words_for(party_type: str) -> PartyWords:
    """How `party_type` is written."""
    rows = read_table("fact_types/party_words", PartyWords)
    return next(row for row in rows if row.party_type == party_type)


def ages_of(sheet: FactSheet, party: PartyValue) -> list[float]:
    """The ages in years that are said to be this party's: by its side, its role or its name."""
    aged = re.compile(_AGED_ROLES[party.side], re.IGNORECASE)
    role, name = role_of(sheet, party), party.name.casefold()
    ages = [value for _, value in sheet.valued(NumericalValue) if value.kind == "age"]
    own = (
        age
        for age in ages
        if aged.search(age.context)
        or (role and owner_of(sheet, age) == role)
        or (age.context and age.context.casefold() in name)
    )
    return [convert(age.value, age.unit, "years") or age.value for age in own]


def retype(
    sheet: FactSheet, fact: Fact, value: PartyValue, changed: str, noun: str = ""
) -> list[Replacement]:
    """The replacements after which the narrative says that the party is of the type `changed`.

    Args:
        noun: what to call it; by default the usual noun of the type.
    """
    noun = noun or words_for(changed).noun
    narrative, replacements, beside = sheet.narrative, list[Replacement](), list[Span]()
    type_word = type_words(value.party_type)
    for span in (*mentions(fact), *_named_elsewhere(sheet, value)):
        words = narrative[span.start : span.end]
        typed = type_word.search(narrative, span.start, span.end)
        if ROLE.fullmatch(words) or _names(value, words):
            beside.append(span)
        elif typed:
            whole = type_word.match(narrative, typed.start()) or typed
            free = not touches_any(
                Span(typed.end(), whole.end()), foreign_spans(sheet, fact.fact_id)
            )
            stop = narrative[whole.end() - 1] == "." and value.party_type == "State"
            end = whole.end() - stop if free else typed.end()
            place = Span(typed.start(), max(typed.end(), end))
            replacements.append(_put(sheet, fact, place, value, noun))
        elif value.party_type == "Individual" and _says_more(narrative, span, changed):
            replacements.append(_join(narrative, span, value, _with_its_article(noun)))
        else:
            replacements.append(_put(sheet, fact, span, value, noun))
    if value.party_type == "Minor":
        replacements += _called_a_minor(sheet, fact, value, noun, replacements)
    if replacements or not fact.spans:
        return replacements
    return [_apposition(sheet, fact, beside, value, noun)]


def _named_elsewhere(sheet: FactSheet, value: PartyValue) -> tuple[Span, ...]:
    """Where the narrative names a Government that is a party, beside the mentions of its fact."""
    if value.party_type not in ("State", "Union of India"):
        return ()
    stated = [span for fact in sheet.facts for span in fact.spans]
    named = spans_of(sheet.narrative, value.name)
    return tuple(span for span in named if not touches_any(span, stated))


def _called_a_minor(
    sheet: FactSheet, fact: Fact, value: PartyValue, noun: str, done: Sequence[Replacement]
) -> list[Replacement]:
    """The words for a minor in the sentences that mention the party, where they are not its own."""
    taken = [*foreign_spans(sheet, fact.fact_id), *(r.span for r in done)]
    return [
        _put(sheet, fact, Span(*match.span()), value, noun)
        for sentence in sentences_around(sheet.narrative, fact.spans)
        for match in type_words("Minor").finditer(sheet.narrative, sentence.start, sentence.end)
        if not touches_any(Span(*match.span()), taken)
    ]


def _names(value: PartyValue, words: str) -> bool:
    """Whether the words are the name of a person, or no word for what he is (`I`, `Convict X`)."""
    if value.party_type in NAMED_BY_TYPE:
        return False
    named = set(words.casefold().split()) <= set(value.name.casefold().split())
    return named or (value.party_type in ("Individual", "Minor") and not words.islower())


def type_words(party_type: str) -> re.Pattern[str]:
    """Pattern of the words that name a party type, longest first."""
    words = sorted(words_for(party_type).words, key=len, reverse=True)
    ordered = (w.replace(" ", r"\s+") for w in words)
    joined = "|".join(w if "[A-Z]" in w else f"(?i:{w})" for w in ordered)
    return re.compile(rf"(?<!\w)(?:{joined})(?!\w)")


def _says_more(narrative: str, span: Span, changed: str) -> bool:
    """Whether the noun beside a person says more than what he is (`husband`, `driver of`)."""
    words = narrative[span.start : span.end]
    followed = narrative.startswith((" of ", " to "), span.end)
    return followed or changed == "Minor" or bool(_RELATION.fullmatch(words))


def _put(sheet: FactSheet, fact: Fact, place: Span, value: PartyValue, noun: str) -> Replacement:
    """The noun in place of the words, with `the` where a bare name (`State of Haryana`) stood."""
    narrative = sheet.narrative
    before = narrative[max(0, place.start - 12) : place.start]
    words = narrative[place.start : place.end]
    if _PLURAL.search(words) and value.party_type not in NAMED_BY_TYPE:
        noun = f"{noun}s"
    bare = not _DETERMINED.search(before) and words[0].isupper()
    named = bare and value.party_type in NAMED_BY_TYPE
    return put(sheet, fact, place, f"the {noun}" if named else noun)


def _with_its_article(noun: str) -> str:
    return f"the {noun}" if noun == "Union of India" else with_article(noun)


def _join(narrative: str, span: Span, value: PartyValue, phrase: str) -> Replacement:
    """`the appellant, a public servant and wife of ...`: who somebody is beside what he is."""
    opening = _COPULA_OR_COMMA.search(narrative, max(0, span.start - 16), span.start)
    if opening is None:
        return _sentence(narrative, span, value, phrase)
    return Replacement(opening.end("before"), opening.end("before"), f"{phrase} and ")


def _apposition(
    sheet: FactSheet, fact: Fact, spans: Sequence[Span], value: PartyValue, noun: str
) -> Replacement:
    """Say the type beside the first mention (`Ram Singh, a minor, ...`), or in a sentence.

    It goes after what belongs to the mention (`No. 2`, `herein`, a name in brackets).
    """
    narrative, others = sheet.narrative, foreign_spans(sheet, fact.fact_id)
    for span in spans:
        tail = _TAIL.match(narrative, span.end)
        whole = Span(span.start, tail.end() if tail else span.end)
        if touches_any(Span(span.end, whole.end), others):
            continue
        following = narrative[whole.end : whole.end + 1]
        if following in ("", " ", ",", ".", ";", "\n") and not _GOES_ON.match(narrative, whole.end):
            many = noun != "Union of India" and _are_many(narrative, whole)
            phrase = f"{noun}s" if many else _with_its_article(noun)
            closing = "," if following in (" ", "\n") else ""
            return Replacement(whole.end, whole.end, f", {phrase}{closing}")
    return _sentence(narrative, spans[0], value, _with_its_article(noun))


_GOES_ON: Final = re.compile(r" head\b| (?:secretary|manager|chairman|officer|director)\b")
"""Words that a name only opens (`ex-Branch head`)."""


def say_beside(sheet: FactSheet, fact: Fact, value: PartyValue, words: str) -> list[Replacement]:
    """The words beside the party (`Asha Ltd., a company owned by the State Government, ...`).

    Words that begin with `who` follow the first `public servant`; there are none without one. Where
    that follows from an office (`an Inspector, hence a public servant`) they are a sentence of their
    own, with the name of the party.
    """
    if not words.startswith("who "):
        return [_apposition(sheet, fact, list(mentions(fact)), value, words)] if fact.spans else []
    noun = _SERVANT.search(sheet.narrative)
    if noun is None or touches_any(Span(*noun.span()), foreign_spans(sheet, fact.fact_id)):
        return []
    if _FROM_OFFICE.search(sheet.narrative, 0, noun.start()):
        end = sentences_around(sheet.narrative, [Span(*noun.span())])[0].end
        said = f"{value.name} {words.removeprefix('who ')}."
        return [add_sentence(sheet.narrative, end, said)] if value.name else []
    return [Replacement(noun.end(), noun.end(), f" {words}")]


_FROM_OFFICE: Final = re.compile(r"(?i)\b(?:hence|thus|therefore) an? \Z")
_SERVANT: Final = re.compile(r"(?<!\bno )\bpublic servant(?=[\s,.;])(?! who\b)")


def _are_many(narrative: str, mention: Span) -> bool:
    words = narrative[mention.start : mention.end]
    before = narrative[max(0, mention.start - 20) : mention.start]
    plural = re.match(r"[a-z]+nts\b|[a-z]+ffs\b|accused\s+persons", words, re.IGNORECASE)
    return bool(plural or _COUNTED.search(before)) and not _ONE_OF.search(before)


def _sentence(narrative: str, span: Span, value: PartyValue, phrase: str) -> Replacement:
    end = sentences_around(narrative, [span])[0].end
    return add_sentence(narrative, end, f"The {value.side} is {phrase}.")
