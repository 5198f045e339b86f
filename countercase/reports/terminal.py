"""The analysis in a terminal: the answer first, then precedents, bars, facts and the tree.

Whatever colour says is said in words as well, so that a pipe or a screen reader
loses nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from io import StringIO
from typing import TYPE_CHECKING, Any, Final

from rich.console import Console, Group, RenderableType
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from countercase.explanation.model import PrecedentExplanation, Quote
from countercase.reports.markdown import markdown_blocks
from countercase.reports.outline import Line
from countercase.reports.text import plain
from countercase.reports.view import View
from countercase.reports.wording import WEAK, places, short_label, verdict_word
from countercase.text.dates import in_full

if TYPE_CHECKING:
    from countercase.session import Result

_ASCII: Final = str.maketrans("█·–…“”", '#.-.""')
BRIEF: Final = 5
"""Precedents and movers on the one screen of a brief report."""
GROUPED: Final = 6
"""Facts named of those that did not move the list."""
TURNED: Final = 3
"""Decisions named that a what-if takes out, and as many that it brings in."""
LONGEST_QUOTE: Final = 200
"""Characters of a quote on the one screen; --full has all."""


def terminal_report(view: View) -> str:
    """Return what `--full` prints, in 100 columns without colour."""
    stream = StringIO()
    console = Console(file=stream, width=100, highlight=False, markup=False, emoji=False)
    _print(view, console, full=True)
    return stream.getvalue()


def show_result(result: Result, console: Console, full: bool = False) -> None:
    """Print an analysis, for 80 columns and wider.

    Args:
        full: everything; else one screen: the answer, five precedents, the facts that move the
            list with their strongest what-if, and those that do not.
    """
    _print(View(result), console, full)


def _print(view: View, console: Console, full: bool) -> None:
    corpus = view.analysis["corpus"]
    searched = (
        f"among {corpus['cases']:,} decisions of the corpus {corpus['name']}"
        if corpus
        else "with a retriever of your own"
    )
    if console.is_terminal:  # in a pipe, the answer is the first line
        console.print()
    console.print(Text(plain(view.headline), style="bold"))
    console.print(Text(f"{plain(view.title)}, searched {searched}", style="dim"))
    for line in view.warnings:
        console.print(Text(plain(line), style="yellow"))
    by_hand = [line for line in view.states if line.node.status == "by_hand"]
    parts = [("What you supposed", _supposed(view, by_hand))] * bool(by_hand)
    if not full:
        found = _precedents(view.precedents[:BRIEF], brief=True)
        parts = [
            ("Precedents", found),
            *parts,
            ("Facts that move the list", _movers(view)),
            ("Facts that do not", _others(view)),
        ]
    for title, body in parts:
        console.print()
        console.print(Text(title, style="bold underline"))
        console.print(body)
    console.print()
    if full:
        _, *blocks = markdown_blocks(view, narrow=True)
        text = "\n\n".join(blocks)
        if console.options.ascii_only:
            text = text.translate(_ASCII)
        console.print(Markdown(text, hyperlinks=False))
    else:
        console.print(Text(_caution(view), style="dim"))


def _supposed(view: View, lines: Iterable[Line]) -> RenderableType:
    """Say what the suppositions of the user did."""
    table = _two_columns()
    for line in lines:
        parts: list[RenderableType] = [Text(plain(line.text), style="bold")]
        parts += _turnover(view, line.text)
        if line.node.reason:
            parts.append(Text(plain(line.node.reason), style="yellow"))
        table.add_row(line.figure, Group(*parts))
    return table


def _two_columns() -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False, expand=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(ratio=1, overflow="fold")
    return table


def _turnover(view: View, supposition: str) -> list[RenderableType]:
    """Name the decisions that a what-if takes out and brings in, with what each turned on."""
    edit = next((it for it in view.edits if it.label == supposition), None)
    lines: list[RenderableType] = []
    for word, cases in (("out", edit.went_out), ("in", edit.came_in)) if edit else ():
        for case in cases[:TURNED]:
            text = Text(f"{word:>3}  {plain(case['title'])}")
            if case["turned_on"]:  # the reason that follows a colon is left out
                text.append(f", on {plain(case['turned_on'].partition(': ')[0])}", style="dim")
            lines.append(text)
        if len(cases) > TURNED:
            lines.append(Text(f"{word:>3}  {len(cases) - TURNED} more", style="dim"))
    return lines


def _movers(view: View) -> RenderableType:
    """Show each fact that moved the list, with its strongest what-if and what that did."""
    table = _two_columns()
    moved = [
        fact
        for fact in view.facts
        if fact.verdict in ("dispositive", "inconclusive") and fact.moved
    ]
    for fact in moved[:BRIEF]:
        label = Text(plain(fact.full_label), style="bold")
        if fact.verdict == "inconclusive":
            label.append(" (other words for it move the list as far)", style="yellow")
        lines: list[RenderableType] = [label]
        if fact.supposition:
            lines += [Text(plain(fact.supposition)), *_turnover(view, fact.supposition)]
        table.add_row(places(fact.moved), Group(*lines))
    if not moved:
        return Text("None moved it beyond the threshold.")
    more = f"{len(moved) - BRIEF} more with --full. " if len(moved) > BRIEF else ""
    return Group(table, Text(more + view.accuracy, style="dim"))


def _others(view: View) -> RenderableType:
    """Name the facts that did not move the list, the furthest first, and those not measured."""
    own = [it for it in view.facts if it.verdict == "not dispositive" and not it.is_added]
    names = [f"{short_label(fact.label)} {places(fact.moved)}" for fact in own[:GROUPED]]
    more = f"; {len(own) - GROUPED} more" if len(own) > GROUPED else ""
    lines = [Text(plain("; ".join(names)) + more if names else "None.")]
    for fact in (fact for fact in view.facts if fact.moved is None):
        line = Text(f"{verdict_word(fact.verdict)}: ", style="dim")
        lines.append(line.append(plain(fact.full_label), style="none"))
    return Group(*lines)


def precedents_table(
    precedents: Sequence[PrecedentExplanation], weak: bool = False
) -> RenderableType:
    """Show rank, title and why of each precedent, with the sentence that speaks for it.

    Args:
        weak: whether to say first that they are only the nearest that there were.
    """
    table = _precedents([asdict(precedent) for precedent in precedents])
    return Group(Text(WEAK, style="yellow"), table) if weak and precedents else table


def _precedents(rows: Sequence[Mapping[str, Any]], brief: bool = False) -> RenderableType:
    """Show precedents of analysis.json; briefly without dockets and with quotes cut."""
    if not rows:
        return Text("No precedent was found.")
    table = Table(box=None, padding=(0, 1, 0 if brief else 1, 0), show_header=False, expand=True)
    table.add_column(justify="right", no_wrap=True, style="bold", width=3)
    table.add_column(ratio=1, overflow="fold")
    for row in rows:
        day, court = in_full(row["date"]), row["court"]
        if brief:
            day, court = row["date"][:4], court.replace("Supreme Court of India", "SC")
        about = filter(None, (day, court, "" if brief else row["docket"], row["outcome"]))
        title = Text(plain(row["title"]), style="bold")
        if row["standing"]:
            title.append(f" [{row['standing']}]", style="bold red")
        lines = [title.append(f" ({plain(', '.join(about))})", style="dim")]
        for line in row["later"]:
            approved = line.startswith(("Followed", "Distinguished"))
            lines.append(Text(plain(line), style="dim" if approved else "bold yellow"))
        lines += [Text(f"turned on {plain(point)}") for point in row["turned_on"][:1]]
        for reason in row["reasons"][:1]:
            is_told = (
                brief and row["turned_on"] and (not reason["shared"] or reason["quote"]["finding"])
            )
            lines.append(_reason(reason, 0 if is_told else LONGEST_QUOTE if brief else None))
        table.add_row(str(row["rank"]), Group(*lines))
    return table


def _reason(reason: Mapping[str, Any], longest: int | None) -> Text:
    """Say what a passage has to do with the case, and quote it up to `longest` characters."""
    shared = [short_label(label) if longest else label for label in reason["shared"]]
    why = f"speaks of {plain('; '.join(shared))} too" if shared else "similar on the whole"
    if longest == 0:
        return Text(why, style="cyan")
    words = plain(reason["quote"]["text"])
    if longest and len(words) > longest:
        words = words[:longest].rsplit(" ", 1)[0] + " …"
    place = plain(Quote(**reason["quote"]).place)
    return Text.assemble(
        (f"{why}: ", "cyan"), (f"“{words}”", "italic"), (f" ({place})", "dim italic")
    )


def _caution(view: View) -> str:
    words = (
        f"The same facts in other words moved the list by up to {places(max(view.null_moves))}. "
        if view.null_moves
        else "No restatement was measured. "
    )
    return (
        f"--full shows everything, --out DIR writes the reports. {words}{view.k_line} "
        "This measures a search, not a court: check each precedent in the judgment itself. "
        "This is not legal advice."
    )


TERMINAL: Final = {"report.txt": terminal_report}
