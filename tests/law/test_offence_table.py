"""Offences that matter most, each against the section of its Act."""

from __future__ import annotations

from itertools import pairwise

from labelled_rows import labelled

from countercase.io import read_table
from countercase.law.in_force import InForce, Period
from countercase.law.offences import Offence, offence


@labelled("punishments")
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


@labelled("acts_in_force")
def test_an_act_stands_from_its_day(provision: str, since: str, until: str) -> None:
    (row,) = (row for row in read_table("law/in_force", InForce) if row.provision == provision)
    assert (row.since, row.until) == (since, until)
