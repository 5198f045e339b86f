"""Check the labelled matters, and print what they hold and how well two passes agree.

    python -m training.matters_check [AREA ...] [--second]

Errors name the matter and the fact. With --second the labels of `training/matters/second/` are
compared with the first: Cohen's kappa of decisive or not, of the type and of the owner.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parent / "matters"
VOICES: Final = ("client", "junior", "brief", "order")
LABELS: Final = ("decisive", "argued", "background")
TYPES: Final = ("Section", "PartyType", "Evidence", "Numerical")
PARTY_TYPES: Final = (
    "Individual", "Minor", "Corporation", "State", "Union of India", "Public servant", "Employee",
    "Contractor", "Tenant", "Licensee",
)  # fmt: skip
EVIDENCE_TYPES: Final = (
    "eyewitness", "victim_testimony", "dying_declaration", "confession",
    "extrajudicial_confession", "recovery", "medical", "forensic", "electronic_record",
    "documentary", "test_identification", "last_seen", "motive", "expert_opinion",
    "search_safeguard", "sanction", "electronic_certificate", "arrest_grounds", "injury_grade",
    "weapon", "sudden_quarrel", "report_delay", "hostile_witness", "related_witness", "settlement",
    "antecedents",
)  # fmt: skip
ROLES: Final = (
    "", "accused", "complainant", "victim", "deceased", "injured", "prosecution", "employer",
    "employee", "claimant", "insurer", "tenant", "landlord", "detenu", "detaining authority",
    "assessee", "tax department", "plaintiff", "defendant", "husband", "wife", "child", "parent",
    "relative", "witness", "consumer", "service provider", "creditor", "debtor",
    "public authority",
)  # fmt: skip
UNITS: Final[Mapping[str, tuple[str, ...]]] = {
    "age": ("years", "months"),
    "amount": ("INR",),
    "duration": ("minutes", "hours", "days", "weeks", "months", "years"),
    "quantity": (
        "mg", "g", "kg", "ml", "l", "m", "km", "cm", "sq_m", "sq_ft", "sq_yd", "hectare", "acre",
        "bigha", "guntha", "cent", "kanal", "marla", "katha", "tola", "tablet", "bottle", "kW",
    ),
    "count": (
        "accused", "blows", "injuries", "witnesses", "victims", "children", "workers", "cases",
    ),
}  # fmt: skip
_PROVISION: Final = re.compile(r"[A-Z][A-Za-z0-9]*-[0-9A-Za-z()./-]+\Z")
_DATE: Final = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?\Z")
WORDS: Final = (80, 370)
FIELDS: Final = {
    "matter_id", "area", "voice", "read_on", "read_on_words", "from", "text", "facts",
    "not_facts", "what_ifs",
}  # fmt: skip


def read_matters(area: str, folder: Path = FOLDER) -> list[dict[str, Any]]:
    """Read the matters of one area, in order."""
    lines = (folder / f"{area}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def find_spans(text: str, mentions: Sequence[str]) -> list[tuple[int, int]]:
    """Return where each mention stands: the n-th of the same words is their n-th occurrence.

    Raises:
        ValueError: the text does not hold one of them often enough.
    """
    spans, last = [], dict[str, int]()
    for words in mentions:
        bounded = (r"(?<!\w)" if words[:1].isalnum() else "") + re.escape(words)
        pattern = re.compile(bounded + (r"(?!\w)" if words[-1:].isalnum() else ""))
        match = pattern.search(text, last.get(words, 0)) if words.strip() else None
        if match is None:
            raise ValueError(
                f"{words!r} does not stand in the text as whole words, or not so often"
            )
        last[words] = match.end()
        spans.append(match.span())
    return spans


def find_errors(matter: Mapping[str, Any], area: str) -> Iterator[str]:
    """Yield what is wrong with a matter, one line each."""
    if missing := FIELDS ^ set(matter):
        yield f"fields that are missing or unknown: {', '.join(sorted(missing))}"
        return
    if matter["area"] != area or not matter["matter_id"].startswith(f"{area}-"):
        yield "area and matter_id do not fit the file"
    if matter["voice"] not in VOICES:
        yield f"voice {matter['voice']!r}"
    if not _DATE.match(matter["read_on"]):
        yield f"read_on {matter['read_on']!r}"
    if matter["read_on_words"] and matter["read_on_words"] not in matter["text"]:
        yield "read_on_words do not stand in the text"
    if not matter["from"]:
        yield "from is empty"
    count = len(matter["text"].split())
    if not WORDS[0] <= count <= WORDS[1]:
        yield f"{count} words"
    for words in matter["not_facts"]:
        if words not in matter["text"]:
            yield f"not_facts: {words!r} does not stand in the text"
    ids = [fact.get("id") for fact in matter["facts"]]
    if len(set(ids)) != len(ids):
        yield "two facts of one id"
    for fact in matter["facts"]:
        for problem in _fact_errors(fact, matter["text"], ids):
            yield f"{fact.get('id')}: {problem}"
    if not any(fact.get("label") == "decisive" for fact in matter["facts"]):
        yield "no decisive fact"
    if not 2 <= len(matter["what_ifs"]) <= 9:
        yield f"{len(matter['what_ifs'])} what_ifs"
    for row in matter["what_ifs"]:
        if set(row) != {"fact", "suppose", "law"} or row["fact"] not in [*ids, ""]:
            yield f"what_if {row}"


def _fact_errors(fact: Mapping[str, Any], text: str, ids: Sequence[str | None]) -> Iterator[str]:
    kind = fact.get("type")
    if kind not in TYPES:
        yield f"type {kind!r}"
        return
    wanted = {"id", "type", "mentions", "label", "why"} | {
        "Section": {"value"},
        "PartyType": {"value", "side", "role", "name"},
        "Evidence": {"value", "strength", "words", "witness"},
        "Numerical": {"kind", "value", "unit", "upper", "measures", "owner", "stated"},
    }[kind]
    if wanted ^ set(fact):
        yield f"fields that are missing or unknown: {', '.join(sorted(wanted ^ set(fact)))}"
        return
    if fact["label"] not in LABELS or not fact["why"].strip():
        yield "label or why"
    if not fact["mentions"]:
        yield "no mention"
    try:
        find_spans(text, fact["mentions"])
    except ValueError as error:
        yield str(error)
    if kind == "Section" and not _PROVISION.match(fact["value"]):
        yield f"value {fact['value']!r}"
    if kind == "PartyType":
        if fact["value"] not in PARTY_TYPES:
            yield f"value {fact['value']!r}"
        if fact["side"] not in ("petitioner", "respondent", "other") or fact["role"] not in ROLES:
            yield "side or role"
    if kind == "Evidence":
        if fact["value"] not in EVIDENCE_TYPES:
            yield f"value {fact['value']!r}"
        if fact["strength"] not in ("full", "weakened", "absent"):
            yield f"strength {fact['strength']!r}"
        if fact["words"] not in text:
            yield "words do not stand in the text"
        if fact["witness"] and fact["witness"] not in ids:
            yield f"witness {fact['witness']!r}"
    if kind == "Numerical":
        if fact["kind"] not in UNITS or fact["unit"] not in UNITS[fact["kind"]]:
            yield f"kind or unit {fact['kind']!r} {fact['unit']!r}"
        if not isinstance(fact["value"], int | float) or fact["owner"] not in ROLES:
            yield "value or owner"
        if fact["stated"] is False and len(fact["mentions"]) != 2:
            yield "a derived figure has the words of its two dates as mentions"


def describe(matters: Sequence[Mapping[str, Any]]) -> str:
    """Return the counts of some matters in one line."""
    facts = [fact for matter in matters for fact in matter["facts"]]
    parts = [f"{len(matters)} matters, {len(facts)} facts"]
    for kind in TYPES:
        own = Counter(fact["label"] for fact in facts if fact["type"] == kind)
        parts.append(f"{kind} " + "/".join(str(own[label]) for label in LABELS))
    voices = Counter(matter["voice"] for matter in matters)
    parts.append(" ".join(f"{voice} {voices[voice]}" for voice in VOICES))
    parts.append(f"new codes {sum(matter['read_on'] >= '2024-07' for matter in matters)}")
    parts.append(f"derived {sum(fact.get('stated') is False for fact in facts)}")
    odd = sum(fact.get("strength") in ("weakened", "absent") for fact in facts)
    return "; ".join([*parts, f"weakened or absent {odd}"])


def kappa(pairs: Sequence[tuple[Any, Any]]) -> float:
    """Return Cohen's kappa of pairs of labels, -1 to 1.

    Source: Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological
    Measurement 20, 1960.
    """
    n = len(pairs)
    left, right = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    agreed = sum(a == b for a, b in pairs) / n
    chance = sum(left[label] * right[label] for label in left) / n**2
    return 1.0 if chance == 1 else (agreed - chance) / (1 - chance)


def compare(first: Mapping[str, Any], second: Mapping[str, Any]) -> Iterator[tuple[Any, Any]]:
    """Yield the facts that both passes found, as pairs: same type, a mention in common."""
    places = [(fact, find_spans(second["text"], fact["mentions"])) for fact in second["facts"]]
    for fact in first["facts"]:
        spans = find_spans(first["text"], fact["mentions"])
        for other, theirs in places:
            same = fact["type"] == other["type"] and fact.get("kind") == other.get("kind")
            if same and any(a < d and c < b for a, b in spans for c, d in theirs):
                yield fact, other
                break


def main() -> None:
    """Check from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("areas", nargs="*")
    parser.add_argument("--second", action="store_true", help="print the agreement of the passes")
    given = parser.parse_args()
    areas = given.areas or sorted(path.stem for path in FOLDER.glob("*.jsonl"))
    wrong, everything, pairs = 0, list[dict[str, Any]](), list[tuple[Any, Any]]()
    missed = found = 0
    for area in areas:
        matters = read_matters(area)
        everything += matters
        for matter in matters:
            for problem in find_errors(matter, area):
                wrong += 1
                print(f"{matter.get('matter_id')}: {problem}")
        print(f"{area}: {describe(matters)}")
        again = FOLDER / "second" / f"{area}.jsonl"
        if given.second and again.exists():
            own = {matter["matter_id"]: matter for matter in matters}
            for matter in read_matters(area, FOLDER / "second"):
                shared = list(compare(own[matter["matter_id"]], matter))
                pairs += shared
                found += len(own[matter["matter_id"]]["facts"]) + len(matter["facts"])
                missed += found and (
                    len(own[matter["matter_id"]]["facts"]) + len(matter["facts"]) - 2 * len(shared)
                )
    if len(areas) > 1:
        print(f"all: {describe(everything)}")
    if pairs:
        print(f"{len(pairs)} facts that both passes found, {missed} of {found} in one alone")
        decisive = [(a["label"] == "decisive", b["label"] == "decisive") for a, b in pairs]
        values = [(str(a.get("value")), str(b.get("value"))) for a, b in pairs]
        owners = [(a["owner"], b["owner"]) for a, b in pairs if a["type"] == "Numerical"]
        labels = [(a["label"], b["label"]) for a, b in pairs]
        for name, chosen in (
            ("decisive or not", decisive), ("label", labels), ("value", values), ("owner", owners),
        ):  # fmt: skip
            if chosen:
                print(f"kappa, {name}: {kappa(chosen):.3f} of {len(chosen)}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
