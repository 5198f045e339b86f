"""Add records of one's own to the casebook of this home."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from countercase.corpus.casebook import records
from countercase.corpus.casebook.form import Finding, check_form, check_ids
from countercase.io import cache_root, write_files
from countercase.locks import locked


@dataclass(frozen=True)
class Added:
    """The ids of new records and of those replaced; with findings against one, none was added."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


def add_records(path: Path) -> Added:
    """Add the records of a file to the private casebook, all of them or none.

    A record whose id is known there takes the place of the older one.

    Raises:
        InputError: the file cannot be read, holds no record, or is not JSON.
        StoreError: the private casebook cannot be written.
    """
    given = records.read_records(path)
    shipped = {record["case_id"] for record in records.casebook_records()}
    findings = [finding for record in given for finding in check_form(record)]
    findings += check_ids(given)
    findings += [
        Finding(record["case_id"], "case_id", "is the id of a decision that ships; choose another")
        for record in given
        if record.get("case_id") in shipped
    ]
    if findings:
        return Added(findings=tuple(findings))
    with locked("private-casebook", "waiting: another run adds to the casebook"):
        before = {record["case_id"]: record for record in records.private_records()}
        after = before | {record["case_id"]: record for record in given}
        lines = [json.dumps(after[name], ensure_ascii=False) + "\n" for name in sorted(after)]
        write_files(cache_root(), {records.PRIVATE_FILE: "".join(lines)})
    names = [record["case_id"] for record in given]
    return Added(
        tuple(name for name in names if name not in before),
        tuple(name for name in names if name in before),
    )
