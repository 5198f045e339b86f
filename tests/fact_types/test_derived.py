"""Figures that follow from two dates, worked by hand."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countercase.fact_types.numerical.dated_events import Interval, find_events
from countercase.facts.case_file import parse_case, sheet_from_case, write_case
from countercase.facts.extraction import extract
from countercase.facts.model import FactSheet, NumericalValue
from countercase.io import json_text, read_table
from countercase.registry import FACT_TYPES
from countercase.text.dates import time_between

DOWRY = (
    "Sunita Devi was married to the accused Ramesh Kumar on 12.2.2016. She died of burns on "
    "3.11.2022 at her matrimonial home. The FIR under sections 304B and 498A IPC was lodged by "
    "her father on 4.11.2022."
)
CHEQUE = (
    "Complaint u/s 138 NI Act. The cheque was returned on 12 January 2024 with the memo. The demand "
    "notice was sent on 26 February 2024 and received on 1 March 2024. The complaint was filed on "
    "10 April 2024."
)


def derived(sheet: FactSheet) -> dict[str, NumericalValue]:
    return {v.context: v for _, v in sheet.valued(NumericalValue) if v.is_derived}


@pytest.fixture(scope="module")
def dowry() -> FactSheet:
    return extract(DOWRY, tagger=False)


def test_the_time_since_a_marriage_is_counted_to_the_death(dowry: FactSheet) -> None:
    value = derived(dowry)["since marriage"]
    assert (value.begins, value.ends) == ("2016-02-12", "2022-11-03")
    assert int(value.value) == 80
    fact = next(f for f, v in dowry.valued(NumericalValue) if v == value)
    assert [DOWRY[s.start : s.end] for s in fact.spans] == ["12.2.2016", "3.11.2022"]
    assert FACT_TYPES.get("Numerical").label(fact) == (
        "6 years 8 months 22 days (since marriage: 12 February 2016 to 3 November 2022)"
    )


def test_the_line_of_the_law_runs_through_it(dowry: FactSheet) -> None:
    kind = FACT_TYPES.get("Numerical")
    fact = next(f for f, v in dowry.valued(NumericalValue) if v.is_derived)
    assert kind.state(dowry, fact).startswith("The death was within 7 years of the marriage")
    crossed = kind.what_ifs(dowry, fact)[0]
    assert "section 306 IPC, only if she took her own life" in crossed.supposition
    assert not crossed.after.is_derived  # no two dates give the figure that is supposed


def test_the_days_of_a_cheque_are_counted_from_step_to_step() -> None:
    found = derived(extract(CHEQUE, tagger=False))
    assert {name: value.value for name, value in found.items()} == {
        "dishonour to notice": 45,
        "receipt of notice to complaint": 40,
    }


def test_what_is_counted_from_the_sending_is_not_said_to_be_beyond_the_time_from_the_receipt() -> (
    None
):
    text = CHEQUE.replace(" and received on 1 March 2024", "").replace("10 April", "20 April")
    root = extract(text, tagger=False)
    fact = next(f for f, v in root.valued(NumericalValue) if v.context == "notice to complaint")
    said = FACT_TYPES.get("Numerical").state(root, fact)
    assert said == "The complaint was filed 54 days after the notice was sent."


def test_a_figure_asks_for_its_provision_and_for_both_of_its_events() -> None:
    fever = (
        "He was married on 12.2.2016 and died of a fever on 3.11.2022. His brother sues for land."
    )
    assert not derived(extract(fever, tagger=False))
    met = DOWRY.replace("was married to", "met")
    text = met.replace("She died of burns on", "There was talk of")
    assert "since marriage" not in derived(extract(text, tagger=False))


def test_an_area_that_is_surely_known_asks_for_a_figure_without_a_citation() -> None:
    without = extract(
        "Sunita was married to Ramesh on 12 February 2016. She died of burns on 3 November 2022 at "
        "her husband's house. Her father says that a motorcycle was demanded in dowry. Bail is "
        "wanted for the husband."
    )
    fact = next(f for f, v in without.valued(NumericalValue) if v.is_derived)
    said = FACT_TYPES.get("Numerical").state(without, fact)
    assert said.startswith("The death was within 7 years of the marriage")
    found = derived(extract(CHEQUE.replace("Complaint u/s 138 NI Act. ", ""), tagger=False))
    assert {"dishonour to notice", "receipt of notice to complaint"} <= {*found}


def test_a_case_file_keeps_the_two_dates(dowry: FactSheet) -> None:
    again = sheet_from_case(parse_case(json_text(write_case(dowry)), "case"))
    assert derived(again) == derived(dowry)
    assert {f.value: f.spans for f in again.facts} == {f.value: f.spans for f in dowry.facts}


def test_what_the_text_states_itself_is_not_derived_again() -> None:
    stated = DOWRY + " So she died 6 years and 8 months after the marriage."
    sheet = extract(stated, tagger=False)
    assert not derived(sheet)
    assert any(v.kind == "duration" for _, v in sheet.valued(NumericalValue))


def test_a_stated_time_without_a_word_on_what_it_measures_is_the_one_that_two_dates_give() -> None:
    note = "Marriage 14.02.2013. Wife died 20.12.2019, i.e. 6 yrs 10 mths. 304B, 498A IPC."
    sheet = extract(note, tagger=False)
    told = {v.context: v.value for _, v in sheet.valued(NumericalValue) if v.unit == "months"}
    assert told == {"since marriage": 82}
    fact = next(f for f, v in sheet.valued(NumericalValue) if v.context == "since marriage")
    asked = FACT_TYPES.get("Numerical").what_ifs(sheet, fact)
    assert "section 304B" in asked[0].supposition


def test_every_event_of_the_table_has_a_model() -> None:
    known = {*find_events("It happened on 2 May 2020.")[0].events}
    for row in read_table("law/intervals", Interval):
        assert {*row.begins, *row.ends} <= known, row.name
        assert row.provision and (row.cited or row.area or row.barred), row.name


def between(first: date, last: date, unit: str = "months") -> float:
    return time_between(first.isoformat(), last.isoformat(), unit)


DAYS = st.dates(date(1950, 1, 1), date(2040, 12, 31))


@given(DAYS, st.integers(0, 480))
def test_whole_months_are_whole(first: date, months: int) -> None:
    first = first.replace(day=min(first.day, 28))
    year, month = divmod(first.year * 12 + first.month - 1 + months, 12)
    last, day = first.replace(year=year, month=month + 1), timedelta(days=1)
    assert between(first, last) == months
    assert between(first, last - day) < months < between(first, last + day)


@given(DAYS, DAYS, DAYS)
def test_a_later_end_is_never_a_shorter_time(first: date, one: date, other: date) -> None:
    one, other = sorted((one, other))
    for unit in ("days", "months", "years"):
        assert between(first, one, unit) <= between(first, other, unit)
