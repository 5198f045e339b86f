"""A drawing as shapes with looks, before any format is chosen; units are CSS pixels.

The same shapes become SVG for pages and reports (`vector`) and a PNG for Word files (`picture`).
A look says what a line or a face means; both formats take its colour, dashes and hatching from here.

Text keeps a contrast of at least 4.5 to 1 to the paper and everything else that says something at
least 3 to 1 (WCAG 2.2, 1.4.3 and 1.4.11), in a light and a dark scheme. No meaning rests on a colour
alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from countercase.reports.text import plain

Colour: TypeAlias = Literal[
    "paper", "ink", "dim", "rule", "floor", "move", "threshold", "new", "dropped"
]
"""What a colour is for."""
LIGHT: Final[dict[Colour, str]] = {
    "paper": "#ffffff", "ink": "#1b1f24", "dim": "#505a64", "rule": "#767f89",
    "floor": "#767f89", "move": "#0b5394", "threshold": "#a63a00", "new": "#17663a",
    "dropped": "#a63a00",
}  # fmt: skip
DARK: Final[dict[Colour, str]] = {
    "paper": "#15181c", "ink": "#e8eaed", "dim": "#aab3bd", "rule": "#828c97",
    "floor": "#828c97", "move": "#74b9ff", "threshold": "#ffa366", "new": "#63d18f",
    "dropped": "#ffa366",
}  # fmt: skip
Kind: TypeAlias = Literal["disc", "ring", "half", "diamond", "cross", "square", "star", "dash"]


@dataclass(frozen=True)
class Look:
    """How a shape is drawn; None: not at all.

    Args:
        width: of the line, in pixels.
        dash: lengths of dashes and gaps, or empty for a solid line.
        hatched: whether the face is filled with slanted lines of its colour.
    """

    fill: Colour | None = None
    stroke: Colour | None = None
    width: float = 1.0
    dash: tuple[float, ...] = ()
    hatched: bool = False


@dataclass(frozen=True)
class Box:
    """A rectangle; `corner` is the radius of its corners."""

    x: float
    y: float
    width: float
    height: float
    look: Look
    corner: float = 0.0


@dataclass(frozen=True)
class Line:
    """A line through two points; `curved` leaves and arrives horizontally."""

    start: tuple[float, float]
    end: tuple[float, float]
    look: Look
    curved: bool = False


@dataclass(frozen=True)
class Words:
    """One line of text; `y` is its baseline."""

    x: float
    y: float
    text: str
    colour: Colour = "ink"
    size: float = 12.0
    align: Literal["start", "middle", "end"] = "start"
    bold: bool = False


@dataclass(frozen=True)
class Mark:
    """A small sign around its centre."""

    x: float
    y: float
    kind: Kind
    colour: Colour
    radius: float = 5.0


@dataclass(frozen=True)
class Group:
    """Shapes that are one thing, with its full text.

    Args:
        title: what a pointer resting on it is told.
        data: names and values of `data-` attributes, so that a page can find it.
        link: where a click leads; empty for nowhere.
    """

    shapes: tuple[Shape, ...]
    title: str
    data: tuple[tuple[str, str], ...] = ()
    link: str = ""


Shape: TypeAlias = "Box | Line | Words | Mark | Group"


@dataclass(frozen=True)
class Drawing:
    """A finished drawing.

    Args:
        title, description: what a reader who does not see it is told.
    """

    width: float
    height: float
    title: str
    description: str
    shapes: tuple[Shape, ...]

    @property
    def linked(self) -> bool:
        """Whether a part of it leads somewhere."""
        return any(isinstance(shape, Group) and shape.link for shape in self.shapes)


_NARROW: Final = frozenset("iljtfrI.,:;'|!()[]/ -")
_WIDE: Final = frozenset("mwMWGOQ@%→–—")


def width_of(text: str, size: float, bold: bool = False) -> float:
    """About how wide a text is in a wide sans-serif face; rather too much than too little."""
    widths = (
        0.36 if letter in _NARROW else 0.95 if letter in _WIDE else
        0.72 if letter.isupper() else 0.62 if letter < "\u0900" else 0.85
        for letter in text
    )  # fmt: skip
    return size * sum(widths) * (1.12 if bold else 1.0)


def cut(text: str, width: float, size: float, bold: bool = False) -> str:
    """Return `text` on one line, cut to a width, with an ellipsis where something is missing."""
    text = plain(text)
    if width_of(text, size, bold) <= width:
        return text
    while text and width_of(f"{text} …", size, bold) > width:
        text = text[:-1].rstrip()
    return f"{text} …"


def wrapped(text: str, width: float, size: float, lines: int, bold: bool = False) -> list[str]:
    """`text` broken at blanks into at most `lines` lines of a width; the last one is cut."""
    rows: list[str] = []
    words = plain(text).split()
    while words and len(rows) < lines - 1:
        taken = 1
        while taken < len(words) and width_of(" ".join(words[: taken + 1]), size, bold) <= width:
            taken += 1
        rows.append(cut(" ".join(words[:taken]), width, size, bold))
        words = words[taken:]
    return [*rows, cut(" ".join(words), width, size, bold)] if words else rows


def legend(
    entries: list[tuple[Kind | Look, Colour, str]], width: float, top: float
) -> tuple[list[Shape], float]:
    """A legend below a drawing, wrapped to its width; returns the shapes and where it ends.

    Args:
        entries: a mark, or the look of a line or face, with its colour and its words.
    """
    shapes: list[Shape] = []
    x, y = 0.0, top
    for sign, colour, text in entries:
        needed = 30 + width_of(text, 11.5) + 18
        if x and x + needed - 18 > width:
            x, y = 0.0, y + 20
        if not isinstance(sign, Look):
            shapes.append(Mark(x + 12, y - 4, sign, colour))
        elif sign.fill:
            shapes.append(Box(x + 2, y - 10, 22, 12, sign))
        else:
            shapes.append(Line((x + 2, y - 4), (x + 24, y - 4), sign))
        shapes.append(Words(x + 30, y, text, "dim", 11.5))
        x += needed
    return shapes, y + 8


def drawing_css() -> str:
    """The style sheet of drawings inside a page: one variable per colour, dark where wished.

    A page with a switch of its own sets the variables (`--cc-ink`, `--cc-paper`, ...) itself.
    """
    classes = (
        f".cc-fill-{name}{{fill:var(--cc-{name})}}.cc-line-{name}{{stroke:var(--cc-{name})}}"
        for name in LIGHT
    )
    return "\n".join(
        [
            f":root{{{_variables(LIGHT)}}}",
            f"@media (prefers-color-scheme:dark){{:root{{{_variables(DARK)}}}}}",
            f"@media print{{:root{{{_variables(LIGHT)}}}}}",
            *classes,
            ".cc-drawing{max-width:100%;height:auto}",
            "",
        ]
    )


def _variables(colours: dict[Colour, str]) -> str:
    return ";".join(f"--cc-{name}:{value}" for name, value in colours.items())
