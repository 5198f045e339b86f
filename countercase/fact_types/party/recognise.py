"""What the party on each side is in law, from its name and from the words beside it.

Public servants follow section 21 of the Indian Penal Code, the State Article 12 of the Constitution:
a State's departments and local authorities are `State`, as in the vocabulary. The words are in
`data/party_patterns.jsonl`. A side of which neither a name nor the text says anything has no fact.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from countercase.fact_types.base import expanded, spans_of
from countercase.fact_types.numerical.figures import find_ages
from countercase.fact_types.party_wording import ACCUSED, PETITIONER, RESPONDENT
from countercase.facts.entities import Entity, head_end
from countercase.facts.model import PartyValue, Side
from countercase.io import read_table
from countercase.text.spans import Span

_NUMBER: Final = r"(?:\s*(?:Nos?\.?|-)?\s*\d+\b(?!\s*years))?"
_NAME: Final = r"(?:[\s-]+(?:(?:Shri|Smt\.?|Sri|Dr\.?|Mr\.?)\s)?[A-Z](?:[a-z]+|\.)){0,4}?"
_ASIDE: Final = r"(?:\s+herein)?(?:\s*\([^)]{0,20}\))?"
_AS: Final = (
    r"(?:(?:then\s+)?(?:being|working|posted|employed|serving|functioning|appointed)\s+)?"
    r"(?:as\s+|with\s+)?(?:(?:an?|the|then)\s+)?"
)
_APPOSITION: Final = (
    rf"(?:\s*,\s*(?=(?:an?|the|then|who|being|working|posted|employed|serving)\b)"
    rf"(?:who\s+(?:is|was|were|are)\s+)?|\s*,?\s+(?:who\s+)?(?:is|was|were|are|had\s+been)\s+"
    rf"|\s+(?=(?:being|working|posted|employed|serving)\b)){_AS}"
    r"(?:(?!(?:of|by|with|and|in|to|not|on|for|at|from|his|her|their|against)\b)"
    r"(?!(?!married|retired|registered|limited|licensed)\w+(?:ed|ing)\b)[\w-]+\s+){0,3}?"
)
_LINK: Final = rf"(?:[\s-]+|{_APPOSITION})"
_ROLE_AS: Final = r"[^.;,]{0,80}?\bas\s+(?:(?:an?|the)\s+)?(?:\w+\s+){0,2}?"
_STATUS_TYPES: Final = ("Public servant", "Contractor", "Tenant", "Licensee", "Employee")
_PERSONAL: Final = re.compile(
    r"[^.;]{0,160}?\b(?:he|she|his|her|him|himself|herself|wife|husband)\b"
)
_ADULT: Final = 18
_NAMED: Final = re.compile(r"[\s-]+(?:Shri\s+|Smt\.?\s+|Dr\.?\s+)?[A-Z][a-z]+\s+[A-Z][a-z]+")
_STATE: Final = r"(?:State\s+of\s+[A-Z]\w+(?:\s+(?:and\s+)?[A-Z]\w+)?|State\s+Government)"
_STATE_PARTY: Final = re.compile(
    rf"(?:(?<=against the )|(?<=against )|(?<=v\. )|(?<=vs\. )|(?<=versus )|(?<=by the )){_STATE}"
    rf"|{_STATE}(?=\s+(?:opposes?|has|is|was|contends?|filed|appeal\w*|through|prosecut\w+|denies"
    r"|resists?|says|argues|acquired|issued|submits|refused|took|maintains|seeks|wants|relies))"
)
_UNION_PARTY: Final = re.compile(r"\bUnion\s+of\s+India\b")
_SIDES: Final[tuple[tuple[Side, str, str], ...]] = (
    ("petitioner", "PETITIONER", PETITIONER),
    ("respondent", "RESPONDENT", RESPONDENT),
)
_INSTITUTIONS: Final = ("State", "Union of India", "Corporation")
_FIRST: Final = r"(?:\s*(?:\(?\s*(?:Nos?\.?|-)?\s*1\)?))?"
_BEFORE_NAME: Final = (
    r"(?i:\b{role}){number}(?:\s+herein)?[\s,:\-–]*(?i:(?:namely|viz\.?|is|was|one)\s+)?"
)
_ADDRESS: Final = r"(?:(?:Shri|Smt|Sri|Dr|Mr|Mrs|Ms|Km|M/s)\.?\s*)?\Z"
_AFTER_NAME: Final = (
    r"[\s,(\-–\[]*(?i:(?:the|is\s+the|who\s+is\s+the)\s+)?(?i:{role})\b"
    r"(?!\s*(?:Nos?\.?|-)?\s*[2-9])"
)
_NEAR_NAME: Final = 60
_SPACE: Final = re.compile(r"\s+")


@dataclass(frozen=True)
class PartyPattern:
    """Words that say what a party is; of several that match, the first in the table counts.

    Args:
        source: `name` for words in the name of a party, `text` for a noun beside the party.
    """

    source: Literal["name", "text"]
    party_type: str
    pattern: str


@dataclass(frozen=True)
class Party:
    """The party on one side, with the words that say what it is (none where a name alone does)."""

    value: PartyValue
    spans: tuple[Span, ...]


def party_type_of(name: str) -> str:
    """The party type that a name suggests: `Union of India`, `State`, `Corporation`, `Minor`.

    A name that suggests none of these is a natural person's: `Individual`.
    """
    return next((kind for kind, p in _name_types().items() if p.search(name)), "Individual")


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
    sides = zip(_SIDES, names, strict=True)
    parties = (_find_side(text, side, name) for (side, _, _), name in sides)
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
    for kind, after, before in _text_types():
        if kind != party.party_type:
            continue
        beside = tuple(sorted({*_beside(text, (*roles, *named), after, before)}))
        if beside and kind != "Individual":
            return beside
        if named:
            return named
        if kind != "Individual":
            noun = _text_patterns()[kind]
            flags = 0 if kind in ("State", "Union of India") else re.IGNORECASE
            nouns = tuple(Span(*m.span()) for m in re.finditer(rf"\b(?:{noun})", text, flags))
            if nouns:
                return nouns
    return named or roles[:1]


def _find_side(text: str, side: Side, name: str) -> Party | None:
    roles = _role_spans(text, side)
    named = spans_of(text, name)
    from_name = party_type_of(name) if name else ""
    from_text, spans = _described(text, roles) or _described(text, named) or ("", ())
    if from_name not in ("", "Individual") and from_name != from_text:
        return Party(PartyValue(side, from_name, name), named or roles[:1])
    if from_text:
        return Party(PartyValue(side, from_text, name), tuple(sorted({*spans})))
    if name:
        return Party(PartyValue(side, from_name, name), named or roles[:1])
    if side == "respondent":
        for kind, pattern in (("Union of India", _UNION_PARTY), ("State", _STATE_PARTY)):
            states = tuple(Span(*match.span()) for match in pattern.finditer(text))
            if states:
                return Party(PartyValue(side, kind), states)
    if any(_PERSONAL.match(text, span.end) or _NAMED.match(text, span.end) for span in roles):
        return Party(PartyValue(side, "Individual"), roles[:1])
    return None


@cache
def _name_types() -> dict[str, re.Pattern[str]]:
    rows = read_table("fact_types/party_patterns", PartyPattern)
    return {
        row.party_type: re.compile(row.pattern, re.IGNORECASE)
        for row in rows
        if row.source == "name"
    }


@cache
def _text_patterns() -> dict[str, str]:
    rows = read_table("fact_types/party_patterns", PartyPattern)
    return {row.party_type: expanded(row.pattern) for row in rows if row.source == "text"}


@cache
def _text_types() -> tuple[tuple[str, re.Pattern[str], re.Pattern[str]], ...]:
    """Per type: what may follow a role (`appellant, a constable`) and what may precede it."""
    rows = []
    for kind, pattern in _text_patterns().items():
        insensitive = pattern if kind in ("State", "Union of India") else f"(?i:{pattern})"
        links = f"{_LINK}|{_ROLE_AS}" if kind in _STATUS_TYPES else _LINK
        after = re.compile(rf"{_NUMBER}{_NAME}{_ASIDE}(?:{links})(?P<type>{insensitive})")
        before = re.compile(rf"(?P<type>{insensitive})(?:\s*-\s*|\s+|,\s+the\s+)\Z")
        rows.append((kind, after, before))
    return tuple(rows)


def _role_spans(text: str, side: Side) -> tuple[Span, ...]:
    accused_responds = re.search(
        rf"(?i)\b{RESPONDENT}{_NUMBER}\s*[-,]?\s*{ACCUSED}\b"
        rf"|\b{ACCUSED}\s*[-,]?\s*{RESPONDENT}\b",
        text,
    )
    pattern = PETITIONER if side == "petitioner" else RESPONDENT
    if (side == "respondent") == bool(accused_responds):
        pattern = rf"(?:{pattern}|{ACCUSED})"
    return tuple(Span(*m.span()) for m in re.finditer(rf"(?i)\b{pattern}\b", text))


def _described(text: str, roles: tuple[Span, ...]) -> tuple[str, tuple[Span, ...]] | None:
    """The first type in order of precedence that stands beside a role, with its mentions."""
    minors = [item.span for item in find_ages(text) if item.value.value < _ADULT]
    young = tuple(role for role in roles if any(_aged(text, role, age) for age in minors))
    for kind, after, before in _text_types():
        spans = tuple(sorted({*_beside(text, roles, after, before)}))
        if spans:
            return kind, spans
        if kind == "Minor" and young:
            return kind, young[:1]
    return None


def _aged(text: str, role: Span, age: Span) -> bool:
    between = text[role.end : age.start]
    link = rf"{_NUMBER}{_NAME}\s*,?\s*(?:(?:who\s+)?(?:is|was)\s+)?(?:an?\s+)?(?:boy\s+)?"
    return role.end <= age.start and re.fullmatch(link, between) is not None


def _beside(
    text: str, roles: tuple[Span, ...], after: re.Pattern[str], before: re.Pattern[str]
) -> Iterator[Span]:
    for role in roles:
        following = after.match(text, role.end)
        if following:
            yield Span(*following.span("type"))
        preceding = before.search(text, max(0, role.start - 40), role.start)
        if preceding:
            yield Span(*preceding.span("type"))


def find_named_parties(
    text: str, titled: tuple[str, str], entities: Sequence[Entity]
) -> list[Party]:
    """The parties of `text`; a side that the title does not name may take a tagged name.

    It does not where the text alone makes the side an institution and the name is not one: then
    the name belongs to another party on that side.

    Args:
        titled: the names that the title gives, petitioner first; "" for none.
    """
    untagged = find_parties(text, *titled)
    if not entities:
        return untagged
    types = {party.value.side: party.value.party_type for party in untagged}
    names = []
    for (side, _, _), own, tagged in zip(
        _SIDES, titled, names_of_parties(text, entities), strict=True
    ):
        stated = types.get(side)
        clash = stated in _INSTITUTIONS and party_type_of(tagged) != stated
        names.append(own or ("" if clash else tagged))
    return find_parties(text, *names)


def names_of_parties(text: str, entities: Sequence[Entity]) -> tuple[str, str]:
    """The names of petitioner and respondent as tagged in `text`; "" for a side without one.

    The tagger names a party wherever it thinks that it sees one. A name is taken only where the
    text itself puts it beside the side's role, or where it stands in the head of the judgment.

    Args:
        text: the narrative.
        entities: its entities, in order.
    """
    head = head_end(text)
    names = []
    for _, label, role in _SIDES:
        before = re.compile(_BEFORE_NAME.format(role=role, number=_FIRST) + _ADDRESS)
        after = re.compile(_AFTER_NAME.format(role=role))
        names.append(
            next(
                (
                    _SPACE.sub(" ", text[entity.span.start : entity.span.end])
                    for entity in entities
                    if entity.label == label
                    and (
                        entity.span.end <= head
                        or before.search(
                            text, max(0, entity.span.start - _NEAR_NAME), entity.span.start
                        )
                        or after.match(text, entity.span.end)
                    )
                ),
                "",
            )
        )
    return names[0], names[1]
