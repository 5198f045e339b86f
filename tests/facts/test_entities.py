"""Entities by rule, the head of a judgment, the layout of its words, the names of its parties."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countercase.fact_types.party.recognise import names_of_parties
from countercase.facts.entities import Entity, head_end, join, pieces, rule_entities
from countercase.facts.tagger.network import Layout, layout_of
from countercase.text.spans import Span

HEAD = """IN THE HIGH COURT OF KERALA AT ERNAKULAM

Crl. Appeal No. 12 of 2004

1. Ramesh Pillai, S/o Gopal Pillai,
   Kollam.                                 ... Appellant

                    Vs.

1. State of Kerala,
   represented by the Public Prosecutor.   ... Respondent

For the appellant: Adv. S. Nair

CORAM: JUSTICE K. THOMAS

JUDGMENT

"""
BODY = (
    "The appellant was tried for the murder of his brother and was convicted by the Court of "
    "Session on the word of one witness. He says that the witness was not there."
)


def entity(text: str, words: str, label: str) -> Entity:
    start = text.index(words)
    return Entity(Span(start, start + len(words)), label)


def test_rules_find_provisions_acts_and_dates_but_no_bare_year_or_the_act() -> None:
    text = "On 12th March, 1998 he was tried under Sections 302 and 34 of the Indian Penal Code."
    assert rule_entities(text) == [
        entity(text, "12th March, 1998", "DATE"),
        entity(text, "Sections 302 and 34", "PROVISION"),
        entity(text, "Indian Penal Code", "STATUTE"),
    ]
    assert rule_entities("In 1998 the Act was in force.") == []


def test_what_is_tagged_wins_over_a_rule_and_acts_and_dates_of_rules_alone_are_not_added() -> None:
    tagged = Entity(Span(0, 10), "DATE")
    meets, free = Entity(Span(8, 20), "PROVISION"), Entity(Span(20, 25), "PROVISION")
    assert join([tagged], [meets, free]) == [tagged, free]
    assert join([], [Entity(Span(0, 3), "STATUTE"), Entity(Span(4, 9), "DATE")]) == []


spans = st.builds(
    lambda start, size, label: Entity(Span(start, start + size), label),
    st.integers(0, 40),
    st.integers(1, 8),
    st.sampled_from(["DATE", "PROVISION"]),
)


@pytest.mark.parametrize(
    ("text", "end"),
    [
        (HEAD + BODY, len(HEAD)),
        ("", 0),
        (BODY, 0),
        (f"{BODY}\n\nRam v. State of Kerala was followed.", 0),
    ],
)
def test_the_head_ends_before_the_first_prose_and_a_narrative_has_none(text: str, end: int) -> None:
    assert head_end(text) == end


@given(st.lists(spans), st.lists(spans))
def test_a_join_keeps_what_is_tagged_and_adds_nothing_over_it(
    tagged: list[Entity], ruled: list[Entity]
) -> None:
    joined = join(tagged, ruled)
    assert joined == sorted(joined)
    added = list(joined)
    for each in tagged:
        added.remove(each)
    assert not any(new.span.overlaps(old.span) for new in added for old in tagged)


def test_the_head_is_one_piece_and_the_rest_follows() -> None:
    text = HEAD + BODY
    head, *rest = pieces(text)
    assert (head.start, head.end) == (0, len(HEAD))
    assert all(span.start >= len(HEAD) for span in rest)
    assert " ".join(text[span.start : span.end] for span in rest) == BODY


@given(st.text(alphabet="aA .,\nvs:", max_size=200))
def test_pieces_lie_in_order_within_the_text(text: str) -> None:
    ends = [0]
    for span in pieces(text):
        assert ends[-1] <= span.start < span.end <= len(text)
        ends.append(span.end)


def test_layout_names_the_marks_around_a_word() -> None:
    text = "Ramesh ... Appellant\nVs.\n1. State ... Respondent"
    places = [text.index(word) for word in ("Ramesh", "Vs", "State")]
    ramesh, versus, state = layout_of(text, places)
    assert ramesh == Layout(before="-", behind="p1", place="--plf")
    assert versus == Layout(before="p0", behind="r2", place="vvrrf")
    assert state == Layout(before="v1", behind="r1", place="-vrrn")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The appellant Ramesh Pillai is a clerk.", ("Ramesh Pillai", "")),
        ("Petitioner No. 1, Shri Ramesh Pillai, is a clerk.", ("Ramesh Pillai", "")),
        ("Ramesh Pillai (the petitioner) is a clerk.", ("Ramesh Pillai", "")),
        ("His brother Ramesh Pillai is a clerk.", ("", "")),
        ("Ramesh Pillai, petitioner No. 2, is a clerk.", ("", "")),
    ],
)
def test_a_tagged_name_counts_beside_its_role(text: str, names: tuple[str, str]) -> None:
    assert names_of_parties(text, [entity(text, "Ramesh Pillai", "PETITIONER")]) == names


def test_in_the_head_the_layout_stands_for_the_role() -> None:
    sides = {"Ramesh Pillai": "PETITIONER", "State of Kerala": "RESPONDENT"}
    tagged = [entity(HEAD, name, side) for name, side in sides.items()]
    assert names_of_parties(HEAD + BODY, tagged) == ("Ramesh Pillai", "State of Kerala")
