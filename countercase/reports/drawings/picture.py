"""Drawings as matplotlib figures: for notebooks, and as PNG for Word files.

A figure touches no global state of matplotlib.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any, Final

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import FancyBboxPatch, PathPatch
from matplotlib.path import Path

from countercase.reports.drawings.shapes import (
    LIGHT,
    Box,
    Drawing,
    Group,
    Kind,
    Line,
    Look,
    Mark,
    Shape,
    Words,
    cut,
)

DPI: Final = 96.0
_POINT: Final = 72 / DPI
"""Points of a pixel."""
_HEADING: Final = 52.0
_MARGIN: Final = 10.0
_MARKERS: Final[dict[Kind, tuple[str, str, float]]] = {
    "disc": ("o", "full", 0.9), "ring": ("o", "none", 0.9), "half": ("o", "left", 0.9),
    "diamond": ("D", "none", 0.75), "cross": ("x", "full", 0.85), "square": ("s", "full", 0.9),
    "star": ("*", "full", 1.3), "dash": ("_", "full", 1.0),
}  # fmt: skip
"""Marker of matplotlib, how it is filled, and its size beside the mark's."""


class Picture(Figure):
    """A figure that a notebook shows, whether or not pyplot is loaded."""

    def _repr_png_(self) -> bytes:
        return png(self, 120)


def picture(drawing: Drawing, heading: str = "") -> Picture:
    """The drawing as a figure, one pixel of it 1/96 inch.

    Args:
        heading: a line below the drawing's title, such as the name of the case; without it
            neither is shown.
    """
    above = _HEADING if heading else 0.0
    width, height = drawing.width + 2 * _MARGIN, drawing.height + above + 2 * _MARGIN
    figure = Picture(figsize=(width / DPI, height / DPI))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set(
        xlim=(-_MARGIN, drawing.width + _MARGIN), ylim=(drawing.height + _MARGIN, -above - _MARGIN)
    )
    shapes = list(drawing.shapes)
    if heading:
        shapes.append(Words(0, 16 - above, drawing.title, size=16, bold=True))
        shapes.append(Words(0, 34 - above, cut(heading, drawing.width, 12), "dim"))
    for order, shape in enumerate(_flat(shapes)):
        _paint(axes, shape, order)
    return figure


def png(figure: Figure, dpi: float = 200) -> bytes:
    """The figure as PNG; the same figure, the same bytes."""
    stream = BytesIO()
    with rc_context({"hatch.linewidth": 0.8}):
        figure.savefig(stream, format="png", dpi=dpi, metadata={"Software": None})
    return stream.getvalue()


def _flat(shapes: list[Shape] | tuple[Shape, ...]) -> Iterator[Box | Line | Words | Mark]:
    for shape in shapes:
        if isinstance(shape, Group):
            yield from _flat(shape.shapes)
        else:
            yield shape


def _paint(axes: Axes, shape: Box | Line | Words | Mark, order: int) -> None:
    if isinstance(shape, Words):
        axes.text(
            shape.x, shape.y, shape.text, color=LIGHT[shape.colour], fontsize=shape.size * _POINT,
            ha={"start": "left", "middle": "center", "end": "right"}[shape.align], va="baseline",
            weight="bold" if shape.bold else "normal", family="DejaVu Sans", parse_math=False,
            zorder=order,
        )  # fmt: skip
    elif isinstance(shape, Mark):
        marker, fill, size = _MARKERS[shape.kind]
        colour = LIGHT[shape.colour]
        axes.add_line(
            Line2D(
                [shape.x], [shape.y], ls="", marker=marker, ms=2 * shape.radius * size * _POINT,
                mec=colour, mfc=LIGHT["paper"] if fill == "none" else colour, mew=1.8 * _POINT,
                mfcalt=LIGHT["paper"], fillstyle="full" if fill == "none" else fill, zorder=order,
            )
        )  # fmt: skip
    elif isinstance(shape, Box):
        corner = f"round,pad=0,rounding_size={shape.corner}" if shape.corner else "square,pad=0"
        axes.add_patch(
            FancyBboxPatch(
                (shape.x, shape.y), shape.width, shape.height, boxstyle=corner, mutation_aspect=1,
                zorder=order, **_style(shape.look),
            )
        )  # fmt: skip
    else:
        (x, y), (to_x, to_y) = shape.start, shape.end
        middle = (x + to_x) / 2
        path = Path([(x, y), (to_x, to_y)])
        if shape.curved:
            bend = [(x, y), (middle, y), (middle, to_y), (to_x, to_y)]
            path = Path(bend, [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4])
        style = _style(shape.look) | {"facecolor": "none"}
        axes.add_patch(PathPatch(path, zorder=order, capstyle="butt", **style))


def _style(look: Look) -> dict[str, Any]:
    style: dict[str, Any] = {
        "facecolor": "none" if look.fill is None or look.hatched else LIGHT[look.fill],
        "edgecolor": "none" if look.stroke is None else LIGHT[look.stroke],
        "linewidth": look.width * _POINT,
    }
    if look.dash:
        # Matplotlib counts dashes in widths of the line, SVG in pixels.
        style["linestyle"] = (0, tuple(length / look.width for length in look.dash))
    if look.hatched:
        style["hatch"] = "//////"
    return style
