"""The tree: one node a state, true displacements, honest pruning; on rankings made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import networkx as nx
import pytest
from small_tree import (
    AGE,
    AMOUNT,
    EDITS,
    SECTION,
    SHEET,
    Accepting,
    RefusingAges,
    grown,
    ranked,
    search_with,
)

from countercase.config import TreeSettings
from countercase.counterfactual.displacement import displacement
from countercase.counterfactual.sensitivity import (
    NullMove,
    compute_sensitivity_scores,
    fact_sensitivities,
)
from countercase.counterfactual.states import Renderer, State, StateSearch
from countercase.counterfactual.tree import PerturbationTree
from countercase.facts.edits import BY_HAND, Change, apply_edits
from countercase.facts.model import NumericalValue, SectionValue
from countercase.io import Progress
from countercase.retrieval.base import Query
from countercase.retrieval.foreign import FunctionRetriever


def test_statuses_and_no_state_twice() -> None:
    tree = grown()
    by_edits = {
        frozenset(e.edit_id for e in node.state.edits): node.status for node in tree.nodes()
    }
    assert len(by_edits) == len(list(tree.nodes()))
    assert by_edits[frozenset()] == "root"
    assert by_edits[frozenset({SECTION.edit_id})] == "expanded"
    assert by_edits[frozenset({AMOUNT.edit_id})] == "pruned"
    assert by_edits[frozenset({SECTION.edit_id, AGE.edit_id})] in ("leaf", "pruned")
    assert tree.complete
    assert nx.is_directed_acyclic_graph(tree.graph)


def test_two_paths_to_one_set_are_one_state_with_two_edges() -> None:
    tree = grown()
    both = State.of([AGE, SECTION])
    assert both.state_id == State.of([SECTION, AGE]).state_id
    assert sorted(tree.graph.predecessors(both.state_id)) == sorted(
        State.of([e]).state_id for e in (SECTION, AGE)
    )


def test_every_displacement_is_that_of_its_two_rankings() -> None:
    tree = grown()
    edges = list(tree.measured())
    assert len(edges) > 3
    for edge, change in edges:
        parent, child = tree.node(edge.source).ranking, tree.node(edge.target).ranking
        assert parent is not None
        assert child is not None
        assert change == displacement(parent.case_ids, child.case_ids, 10)


def test_a_pruned_state_was_moved_too_little_by_every_edge_and_has_no_child() -> None:
    tree = grown()
    pruned = [node for node in tree.nodes() if node.status == "pruned"]
    assert pruned
    for node in pruned:
        incoming = [data["edge"] for _, _, data in tree.graph.in_edges(node.node_id, data=True)]
        assert all(edge.displacement.mean < tree.settings.min_displacement for edge in incoming)
        assert tree.graph.out_degree(node.node_id) == 0


def test_a_refused_state_stays_with_its_reason_and_is_not_ranked() -> None:
    tree = grown(RefusingAges())
    [node] = [n for n in tree.nodes() if n.status == "rejected" and len(n.state.edits) == 1]
    assert node.ranking is None
    assert node.reason == "not that age"
    [edge] = [data["edge"] for _, _, data in tree.graph.in_edges(node.node_id, data=True)]
    assert edge.displacement is None


def test_depth_children_and_states_are_limits() -> None:
    assert len(list(grown(depth=0).nodes())) == 1
    assert len(list(grown(depth=1).nodes())) == 4
    assert len(list(grown(depth=1, max_children=2).nodes())) == 4
    assert len(list(grown(depth=3, max_states=5).nodes())) == 5


def test_sensitivity_is_the_mean_over_the_edges_of_a_type() -> None:
    tree = grown(depth=1)
    scores = compute_sensitivity_scores(tree)
    assert list(scores) == ["Section", "PartyType", "Evidence", "Numerical"]
    assert scores["PartyType"] is None
    assert scores["Evidence"] is None
    # A list turned round: |1 − 10| + |2 − 9| + ... = 50 over ten cases
    assert scores["Section"] == pytest.approx(5.0)
    age = next(c.mean for e, c in tree.measured() if e.edit == AGE)
    assert scores["Numerical"] == pytest.approx((age + 0) / 2)


def verdicts(nulls: Sequence[NullMove], measurable: Sequence[str]) -> dict[str, str]:
    found = fact_sensitivities(SHEET, grown(depth=1), EDITS, measurable, nulls, 1.5)
    return {item.fact.fact_id: item.verdict for item in found}


def test_verdicts() -> None:
    every = [fact.fact_id for fact in SHEET.facts]
    assert verdicts([], every) == {
        "section:IPC-302": "dispositive",
        "numerical:age:1": "dispositive",
        "numerical:amount:1": "not dispositive",
    }
    loud = [NullMove(SECTION, 6.0)]
    assert verdicts(loud, every)["section:IPC-302"] == "inconclusive"
    assert verdicts([], every[1:])["section:IPC-302"] == "not measurable"


def test_an_edit_by_hand_is_measured_also_where_the_law_objects_and_says_what_it_is() -> None:
    noted = replace(AGE, rule=BY_HAND, note="Nothing was read.")
    tree = PerturbationTree(SHEET, TreeSettings())
    tree.add_by_hand([noted, replace(SECTION, rule=BY_HAND)], search_with(), RefusingAges())
    age, section = (node for node in tree.nodes() if node.status == "by_hand")
    assert age.ranking is not None
    assert age.reason == "not that age Nothing was read."
    assert section.reason == ""
    moves = {edge.edit.fact_id: move.mean for edge, move in tree.measured()}
    assert moves[SECTION.fact_id] == pytest.approx(5.0)
    assert set(compute_sensitivity_scores(tree).values()) == {None}


def test_the_headline_of_a_fact_is_its_strongest_edge_from_the_root() -> None:
    """16 to 19 moves the list, to 17 it does not; stacked on 304A the age moves it otherwise."""
    younger = replace(AGE, after=NumericalValue("age", 17, "years"))
    tree = grown(edits=[younger, AGE, SECTION], depth=2)
    found = fact_sensitivities(SHEET, tree, [younger, AGE], [AGE.fact_id], [], 1.5)
    age = next(it for it in found if it.fact.fact_id == AGE.fact_id)
    from_root = [
        move.mean
        for edge, move in tree.measured()
        if edge.edit.fact_id == AGE.fact_id and edge.source == "root"
    ]
    assert len(from_root) == age.edges == 2
    assert (age.sensitivity, age.strongest) == (max(from_root), AGE)
    deeper = [e for e, _ in tree.measured() if e.edit == AGE and e.source != "root"]
    assert deeper  # they are there, and count for the type alone


def test_an_edit_with_consequences_is_one_edge_and_leaves_its_facts_alone_below() -> None:
    drawn = Change(
        SECTION.fact_id, "Section", "replace", SectionValue("IPC-302"), SectionValue("IPC-304A")
    )
    both = replace(AGE, consequences=(drawn,))
    tree = grown(edits=[both, SECTION, AMOUNT], depth=2)
    [edge] = [edge for edge in tree.edges() if edge.edit == both and edge.source == "root"]
    changed = apply_edits(SHEET, tree.node(edge.target).state.edits)
    assert changed.fact(SECTION.fact_id).value == SectionValue("IPC-304A")
    assert changed.fact(AGE.fact_id).value == AGE.after
    pairs = [{e.edit_id for e in node.state.edits} for node in tree.nodes()]
    assert {both.edit_id, SECTION.edit_id} not in pairs
    assert {both.edit_id, AMOUNT.edit_id} in pairs


def test_an_interruption_leaves_what_was_ranked() -> None:
    calls = 0

    def stopping(queries: Sequence[Query]) -> list[list[str]]:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise KeyboardInterrupt
        return ranked(queries)

    tree = PerturbationTree(SHEET, TreeSettings())
    with pytest.raises(KeyboardInterrupt):
        tree.grow(EDITS, StateSearch(Renderer(SHEET), FunctionRetriever(stopping)), Accepting())
    assert not tree.complete
    assert len(list(tree.nodes())) == 4
    assert compute_sensitivity_scores(tree)["Section"] == pytest.approx(5.0)


def test_the_p_value_counts_restatements_that_moved_as_far_and_is_never_zero() -> None:
    nulls = [NullMove(SECTION, move) for move in (0.5, 5.0, 6.0)]
    [section, *_] = fact_sensitivities(SHEET, grown(depth=1), EDITS, [SECTION.fact_id], nulls, 1.5)
    assert section.sensitivity == pytest.approx(5.0)
    assert section.p_value == pytest.approx((2 + 1) / (3 + 1))
    assert section.beats == pytest.approx(1 / 3)
    quiet = [NullMove(SECTION, 0.5)] * 3
    [section, *_] = fact_sensitivities(SHEET, grown(depth=1), EDITS, [SECTION.fact_id], quiet, 1.5)
    assert section.p_value == pytest.approx(1 / 4)


class Loading(FunctionRetriever):
    """Notes which texts it may prepare for, and how many states were ranked by then."""

    def __init__(self) -> None:
        self.ranked = 0
        self.loaded: list[tuple[int, set[str]]] = []
        super().__init__(self.count)

    def count(self, queries: Sequence[Query]) -> list[list[str]]:
        self.ranked += len(queries)
        return ranked(queries)

    def load(self, queries: Sequence[Query], progress: Progress | None = None) -> None:
        self.loaded.append((self.ranked, {query.text for query in queries}))


def test_a_retriever_may_prepare_for_a_whole_level_before_its_first_state() -> None:
    tree = PerturbationTree(SHEET, TreeSettings(depth=2))
    retriever = Loading()
    tree.grow(EDITS, StateSearch(Renderer(SHEET), retriever), Accepting())
    levels = [
        {node.ranking.query.text for node in tree.nodes() if node.depth == depth and node.ranking}
        for depth in (1, 2)
    ]
    assert retriever.loaded == [(1, levels[0]), (1 + len(levels[0]), levels[1])]
