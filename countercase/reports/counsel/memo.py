"""The memo: two to three pages to send on; the report with all measurements is its annex.

memo.html is one template; Word and Markdown are written from its elements, as those of the report.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from countercase.reports.counsel.authorities import Brief, Records
from countercase.reports.counsel.supposed import Supposed, suppose_list
from countercase.reports.drawings.canvas import drawing_css
from countercase.reports.page import markdown_page
from countercase.reports.view import View, find_strongest
from countercase.reports.word import docx_page
from countercase.reports.wording import STOPPED, WEAK, name_matter, render


class Memo:
    """What a memo says of a case.

    Args:
        analysis: as analysis.json has it.
        records: of the corpus, for the side that is acted for.
        supposed: the suppositions that it tells.
        pinned: whether a user chose them.
    """

    def __init__(
        self,
        analysis: Mapping[str, Any],
        records: Records,
        supposed: Sequence[Supposed] = (),
        pinned: bool = True,
    ) -> None:
        self.analysis, self.sheet = analysis, records.sheet
        self.supposed, self.is_pinned = supposed, pinned
        self.title = name_matter(self.sheet.title, self.sheet.case_id, self.sheet.narrative)
        self.client = dict(records.sides)[records.side]
        self.brief = Brief(analysis, records)

    @cached_property
    def facts(self) -> list[dict[str, Any]]:
        """The facts relied on, those that move the list furthest first."""
        return sorted(self.brief.facts, key=lambda fact: -(fact["sensitivity"] or 0.0))

    @cached_property
    def page(self) -> str:
        """The memo as HTML."""
        return render("memo.html.j2", m=self, css=drawing_css(), weak=WEAK, stopped=STOPPED)


def memo_of(view: View) -> Memo:
    """Return the memo of an analysis: with what its user supposed, else with its strongest what-ifs."""
    result, tree, records = view.result, view.result.tree, view.records
    edges = [edge for edge, _ in tree.measured() if edge.source == "root"]
    by_hand = [edge for edge in edges if edge.edit.by_hand]
    first = [link["edit"]["id"] for link in find_strongest(view.analysis, view.tree)]
    by_id = {edge.edit.edit_id: edge for edge in edges}
    root = result.analysis.precedents.case_ids
    supposed = []
    for edge in by_hand or [by_id[name] for name in first]:
        ranking = tree.node(edge.target).ranking
        own = [it for it in result.analysis.nulls if it.edit.fact_id in edge.edit.fact_ids]
        # Where none was measured of the fact, as of one that is added, all others stand for it.
        nulls = own or result.analysis.nulls
        restated = [it.case_ids[: len(root)] for it in nulls if it.case_ids]
        after = root if ranking is None else ranking.case_ids
        lists = (root, after, tree.settings.top_k, restated)
        supposed.append(suppose_list(records, [edge.edit], *lists))
    return Memo(view.analysis, records, supposed, pinned=bool(by_hand))


MEMO_FILES: Final[Mapping[str, Callable[[Memo], str | bytes]]] = {
    "memo.html": lambda memo: memo.page,
    "memo.docx": lambda memo: docx_page(memo.page),
    "memo.md": lambda memo: markdown_page(memo.page),
}
MEMO: Final = {name: lambda it, make=make: make(memo_of(it)) for name, make in MEMO_FILES.items()}
