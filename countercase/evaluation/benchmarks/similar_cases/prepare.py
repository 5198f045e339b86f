"""Gold sets for similar cases, drawn from labelled case records.

A similar case has the same charges, the same set of articles and a near term. No retriever takes
part in the choice, so that the set favours none. (The published set was filtered from the top 500
of the retriever that it then judged.)
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from countercase.errors import InputError
from countercase.evaluation.benchmarks.similar_cases.gold import GoldQuery, Positive
from countercase.evaluation.benchmarks.similar_cases.records import CaseRecord

TIERS: Final = ((0.0, 0.0), (0.1, 3.0), (0.2, 6.0))
"""Share of the query's term and months, the larger of which a positive of tier 1, 2, 3 is apart."""
MIN_CHARACTERS: Final = 100
"""Shortest text that is asked about; what is shorter tells too little."""


def build_gold(
    records: Sequence[CaseRecord],
    queries: int = 200,
    positives: int = 10,
    seed: int = 0,
    min_characters: int = MIN_CHARACTERS,
) -> list[GoldQuery]:
    """A gold set of at most `queries` queries with `positives` positives each.

    The queries are drawn one from each combination of charges and articles in turn, so that
    frequent offences do not fill the set. The positives of a query are the records of its
    combination with the nearest terms; equal ones are drawn by lot.

    Args:
        seed: of the draw; the same records and seed give the same set.
        min_characters: shortest text of a query.

    Raises:
        InputError: no record has so many like it.
    """
    lot = random.Random(seed)
    groups: dict[tuple[str, ...], list[CaseRecord]] = {}
    for record in unique_records(records):
        if record.labels.accusations and record.labels.articles:
            groups.setdefault(_combination(record), []).append(record)
    turns: list[tuple[list[CaseRecord], Iterator[CaseRecord]]] = []
    for name in sorted(groups):
        members = groups[name]
        if len(members) > positives:
            askable = [one for one in members if len(one.fact) >= min_characters]
            lot.shuffle(askable)
            turns.append((members, iter(askable)))
    lot.shuffle(turns)
    chosen: list[GoldQuery] = []
    while turns and len(chosen) < queries:
        left: list[tuple[list[CaseRecord], Iterator[CaseRecord]]] = []
        for members, order in turns:
            found = next(_with_positives(members, order, positives, lot), None)
            if found is not None:
                left.append((members, order))
                chosen.append(found)
            if len(chosen) == queries:
                break
        turns = left
    if not chosen:
        raise InputError(
            f"none of the {len(records)} records has {positives} others with the same charges, "
            "the same articles and a near term; give more records or fewer --positives"
        )
    return chosen


def unique_records(records: Iterable[CaseRecord]) -> list[CaseRecord]:
    """The records with the first of each text only, under ids that are unique."""
    texts: set[str] = set()
    names: set[str] = set()
    kept = []
    for record in records:
        if record.key in texts:
            continue
        texts.add(record.key)
        name, at = record.record_id, 1
        while name in names:
            at += 1
            name = f"{record.record_id}-{at}"
        names.add(name)
        kept.append(CaseRecord(name, record.fact, record.labels))
    return kept


def corpus_lines(records: Iterable[CaseRecord]) -> str:
    """The records as a BEIR `corpus.jsonl`, labels as metadata, one of each text."""
    return "".join(
        json.dumps(
            {
                "_id": record.record_id,
                "title": "",
                "text": record.fact,
                "metadata": record.labels.document(),
            },
            ensure_ascii=False,
        )
        + "\n"
        for record in unique_records(records)
    )


def tier_of(query: CaseRecord, other: CaseRecord) -> int | None:
    """The tier of `other` as a positive of `query` by their terms; None where they are not near."""
    for tier, (share, months) in enumerate(TIERS, start=1):
        if query.labels.term.near(other.labels.term, share, months):
            return tier
    return None


def _with_positives(
    members: Sequence[CaseRecord],
    order: Iterator[CaseRecord],
    wanted: int,
    lot: random.Random,
) -> Iterator[GoldQuery]:
    """The queries among `order` that have enough positives among `members`, one by one."""
    for query in order:
        like = []
        for other in members:
            tier = tier_of(query, other)
            if tier is not None and other.record_id != query.record_id:
                apart = query.labels.term.apart(other.labels.term) or 0.0
                like.append((tier, apart, lot.random(), other))
        if len(like) >= wanted:
            like.sort(key=lambda one: one[:3])
            positives = tuple(Positive(other, tier) for tier, _, _, other in like[:wanted])
            yield GoldQuery(query, positives, len(like))


def _combination(record: CaseRecord) -> tuple[str, ...]:
    labels = record.labels
    return (*sorted(labels.accusations), "", *sorted(labels.articles))
