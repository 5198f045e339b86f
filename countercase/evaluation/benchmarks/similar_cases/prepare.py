"""Gold sets of similar cases, drawn from labelled case records.

A similar case has the same charges, the same set of articles and a near term. No retriever takes
part in the choice, so that the set favours none. (The published set was filtered from the top 500
of the retriever that it then judged.)
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import Final

from countercase.errors import InputError
from countercase.evaluation.benchmarks.similar_cases.cases import (
    TOLERANCE,
    CaseRecord,
    GoldQuery,
    gold_cases,
    read_gold,
    read_records,
    unique_records,
)

TIERS: Final = ((0.0, 0.0), (0.1, 3.0), TOLERANCE)
"""By how much the term of a positive of tier 1, 2, 3 may differ: a share of the query's term or a
number of months, whichever is larger."""
MIN_CHARACTERS: Final = 100
"""Shortest text of a query; shorter ones say too little."""


def prepare_gold(
    records: Sequence[Path] = (),
    gold: Path | None = None,
    *,
    queries: int = 200,
    positives: int = 10,
    min_characters: int = MIN_CHARACTERS,
    without_queries: bool = False,
    seed: int = 0,
    encoding: str = "",
) -> tuple[list[GoldQuery], list[CaseRecord]]:
    """Make a gold set, and the records of the corpus to search, from files of records.

    Args:
        records: labelled cases; with `gold`, further documents of the corpus.
        gold: a gold set to take in place of drawing one with `build_gold`.
        without_queries: whether the queries of `gold` stay out of the corpus.

    Raises:
        InputError: there is neither a file nor a set, one is not valid, or no record has as many
            similar cases as asked for.
    """
    if not records and gold is None:
        raise InputError("name at least one file of RECORDS, or a set with --gold")
    if without_queries and gold is None:
        raise InputError("--without-queries goes with --gold; leave it out")
    cases = [record for path in records for record in read_records(path, encoding)]
    if gold is None:
        cases = unique_records(cases)
        return build_gold(cases, queries, positives, seed, min_characters), cases
    chosen = read_gold(gold)
    asked = {query.query.key for query in chosen} if without_queries else set()
    corpus = unique_records([*gold_cases(chosen, not without_queries), *cases])
    return chosen, [case for case in corpus if case.key not in asked]


def gold_counts(gold: Sequence[GoldQuery], corpus: Sequence[CaseRecord]) -> dict[str, int]:
    """Numbers of queries, positives, positives of each tier, and documents."""
    tiers = [positive.tier for query in gold for positive in query.positives]
    by_tier = {f"tier {tier}": tiers.count(tier) for tier in (1, 2, 3) if tier in tiers}
    return {"queries": len(gold), "positives": len(tiers), **by_tier, "documents": len(corpus)}


def build_gold(
    records: Sequence[CaseRecord],
    queries: int = 200,
    positives: int = 10,
    seed: int = 0,
    min_characters: int = MIN_CHARACTERS,
) -> list[GoldQuery]:
    """Draw a gold set of at most `queries` queries with `positives` positives each.

    The queries are drawn one from each combination of charges and articles in turn, so that
    frequent offences do not fill the set. The positives of a query are the records of its
    combination with the nearest terms; equal ones are drawn by lot.

    Raises:
        InputError: no record has that many similar cases.
    """
    lot = random.Random(seed)
    groups: dict[tuple[str, ...], list[CaseRecord]] = defaultdict(list)
    for record in unique_records(records):
        charges, articles = record.labels.accusations, record.labels.articles
        if charges and articles:
            groups[*sorted(charges), "", *sorted(articles)].append(record)
    turns: list[Iterator[GoldQuery]] = []
    for _, members in sorted(groups.items()):
        if len(members) > positives:
            candidates = [record for record in members if len(record.fact) >= min_characters]
            lot.shuffle(candidates)
            turns.append(_with_positives(members, candidates, positives, lot))
    lot.shuffle(turns)
    gold = list(islice(filter(None, chain.from_iterable(zip_longest(*turns))), queries))
    if not gold:
        raise InputError(
            f"none of the {len(records)} records has {positives} others with the same charges, "
            "the same articles and a near term; give more records or fewer --positives"
        )
    return gold


def tier_of(query: CaseRecord, other: CaseRecord) -> int | None:
    """The tier of `other` as a positive of `query` by their terms; None where they are not near."""
    term, tiers = query.labels.term, enumerate(TIERS, start=1)
    return next((tier for tier, most in tiers if term.near(other.labels.term, *most)), None)


def _with_positives(
    members: Sequence[CaseRecord], candidates: Sequence[CaseRecord], count: int, lot: random.Random
) -> Iterator[GoldQuery]:
    """The candidates with enough positives among `members`, one by one."""
    for query in candidates:
        similar = []
        for other in members:
            tier = tier_of(query, other)
            if tier is not None and other.record_id != query.record_id:
                apart = query.labels.term.apart(other.labels.term) or 0.0
                similar.append((tier, apart, lot.random(), other))
        if len(similar) >= count:
            nearest = sorted(similar, key=lambda entry: entry[:3])[:count]
            positives = tuple(replace(other, tier=tier) for tier, _, _, other in nearest)
            yield GoldQuery(query, positives, len(similar))
