"""A drawing as SVG without script, style sheet or style attribute, and as PNG; units are CSS pixels.

Templates in `reports/templates` hold the shapes. Their colours are classes of `drawing.css.j2`, so that
a strict Content-Security-Policy is kept and dark pages get light lines. Text keeps a contrast of at
least 4.5 to 1 to the paper and everything else that says something at least 3 to 1 (WCAG 2.2, 1.4.3
and 1.4.11), in a light and a dark scheme. No meaning rests on a colour alone.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from countercase.io import read_table
from countercase.reports.text import plain
from countercase.reports.wording import render

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LIGHT: Final = {row["name"]: row["light"] for row in read_table("reports/colours", dict)}
DARK: Final = {row["name"]: row["dark"] for row in read_table("reports/colours", dict)}
"""What each colour is for, and its value on light and on dark paper."""
_HEADING: Final = 52.0
"""Pixels above the drawing of a figure for its title and the name of the case."""
_ZOOM: Final = 2.0
"""Pixels of a figure's picture for one of the drawing."""


@dataclass(frozen=True)
class Key:
    """An entry of a legend: its sign is a mark of some colour, or a class of `drawing.css.j2`."""

    sign: str
    words: str
    kind: Literal["mark", "line", "box"] = "mark"
    colour: str = ""


@dataclass(frozen=True)
class Drawing:
    """A finished drawing; the same values give the same bytes, and who does not see it is told it."""

    svg: str
    width: float
    height: float
    title: str
    description: str

    def png(self, zoom: float = 1.0) -> bytes:
        """Return the drawing on white paper as PNG, in the face that matplotlib ships."""
        import matplotlib as mpl
        import resvg_py

        fonts = Path(mpl.get_data_path()) / "fonts" / "ttf"
        style = drawing_css(schemes=False)
        return resvg_py.svg_to_bytes(
            svg_string=self.svg,
            style_sheet=re.sub(r"var\(--cc-(\w+)\)", lambda name: LIGHT[name[1]], style),
            background=LIGHT["paper"],
            zoom=zoom,
            skip_system_fonts=True,
            font_files=[str(fonts / f"DejaVuSans{face}.ttf") for face in ("", "-Bold")],
            sans_serif_family="DejaVu Sans",
        )

    def plot(self, heading: str) -> Figure:
        """Return the drawing as a figure below its title and a heading, apart from all others."""
        from matplotlib.figure import Figure
        from matplotlib.image import imread

        class Plot(Figure):
            def _repr_png_(self) -> bytes:
                stream = BytesIO()
                self.savefig(stream, format="png", dpi=96 * _ZOOM)
                return stream.getvalue()

        above = self.height + _HEADING
        figure = Plot(figsize=(self.width / 96, above / 96))
        axes = figure.add_axes((0, 0, 1, self.height / above))
        axes.set_axis_off()
        axes.imshow(imread(BytesIO(self.png(_ZOOM))), aspect="auto", interpolation="antialiased")
        for y, text, size, colour, weight in (
            (16, self.title, 12, LIGHT["ink"], "bold"),
            (34, cut(heading, self.width, 12), 9, LIGHT["dim"], "normal"),
        ):
            figure.text(
                0.01, 1 - y / above, text, size=size, color=colour, weight=weight,
                parse_math=False, family="DejaVu Sans",
            )  # fmt: skip
        return figure


def draw(
    template: str, title: str, description: str, width: float, end: float, keys: Sequence[Key],
    link: str = "", **values: Any,
) -> Drawing:  # fmt: skip
    """Draw a template that shows `values`, with a legend below it where the shapes `end`.

    Its parts lead to `link`, if that is given.
    """
    placed, x, y = list[tuple[float, float, Key]](), 0.0, end
    for key in keys:
        needed = 48 + width_of(key.words, 11.5)
        if x and x + needed - 18 > width:
            x, y = 0.0, y + 20
        placed.append((x, y, key))
        x += needed
    # Ids must be unique in a page with several drawings, and the same on every run.
    name = "d" + hashlib.sha256(f"{template}{width}{description}".encode()).hexdigest()[:8]
    svg = render(
        template, name=name, title=title, description=description, width=width, height=y + 8,
        keys=placed, link=link, **values,
    )  # fmt: skip
    return Drawing(svg.strip(), width, y + 8, title, description)


_NARROW: Final = frozenset("iljtfrI.,:;'|!()[]/ -")
_WIDE: Final = frozenset("mwMWGOQ@%→–—")


def width_of(text: str, size: float, bold: bool = False) -> float:
    """Estimate the width of a text in a wide sans-serif face, rather too much than too little."""
    widths = (
        0.36 if letter in _NARROW else 0.95 if letter in _WIDE else
        0.72 if letter.isupper() else 0.62 if letter < "\u0900" else 0.85
        for letter in text
    )  # fmt: skip
    return size * sum(widths) * (1.12 if bold else 1.0)


def cut(text: str, width: float, size: float, bold: bool = False) -> str:
    """Return `text` on one line, cut to a width, with an ellipsis where something is missing."""
    told = text = plain(text)
    while text and width_of(told, size, bold) > width:
        text = text.rpartition(" ")[0] or text[:-1]
        told = f"{text} …"
    return told


def wrap_in_two(text: str, width: float, size: float, bold: bool = False) -> list[str]:
    """Break `text` at a blank into at most two lines of a width; the second is cut."""
    words = plain(text).split()
    taken = 1
    while taken < len(words) and width_of(" ".join(words[: taken + 1]), size, bold) <= width:
        taken += 1
    lines = (" ".join(words[:taken]), " ".join(words[taken:]))
    return [cut(line, width, size, bold) for line in lines if line]


def drawing_css(schemes: bool = True) -> str:
    """Return the style sheet of drawings inside a page: dark where wished, light on paper.

    What sets the variables (`--cc-ink`, `--cc-paper`, ...) itself, as a picture, has no `schemes`.
    """
    return render("drawing.css.j2", light=LIGHT, dark=DARK, schemes=schemes)
