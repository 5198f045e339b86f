"""The parties of a note by a junior or a client, who seldom writes `the petitioner` or `the respondent`.

`Client Mukul (28)`, `I gave hand loan`, `Rev. for tenant` say who comes to the court and as what; who
stands against them follows from that: the State where an accused asks for bail, the landlord where
a tenant does. The words are in `data/party_notes.jsonl`. Roles are those of the vocabulary.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from countercase.fact_types.base import expanded
from countercase.facts.model import PartyValue, Side
from countercase.io import read_table
from countercase.text.plain_words import plain_text
from countercase.text.spans import Span

_STATUS: Final = ("Minor", "Public servant", "Employee", "Tenant", "Contractor", "Licensee")
"""What a note says of a party beyond what a name in the title can say."""


@dataclass(frozen=True)
class Party:
    """The party on one side, with the words that say what it is (none where a name alone does)."""

    value: PartyValue
    spans: tuple[Span, ...]
    beside: bool = False
    """Whether it may be the second party on its side (a minor among the claimants)."""


@dataclass(frozen=True)
class PartyNote:
    """Words that bring a party into a note; of a side's rows the first that matches counts.

    Args:
        pattern: its group `who`, where it has one, is what stands for the party.
        client: for a respondent, a pattern of the petitioner's role.
        also: whether the party may stand beside another one on its side.
    """

    side: Side
    party_type: str
    role: str
    pattern: str
    client: str = ""
    text_has: str = ""
    text_lacks: str = ""
    also: bool = False


def parties_in_notes(text: str, title: str = "") -> list[Party]:
    """The parties that the words of a note bring in, petitioner first."""
    plain = plain_text(text)
    parties: list[Party] = []
    for row in read_table("fact_types/party_notes", PartyNote):
        mine = [p.value for p in parties if p.value.side == row.side]
        client = next((p.value.role for p in parties if p.value.side == "petitioner"), "")
        stands = any(value.party_type == row.party_type for value in mine)
        if stands or (mine and not row.also) or not _holds(row, client, f"{title}\n{plain.text}"):
            continue
        match = _compiled(row.pattern).search(plain.text)
        if match is not None:
            span = plain.source(Span(*match.span("who" if match.groupdict().get("who") else 0)))
            parties.append(
                Party(PartyValue(row.side, row.party_type, "", row.role), (span,), row.also)
            )
    return parties


def with_notes(parties: Sequence[Party], noted: Sequence[Party]) -> list[Party]:
    """Parties that a title or a role names, completed by those of the notes.

    The notes give a side that has no party, the role of a party, and the status of an individual.
    """
    complete = list(parties)
    for note in noted:
        at = [n for n, party in enumerate(complete) if party.value.side == note.value.side]
        kind = note.value.party_type
        same = next((n for n in at if complete[n].value.party_type == kind), None)
        others = {n.value.party_type for n in noted if n.value.side == note.value.side} - {kind}
        if same is None and kind in (*_STATUS, "Union of India"):
            same = next(
                (n for n in at if _less_exact(complete[n].value, kind) and not others), None
            )
        if same is not None:
            party = complete[same]
            value = replace(party.value, party_type=kind, role=note.value.role)
            complete[same] = replace(party, value=value, spans=party.spans or note.spans)
        elif not at or note.beside:
            complete.append(note)
        else:
            first = complete[at[0]]
            complete[at[0]] = replace(first, value=replace(first.value, role=note.value.role))
    return sorted(complete, key=lambda party: party.value.side)


def _less_exact(value: PartyValue, kind: str) -> bool:
    """Whether a party that a name makes what it is may be what the note says it is."""
    firms = ("Tenant", "Contractor", "Licensee")
    return value.party_type == "Individual" or (value.party_type == "Corporation" and kind in firms)


def _holds(row: PartyNote, client: str, text: str) -> bool:
    return (
        (not row.client or re.fullmatch(row.client, client) is not None)
        and (not row.text_has or _compiled(row.text_has).search(text) is not None)
        and (not row.text_lacks or _compiled(row.text_lacks).search(text) is None)
    )


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(expanded(pattern), re.IGNORECASE)
