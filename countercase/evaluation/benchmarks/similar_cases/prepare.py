"""Gold sets of similar cases, drawn from labelled case records.

A similar case has the same charges, the same set of articles and a near term. No retriever takes
part in the choice, so that the set favours none. (The published set was filtered from the top 500
of the retriever that it then judged.)
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count, islice, zip_longest
from pathlib import Path
from typing import Final

from countercase.errors import InputError
from countercase.evaluation.benchmarks.similar_cases.cases import (
    CaseRecord,
    GoldQuery,
    Positive,
    gold_cases,
    read_gold,
    read_records,
)

TIERS: Final = ((0.0, 0.0), (0.1, 3.0), (0.2, 6.0))
"""How far the term of a positive of tier 1, 2, 3 may be: a share of the query's term or a number
of months, whichever is larger."""
MIN_CHARACTERS: Final = 100
"""Shortest text of a query; shorter ones say too little."""


@dataclass(frozen=True)
class Prepared:
    """A gold set and the records that make up the corpus to search."""

    gold: tuple[GoldQuery, ...]
    corpus: tuple[CaseRecord, ...]

    def counts(self) -> dict[str, int]:
        """Numbers of queries, positives, positives of each tier, and documents."""
        tiers = [positive.tier for query in self.gold for positive in query.positives]
        return {
            "queries": len(self.gold),
            "positives": len(tiers),
            **{f"tier {tier}": tiers.count(tier) for tier in (1, 2, 3) if tier in tiers},
            "documents": len(self.corpus),
        }


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
) -> Prepared:
    """A gold set with its corpus, from files of records.

    Args:
        records: JSON Lines files of labelled cases; with `gold`, further documents of the corpus.
        gold: a gold set to take in place of drawing one with `build_gold`.
        without_queries: whether the queries of `gold` stay out of the corpus.
        encoding: of the records; see `read_records`.

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
        drawn = build_gold(cases, queries, positives, seed, min_characters)
        return Prepared(tuple(drawn), tuple(cases))
    chosen = read_gold(gold)
    asked = {query.query.key for query in chosen} if without_queries else set()
    corpus = unique_records([*gold_cases(chosen, not without_queries), *cases])
    return Prepared(tuple(chosen), tuple(case for case in corpus if case.key not in asked))


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
        InputError: no record has that many similar cases.
    """
    lot = random.Random(seed)
    groups: dict[tuple[str, ...], list[CaseRecord]] = {}
    for record in unique_records(records):
        charges, articles = record.labels.accusations, record.labels.articles
        if charges and articles:
            combination = (*sorted(charges), "", *sorted(map(str, articles)))
            groups.setdefault(combination, []).append(record)
    turns: list[Iterator[GoldQuery]] = []
    for _, members in sorted(groups.items()):
        if len(members) > positives:
            candidates = [record for record in members if len(record.fact) >= min_characters]
            lot.shuffle(candidates)
            turns.append(_with_positives(members, candidates, positives, lot))
    lot.shuffle(turns)
    in_turn = filter(None, chain.from_iterable(zip_longest(*turns)))
    gold = list(islice(in_turn, queries))
    if not gold:
        raise InputError(
            f"none of the {len(records)} records has {positives} others with the same charges, "
            "the same articles and a near term; give more records or fewer --positives"
        )
    return gold


def unique_records(records: Iterable[CaseRecord]) -> list[CaseRecord]:
    """The records with the first of each text only, under ids that are unique."""
    by_text: dict[str, CaseRecord] = {}
    for record in records:
        by_text.setdefault(record.key, record)
    by_name: dict[str, CaseRecord] = {}
    for record in by_text.values():
        numbered = (f"{record.record_id}-{number}" for number in count(2))
        name = next(name for name in chain([record.record_id], numbered) if name not in by_name)
        by_name[name] = CaseRecord(name, record.fact, record.labels)
    return list(by_name.values())


def corpus_lines(records: Iterable[CaseRecord]) -> str:
    """The records as a BEIR `corpus.jsonl`, labels as metadata, one of each text."""
    rows = (
        {"_id": case.record_id, "title": "", "text": case.fact, "metadata": case.labels.document()}
        for case in unique_records(records)
    )
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def tier_of(query: CaseRecord, other: CaseRecord) -> int | None:
    """The tier of `other` as a positive of `query` by their terms; None where they are not near."""
    terms = query.labels.term, other.labels.term
    tiers = enumerate(TIERS, start=1)
    return next(
        (tier for tier, (share, months) in tiers if terms[0].near(terms[1], share, months)), None
    )


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
            similar.sort(key=lambda entry: entry[:3])
            positives = tuple(Positive(other, tier) for tier, _, _, other in similar[:count])
            yield GoldQuery(query, positives, len(similar))
