"""Foreign retrievers: any function from queries to rankings as a `Retriever`."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import isfinite
from typing import Any, TypeAlias

from countercase.errors import InputError, call, is_own
from countercase.io import Progress, shown
from countercase.retrieval.base import SCORED, Filters, Query, RankedCase, Ranking, Retriever

RankingFunction: TypeAlias = Callable[[Sequence[Query]], Sequence[Sequence[str]]]
"""A foreign retriever: for each query the ids of precedents, best first."""


@dataclass(frozen=True)
class FunctionRetriever:
    """A foreign ranking function as a `Retriever`: no stages, no matches, and a score of 1 / rank."""

    function: RankingFunction

    def retrieve(
        self,
        queries: Sequence[Query],
        *,
        top_k: int = 10,
        exclude: frozenset[str] = frozenset(),
        filters: Filters | None = None,
        progress: Progress | None = None,
    ) -> list[Ranking]:
        """Return the function's rankings, less the excluded; InputError where they are no distinct ids."""
        if filters not in (None, Filters()):
            raise InputError("a ranking function takes no filters; filter inside the function")
        name = name_of(self)
        answers = _checked(name, call(name, self.function, queries), len(queries))
        rankings = []
        for query, answer in zip(queries, answers, strict=True):
            pool = tuple(case for case in _checked_ids(name, answer) if case not in exclude)
            ranked = list(enumerate(pool, start=1))
            results = tuple(RankedCase(it, -1, rank, 1 / rank, {}) for rank, it in ranked[:top_k])
            scored = tuple((case, 1 / rank) for rank, case in ranked[:SCORED])
            rankings.append(Ranking(query, results, top_k, pool, scored))
        return rankings


def checked_progress(progress: Progress | None) -> Progress | None:
    """Return a user's progress callback so that an error in it is an `InputError` that names it."""
    return None if progress is None else partial(call, "the progress callback", progress)


def name_of(retriever: Retriever) -> str:
    """Return what messages call a retriever: by the name of its function or its class."""
    if isinstance(retriever, FunctionRetriever):
        return f"the ranking function {getattr(retriever.function, '__name__', retriever.function)}"
    return f"the retriever {type(retriever).__name__}"


def ask_retriever(retriever: Retriever, queries: Sequence[Query], **asked: Any) -> list[Ranking]:
    """Return the rankings of any retriever; InputError where a foreign one fails or gives something else."""
    if is_own(retriever):
        return list(retriever.retrieve(queries, **asked))
    name = name_of(retriever)
    rankings = _checked(name, call(name, retriever.retrieve, queries, **asked), len(queries))
    for it in rankings:
        if not isinstance(it, Ranking) or not all(isinstance(r, RankedCase) for r in it.results):
            raise InputError(f"{name} returned {shown(it)} in place of a Ranking of RankedCase")
        scores = [each.score for each in it.results]
        numbers = all(hasattr(own, "__float__") and isfinite(own) for own in scores)
        if len(scores) > asked["top_k"] or not numbers:
            raise InputError(f"{name} gave more than top_k results, or a score that is no number")
    return rankings


def _checked(name: str, answers: Any, count: int) -> list[Any]:
    listed = as_list(name, answers, "a list of rankings")
    if len(listed) != count:
        raise InputError(f"{name} returned {len(listed)} rankings for {count} queries")
    return listed


def as_list(name: str, answer: Any, expected: str) -> list[Any]:
    """Return what a part of a user answered as a list; InputError where it is none."""
    if inspect.iscoroutine(answer):
        answer.close()
        raise InputError(f"{name} returned a coroutine; give a function that is not async")
    if isinstance(answer, str | bytes | Mapping) or not isinstance(answer, Iterable):
        what = "None" if answer is None else f"{type(answer).__name__} {shown(answer)}"
        raise InputError(f"{name} returned {what}; expected {expected}")
    return list(answer)


def _checked_ids(name: str, answer: Any) -> Sequence[str]:
    ids = as_list(name, answer, "a list of ids")
    for case in ids:
        if not isinstance(case, str):
            raise InputError(f"{name} returned {shown(case)} as an id; ids are strings")
    for case, count in Counter(ids).items():
        if count > 1:
            raise InputError(f"{name} returned {shown(case)} twice in one ranking")
    return ids


def as_retriever(thing: Retriever | RankingFunction) -> Retriever:
    """Return a retriever as it is, or the retriever of a function; InputError where it is neither."""
    if isinstance(thing, type):
        raise InputError(f"the class {thing.__name__} is not a retriever; give an object of it")
    if isinstance(thing, Retriever):
        return thing
    if callable(thing):
        return FunctionRetriever(thing)
    raise InputError(
        f"{type(thing).__name__} is not a retriever; give a function from queries to lists of ids, "
        "or an object with a method `retrieve`"
    )
