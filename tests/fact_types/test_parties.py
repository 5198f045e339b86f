"""What a party is in law: from its name, the words beside it, a title, or a note.

Each note has its answer worked out by hand. The client stands as the petitioner unless the note
calls the client a respondent, an opposite party or a defendant whom another has brought to court;
the accused stands as the petitioner against the prosecution.
"""

from __future__ import annotations

from labelled_rows import labelled

from countercase.fact_types.party.recognise import (
    find_parties,
    locate_party,
    names_in_title,
    party_type_of,
)
from countercase.facts.extraction import extract
from countercase.facts.model import PartyValue
from countercase.text.spans import Span


def _parties(text: str, petitioner: str = "") -> dict[str, tuple[str, list[str]]]:
    return {
        p.value.side: (p.value.party_type, [text[s.start : s.end] for s in p.spans])
        for p in find_parties(text, petitioner)
    }


@labelled("parties_beside_a_side")
def test_the_words_beside_a_side_say_its_type(
    text: str, side: str, kind: str, words: list[str]
) -> None:
    assert _parties(text)[side] == (kind, words)


@labelled("texts_without_a_party")
def test_nothing_is_invented(text: str) -> None:
    assert _parties(text) == {}


def test_the_accused_is_the_petitioner_unless_the_text_makes_him_the_respondent() -> None:
    assert _parties("The accused, a constable, fled.")["petitioner"][0] == "Public servant"
    turned = _parties("The respondent-accused fled. The accused, a constable, hid.")
    assert turned["respondent"][0] == "Public servant"
    assert "petitioner" not in turned


def test_words_decide_over_a_persons_name_and_an_institution_over_words() -> None:
    text = "The appellant, a constable, was dismissed by the State."
    assert _parties(text, petitioner="Ram Singh")["petitioner"][0] == "Public servant"
    assert _parties(text, petitioner="Sonpura Mills Ltd.")["petitioner"][0] == "Corporation"


def test_a_title_names_both_sides() -> None:
    assert names_in_title("Ram Singh v. State of Haryana") == ("Ram Singh", "State of Haryana")
    others = "Asha and Another Vs Sonpura Mills Ltd. and Ors."
    assert names_in_title(others) == ("Asha", "Sonpura Mills Ltd.")
    assert names_in_title("In re Sonpura") == ("", "")


def test_a_stated_party_is_found_by_its_words_its_name_or_its_role() -> None:
    text = "Ram Singh, the tenant, wrote to the State of Bihar; the appellant then sued."
    tenant = locate_party(text, PartyValue("petitioner", "Tenant"))
    named = locate_party(text, PartyValue("petitioner", "Minor", "Ram Singh"))
    role = locate_party(text, PartyValue("petitioner", "Individual"))
    assert [text[s.start : s.end] for s in tenant] == ["tenant"]
    assert named == (Span(0, 9),)
    assert [text[s.start : s.end] for s in role] == ["appellant"]
    assert locate_party(text, PartyValue("respondent", "Corporation")) == ()


@labelled("parties_of_notes")
def test_a_note_names_its_parties(text: str, parties: list[tuple[str, ...]]) -> None:
    """A row gives the side and the type of each party, and in some rows its role too."""
    read = [value for _, value in extract(text, tagger=False).valued(PartyValue)]
    size = max((len(party) for party in parties), default=0)
    assert {(it.side, it.party_type, it.role)[:size] for it in read} == set(parties)


@labelled("parties_of_titles")
def test_a_title_says_what_either_side_is(title: str, petitioner: str, respondent: str) -> None:
    names = names_in_title(title)
    assert tuple(party_type_of(name) for name in names) == (petitioner, respondent)
