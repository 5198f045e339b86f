"""The perturbation tree: states of a case, breadth first, with what each edit moved.

Levels are grown one after another; all new states of a level are retrieved together. A state is
reached once, however many paths lead to it; each path is an edge. A state that no incoming edge
moved by at least `min_displacement` is pruned: it stays in the tree and is not grown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from countercase.config import TreeSettings
from countercase.counterfactual.displacement import Displacement, displacement
from countercase.counterfactual.lawful import Validator, Verdict, judged
from countercase.counterfactual.states import State, StateSearch
from countercase.errors import InputError
from countercase.facts.edits import Edit, compatible
from countercase.facts.model import FactSheet
from countercase.io import Progress, tell
from countercase.retrieval.base import Ranking
from countercase.retrieval.foreign import name_of

if TYPE_CHECKING:
    import networkx as nx

Status: TypeAlias = Literal["root", "expanded", "leaf", "pruned", "rejected", "by_hand"]
BATCH: Final = 32
"""States retrieved in one call, less than a second's work: an interruption loses little."""
GROWING: Final = "the tree of changes"
"""What growth reports as progress: states ranked so far, and how many there can be."""


@dataclass(frozen=True)
class Node:
    """A state of the tree; no ranking where the validator rejected it, for the reason given."""

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
    """One edit between two states; no displacement where nothing was measured: towards a rejected
    state, and where the retriever found nothing for the state that is changed.
    """

    source: str
    target: str
    edit: Edit
    displacement: Displacement | None


class PerturbationTree:
    """States and edges of a case; in `graph` nodes carry `node` (Node) and edges `edge` (Edge).

    `settings` have the limits of the tree, and K.
    """

    def __init__(self, root: FactSheet, settings: TreeSettings) -> None:
        self.sheet, self.settings = root, settings
        self._nodes: dict[str, Node] = {}
        self.children: dict[str, dict[str, Edge]] = {}
        """The edges of each state to others, by where they lead."""
        self.complete = False
        """Whether every state that the settings ask for was measured."""

    @property
    def graph(self) -> nx.DiGraph[str]:
        """The tree as it is now."""
        import networkx as nx

        graph: nx.DiGraph[str] = nx.DiGraph()
        graph.add_nodes_from((node.node_id, {"node": node}) for node in self.nodes())
        graph.add_edges_from((edge.source, edge.target, {"edge": edge}) for edge in self.edges())
        return graph

    @property
    def root(self) -> Node:
        """The case as it is."""
        return self.node("root")

    @property
    def root_ranking(self) -> Ranking:
        """The ranking of the case as it is, once that is known."""
        ranking = self.root.ranking
        assert ranking is not None
        return ranking

    def node(self, node_id: str) -> Node:
        """A state by its id."""
        return self._nodes[node_id]

    def nodes(self) -> Iterator[Node]:
        """All states, in order of discovery."""
        yield from self._nodes.values()

    def edges(self) -> Iterator[Edge]:
        """All edges, in order of discovery."""
        for own in self.children.values():
            yield from own.values()

    def measured(self) -> Iterator[tuple[Edge, Displacement]]:
        """The edges that have a displacement."""
        return ((it, it.displacement) for it in self.edges() if it.displacement is not None)

    def put(self, node: Node) -> None:
        """Add a state, or replace what is known of it."""
        self._nodes[node.node_id] = node
        self.children.setdefault(node.node_id, {})

    def connect(self, edge: Edge) -> None:
        """Add an edge."""
        self.children[edge.source][edge.target] = edge

    def measure(self, before: Ranking, after: Ranking) -> Displacement | None:
        """Return how far a ranking moved; None where there was nothing to move."""
        if not before.results:
            return None
        return displacement(before.case_ids, after.case_ids, self.settings.top_k)

    def rank_root(self, search: StateSearch) -> Ranking:
        """Return the ranking of the case as it is, retrieved where it is not known yet.

        InputError where it is empty, so that nothing could move.
        """
        if "root" not in self._nodes:
            [ranking] = search.rank([State()])
            if not ranking.results:
                name = name_of(search.retriever)
                raise InputError(f"{name} returned an empty ranking for the case as it is")
            self.put(Node(State(), "root", 0, ranking))
        return self.root_ranking

    def add_by_hand(self, edits: Sequence[Edit], search: StateSearch, validator: Validator) -> None:
        """Measure edits that a user worded, each for itself, also where the validator objects.

        What the validator says against one, and the note of the edit, are the reason of its node.
        """
        parent = self.rank_root(search)
        states = [State.of([edit]) for edit in edits]
        for edit, state, ranking in zip(edits, states, search.rank(states), strict=True):
            verdict = judged(validator, self.sheet, state.edits)
            said = ["" if verdict.plausible else verdict.reason, edit.note]
            self.put(Node(state, "by_hand", 1, ranking, " ".join(filter(None, said))))
            self.connect(Edge("root", state.state_id, edit, self.measure(parent, ranking)))

    def grow(
        self,
        edits: Sequence[Edit],
        search: StateSearch,
        validator: Validator,
        progress: Progress | None = None,
    ) -> None:
        """Grow the tree by `edits`, in the order given, down to `settings.depth`.

        On KeyboardInterrupt the tree holds every state that was ranked; `complete` stays False.
        """
        self.rank_root(search)
        growth = _Growth(self, edits, search, validator, progress)
        parents = [self.root]
        for depth in range(1, self.settings.depth + 1):
            parents = growth.add_level(depth, parents)
        self.complete = True


_Link: TypeAlias = tuple[Node, Edit, State]
"""A parent, the edit that is applied to it, and the state that results."""


@dataclass
class _Growth:
    tree: PerturbationTree
    edits: Sequence[Edit]
    search: StateSearch
    validator: Validator
    progress: Progress | None
    verdicts: dict[str, Verdict] = field(default_factory=dict)

    def add_level(self, depth: int, parents: Sequence[Node]) -> list[Node]:
        """Rank the children of `parents`; returns those that moved enough to be grown."""
        tree, links = self.tree, self._links(parents)
        accepted: list[Node] = []
        for state in {state.state_id: state for _, _, state in links}.values():
            verdict = self._judge(state)
            node = Node(state, "pruned", depth, None, verdict.reason)
            if verdict.plausible:
                accepted.append(node)
            else:
                tree.put(replace(node, status="rejected"))
        for parent, edit, state in links:
            if state.state_id in tree._nodes:
                tree.connect(Edge(parent.node_id, state.state_id, edit, None))
        done = sum(node.ranking is not None for node in tree.nodes())
        of, grown = done + len(accepted), list[Node]()
        self.search.load([node.state for node in accepted])
        for start in range(0, len(accepted), BATCH):
            batch = accepted[start : start + BATCH]
            rankings = self.search.rank([node.state for node in batch])
            for node, ranking in zip(batch, rankings, strict=True):
                grown += self._place(replace(node, ranking=ranking), ranking, links)
            done += len(batch)
            tell(self.progress, GROWING, done, of)
        return grown

    def _links(self, parents: Sequence[Node]) -> list[_Link]:
        """Return the first children of all parents, then the second, while there is room."""
        settings = self.tree.settings
        room = settings.max_states - len(self.tree._nodes)
        if parents == [self.tree.root]:
            share = room * 3 // 4 if settings.depth > 1 else room
            room = max(share, len(self._first_of_each_fact()))
        children = [self._children(parent) for parent in parents]
        links, new = list[_Link](), set[str]()
        for row in zip_longest(*children):
            for parent, edit in zip(parents, row, strict=True):
                state = State.of([*parent.state.edits, edit]) if edit else parent.state
                if edit and (state.state_id in new or len(new) < room):
                    new.add(state.state_id)
                    links.append((parent, edit, state))
        return links

    def _children(self, parent: Node) -> list[Edit]:
        """Return all edits at the root, one of each fact first; below it the strongest of each."""
        if not parent.state.edits:
            first = self._first_of_each_fact()
            return [*first, *(edit for edit in self.edits if edit not in first)]
        held = [edit for edit in self._strongest if compatible([*parent.state.edits, edit])]
        return held[: self.tree.settings.max_children]

    @cached_property
    def _strongest(self) -> list[Edit]:
        """The edit of each fact that moved the case as it is furthest, the largest move first."""
        best = [moves[0] for moves in moves_from_root(self.tree).values()]
        return [edit for _, edit in sorted(best, key=lambda it: (-it[0], it[1].edit_id))]

    def _first_of_each_fact(self) -> list[Edit]:
        """Of each fact its first edit that is plausible, with those before it that are not."""
        tried, settled = list[Edit](), set[str]()
        for edit in self.edits:
            if edit.fact_id not in settled:
                tried.append(edit)
                if self._judge(State.of([edit])).plausible:
                    settled.add(edit.fact_id)
        return tried

    def _judge(self, state: State) -> Verdict:
        if state.state_id not in self.verdicts:
            verdict = judged(self.validator, self.tree.sheet, state.edits)
            if verdict.plausible and not self.search.renderer.segments(state):
                reason = "Nothing would be left of the case to search for."
                verdict = Verdict(False, reason, "empty")
            self.verdicts[state.state_id] = verdict
        return self.verdicts[state.state_id]

    def _place(self, node: Node, ranking: Ranking, links: Sequence[_Link]) -> list[Node]:
        """Put a ranked state into the tree with its edges; returns it where it is to be grown."""
        tree, largest = self.tree, 0.0
        tree.put(node)
        for parent, edit, state in links:
            if state.state_id == node.node_id and parent.ranking is not None:
                move = tree.measure(parent.ranking, ranking)
                tree.connect(Edge(parent.node_id, node.node_id, edit, move))
                largest = max(largest, move.mean if move else 0.0)
                if tree.node(parent.node_id).status == "leaf":
                    tree.put(replace(parent, status="expanded"))
        if largest < tree.settings.min_displacement:
            return []
        leaf = replace(node, status="leaf")
        tree.put(leaf)
        return [leaf]


def moves_from_root(tree: PerturbationTree) -> dict[str, list[tuple[float, Edit]]]:
    """Return the moves of each fact on the case as it is, the strongest first, by fact id."""
    moves: dict[str, list[tuple[float, Edit]]] = {}
    for edge, move in tree.measured():
        if edge.source == "root" and not edge.edit.by_hand:
            moves.setdefault(edge.edit.fact_id, []).append((move.mean, edge.edit))
    return {
        fact: sorted(own, key=lambda it: (-it[0], it[1].edit_id)) for fact, own in moves.items()
    }
