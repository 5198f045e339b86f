"""Look records of the casebook up: by id, area, words, provision, year and outcome."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

from countercase.corpus.casebook.records import casebook_records, private_records
from countercase.errors import InputError
from countercase.facts.vocabulary import AREAS, OUTCOMES
from countercase.law.provisions import normal_form


def records_of(area: str = "") -> list[Mapping[str, Any]]:
    """The records of an area, or all of them: those that ship, then those that were added here.

    Raises:
        InputError: there is no such area.
    """
    if area and area not in AREAS:
        raise InputError(f"--area {area!r}: no such area (known: {', '.join(AREAS)})")
    return [record for record in _all() if area in ("", record["area"])]


def search_records(
    words: Sequence[str] = (),
    area: str = "",
    provision: str = "",
    year_from: int | None = None,
    year_to: int | None = None,
    outcome: str = "",
) -> list[Mapping[str, Any]]:
    """Return the records that meet every condition given, in the order of the casebook.

    Args:
        words: each must stand in the title, the facts, the holding or the catchwords, in any case.
        provision: as people write it or in normal form; a whole section also finds its parts.

    Raises:
        InputError: no such area or outcome, an unreadable provision, or years the wrong way round.
    """
    if year_from is not None and year_to is not None and year_from > year_to:
        raise InputError(f"--year-from {year_from} is after --year-to {year_to}; swap them")
    wanted = normal_form(provision) if provision else ""
    if outcome and outcome not in OUTCOMES:
        raise InputError(f"--outcome {outcome!r}: no such outcome (known: {', '.join(OUTCOMES)})")

    def meets(record: Mapping[str, Any]) -> bool:
        year = int(record["date"][:4])
        told = [record[key] for key in ("title", "facts", "holding")]
        text = " ".join([*told, *record.get("catchwords", ())]).casefold()
        cited = record["sections_cited"]
        return (
            (year_from is None or year >= year_from)
            and (year_to is None or year <= year_to)
            and outcome in ("", record["outcome"])
            and all(word.casefold() in text for word in words)
            and (not wanted or any(f"{known}-".startswith(f"{wanted}-") for known in cited))
        )

    return [record for record in records_of(area) if meets(record)]


def record_of(case_id: str) -> Mapping[str, Any]:
    """One record by its id.

    Raises:
        InputError: there is no such record; the nearest id is named.
    """
    by_id = {record["case_id"]: record for record in _all()}
    if case_id not in by_id:
        near = difflib.get_close_matches(case_id, by_id, n=1, cutoff=0.3)
        meant = f"; did you mean {near[0]}?" if near else ""
        raise InputError(
            f"{case_id}: not in the casebook{meant} `countercase casebook list` lists all"
        )
    return by_id[case_id]


def _all() -> tuple[Mapping[str, Any], ...]:
    return (*casebook_records(), *private_records())
