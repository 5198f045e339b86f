"""The perturbation tree, its root on the left."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Any, Final

from countercase.reports.drawings.shapes import (
    Box,
    Colour,
    Drawing,
    Group,
    Kind,
    Line,
    Look,
    Mark,
    Shape,
    Words,
    cut,
    legend,
)
from countercase.reports.wording import places

ROOT_WIDTH: Final = 124.0
BOX_WIDTH: Final = 304.0
GAP: Final = 34.0
ROW: Final = 25.0
HEIGHT: Final = 20.0
_SIZE: Final = 11.0
STATUSES: Final[dict[str, tuple[Kind, Colour, Look, str]]] = {
    "root": ("square", "move", Look("paper", "move", 2.0), "the case as it is"),
    "expanded": ("disc", "move", Look("paper", "move", 1.6), "supposed further"),
    "leaf": ("ring", "move", Look("paper", "move", 1.2), "not supposed further"),
    "pruned": ("diamond", "dim", Look("paper", "rule", 1.0, (4, 3)), "pruned: moved too little"),
    "rejected": ("cross", "threshold", Look("floor", "threshold", 1.2, (2, 3), True), "refused"),
    "by_hand": ("star", "threshold", Look("paper", "threshold", 1.6), "your own"),
}
"""Mark, its colour, box and words of each status."""
AGAIN: Final = Look(stroke="rule", width=1.0, dash=(1.5, 4))


def tree_drawing(tree: Mapping[str, Any], link: str = "") -> Drawing:
    """The states by depth, each with the last edit that leads to it and how far it moved the list.

    A state that several paths lead to stands below the first of them; the others are dotted lines.
    Each state has its id as `data-state`.

    Args:
        tree: the data of tree.json.
        link: where a state leads, before its id, such as `#state-`; empty for a picture without
            links.
    """
    nodes = {node["id"]: node for node in tree["nodes"]}
    below = own_edges(tree)
    first = {edge["target"]: edge for edges in below.values() for edge in edges}
    places_of = positions(tree)
    depth = max(column for column, _ in places_of.values())
    rows = max(row for _, row in places_of.values())
    width = ROOT_WIDTH + depth * (GAP + BOX_WIDTH) + 8
    corners = {state: (_left(column), 6 + ROW * row) for state, (column, row) in places_of.items()}
    lines: list[Shape] = []
    for edge in tree["links"]:
        x, y = corners[edge["source"]]
        own = first[edge["target"]] is edge
        look = _edge(edge["mean_displacement"]) if own else AGAIN
        end = corners[edge["target"]]
        wide = ROOT_WIDTH if edge["source"] == "root" else BOX_WIDTH
        start = (x + wide, y + HEIGHT / 2)
        lines.append(Line(start, (end[0], end[1] + HEIGHT / 2), look, curved=True))
    lines.sort(key=lambda line: isinstance(line, Line) and line.look != AGAIN)
    states = [_state(nodes[state], first.get(state), at, link) for state, at in corners.items()]
    present = {node["status"] for node in nodes.values()}
    keys: list[tuple[Kind | Look, Colour, str]] = [
        (kind, colour, words)
        for status, (kind, colour, _, words) in STATUSES.items()
        if status in present
    ]
    if len(tree["links"]) >= len(nodes):
        keys.append((AGAIN, "rule", "the same suppositions in another order"))
    shapes, height = legend(keys, width, 6 + ROW * (rows + 1) + 22)
    return Drawing(
        width,
        height,
        "The tree of what-ifs",
        f"{len(nodes)} states of the case, the case as it is on the left. Each box is one "
        "supposition more than the box on its left, with the mean rank displacement between the two.",
        (*lines, *states, *shapes),
    )


def positions(tree: Mapping[str, Any]) -> dict[str, tuple[int, float]]:
    """Column and row of each state: a column is a depth, a parent stands midway of its children.

    A state that several edges lead to stands below the first of them.

    Args:
        tree: the data of tree.json.
    """
    below, rows, found = own_edges(tree), count(), dict[str, tuple[int, float]]()

    def place(state: str, depth: int) -> float:
        heights = [place(edge["target"], depth + 1) for edge in below[state]]
        row = (heights[0] + heights[-1]) / 2 if heights else float(next(rows))
        found[state] = (depth, row)
        return row

    place("root", 0)
    return found


def own_edges(tree: Mapping[str, Any]) -> dict[str, list[Mapping[str, Any]]]:
    """The edges below each state, by its id, that make a tree: of each state the first to it.

    Args:
        tree: the data of tree.json.
    """
    size = {node["id"]: len(node["edits"]) for node in tree["nodes"]}
    below: dict[str, list[Mapping[str, Any]]] = {state: [] for state in size}
    reached = {"root"}
    for edge in sorted(tree["links"], key=lambda edge: size[edge["source"]]):
        if edge["target"] not in reached:
            reached.add(edge["target"])
            below[edge["source"]].append(edge)
    return below


def _left(column: int) -> float:
    return 2.0 if column == 0 else 2 + ROOT_WIDTH + GAP + (column - 1) * (BOX_WIDTH + GAP)


def _edge(moved: float | None) -> Look:
    """Thicker where the list moved more, up to six places."""
    if moved is None:
        return Look(stroke="threshold", dash=(2, 3))
    return Look(stroke="rule", width=0.8 + 0.5 * min(moved, 6.0))


def _state(
    node: Mapping[str, Any], edge: Mapping[str, Any] | None, corner: tuple[float, float], link: str
) -> Group:
    kind, colour, box, words = STATUSES[node["status"]]
    x, y = corner
    data = (("state", node["id"]), ("status", node["status"]))
    address = f"{link}{node['id']}" if link else ""
    width = BOX_WIDTH if edge else ROOT_WIDTH
    shapes: list[Shape] = [
        Box(x, y, width, HEIGHT, box, 4),
        Mark(x + 12, y + HEIGHT / 2, kind, colour, 4.5),
    ]
    baseline = y + HEIGHT / 2 + 4
    if edge is None:
        shapes.append(Words(x + 22, baseline, words, size=10.5, bold=True))
        return Group(tuple(shapes), words, data, address)
    refused = node["status"] == "rejected"
    figure = places(edge["mean_displacement"])
    label = edge["edit"]["supposition"]
    if refused:
        shapes.insert(1, Box(x + 22, y + 1.5, width - 25, HEIGHT - 3, Look("paper"), 3))
    shapes += [
        Words(x + 53, baseline, figure, size=_SIZE, align="end", bold=True),
        Words(
            x + 60,
            baseline,
            cut(label, width - 66, _SIZE),
            "dim" if node["status"] in ("pruned", "rejected") else "ink",
            _SIZE,
        ),
    ]
    reason = f" {node['reason']}" if node.get("reason") else ""
    moved = "" if refused else f", moved by {figure}"
    return Group(tuple(shapes), f"{label}{moved}; {words}.{reason}", data, address)
