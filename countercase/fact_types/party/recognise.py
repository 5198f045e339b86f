"""Recognise what the party on each side is in law, from its name and from the words beside it.

A side of which neither a name nor the text says anything has no fact. Public servants follow section 21
of the Indian Penal Code, the State Article 12 of the Constitution: a State's departments and local
authorities are `State`. The words are in `data/party_patterns.jsonl`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from countercase.fact_types.base import spans_of
from countercase.fact_types.numerical.figures import find_ages
from countercase.facts.entities import Entity, head_end
from countercase.facts.model import PartyValue, Side
from countercase.io import read_table
from countercase.text.patterns import Pattern, expanded, of_words, pattern
from countercase.text.spans import Span, one_line

PETITIONER: Final = expanded("{PETITIONER_ROLE}")
RESPONDENT: Final = expanded("{RESPONDENT_ROLE}")
ACCUSED: Final = expanded("{ACCUSED_ROLE}")
_NUMBER: Final = expanded("{PARTY_NUMBER}")
_STATUS_TYPES: Final = ("Public servant", "Contractor", "Tenant", "Licensee", "Employee")
_ADULT: Final = 18
_ROLES: Final[dict[Side, str]] = {"petitioner": PETITIONER, "respondent": RESPONDENT}
_INSTITUTIONS: Final = ("State", "Union of India", "Corporation")
_NEAR_NAME: Final = 60
_NEAR_AGE: Final = 400  # characters between a role and the age beside it, at most


@dataclass(frozen=True)
class Party:
    """The party on one side, with the words that say what it is (none where a name alone does)."""

    value: PartyValue
    spans: tuple[Span, ...]
    beside: bool = False
    """Whether it may be the second party on its side (a minor among the claimants)."""
    anchored: bool = False
    """Whether the note says that this is the client."""


@dataclass(frozen=True)
class PartyWords:
    """How a party type is written: as a noun (`private company`), in a sentence (`the State`)."""

    party_type: str
    noun: str
    phrase: str


def words_for(party_type: str) -> PartyWords:
    """Return how `party_type` is written."""
    rows = read_table("fact_types/party_words", PartyWords)
    return next(row for row in rows if row.party_type == party_type)


@dataclass(frozen=True)
class PartyPattern:
    """Words that say what a party is; of several that match, the first in the table counts.

    They stand in its `name`, as `initials` of a public body in it, or in the `text` beside the
    party.
    """

    source: Literal["name", "initials", "text"]
    party_type: str
    pattern: str


@cache
def patterns(source: str) -> dict[str, str]:
    """The pattern of each party type, in the order in which they count."""
    rows = read_table("fact_types/party_patterns", PartyPattern)
    return {row.party_type: expanded(row.pattern) for row in rows if row.source == source}


def party_type_of(name: str) -> str:
    """The party type that a name suggests: `Union of India`, `State`, `Corporation`, `Minor`.

    A name that suggests none of these is a natural person's: `Individual`. So is that of one who
    owns a business or holds a place in it (`Asha, prop. of Asha Traders`; `Director, Asha Ltd`), for
    neither is the business; a body sued through its manager stays what it is.
    """
    if of_words("{A_PERSON}").match(name):
        return "Individual"
    for source, flags in (("initials", 0), ("name", re.IGNORECASE)):
        for kind, words in patterns(source).items():
            if re.search(words, name, flags):
                return kind
    return "Individual"


def type_of_words(words: str) -> str:
    """The party type of a phrase of a note (`the bank`, `head clerk`, `his uncle`)."""
    if of_words("{A_PERSON}").match(words):
        return "Individual"
    kind = party_type_of(words)
    return "State" if kind == "Individual" and pattern("DEPARTMENT").search(words) else kind


def without_cited_cases(text: str) -> str:
    """`text` with blanks for the precedents that it cites (`relying on X v. State of Y`).

    And for the mark `(i)` of a list and the `O. I` of an order, which are nobody's `I`.
    """
    plain = re.sub(
        r"\(i\)|\bO(?:rder|\.)? ?I\b(?= ?,? ?(?:R|r)\w*\.? ?\d)", lambda m: " " * len(m[0]), text
    )
    return pattern("CITED_CASES").sub(
        lambda m: m[0][: -len(m["cases"])] + " " * len(m["cases"]), plain
    )


def names_in_title(title: str) -> tuple[str, str]:
    """The names on either side of `v.` in a case's title; "" for a side that it does not name.

    >>> names_in_title("Ram Singh v. State of Haryana")
    ('Ram Singh', 'State of Haryana')
    """
    parts = re.split(r"\s+(?:v|vs|versus)\b\.?\s+", title.strip(), maxsplit=1, flags=re.IGNORECASE)
    if len(parts) < 2:
        return "", ""
    others = re.compile(r"(?i),?\s*(?:and|&)\s+(?:another|others|anr\.?|ors\.?)\s*\Z")
    petitioner, respondent = (others.sub("", part).strip(" ,") for part in parts)
    return petitioner, respondent


def find_parties(text: str, petitioner_name: str = "", respondent_name: str = "") -> list[Party]:
    """The parties of `text`, petitioner first; a side of which nothing is known is left out.

    In a criminal matter the accused counts as the petitioner, unless the text makes the accused
    the respondent. The words decide over a personal name (`the appellant, a constable`), the name
    of an institution decides over the words.
    """
    names = (petitioner_name.strip(), respondent_name.strip())
    parties = (_find_side(text, side, name) for side, name in zip(_ROLES, names, strict=True))
    return [party for party in parties if party is not None]


def locate_party(text: str, party: PartyValue) -> tuple[Span, ...]:
    """The words of `text` that say what a party stated elsewhere is.

    They are, the first that there are: its type beside its role or name, its name, for an
    institution or a status (not `Individual`) the type's own noun, the first mention of its role.
    """
    read = _find_side(text, party.side, party.name)
    if read is not None and read.value.party_type == party.party_type and read.spans:
        return read.spans
    roles = _role_spans(text, party.side)
    named = spans_of(text, party.name) or spans_of(text, re.split(r"[,(]", party.name)[0].strip())
    own = [row for row in text_types() if row[0] == party.party_type != "Individual"]
    beside = {span for _, *words in own for span in _beside(text, (*roles, *named), *words)}
    nouns = (rf"\b(?:{_in_any_case(kind, patterns('text')[kind])})" for kind, *_ in own)
    told = tuple(Span(*m.span()) for noun in nouns for m in re.finditer(noun, text))
    return tuple(sorted(beside)) or named or told or roles[:1]


def _find_side(text: str, side: Side, name: str) -> Party | None:
    roles, named = _role_spans(text, side), spans_of(text, name)
    from_name = party_type_of(name) if name else ""
    owned = any(pattern("PROPRIETOR").match(text, span.end) for span in named)
    if owned and from_name == "Corporation":
        from_name = "Individual"
    from_text, spans = _described(text, roles) or _described(text, named) or ("", ())
    if from_text and from_name in ("", "Individual", from_text):
        return Party(PartyValue(side, from_text, name), tuple(sorted({*spans})))
    if name:
        return Party(PartyValue(side, from_name, name), named or roles[:1])
    if side == "respondent":
        for kind, name in (("Union of India", "UNION_PARTY"), ("State", "STATE_PARTY")):
            if states := tuple(Span(*match.span()) for match in pattern(name).finditer(text)):
                return Party(PartyValue(side, kind), states)
    personal = (pattern("PERSONAL"), pattern("NAMED_PERSON"))
    if any(words.match(text, span.end) for span in roles for words in personal):
        return Party(PartyValue(side, "Individual"), roles[:1])
    return None


@cache
def text_types() -> tuple[tuple[str, Pattern, Pattern], ...]:
    """Per type: what may follow a role (`appellant, a constable`) and what may precede it."""
    rows = []
    for kind, noun in patterns("text").items():
        insensitive = _in_any_case(kind, noun)
        links = "{PARTY_LINK}|{ROLE_AS}" if kind in _STATUS_TYPES else "{PARTY_LINK}"
        name = expanded(f"{{PARTY_NUMBER}}{{PARTY_NAME}}{{ASIDE}}(?:{links})")
        after = Pattern(rf"{name}(?P<type>{insensitive})")
        before = Pattern(rf"(?P<type>{insensitive})(?:\s*-\s*|\s+|,\s+the\s+)\Z")
        rows.append((kind, after, before))
    return tuple(rows)


def _in_any_case(kind: str, noun: str) -> str:
    return noun if kind in ("State", "Union of India") else f"(?i:{noun})"


def _role_spans(text: str, side: Side) -> tuple[Span, ...]:
    accused_responds = re.search(
        rf"(?i)\b{RESPONDENT}{_NUMBER}\s*[-,]?\s*{ACCUSED}\b"
        rf"|\b{ACCUSED}\s*[-,]?\s*{RESPONDENT}\b",
        text,
    )
    role = _ROLES[side]
    if (side == "respondent") == bool(accused_responds):
        role = rf"(?:{role}|{ACCUSED})"
    return tuple(Span(*m.span()) for m in re.finditer(rf"(?i)\b{role}\b", text))


def _described(text: str, roles: tuple[Span, ...]) -> tuple[str, tuple[Span, ...]] | None:
    """The first type in order of precedence that stands beside a role, with its mentions."""
    ages = ((item.span, item.value) for item in find_ages(text))
    minors = [span for span, age in ages if age.unit == "months" or age.value < _ADULT]
    between, near = pattern("PARTY_AND_AGE"), _NEAR_AGE
    aged = ((role, a.start) for role in roles for a in minors if 0 <= a.start - role.end <= near)
    young = tuple(role for role, at in aged if between.fullmatch(text, role.end, at))
    for kind, after, before in text_types():
        spans = tuple(sorted({*_beside(text, roles, after, before)}))
        if spans:
            return kind, spans
        if kind == "Minor" and young:
            return kind, young[:1]
    return None


def _beside(text: str, roles: tuple[Span, ...], after: Pattern, before: Pattern) -> Iterator[Span]:
    for role in roles:
        preceding = before.search(text, max(0, role.start - 40), role.start)
        for match in filter(None, (after.match(text, role.end), preceding)):
            yield Span(*match.span("type"))


def find_named_parties(
    text: str, titled: tuple[str, str], entities: Sequence[Entity]
) -> list[Party]:
    """Return the parties of `text`; a side that `titled` leaves "" may take a tagged name.

    It does not where the text alone makes the side an institution and the name is not one: then the
    name belongs to another party on that side.
    """
    text = without_cited_cases(text)
    untagged = find_parties(text, *titled)
    if not entities:
        return untagged
    types = {party.value.side: party.value.party_type for party in untagged}
    names = []
    for side, own, tagged in zip(_ROLES, titled, names_of_parties(text, entities), strict=True):
        clash = types.get(side) in _INSTITUTIONS and party_type_of(tagged) != types[side]
        names.append(own or ("" if clash else tagged))
    return find_parties(text, *names)


def names_of_parties(text: str, entities: Sequence[Entity]) -> tuple[str, str]:
    """The names of petitioner and respondent as tagged in `text`; "" for a side without one.

    The tagger names a party wherever it thinks that it sees one. A name is taken only where the
    text itself puts it beside the side's role, or where it stands in the head of the judgment.
    """
    head, names = head_end(text), []
    for side in _ROLES:
        before, after = pattern(f"BEFORE_{side.upper()}"), pattern(f"AFTER_{side.upper()}")
        spans = [entity.span for entity in entities if entity.label == side.upper()]
        beside = (
            one_line(text[span.start : span.end])
            for span in spans
            if span.end <= head
            or before.search(text, max(0, span.start - _NEAR_NAME), span.start)
            or after.match(text, span.end)
        )
        names.append(next(beside, ""))
    return names[0], names[1]
