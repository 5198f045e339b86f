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
from countercase.law.provisions import describe
from countercase.reports.outline import Line, outline
from countercase.reports.text import plain
from countercase.reports.wording import (
    by_strength,
    disjoint,
    headline,
    k_line_of,
    label_of,
    places,
    rate_line,
    size_of_move,
    type_headings,
    verdict_of,
    why_not_tried,
)

if TYPE_CHECKING:
    from countercase.counterfactual.analysis import Analysis
    from countercase.session import Result

BAR: Final = 20
THIN: Final = 4
"""A provision that fewer decisions of the corpus cite is named before the precedents."""
WEAK: Final = (
    "Weak match: nothing in this corpus is much like the query; these are only the nearest."
)
_STYLES: Final = {
    "dispositive": "bold green",
    "inconclusive": "yellow",
    "not tried": "dim",
    "not measurable": "dim",
}
"""Of verdicts; others are plain."""
_MOVES: Final = {"substantial": "bold red", "moderate": "yellow", "none": "dim"}
"""Of sizes of a move; others are plain."""


BRIEF: Final = 5
"""Precedents, and facts that were not tried, on the one screen of a brief report."""


def show_result(result: Result, console: Console, full: bool = False) -> None:
    """Print an analysis, for 80 columns and wider.

    Args:
        full: everything; else one screen: the answer, five precedents, the facts that move the
            list with the sentence that was changed, and what was not tried.
    """
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
    for line in _cover(result):
        console.print(Text(line, style="yellow"))
    for title, body in _full(result, ascii_only) if full else _brief(result):
        console.print()
        console.print(Text(title, style="bold underline"))
        console.print(body)
    console.print()
    console.print(Text(_caution(analysis), style="dim"))


def _full(result: Result, ascii_only: bool) -> tuple[tuple[str, RenderableType], ...]:
    threshold = result.settings.DISPOSITIVE_THRESHOLD
    return (
        ("Precedents", precedents_table(result.precedents)),
        *_by_hand(result),
        ("How much each kind of fact matters", _bars(result, ascii_only)),
        ("Which facts move the list", _facts(result.analysis, threshold)),
        ("The tree of changes", _tree(result.analysis)),
    )


def _brief(result: Result) -> tuple[tuple[str, RenderableType], ...]:
    return (
        ("Precedents", precedents_table(result.precedents[:BRIEF])),
        *_by_hand(result),
        ("Facts that move the list", _movers(result.analysis)),
        ("Not tried", _not_tried(result.analysis)),
        ("More", Text("--full: all precedents, facts and changes; --out DIR: the reports.")),
    )


def _by_hand(result: Result) -> tuple[tuple[str, RenderableType], ...]:
    """What the changes that the user worded did: who left the list and who came."""
    tree, table = result.analysis.tree, Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold")
    narrative = result.analysis.sheet.narrative
    for line in outline(tree, narrative):
        moved = line.edge.displacement
        if line.node.status != "by_hand" or moved is None:
            continue
        parts: list[RenderableType] = [Text(plain(line.change or line.text), style="bold")]
        for what, cases in (("left", moved.dropped), ("came", moved.new)):
            if cases:
                titles = "; ".join(plain(result.titles.get(case, case)) for case in cases)
                parts.append(Text(f"{what}: {titles}"))
        if line.node.reason:
            parts.append(
                Text(f"No court could see this: {plain(line.node.reason)}", style="yellow")
            )
        table.add_row(line.figure, Group(*parts))
    return (("What you changed", table),) if table.row_count else ()


def _cover(result: Result) -> list[str]:
    """What a reader must know before the precedents: a weak match, law that the corpus lacks."""
    lines = [WEAK] if result.weak else []
    thin = [c for c in result.coverage if c.cases < THIN]
    if thin:
        counts = [f"{describe(c.provision)} in {c.cases} of {c.of:,}" for c in thin[:BRIEF]]
        more = f", and {len(thin) - BRIEF} more provisions" if len(thin) > BRIEF else ""
        lines.append(f"Thin coverage: {'; '.join(counts)} decisions{more}.")
    return lines


def _movers(analysis: Analysis) -> RenderableType:
    """Each fact that moved the list, with its strongest change as it stands in the narrative."""
    strongest = {line.edge.edit.fact_id: line for line in reversed(_by_size(analysis))}
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False, expand=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(ratio=1, overflow="fold")
    table.add_column(no_wrap=True)
    for measured in by_strength(analysis.facts):
        if measured.verdict in ("dispositive", "inconclusive") and measured.sensitivity:
            lines: list[RenderableType] = [Text(plain(label_of(analysis, measured)), style="bold")]
            line = strongest.get(measured.fact.fact_id)
            if line is not None and line.change:
                lines.append(Text(plain(line.change), style="dim"))
            verdict = Text(verdict_of(analysis, measured), style=_STYLES.get(measured.verdict, ""))
            table.add_row(places(measured.sensitivity), Group(*lines), verdict)
    return table if table.row_count else Text("None moved it beyond the threshold.")


def _by_size(analysis: Analysis) -> list[Line]:
    """The changes of the case as it is, the largest move first."""
    lines = [n for n in outline(analysis.tree, analysis.sheet.narrative) if n.depth == 1]
    return sorted(lines, key=lambda n: -(n.edge.displacement.mean if n.edge.displacement else -1))


def _not_tried(analysis: Analysis) -> RenderableType:
    """The facts without a measured change, and why there is none."""
    refusals = {line.edge.edit.fact_id: line.note for line in reversed(_by_size(analysis))}
    missing = [fact for fact in analysis.facts if fact.sensitivity is None]
    lines = []
    for measured in missing[:BRIEF]:
        why = refusals.get(measured.fact.fact_id) or why_not_tried(measured)
        lines.append(Text(plain(f"{label_of(analysis, measured)}: {why}")))
    if len(missing) > BRIEF:
        lines.append(Text(f"and {len(missing) - BRIEF} more (--full)", style="dim"))
    return Group(*lines) if lines else Text("Every fact was tried.")


def precedents_table(
    precedents: tuple[PrecedentExplanation, ...], weak: bool = False
) -> RenderableType:
    """Rank, title and why of each precedent, with the sentence that speaks for it.

    Args:
        weak: whether to say first that they are only the nearest that there were.
    """
    if not precedents:
        return Text("No precedent was found.")
    if weak:
        return Group(Text(WEAK, style="yellow"), precedents_table(precedents))
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
    for treatment in precedent.later:
        lines.append(Text(plain(treatment), style="bold yellow"))
    for point in precedent.turned_on[:1]:
        lines.append(Text(f"turned on {plain(point)}"))
    for reason in precedent.reasons[:1]:
        shared = "; ".join(plain(label) for label in reason.shared)
        why = f"speaks of {shared} too" if shared else "similar on the whole"
        lines.append(Text(why, style="cyan"))
        quote = Text(f"“{plain(reason.quote.text)}”", style="italic")
        quote.append(f" ({plain(reason.quote.place)})", style="dim")
        lines.append(Padding(quote, (0, 0, 0, 2)))
    return Group(*lines)


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
    criterion = "calibrated" if any(fact.calibrated for fact in analysis.facts) else "threshold"
    rule = {
        "threshold": f"above {threshold:g} and above its wording",
        "calibrated": "where as many other words hardly ever move it as far",
    }
    note = (
        "moves: mean rank displacement when the fact is changed; words: when only its wording is. "
        f"A fact moves the list {rule[criterion]}."
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
    lines = outline(analysis.tree, analysis.sheet.narrative)
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
    if line.change and line.depth == 1:
        text.append(f"\n{plain(line.change)}", style="dim")
    return text


def _caution(analysis: Analysis) -> str:
    moves = [null.mean_displacement for null in analysis.nulls]
    words = (
        f"Changes of words alone moved the list by up to {max(moves):.2f}. "
        if moves
        else "No change of words alone was measured. "
    )
    return words + (
        f"{k_line_of(analysis)} {rate_line(analysis)} "
        "This measures a search, not a court: check each precedent in the judgment itself. "
        "This is not legal advice."
    )
