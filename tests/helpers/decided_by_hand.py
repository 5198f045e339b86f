"""Decisions written by hand, a case to hold them against, and an analysis that ranks them all."""

from __future__ import annotations

from typing import Any

from countercase.facts.case_file import sheet_from_case
from countercase.facts.case_schema import CaseFile

CORPUS = {"name": "by hand", "checksum": "0"}
SOURCE = "https://example.org/find?q={title}&c={citation}&id={case_id}"


def party(name: str, kind: str, role: str = "") -> dict[str, str]:
    return {"name": name, "type": kind, "role": role}


ACCUSED = party("Vinod", "Individual", "accused")
STATE = party("State of Bihar", "State", "prosecution")


def record(case_id: str, outcome: str, petitioner: Any, respondent: Any, **more: Any) -> Any:
    """A record of the casebook, of a dowry death at six years that turned on all its facts."""
    return {
        "case_id": case_id,
        "title": f"{petitioner['name']} v. {respondent['name']}",
        "outcome": outcome,
        "parties": {"petitioner": petitioner, "respondent": respondent},
        "facts": "She died six years after the marriage.",
        "sections_cited": ["IPC-304B", "IPC-302"],
        "evidence_items": [{"evidence_type": "dying_declaration", "description": "to a doctor"}],
        "numerical_facts": {"durations": [{"value": 6, "unit": "years", "context": "of marriage"}]},
        "dispositive": [{"fact": f"point of {case_id}", "why": "so it was"}],
        "turned_on": ["section:IPC-304B", "section:IPC-302", "evidence:dying_declaration:1",
                      "numerical:duration:1"],
    } | more  # fmt: skip


BY_HAND = (
    record("won", "allowed", party("Baijnath", "Individual", "accused"), STATE,
           citation={"neutral": "2016 INSC 1", "reported": ["[2016] 1 S.C.R. 1"]}),
    record("lost", "dismissed", party("Vidhya", "Individual", "accused"), STATE),
    record("state won", "allowed", STATE, party("Raj", "Individual", "accused")),
    record("complainant lost", "dismissed", party("Mauji", "Individual", "complainant"), STATE),
    record("in part", "partly allowed", party("Sham", "Individual", "accused"), STATE),
    record("unnamed", "allowed", party("Ram", "Individual"), party("Union", "Union of India")),
    record("others", "allowed", party("Works", "Corporation", "employer"),
           party("Hari", "Employee", "employee")),
)  # fmt: skip

SHEET = sheet_from_case(
    CaseFile.model_validate({
        "case_id": "own",
        "title": "Vinod v. State of Bihar",
        "occurred_on": "2024-08-01",
        "text": "She died five years after the marriage. Charged under section 80 BNS.",
        "parties": {"petitioner": ACCUSED, "respondent": STATE},
        "sections_cited": ["BNS-80"],
        "evidence_items": [],
        "numerical_facts": {"durations": [{"value": 5, "unit": "years", "context": "of marriage"}]},
    })
)  # fmt: skip
"""A dowry death at five years, charged under the new code, with no word of a declaration."""


def analysis() -> dict[str, Any]:
    """As analysis.json: the decisions in the order of the records; one fact of three measured."""
    facts = [
        {"label": label, "fact_type": "Section", "added": False, "sensitivity": moved}
        for label, moved in (("section 80", 1.0), ("5 years", None), ("Vinod", None))
    ]
    rows = [
        {"case_id": it["case_id"], "rank": rank, "title": it["title"], "court": "Court",
         "date": "2016-01-01", "docket": "", "outcome": it["outcome"], "turned_on": [],
         "standing": "", "later": []}
        for rank, it in enumerate(BY_HAND, 1)
    ]  # fmt: skip
    return {
        "corpus": CORPUS | {"cases": 7}, "precedents": rows, "facts": facts,
        "weak_match": False, "coverage": [], "complete": True, "headline": "One fact moves the list.",
    }  # fmt: skip
