"""Where the plots put things; what they look like is looked at."""

from __future__ import annotations

from dataclasses import replace

import pytest
from handmade import EVIDENCE, SECTION, result, tree
from matplotlib.figure import Figure

from countercase.config import TreeSettings
from countercase.counterfactual.states import State
from countercase.counterfactual.tree import Node, PerturbationTree
from countercase.errors import InputError
from countercase.reports import plots


def texts(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.axes[0].texts]


def test_states_stand_by_depth_and_parents_among_their_children() -> None:
    positions = plots.tree_positions(tree())
    one, both = State.of([SECTION]).state_id, State.of([SECTION, EVIDENCE]).state_id
    assert positions["root"][0] == 0
    assert positions[one][0] == 1
    assert positions[both] == (2, positions[one][1])  # the only child of its first parent
    rows = [y for node_id, (x, y) in positions.items() if node_id != "root" and x == 1]
    assert sorted(rows) == [0, 1, 2]
    assert positions["root"][1] == 1


def test_the_strongest_edge_starts_at_the_case_as_it_is() -> None:
    edge = plots.strongest_edge(tree())
    assert (edge.source, edge.edit) == ("root", SECTION)


def test_what_leaves_and_enters_the_list_is_marked_by_more_than_colour() -> None:
    drawn = texts(plots.ranking(result()))
    assert [text for text in drawn if text.startswith("✕")] == ["✕ a  1"]
    assert [text for text in drawn if "+ " in text] == ["3  + d"]


def test_the_null_floor_lies_below_each_measured_fact() -> None:
    made = result()
    bars = plots.sensitivity(made).axes[0].patches
    floors = [bar.get_width() for bar in bars if bar.get_height() == pytest.approx(0.86)]
    measured = [fact for fact in made.facts if fact.sensitivity is not None]
    assert sorted(floors) == sorted(fact.noise or 0.0 for fact in measured)


def test_a_tree_of_the_root_alone_has_no_edge_to_compare() -> None:
    made = result()
    bare = PerturbationTree(made.analysis.sheet, TreeSettings(depth=0))
    bare.put(Node(State(), "root", 0, made.analysis.precedents))
    alone = replace(made, analysis=replace(made.analysis, tree=bare))
    with pytest.raises(InputError, match="nothing to compare"):
        plots.ranking(alone)
    assert texts(plots.tree(alone)) == []
