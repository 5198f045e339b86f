"""What a decision turned on, matched to the typed facts of its record."""

from __future__ import annotations

from typing import Any

from countercase.corpus.casebook import casebook_records
from tools.casebook.check import check_form
from tools.casebook.turned_on import turnings

RECORD: dict[str, Any] = {
    "case_id": "a-v-state-1990",
    "title": "A v State",
    "parties": {
        "petitioner": {"name": "A", "type": "Individual"},
        "respondent": {"name": "State of X", "type": "State"},
    },
    "sections_cited": ["NDPS-18", "NDPS-50", "IPC-34"],
    "evidence_items": [
        {"evidence_type": "recovery", "description": "Bag with opium from the tool box"},
        {"evidence_type": "eyewitness", "description": "Two passers-by at the tea stall"},
    ],
    "numerical_facts": {
        "amounts": [{"value": 5000, "unit": "INR", "context": "fine imposed"}],
        "quantities": [{"value": 5, "unit": "kg", "context": "opium in the bag"}],
    },
    "facts": "A bag with 5 kg of opium was found in the tool box of his scooter.",
    "holding": "The conviction under section 18 stands.",
    "dispositive": [
        {
            "fact_type": "Section",
            "fact": "NDPS-50: search of a vehicle",
            "why": "It protects persons.",
            "paragraph": 1,
        },
        {
            "fact_type": "Numerical",
            "fact": "5 kg of opium in the bag",
            "why": "More than a small quantity.",
            "paragraph": 2,
        },
        {
            "fact_type": "Evidence",
            "fact": "opium from the tool box",
            "why": "The recovery was proved.",
            "paragraph": 3,
        },
    ],
}


def test_entries_are_matched_by_provision_figure_and_words() -> None:
    turning = turnings([RECORD])["a-v-state-1990"]
    # Section 18 stands in no entry, but the holding decides it.
    assert turning.on == (
        "section:NDPS-18",
        "section:NDPS-50",
        "evidence:recovery:1",
        "numerical:quantity:1",
    )
    assert turning.not_on == (
        "section:IPC-34",
        "party:petitioner",
        "party:respondent",
        "evidence:eyewitness:1",
        "numerical:amount:1",
    )


def test_the_shipped_fields_are_what_the_matcher_finds() -> None:
    records = casebook_records()
    found = turnings(records)
    assert len(found) > 250
    for record in (record for record in records if record["case_id"] in found):
        turning = found[record["case_id"]]
        assert record["turned_on"] == list(turning.on), record["case_id"]
        assert record["not_turned_on"] == list(turning.not_on), record["case_id"]


def test_an_id_that_the_record_does_not_state_is_a_finding() -> None:
    unlabelled = next(record for record in casebook_records() if "argued" not in record)
    record = {**unlabelled, "turned_on": ["section:IPC-1"], "not_turned_on": []}
    [finding] = check_form(record)
    assert (finding.field, finding.message) == (
        "turned_on",
        "section:IPC-1: the record states no such fact",
    )
