"""Plots of a result: sensitivities with their null floor, the tree, a ranking before and after.

Each function returns a `matplotlib.figure.Figure` and touches no global state of matplotlib. What
colour says, shape or words say as well. Colours: Okabe and Ito, "Color universal design" (2008).
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from io import BytesIO
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from countercase.counterfactual.tree import Edge, PerturbationTree
from countercase.errors import InputError
from countercase.explanation.labels import edit_label
from countercase.reports.text import plain
from countercase.reports.wording import by_strength, label_of, places, verdict_of

if TYPE_CHECKING:
    from countercase.session import Result

BLUE: Final = "#0072B2"
ORANGE: Final = "#D55E00"
GREEN: Final = "#009E73"
GREY: Final = "#8C8C8C"
PALE: Final = "#D9D9D9"
DIM: Final = "#666666"
ROW: Final = 0.34
"""Height of one row, in inches."""


class Picture(Figure):
    """A figure that a notebook shows, whether or not pyplot is loaded."""

    def _repr_png_(self) -> bytes:
        buffer = BytesIO()
        self.savefig(buffer, format="png", dpi=120)
        return buffer.getvalue()


def sensitivity(result: Result) -> Figure:
    """One bar per fact, strongest first, over its null floor; the threshold is a dashed line.

    Raises:
        InputError: the case has no fact.
    """
    facts = by_strength(result.facts)
    if not facts:
        raise InputError("there is no fact to plot")
    threshold = result.settings.DISPOSITIVE_THRESHOLD
    figure, axes = _canvas(result, "Which facts move the list", 9, 1.9 + ROW * len(facts))
    for row, fact in enumerate(facts):
        carries = fact.verdict == "dispositive"
        style: dict[str, Any] = {"color": DIM}
        label = verdict_of(result.analysis, fact)
        if fact.sensitivity is not None:
            axes.barh(row, fact.noise or 0.0, height=0.86, color=PALE, zorder=1)
            axes.plot(0, row, "|", color=BLUE, ms=9, mew=2.4, zorder=3, clip_on=False)
            fill = BLUE if carries else "white"
            axes.barh(row, fact.sensitivity, height=0.42, color=fill, ec=BLUE, lw=1.2, zorder=3)
            style = {"weight": "bold"} if carries else {}
            label = f"{places(fact.sensitivity)}  {label}"
        beside_axes = axes.get_yaxis_transform()
        axes.text(1.015, row, label, va="center", fontsize=9, transform=beside_axes, **style)
    axes.axvline(threshold, color=ORANGE, ls="--", lw=1.4, zorder=4)
    labels = [_short(label_of(result.analysis, fact), 46) for fact in facts]
    axes.set_yticks(range(len(facts)), labels, fontsize=9)
    axes.tick_params(axis="y", length=0)
    widest = max(threshold, *(max(fact.sensitivity or 0, fact.noise or 0) for fact in facts))
    axes.set(xlim=(0, widest * 1.04 or 1), ylim=(len(facts) - 0.4, -0.6))
    axes.set_xlabel("mean rank displacement when the fact is changed, in places")
    axes.spines[["top", "right"]].set_visible(False)
    _legend(
        figure,
        Patch(facecolor=BLUE, edgecolor=BLUE, label="dispositive"),
        Patch(facecolor="white", edgecolor=BLUE, label="not dispositive, or inconclusive"),
        Patch(color=PALE, label="null floor: words alone"),
        Line2D([], [], color=ORANGE, ls="--", label=f"threshold {threshold:g}"),
    )
    return figure


def ranking(result: Result) -> Figure:
    """The precedents before and after the strongest edit of the case; lines join the same one.

    Raises:
        InputError: no edit of the case as it is was measured.
    """
    edge = strongest_edge(result.tree)
    ranks: list[dict[str, int]] = []
    for node_id in (edge.source, edge.target):
        listed = result.tree.node(node_id).ranking
        ranks.append({case: rank for rank, case in enumerate(listed.case_ids if listed else (), 1)})
    before, after = ranks
    rows = max(1, *map(len, ranks))
    moved = places(edge.displacement.mean if edge.displacement else None)
    title = f"{_short(edit_label(edge.edit, result.analysis.sheet), 84)}: mean rank displacement {moved}"
    figure, axes = _canvas(result, title, 11, 1.9 + ROW * (rows + 1))
    axes.set_axis_off()
    axes.set(xlim=(-0.02, 1.02), ylim=(rows + 0.6, -0.4))

    def label(side: int, rank: float, text: str, **style: Any) -> None:
        place: dict[str, Any] = {"x": 1.03, "ha": "left"} if side else {"x": -0.03, "ha": "right"}
        axes.text(y=rank, s=text, va="center", fontsize=9, **place, **style)

    label(0, 0.1, "the case as it is", weight="bold")
    label(1, 0.1, "after the edit", weight="bold")
    for case in {**before, **after}:
        old, new = before.get(case), after.get(case)
        name = _short(result.titles.get(case, case), 44)
        if old is not None and new is not None:
            colour = GREY if old == new else BLUE
            axes.plot([0, 1], [old, new], "o-", color=colour, lw=1.6, ms=5)
            label(0, old, f"{name}  {old}")
            label(1, new, f"{new}  {name}")
        elif old is not None:
            axes.plot([0, 0.14], [old, old], ":x", color=ORANGE, ms=6, mew=1.8, markevery=[1])
            label(0, old, f"✕ {name}  {old}", color=ORANGE)
        elif new is not None:
            axes.plot([0.86, 1], [new, new], ":D", color=GREEN, ms=6, markevery=[1])
            label(1, new, f"{new}  + {name}", color=GREEN)
    _legend(
        figure,
        Line2D([], [], color=BLUE, marker="o", ms=5, label="moved"),
        Line2D([], [], color=GREY, marker="o", ms=5, label="same rank"),
        Line2D([], [], color=ORANGE, ls=":", marker="x", label="✕ left the list"),
        Line2D([], [], color=GREEN, ls=":", marker="D", label="+ new in the list"),
    )
    return figure


def strongest_edge(grown: PerturbationTree) -> Edge:
    """The edge from the root with the largest mean displacement; of equal ones the first.

    Raises:
        InputError: no edge from the root was measured.
    """
    edges = [(change.mean, edge) for edge, change in grown.measured() if edge.source == "root"]
    if not edges:
        raise InputError("no edit of the case was measured, so there is nothing to compare")
    return max(edges, key=lambda item: item[0])[1]


_STATUSES: Final = (
    ("root", "the case", "s", "black", "black"),
    ("expanded", "grown", "o", BLUE, BLUE),
    ("leaf", "leaf", "o", BLUE, "white"),
    ("pruned", "pruned: moved too little", "D", GREY, "white"),
    ("rejected", "refused: implausible", "x", ORANGE, ORANGE),
    ("by_hand", "yours", "*", ORANGE, "white"),
)
"""Status, its words, and how its states are drawn: marker, edge colour, fill."""


def tree(result: Result) -> Figure:
    """The states by depth, left to right, each with the edit that leads to it and its move."""
    grown, positions = result.tree, tree_positions(result.tree)
    depth, rows = (max(axis) for axis in zip(*positions.values(), strict=True))
    title = "The tree of changes, with the mean rank displacement of each"
    figure, axes = _canvas(result, title, 4.2 + 4.4 * depth, 1.97 + 0.27 * rows)
    axes.set_axis_off()
    axes.set(xlim=(-0.05, depth + 0.7), ylim=(rows + 0.6, -0.6))
    reached = {"root"}
    for edge in sorted(grown.edges(), key=lambda edge: grown.node(edge.source).depth):
        (x, y), (to_x, to_y) = positions[edge.source], positions[edge.target]
        moved = edge.displacement.mean if edge.displacement else None
        bend = x + (0.06 if edge.source == "root" else 0.62)  # beyond the label of the source
        line: dict[str, Any] = {"lw": 0.7, "ls": ":"}
        if edge.target not in reached:
            status = grown.node(edge.target).status
            line = {"lw": 0.8 + 0.5 * min(moved or 0.0, 6.0)}
            label = edit_label(edge.edit, result.analysis.sheet)
            axes.text(
                to_x + 0.025, to_y,
                f"{places(moved)}  {_short(label, 38 if status == 'expanded' else 56)}",
                color=DIM if status in ("pruned", "rejected") else "black", va="center", fontsize=8,
                bbox={"fc": "white", "ec": "none", "pad": 1.5}, zorder=2,
            )  # fmt: skip
        reached.add(edge.target)
        axes.plot([x, bend, to_x - 0.05, to_x], [y, y, to_y, to_y], color=GREY, zorder=1, **line)
    keys = []
    for status, words, marker, colour, fill in _STATUSES:
        places_of_status = [positions[n.node_id] for n in grown.nodes() if n.status == status]
        if places_of_status:
            style: dict[str, Any] = {
                "ls": "",
                "marker": marker,
                "ms": 6,
                "mec": colour,
                "mfc": fill,
                "mew": 1.4,
            }
            axes.plot(*zip(*places_of_status, strict=True), zorder=3, **style)
            keys.append(Line2D([], [], label=words, **style))
    if grown.graph.number_of_edges() >= len(grown.graph):
        keys.append(Line2D([], [], color=GREY, ls=":", label="the same edits in another order"))
    _legend(figure, *keys, columns=3)
    return figure


def tree_positions(grown: PerturbationTree) -> dict[str, tuple[float, float]]:
    """Where each state is drawn: x is its depth; y its row, a parent midway among its children.

    A state that several edges lead to stands below the first of them.
    """
    children: dict[str, list[str]] = {node.node_id: [] for node in grown.nodes()}
    placed = {"root"}
    for node_id, below in children.items():
        below += [state for state in grown.graph.successors(node_id) if state not in placed]
        placed.update(below)
    rows, positions = count(), {}

    def place(node_id: str, depth: int) -> float:
        heights = [place(child, depth + 1) for child in children[node_id]]
        row = (heights[0] + heights[-1]) / 2 if heights else float(next(rows))
        positions[node_id] = (float(depth), row)
        return row

    place("root", 0)
    return positions


def _canvas(result: Result, title: str, width: float, height: float) -> tuple[Figure, Axes]:
    """A figure of this size in inches, with its title, the case below it, and empty axes."""
    figure = Picture(figsize=(width, height), layout="constrained")
    engine = figure.get_layout_engine()
    assert isinstance(engine, ConstrainedLayoutEngine)
    engine.set(rect=(0, 0, 1, 1 - 0.6 / height), w_pad=0.1)  # room for two lines of text
    sheet = result.analysis.sheet
    figure.text(0.01, 1 - 0.1 / height, title, fontsize=12, weight="bold", va="top")
    case = _short(sheet.title or sheet.case_id, 100)
    figure.text(0.01, 1 - 0.36 / height, case, fontsize=9, va="top")
    return figure, figure.subplots()


def _legend(figure: Figure, *keys: Artist, columns: int = 4) -> None:
    handles: Sequence[Artist] = keys
    figure.legend(
        handles=handles, loc="outside lower center", ncols=columns, frameon=False, fontsize=9
    )


def _short(text: str, width: int) -> str:
    """`text` cut to a width, with what matplotlib would read as mathematics made harmless."""
    return textwrap.shorten(plain(text), width, placeholder=" …").replace("$", r"\$")
