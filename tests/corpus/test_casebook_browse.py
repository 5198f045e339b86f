"""The casebook looked up, and set beside its judgments."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from countercase.cli.main import app
from countercase.corpus.casebook import casebook_records
from countercase.corpus.casebook.beside import beside, drawn
from countercase.corpus.casebook.browse import search_records, sources_of
from countercase.errors import InputError

RECORD = {
    "case_id": "a-v-b-1999", "title": "A v B", "date": "1999-02-01", "docket": "Appeal 1 of 1998",
    "bench": ["C. D. Judge"], "source": {"id": "S1"},
    "facts": "The lender sued on a promissory note. The debtor pleaded payment.",
    "holding": "The receipt proved payment.",
    "dispositive": [
        {"fact_type": "Evidence", "fact": "the receipt", "why": "It bore her stamp.", "paragraph": 2}
    ],
}  # fmt: skip
SOURCE = (
    "A v B\nSupreme Court of India\n\n1 February 1999\nAppeal 1 of 1998\n"
    "1. A suit was brought by the lender upon a promissory note for ten rupees.\n"
    "2. The debtor's case was payment. A stamped receipt was produced.\n"
    "3. Costs follow the event."
)


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


def test_search_as_json_is_the_records() -> None:
    done = CliRunner().invoke(app, ["casebook", "search", "--area", "narcotics", "--json"])
    assert done.exit_code == 0
    assert json.loads(done.stdout) == [r for r in casebook_records() if r["area"] == "narcotics"]


def test_each_statement_stands_beside_the_paragraph_that_bears_it_out() -> None:
    rows = beside(RECORD, SOURCE)
    assert [(row.part, row.place) for row in rows] == [
        ("head", "head"),
        ("facts", "paragraph 1"),
        ("facts", "paragraph 2"),
        ("holding", "paragraph 2"),
        ("dispositive", "paragraph 2"),
    ]
    assert "promissory note for ten rupees" in rows[1].passage
    assert rows[4].statement == "the receipt (Evidence): It bore her stamp."


def test_a_draw_is_that_of_its_seed_whatever_the_order() -> None:
    records = list(casebook_records())
    first = drawn(records, 10, 0)
    assert [r["case_id"] for r in drawn(records[::-1], 10, 0)] == [r["case_id"] for r in first]
    assert [r["case_id"] for r in drawn(records, 10, 1)] != [r["case_id"] for r in first]


def test_a_folder_without_judgments_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"corpus\.jsonl"):
        sources_of(tmp_path, [RECORD])
