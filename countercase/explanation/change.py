"""Why an edit moved the ranking.

An edit changes the statements of a fact or of a few. For each precedent that moved, the passage given
is the one that the changed statements matched most: the old ones for a precedent that left or sank,
the new ones for one that came or rose. Where they did not push a precedent the way it went, the
explanation says that it moved because others did; where the retriever gives no passages, that its
reason is not known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from countercase.counterfactual.analysis import Analysis
from countercase.counterfactual.displacement import Displacement
from countercase.counterfactual.tree import Edge
from countercase.explanation.model import ChangeExplanation, MovedCase, Quote
from countercase.explanation.quotes import Quoter
from countercase.explanation.reasons import reasons_shared
from countercase.facts.edits import Edit
from countercase.facts.model import Fact
from countercase.law.provisions import provision_name
from countercase.registry import FACT_TYPES
from countercase.retrieval.base import Match, Ranking

MOST_CASES: Final = 10
"""Precedents named per edge: of those that left, and of those that came."""
MOST_MOVED: Final = 3
"""Precedents named per edge of those that only moved."""
LEAST_QUOTED: Final = 1.0
"""The mean rank displacement from which passages are quoted for a change."""
NEGLIGIBLE: Final = 0.01
"""A net change of a precedent's score below this explains nothing."""
NO_REASONS: Final = "This retriever gives no passages, so why they moved is not known."
"""Said of each change that moved the ranking of a retriever that gives no passages."""

_Pair: TypeAlias = tuple[str, int]
"""A segment's text and the position of a chunk."""


def explain_changes(analysis: Analysis, quoter: Quoter | None) -> tuple[ChangeExplanation, ...]:
    """Return one explanation per measured edge from the root, in the order of the tree.

    `quoter` quotes from the corpus; None where the retriever gives no passages.
    """
    tree, edges = analysis.tree, []
    for edge, change in tree.measured():
        child = tree.node(edge.target).ranking
        if edge.source == "root" and child is not None:  # what is measured has a ranking
            edges.append((edge, change, _moved_cases(analysis.precedents, child, change, quoter)))
    pairs = [pair for _, _, cases in edges for _, pair in cases if pair is not None]
    quotes = quoter.quotes(pairs) if quoter else {}
    explanations = []
    for edge, change, cases in edges:
        quoted = [_quoted(it, quotes.get(pair) if pair else None, edge.edit) for it, pair in cases]
        explanations.append(_explain(edge, change, quoted, has_passages=quoter is not None))
    return tuple(explanations)


def _moved_cases(
    parent: Ranking, child: Ranking, change: Displacement, quoter: Quoter | None
) -> list[tuple[MovedCase, _Pair | None]]:
    """Return the cases that moved most, each with the pair whose score changed most, if any explains it."""
    before = {result.case_id: result for result in parent.results}
    after = {result.case_id: result for result in child.results}
    stayed = [
        case
        for case, moved in sorted(change.by_case.items(), key=lambda item: (-item[1], item[0]))
        if moved and case in before and case in after
    ]
    cases: list[tuple[MovedCase, _Pair | None]] = []
    for case in (*change.dropped[:MOST_CASES], *change.new[:MOST_CASES], *stayed[:MOST_MOVED]):
        old, new = before.get(case), after.get(case)
        lost = _by_words(parent, old.matches, child) if old is not None else {}
        won = _by_words(child, new.matches, parent) if new is not None else {}
        net = round(sum(sorted(won.values())) - sum(sorted(lost.values())), 9)
        rose = old is None or (new is not None and new.rank < old.rank)
        side = won if rose else lost
        ranks = (old.rank if old else None, new.rank if new else None)
        title = quoter.titles.get(case, case) if quoter else case
        point = next(iter(quoter.turned_on(case) if quoter else ()), "")
        moved_case = MovedCase(case, title, *ranks, None, net, turned_on=point)
        told = side and (net if rose else -net) >= NEGLIGIBLE and change.mean >= LEAST_QUOTED
        cases.append((moved_case, min(side, key=lambda it: (-side[it], it)) if told else None))
    return cases


def _by_words(ranking: Ranking, matches: Sequence[Match], other: Ranking) -> dict[_Pair, float]:
    """Return the weights of the matches whose text stands in this state and not in the other."""
    query, others = ranking.query, set(other.query.segments)
    return {
        (query.segments[match.segment], match.chunk): match.weight
        for match in matches
        if query.segments[match.segment] not in others
    }


def _quoted(case: MovedCase, quote: Quote | None, edit: Edit) -> MovedCase:
    """Return the case with its quote, and say whether that speaks of what changed, before or after."""
    if quote is None:
        return case
    changed = [
        Fact(change.fact_id, change.fact_type, value)
        for change in edit.changes
        if change.fact_type in FACT_TYPES
        and (value := change.before if case.change < 0 else change.after) is not None
    ]
    words = " ".join(f"{it.value} {getattr(it.value, 'description', '')}" for it in changed)
    return replace(case, quote=quote, names_change=bool(reasons_shared(changed, words, quote.text)))


def _explain(
    edge: Edge, change: Displacement, cases: Sequence[MovedCase], has_passages: bool
) -> ChangeExplanation:
    edit = edge.edit
    left = tuple(case for case in cases if case.after is None)
    came = tuple(case for case in cases if case.before is None)
    stayed = tuple(case for case in cases if case not in left and case not in came)
    sentences = [edit.supposition]
    if edit.provision:
        sentences.append(f"It rests on {provision_name(edit.provision)}.")
    if change.mean == 0:
        sentences.append("No precedent moved: the same decisions stand in the same order.")
    else:
        sentences.append(
            f"The mean rank displacement is {change.mean:.2f}: {len(change.dropped)} left the "
            f"list, {len(change.new)} came in."
        )
        for case in (*left, *came, *stayed) if change.mean >= LEAST_QUOTED else ():
            sentences += _because(case) if has_passages else [f"{_move(case)}."]
        sentences += [] if has_passages else [NO_REASONS]
    return ChangeExplanation(
        edge.source, edge.target, edit.edit_id, edit.fact_id, edit.supposition, edit.by_hand,
        change.mean, left, came, stayed, tuple(sentences),
    )  # fmt: skip


def _move(case: MovedCase) -> str:
    turned = f" (it turned on this: {case.turned_on.rstrip('.')})" if case.turned_on else ""
    if case.after is None:
        return f"{case.title} left from rank {case.before}{turned}"
    if case.before is None:
        return f"{case.title} came in at rank {case.after}{turned}"
    return f"{case.title} went from rank {case.before} to {case.after}"


def _because(case: MovedCase) -> list[str]:
    """Say that it moved, and, apart from it, the passage that the changed words match."""
    if case.quote is None:
        return [f"{_move(case)}, because others moved around it."]
    if not case.names_change:
        nearness = "further from" if case.change < 0 else "nearer to"
        return [f"{_move(case)}: the new wording as a whole is {nearness} it."]
    match = "What went is spoken of in" if case.change < 0 else "What is new is spoken of in"
    return [f"{_move(case)}.", f"{match} “{case.quote.text}” ({case.quote.place})."]
