"""Drawings as SVG text, without script, style sheet or style attribute.

The colours come from classes (`drawing_css`), so that a strict Content-Security-Policy is kept and
dark pages get light lines.
"""

from __future__ import annotations

import hashlib
import html
from collections.abc import Iterator
from typing import Final

from countercase.reports.drawings.shapes import (
    Box,
    Colour,
    Drawing,
    Group,
    Line,
    Look,
    Mark,
    Shape,
    Words,
)
from countercase.reports.text import plain

FONT: Final = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', Arial, sans-serif"


def svg(drawing: Drawing) -> str:
    """The SVG element of a drawing: the same drawing, the same bytes."""
    return _Writer(drawing).text()


class _Writer:
    def __init__(self, drawing: Drawing) -> None:
        self.drawing = drawing
        # Ids must be unique in a page with several drawings, and the same on every run.
        self.name = "d" + hashlib.sha256(repr(drawing).encode()).hexdigest()[:8]
        self.hatches: list[Colour] = []

    def text(self) -> str:
        drawing, name = self.drawing, self.name
        size = f'width="{_n(drawing.width)}" height="{_n(drawing.height)}"'
        # What leads somewhere is no picture: in a picture no reader reaches the links.
        role = "group" if drawing.linked else "img"
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="cc-drawing" {size} '
            f'viewBox="0 0 {_n(drawing.width)} {_n(drawing.height)}" role="{role}" '
            f'aria-labelledby="{name}-t" aria-describedby="{name}-d" font-family="{FONT}">'
            f'<title id="{name}-t">{_text(drawing.title)}</title>'
            f'<desc id="{name}-d">{_text(drawing.description)}</desc>'
        )
        body = "".join(part for shape in drawing.shapes for part in self._shape(shape))
        return f"{head}{self._patterns()}{body}</svg>"

    def _patterns(self) -> str:
        patterns = "".join(
            f'<pattern id="{self.name}-{colour}" width="5" height="5" '
            'patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
            f'<path d="M0 0V5" stroke-width="1.6"{_colour("stroke", colour)}/></pattern>'
            for colour in self.hatches
        )
        return f"<defs>{patterns}</defs>" if patterns else ""

    def _shape(self, shape: Shape) -> Iterator[str]:
        if isinstance(shape, Group):
            yield from self._group(shape)
        elif isinstance(shape, Words):
            bold = ' font-weight="600"' if shape.bold else ""
            align = "" if shape.align == "start" else f' text-anchor="{shape.align}"'
            yield (
                f'<text x="{_n(shape.x)}" y="{_n(shape.y)}" font-size="{_n(shape.size)}"{align}'
                f"{bold}{_colour('fill', shape.colour)}>{_text(shape.text)}</text>"
            )
        elif isinstance(shape, Box):
            corner = f' rx="{_n(shape.corner)}"' if shape.corner else ""
            yield (
                f'<rect x="{_n(shape.x)}" y="{_n(shape.y)}" width="{_n(shape.width)}" '
                f'height="{_n(shape.height)}"{corner}{self._look(shape.look)}/>'
            )
        elif isinstance(shape, Line):
            yield f'<path d="{_path(shape)}"{self._look(shape.look)}/>'
        else:
            yield self._mark(shape)

    def _group(self, group: Group) -> Iterator[str]:
        data = "".join(f' data-{name}="{html.escape(value)}"' for name, value in group.data)
        tag, link = ("a", f' href="{html.escape(group.link)}"') if group.link else ("g", "")
        yield f"<{tag}{link}{data}><title>{_text(group.title)}</title>"
        for shape in group.shapes:
            yield from self._shape(shape)
        yield f"</{tag}>"

    def _mark(self, mark: Mark) -> str:
        x, y, r = mark.x, mark.y, mark.radius
        filled = mark.kind in ("disc", "square", "star")
        colour = Look(
            fill=mark.colour if filled else None if mark.kind in ("cross", "dash") else "paper",
            stroke=mark.colour,
            width=1.8,
        )
        if mark.kind in ("disc", "ring", "half"):
            circle = f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(r - 0.5)}"{self._look(colour)}/>'
            if mark.kind == "half":
                arc = f"M{_n(x)} {_n(y - r)}a{_n(r)} {_n(r)} 0 0 0 0 {_n(2 * r)}z"
                circle += f'<path d="{arc}"{_colour("fill", mark.colour)}/>'
            return circle
        return f'<path d="{mark_path(mark)}"{self._look(colour)}/>'

    def _look(self, look: Look) -> str:
        if look.hatched and look.fill:
            if look.fill not in self.hatches:
                self.hatches.append(look.fill)
            fill = f' fill="url(#{self.name}-{look.fill})"'
        else:
            fill = _colour("fill", look.fill) if look.fill else ' fill="none"'
        if look.stroke is None:
            return fill
        width = "" if look.width == 1 else f' stroke-width="{_n(look.width)}"'
        dash = f' stroke-dasharray="{" ".join(map(_n, look.dash))}"' if look.dash else ""
        if not look.fill or look.hatched:
            return f"{fill}{_colour('stroke', look.stroke)}{width}{dash}"
        classes = f' class="cc-fill-{look.fill} cc-line-{look.stroke}"'
        return f"{classes}{width}{dash}"


def _colour(what: str, colour: Colour) -> str:
    return f' class="cc-{"line" if what == "stroke" else "fill"}-{colour}"'


def mark_path(mark: Mark) -> str:
    """The outline of a mark that is no circle, as SVG path data."""
    x, y, r = mark.x, mark.y, mark.radius
    if mark.kind == "diamond":
        points = [(x, y - r), (x + r, y), (x, y + r), (x - r, y)]
    elif mark.kind == "square":
        points = [(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)]
    elif mark.kind == "star":
        q = r * 0.4
        points = [(x, y - r), (x + q, y - q), (x + r, y), (x + q, y + q),
                  (x, y + r), (x - q, y + q), (x - r, y), (x - q, y - q)]  # fmt: skip
    elif mark.kind == "cross":
        q = r * 0.8
        left, right, top, bottom = map(_n, (x - q, x + q, y - q, y + q))
        return f"M{left} {top}L{right} {bottom}M{left} {bottom}L{right} {top}"
    else:
        return f"M{_n(x - r)} {_n(y)}H{_n(x + r)}"
    return "M" + "L".join(f"{_n(a)} {_n(b)}" for a, b in points) + "z"


def _path(line: Line) -> str:
    (x, y), (to_x, to_y) = line.start, line.end
    if not line.curved:
        return f"M{_n(x)} {_n(y)}L{_n(to_x)} {_n(to_y)}"
    middle = (x + to_x) / 2
    return f"M{_n(x)} {_n(y)}C{_n(middle)} {_n(y)} {_n(middle)} {_n(to_y)} {_n(to_x)} {_n(to_y)}"


def _n(number: float) -> str:
    """A number with at most two decimals: the same on every machine."""
    return f"{round(number, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def _text(text: str) -> str:
    return html.escape(plain(text), quote=False)
