"""A precedent that is bad law is marked on the screen, in Markdown and in the data."""

from __future__ import annotations

import json
from dataclasses import replace
from io import StringIO
from pathlib import Path

import jsonschema
from handmade import result
from rich.console import Console

from countercase.corpus.judgment.treatment import Treatment
from countercase.reports.analysis_json import analysis_document
from countercase.reports.page import MARKDOWN
from countercase.reports.terminal import show_result
from countercase.reports.view import View
from countercase.session import Result

SCHEMA = Path(__file__).resolve().parents[2] / "docs" / "schemas" / "analysis.schema.json"
OVERRULED = Treatment("overruled", "A v B", "2020-03-06", "the point", {"provision": "IPC-302"})


def overruled() -> Result:
    """An analysis whose first precedent was overruled."""
    made = result()
    first, *others = made.precedents
    first = replace(
        first, title="X v Y", standing="overruled", treatment=(OVERRULED,),
        later=(OVERRULED.line(None),),
    )  # fmt: skip
    return replace(made, precedents=(first, *others))


def test_the_screen_and_markdown_name_it_once_behind_the_title() -> None:
    line = "Overruled by A v B (2020): the point"
    for full in (False, True):
        screen = StringIO()
        show_result(overruled(), Console(file=screen, width=120), full)
        text = " ".join(screen.getvalue().split())
        assert text.count("X v Y [overruled]") == text.count(line) == 1
    text = MARKDOWN["report.md"](View(overruled()))
    assert r"### 1\. X v Y \[overruled\]" in text and f"**{line}**" in text
    assert "[overruled" not in MARKDOWN["report.md"](View(result()))


def test_the_data_keep_the_title_and_state_the_treatment() -> None:
    document = json.loads(json.dumps(analysis_document(overruled())))
    jsonschema.validate(document, json.loads(SCHEMA.read_text(encoding="utf-8")))
    [row, *others] = document["precedents"]
    assert (row["title"], row["standing"]) == ("X v Y", "overruled")
    assert row["treatment"] == [
        {
            "kind": "overruled", "by": "A v B", "date": "2020-03-06", "on": "the point",
            "known_from": {"provision": "IPC-302"},
        }
    ]  # fmt: skip
    assert all(it["standing"] == "" and it["treatment"] == [] for it in others)
