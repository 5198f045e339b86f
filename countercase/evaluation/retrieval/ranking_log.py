"""Rankings that were made, kept in a file, so that a run that was stopped goes on from there."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from countercase.errors import InputError, StoreError

Rank = Callable[[str, str], Mapping[str, Sequence[str]]]
"""Text and id of a query to case ids, best first, by name of the ranking."""


def code_digest() -> str:
    """SHA-256 over the code that ranks: what other code ranked is not taken up again."""
    package = resources.files("countercase")
    digest = hashlib.sha256()
    for part in ("retrieval", "encoders", "corpus", "facts", "evaluation"):
        files = (one for one in package.joinpath(part).iterdir() if one.name.endswith(".py"))
        for file in sorted(files, key=lambda one: one.name):
            if part != "evaluation" or file.name == "retrieval_systems.py":
                digest.update(f"{part}/{file.name}\x1f".encode() + file.read_bytes())
    return digest.hexdigest()


class _Row(BaseModel):
    """The rankings of one query: `rankings` holds positions in `cases`."""

    model_config = ConfigDict(extra="forbid")

    key: str
    query_id: str
    cases: list[str]
    rankings: dict[str, list[Annotated[int, Field(ge=0)]]]

    def named(self) -> dict[str, list[str]]:
        """Case ids by name of the ranking; `IndexError` where a position has no case."""
        return {name: [self.cases[at] for at in listed] for name, listed in self.rankings.items()}


class RankingLog:
    """Rankings by query, one query a line.

    A row counts again only for the same query with the same text under the same recipe. A last
    line that was cut off while it was written is dropped.

    Args:
        recipe: whatever else decides a ranking: settings, models, the corpus's checksum, the code.

    Raises:
        InputError: another line of the file is damaged.
        StoreError: the file cannot be read or written.
    """

    def __init__(self, path: Path, recipe: Mapping[str, Any]) -> None:
        self._path = path
        self._recipe = json.dumps(recipe, sort_keys=True, ensure_ascii=False)
        self._kept: dict[str, dict[str, list[str]]] = {}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            stored = path.read_bytes() if path.exists() else b""
            whole = stored[: stored.rfind(b"\n") + 1]
            if len(whole) < len(stored):
                path.write_bytes(whole)
        except OSError as error:
            raise self._error(error) from error
        for number, line in enumerate(whole.splitlines(), start=1):
            try:
                row = _Row.model_validate_json(line)
                named = row.named()
            except (ValidationError, IndexError) as error:
                raise InputError(
                    f"{path}:{number}: not a query's rankings; delete the line or the file"
                ) from error
            self._kept[row.key] = named

    def find(self, query_id: str, text: str, names: Sequence[str]) -> dict[str, list[str]] | None:
        """The rankings of these names, if all of them were made before."""
        kept = self._kept.get(self._key(query_id, text), {})
        return {name: kept[name] for name in names} if kept.keys() >= set(names) else None

    def keep(self, query_id: str, text: str, found: Mapping[str, Sequence[str]]) -> None:
        """Add a query's rankings to the file at once."""
        place: dict[str, int] = {}
        rankings = {
            name: [place.setdefault(case, len(place)) for case in listed]
            for name, listed in found.items()
        }
        key = self._key(query_id, text)
        row = _Row(key=key, query_id=query_id, cases=list(place), rankings=rankings)
        self._kept[key] = row.named()
        try:
            with self._path.open("a", encoding="utf-8", newline="\n") as stream:
                stream.write(row.model_dump_json() + "\n")
        except OSError as error:
            raise self._error(error) from error

    def _key(self, query_id: str, text: str) -> str:
        parts = "\x1f".join((self._recipe, query_id, text))
        return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:32]

    def _error(self, error: OSError) -> StoreError:
        return StoreError(
            f"{self._path}: rankings cannot be kept there ({error.strerror}); "
            "choose another --output"
        )


def rank_queries(
    queries: Mapping[str, str],
    rank: Rank,
    names: Sequence[str],
    log: RankingLog | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> dict[str, dict[str, dict[str, float]]]:
    """The runs of every ranking in `names`, over all queries, in their order.

    Each run gives n, n − 1, ... as scores: trec_eval reads scores in single precision and breaks
    ties by id, and so takes exactly this order, whatever the retriever's own scores are.

    Args:
        log: rankings found there are not made again, new ones are kept there.
        progress: told what is done, how much of it, and of how much.
    """
    runs: dict[str, dict[str, dict[str, float]]] = {name: {} for name in names}
    for done, (query_id, text) in enumerate(queries.items(), start=1):
        found: Mapping[str, Sequence[str]] | None
        found = log.find(query_id, text, names) if log else None
        if found is None:
            found = rank(text, query_id)
            if log:
                log.keep(query_id, text, found)
        for name in names:
            listed = found[name]
            runs[name][query_id] = {case: float(len(listed) - at) for at, case in enumerate(listed)}
        if progress is not None:
            progress("queries", done, len(queries))
    return runs
