"""The casebook looked up."""

from __future__ import annotations

import pytest

from countercase.corpus.casebook.records import search_records
from countercase.errors import InputError


def test_a_section_finds_its_parts_and_a_part_only_itself() -> None:
    whole = search_records(provision="s. 304 IPC")
    part = search_records(provision="IPC-304-II")
    assert {record["case_id"] for record in part} < {record["case_id"] for record in whole}
    for record in whole:
        assert any(
            one == "IPC-304" or one.startswith("IPC-304-") for one in record["sections_cited"]
        )
    # 304A and 304B are other sections.
    assert not any(set(record["sections_cited"]) <= {"IPC-304A", "IPC-304B"} for record in whole)


def test_conditions_are_joined_and_years_are_inclusive() -> None:
    found = search_records(("dying", "declaration"), year_from=1995, year_to=2005)
    assert found
    for record in found:
        text = " ".join((record["title"], record["facts"], record["holding"])).casefold()
        assert "dying" in text and "declaration" in text
        assert 1995 <= int(record["date"][:4]) <= 2005
    one = found[0]
    year = int(one["date"][:4])
    assert one in search_records(year_from=year, year_to=year, outcome=one["outcome"])
    assert one not in search_records(year_from=year + 1)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"outcome": "won"}, "known: allowed"),
        ({"area": "space law"}, "no such area"),
        ({"year_from": 2000, "year_to": 1990}, "swap them"),
        ({"provision": "the whole Act"}, "the whole Act"),
    ],
)
def test_conditions_that_make_no_sense_say_so(options: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        search_records(**options)  # type: ignore[arg-type]
