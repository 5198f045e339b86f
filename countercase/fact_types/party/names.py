"""Parties named by the fact tagger.

The tagger names a party wherever it thinks that it sees one. A name is taken only where the text
itself puts it beside the side's role, or where it stands in the head of the judgment.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from countercase.fact_types.party.recognise import Party, find_parties, party_type_of
from countercase.fact_types.rewriting.parties import PETITIONER, RESPONDENT
from countercase.facts.entities import Entity
from countercase.facts.model import Side
from countercase.facts.preamble import head_end

_SIDES: Final[tuple[tuple[Side, str, str], ...]] = (
    ("petitioner", "PETITIONER", PETITIONER),
    ("respondent", "RESPONDENT", RESPONDENT),
)
_INSTITUTIONS: Final = ("State", "Union of India", "Corporation")
_NUMBER: Final = r"(?:\s*(?:\(?\s*(?:Nos?\.?|-)?\s*1\)?))?"
_BEFORE: Final = (
    r"(?i:\b{role}){number}(?:\s+herein)?[\s,:\-–]*(?i:(?:namely|viz\.?|is|was|one)\s+)?"
)
_TITLE: Final = r"(?:(?:Shri|Smt|Sri|Dr|Mr|Mrs|Ms|Km|M/s)\.?\s*)?\Z"
_AFTER: Final = (
    r"[\s,(\-–\[]*(?i:(?:the|is\s+the|who\s+is\s+the)\s+)?(?i:{role})\b"
    r"(?!\s*(?:Nos?\.?|-)?\s*[2-9])"
)
_NEAR: Final = 60
_SPACE: Final = re.compile(r"\s+")


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

    Args:
        text: the narrative.
        entities: its entities, in order.
    """
    head = head_end(text)
    names = []
    for _, label, role in _SIDES:
        before = re.compile(_BEFORE.format(role=role, number=_NUMBER) + _TITLE)
        after = re.compile(_AFTER.format(role=role))
        names.append(
            next(
                (
                    _SPACE.sub(" ", text[entity.span.start : entity.span.end])
                    for entity in entities
                    if entity.label == label
                    and (
                        entity.span.end <= head
                        or before.search(text, max(0, entity.span.start - _NEAR), entity.span.start)
                        or after.match(text, entity.span.end)
                    )
                ),
                "",
            )
        )
    return names[0], names[1]
