"""A folder of its own for each test of a command, with a case in it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from handmade import SHEET

from countercase.facts.case_file import write_case


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test in a working directory and a cache of its own, and none said to be slow."""
    monkeypatch.setattr("countercase.cli.options.SLOW", 60.0)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COUNTERCASE_HOME", str(tmp_path / "home"))
    for name in sorted(os.environ):
        if name.startswith("COUNTERCASE_") and name != "COUNTERCASE_HOME":
            monkeypatch.delenv(name)


@pytest.fixture
def case_file(tmp_path: Path) -> Path:
    path = tmp_path / "case.json"
    path.write_text(json.dumps(write_case(SHEET)), encoding="utf-8")
    return path
