"""Why a decision is not among the precedents: where it fell behind, and what would bring it in."""

from __future__ import annotations

from dataclasses import dataclass

from countercase.counterfactual.attribution import Game, SmallestSet
from countercase.counterfactual.states import State
from countercase.errors import InputError
from countercase.retrieval.base import Filters, Query, StageScore
from countercase.retrieval.fusion import scores_of
from countercase.retrieval.hybrid import HybridRetriever

_SHOWN = 5


@dataclass(frozen=True)
class Behind:
    """A part of the case that speaks for the last precedent of the list and not for another.

    Attributes:
        segment: its text, a statement or a segment of the residue.
        ranker: the channel in which the gap is widest.
        own, last: weighted scores of the decision and of the last precedent for this part.
        share: the gap as a share of the spread of that ranker's scores for the whole case.
    """

    segment: str
    ranker: str
    own: float
    last: float
    share: float


@dataclass(frozen=True)
class WhyNot:
    """Why a decision is not in the list.

    Attributes:
        last: the last precedent of the list, which it would have to pass.
        stages: rank and score of the decision at each stage; a stage that it did not reach is absent.
        last_stages: the same of the last precedent.
        behind: the texts of the case on which it falls furthest behind, the widest gap first.
        brought_in: the fewest facts whose change brings it into the list; None where no set that
            was looked at does.
    """

    case_id: str
    last: str
    stages: dict[str, StageScore]
    last_stages: dict[str, StageScore]
    behind: tuple[Behind, ...]
    brought_in: SmallestSet | None


def why_not(case_id: str, game: Game, retriever: HybridRetriever) -> WhyNot:
    """Return why a decision is not in the list, and which set that `game` ranked brings it in.

    InputError where the corpus or the filters leave it out, it is the case itself, or is in the
    list.
    """
    names, search = retriever.snapshot.case_ids, game.search
    if case_id not in names:
        raise InputError(f"{case_id}: the corpus holds no such decision")
    if case_id in search.exclude:
        raise InputError(f"{case_id}: it is the case itself or its near-duplicate, left out")
    allowed = (search.filters or Filters()).allow(retriever.snapshot.metadata[names.index(case_id)])
    if not allowed:
        raise InputError(f"{case_id}: the filters of this analysis leave it out")
    listed = game.precedents(0)
    if case_id in listed:
        raise InputError(f"{case_id}: it is in the list, at rank {listed.index(case_id) + 1}")
    query, at = search.renderer.query(State()), names.index(case_id)
    last, reach = names.index(listed[-1]), query.reach or len(query.segments)
    parts = [Query((text,), reach=reach, quoted=(text,)) for text, _ in query.asked]
    fused, *alone = retriever.fuse(
        [query, *parts], top_k=search.top_k, exclude=search.exclude, filters=search.filters
    )
    rankers = [name for name in fused.stages if name not in ("fused", "mmr")]
    spread = {name: float(fused.stages[name][1].std()) or 1.0 for name in rankers}
    widest: dict[str, Behind] = {}
    for (text, weight), part in zip(query.asked, alone, strict=True):
        for name in rankers:
            row = weight * part.stages[name][1]
            own, other = float(row[at]), float(row[last])
            gap = Behind(text, name, own, other, (other - own) / spread[name])
            if gap.share > 0 and (text not in widest or gap.share > widest[text].share):
                widest[text] = gap
    behind = sorted(widest.values(), key=lambda gap: -gap.share)[:_SHOWN]
    brought_in = game.smallest_set(lambda after: case_id in after)
    scores = (scores_of(fused.stages, at), scores_of(fused.stages, last))
    return WhyNot(case_id, listed[-1], *scores, tuple(behind), brought_in)
