"""Words that hold only while a figure, or a party, is what it was."""

from __future__ import annotations

import pytest
from perturbation_cases import figure, narrative_after, party, section, sheet

from countercase.fact_types import numerical
from countercase.fact_types import party as parties
from countercase.facts.edits import Edit, Replacement
from countercase.facts.model import FactSheet, NumericalValue


def objected(root: FactSheet) -> str:
    """What the narrative says against the first edit of the figure `n`."""
    edit = next(e for e in numerical.propose(root) if e.fact_id == "n")
    return numerical.FACT_TYPE.objection(root, edit)


NOTICE = figure("duration", 20, "days", "from return memo to notice of demand")


@pytest.mark.parametrize(
    ("after", "words"),
    [
        ("Nobody came.", ""),
        ("All the dates are in order.", "in order"),
        ("No other date is questioned.", "no other date is questioned"),
        ("The State says that twenty days is long.", "twenty day"),
    ],
)
def test_a_date_in_order_leans_on_its_figure(after: str, words: str) -> None:
    root = sheet(f"Notice went {{n|20 days}} after. {after}", n=NOTICE, s=section("NIA-138"))
    found = objected(root)
    assert words.lower() in found.lower()
    assert bool(words) == bool(found)


@pytest.mark.parametrize(
    ("after", "leans"),
    [
        ("She is in class nine.", False),
        ("Her sixteenth birthday was not far.", True),
        ("Her 18th birthday was not far.", True),
        ("Her tenth birthday was long past.", False),
    ],
)
def test_a_birthday_between_leans_on_the_age(after: str, leans: bool) -> None:
    age = figure("age", 15, context="girl")
    root = sheet(f"The girl was {{n|aged 15 years}}. {after}", n=age, s=section("POCSO-8"))
    assert bool(objected(root)) is leans


@pytest.mark.parametrize(
    ("after", "leans"),
    [
        ("They beat him.", False),
        ("The stall keeper names all five.", True),
        ("The fifth man came to separate them.", True),
        ("It was five, and no more.", True),
    ],
)
def test_a_count_told_again_leans_on_the_figure(after: str, leans: bool) -> None:
    men = figure("count", 5, "accused", "men who struck")
    root = sheet(f"There were {{n|5 accused}}. {after}", n=men, s=section("BNS-103(2)"))
    assert bool(objected(root)) is leans


def test_the_age_of_the_same_person_at_another_time_stands() -> None:
    root = sheet(
        "He is {m|aged 21 years} now and was {n|aged 15 years} in 2019.",
        m=figure("age", 21, context="accused"),
        n=figure("age", 15, context="accused in 2019"),
        s=section("IPC-379"),
    )
    assert "another time" in objected(root)


def test_a_child_at_school_is_not_grown() -> None:
    son = NumericalValue("age", 16, "years", "son")
    root = sheet("Her son, {n|aged 16 years}, is school going.", n=son, s=section("CrPC-125"))
    edits = [e for e in numerical.propose(root) if e.fact_id == "n"]
    assert edits
    assert all(numerical.FACT_TYPE.objection(root, edit) for edit in edits)


def test_a_small_quantity_is_another_case_than_a_commercial_one() -> None:
    root = sheet(
        "He had {n|300 g of heroin}.",
        n=figure("quantity", 300, "g", "heroin"),
        s=section("NDPS-21(c)"),
    )
    found = [numerical.FACT_TYPE.objection(root, e) for e in numerical.propose(root)]
    assert [bool(words) for words in found] == [False, True]


def test_hence_a_public_servant_follows_from_the_office() -> None:
    root = sheet("He was an Inspector, hence {p|a public servant}.", p=party("Public servant"))
    at = root.narrative.index(".")
    words = (Replacement(at, at, " who had left the post"),)
    left = party("Individual")
    edit = Edit("p", "PartyType", "Public servant", "Individual", "r", "PCA-19", left, words)
    assert "hence a public servant" in parties.FACT_TYPE.objection(root, edit)


@pytest.mark.parametrize(
    ("told", "after"),
    [
        (
            "Notice went {n|40 days} after. The Court sent it back as late. If it had gone sooner, "
            "nobody would have heard of delay. He is here.",
            "The Court sent it back. He is here.",
        ),
        (
            "Notice went {n|20 days} after. Advise on it, and what would have happened had he waited "
            "more.",
            "Advise on it.",
        ),
    ],
)
def test_what_is_concluded_from_a_length_of_time_goes_with_it(told: str, after: str) -> None:
    days = 40 if "40" in told else 20
    figured = figure("duration", days, "days", "from return memo to notice of demand")
    root = sheet(told, n=figured, s=section("NIA-138"))
    change = next(e for e in numerical.propose(root) if e.fact_id == "n")
    assert narrative_after(root, change).partition(" after. ")[2] == after
    assert numerical.FACT_TYPE.objection(root, change) == ""


def test_a_margin_that_is_passed_does_not_end_the_matter() -> None:
    root = sheet(
        "He was an Inspector. His known income was Rs. 60,00,000. The excess was {n|Rs. 5,00,000}. So "
        "the excess is less than one rupee in ten. I think that the margin of ten per cent ends the "
        "matter.",
        n=figure("amount", 500000, "INR", "excess"),
        i=figure("amount", 6000000, "INR", "known income"),
        s=section("PCA-13(1)(e)"),
    )
    change = next(e for e in numerical.propose(root) if e.fact_id == "n")
    assert narrative_after(root, change).endswith(
        "The excess was Rs. 6,60,000. I think that the margin of ten per cent does not end the matter."
    )
    assert numerical.FACT_TYPE.objection(root, change) == ""


def test_nobody_asks_what_a_child_under_seven_understood() -> None:
    told = "The boy was {n|aged 11 years}. He had the understanding of a younger one."
    root = sheet(told, n=figure("age", 11, "years", "accused"), s=section("IPC-83"))
    edits = [e for e in numerical.propose(root) if e.provision == "IPC-82"]
    assert edits
    assert all("understanding" in numerical.FACT_TYPE.objection(root, e) for e in edits)


def test_the_day_of_a_death_fixes_no_length_of_marriage() -> None:
    married = figure("duration", 4, "years", "since marriage")
    told = "She died on 30 July 2012, after {n|four years} of marriage.%s He is convicted."
    for wedding, fixed in ((" ", False), (" They were married in May 2008.", True)):
        root = sheet(told % wedding, n=married, s=section("IPC-498A"), t=section("IPC-306"))
        edits = [e for e in numerical.propose(root) if e.fact_id == "n"]
        assert edits
        assert any("fixes" in numerical.FACT_TYPE.objection(root, e) for e in edits) == fixed
