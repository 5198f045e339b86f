"""Render the templates in `reports/templates`: Markdown and HTML in which every value stays text.

Whatever a template inserts is made safe on the way: on one line, without control characters, and
with the characters escaped that Markdown or HTML would act on. The plots of an evaluation are inline
SVG.
"""

from __future__ import annotations

import html
import io
from collections.abc import Callable
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from countercase.evaluation.report import Plot
from countercase.reports.text import code, figure, inline, legible, plain
from countercase.reports.wording import places, size_of_move
from countercase.text.dates import in_full


def render(template: str, **values: Any) -> str:
    """The text of a template: `report.md.j2`, `report.html.j2`, and those of `eval`."""
    return _environment(template.endswith(".md.j2")).get_template(template).render(values)


def templates(package: str, safe: Callable[[Any], Any]) -> Environment:
    """The templates of a package, in which every value is escaped and passes through `safe`."""
    return Environment(
        loader=PackageLoader(package),
        autoescape=True,
        finalize=safe,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _places(value: float | None) -> Markup:
    """A number of places for people, with all its digits for programs."""
    if value is None:
        return Markup(places(value))
    return Markup('<data value="{}">{}</data>').format(repr(float(value)), places(value))


@cache
def _environment(markdown: bool) -> Environment:
    from countercase.reports.drawings import vector

    def safe(value: Any) -> Any:
        if not isinstance(value, str) or isinstance(value, Markup):
            return value
        # Markdown has no escaping in jinja2, so what `inline` escapes is marked as finished.
        return Markup(inline(value)) if markdown else plain(value)

    environment = templates("countercase.reports", safe)
    environment.keep_trailing_newline = True
    environment.filters |= {
        "code": lambda text: Markup(code(text)),
        "drawing": lambda drawing: Markup(vector.svg(drawing)),
        "figure": figure,
        "in_full": in_full,
        # Blanks at either end stay, which `plain` would take away.
        "kept": lambda text: escape(legible(text)),
        "places": places if markdown else _places,
        "size_of_move": size_of_move,
        "svg": lambda plot, salt: Markup(plot_svg(plot, salt)),
        "verbatim": lambda text: Markup(legible(text)),
    }
    return environment


def plot_svg(plot: Plot, salt: str) -> str:
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
