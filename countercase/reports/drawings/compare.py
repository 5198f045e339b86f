"""Two or more rankings side by side; lines join the same precedent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from countercase.counterfactual.displacement import displacement
from countercase.errors import InputError
from countercase.reports.drawings.shapes import (
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
from countercase.reports.wording import band_of, places

COLUMN: Final = 318.0
GAP: Final = 96.0
ROW: Final = 26.0
_SIZE: Final = 12.0
_TOP: Final = 70.0
_TAG: Final = 52.0
MOVED: Final = Look(stroke="move", width=2.2)
STILL: Final = Look(stroke="rule", width=1.2)
LEFT: Final = Look(stroke="dropped", width=1.6, dash=(5, 4))


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


def ranked_lists(
    tree: Mapping[str, Any], states: Sequence[str], analysis: Mapping[str, Any] | None = None
) -> list[RankedList]:
    """The rankings of states of a tree, in the order given.

    Args:
        tree: the data of tree.json.
        analysis: the data of analysis.json; with it each list has the null floor of the facts
            that it changes, the highest of them.

    Raises:
        InputError: a state is not in the tree, or was refused and has no ranking.
    """
    nodes = {node["id"]: node for node in tree["nodes"]}
    edits = {edge["edit"]["id"]: edge["edit"] for edge in tree["links"]}
    lists = []
    for state in states:
        if state not in nodes or not nodes[state]["ranking"]:
            raise InputError(f"{state}: no such state, or one without a ranking; see tree.json")
        made = [edits[edit] for edit in nodes[state]["edits"]]
        name = "; ".join(edit["supposition"] for edit in made) or "The case as it is"
        changed = [edit["fact_id"] for edit in made]
        ids = tuple(row["case_id"] for row in nodes[state]["ranking"])
        floor = band_of(analysis, changed) if analysis and changed else None
        lists.append(RankedList(name, ids, floor))
    return lists


def strongest_state(tree: Mapping[str, Any]) -> str:
    """The state one edit from the case as it is that moved the list furthest; of equals the first.

    Raises:
        InputError: no edit of the case as it is was measured.
    """
    first = [edge for edge in tree["links"] if edge["source"] == "root"]
    measured = [edge for edge in first if edge["mean_displacement"] is not None]
    if not measured:
        raise InputError("no edit of the case was measured, so there is nothing to compare")
    state: str = max(measured, key=lambda edge: edge["mean_displacement"])["target"]
    return state


def compare_drawing(
    lists: Sequence[RankedList], titles: Mapping[str, str], top_k: int = 10
) -> Drawing:
    """The lists in columns; each is compared with the first, which is the base.

    A precedent that moved no further than the null floor has a grey line. One that left the list
    stands below it with a cross; one that is new has a diamond.

    Args:
        titles: by id; an id without one stands for itself.
        top_k: the length of a full list: a precedent that is not in it counts as the next rank.

    Raises:
        InputError: fewer than two lists.
    """
    if len(lists) < 2:
        raise InputError("at least two rankings are needed for a comparison")
    columns = [_Column(lists, at, titles, top_k) for at in range(len(lists))]
    lines = [line for left, right in pairwise(columns) for line in left.lines(right)]
    width = len(lists) * COLUMN + (len(lists) - 1) * GAP
    bottom = max(column.bottom for column in columns)
    keys: list[tuple[Kind | Look, Colour, str]] = [
        (MOVED, "move", "moved further than words alone move the list"),
        (STILL, "rule", "within the null floor, or the same rank"),
        ("diamond", "new", "new in the list"),
        ("cross", "dropped", "left the list"),
    ]
    shapes, height = legend(keys, width, bottom + 24)
    told = "; ".join(column.summary for column in columns[1:])
    return Drawing(
        width,
        height,
        "Precedents side by side",
        f"{len(lists)} lists, each compared with the first, {lists[0].name}. {told}.",
        (*lines, *(shape for column in columns for shape in column.shapes()), *shapes),
    )


class _Column:
    """One list in its place, against the base."""

    def __init__(
        self, lists: Sequence[RankedList], at: int, titles: Mapping[str, str], top_k: int
    ) -> None:
        self.list, self.base, self.at, self.titles = lists[at], lists[0].case_ids, at, titles
        self.x = at * (COLUMN + GAP)
        ids = self.list.case_ids
        self.top_k = max(top_k, len(ids), len(self.base))
        self.moved = displacement(self.base, ids, self.top_k)
        self.rows = {case: _TOP + ROW * rank for rank, case in enumerate(ids)}
        under = _TOP + ROW * max(len(ids), 1) + 22
        self.gone = {case: under + ROW * row for row, case in enumerate(self.moved.dropped)}
        self.bottom = under + ROW * len(self.gone) - (0 if self.gone else 22)

    @property
    def summary(self) -> str:
        return (
            f"{self.list.name}: mean rank displacement {places(self.moved.mean)}, "
            f"{len(self.moved.dropped)} left, {len(self.moved.new)} new"
        )

    def shapes(self) -> list[Shape]:
        shapes: list[Shape] = [
            Words(self.x, 16 + 15 * row, line, bold=True, size=12.5)
            for row, line in enumerate(wrapped(self.list.name, COLUMN, 12.5, 2, bold=True))
        ]
        if self.at:
            floor = self.list.floor
            words = "" if floor is None else f"; words alone {places(floor)}"
            text = f"moved {places(self.moved.mean)} places{words}"
            shapes.append(Words(self.x, 17 + 15 * len(shapes), text, "dim", 11))
        for case, y in self.rows.items():
            shapes.append(self._entry(case, y))
        if self.gone:
            y = min(self.gone.values()) - 22
            shapes.append(Words(self.x, y + 2, "left the list", "dropped", 11, bold=True))
        for case, y in self.gone.items():
            shapes.append(self._gone(case, y))
        return shapes

    def lines(self, after: _Column) -> list[Line]:
        """The lines from this column to the next one."""
        lines = []
        x, to_x = self.x + COLUMN + 4, after.x - 6
        for case, y in self.rows.items():
            if case in after.rows:
                look = MOVED if after.beyond_words(case) else STILL
                lines.append(Line((x, y - 4), (to_x, after.rows[case] - 4), look, curved=True))
            elif case in after.gone:
                lines.append(Line((x, y - 4), (to_x, after.gone[case] - 4), LEFT, curved=True))
        return sorted(lines, key=lambda line: (line.look != STILL, line.look != LEFT))

    def beyond_words(self, case: str) -> bool:
        """Whether a precedent moved further from its rank in the base than words move the list."""
        return self.moved.by_case[case] > (self.list.floor or 0.0)

    def _entry(self, case: str, y: float) -> Group:
        rank, title = self.list.case_ids.index(case) + 1, self._title(case)
        shapes: list[Shape] = [Words(self.x + 18, y, str(rank), "dim", _SIZE, "end")]
        tag, end = "", self.x + COLUMN
        room = COLUMN - 26 - (_TAG if self.at else 0)
        bold = False
        if self.at and case in self.moved.new:
            tag, bold = "new", True
            shapes += [
                Mark(end - 38, y - 4, "diamond", "new"),
                Words(end, y, "new", "new", 11.5, "end", True),
            ]
        elif self.at:
            old = self.base.index(case) + 1
            tag = "same rank" if old == rank else f"was {old}"
            shown = "=" if old == rank else f"{'↑' if rank < old else '↓'}{abs(old - rank)}"
            bold = self.beyond_words(case)
            shapes.append(Words(end, y, shown, "move" if bold else "dim", 11.5, "end", bold))
        text = cut(title, room, _SIZE, bold)
        shapes.append(Words(self.x + 26, y, text, size=_SIZE, bold=bold))
        return Group(
            tuple(shapes), f"{rank}. {title}{f': {tag}' if tag else ''}", (("case", case),)
        )

    def _gone(self, case: str, y: float) -> Group:
        title, old = self._title(case), self.base.index(case) + 1
        shapes = (
            Mark(self.x + 12, y - 4, "cross", "dropped"),
            Words(self.x + 26, y, cut(title, COLUMN - 26 - _TAG, _SIZE), "dim", _SIZE),
            Words(self.x + COLUMN, y, f"was {old}", "dropped", 11.5, "end"),
        )
        return Group(shapes, f"{title}: was {old}, left the list", (("case", case),))

    def _title(self, case: str) -> str:
        return self.titles.get(case, case)
