"""The plots of an evaluation as inline SVG; the one place where they are drawn."""

from __future__ import annotations

import html
import io
from typing import Any

from countercase.evaluation.report import Plot
from countercase.reports.text import plain


def svg(plot: Plot, salt: str) -> str:
    """A plot as an SVG element; the same plot and salt give the same bytes."""
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    style = {"svg.hashsalt": salt, "svg.fonttype": "none", "font.size": 9}
    with mpl.rc_context(style | {"text.parse_math": False}):
        canvas = Figure(figsize=(7.2, 3.8), layout="constrained")
        axes = canvas.add_subplot()
        _draw(axes, plot)
        axes.set_xlabel(plain(plot.x_title))
        axes.set_ylabel(plain(plot.y_title))
        axes.spines[["top", "right"]].set_visible(False)
        if len(plot.series) > 1:
            axes.legend(frameon=False)
        stream = io.StringIO()
        drawing: Any = FigureCanvasSVG(canvas)
        drawing.print_svg(stream, metadata={"Date": None, "Creator": None})
    text = stream.getvalue()
    return text[text.index("<svg") :].replace(
        "<svg ", f'<svg role="img" aria-label="{html.escape(plain(plot.title))}" ', 1
    )


def _draw(axes: Any, plot: Plot) -> None:
    width = 0.8 / max(1, len(plot.series))
    for at, series in enumerate(plot.series):
        name = plain(series.name)
        if plot.kind == "bars":
            places = [x + (at - (len(plot.series) - 1) / 2) * width for x in series.x]
            axes.bar(places, series.y, width=width, label=name)
            if series.low:
                below = [y - low for y, low in zip(series.y, series.low, strict=True)]
                above = [high - y for y, high in zip(series.y, series.high, strict=True)]
                axes.errorbar(
                    places, series.y, [below, above], fmt="none", ecolor="#333", capsize=2
                )
        elif plot.kind == "points":
            axes.scatter(series.x, series.y, s=14, alpha=0.7, label=name)
        else:
            axes.plot(series.x, series.y, label=name)
            if series.low:
                axes.fill_between(series.x, series.low, series.high, alpha=0.2)
    if plot.kind == "bars" and plot.labels:
        labels = [plain(label) for label in plot.labels]
        slanted = max(map(len, labels)) > 12
        axes.set_xticks(range(len(labels)), labels)
        axes.tick_params(axis="x", rotation=30 if slanted else 0)
