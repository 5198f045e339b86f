"""The pages of the documentation: what they link to is there, and what they name exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from countercase.config import Settings
from countercase.fact_types.catalogue import WhatIf

ROOT = Path(__file__).resolve().parents[1]
PAGES = [
    *(ROOT / "docs").glob("*.md"),
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *(ROOT / name / "README.md" for name in ("eval_sets", "examples", "annotations")),
]

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


def _prose(page: Path) -> str:
    return re.sub(r"(?s)```.*?```", "", page.read_text(encoding="utf-8"))


def _anchors(page: Path) -> set[str]:
    """Return the anchors of the headings of a page, as its host makes them."""
    headings = re.findall(r"(?m)^#+ (.*)$", page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@each_page
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", _prose(page)):
        if link.startswith("http"):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert not anchor or anchor in _anchors(target), link


@each_page
def test_every_file_that_is_named_exists(page: Path) -> None:
    named = re.findall(r"\b((?:tests|benchmarks|training)/[\w/]+\.py)\b", _prose(page))
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_every_assigned_setting_exists() -> None:
    text = "".join(_prose(page) for page in PAGES)
    named = re.findall(r"`([A-Z][A-Z_]+) = ", text)
    assert named
    assert set(named) <= set(Settings.model_fields)


def test_the_page_on_extending_names_every_field_of_the_catalogue_that_it_shows() -> None:
    text = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
    [row] = re.findall(r'(?s)```json\n(\{"name".*?)```', text)
    assert set(re.findall(r'"(\w+)": ', row)) <= set(WhatIf.__dataclass_fields__)
