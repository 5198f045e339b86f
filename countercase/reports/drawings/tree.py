"""The perturbation tree, its root on the left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from countercase.reports.drawings.canvas import Drawing, Key, cut, draw
from countercase.reports.tree_files import walk

ROOT_WIDTH: Final = 124.0
BOX_WIDTH: Final = 304.0
GAP: Final = 34.0
ROW: Final = 25.0
STATUSES: Final = {
    "root": ("square", "move", "the case as it is"),
    "expanded": ("disc", "move", "supposed further"),
    "leaf": ("ring", "move", "not supposed further"),
    "pruned": ("diamond", "dim", "moved too little to go on"),
    "rejected": ("cross", "threshold", "refused"),
    "by_hand": ("star", "threshold", "your own"),
}
"""Mark, its colour and words of each status; its box is a class of `drawing.css`."""


def tree_drawing(tree: Mapping[str, Any], link: str = "") -> Drawing:
    """Draw the states by depth, each with the last edit that leads to it and how far it moved the list.

    A state that several paths lead to stands below the first of them; the others are dotted lines.
    Each state has its id as `data-state`.

    Args:
        tree: the data of tree.json.
        link: where a state leads, before its id, such as `#state-`; empty for a picture without
            links.
    """
    nodes = {node["id"]: node for node in tree["nodes"]}
    places_of, sources = positions(tree)
    corners = {state: (_left(column), 6 + ROW * row) for state, (column, row) in places_of.items()}
    lines, first = list[tuple[float, float, float, float, str, float]](), dict[str, Any]()
    for edge in tree["links"]:
        source, target = edge["source"], edge["target"]
        look, width = "cc-again", 0.0
        if sources[target] == source and target not in first:
            first[target] = edge
            moved = edge["mean_displacement"]
            look = "cc-refusal" if moved is None else "cc-rule"
            width = 0.0 if moved is None else 0.8 + 0.5 * min(moved, 6.0)
        (x, y), (to_x, to_y) = corners[source], corners[target]
        x += ROOT_WIDTH if source == "root" else BOX_WIDTH
        lines.append((x, y + 10, to_x, to_y + 10, look, width))
    lines.sort(key=lambda line: line[4] != "cc-again")
    present = {node["status"] for node in nodes.values()}
    looks = [look for status, look in STATUSES.items() if status in present]
    keys = [Key(sign, words, colour=colour) for sign, colour, words in looks]
    if any(line[4] == "cc-again" for line in lines):
        keys.append(Key("cc-again", "the same suppositions in another order", "line"))
    depth, rows = (max(place[at] for place in places_of.values()) for at in (0, 1))
    return draw(
        "tree.svg.j2",
        "The tree of what-ifs",
        f"{len(nodes)} states of the case, the case as it is on the left. Each box is one "
        "supposition more than the box on its left, with the mean rank displacement between the two.",
        ROOT_WIDTH + depth * (GAP + BOX_WIDTH) + 8, 6 + ROW * (rows + 1) + 22, keys,
        link=link, lines=lines,
        states=[(nodes[state], first.get(state), *at) for state, at in corners.items()],
        statuses=STATUSES, root=ROOT_WIDTH, box=BOX_WIDTH, cut=cut,
    )  # fmt: skip


def positions(tree: Mapping[str, Any]) -> tuple[dict[str, tuple[int, float]], dict[str, str]]:
    """Return column and row of each state, and the state that each stands below.

    A column is a depth; a parent stands midway of its children.

    Args:
        tree: the data of tree.json.
    """
    targets, own = ({node["id"]: list[str]() for node in tree["nodes"]} for _ in range(2))
    for edge in tree["links"]:
        targets[edge["source"]].append(edge["target"])
    depths, sources = {"root": 0}, {"root": ""}
    for depth, source, target in walk(targets):
        own[source].append(target)
        depths[target], sources[target] = depth, source
    rows = {state: float(row) for row, state in enumerate(it for it in depths if not own[it])}
    for state in reversed(depths):
        if own[state]:
            rows[state] = (rows[own[state][0]] + rows[own[state][-1]]) / 2
    return {state: (depth, rows[state]) for state, depth in depths.items()}, sources


def _left(column: int) -> float:
    return 2.0 if column == 0 else 2 + ROOT_WIDTH + GAP + (column - 1) * (BOX_WIDTH + GAP)
