"""The shipped records are well formed and true to their judgments; the check finds what is not."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from countercase.corpus.casebook.records import casebook_records
from tools.casebook.check import (
    CITATIONS,
    check_casebook,
    check_record,
    main,
    shared_runs,
    sources_of,
)
from tools.casebook.practice import read_citations

pytestmark = pytest.mark.slow

RECORDS = casebook_records()


def record(**changed: Any) -> dict[str, Any]:
    """A made-up record that agrees with `SOURCE`."""
    plain: dict[str, Any] = {
        "case_id": "a-v-b-1990", "title": "A v B", "court": "Supreme Court of India",
        "date": "1990-05-03", "docket": "Civil Appeal No. 12 of 1985", "bench": ["P. Q. Sen"],
        "area": "land",
        "parties": {
            "petitioner": {"name": "A", "type": "Tenant"},
            "respondent": {"name": "B", "type": "Individual"},
        },
        "sections_cited": ["TPA-106"], "evidence_items": [],
        "numerical_facts": {
            "amounts": [{"value": 250000, "unit": "INR", "context": "rent"}],
            "ages": [], "durations": [], "quantities": [],
        },
        "outcome": "allowed", "facts": "shop " * 120, "holding": "notice " * 60,
        "catchwords": CATCHWORDS, "dispositive": [], "turned_on": [], "not_turned_on": [],
        "cites": [], "source": {"collection": "made up", "id": "C1"},
    }  # fmt: skip
    return {**plain, **changed}


CATCHWORDS = [f"Notice to quit, point {word}, in seven words" for word in "abcdef"]
WORDS = "tenant of this shop was given a notice of"
COPIED = {"evidence_type": "documentary", "description": WORDS}
SOURCE = """A v B
Supreme Court of India

3 May 1990
Civil Appeal No. 12 of 1985
The Judgment was delivered by : P. Q. Sen, J.
1. Under section 106 the tenant of this shop was given a notice of fifteen days for rent of \
Rs. 2.5 lakhs.
"""


class TestShippedRecords:
    def test_they_are_well_formed_and_true_to_their_judgments_where_those_are_at_hand(self) -> None:
        if folder := os.environ.get("COUNTERCASE_DATA"):
            data = Path(folder)
            own = sources_of(data, RECORDS), read_citations(data / CITATIONS)
            assert check_casebook(RECORDS, *own) == []
        else:
            assert check_casebook(RECORDS) == []


class TestChecker:
    def test_a_true_record_has_no_finding(self) -> None:
        assert check_record(record(), SOURCE) == []

    @pytest.mark.parametrize(
        ("changed", "field"),
        [
            ({"title": "A v C"}, "title"),
            ({"date": "1990-05-04"}, "date"),
            ({"date": "May 1990"}, "date"),
            ({"docket": "Civil Appeal No. 13 of 1985"}, "docket"),
            ({"bench": ["P. Q. Rao"]}, "bench"),
            ({"area": "sea"}, "area"),
            ({"outcome": "won"}, "outcome"),
            ({"facts": "too short"}, "facts"),
            ({"facts": "shop " * 119 + "77"}, "facts"),
            ({"holding": "notice " * 121}, "holding"),
            ({"catchwords": ["Notice to quit in a shop of twelve years"] * 6}, "catchwords"),
            ({"catchwords": ["Notice " * 40 + "to quit"]}, "catchwords"),
            ({"catchwords": ["Notice", "Rent", "Shop", "Lease", "Quit"]}, "catchwords"),
            ({"catchwords": [WORDS, *CATCHWORDS]}, "catchwords"),
            ({"sections_cited": ["TPA-107"]}, "sections_cited"),
            ({"sections_cited": ["section 106"]}, "sections_cited"),
            ({"case_id": "A v B"}, "case_id"),
            ({"evidence_items": [COPIED]}, "evidence_items"),
        ],
    )
    def test_a_false_record_is_found_out(self, changed: dict[str, Any], field: str) -> None:
        assert field in {finding.field for finding in check_record(record(**changed), SOURCE)}

    def test_an_id_used_twice_and_a_source_that_is_not_there(self) -> None:
        findings = check_casebook([record(), record()], {})
        assert [f.field for f in findings] == ["case_id", "source", "source"]

    def test_seven_shared_words_are_allowed_and_eight_are_not(self) -> None:
        words = ["one", "two", "three", "four", "five", "six", "seven", "eight"]
        assert shared_runs(" ".join(words[:7]), " ".join(words)) == []
        assert shared_runs(" ".join(words), " ".join(words)) == [" ".join(words)]

    def test_the_command_counts_findings(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "corpus.jsonl").write_text(json.dumps({"_id": "C1", "text": SOURCE}) + "\n")
        good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
        good.write_text(json.dumps(record()) + "\n")
        bad.write_text(json.dumps(record(outcome="won")) + "\n")
        data = ["--data", str(tmp_path)]
        assert main([*data, "--records", str(good)]) == 0
        assert "1 records, 0 with findings" in capsys.readouterr().out
        assert main([*data, "--records", str(bad)]) == 1
        assert "a-v-b-1990: outcome: 'won'" in capsys.readouterr().out
        assert main([*data, "--records", str(bad), "--json"]) == 1
        assert json.loads(capsys.readouterr().out)[0]["field"] == "outcome"
        assert main(["--data", str(tmp_path / "none"), "--records", str(good)]) == 2
        assert "none" in capsys.readouterr().err
