"""Why an edit moved the ranking.

An edit changes one segment or a few. For each precedent that moved, the passage given is the one
that the changed words matched most: the old words for a precedent that left or sank, the new ones
for one that came or rose. Where the changed words did not push a precedent the way it went, the
explanation says that it moved because others did; where the retriever gives no passages, that its
reason is not known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from countercase.counterfactual.analysis import Analysis
from countercase.counterfactual.displacement import Displacement
from countercase.counterfactual.tree import Edge
from countercase.explanation.labels import edit_label, fact_words
from countercase.explanation.model import ChangeExplanation, MovedCase, Quote
from countercase.explanation.quotes import Quoter
from countercase.explanation.reasons import reasons_shared
from countercase.facts.edits import Edit
from countercase.facts.model import Fact, FactSheet
from countercase.law.provisions import provision_name
from countercase.registry import FACT_TYPES
from countercase.retrieval.base import Match, Ranking

MOST_CASES: Final = 3
"""Precedents named per edge: of those that left, of those that came, of those that only moved."""
NEGLIGIBLE: Final = 0.01
"""A net change of a precedent's score below this explains nothing."""
NO_REASONS: Final = "This retriever gives no passages, so why they moved is not known."
"""Said of each change that moved the ranking of a retriever that gives no passages."""


_Pair: TypeAlias = tuple[str, int]
"""A segment's text and the position of a chunk."""


def explain_changes(analysis: Analysis, quoter: Quoter | None) -> tuple[ChangeExplanation, ...]:
    """One explanation per measured edge, in the order of the tree.

    Args:
        quoter: quotes from the corpus; None where the retriever gives no passages.
    """
    tree, titles = analysis.tree, quoter.titles if quoter else {}
    edges = []
    for edge, change in tree.measured():
        parent, child = tree.node(edge.source).ranking, tree.node(edge.target).ranking
        assert parent is not None
        assert child is not None
        edges.append((edge, change, _moved_cases(parent, child, change, titles)))
    pairs = [pair for _, _, cases in edges for _, pair in cases if pair is not None]
    quotes = quoter.quotes(pairs) if quoter else {}
    explanations = []
    for edge, change, cases in edges:
        facts = _changed_facts(analysis.sheet, edge.edit)
        label = edit_label(edge.edit, analysis.sheet)
        quoted = [_quoted(case, quotes.get(pair) if pair else None, facts) for case, pair in cases]
        explanations.append(_explain(edge, change, label, quoted, has_passages=quoter is not None))
    return tuple(explanations)


def _moved_cases(
    parent: Ranking, child: Ranking, change: Displacement, titles: Mapping[str, str]
) -> list[tuple[MovedCase, _Pair | None]]:
    """The cases that moved most, each with the pair whose score changed most, if any explains it."""
    before = {result.case_id: result for result in parent.results}
    after = {result.case_id: result for result in child.results}
    stayed = [
        case
        for case, moved in sorted(change.by_case.items(), key=lambda item: (-item[1], item[0]))
        if moved and case in before and case in after
    ]
    cases: list[tuple[MovedCase, _Pair | None]] = []
    for case in (*change.dropped[:MOST_CASES], *change.new[:MOST_CASES], *stayed[:MOST_CASES]):
        old, new = before.get(case), after.get(case)
        lost = _by_words(parent, old.matches, child) if old is not None else {}
        won = _by_words(child, new.matches, parent) if new is not None else {}
        net = round(sum(sorted(won.values())) - sum(sorted(lost.values())), 9)
        rose = old is None or (new is not None and new.rank < old.rank)
        side = won if rose else lost
        explained = side and (net if rose else -net) >= NEGLIGIBLE
        ranks = (old.rank if old else None, new.rank if new else None)
        moved_case = MovedCase(case, titles.get(case, case), *ranks, None, net)
        cases.append((moved_case, _heaviest(side) if explained else None))
    return cases


def _heaviest(weights: dict[_Pair, float]) -> _Pair:
    """The pair of largest weight; of equal ones the first by words, then by chunk."""
    return min(weights, key=lambda pair: (-weights[pair], pair))


def _by_words(ranking: Ranking, matches: Sequence[Match], other: Ranking) -> dict[_Pair, float]:
    """Weights of the matches whose words stand in this state and not in the other.

    Of words that the other state keeps in part, only what it does not keep.
    """
    query, others, kept = ranking.query, set(other.query.segments), dict(other.query.former)
    return {
        (query.segments[match.segment], match.chunk): match.weight
        * (1 - kept.get(query.segments[match.segment], 0.0) / (query.weight(match.segment) or 1.0))
        for match in matches
        if query.segments[match.segment] not in others
    }


def _changed_facts(sheet: FactSheet, edit: Edit) -> tuple[list[Fact], list[Fact]]:
    """The facts that an edit changes, as they were and as they are then."""
    before = [fact for fact in sheet.facts if fact.fact_id in edit.fact_ids]
    values = [(edit.fact_id, edit.fact_type, edit.new_value)]
    values += [(c.fact_id, c.fact_type, c.new_value) for c in edit.consequences]
    return before, [Fact(key, kind, value) for key, kind, value in values if value is not None]


def _quoted(
    case: MovedCase, quote: Quote | None, facts: tuple[list[Fact], list[Fact]]
) -> MovedCase:
    """The case with its quote, and whether that speaks of what changed."""
    if quote is None:
        return case
    before, after = facts
    changed = before if case.change < 0 else after
    names = reasons_shared(changed, " ".join(map(fact_words, changed)), quote.text)
    return replace(case, quote=quote, names_change=bool(names))


def _explain(
    edge: Edge, change: Displacement, label: str, cases: Sequence[MovedCase], has_passages: bool
) -> ChangeExplanation:
    left = tuple(case for case in cases if case.after is None)
    came = tuple(case for case in cases if case.before is None)
    stayed = tuple(case for case in cases if case.before is not None and case.after is not None)
    sentences = [f"The {FACT_TYPES.get(edge.edit.fact_type).heading} changed: {label}."]
    if edge.edit.provision:
        sentences.append(f"The change rests on {provision_name(edge.edit.provision)}.")
    if change.mean == 0:
        sentences.append("No precedent moved: the same decisions stand in the same order.")
    else:
        sentences.append(
            f"The mean rank displacement is {change.mean:.2f}: {len(change.dropped)} left the "
            f"list, {len(change.new)} came in."
        )
        for case in (*left, *came, *stayed):
            sentences += _because(case) if has_passages else [f"{_move(case)}."]
        sentences += [] if has_passages else [NO_REASONS]
    return ChangeExplanation(
        source=edge.source,
        target=edge.target,
        edit_id=edge.edit.edit_id,
        mean_displacement=change.mean,
        left=left,
        came=came,
        moved=stayed,
        sentences=tuple(sentences),
    )


def _move(case: MovedCase) -> str:
    if case.after is None:
        return f"{case.title} left from rank {case.before}"
    if case.before is None:
        return f"{case.title} came in at rank {case.after}"
    return f"{case.title} went from rank {case.before} to {case.after}"


def _because(case: MovedCase) -> list[str]:
    """That it moved, and, apart from it, the passage that the changed words match."""
    if case.quote is None:
        return [f"{_move(case)}, because others moved around it."]
    if not case.names_change:
        return [f"{_move(case)}: the new wording as a whole is {_nearness(case)} it."]
    match = "What went is spoken of in" if case.change < 0 else "What is new is spoken of in"
    return [f"{_move(case)}.", f"{match} “{case.quote.text}” ({case.quote.place})."]


def _nearness(case: MovedCase) -> str:
    return "further from" if case.change < 0 else "nearer to"
