"""Two or more rankings side by side; lines join the same precedent."""

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
_TAG: Final = 52.0


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
    left, right = (
        _Column(base, ranked, at, titles, top_k) for at, ranked in enumerate((base, after))
    )
    keys = [
        Key("cc-moved", "moved further than words alone move the list", "line"),
        Key("cc-still", "within the null floor, or the same rank", "line"),
        Key("diamond", "new in the list", colour="new"),
        Key("cross", "left the list", colour="dropped"),
    ]
    change = right.change
    return draw(
        "compare.svg.j2",
        "Precedents side by side",
        f"{base.name}, and {after.name}: mean rank displacement {places(change.mean)}, "
        f"{len(change.dropped)} left, {len(change.new)} new.",
        2 * COLUMN + GAP, max(left.bottom, right.bottom) + 24, keys,
        span=COLUMN, columns=(left, right), lines=left.lines_to(right),
    )  # fmt: skip


class _Column:
    """One list in its place, against the base."""

    def __init__(
        self, base: RankedList, ranked: RankedList, at: int, titles: Mapping[str, str], top_k: int
    ) -> None:
        ids = ranked.case_ids
        self.name, self.x, self.floor = ranked.name, at * (COLUMN + GAP), ranked.floor or 0.0
        self.change = displacement(base.case_ids, ids, max(top_k, len(ids), len(base.case_ids)))
        self.heading = wrap_in_two(ranked.name, COLUMN, 12.5, bold=True)
        words = "" if ranked.floor is None else f"; words alone {places(ranked.floor)}"
        self.moved = f"moved {places(self.change.mean)} places{words}" if at else ""
        under = _TOP + ROW * max(len(ids), 1) + 22
        self.left_y = under - 20 if self.change.dropped else 0.0
        self.y = {case: _TOP + ROW * row for row, case in enumerate(ids)}
        self.y |= {case: under + ROW * row for row, case in enumerate(self.change.dropped)}
        self.bottom = under + ROW * len(self.change.dropped) - (0 if self.left_y else 22)
        before = {case: rank for rank, case in enumerate(base.case_ids, 1)}
        ranks = {case: rank for rank, case in enumerate(ids, 1)}
        self.rows = [
            self._row(case, titles.get(case, case), before.get(case), ranks.get(case), bool(at))
            for case in self.y
        ]

    def _row(
        self, case: str, title: str, before: int | None, rank: int | None, compared: bool
    ) -> dict[str, Any]:
        """Say and colour what became of a precedent: new, left, moved or where it was."""
        if rank is None:
            told, fate = f"was {before}, left the list", "left"
            tag, colour = f"was {before}", "dropped"
        elif before is None:
            told, fate, tag, colour = "new", "new", "new", "new"
        elif not compared:
            told, fate, tag, colour = "", "", "", "dim"
        elif before == rank:
            told, fate, tag, colour = "same rank", "moved", "=", "dim"
        else:
            told, fate = f"was {before}", "moved"
            tag = f"{'↑' if rank < before else '↓'}{abs(before - rank)}"
            colour = "move" if self.is_beyond_words(case) else "dim"
        bold = colour in ("new", "move")
        number = "" if rank is None else f"{rank}. "
        return {
            "case_id": case,
            "text": f"{number}{title}{f': {told}' if told else ''}",
            "title": cut(title, COLUMN - 26 - (_TAG if compared else 0), 12, bold),
            "rank": rank, "y": self.y[case], "fate": fate, "tag": tag, "colour": colour, "bold": bold,
        }  # fmt: skip

    def lines_to(self, after: _Column) -> list[tuple[float, float, float, float, str]]:
        """Join each precedent of this list with its place in the next column."""
        lines = []
        for row in self.rows:
            case = row["case_id"]
            if row["fate"] != "left" and case in after.y:
                left = case in after.change.dropped
                look = "cc-moved" if after.is_beyond_words(case) else "cc-still"
                start = (self.x + COLUMN + 4, row["y"] - 4)
                end = (after.x - 6, after.y[case] - 4)
                lines.append((*start, *end, "cc-left" if left else look))
        order = ("cc-still", "cc-left", "cc-moved")
        return sorted(lines, key=lambda line: order.index(line[4]))

    def is_beyond_words(self, case: str) -> bool:
        """Say whether a precedent moved further from its rank in the base than words move the list."""
        return self.change.by_case[case] > self.floor
