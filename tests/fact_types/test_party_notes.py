"""The parties of notes as juniors and clients write them: who stands on which side, as what.

Each note has its answer worked out by hand. The client stands as the petitioner unless the note
calls the client a respondent, an opposite party or a defendant whom another has brought to court;
the accused stands as the petitioner against the prosecution.
"""

from __future__ import annotations

from labelled_rows import labelled

from countercase.fact_types.party.recognise import names_in_title, party_type_of
from countercase.facts.extraction import extract
from countercase.facts.model import PartyValue

_TYPES = {
    "Ind": "Individual", "Min": "Minor", "Cor": "Corporation", "State": "State",
    "Union": "Union of India", "Pub": "Public servant", "Emp": "Employee", "Con": "Contractor",
    "Ten": "Tenant", "Lic": "Licensee",
}  # fmt: skip
_SIDES = {"P": "petitioner", "R": "respondent"}


@labelled("parties_of_notes")
def test_a_note_names_its_parties(text: str, parties: str) -> None:
    read = [f.value for f in extract(text, tagger=False).of_type("PartyType")]
    found = {(v.side, v.party_type) for v in read if isinstance(v, PartyValue)}
    wanted = (party.split() for party in parties.split(", "))
    assert found == {(_SIDES[side], _TYPES[kind]) for side, kind in wanted}


@labelled("parties_of_titles")
def test_a_title_says_what_either_side_is(title: str, petitioner: str, respondent: str) -> None:
    names = names_in_title(title)
    assert tuple(party_type_of(name) for name in names) == (petitioner, respondent)
