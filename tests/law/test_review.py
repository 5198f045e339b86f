"""The tables of law: which law stood on which day, what it punishes with, and what took its place."""

from __future__ import annotations

import json
from collections import defaultdict
from itertools import pairwise
from typing import Any

from labelled_rows import labelled

from countercase.io import read_table
from countercase.law.in_force import (
    Correspondence,
    InForce,
    Period,
    code_in_force,
    in_force,
    reading_period,
)
from countercase.law.offences import Offence, offence, same_terms
from countercase.law.provisions import same_law

DAY = Period("2024-06-30", "2024-06-30")


def test_a_date_is_read_as_precisely_as_it_is_known() -> None:
    assert reading_period("2013", ()) == Period("2013-01-01", "2013-12-31")
    assert reading_period("2024-08", ()) == Period("2024-08-01", "2024-08-31")
    assert reading_period("2024-08-12", ()) == Period("2024-08-12", "2024-08-12")
    assert reading_period("", ("IPC-302",)) == DAY
    assert reading_period("", ("BNS-103",)).first == "2024-07-01"
    assert reading_period("", ("IPC-376(2)(g)",)).last == "2013-02-02"
    assert code_in_force("IPC", reading_period("2025", ()), ("POCSO-4",)) == "BNS"
    assert code_in_force("IPC", reading_period("2025", ()), ("IPC-420",)) == "BNS"
    assert code_in_force("IPC", reading_period("2024", ()), ("BNS-318",)) == "BNS"
    assert code_in_force("CrPC", reading_period("2025", ()), ("CrPC-482",)) == "CrPC"
    assert in_force("BNSS-482", reading_period("2022", ()), ("BNSS-483",))


def test_offences_have_sound_terms_and_do_not_overlap_in_time() -> None:
    rows = read_table("law/offences", Offence)
    assert len({(row.provision, row.since) for row in rows}) == len(rows)
    for row in rows:
        assert row.maximum is None or row.minimum <= row.maximum
        assert not (row.fine_only and (row.maximum or row.life))
    assert offence("IPC-376(2)(g)", DAY) is not None
    assert offence("IPC-9", DAY) is None
    commercial = offence("NDPS-21(c)", DAY)
    assert commercial is not None and (commercial.least, commercial.greatest) == (120, 240)


def test_a_maximum_is_the_one_of_the_penal_code(data: Any) -> None:
    code = json.loads((data / "statutes_india" / "ipc.json").read_text(encoding="utf-8"))
    texts = {str(row["Section"]): row["section_desc"] for row in code}
    years = {"one": 12, "two": 24, "three": 36, "five": 60, "seven": 84, "ten": 120}
    words = {months: word for word, months in years.items()}
    for row in read_table("law/offences", Offence):
        number = row.provision.removeprefix("IPC-").partition("-")[0].partition("(")[0]
        known = row.maximum in words and not row.until and number not in ("188", "457", "505")
        if row.provision.startswith("IPC-") and known and row.provision != "IPC-506-II":
            year = "year" if row.maximum == 12 else "years"
            assert f"{words[row.maximum or 0]} {year}" in " ".join(texts[number].split()), row


@labelled("punishments")
def test_an_offence_is_punished_as_its_act_says(
    provision: str, day: str, minimum: int, maximum: int | None, life: bool, death: bool
) -> None:
    row = offence(provision, Period(day, day))
    assert row is not None
    assert (row.minimum, row.maximum, row.life, row.death) == (minimum, maximum, life, death)


def test_rows_of_one_offence_follow_one_another_in_time() -> None:
    """No day has two rows, so that an offence of that day has its terms."""
    by_name = defaultdict(list)
    for row in read_table("law/offences", Offence):
        by_name[row.provision].append(row)
    for rows in by_name.values():
        assert all(one.until and one.until < then.since for one, then in pairwise(rows))


@labelled("acts_in_force")
def test_an_act_stands_from_its_day(provision: str, since: str, until: str) -> None:
    (row,) = (row for row in read_table("law/in_force", InForce) if row.provision == provision)
    assert (row.since, row.until) == (since, until)


def test_what_the_table_calls_unchanged_has_the_same_terms() -> None:
    for pair in read_table("law/correspondences", Correspondence):
        assert same_law(pair.old, pair.new) is not pair.changed
        assert pair.changed or same_terms(pair.old, pair.new) is not False
