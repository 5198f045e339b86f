"""The analysis in a terminal: what moves the list and the list, the memo, or the whole report.

Whatever colour says is said in words as well, so that a pipe or a screen reader loses nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from io import StringIO
from itertools import islice
from typing import Final

from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from countercase.counterfactual.analysis import Analysis
from countercase.explanation.model import PrecedentExplanation
from countercase.explanation.reasons import fact_label
from countercase.facts.model import Side
from countercase.reports.counsel.memo import memo_of
from countercase.reports.page import head_of, html_report, markdown_blocks
from countercase.reports.text import plain
from countercase.reports.view import View
from countercase.reports.wording import render, say
from countercase.session import CaseAttribution, Result

_ASCII: Final = str.maketrans("·–…“”→", '.-."">')


def terminal_report(view: View) -> str:
    """Return what `--full` prints, in 100 columns without colour."""
    stream = StringIO()
    console = Console(file=stream, width=100, highlight=False, markup=False, emoji=False)
    show_result(view.result, console, True, view.side)
    return stream.getvalue()


def show_result(
    result: Result, console: Console, full: bool = False, side: Side = "petitioner"
) -> None:
    """Print an analysis for a side, for 80 columns and wider: the whole report where `full`.

    Else one screen: what moves the list, the suppositions with what they change, the authorities.
    """
    view = View(result, side)
    corpus, memo, searched = view.analysis["corpus"], memo_of(view), "with a retriever of your own"
    if corpus:
        searched = f"among {corpus['cases']:,} decisions of the corpus {corpus['name']}"
    if console.is_terminal:  # in a pipe, the answer is the first line
        console.print()
    console.print(Text(plain(view.headline), style="bold"))
    about = f"{plain(view.title)}, for {plain(memo.client)}, searched {searched}"
    console.print(Text(about, style="dim"))
    for line in view.warnings:
        console.print(Text(plain(line), style="yellow"))
    console.print()
    if full:
        _print_page(html_report(view), console, ("narrative",), said=2)
        return
    console.print(Text(plain(memo.brief.headline)), end="\n\n")
    _print_markdown(render("screen.md.j2", m=memo), console)
    console.print(Text(f"\n{plain(say('caution', view, memo.brief))}", style="dim"))


def show_memo(result: Result, console: Console, side: Side = "petitioner") -> None:
    """Print the memo of an analysis for a side."""
    page = memo_of(View(result, side)).page
    for line, style in zip(head_of(page), ("bold", "dim"), strict=True):
        console.print(Text(plain(line), style=style))
    _print_page(page, console)


def _print_page(page: str, console: Console, but: Sequence[str] = (), said: int = 0) -> None:
    """Print a page `but` for some sections, and for its first blocks, which were `said` before."""
    blocks = markdown_blocks(page, but, narrow=True)
    _print_markdown("\n\n".join(islice(blocks, said, None)), console)


def _print_markdown(text: str, console: Console) -> None:
    if console.options.ascii_only:
        text = text.translate(_ASCII)
    console.print(Markdown(text, hyperlinks=False))


def precedents_text(precedents: Sequence[PrecedentExplanation], weak: bool = False) -> Markdown:
    """Return rank, title and why of each precedent with its sentence; first, whether all are `weak`."""
    rows = [asdict(precedent) for precedent in precedents]
    return Markdown(render("search.md.j2", rows=rows, weak=say("weak") if weak and rows else ""))


def attribution_text(analysis: Analysis, parts: CaseAttribution) -> Markdown:
    """Return the attribution of a case for people."""
    attribution, (before, shifts), _, absent = parts
    labels = {fact.fact.fact_id: fact_label(fact.fact) for fact in analysis.facts}
    text = render(
        "attribution.md.j2", it=attribution, before=before, labels=labels, absent=absent,
        shifts={it.edit_id: f"{it.shift:+.2f}" for it in shifts if it.shift is not None},
        k_line=say("k_line", parts.panels, labels),
        stages=dict.fromkeys([*absent.stages, *absent.last_stages]) if absent else {},
    )  # fmt: skip
    return Markdown(text, hyperlinks=False)


TERMINAL: Final = {"report.txt": terminal_report}
