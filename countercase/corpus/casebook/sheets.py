"""The fact sheets of casebook records, and on which of their facts the decisions turned."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from countercase.errors import InputError
from countercase.facts.case_file import sheet_from_case
from countercase.facts.case_schema import CaseFile
from countercase.facts.model import FactSheet
from countercase.law.provisions import normal_form

_KINDS: Final = ("amounts", "ages", "durations", "quantities", "counts")


def sheet_of_record(record: Mapping[str, Any]) -> FactSheet:
    """The fact sheet that a record states; its facts are the narrative.

    A provision in a form that no case file may cite (an item of a tariff) is left out.
    """
    case = {
        "case_id": record["case_id"],
        "title": record["title"],
        "text": record["facts"],
        "parties": record["parties"],
        "sections_cited": [p for p in record["sections_cited"] if _readable(p)],
        "evidence_items": record["evidence_items"],
        "numerical_facts": {kind: record["numerical_facts"].get(kind, []) for kind in _KINDS},
    }
    return sheet_from_case(CaseFile.model_validate(case), record["case_id"])


def _readable(provision: str) -> bool:
    try:
        normal_form(provision)
    except InputError:
        return False
    return True
