"""Two rankings side by side; lines join the same precedent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from countercase.counterfactual.displacement import displacement
from countercase.errors import InputError
from countercase.reports.drawings.canvas import Drawing, Key, cut, draw, wrap_in_two
from countercase.reports.wording import band_of, places

COLUMN: Final = 318.0
GAP: Final = 96.0
ROW: Final = 26.0
_TOP: Final = 70.0
_ORDER: Final = ("cc-still", "cc-left", "cc-moved")
"""The looks of lines, those that are drawn over the others last."""


@dataclass(frozen=True)
class RankedList:
    """A ranking to be compared.

    Args:
        name: what the ranking is of: `The case as it is`, or the edits that were made.
        case_ids: best first.
        floor: how many places words alone move the list for the facts that changed; None where
            that was not measured, so that every move counts.
    """

    name: str
    case_ids: tuple[str, ...]
    floor: float | None = None


def strongest_lists(
    tree: Mapping[str, Any], analysis: Mapping[str, Any]
) -> tuple[RankedList, RankedList]:
    """Return the list of the case as it is and that of its strongest edit, the first of equals.

    Args:
        tree, analysis: the data of tree.json and analysis.json; the null floor of a list is the
            highest of the facts that it changes.

    Raises:
        InputError: no edit of the case as it is was measured.
    """
    rankings = {
        node["id"]: tuple(row["case_id"] for row in node["ranking"]) for node in tree["nodes"]
    }
    moved = [link for link in tree["links"] if link["mean_displacement"] is not None]
    measured = [link for link in moved if link["source"] == "root"]
    if not measured:
        raise InputError("no edit of the case was measured, so there is nothing to compare")
    link = max(measured, key=lambda link: link["mean_displacement"])
    floor = band_of(analysis, [link["edit"]["fact_id"]])
    after = RankedList(link["edit"]["supposition"], rankings[link["target"]], floor)
    return RankedList("The case as it is", rankings["root"]), after


def compare_drawing(
    base: RankedList, after: RankedList, titles: Mapping[str, str], top_k: int = 10
) -> Drawing:
    """Draw two lists side by side, the second against the first.

    A precedent that moved no further than the null floor has a grey line. One that left the list
    stands below it with a cross; one that is new has a diamond.

    Args:
        titles: by id; an id without one stands for itself.
        top_k: the length of a full list: a precedent that is not in it counts as the next rank.
    """
    ids, x = after.case_ids, COLUMN + GAP
    change = displacement(base.case_ids, ids, max(top_k, len(ids), len(base.case_ids)))
    under = _TOP + ROW * max(len(ids), 1) + 22
    start = {case: _TOP + ROW * row for row, case in enumerate(base.case_ids)}
    end = {case: _TOP + ROW * row for row, case in enumerate(ids)}
    end |= {case: under + ROW * row for row, case in enumerate(change.dropped)}
    looks = {
        case: "cc-moved" if moved > (after.floor or 0.0) else "cc-still"
        for case, moved in change.by_case.items()
    } | dict.fromkeys(change.dropped, "cc-left")
    joined = [(COLUMN + 4, y - 4, x - 6, end[case] - 4, looks[case]) for case, y in start.items()]
    before, ranks = ({case: at for at, case in enumerate(it, 1)} for it in (base.case_ids, ids))
    rows = [(case, before[case], before[case], y, "") for case, y in start.items()]
    compared = [
        (case, before.get(case), ranks.get(case), y, looks[case]) for case, y in end.items()
    ]
    words = "" if after.floor is None else f"; words alone {places(after.floor)}"
    heads = [wrap_in_two(it.name, COLUMN, 12.5, bold=True) for it in (base, after)]
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
        f"{base.name}, and {after.name}: mean rank displacement {places(change.mean)}, "
        f"{len(change.dropped)} left, {len(change.new)} new.",
        2 * COLUMN + GAP, max(_TOP, *start.values(), *end.values()) + ROW + 24, keys, span=COLUMN,
        columns=columns, titles={case: titles.get(case, case) for case in start | end}, cut=cut,
        lines=sorted(joined, key=lambda line: _ORDER.index(line[4])),
    )  # fmt: skip
