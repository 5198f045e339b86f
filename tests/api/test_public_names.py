"""The names of the package: all there, found lazily, documented."""

from __future__ import annotations

from pathlib import Path

import pytest

import countercase

API = Path(__file__).resolve().parents[2] / "docs" / "api.md"
NAMES = {
    "read_case", "extract", "edits", "null_edits", "analyze", "grow", "displacement", "evaluate",
    "HybridRetriever", "PerturbationTree", "FactSheet", "Result", "register", "Filters",
}  # fmt: skip


def test_all_names_are_there_and_come_from_the_package() -> None:
    assert set(countercase.__all__) == NAMES | {"__version__"}
    assert dir(countercase) == sorted(countercase.__all__)
    for name in NAMES:
        thing = getattr(countercase, name)
        assert thing.__module__.startswith("countercase.")
        assert thing.__name__ == name
        assert thing.__doc__


def test_an_unknown_name_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = countercase.nothing


@pytest.mark.parametrize("name", sorted(NAMES))
def test_every_name_is_documented(name: str) -> None:
    headings = [line for line in API.read_text(encoding="utf-8").splitlines() if line[:1] == "#"]
    assert any(f"`{name}" in heading for heading in headings)
