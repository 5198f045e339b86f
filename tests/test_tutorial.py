"""The tutorial notebook runs from the first cell to the last."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure

from countercase.encoders.embedded.suite import EmbeddedEncoders

NOTEBOOK = Path(__file__).resolve().parents[1] / "docs" / "tutorial.ipynb"


@pytest.fixture(scope="module")
def namespace(encoders: EmbeddedEncoders) -> dict[str, Any]:
    """The names of the notebook after its last cell."""
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    names: dict[str, Any] = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), cell["id"], "exec"), names)
    return names


def test_facts_of_every_type_are_read_out_of_the_text(namespace: dict[str, Any]) -> None:
    kinds = {fact.fact_type for fact in namespace["case"].facts}
    assert kinds == {"Section", "PartyType", "Evidence", "Numerical"}


@pytest.mark.parametrize("name", ["result", "own", "foreign"])
def test_each_analysis_measures_facts_and_draws_them(namespace: dict[str, Any], name: str) -> None:
    result = namespace[name]
    frame = result.to_frame()
    assert frame["sensitivity"].notna().any()
    figure = result.plot()
    assert isinstance(figure, Figure)
    assert figure.axes[0].images


def test_what_a_user_supposes_is_measured_apart(namespace: dict[str, Any]) -> None:
    [mine] = [edge for edge in namespace["result"].tree.edges() if edge.edit.by_hand]
    assert mine.source == "root"
    assert mine.displacement is not None
