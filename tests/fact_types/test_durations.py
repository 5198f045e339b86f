"""Which words of a narrative are a length of time, and of what."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countercase.fact_types.numerical.figures import find_durations
from countercase.fact_types.numerical.saying import say_figure
from countercase.facts.model import NumericalValue


def _values(text: str) -> list[NumericalValue]:
    values = [item.value for item in find_durations(text)]
    assert all(isinstance(value, NumericalValue) and value.kind == "duration" for value in values)
    return values  # type: ignore[return-value]


def _durations(text: str) -> list[tuple[float, str]]:
    return [(value.value, value.unit) for value in _values(text)]


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("She died within seven years of marriage.", 7, "years"),
        ("He held the land for 12 years.", 12, "years"),
        ("They lived there for two and a half years.", 2.5, "years"),
        ("He was in jail for six months.", 6, "months"),
        ("There was a delay of 45 days.", 45, "days"),
        ("He got imprisonment for ten years.", 10, "years"),
        ("He came back within half an hour.", 0.5, "hours"),
        ("A 30-day period was given.", 30, "days"),
        ("He was away for a year.", 1, "years"),
        ("They waited for one and half months.", 1.5, "months"),
        ("He got 1 year and 6 months.", 18, "months"),
        ("For two decades nobody objected.", 20, "years"),
        ("He is inside for over a year and quarter.", 1.25, "years"),
        ("It took more than a year and a half.", 1.5, "years"),
        ("She waited for a year and three months.", 15, "months"),
        ("A month and a half later it broke.", 1.5, "months"),
        ("It happened forty-five minutes later.", 45, "minutes"),
    ],
)
def test_every_way_of_writing_a_length_of_time(text: str, value: float, unit: str) -> None:
    assert _durations(text) == [(value, unit)]


@pytest.mark.parametrize(
    "text",
    [
        "The bell rang at 21.40 hours and again at 15:40 hours.",
        "On 12.3.1998 the girl, aged about 16 years, was at home.",
        "One day he came back.",
        "On the 10th day of the month a meeting was held.",
        "In the academic year 1993-94 he failed.",
        "A 17-year-old boy stood there.",
        "He paid Rs. 500 under Section 304 Part II.",
        "Cognizance is in time as punishment exceeds 3 years.",
    ],
)
def test_clock_times_dates_and_ages_are_no_lengths_of_time(text: str) -> None:
    assert _durations(text) == []


def test_one_day_counts_where_it_measures() -> None:
    assert _durations("One day before the hearing he fled.") == [(1, "days")]


def test_a_range_is_one_duration() -> None:
    assert [str(v) for v in _values("He hid for 8 to 10 days.")] == ["8 to 10 days"]
    assert _durations("He was given Section 302 to ten years.") == [(10, "years")]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Jail since 3 yr 11 months now.", "47 months (custody)"),
        ("In jail 1 yr 9 mths.", "21 months (custody)"),
        ("She is in since 11 months.", "11 months (custody)"),
        ("He has 33 yrs 1 mth service.", "397 months (service)"),
        ("FIR prompt, within 3 hrs.", "3 hours (report)"),
        ("In custdy for 2 and half months.", "2.5 months (custody)"),
        ("Bill expired 5 hrs 20 min back.", "320 minutes (Bill expired)"),
        ("Challan put on 170th day.", "170 days (chargesheet)"),
        ("Convict already did six years, appeal pending.", "6 years (custody)"),
        ("Judge gave eight years to my brother.", "8 years (imprisonment)"),
        ("My advocate says five years.", "5 years"),
        ("All offences max 5 yrs, no notice given.", "5 years (maximum punishment)"),
        ("Can sentence go below seven years?", "7 years (minimum punishment)"),
        ("It is on mortgage so 12 years time.", "12 years (limitation)"),
        ("Baby was pre-term, 29 wks.", "29 weeks (pregnancy)"),
        ("Bail after 1 month 19 days inside.", "1.6242 months (custody)"),
    ],
)
def test_durations_as_juniors_write_them(text: str, value: str) -> None:
    assert [str(v) for v in _values(text)] == [value]


@pytest.mark.parametrize(
    "text",
    [
        "There is a limit of 30 days for it.",
        "Not informed in 7 days u/s 3(5).",
        "Within 30 days cap of the section.",
        "At 2350 hrs and 23:50 hrs.",
        "Client (43 yrs) is here.",
        "FIR 63/20 and case no. 12/2020 days",
    ],
)
def test_periods_of_the_law_and_ages_are_no_durations(text: str) -> None:
    assert _durations(text) == []


@pytest.mark.parametrize(
    ("text", "context"),
    [
        ("She died within seven years of marriage.", "marriage to death"),
        ("He was sentenced to rigorous imprisonment for ten years.", "imprisonment"),
        ("The delay of 45 days was not explained.", "delay"),
        ("He had 16 years of service.", "service"),
        ("A notice of 15 days was served.", "notice"),
        ("He has been in custody for 14 months.", "custody"),
        ("Two weeks before the occurrence they met.", "before incident"),
    ],
)
def test_the_context_says_what_lasted(text: str, context: str) -> None:
    assert [value.context for value in _values(text)] == [context]


@given(st.integers(1, 120), st.sampled_from(["days", "weeks", "months", "years"]))
def test_any_whole_length_is_read_in_its_own_unit(value: int, unit: str) -> None:
    assert _durations(f"He was away for {value} {unit}.") == [(value, unit)]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("FIR teesre din likhi.", [(3, "days")]),
        ("Advisory Board heard it in the 5th week.", [(5, "weeks")]),
        ("In jail 10 m 20 d.", [(pytest.approx(10.657, abs=0.001), "months")]),
        ("Detention of 12 months, three mths left.", [(12, "months"), (3, "months")]),
        ("Filed on the 112th day i.e. 3 mths + 20 days.", [(112, "days"), (3.657084, "months")]),
    ],
)
def test_ordinal_days_and_terms_of_several_units(text: str, read: list[tuple[float, str]]) -> None:
    assert _durations(text) == read


def test_a_short_term_is_not_counted_from_a_marriage_near_it() -> None:
    away, died = (
        "The marriage was in 2020; he was away 9 days.",
        "She died within 9 days of marriage.",
    )
    assert [_values(text)[0].context for text in (away, died)] == ["away", "marriage to death"]


def test_months_and_days_are_shown_as_such() -> None:
    assert say_figure(_values("In jail 10 m 20 d.")[0]) == "10 months 20 days"
