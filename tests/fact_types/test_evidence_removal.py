"""Evidence taken away: the sentence goes, the clause, or nothing where more would go with it."""

from __future__ import annotations

import pytest
from perturbation_cases import (
    assert_others_untouched,
    evidence,
    figure,
    narrative_after,
    party,
    section,
    sheet,
)

from countercase.fact_types.evidence import propose
from countercase.facts.edits import Edit, apply_edits
from countercase.facts.model import FactSheet


def edit_of(root: FactSheet) -> Edit:
    return next(e for e in propose(root) if e.rule == "evidence.remove" and e.fact_id == "e")


def removed(marked: str, kind: str = "dying_declaration") -> str:
    root = sheet(marked, e=evidence(kind), n=figure("age", 16), s=section("IPC-302"))
    edit = edit_of(root)
    assert_others_untouched(root, edit)
    assert "e" not in {fact.fact_id for fact in apply_edits(root, [edit]).facts}
    return narrative_after(root, edit)


def test_a_sentence_that_states_nothing_else_goes() -> None:
    assert removed("He fell. She made a {e|dying declaration}. He ran.") == "He fell. He ran."
    assert removed("A {e|dying declaration} was made. He ran.") == "He ran."
    assert removed("He ran. A {e|dying declaration} was made.") == "He ran."


def test_a_paragraph_loses_its_first_sentence_without_a_gap() -> None:
    assert removed("He fell.\n\nA {e|dying declaration} was made. He ran.") == "He fell.\n\nHe ran."


def test_every_sentence_that_states_it_goes() -> None:
    assert removed("A {e|dying declaration} was made. He ran. The {e|declaration} named him.") == (
        "He ran."
    )


def test_beside_another_fact_only_the_clause_goes() -> None:
    assert removed(
        "The girl was {n|aged 16 years}, and the knife was {e|recovered} later.", "recovery"
    ) == ("The girl was aged 16 years.")
    assert removed(
        "The knife was {e|recovered} later, and the girl was {n|aged 16 years}.", "recovery"
    ) == ("The girl was aged 16 years.")
    assert removed(
        "The girl was {n|aged 16 years}; a neighbour {e|saw the attack}.", "eyewitness"
    ) == ("The girl was aged 16 years.")


@pytest.mark.parametrize(
    ("told", "after", "kind"),
    [
        (
            "In the {e|dying declaration} the girl gave {n|16 years} as her age.",
            "The girl gave 16 years as her age.",
            "dying_declaration",
        ),
        (
            "Kamla, {n|16 years} old, {e|saw the attack} from the roof.",
            "Kamla, 16 years old.",
            "eyewitness",
        ),
        (
            "The case rests on {n|16 years} of hate and a {e|dying declaration}.",
            "The case rests on 16 years of hate.",
            "dying_declaration",
        ),
        (
            "The charge under {s|section 302} rests on that {e|confession}, on a boy {n|aged 16 "
            "years}, and on a rope.",
            "The charge under section 302 rests on a boy aged 16 years, and on a rope.",
            "confession",
        ),
        (
            "The clerk brought the {e|register}, and by it he was {n|aged 16 years}.",
            "He was aged 16 years.",
            "documentary",
        ),
    ],
)
def test_beside_another_fact_in_one_clause_only_its_own_words_go(
    told: str, after: str, kind: str
) -> None:
    assert removed(told, kind) == after


@pytest.mark.parametrize(
    "told",
    [
        "The knife was {e|recovered} from a boy {n|aged 16 years}.",
        "In the box {n|251 g} of heroin was {e|found} at night.",
        "Danda {e|seized} u/s 102 dt 3/4 @ 16 yrs of {n|16 years}, PW-2 pls check.",
    ],
)
def test_what_would_leave_no_sentence_is_not_taken_away(told: str) -> None:
    root = sheet(told, e=evidence("recovery"), n=figure("age", 16))
    assert "evidence.remove" not in {edit.rule for edit in propose(root)}


@pytest.mark.parametrize(
    "told",
    [
        "Convn u/s 302 IPC rests on the widow, wounds, neighbours and {e|recovery}. Appeal lies.",
        "He did not strike twice and no {e|recovery}. He was convicted.",
        "The {e|recovery} was of the rod that struck him dead. He was convicted.",
        "Because they asked about the {e|recovery} and shouted, she named him. He was convicted.",
    ],
)
def test_a_sentence_with_another_piece_or_clause_is_not_taken_away_whole(told: str) -> None:
    root = sheet(told, e=evidence("recovery"), s=section("IPC-302"))
    assert "evidence.remove" not in {e.rule for e in propose(root)}


def test_a_semicolon_keeps_what_is_not_about_it() -> None:
    assert removed(
        "Two men made {e|statements} about him; there was a fire, and {n|16 years} went by.",
        "eyewitness",
    ) == ("There was a fire, and 16 years went by.")


def test_a_party_that_is_only_called_by_its_role_does_not_keep_the_sentence() -> None:
    root = sheet(
        "The {p|appellant} is a farmer. A neighbour {e|saw} the {p|appellant} strike.",
        p=party("Individual"),
        e=evidence("eyewitness"),
    )
    assert narrative_after(root, edit_of(root)) == "The appellant is a farmer."


def test_what_the_narrative_does_not_mention_only_leaves_the_sheet() -> None:
    root = sheet("He ran.", e=evidence("motive"))
    assert edit_of(root).replacements == ()


def test_an_aside_goes_and_what_goes_on_after_it_stays() -> None:
    told = (
        "The court of {n|16 years} ago believed her and Ram, said to be an {e|eyewitness}, and "
        "sentenced him."
    )
    assert removed(told, "eyewitness") == (
        "The court of 16 years ago believed her and Ram, and sentenced him."
    )


def test_evidence_named_beside_what_it_shows_goes_alone() -> None:
    assert removed("He came, as the {e|card} shows, and ran at {n|16 years}.", "documentary") == (
        "He came and ran at 16 years."
    )
