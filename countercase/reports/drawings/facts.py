"""How far each fact moves the list, as bars over the null floor."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from countercase.reports.drawings.canvas import Drawing, Key, cut, draw, wrap_in_two
from countercase.reports.wording import VERDICTS, floor_of, places, strongest_first, verdict_word

_MARKS: Final = {
    "dispositive": ("disc", "move"), "inconclusive": ("half", "ink"), "not dispositive": ("ring", "dim"),
}  # fmt: skip
"""Mark and its colour of each verdict on what was measured."""
_TOP: Final = 26.0
_STACKED: Final = 560.0
"""Width below which a fact's name stands above its bar."""


def facts_drawing(analysis: Mapping[str, Any], width: float = 720.0) -> Drawing:
    """Draw one bar for each fact, strongest first; the null floor is a band behind every bar.

    The bar is the sensitivity of the fact and the band its `noise`, with the threshold as a line.
    Where the verdicts are calibrated, the bar is the mean move of its edits of the case as it is,
    with its interval, and the band is the floor that it was held against. Facts of which nothing
    was measured stand below, with the reason.

    Args:
        analysis: the data of analysis.json.
        width: pixels; on a narrow screen the names stand above the bars.
    """
    facts = strongest_first(analysis["facts"])
    measured = [fact for fact in facts if fact["sensitivity"] is not None]
    stacked = width < _STACKED
    left = 4.0 if stacked else round(width * 0.37)
    right = width - (60.0 if stacked else 152.0)
    verdict_x = width - 118 if stacked else right + 44
    height = 50.0 if stacked else 38.0
    bars, others = [_bar(fact) for fact in measured], facts[len(measured) :]
    calibrated = any(bar["interval"] for bar in bars)
    threshold = 0.0 if calibrated else float(analysis["settings"]["DISPOSITIVE_THRESHOLD"])
    values = [bar["interval"][1] for bar in bars if bar["interval"]]
    values += [value for bar in bars for value in (bar["move"], bar["floor"] or 0.0)]
    most = max([*values, threshold * 1.1, 0.5]) * 1.02
    bottom = _TOP + height * len(bars)
    end = bottom + 38 if bars else bottom
    floored = any(bar["floor"] for bar in bars)
    weak = any(bar["verdict"] != "dispositive" for bar in bars)
    entries = (
        (floored, Key("cc-band", "moved by other words alone", "box")),
        (bars and not floored, Key("dash", "no move by other words alone", colour="dim")),
        (calibrated, Key("cc-ends", "95% interval over wordings of the case", "line")),
        (weak, Key("cc-weak", "hardly moves it, or inconclusive", "box")),
        (others, Key("dash", "nothing was measured; this is not zero", colour="dim")),
    )
    keys = [key for is_there, key in entries if is_there]
    # 1, 2 or 5 times a power of ten, so that at most six ticks stand on the axis
    power = 10.0 ** math.floor(math.log10(most / 6))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= most / 6)
    return draw(
        "facts.svg.j2",
        "How far the list of precedents moves when a fact is changed",
        "; ".join(bar["text"] for bar in bars) + "." if bars else "no fact was measured.",
        width, end + 22 * len(others) + 20, keys,
        bars=bars, others=others, stacked=stacked, verdict_x=verdict_x, left=left, right=right,
        top=_TOP, each=height, bottom=bottom, below=end, threshold=threshold, marks=_MARKS,
        verdicts=VERDICTS, cut=cut, wrap=wrap_in_two,
        ticks=[tick * step for tick in range(int(most / step) + 1)],
        at=lambda value: left + (right - left) * value / most,
    )  # fmt: skip


def _bar(fact: Mapping[str, Any]) -> dict[str, Any]:
    """Return a measured fact with its move, its floor, its interval and what all that says."""
    label = fact["label"] + (" (not in the case; when added)" * fact["added"])
    calibrated, floor = fact["calibrated"], floor_of(fact)
    move = calibrated["move"] if calibrated else fact["sensitivity"]
    interval = (calibrated["low"], calibrated["high"]) if calibrated else None
    measured = "not measured" if floor is None else places(floor)
    range_ = f" (95%: {places(interval[0])} to {places(interval[1])})" if interval else ""
    words = verdict_word(fact["verdict"])
    return {
        **fact, "label": label, "move": move, "floor": floor, "interval": interval,
        "text": f"{label}: {places(move)} places{range_}, words alone {measured}: {words}",
    }  # fmt: skip
