"""Plots of a result: sensitivities with their null floor, the tree, a ranking before and after.

Each function returns a `matplotlib.figure.Figure` and touches no global state of matplotlib. What
colour says, shape or words say as well. Colours: Okabe and Ito, "Color universal design" (2008).
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

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
    from matplotlib.axes import Axes

    from countercase.session import Result

BLUE: Final = "#0072B2"
ORANGE: Final = "#D55E00"
GREEN: Final = "#009E73"
GREY: Final = "#8C8C8C"
PALE: Final = "#D9D9D9"
ROW: Final = 0.34
"""Height of one row of a plot, in inches."""


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
    figure = Picture(figsize=(9, 1.9 + ROW * len(facts)), layout="constrained")
    axes: Axes = figure.subplots()
    right = max([threshold, *(max(f.sensitivity or 0, f.noise or 0) for f in facts)]) * 1.04
    for row, fact in enumerate(facts):
        carries = fact.verdict == "dispositive"
        if fact.noise is not None and fact.sensitivity is not None:
            axes.barh(row, fact.noise, height=0.86, color=PALE, zorder=1)
        if fact.sensitivity is not None:
            axes.plot(0, row, "|", color=BLUE, ms=9, mew=2.4, zorder=3, clip_on=False)
            colour = BLUE if carries else "white"
            axes.barh(
                row, fact.sensitivity, height=0.42, color=colour, edgecolor=BLUE, lw=1.2, zorder=3
            )
        value = "" if fact.sensitivity is None else f"{places(fact.sensitivity)}  "
        axes.text(
            1.015, row, value + verdict_of(result.analysis, fact), va="center", fontsize=9,
            transform=axes.get_yaxis_transform(), weight="bold" if carries else "normal",
            color="black" if fact.sensitivity is not None else "#666666",
        )  # fmt: skip
    axes.axvline(threshold, color=ORANGE, ls="--", lw=1.4, zorder=4)
    labels = [_short(label_of(result.analysis, fact), 46) for fact in facts]
    axes.set_yticks(range(len(facts)), labels, fontsize=9)
    axes.set(xlim=(0, right or 1), ylim=(len(facts) - 0.4, -0.6))
    axes.set_xlabel("mean rank displacement when the fact is changed, in places")
    _bare(axes, "left", "bottom")
    figure.legend(
        handles=[
            Patch(facecolor=BLUE, edgecolor=BLUE, label="carries the case"),
            Patch(facecolor="white", edgecolor=BLUE, label="does not"),
            Patch(color=PALE, label="moved by words alone (null floor)"),
            Line2D([], [], color=ORANGE, ls="--", label=f"threshold {threshold:g}"),
        ],
        loc="outside lower center", ncols=4, frameon=False, fontsize=9,
    )  # fmt: skip
    _title(figure, "Which facts carry the case", result)
    return figure


def ranking(result: Result) -> Figure:
    """The precedents before and after the strongest edit of the case; lines join the same one.

    Raises:
        InputError: no edit of the case as it is was measured.
    """
    edge = strongest_edge(result.tree)
    before, after = result.tree.root.ranking, result.tree.node(edge.target).ranking
    assert before is not None
    assert after is not None
    assert edge.displacement is not None
    ranks = [{case: at for at, case in enumerate(r.case_ids, 1)} for r in (before, after)]
    size = max(1, *map(len, ranks))
    figure = Picture(figsize=(11, 1.9 + ROW * (size + 1)), layout="constrained")
    axes: Axes = figure.subplots()
    for case, rank in ranks[0].items():
        end = ranks[1].get(case)
        colour, mark = (ORANGE, "left the list ") if end is None else ("black", "")
        if end is None:
            axes.plot([0, 0.14], [rank, rank], color=ORANGE, lw=1.6, ls=":")
            axes.plot(0.14, rank, marker="x", color=ORANGE, ms=6, mew=1.8)
        else:
            axes.plot([0, 1], [rank, end], color=GREY if rank == end else BLUE, lw=1.6)
            axes.plot([0, 1], [rank, end], "o", color=GREY if rank == end else BLUE, ms=5)
        text = f"{mark and '✕ '}{_short(result.titles.get(case, case), 44)}  {rank}"
        axes.text(-0.03, rank, text, ha="right", va="center", fontsize=9, color=colour)
    for case, rank in ranks[1].items():
        is_new = case not in ranks[0]
        if is_new:
            axes.plot([0.86, 1], [rank, rank], color=GREEN, lw=1.6, ls=":")
            axes.plot(1, rank, marker="D", color=GREEN, ms=6)
        text = f"{rank}  {'+ ' if is_new else ''}{_short(result.titles.get(case, case), 44)}"
        colour = GREEN if is_new else "black"
        axes.text(1.03, rank, text, ha="left", va="center", fontsize=9, color=colour)
    axes.set(xlim=(-0.02, 1.02), ylim=(size + 0.6, -0.4))
    axes.set_axis_off()
    axes.text(-0.03, 0.1, "the case as it is", ha="right", va="center", fontsize=9, weight="bold")
    axes.text(1.03, 0.1, "after the edit", ha="left", va="center", fontsize=9, weight="bold")
    figure.legend(
        handles=[
            Line2D([], [], color=BLUE, marker="o", ms=5, label="moved"),
            Line2D([], [], color=GREY, marker="o", ms=5, label="same rank"),
            Line2D([], [], color=ORANGE, ls=":", marker="x", label="✕ left the list"),
            Line2D([], [], color=GREEN, ls=":", marker="D", label="+ new in the list"),
        ],
        loc="outside lower center", ncols=4, frameon=False, fontsize=9,
    )  # fmt: skip
    moved = f"mean rank displacement {edge.displacement.mean:.2f}"
    _title(figure, f"{_short(edit_label(edge.edit), 84)}: {moved}", result)
    return figure


def strongest_edge(tree: PerturbationTree) -> Edge:
    """The edge from the root with the largest mean displacement; of equal ones the first.

    Raises:
        InputError: no edge from the root was measured.
    """
    edges = [(change.mean, edge) for edge, change in tree.measured() if edge.source == "root"]
    if not edges:
        raise InputError("no edit of the case was measured, so there is nothing to compare")
    return max(edges, key=lambda item: item[0])[1]


def tree(result: Result) -> Figure:
    """The states by depth, left to right, each with the edit that leads to it and its move."""
    grown = result.tree
    positions = tree_positions(grown)
    rows = max(y for _, y in positions.values()) + 1
    depth = max(node.depth for node in grown.nodes())
    figure = Picture(figsize=(4.2 + 4.4 * depth, 1.7 + 0.27 * rows), layout="constrained")
    axes: Axes = figure.subplots()
    reached = {"root"}
    for edge in sorted(grown.edges(), key=lambda edge: grown.node(edge.source).depth):
        (x, y), (to_x, to_y) = positions[edge.source], positions[edge.target]
        moved = edge.displacement.mean if edge.displacement else None
        bend = x + (0.06 if edge.source == "root" else 0.62)  # beyond the label of the source
        line: dict[str, Any] = {"color": GREY, "lw": 0.7, "ls": ":"}
        if edge.target not in reached:
            line = {"color": GREY, "lw": 0.8 + 0.5 * min(moved or 0.0, 6.0)}
            axes.text(
                to_x + 0.025, to_y, f"{places(moved)}  {_short(edit_label(edge.edit), 38)}",
                va="center", fontsize=8, zorder=2, bbox={"fc": "white", "ec": "none", "pad": 1.5},
                color="#666666" if grown.node(edge.target).status in _ASIDE else "black",
            )  # fmt: skip
        reached.add(edge.target)
        axes.plot([x, bend, to_x - 0.05, to_x], [y, y, to_y, to_y], zorder=1, **line)
    for node in grown.nodes():
        axes.plot(*positions[node.node_id], ls="", zorder=3, **_marker(node.status))
    axes.set(xlim=(-0.05, depth + 0.7), ylim=(rows - 0.4, -0.6))
    axes.set_axis_off()
    present = {node.status for node in grown.nodes()}
    keys = [
        Line2D([], [], ls="", **_marker(status), label=words)
        for status, words in _STATUSES
        if status in present
    ]
    if grown.graph.number_of_edges() >= len(grown.graph):
        keys.append(Line2D([], [], color=GREY, ls=":", label="the same edits in another order"))
    figure.legend(handles=keys, loc="outside lower center", ncols=3, frameon=False, fontsize=9)
    _title(figure, "The tree of changes, with the mean rank displacement of each", result)
    return figure


_STATUSES: Final = (
    ("root", "the case"),
    ("expanded", "grown"),
    ("leaf", "leaf"),
    ("pruned", "pruned: moved too little"),
    ("rejected", "refused: implausible"),
)
_ASIDE: Final = ("pruned", "rejected")


def _marker(status: str) -> dict[str, Any]:
    shape, colour, fill = {
        "root": ("s", "black", "black"),
        "expanded": ("o", BLUE, BLUE),
        "leaf": ("o", BLUE, "white"),
        "pruned": ("D", GREY, "white"),
        "rejected": ("x", ORANGE, ORANGE),
    }[status]
    return {"marker": shape, "ms": 6, "mec": colour, "mfc": fill, "mew": 1.4}


def tree_positions(grown: PerturbationTree) -> dict[str, tuple[float, float]]:
    """Where each state is drawn: x is its depth; y its row, a parent midway among its children.

    A state that several edges lead to stands below the first of them.
    """
    rows: Iterator[int] = iter(range(len(grown.graph)))
    children: dict[str, list[str]] = {}
    placed = {"root"}
    for node in grown.nodes():
        for target in grown.graph.successors(node.node_id):
            if target not in placed:
                placed.add(target)
                children.setdefault(node.node_id, []).append(target)
    heights: dict[str, float] = {}

    def place(node_id: str) -> float:
        below = [place(child) for child in children.get(node_id, [])]
        heights[node_id] = (below[0] + below[-1]) / 2 if below else float(next(rows))
        return heights[node_id]

    place("root")
    return {node_id: (grown.node(node_id).depth, height) for node_id, height in heights.items()}


def _title(figure: Figure, text: str, result: Result) -> None:
    sheet = result.analysis.sheet
    case = _short(sheet.title or sheet.case_id, 100)
    height = figure.get_figheight()
    engine = figure.get_layout_engine()
    assert isinstance(engine, ConstrainedLayoutEngine)
    engine.set(rect=(0, 0, 1, 1 - 0.6 / height), w_pad=0.1)  # room for the two lines
    figure.text(0.01, 1 - 0.1 / height, text, fontsize=12, weight="bold", va="top")
    figure.text(0.01, 1 - 0.36 / height, case, fontsize=9, va="top")


def _bare(axes: Axes, *spines: str) -> None:
    """Leave only these spines, and no tick marks beside the labels."""
    for name, spine in axes.spines.items():
        spine.set_visible(name in spines)
    axes.tick_params(axis="y", length=0)


def _short(text: str, width: int) -> str:
    return textwrap.shorten(plain(text).replace("$", r"\$"), width, placeholder=" …")
