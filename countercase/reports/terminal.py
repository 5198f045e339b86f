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

from countercase.explanation.model import PrecedentExplanation
from countercase.reports.evaluation import accuracy_note
from countercase.reports.notes import WEAK, cover_notes
from countercase.reports.outline import Line, outline
from countercase.reports.text import plain
from countercase.reports.wording import (
    by_strength,
    disjoint,
    headline,
    is_added,
    k_line_of,
    label_of,
    learnt,
    moves_note,
    places,
    short_label,
    size_of_move,
    type_headings,
    verdict_of,
)
from countercase.text.dates import in_full

if TYPE_CHECKING:
    from countercase.counterfactual.analysis import Analysis
    from countercase.session import Result

BAR: Final = 20
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
"""Precedents and movers on the one screen of a brief report."""
GROUPED: Final = 6
"""Facts named of those that did not move the list."""
LONGEST_QUOTE: Final = 200
"""Characters of a quote on the one screen; --full has all."""


def show_result(result: Result, console: Console, full: bool = False) -> None:
    """Print an analysis, for 80 columns and wider.

    Args:
        full: everything; else one screen: the answer, five precedents, the facts that move the
            list with their strongest what-if, and those that do not.
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
    for line in cover_notes(result):
        console.print(Text(line, style="yellow"))
    for title, body in _full(result, ascii_only) if full else _brief(result):
        console.print()
        console.print(Text(title, style="bold underline"))
        console.print(body)
    console.print()
    more = "" if full else "--full shows everything, --out DIR writes the reports. "
    console.print(Text(more + _caution(analysis), style="dim"))


def _full(result: Result, ascii_only: bool) -> tuple[tuple[str, RenderableType], ...]:
    return (
        ("Precedents", precedents_table(result.precedents)),
        *_by_hand(result),
        ("How much each kind of fact matters", _bars(result, ascii_only)),
        ("Which facts move the list", _facts(result)),
        ("The tree of what-ifs", _tree(result.analysis)),
    )


def _brief(result: Result) -> tuple[tuple[str, RenderableType], ...]:
    return (
        ("Precedents", precedents_table(result.precedents[:BRIEF], brief=True)),
        *_by_hand(result),
        ("Facts that move the list", _movers(result)),
        ("Facts that do not", _others(result.analysis)),
    )


def _by_hand(result: Result) -> tuple[tuple[str, RenderableType], ...]:
    """What the suppositions of the user did."""
    lines = [line for line in outline(result.analysis.tree) if line.node.status == "by_hand"]
    if not lines:
        return ()
    table = _two_columns()
    for line in lines:
        parts: list[RenderableType] = [Text(plain(line.text), style="bold")]
        parts += _turnover(result, line.edge.edit.edit_id)
        if line.node.reason:
            parts.append(Text(plain(line.node.reason), style="yellow"))
        table.add_row(line.figure, Group(*parts))
    return (("What you supposed", table),)


def _two_columns() -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False, expand=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(ratio=1, overflow="fold")
    return table


def _turnover(result: Result, edit_id: str, most: int = 3) -> list[RenderableType]:
    """The decisions that a what-if takes out and brings in, with what each turned on."""
    change = next((it for it in result.changes if it.edit_id == edit_id), None)
    lines: list[RenderableType] = []
    for word, cases in (("out", change.left), ("in", change.came)) if change else ():
        for case in cases[:most]:
            text = Text(f"{word:>3}  {plain(case.title)}")
            if case.turned_on:  # the reason that follows a colon is left out
                text.append(f", on {plain(case.turned_on.partition(': ')[0])}", style="dim")
            lines.append(text)
        if len(cases) > most:
            lines.append(Text(f"{word:>3}  {len(cases) - most} more", style="dim"))
    return lines


def _movers(result: Result) -> RenderableType:
    """Each fact that moved the list, with its strongest what-if and what that takes out and brings in."""
    analysis, table = result.analysis, _two_columns()
    moved = [
        fact
        for fact in by_strength(analysis.facts)
        if fact.verdict in ("dispositive", "inconclusive") and fact.sensitivity
    ]
    for measured in moved[:BRIEF]:
        label = Text(plain(label_of(analysis, measured)), style="bold")
        if measured.verdict == "inconclusive":
            label.append(" (other words for it move the list as far)", style="yellow")
        lines: list[RenderableType] = [label]
        if measured.strongest is not None:
            lines.append(Text(plain(measured.strongest.supposition)))
            lines += _turnover(result, measured.strongest.edit_id)
        table.add_row(places(measured.sensitivity), Group(*lines))
    if not table.row_count:
        return Text("None moved it beyond the threshold.")
    more = f"{len(moved) - BRIEF} more with --full. " if len(moved) > BRIEF else ""
    return Group(table, Text(more + accuracy_note(result), style="dim"))


def _others(analysis: Analysis) -> RenderableType:
    """The facts that did not move the list, the furthest first, and those that were not measured."""
    still = [f for f in by_strength(analysis.facts) if f.verdict == "not dispositive"]
    own = [f for f in still if not is_added(analysis, f)]
    names = [f"{short_label(label_of(analysis, f))} {places(f.sensitivity)}" for f in own[:GROUPED]]
    more = f"; {len(own) - GROUPED} more" if len(own) > GROUPED else ""
    lines = [Text(plain("; ".join(names)) + more if names else "None.")]
    for measured in (fact for fact in analysis.facts if fact.sensitivity is None):
        line = Text(f"{verdict_of(measured)}: ", style="dim")
        lines.append(line.append(plain(label_of(analysis, measured)), style="none"))
    return Group(*lines)


def precedents_table(
    precedents: tuple[PrecedentExplanation, ...], weak: bool = False, brief: bool = False
) -> RenderableType:
    """Rank, title and why of each precedent, with the sentence that speaks for it.

    Args:
        weak: whether to say first that they are only the nearest that there were.
        brief: without dockets, and with a quote only where it adds something.
    """
    if not precedents:
        return Text("No precedent was found.")
    if weak:
        return Group(Text(WEAK, style="yellow"), precedents_table(precedents, brief=brief))
    table = Table(box=None, padding=(0, 1, 0 if brief else 1, 0), show_header=False, expand=True)
    table.add_column(justify="right", no_wrap=True, style="bold", width=3)
    table.add_column(ratio=1, overflow="fold")
    for precedent in precedents:
        table.add_row(str(precedent.rank), _precedent(precedent, brief))
    return table


def _precedent(precedent: PrecedentExplanation, brief: bool) -> RenderableType:
    about = (
        [
            precedent.date[:4],
            precedent.court.replace("Supreme Court of India", "SC"),
            precedent.outcome,
        ]
        if brief
        else [in_full(precedent.date), precedent.court, precedent.docket, precedent.outcome]
    )
    said = ", ".join(plain(part) for part in about if part)
    title = Text(plain(precedent.title), style="bold")
    if precedent.standing:
        title.append(f" [{precedent.standing}]", style="bold red")
    lines: list[RenderableType] = (
        [title.append(f" ({said})", style="dim")]
        if brief
        else [title, Text(said.replace(", ", " · "), style="dim")]
    )
    for line in precedent.later:
        approved = line.startswith(("Followed", "Distinguished"))
        lines.append(Text(plain(line), style="dim" if approved else "bold yellow"))
    for point in precedent.turned_on[:1]:
        lines.append(Text(f"turned on {plain(point)}"))
    for reason in precedent.reasons[:1]:
        names = [short_label(label) for label in reason.shared] if brief else reason.shared
        shared = "; ".join(plain(label) for label in names)
        why = f"speaks of {shared} too" if shared else "similar on the whole"
        quoted = plain(reason.quote.text)
        if brief and precedent.turned_on and (not shared or reason.quote.finding):
            lines.append(Text(why, style="cyan"))
            continue
        if brief and len(quoted) > LONGEST_QUOTE:
            quoted = quoted[:LONGEST_QUOTE].rsplit(" ", 1)[0] + " …"
        quote = Text(f"“{quoted}”", style="italic")
        quote.append(f" ({plain(reason.quote.place)})", style="dim")
        if brief:
            lines.append(Text(f"{why}: ", style="cyan").append_text(quote))
        else:
            lines += [Text(why, style="cyan"), Padding(quote, (0, 0, 0, 2))]
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
        table.add_row(name, bar, places(value), Text(size, style=style))
    return table


def _facts(result: Result) -> RenderableType:
    analysis, threshold = result.analysis, result.settings.DISPOSITIVE_THRESHOLD
    table = Table(box=None, padding=(0, 2, 0, 0), expand=True)
    table.add_column("fact", ratio=1, overflow="fold")
    table.add_column("moves", justify="right", no_wrap=True)
    for name in ("words", "learnt", "what-ifs"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    for measured in by_strength(analysis.facts):
        style = _STYLES.get(measured.verdict, "")
        label = plain(label_of(analysis, measured))
        supposed = plain(measured.strongest.supposition) if measured.strongest else ""
        table.add_row(
            Text.assemble((label, style), (supposed and f"\n{supposed}", "")),
            places(measured.sensitivity),
            places(measured.floor if measured.sensitivity is not None else None),
            learnt(analysis, measured),
            str(measured.edges),
            Text(verdict_of(measured), style=style),
        )
    return Group(table, Text(moves_note(analysis, threshold), style="dim"))


def _tree(analysis: Analysis) -> RenderableType:
    lines = outline(analysis.tree)
    if not lines:
        return Text("Nothing was supposed.")
    root = Tree(Text("the case as it is", style="bold"))
    branches = [root]
    for line in lines:
        del branches[line.depth :]
        branches.append(branches[-1].add(_tree_line(line)))
    if len(lines) == sum(1 for _ in analysis.tree.edges()):
        return root
    return Group(
        root, Text("A state that several orders of suppositions lead to is shown once.", "dim")
    )


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
        f"The same facts in other words moved the list by up to {places(max(moves))}. "
        if moves
        else "No restatement was measured. "
    )
    return words + (
        f"{k_line_of(analysis)} "
        "This measures a search, not a court: check each precedent in the judgment itself. "
        "This is not legal advice."
    )
