"""Offences that matter most, each against the section of its Act."""

from __future__ import annotations

from itertools import pairwise

import pytest

from countercase.io import read_table
from countercase.law.in_force import InForce, Period
from countercase.law.offences import Offence, offence

YEAR = 12
OLD = "2024-06-30"
NEW = "2024-07-01"


@pytest.mark.parametrize(
    ("provision", "day", "minimum", "maximum", "life", "death"),
    [
        # Penal Code
        ("IPC-302", OLD, 0, None, True, True),
        ("IPC-304A", OLD, 0, 2 * YEAR, False, False),
        ("IPC-376", "2012-12-16", 7 * YEAR, None, True, False),
        ("IPC-376", "2018-04-21", 10 * YEAR, None, True, False),
        ("IPC-420", OLD, 0, 7 * YEAR, False, False),
        ("IPC-498A", OLD, 0, 3 * YEAR, False, False),
        # Sanhita of 2023
        ("BNS-103(1)", NEW, 0, None, True, True),
        ("BNS-105", NEW, 0, 10 * YEAR, True, False),
        ("BNS-106(1)", NEW, 0, 5 * YEAR, False, False),
        ("BNS-64(1)", NEW, 10 * YEAR, None, True, False),
        ("BNS-85", NEW, 0, 3 * YEAR, False, False),
        ("BNS-316(2)", NEW, 0, 5 * YEAR, False, False),
        ("BNS-318(2)", NEW, 0, 3 * YEAR, False, False),
        ("BNS-318(4)", NEW, 0, 7 * YEAR, False, False),
        # special Acts
        ("NDPS-20(b)(ii)(C)", OLD, 10 * YEAR, 20 * YEAR, False, False),
        ("NDPS-21(b)", OLD, 0, 10 * YEAR, False, False),
        ("NDPS-21(a)", "2013-01-01", 0, 6, False, False),
        ("NDPS-21(a)", OLD, 0, 1 * YEAR, False, False),
        ("POCSO-4", "2019-08-15", 7 * YEAR, None, True, False),
        ("POCSO-4", "2019-08-16", 10 * YEAR, None, True, False),
        ("PCA-7", "2018-07-26", 3 * YEAR, 7 * YEAR, False, False),
        ("PCA-7", "2014-01-15", 6, 5 * YEAR, False, False),
        ("PCA-13(2)", "2018-07-26", 4 * YEAR, 10 * YEAR, False, False),
        ("ARMS-25(1B)(a)", "2019-12-13", 1 * YEAR, 3 * YEAR, False, False),
        ("ARMS-25(1B)(a)", "2019-12-14", 2 * YEAR, 5 * YEAR, False, False),
        ("SCST-3(1)(r)", OLD, 6, 5 * YEAR, False, False),
        ("NIA-138", OLD, 0, 2 * YEAR, False, False),
    ],
)
def test_an_offence_is_punished_as_its_act_says(
    provision: str,
    day: str,
    minimum: int,
    maximum: int | None,
    life: bool,
    death: bool,
) -> None:
    row = offence(provision, Period(day, day))
    assert row is not None
    assert (row.minimum, row.maximum, row.life, row.death) == (minimum, maximum, life, death)


def test_rows_of_one_offence_follow_one_another_in_time() -> None:
    """No day has two rows, so that an offence of that day has its terms."""
    by_name: dict[str, list[Offence]] = {}
    for row in read_table("law/offences", Offence):
        by_name.setdefault(row.provision, []).append(row)
    for rows in by_name.values():
        for before, after in pairwise(rows):
            assert before.until
            assert before.until < after.since


@pytest.mark.parametrize(
    ("provision", "since", "until"),
    [
        ("BNS", "2024-07-01", ""),
        ("IPC", "", "2024-06-30"),
        ("POCSO", "2012-11-14", ""),
        ("NDPS", "1985-11-14", ""),
        ("PCA", "1988-09-09", ""),
        ("SCST", "1990-01-30", ""),
        ("JJA", "2016-01-15", ""),
        ("LARR", "2014-01-01", ""),
        ("IPC-498A", "1983-12-25", ""),
        ("IPC-304B", "1986-11-19", ""),
        ("NIA-138", "1989-04-01", ""),
    ],
)
def test_an_act_stands_from_its_day(provision: str, since: str, until: str) -> None:
    (row,) = (row for row in read_table("law/in_force", InForce) if row.provision == provision)
    assert (row.since, row.until) == (since, until)
