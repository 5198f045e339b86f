"""The perturbation tree: states of a case, breadth first, with what each edit moved.

Levels are grown one after another; all new states of a level are retrieved together. A state is
reached once, however many paths lead to it; each path is an edge. A state that no incoming edge
moved by at least `MIN_DISPLACEMENT` is pruned: it stays in the tree and is not grown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

import networkx as nx

from countercase.config import Settings
from countercase.counterfactual.displacement import Displacement, mean_rank_displacement
from countercase.counterfactual.states import Renderer, State
from countercase.counterfactual.validators import Validator
from countercase.facts.edits import Edit, apply_edits, compatible
from countercase.facts.model import FactSheet
from countercase.retrieval.base import Query, Ranking

Status: TypeAlias = Literal["root", "expanded", "leaf", "pruned", "rejected"]
Retrieve: TypeAlias = Callable[[Sequence[Query]], list[Ranking]]
BATCH = 8
"""States retrieved in one call, so that an interruption loses little."""


class TreeProgress(Protocol):
    """Told of each batch: states ranked so far, and how many there can be."""

    def __call__(self, done: int, at_most: int) -> None: ...


@dataclass(frozen=True)
class Node:
    """A state of the tree.

    Attributes:
        ranking: None where the validator rejected the state.
        reason: why it was rejected, else the validator's reason for accepting it.
    """

    state: State
    status: Status
    depth: int
    ranking: Ranking | None
    reason: str = ""

    @property
    def node_id(self) -> str:
        """The state's id."""
        return self.state.state_id


@dataclass(frozen=True)
class Edge:
    """One edit between two states; `displacement` is None towards a rejected state."""

    source: str
    target: str
    edit: Edit
    displacement: Displacement | None


class PerturbationTree:
    """States and edges of one case in a `networkx.DiGraph`.

    Nodes carry `node` (Node) and `sheet` (FactSheet); edges carry `edge` (Edge).
    """

    def __init__(self, root: FactSheet, settings: Settings) -> None:
        self.sheet, self.settings = root, settings
        self.graph: nx.DiGraph[str] = nx.DiGraph()
        self.complete = False
        """Whether every state that the settings ask for was measured."""

    @property
    def root(self) -> Node:
        """The case as it is."""
        return self.node("root")

    def node(self, node_id: str) -> Node:
        """A state by its id."""
        found: Node = self.graph.nodes[node_id]["node"]
        return found

    def nodes(self) -> Iterator[Node]:
        """All states, in order of discovery."""
        for _, data in self.graph.nodes(data=True):
            yield data["node"]

    def edges(self) -> Iterator[Edge]:
        """All edges, in order of discovery."""
        for _, _, data in self.graph.edges(data=True):
            yield data["edge"]

    def measured(self) -> Iterator[tuple[Edge, Displacement]]:
        """The edges that have a displacement."""
        for edge in self.edges():
            if edge.displacement is not None:
                yield edge, edge.displacement

    def put(self, node: Node) -> None:
        """Add a state, or replace what is known of it."""
        sheet = apply_edits(self.sheet, node.state.edits)
        self.graph.add_node(node.node_id, node=node, sheet=sheet)

    def connect(self, edge: Edge) -> None:
        """Add an edge."""
        self.graph.add_edge(edge.source, edge.target, edge=edge)


def grow(
    tree: PerturbationTree,
    edits: Sequence[Edit],
    renderer: Renderer,
    retrieve: Retrieve,
    validator: Validator,
    progress: TreeProgress | None = None,
) -> None:
    """Grow `tree` from its root by `edits`, in the order given, down to DEPTH.

    On KeyboardInterrupt the tree holds every state that was ranked; `complete` stays False.
    """
    settings = tree.settings
    [ranking] = retrieve([renderer.query(State())])
    tree.put(Node(State(), "root", 0, ranking))
    level = [tree.root]
    for depth in range(1, settings.DEPTH + 1):
        fresh: dict[str, State] = {}
        links: list[tuple[Node, Edit, State]] = []
        for parent, edit in _in_turn(level, edits, settings.MAX_CHILDREN):
            state = parent.state.plus(edit)
            if state.state_id not in tree.graph and state.state_id not in fresh:
                if len(tree.graph) + len(fresh) >= settings.MAX_STATES:
                    continue
                fresh[state.state_id] = state
            links.append((parent, edit, state))
        level = _measure(tree, depth, fresh, links, renderer, retrieve, validator, progress)
    tree.complete = True


def _in_turn(
    level: Sequence[Node], edits: Sequence[Edit], limit: int
) -> Iterator[tuple[Node, Edit]]:
    """The first child of every parent, then the second of every parent, and so on."""
    children = [_children(parent, edits, limit) for parent in level]
    for at in range(max(map(len, children), default=0)):
        for parent, listed in zip(level, children, strict=True):
            if at < len(listed):
                yield parent, listed[at]


def _children(parent: Node, edits: Sequence[Edit], limit: int) -> list[Edit]:
    found: list[Edit] = []
    for edit in edits:
        if len(found) == limit:
            break
        if edit.fact_id not in parent.state.fact_ids and compatible([*parent.state.edits, edit]):
            found.append(edit)
    return found


def _measure(
    tree: PerturbationTree,
    depth: int,
    fresh: dict[str, State],
    links: list[tuple[Node, Edit, State]],
    renderer: Renderer,
    retrieve: Retrieve,
    validator: Validator,
    progress: TreeProgress | None,
) -> list[Node]:
    """Rank the new states of a level and connect them; returns those worth growing."""
    minimum, top_k = tree.settings.MIN_DISPLACEMENT, tree.settings.TOP_K
    accepted: list[tuple[State, str]] = []
    for state in fresh.values():
        verdict = validator.judge(tree.sheet, state.edits)
        if verdict.plausible:
            accepted.append((state, verdict.reason))
        else:
            tree.put(Node(state, "rejected", depth, None, verdict.reason))
    for parent, edit, state in links:
        if state.state_id in tree.graph:
            tree.connect(Edge(parent.node_id, state.state_id, edit, None))
    grown: list[Node] = []
    ranked = sum(1 for node in tree.nodes() if node.ranking is not None)
    for start in range(0, len(accepted), BATCH):
        part = accepted[start : start + BATCH]
        rankings = retrieve([renderer.query(state) for state, _ in part])
        for (state, reason), ranking in zip(part, rankings, strict=True):
            tree.put(Node(state, "pruned", depth, ranking, reason))
            moved = 0.0
            for parent, edit, target in links:
                if target.state_id == state.state_id and parent.ranking is not None:
                    change = mean_rank_displacement(
                        parent.ranking.case_ids, ranking.case_ids, top_k
                    )
                    tree.connect(Edge(parent.node_id, state.state_id, edit, change))
                    moved = max(moved, change.mean)
            _mark_expanded(tree, state)
            if moved >= minimum:
                node = Node(state, "leaf", depth, ranking, reason)
                tree.put(node)
                grown.append(node)
        if progress is not None:
            progress(ranked + start + len(part), ranked + len(accepted))
    return grown


def _mark_expanded(tree: PerturbationTree, state: State) -> None:
    """A parent that has a ranked child is expanded and no leaf."""
    for parent_id in tree.graph.predecessors(state.state_id):
        parent = tree.node(parent_id)
        if parent.status == "leaf":
            tree.put(Node(parent.state, "expanded", parent.depth, parent.ranking, parent.reason))
