"""Why an edit moved the ranking.

An edit changes one segment or a few. For each precedent that moved, the passage given is the one
that the changed words matched most: the old words for a precedent that left or sank, the new ones
for one that came or rose. Where the changed words did not push a precedent the way it went, it is
said that it moved because others did.
"""

from __future__ import annotations

from dataclasses import dataclass

from countercase.counterfactual.analysis import Analysis
from countercase.counterfactual.displacement import Displacement
from countercase.counterfactual.states import Renderer
from countercase.counterfactual.tree import Edge
from countercase.encoders.base import Encoders
from countercase.explanation.labels import edit_label
from countercase.explanation.model import ChangeExplanation, MovedCase, Quote
from countercase.explanation.quotes import Quoter
from countercase.retrieval.base import Match, Ranking
from countercase.retrieval.hybrid import HybridRetriever

MOST_CASES = 3
"""Precedents told of per edge, of those that left, that came and that only moved."""

NEGLIGIBLE = 0.01
"""A net change of a precedent's score below this explains nothing."""


@dataclass(frozen=True)
class _Cause:
    """A precedent that moved, and the (segment, chunk) whose score changed most."""

    case_id: str
    before: int | None
    after: int | None
    pair: tuple[str, int] | None
    change: float


def explain_changes(
    analysis: Analysis, retriever: HybridRetriever, renderer: Renderer, encoders: Encoders
) -> tuple[ChangeExplanation, ...]:
    """One explanation per measured edge, in the order of the tree."""
    tree = analysis.tree
    causes = []
    for edge, change in tree.measured():
        parent, child = tree.node(edge.source).ranking, tree.node(edge.target).ranking
        assert parent is not None
        assert child is not None
        causes.append((edge, change, _causes(parent, child, change)))
    wanted = [cause.pair for _, _, found in causes for cause in found if cause.pair is not None]
    quotes = Quoter(retriever.snapshot, encoders).quotes(wanted) if wanted else {}
    titles = {
        case_id: metadata.title or case_id
        for case_id, metadata in zip(
            retriever.snapshot.case_ids, retriever.snapshot.metadata, strict=True
        )
    }
    return tuple(_explain(edge, change, found, quotes, titles) for edge, change, found in causes)


def _causes(parent: Ranking, child: Ranking, change: Displacement) -> list[_Cause]:
    before = {result.case_id: result for result in parent.results}
    after = {result.case_id: result for result in child.results}
    others = [
        case
        for case, moved in sorted(change.by_case.items(), key=lambda item: (-item[1], item[0]))
        if moved and case in before and case in after
    ]
    listed = [
        *change.dropped[:MOST_CASES],
        *change.new[:MOST_CASES],
        *others[:MOST_CASES],
    ]
    found = []
    for case in listed:
        old, new = before.get(case), after.get(case)
        lost = _by_words(parent, old.matches, child) if old is not None else {}
        won = _by_words(child, new.matches, parent) if new is not None else {}
        rank_before, rank_after = old.rank if old else None, new.rank if new else None
        net = round(sum(sorted(won.values())) - sum(sorted(lost.values())), 9)
        rose = rank_before is None or (rank_after is not None and rank_after < rank_before)
        side = won if rose else lost
        explained = side and (net if rose else -net) >= NEGLIGIBLE
        pair = _heaviest(side) if explained else None
        found.append(_Cause(case, rank_before, rank_after, pair, net))
    return found


def _heaviest(weights: dict[tuple[str, int], float]) -> tuple[str, int]:
    """The pair of largest weight; of equal ones the first by words, then by chunk."""
    return min(weights, key=lambda pair: (-weights[pair], pair))


def _by_words(
    ranking: Ranking, matches: tuple[Match, ...], other: Ranking
) -> dict[tuple[str, int], float]:
    """Weights of the matches whose words stand in this state and not in the other."""
    theirs = set(other.query.segments)
    return {
        (ranking.query.segments[match.segment], match.chunk): match.weight
        for match in matches
        if ranking.query.segments[match.segment] not in theirs
    }


def _explain(
    edge: Edge,
    change: Displacement,
    causes: list[_Cause],
    quotes: dict[tuple[str, int], Quote],
    titles: dict[str, str],
) -> ChangeExplanation:
    moved = [
        MovedCase(
            case_id=cause.case_id,
            title=titles[cause.case_id],
            before=cause.before,
            after=cause.after,
            quote=quotes[cause.pair] if cause.pair is not None else None,
            change=cause.change,
        )
        for cause in causes
    ]
    left = tuple(case for case in moved if case.after is None)
    came = tuple(case for case in moved if case.before is None)
    stayed = tuple(case for case in moved if case.before is not None and case.after is not None)
    return ChangeExplanation(
        source=edge.source,
        target=edge.target,
        edit_id=edge.edit.edit_id,
        mean_displacement=change.mean,
        left=left,
        came=came,
        moved=stayed,
        sentences=_sentences(edge, change, left, came, stayed),
    )


def _sentences(
    edge: Edge,
    change: Displacement,
    left: tuple[MovedCase, ...],
    came: tuple[MovedCase, ...],
    stayed: tuple[MovedCase, ...],
) -> tuple[str, ...]:
    said = [f"The {edge.edit.fact_type} fact changed: {edit_label(edge.edit)}."]
    if edge.edit.provision:
        said.append(f"The change rests on {edge.edit.provision}.")
    if change.mean == 0:
        return (*said, "No precedent moved: the same decisions stand in the same order.")
    said.append(
        f"The mean rank displacement is {change.mean:.2f}: {len(change.dropped)} left the list, "
        f"{len(change.new)} came in."
    )
    for case in left:
        said.extend(_because(f"{case.title} left from rank {case.before}", case))
    for case in came:
        said.extend(_because(f"{case.title} came in at rank {case.after}", case))
    for case in stayed:
        said.extend(_because(f"{case.title} went from rank {case.before} to {case.after}", case))
    return tuple(said)


def _because(moved: str, case: MovedCase) -> tuple[str, ...]:
    """That it moved, and, apart from it, the passage that the changed words match."""
    if case.quote is None:
        return (f"{moved}, because others moved around it.",)
    kind = "The words that went had matched" if case.change < 0 else "The new words match"
    return f"{moved}.", f"{kind} “{case.quote.text}” ({case.quote.place})."
