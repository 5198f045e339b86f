"""How far each fact moves the list, as bars over the null floor."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
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
    wrapped,
)
from countercase.reports.wording import VERDICTS, floor_of, places, strength

STRONG: Final = Look(fill="move", stroke="move")
WEAK: Final = Look(fill="paper", stroke="move", width=1.6)
FLOOR: Final = Look(fill="floor", stroke="floor", hatched=True)
THRESHOLD: Final = Look(stroke="threshold", width=1.8, dash=(6, 4))
RULE: Final = Look(stroke="rule")
ENDS: Final = Look(stroke="ink", width=1.6)
MARKS: Final[dict[str, tuple[Kind, Colour, str]]] = {
    "dispositive": ("disc", "move", "moves the list"),
    "inconclusive": ("half", "ink", "inconclusive"),
    "not dispositive": ("ring", "dim", "not dispositive"),
}
"""Mark, its colour and the words of each verdict on what was measured."""
UNMEASURED: Final[tuple[Kind, Colour]] = ("dash", "dim")
_SIZE: Final = 12.5
_SIDE: Final = 152.0
_STACKED: Final = 560.0
"""Width below which a fact's name stands above its bar."""


def facts_drawing(analysis: Mapping[str, Any], width: float = 720.0) -> Drawing:
    """One bar for each fact, strongest first; the null floor is a band behind every bar.

    The bar is the sensitivity of the fact and the band its `noise`, with the threshold as a line.
    Where the verdicts are calibrated, the bar is the mean move of its edits of the case as it is,
    with its interval, and the band is the floor that it was held against. Facts of which nothing
    was measured stand below, with the reason.

    Args:
        analysis: the data of analysis.json.
        width: pixels; on a narrow screen the names stand above the bars.
    """
    facts = sorted(analysis["facts"], key=lambda it: strength(it["verdict"], it["sensitivity"]))
    bars = [_Bar(fact) for fact in facts if fact["sensitivity"] is not None]
    others = [fact for fact in facts if fact["sensitivity"] is None]
    calibrated = any(bar.interval for bar in bars)
    threshold = None if calibrated else float(analysis["settings"]["DISPOSITIVE_THRESHOLD"])
    return _Chart(bars, others, threshold, width).drawing()


class _Bar:
    """What is drawn of one measured fact."""

    def __init__(self, fact: Mapping[str, Any]) -> None:
        self.fact_id: str = fact["fact_id"]
        self.label: str = fact["label"] + (" (not in the case; when added)" * fact["added"])
        floor = fact["calibrated"]
        self.move: float = floor["move"] if floor else fact["sensitivity"]
        self.floor = floor_of(fact)
        self.interval: tuple[float, float] | None = (floor["low"], floor["high"]) if floor else None
        self.verdict: str = fact["verdict"]
        self.mark, self.colour, self.words = MARKS[self.verdict]

    @property
    def text(self) -> str:
        words = "not measured" if self.floor is None else places(self.floor)
        interval = self.interval
        range_ = f" (95%: {places(interval[0])} to {places(interval[1])})" if interval else ""
        return (
            f"{self.label}: {places(self.move)} places{range_}, words alone {words}: {self.words}"
        )


class _Chart:
    def __init__(
        self,
        bars: Sequence[_Bar],
        others: Sequence[Mapping[str, Any]],
        threshold: float | None,
        width: float,
    ) -> None:
        self.bars, self.others, self.threshold, self.width = bars, others, threshold, width
        self.stacked = width < _STACKED
        self.left = 4.0 if self.stacked else round(width * 0.37)
        self.right = width - (60.0 if self.stacked else _SIDE)
        ends = [bar.interval[1] for bar in bars if bar.interval]
        values = [value for bar in bars for value in (bar.move, bar.floor or 0.0)]
        self.most = max([*values, *ends, (threshold or 0.0) * 1.1, 0.5]) * 1.02
        self.row = 50.0 if self.stacked else 38.0

    def at(self, value: float) -> float:
        """Where a number of places lies."""
        return self.left + (self.right - self.left) * min(value, self.most) / self.most

    def drawing(self) -> Drawing:
        top = 26.0
        bottom = top + self.row * len(self.bars)
        shapes: list[Shape] = []
        if self.bars:
            shapes += self._axis(top, bottom)
            for at, bar in enumerate(self.bars):
                shapes.append(self._bar(bar, top + self.row * at))
            shapes += self._threshold(top, bottom)
            bottom += 38
        for fact in self.others:
            shapes.append(self._unmeasured(fact, bottom))
            bottom += 22
        keys, bottom = legend(self._keys(), self.width, bottom + 20)
        listed = "; ".join(bar.text for bar in self.bars) or "no fact was measured"
        title = "How far the list of precedents moves when a fact is changed"
        return Drawing(self.width, bottom, title, f"{listed}.", (*shapes, *keys))

    def _axis(self, top: float, bottom: float) -> list[Shape]:
        step = _step(self.most)
        shapes: list[Shape] = [Line((self.left, top), (self.left, bottom), RULE)]
        for tick in range(int(self.most / step) + 1):
            x = self.at(tick * step)
            shapes.append(Line((x, bottom), (x, bottom + 4), RULE))
            shapes.append(Words(x, bottom + 16, f"{tick * step:g}", "dim", 11, "middle"))
        text = "mean rank displacement, in places"
        shapes.append(Words(self.left, bottom + 31, text, "dim", 11))
        return shapes

    def _threshold(self, top: float, bottom: float) -> list[Shape]:
        if self.threshold is None:
            return []
        x = self.at(self.threshold)
        lines: list[Shape] = [Line((x, top - 6), (x, bottom), THRESHOLD)]
        if self.stacked:  # not through the names
            rows = (top + self.row * at for at in range(len(self.bars)))
            lines = [Line((x, y + 21), (x, y + 47), THRESHOLD) for y in rows]
        return [
            *lines,
            Words(x, top - 12, f"threshold {self.threshold:g}", "threshold", 11, "middle"),
        ]

    def _bar(self, bar: _Bar, y: float) -> Group:
        middle = y + (34 if self.stacked else self.row / 2)
        bold = bar.verdict == "dispositive"
        shapes: list[Shape] = []
        if self.stacked:
            name = cut(bar.label, self.width - 134, _SIZE, bold)
            shapes.append(Words(self.left, y + 15, name, size=_SIZE, bold=bold))
            shapes += self._verdict(bar, self.width - 118, y + 15)
        else:
            lines = wrapped(bar.label, self.left - 14, _SIZE, 2, bold)
            first = middle + 4.5 - 7.5 * (len(lines) - 1)
            shapes += [
                Words(0, first + 15 * at, line, size=_SIZE, bold=bold)
                for at, line in enumerate(lines)
            ]
            shapes += self._verdict(bar, self.right + 44, middle + 4)
        if bar.floor:
            shapes.append(Box(self.left, middle - 12, self.at(bar.floor) - self.left, 24, FLOOR))
        look = STRONG if bold else WEAK
        shapes.append(Box(self.left, middle - 6, self.at(bar.move) - self.left, 12, look))
        if bar.interval:
            low, high = map(self.at, bar.interval)
            shapes += [
                Line((low, middle), (high, middle), ENDS),
                Line((low, middle - 4), (low, middle + 4), ENDS),
                Line((high, middle - 4), (high, middle + 4), ENDS),
            ]
        x = self.right + (46 if self.stacked else 36)
        shapes.append(Words(x, middle + 4.5, places(bar.move), size=_SIZE, align="end", bold=bold))
        return Group(tuple(shapes), bar.text, (("fact", bar.fact_id),))

    def _verdict(self, bar: _Bar, x: float, baseline: float) -> list[Shape]:
        colour: Colour = "ink" if bar.verdict != "not dispositive" else "dim"
        return [
            Mark(x + 6, baseline - 4, bar.mark, bar.colour),
            Words(x + 17, baseline, bar.words, colour, 11.5, bold=bar.verdict == "dispositive"),
        ]

    def _unmeasured(self, fact: Mapping[str, Any], y: float) -> Group:
        label, verdict = fact["label"], fact["verdict"]
        x = self.width - 118 if self.stacked else self.right + 44
        kind, colour = UNMEASURED
        room = x - 14 if self.stacked else self.right - 8
        shapes = (
            Words(0, y + 15, cut(label, room, 11.5), "dim", 11.5),
            Mark(x + 6, y + 11, kind, colour),
            Words(x + 17, y + 15, verdict, "dim", 11.5),
        )
        meaning = dict(VERDICTS)[verdict]
        return Group(shapes, f"{label}: {verdict}: {meaning}", (("fact", fact["fact_id"]),))

    def _keys(self) -> list[tuple[Kind | Look, Colour, str]]:
        keys: list[tuple[Kind | Look, Colour, str]] = []
        if any(bar.floor for bar in self.bars):
            keys.append((FLOOR, "floor", "null floor: moved by words alone"))
        elif self.bars:
            keys.append(("dash", "dim", "no move by words alone"))
        if any(bar.interval for bar in self.bars):
            keys.append((ENDS, "ink", "95% interval over wordings of the case"))
        verdicts = {bar.verdict for bar in self.bars}
        if verdicts - {"dispositive"}:
            keys.append((WEAK, "move", "not dispositive, or inconclusive"))
        if self.others:
            keys.append((*UNMEASURED, "nothing was measured; this is not zero"))
        return keys


def _step(most: float) -> float:
    """The distance of two ticks: 1, 2 or 5 times a power of ten, at most six on the axis."""
    power = 10.0 ** math.floor(math.log10(most / 6))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= most / 6)
