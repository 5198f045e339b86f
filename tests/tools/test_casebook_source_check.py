"""Casebook records beside the passages of their judgments."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from countercase.corpus.casebook.records import casebook_records
from tools.casebook.source_check import main, pairs_of

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


def test_each_statement_stands_beside_the_paragraph_that_bears_it_out() -> None:
    rows = pairs_of(RECORD, SOURCE)
    assert [(row.part, row.place) for row in rows] == [
        ("head", "head"), ("facts", "paragraph 1"), ("facts", "paragraph 2"),
        ("holding", "paragraph 2"), ("dispositive", "paragraph 2"),
    ]  # fmt: skip
    assert "promissory note for ten rupees" in rows[1].passage
    assert rows[4].statement == "the receipt (Evidence): It bore her stamp."


def test_the_command_prints_a_record_beside_its_judgment(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shipped = casebook_records()[0]
    text = f"{shipped['title']}\n1. {shipped['facts']}\n2. {shipped['holding']}"
    row = {"_id": shipped["source"]["id"], "text": text}
    (tmp_path / "corpus.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    arguments = ["--data", str(tmp_path), "--id", shipped["case_id"]]
    assert main(arguments) == 0
    assert f"== {shipped['case_id']}" in capsys.readouterr().out
    assert main([*arguments, "--json"]) == 0
    pairs = json.loads(capsys.readouterr().out)[shipped["case_id"]]
    assert {pair["part"] for pair in pairs} >= {"head", "facts", "holding"}
    assert main(["--data", str(tmp_path / "none"), "--id", shipped["case_id"]]) == 2
    assert main(["--data", str(tmp_path), "--id", "nobody"]) == 2
