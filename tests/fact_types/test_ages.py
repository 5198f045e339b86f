"""Which words of a narrative are somebody's age."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countercase.fact_types.numerical.ages import find_ages
from countercase.facts.model import NumericalValue


def _ages(text: str) -> list[tuple[float, str]]:
    found = find_ages(text)
    for item in found:
        assert isinstance(item.value, NumericalValue)
        assert (item.value.kind, item.value.unit) == ("age", "years")
    return [(item.value.value, text[item.span.start : item.span.end]) for item in found]


def _people(text: str) -> list[str]:
    """The ages of `text` with their people, as a fact sheet writes them."""
    return [str(item.value) for item in find_ages(text)]


@pytest.mark.parametrize(
    ("text", "value", "words"),
    [
        ("The girl, aged about 16 years, ran home.", 16, "aged about 16 years"),
        ("A 17-year-old boy stood there.", 17, "17-year-old"),
        ("He had not reached the age of 18 years.", 18, "age of 18 years"),
        ("The minor aged 12 was asleep.", 12, "aged 12"),
        ("He is 35 years old.", 35, "35 years old"),
        ("A child below five years of age was lost.", 5, "below five years of age"),
        ("An old woman aged about 70 kept the key.", 70, "aged about 70"),
        ("A sixteen-year-old drove.", 16, "sixteen-year-old"),
        (
            "She was aged 14 years, 10 months and 17 days.",
            14.879877,
            "aged 14 years, 10 months and 17 days",
        ),
        ("The age of retirement in the mill was 58 years.", 58, "58 years"),
        ("They found a boy of 11 near the canal.", 11, "11"),
        ("A child of six was left at the gate.", 6, "six"),
        ("Charge is under s. 377, victim below ten; no eyewitness.", 10, "below ten"),
    ],
)
def test_every_way_of_writing_an_age(text: str, value: float, words: str) -> None:
    assert _ages(text) == [(value, words)]


@pytest.mark.parametrize(
    "text",
    [
        "The bus was 70 metres away.",
        "He was 5 years in service.",
        "It began with a ten-year-old dispute about a wall.",
        "They had been married for seven years.",
        "He was aged and unwell on 26.3.1990.",
        "The age of the vehicle was 10 years.",
        "He had completed 7 years' practice at the bar.",
        "The eldest child of four, he drives a van.",
        "No girl below 18 can consent.",
        "A girl of class 9 and a boy of the 2016 batch met.",
    ],
)
def test_other_figures_are_no_ages(text: str) -> None:
    assert _ages(text) == []


def test_a_range_is_one_age() -> None:
    assert _ages("He was aged about 14 to 16 years.") == [(14, "aged about 14 to 16 years")]
    assert _people("Her age was put between 13-17 years.") == ["13 to 17 years"]
    assert _people("Ossification test of the girl says 17 to 19 yrs.") == ["17 to 19 years (girl)"]
    assert _people("Deceased Ramlal (aged 50-52 yrs) fell.") == ["50 to 52 years (deceased)"]


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("The boy, aged nine months, survived.", ["9 months (boy)"]),
        ("Wife has a baby of 4 months with her.", ["4 months (child)"]),
        ("Our client Meena, 43 yrs, runs a stall.", ["43 years (client)"]),
        ("My brother kept his five-year-old with him.", ["5 years (child)"]),
        ("Their six-year-old daughter lives here.", ["6 years (daughter)"]),
        ("Accused Raju (38 yrs) ran away.", ["38 years (accused)"]),
        ("Detenu (24 yrs) knows only Hindi.", ["24 years (detenu)"]),
        ("Claimants are widow 29, mother aged 61.", ["29 years (widow)", "61 years (mother)"]),
        ("I am 33 and have no job.", ["33 years (client)"]),
        ("I'm a nurse, 41, in a private hospital.", ["41 years (client)"]),
        ("Prosecutrix was 17 yr 3 months 24 days on that day.", ["17.3157 years (prosecutrix)"]),
        ("The girl was 17 yrs 10 months then as per school record.", ["17.8333 years (girl)"]),
        ("Accused 32/M, victim F/19.", ["32 years (accused)", "19 years (victim)"]),
        ("A-2 is 21 yr 6 mths, no other case.", ["21.5 years (accused)"]),
        ("Deceased abt 32 yrs old, mason.", ["32 years (deceased)"]),
        ("Tenant, 70 yr old, lives there.", ["70 years (tenant)"]),
        ("Landlord 63, tenant 58.", ["63 years (landlord)", "58 years (tenant)"]),
        ("My son is 4½ yrs old.", ["4.5 years (son)"]),
        ("School register of the girl says 16 yrs 4 mths.", ["16.3333 years (girl)"]),
    ],
)
def test_ages_as_juniors_write_them(text: str, people: list[str]) -> None:
    assert _people(text) == people


@pytest.mark.parametrize(
    "text",
    [
        "Accused has 33 yrs service.",
        "Client in jail 3 yrs.",
        "Sessions Court, 5 yrs RI.",
        "Appellant, 2 yrs in custody, seeks bail.",
        "The accused were 4, armed.",
        "Section 34 (2), Rule 6 (1) and Article 19 (1) apply.",
        "My client married 6 yrs back.",
        "The deceased lived for 9 days.",
        "Custody 5 yr 2 mths. Undergone 2 yrs.",
    ],
)
def test_durations_and_counts_near_a_person_are_no_ages(text: str) -> None:
    assert _people(text) == []


def test_a_list_gives_each_age() -> None:
    assert [v for v, _ in _ages("She left children aged 12, 9 and 4 years.")] == [12, 9, 4]


@pytest.mark.parametrize(
    ("text", "person"),
    [
        ("The prosecutrix was aged about 15 years.", "prosecutrix"),
        ("The deceased, aged 40 years, was a mason.", "deceased"),
        ("He saw a 9-year-old girl.", "girl"),
        ("Aged 40 years. The accused came later.", ""),
    ],
)
def test_the_context_is_the_person(text: str, person: str) -> None:
    (found,) = find_ages(text)
    assert isinstance(found.value, NumericalValue)
    assert found.value.context == person


@given(st.integers(1, 99))
def test_any_whole_age_is_read(age: int) -> None:
    assert [value for value, _ in _ages(f"The accused is aged {age} years.")] == [age]


@given(st.integers(121, 10_000))
def test_nobody_is_older_than_the_law_has_seen(age: int) -> None:
    assert _ages(f"The tree was aged {age} years.") == []


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("Acc. Imtiyaz Lone, 41, mason, is in jail.", ["41 years (accused)"]),
        ("Victim a retired teacher, sixty-eight, lost her savings.", ["68 years (victim)"]),
        ("Clients two sisters, 33 and 29.", ["33 years (sister)", "29 years (sister)"]),
        ("Petitioners: Farhan Ali 52 and Gita Rao 47.", ["52 years", "47 years"]),
        ("Meena, 24, burnt on 3.4.2019, died next day.", ["24 years (deceased)"]),
        ("Client Balbir s/o late Karnail, umar 38.", ["38 years (client)"]),
        ("He was 70.", ["70 years (client)"]),
    ],
)
def test_a_bare_number_in_apposition_to_a_person_is_an_age(text: str, people: list[str]) -> None:
    read = [str(item.value) for item in find_ages(text)]
    assert len(read) == len(people)
    assert all(own.startswith(person) for own, person in zip(read, people, strict=True))


@pytest.mark.parametrize(
    "text",
    [
        "Neighbours (2) were hostile.",
        "Appellants 1 and 2 appeal.",
        "Charged under Sections 302, 34.",
    ],
)
def test_numbers_of_people_are_no_ages(text: str) -> None:
    assert _ages(text) == []


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("Namaste, main 45 ki hu.", ["45 years (client)"]),
        ("Beta Nitin 24, humare saath hai.", ["24 years (son Nitin)"]),
        ("My bypass operation is 8 months old.", []),
    ],
)
def test_ages_in_hindi_and_of_things(text: str, people: list[str]) -> None:
    assert _people(text) == people
