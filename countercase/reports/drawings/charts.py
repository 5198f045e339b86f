"""The drawings of an analysis: facts over their null floor, two rankings side by side, the tree."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from countercase.counterfactual.displacement import displacement
from countercase.io import read_table
from countercase.reports import wording
from countercase.reports.drawings.canvas import Drawing, Key, cut, draw, wrap_in_two
from countercase.reports.tree_files import walk
from countercase.reports.wording import places

_STACKED: Final = 560.0
"""Width below which a fact's name stands above its bar."""
_ABOVE_BARS: Final = 26.0
_LIST, _BETWEEN_LISTS, _ABOVE_ROWS, _ROW = 318.0, 96.0, 70.0, 26.0
_ROOT, _BOX, _BETWEEN_BOXES, _STATE = 124.0, 304.0, 34.0, 25.0
"""Widths of a list and of the boxes of a tree, and heights of their rows."""


def facts_drawing(analysis: Mapping[str, Any], width: float = 720.0) -> Drawing:
    """Draw one bar for each fact of analysis.json, strongest first, and its null floor as a band.

    The bar is the sensitivity of the fact and the band its `noise`, with the threshold as a line.
    Where the verdicts are calibrated, the bar is the mean move of its edits of the case as it is,
    with its interval, and the band is the floor that it was held against. Facts of which nothing
    was measured stand below, with the reason. In a narrow `width` (pixels) names are above the bars.
    """
    facts = wording.strongest_first(analysis["facts"])
    measured = [fact for fact in facts if fact["sensitivity"] is not None]
    stacked = width < _STACKED
    left = 4.0 if stacked else round(width * 0.37)
    right = width - (60.0 if stacked else 152.0)
    verdict_x = width - 118 if stacked else right + 44
    height = 64.0 if stacked else 38.0
    bars, others = list[dict[str, Any]](), facts[len(measured) :]
    for fact in measured:
        label = "not in the case: " * fact["added"] + fact["label"]
        exact, floor = fact["calibrated"], wording.floor_of(fact)
        move = exact["move"] if exact else fact["sensitivity"]
        interval = (exact["low"], exact["high"]) if exact else None
        range_ = f" (95%: {places(interval[0])} to {places(interval[1])})" if interval else ""
        words = "not measured" if floor is None else places(floor)
        told = f"{places(move)} places{range_}, words alone {words}: {wording.verdict_word(fact['verdict'])}"
        own = {"label": label, "move": move, "floor": floor, "interval": interval}
        bars.append({**fact, **own, "text": f"{label}: {told}"})
    calibrated = any(bar["interval"] for bar in bars)
    threshold = 0.0 if calibrated else float(analysis["settings"]["DISPOSITIVE_THRESHOLD"])
    values = [bar["interval"][1] for bar in bars if bar["interval"]]
    values += [value for bar in bars for value in (bar["move"], bar["floor"] or 0.0)]
    most = max([*values, threshold * 1.1, 0.5]) * 1.02
    bottom = _ABOVE_BARS + height * len(bars)
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
        f"{len(bars)} of {len(facts)} facts were measured; the table of facts has every figure.",
        width, end + 22 * len(others) + 20, keys,
        bars=bars, others=others, stacked=stacked, verdict_x=verdict_x, left=left, right=right,
        top=_ABOVE_BARS, each=height, bottom=bottom, below=end, threshold=threshold,
        verdicts=wording.VERDICTS, cut=cut, wrap=wrap_in_two,
        ticks=[tick * step for tick in range(int(most / step) + 1)],
        at=lambda value: left + (right - left) * value / most,
    )  # fmt: skip


_ORDER: Final = ("cc-still", "cc-left", "cc-moved")
"""The looks of lines, those that are drawn over the others last."""


def compare_drawing(
    tree: Mapping[str, Any], analysis: Mapping[str, Any], titles: Mapping[str, str]
) -> Drawing:
    """Draw the list of the case as it is beside that of its strongest edit, the first of equals.

    They are of tree.json and analysis.json, where some edit was measured. A precedent that moved no
    further than words alone move the list has a grey line, as has none where that was not measured.
    One that left the list stands below it with a cross; one that is new has a diamond. An id
    without a title stands for itself; what is not in a list of `top_k` counts as the next rank.
    """
    measured = [it for it in tree["links"] if it["mean_displacement"] is not None]
    first = [it for it in measured if it["source"] == "root"]
    link = max(first, key=lambda it: it["mean_displacement"])
    lists = {it["id"]: [row["case_id"] for row in it["ranking"]] for it in tree["nodes"]}
    known, ids, x = lists["root"], lists[link["target"]], _LIST + _BETWEEN_LISTS
    names = ("The case as it is", link["edit"]["supposition"])
    band = wording.band_of(analysis, [link["edit"]["fact_id"]])
    change = displacement(known, ids, max(tree["graph"]["top_k"], len(ids), len(known)))
    under = _ABOVE_ROWS + _ROW * max(len(ids), 1) + 22
    start = {case: _ABOVE_ROWS + _ROW * row for row, case in enumerate(known)}
    end = {case: _ABOVE_ROWS + _ROW * row for row, case in enumerate(ids)}
    end |= {case: under + _ROW * row for row, case in enumerate(change.dropped)}
    look, floor = {True: "cc-moved", False: "cc-still"}, band or 0.0
    looks = {case: look[moved > floor] for case, moved in change.by_case.items()}
    looks |= dict.fromkeys(change.dropped, "cc-left")
    joined = [(_LIST + 4, y - 4, x - 6, end[case] - 4, looks[case]) for case, y in start.items()]
    before, ranks = ({case: at for at, case in enumerate(it, 1)} for it in (known, ids))
    rows = [(case, before[case], before[case], y, "") for case, y in start.items()]
    places_of = {case: (before.get(case), ranks.get(case)) for case in end}
    compared = [(case, *places_of[case], y, looks[case]) for case, y in end.items()]
    words = "" if band is None else f"; words alone {places(band)}"
    heads = [wrap_in_two(name, _LIST, 12.5, bold=True) for name in names]
    columns = (
        {"x": 0.0, "heading": heads[0], "rows": rows, "moved": "", "left_y": 0.0},
        {"x": x, "heading": heads[1], "rows": compared,
         "moved": f"moved {places(change.mean)} places{words}",
         "left_y": under - 20 if change.dropped else 0.0},
    )  # fmt: skip
    keys = [
        Key("cc-moved", "moved further than words alone move the list", "line"),
        Key("cc-still", "within the null floor, or the same rank", "line"),
        Key("diamond", "new in the list", colour="new"),
        Key("cross", "left the list", colour="dropped"),
    ]
    return draw(
        "compare.svg.j2",
        "Precedents side by side",
        f"{names[0]}, and {names[1]}: mean rank displacement {places(change.mean)}, "
        f"{len(change.dropped)} left, {len(change.new)} new.",
        2 * _LIST + _BETWEEN_LISTS, max(_ABOVE_ROWS, *start.values(), *end.values()) + _ROW + 24,
        keys, span=_LIST, columns=columns, cut=cut,
        titles={case: titles.get(case, case) for case in start | end},
        lines=sorted(joined, key=lambda line: _ORDER.index(line[4])),
    )  # fmt: skip


STATUSES: Final = {row["status"]: row for row in read_table("reports/statuses", dict)}
"""Mark, its colour and words of each status; its box is a class of `drawing.css.j2`."""


def tree_drawing(tree: Mapping[str, Any], link: str = "") -> Drawing:
    """Draw the states by depth, each with the last edit that leads to it and how far it moved the list.

    A state of tree.json that several paths lead to stands below the first of them; the others are
    dotted lines. Each has its id as `data-state`, and leads to `link` and its id, if that is given.
    """
    nodes = {node["id"]: node for node in tree["nodes"]}
    places_of, sources = positions(tree)
    corners = {
        state: (2 + (column and _ROOT - _BOX + column * (_BOX + _BETWEEN_BOXES)), 6 + _STATE * row)
        for state, (column, row) in places_of.items()
    }
    lines, first = list[tuple[float, float, float, float, str, float]](), dict[str, Any]()
    for edge in tree["links"]:
        source, target = edge["source"], edge["target"]
        look, width = "cc-again", 0.0
        if sources[target] == source and target not in first:
            first[target] = edge
            moved = edge["mean_displacement"]
            look = "cc-refusal" if moved is None else "cc-rule"
            width = 0.0 if moved is None else 0.8 + 0.5 * min(moved, 6.0)
        (x, y), (to_x, to_y) = corners[source], corners[target]
        x += _ROOT if source == "root" else _BOX
        lines.append((x, y + 10, to_x, to_y + 10, look, width))
    lines.sort(key=lambda line: line[4] != "cc-again")
    present = {node["status"] for node in nodes.values()}
    looks = [look for status, look in STATUSES.items() if status in present]
    keys = [Key(look["sign"], look["words"], colour=look["colour"]) for look in looks]
    if any(line[4] == "cc-again" for line in lines):
        keys.append(Key("cc-again", "the same suppositions in another order", "line"))
    depth, rows = (max(place[at] for place in places_of.values()) for at in (0, 1))
    return draw(
        "tree.svg.j2",
        "The tree of what-ifs",
        f"{len(nodes)} states of the case, the case as it is on the left. Each box is one "
        "supposition more than the box on its left, with the mean rank displacement between the two.",
        _ROOT + depth * (_BETWEEN_BOXES + _BOX) + 8, 6 + _STATE * (rows + 1) + 22, keys,
        link=link, lines=lines,
        states=[(nodes[state], first.get(state), *at) for state, at in corners.items()],
        statuses=STATUSES, root=_ROOT, box=_BOX, cut=cut,
    )  # fmt: skip


def positions(tree: Mapping[str, Any]) -> tuple[dict[str, tuple[int, float]], dict[str, str]]:
    """Return column and row of each state of tree.json, and the state that each stands below.

    A column is a depth; a parent stands midway of its children.
    """
    targets, own = ({node["id"]: list[str]() for node in tree["nodes"]} for _ in range(2))
    for edge in tree["links"]:
        targets[edge["source"]].append(edge["target"])
    depths, sources = {"root": 0}, {"root": ""}
    for depth, source, target in walk(targets):
        own[source].append(target)
        depths[target], sources[target] = depth, source
    rows = {state: float(row) for row, state in enumerate(it for it in depths if not own[it])}
    for state in reversed(depths):
        if own[state]:
            rows[state] = (rows[own[state][0]] + rows[own[state][-1]]) / 2
    return {state: (depth, rows[state]) for state, depth in depths.items()}, sources
