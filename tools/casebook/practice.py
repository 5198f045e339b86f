"""What a judgment bears out of a record for practice: citation, occurrence, later treatment."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

_OF_NO_USE: Final = frozenset("state union india others another anr ors smt shri the and".split())  # noqa: SIM905


def named_sources(record: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The judgment of a record, and the judgments that bear its treatments out."""
    known = [item.get("known_from", {}) for item in record.get("treatment", [])]
    return [record.get("source", {}), *(source for source in known if "id" in source)]


def read_citations(index: Path) -> dict[str, str]:
    """The day of the decision by its citation, from a JSON Lines index of citations."""
    rows = map(json.loads, index.read_text(encoding="utf-8").splitlines())
    return {
        _squeezed(row[name]): row["date"]
        for row in rows
        for name in ("neutral_citation", "scr_citation")
        if row[name]
    }


def source_problems(
    record: Mapping[str, Any], source: str, citations: Mapping[str, str]
) -> list[tuple[str, str]]:
    """(field, message) of what the judgment itself does not bear out.

    Args:
        citations: of an index, as `read_citations` gives them; they bear a citation out too.
    """
    found = []
    citation = record.get("citation", {})
    flat = _squeezed(source)
    for cited in [citation.get("neutral", ""), *citation.get("reported", [])]:
        known = _squeezed(cited) in flat or citations.get(_squeezed(cited)) == record["date"]
        if cited and not known:
            found.append(("citation", f"{cited} is not in the source"))
    occurred = record.get("occurred_on", "")
    if occurred and occurred[:4] not in source:
        found.append(("occurred_on", f"{occurred[:4]} is not in the source"))
    return found


def treatment_problems(record: Mapping[str, Any], sources: Mapping[str, str]) -> list[str]:
    """Treatments whose judgment is not there, or names no party of the decision."""
    parties = {
        word for word in re.findall(r"[a-z]{4,}", record["title"].lower()) if word not in _OF_NO_USE
    }
    found = []
    for item in record.get("treatment", []):
        known = item["known_from"]
        if "id" not in known:
            continue
        text = sources.get(str(known["id"]))
        if text is None:
            found.append(f"{known['id']} is not in the collection")
        elif not parties & set(re.findall(r"[a-z]{4,}", text.lower())):
            found.append(f"{known['id']} names no party of {record['title']}")
    return found


def _squeezed(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())
