"""The analysis in a terminal: the answer first, then precedents, bars, facts and the tree.

Whatever colour says is said in words as well, so that a pipe or a screen reader
loses nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from countercase.counterfactual.sensitivity import FactSensitivity
from countercase.explanation.model import PrecedentExplanation
from countercase.reports.outline import Line, outline
from countercase.reports.text import plain
from countercase.reports.wording import (
    by_strength,
    disjoint,
    headline,
    label_of,
    places,
    size_of_move,
    type_headings,
    verdict_of,
)

if TYPE_CHECKING:
    from countercase.counterfactual.analysis import Analysis
    from countercase.session import Result

BAR: Final = 20
_STYLES: Final = {
    "dispositive": "bold green",
    "within noise": "yellow",
    "not tried": "dim",
    "not measurable": "dim",
}
"""Of verdicts; others are plain."""
_MOVES: Final = {"substantial": "bold red", "moderate": "yellow", "none": "dim"}
"""Of sizes of a move; others are plain."""


def show_result(result: Result, console: Console) -> None:
    """Print an analysis. It is made for 80 columns and wider."""
    ascii_only = console.options.ascii_only
    analysis, manifest = result.analysis, result.manifest
    searched = (
        f"among {manifest.cases:,} decisions of the corpus {manifest.corpus}"
        if manifest
        else "with a retriever of your own"
    )
    if console.is_terminal:  # in a pipe, the answer is the first line
        console.print()
    console.print(Text(plain(headline(analysis)), style="bold"))
    console.print(
        Text(
            f"{plain(analysis.sheet.title or analysis.sheet.case_id)}, searched {searched}",
            style="dim",
        )
    )
    for title, body in (
        ("Precedents", precedents_table(result.precedents)),
        ("How much each kind of fact matters", _bars(result, ascii_only)),
        ("Which facts carry the case", _facts(analysis, result.settings.DISPOSITIVE_THRESHOLD)),
        ("The tree of changes", _tree(analysis)),
    ):
        console.print()
        console.print(Text(title, style="bold underline"))
        console.print(body)
    console.print()
    console.print(Text(_caution(analysis), style="dim"))


def precedents_table(precedents: tuple[PrecedentExplanation, ...]) -> RenderableType:
    """Rank, title and why of each precedent, with the sentence that speaks for it."""
    if not precedents:
        return Text("No precedent was found.")
    table = Table(box=None, padding=(0, 1, 1, 0), show_header=False, expand=True)
    table.add_column(justify="right", no_wrap=True, style="bold", width=3)
    table.add_column(ratio=1, overflow="fold")
    for precedent in precedents:
        table.add_row(str(precedent.rank), _precedent(precedent))
    return table


def _precedent(precedent: PrecedentExplanation) -> RenderableType:
    about = [precedent.date, precedent.court, precedent.docket, precedent.outcome]
    lines: list[RenderableType] = [
        Text(plain(precedent.title), style="bold"),
        Text(" · ".join(plain(part) for part in about if part), style="dim"),
    ]
    for reason in precedent.reasons[:1]:
        answers = "; ".join(plain(label) for label in reason.facts) or _shortened(reason.segment)
        why = Text(f"answers to {answers}", style="cyan")
        if len(precedent.reasons) > 1:
            why.append(f" (and {len(precedent.reasons) - 1} more)", style="dim")
        lines.append(why)
        quote = Text(f"“{plain(reason.quote.text)}”", style="italic")
        quote.append(f" ({plain(reason.quote.place)})", style="dim")
        lines.append(Padding(quote, (0, 0, 0, 2)))
    return Group(*lines)


def _shortened(segment: str, most: int = 70) -> str:
    """The first words of a segment, quoted."""
    text = plain(segment)
    return f"“{text}”" if len(text) <= most else f"“{text[:most].rsplit(' ', 1)[0]} …”"


def _bars(result: Result, ascii_only: bool) -> Table:
    full, empty = ("#", ".") if ascii_only else ("█", "·")
    most = disjoint(result.settings.TOP_K)
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    for _ in range(4):
        table.add_column(no_wrap=True)
    for kind, name in type_headings().items():
        value = result.analysis.sensitivity.get(kind)
        if value is None:
            table.add_row(name, Text(empty * BAR, style="dim"), "-", Text("not measured"))
            continue
        filled = round(BAR * min(value / most, 1.0))
        size = size_of_move(value)
        style = _MOVES.get(size, "")
        bar = Text(full * filled, style=style).append(empty * (BAR - filled), style="dim")
        table.add_row(name, bar, f"{value:.2f}", Text(size, style=style))
    return table


def _facts(analysis: Analysis, threshold: float) -> RenderableType:
    table = Table(box=None, padding=(0, 2, 0, 0), expand=True)
    table.add_column("fact", ratio=1, overflow="fold")
    table.add_column("moves", justify="right", no_wrap=True)
    table.add_column("words", justify="right", no_wrap=True)
    table.add_column("changes", justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    for measured in by_strength(analysis.facts):
        table.add_row(*_fact_row(analysis, measured))
    note = (
        "moves: mean rank displacement when the fact is changed; words: when only its wording is. "
        f"A fact carries the case above {threshold:g} and above its wording."
    )
    return Group(table, Text(note, style="dim"))


def _fact_row(analysis: Analysis, measured: FactSensitivity) -> tuple[Text, str, str, str, Text]:
    style = _STYLES.get(measured.verdict, "")
    return (
        Text(plain(label_of(analysis, measured)), style=style),
        places(measured.sensitivity),
        places(measured.noise if measured.sensitivity is not None else None),
        str(measured.edges),
        Text(verdict_of(analysis, measured), style=style),
    )


def _tree(analysis: Analysis) -> RenderableType:
    lines = outline(analysis.tree)
    if not lines:
        return Text("No change was made.")
    root = Tree(Text("the case as it is", style="bold"))
    branches = [root]
    for line in lines:
        del branches[line.depth :]
        branches.append(branches[-1].add(_tree_line(line)))
    if len(lines) == sum(1 for _ in analysis.tree.edges()):
        return root
    note = "The same edits in another order lead to the same state, which is shown once."
    return Group(root, Text(note, style="dim"))


def _tree_line(line: Line) -> Text:
    moved = line.edge.displacement
    aside = moved is None or line.node.status == "pruned"
    style = "" if moved is None else _MOVES.get(size_of_move(moved.mean), "")
    text = Text(f"{line.figure}  ", style="bright_black" if aside else style)
    text.append(plain(line.text), style="bright_black" if aside else "")
    if line.note:
        text.append(f"  ({plain(line.note)})", style="bright_black")
    return text


def _caution(analysis: Analysis) -> str:
    moves = [null.mean_displacement for null in analysis.nulls]
    words = (
        f"Changes of words alone moved the list by up to {max(moves):.2f}. "
        if moves
        else "No change of words alone was measured. "
    )
    return words + (
        "This measures a search, not a court: check each precedent in the judgment itself. "
        "This is not legal advice."
    )
