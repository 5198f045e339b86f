"""Foreign retrievers: any function from queries to rankings as a `Retriever`."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from countercase.errors import CounterCaseError, InputError
from countercase.io import Progress, shown
from countercase.retrieval.base import SCORED, Filters, Query, RankedCase, Ranking, Retriever

RankingFunction: TypeAlias = Callable[[Sequence[Query]], Sequence[Sequence[str]]]
"""A foreign retriever: for each query the ids of precedents, best first."""


class FunctionRetriever:
    """A foreign ranking function as a `Retriever`.

    Its rankings have no stages and no matches; the score of a precedent is 1 / rank.
    """

    def __init__(self, function: RankingFunction) -> None:
        self.function = function

    def retrieve(
        self,
        queries: Sequence[Query],
        *,
        top_k: int = 10,
        exclude: frozenset[str] = frozenset(),
        filters: Filters | None = None,
        progress: Progress | None = None,
    ) -> list[Ranking]:
        """Return the function's rankings, without the excluded cases.

        Raises:
            InputError: the function raises an error, or returns something else than a list of ids,
                none of them twice, for each query; or filters are given.
        """
        if filters not in (None, Filters()):
            raise InputError("a ranking function takes no filters; filter inside the function")
        name = f"the ranking function {getattr(self.function, '__name__', self.function)}"
        answers = checked_answers(name, lambda: self.function(queries), len(queries))
        rankings = []
        for query, answer in zip(queries, answers, strict=True):
            pool = tuple(case for case in _checked_ids(name, answer) if case not in exclude)
            results = tuple(
                RankedCase(case, -1, rank, 1 / rank, {})
                for rank, case in enumerate(pool[:top_k], start=1)
            )
            scored = tuple((case, 1 / rank) for rank, case in enumerate(pool[:SCORED], start=1))
            rankings.append(Ranking(query, results, top_k, pool, scored))
        return rankings


def checked_answers(name: str, ask: Callable[[], Any], count: int) -> Sequence[Any]:
    """Return what a retriever answers to so many queries: one ranking each.

    Raises:
        InputError: it raises an error, or answers otherwise.
    """
    try:
        answers = ask()
    except CounterCaseError:
        raise
    except Exception as error:
        raise InputError(f"{name} failed: {type(error).__name__}: {error}") from error
    answers = _as_list(name, answers, "a list of rankings")
    if len(answers) != count:
        raise InputError(f"{name} returned {len(answers)} rankings for {count} queries")
    return answers


def _as_list(name: str, answer: Any, expected: str) -> Sequence[Any]:
    if inspect.iscoroutine(answer):
        answer.close()
        raise InputError(f"{name} returned a coroutine; give a function that is not async")
    if isinstance(answer, str | bytes | Mapping) or not isinstance(answer, Iterable):
        what = "None" if answer is None else f"{type(answer).__name__} {shown(answer)}"
        raise InputError(f"{name} returned {what}; expected {expected}")
    return list(answer)


def _checked_ids(name: str, answer: Any) -> Sequence[str]:
    ids = _as_list(name, answer, "a list of ids")
    if not ids:
        raise InputError(f"{name} returned an empty ranking; give every id that it can rank")
    wrong = [case for case in ids if not isinstance(case, str)]
    if wrong:
        raise InputError(f"{name} returned {shown(wrong[0])} as an id; ids are strings")
    twice = [case for case, count in Counter(ids).items() if count > 1]
    if twice:
        raise InputError(f"{name} returned {shown(twice[0])} twice in one ranking")
    return ids


def as_retriever(thing: Retriever | RankingFunction) -> Retriever:
    """Return `thing` itself where it is a retriever, else the retriever of the function `thing`.

    Raises:
        InputError: it is neither.
    """
    if isinstance(thing, Retriever):
        return thing
    if callable(thing):
        return FunctionRetriever(thing)
    raise InputError(
        f"{type(thing).__name__} is not a retriever; give a function from queries to lists of ids, "
        "or an object with a method `retrieve`"
    )
