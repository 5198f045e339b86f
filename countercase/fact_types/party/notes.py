"""The parties of a note by a junior or a client, who seldom writes `the petitioner` or `the respondent`.

`Client Mukul (28)`, `I gave hand loan`, `Rev. for tenant` say who comes to the court and as what; who
stands against them follows from that: the State where an accused asks for bail, the landlord where
a tenant does. The words are in `data/party_notes.jsonl`. Roles are those of the vocabulary.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from countercase.fact_types.party.recognise import Party, type_of_words, without_cited_cases
from countercase.facts.model import PartyValue, Side
from countercase.io import read_table
from countercase.text.patterns import has_company, of_words, pattern
from countercase.text.plain_words import plain_text
from countercase.text.spans import Span

_STATUS: Final = ("Minor", "Public servant", "Employee", "Tenant", "Contractor", "Licensee")
"""What a note says of a party beyond what a name in the title can say."""

CLIENT_PLACES: Final = (
    "{{CLIENT_BEFORE}}(?P<who>{0})(?!\\w)",
    "(?<!\\w){{STILL_OPEN}}(?P<who>{0}){{CLIENT_AFTER}}",
)
"""Where a noun names the client: beside words such as `we act for`, or before `is ours`."""


@dataclass(frozen=True)
class Proceeding:
    """A kind of matter; the one with the most of its words in the note is the note's.

    Each different one of its `strong` words counts `weight` times; `signs`, shared with others,
    once.
    """

    proceeding: str
    strong: str
    signs: str = ""
    weight: int = 3


@dataclass(frozen=True)
class PartyNote:
    """Words that bring a party into a note; of a side's rows the first that matches counts."""

    side: Side
    party_type: str  # "" where the words that match say it (`uncle`, `cooperative bank`)
    role: str
    pattern: str  # a group whose name begins with `who`, where it has one, stands for the party
    # proceedings, not_in: the kinds of matter in which the row counts, any where empty; and those
    # in which it does not
    proceedings: tuple[str, ...] = ()
    not_in: tuple[str, ...] = ()
    # `client` where the words must stand beside those for whom one appears; the first of the note
    # counts then, and comes before every row of the other kind
    how: str = ""
    clients: tuple[str, ...] = ()  # for a respondent, roles of the petitioner; any if empty
    text_has: str = ""
    text_lacks: str = ""
    also: bool = False  # whether the party may stand beside another one on its side


def proceeding_of(text: str) -> str:
    """The kind of matter that a note is about; "" where no word tells."""
    weights = Counter[str]()
    for row in read_table("fact_types/party_proceedings", Proceeding):
        if times := _different(row.strong, text):
            weights[row.proceeding] += row.weight * times + _different(row.signs, text)
    return max(+weights, key=lambda name: weights[name], default="")


def parties_in_notes(text: str, title: str = "") -> list[Party]:
    """The parties that the words of a note bring in, petitioner first."""
    plain = plain_text(without_cited_cases(text))
    whole = f"{title}\n{plain.text}"
    kind = proceeding_of(whole)
    rows = [
        row
        for row in read_table("fact_types/party_notes", PartyNote)
        if kind in (row.proceedings or (kind,))
        and kind not in row.not_in
        and has_company(whole, row.text_has, row.text_lacks)
    ]
    client = _client(rows, plain.text)
    parties = [client] if client is not None else []
    own = client.value if client is not None and client.value.side == "respondent" else None
    for row in rows:
        is_like = own is not None and row.side == "petitioner" and own.role == row.role
        if row.how or (own and is_like and (row.role or own.party_type == row.party_type)):
            continue  # the client is not its own opponent
        role = next((p.value.role for p in parties if p.value.side == "petitioner"), "")
        if row.clients and role not in row.clients:
            continue
        if (match := of_words(row.pattern).search(plain.text)) is None:
            continue
        groups = (name for name, words in match.groupdict().items() if words)
        party = _party(row, plain.text, Span(*match.span(next(groups, 0))))
        mine = [p.value for p in parties if p.value.side == row.side]
        stands = any((v.party_type, v.role) == (party.value.party_type, row.role) for v in mine)
        if not stands and (row.also or not mine):
            parties.append(party)
    placed = (replace(p, spans=tuple(plain.source(s) for s in p.spans)) for p in parties)
    if of_words("{ONLY_SERVANTS}").search(whole):
        placed = (  # the accused of an offence that only a public servant can commit is one
            replace(party, value=replace(party.value, party_type="Public servant"))
            if (party.value.role, party.value.party_type) == ("accused", "Individual")
            else party
            for party in placed
        )
    return sorted(placed, key=lambda party: party.value.side)


def _client(rows: Sequence[PartyNote], text: str) -> Party | None:
    """Return the first noun beside words such as `we act for`, else the first before `is ours`."""
    for anchored in CLIENT_PLACES:
        matches = [
            (match.start(), n, match)
            for n, row in enumerate(rows)
            if row.how == "client"
            and (match := of_words(anchored.format(row.pattern)).search(text)) is not None
        ]
        if matches:
            _, n, match = min(matches)
            party = _party(rows[n], text, Span(*match.span("who")), anchored=True)
            called = party.value.role != "accused" and _called_respondent(text, party.spans[0])
            gone = of_words("{ANOTHER_GOES_UP}").finditer(text)  # `now the insurer has gone up`
            if called or any(not Span(*m.span("who")).overlaps(party.spans[0]) for m in gone):
                return replace(party, value=replace(party.value, side="respondent"))
            return party
    return None


def _called_respondent(text: str, span: Span) -> bool:
    called = pattern("RESPONDENT").search(text, max(0, span.start - 40), span.start)
    return bool(called or pattern("RESPONDENT_AFTER").match(text, span.end))


def _party(row: PartyNote, text: str, span: Span, anchored: bool = False) -> Party:
    words = text[span.start : span.end]
    span = Span(span.start, span.start + len(words.rstrip()))
    kind = row.party_type or type_of_words(words)
    if kind == "Corporation" and pattern("PROPRIETOR").match(text, span.end):
        kind = "Individual"
    return Party(PartyValue(row.side, kind, "", row.role), (span,), row.also, anchored)


def _different(words: str, text: str) -> int:
    if not words:
        return 0
    return len({" ".join(m[0].lower().split()) for m in of_words(words).finditer(text)})


def with_notes(parties: Sequence[Party], noted: Sequence[Party]) -> list[Party]:
    """Parties that a title or a role names, completed by those of the notes.

    The notes give a side that has no party, the role of a party, and the status of an individual.
    Where they bring in several on a side, each stands, and what was read is the one of its type.
    """
    complete, said = list(parties), set[int]()
    for note in noted:
        side, kind = note.value.side, note.value.party_type
        at = [n for n, party in enumerate(complete) if party.value.side == side and n not in said]
        types = {other.value.party_type for other in noted if other.value.side == side}
        same = [n for n in at if complete[n].value.party_type == kind]
        if not same and kind in (*_STATUS, "Union of India"):
            firm = kind in ("Tenant", "Contractor", "Licensee")  # what a corporation may be too
            wider = {"Individual", "Corporation"} if firm else {"Individual"}
            same = [n for n in at if complete[n].value.party_type in wider - types]
        if same:
            party = complete[same[0]]
            value = replace(party.value, party_type=kind, role=note.value.role)
            complete[same[0]] = replace(party, value=value, spans=party.spans or note.spans)
            said.add(same[0])
        elif not at or note.beside or all(complete[n].value.party_type in types for n in at):
            said.add(len(complete))
            complete.append(note)
        elif note.anchored and not complete[at[0]].value.name:
            complete[at[0]] = note
            said.add(at[0])
        else:
            first = complete[at[0]]
            complete[at[0]] = replace(first, value=replace(first.value, role=note.value.role))
            said.add(at[0])
    return sorted(complete, key=lambda party: party.value.side)
