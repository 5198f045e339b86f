"""Draft a casebook record from a judgment: a person writes and confirms the rest.

    python -m tools.casebook.draft --data DIR --id ID [--text] > record.json
    python -m tools.casebook.draft --facts records.jsonl

The first form states what can be read from the head of the judgment, the provisions it cites most
first, and leaves what only a person can write empty. The second prints the ids of the typed facts
of each record, for `turned_on`, `argued` and `not_turned_on`.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from countercase.corpus.casebook.form import LABELS, sheet_of_record
from countercase.corpus.documents import Document
from countercase.corpus.judgment.metadata import read_metadata
from countercase.errors import InputError
from countercase.law.citations import provisions_in
from tools.casebook.check import COLLECTIONS, records_at, wanted_rows

MOST_PROVISIONS: Final = 15
_SIDES: Final = re.compile(r"\s+(?:v|vs|versus)\.?\s+", re.IGNORECASE)


def find(data: Path, judgment: str) -> tuple[str, Document]:
    """The collection of a judgment and the judgment, by its id.

    Raises:
        InputError: no collection in the folder has it.
    """
    for name, files in COLLECTIONS.items():
        for file in files:
            if not (data / file).is_file():
                continue
            for row in wanted_rows(data / file, [judgment]):
                head = row.get("metadata", {})
                return name, Document(judgment, row["title"] or "", row["text"], head)
    raise InputError(f"{judgment}: no collection in {data} has it")


def draft(collection: str, judgment: Document) -> dict[str, Any]:
    """What can be read of a record; what a person must write is empty."""
    known = judgment.metadata
    read = read_metadata(judgment)
    cited = Counter(provisions_in(judgment.text)).most_common(MOST_PROVISIONS)
    names = [*_SIDES.split(judgment.title, maxsplit=1), ""]
    slug = re.sub(r"[^a-z0-9]+", "-", judgment.title.lower()).strip("-")
    day = str(known.get("date", "") or read.date)
    reported = str(known.get("scr_citation", "") or "")
    return {
        "case_id": f"{slug}-{day[:4]}",
        "title": judgment.title,
        "court": str(known.get("court", "") or read.court),
        "date": day,
        "docket": str(known.get("case_number", "") or read.docket),
        "bench": list(known.get("bench", []) or read.bench),  # type: ignore[arg-type]
        "citation": {
            "neutral": str(known.get("neutral_citation", "") or ""),
            "reported": [reported] if reported else [],
        },
        "area": "",
        "occurred_on": "",
        "parties": {
            "petitioner": {"name": names[0], "type": "", "role": ""},
            "respondent": {"name": names[1], "type": "", "role": ""},
        },
        "sections_cited": [provision for provision, _ in cited],
        "evidence_items": [],
        "numerical_facts": {"amounts": [], "ages": [], "durations": [], "quantities": []},
        "outcome": "",
        "facts": "",
        "holding": "",
        "catchwords": [],
        "dispositive": [],
        **{field: [] for field in LABELS},
        "below": [],
        "treatment": [],
        "cites": [],
        "source": {"collection": collection, "id": judgment.doc_id},
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Print a draft or the ids of facts; 2 where files cannot be read."""
    parser = argparse.ArgumentParser(description="Draft a casebook record from a judgment.")
    parser.add_argument("--data", type=Path, help="folder of the judgments")
    parser.add_argument("--id", default="", help="the judgment's id in its collection")
    parser.add_argument("--text", action="store_true", help="print the judgment after the draft")
    parser.add_argument("--facts", type=Path, help="print the ids of the facts of these records")
    options = parser.parse_args(argv)
    try:
        if options.facts is not None:
            for record in records_at(options.facts):
                print(record["case_id"])
                for fact in sheet_of_record(record).facts:
                    print(f"    {fact.fact_id}: {fact.value}")
            return 0
        if options.data is None or not options.id:
            parser.error("give --data and --id, or --facts")
        collection, judgment = find(options.data, options.id)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(json.dumps(draft(collection, judgment), ensure_ascii=False, indent=1))
    if options.text:
        print(judgment.text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
