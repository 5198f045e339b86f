"""What a record says for practice: citations, date of the occurrence, courts below, later treatment.

| field | form |
|---|---|
| `citation` | `{"neutral": "2019 INSC 1", "reported": ["[2019] 1 S.C.R. 1"]}`, as the source has them |
| `occurred_on` | `2012-08-31`, `2012-08` or `2012`: the day that the law is asked of; empty: not stated |
| `below` | `[{"court", "finding", "became"}]`: what a court below found and what came of it |
| `treatment` | `[{"kind", "by", "date", "on", "known_from"}]`: what was done to the decision later |

`known_from` names the judgment in a collection, or the provision, that bears a treatment out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from countercase.corpus.casebook.records import TREATMENTS
from countercase.text.dates import is_iso_date

BECAME: Final = ("affirmed", "reversed", "modified", "set aside", "not decided")
"""What became of a finding of a court below."""

_KEYS: Final = {
    "below": {"court", "finding", "became"},
    "treatment": {"kind", "by", "date", "on", "known_from"},
}
_OF_NO_USE: Final = frozenset("state union india others another anr ors smt shri the and".split())  # noqa: SIM905


def named_sources(record: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The judgment of a record, and the judgments that bear its treatments out."""
    known = [item.get("known_from", {}) for item in record.get("treatment", [])]
    return [record.get("source", {}), *(source for source in known if "id" in source)]


def form_problems(record: Mapping[str, Any]) -> list[tuple[str, str]]:
    """(field, message) of all that is wrong with these fields by themselves."""
    found: list[tuple[str, str]] = []
    for field, keys in _KEYS.items():
        for item in record.get(field, []):
            if set(item) != keys:
                found.append((field, f"{item} must have {', '.join(sorted(keys))}"))
    if found:
        return found
    occurred = record.get("occurred_on", "")
    if occurred and not is_iso_date(occurred):
        found.append(("occurred_on", f"{occurred!r} is no date"))
    elif occurred > record["date"]:
        found.append(("occurred_on", f"{occurred} is after the decision"))
    for item in record.get("below", []):
        if item["became"] not in BECAME:
            found.append(("below", f"{item['became']!r} is not one of {', '.join(BECAME)}"))
    for item in record.get("treatment", []):
        if item["kind"] not in TREATMENTS:
            found.append(("treatment", f"{item['kind']!r} is not one of {', '.join(TREATMENTS)}"))
        if not is_iso_date(item["date"]) or item["date"] < record["date"][:4]:
            found.append(("treatment", f"{item['date']!r} is no date after the decision"))
        if set(item["known_from"]) not in ({"collection", "id"}, {"provision"}):
            found.append(("treatment", "known_from names no judgment and no provision"))
    return found


def source_problems(record: Mapping[str, Any], source: str) -> list[tuple[str, str]]:
    """(field, message) of what the judgment itself does not bear out."""
    found = []
    citation = record.get("citation", {})
    flat = _squeezed(source)
    for cited in [citation.get("neutral", ""), *citation.get("reported", [])]:
        if cited and _squeezed(cited) not in flat:
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
