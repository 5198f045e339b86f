"""Check casebook records against the judgments they were made from.

    python -m tools.casebook.check [--data DIR] [--records PATH] [--json]

A record may state only what its judgment states, in words that are not the judgment's. Both
are checked by machine here: every figure must be found in the source, and no run of more than
`MAX_SHARED_WORDS` words may be shared with it. What needs no source (fields, vocabularies,
lengths, ids) is checked without one too.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final

from countercase.corpus.casebook import casebook_records
from countercase.corpus.casebook.sheets import sheet_of_record
from countercase.corpus.readers.beir import CORPUS_FILE
from countercase.errors import InputError
from countercase.facts.vocabulary import (
    AREAS,
    DURATION_UNITS,
    EVIDENCE_TYPES,
    FACT_TYPES,
    OUTCOMES,
    PARTY_TYPES,
    QUANTITY_UNITS,
    SIDES,
)
from tools.casebook.practice import (
    form_problems,
    named_sources,
    source_problems,
    treatment_problems,
)

MAX_SHARED_WORDS: Final = 7
"""The longest run of words that a record may share with its judgment."""

FACTS_WORDS: Final = (120, 220)
HOLDING_WORDS: Final = (60, 120)

REQUIRED: Final = (
    "case_id",
    "title",
    "court",
    "date",
    "docket",
    "bench",
    "area",
    "parties",
    "sections_cited",
    "evidence_items",
    "numerical_facts",
    "outcome",
    "facts",
    "holding",
    "dispositive",
    "turned_on",
    "not_turned_on",
    "source",
)

LABELS: Final = ("turned_on", "argued", "not_turned_on")
"""Decisive facts, those argued that decided nothing, and background."""

COLLECTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "FIRE 2019 AILA": ("aila2019/corpus.jsonl",),
    "FIRE 2017 IRLeD": ("irled2017/corpus.jsonl",),
    "Recent judgments": ("recent_judgments/corpus.jsonl", "recent_judgments/rest.jsonl"),
}
"""Where the judgments of each collection lie in the data folder."""

_NORMAL_FORM: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*-[0-9A-Z]+(?:\([0-9A-Za-z]+\))*(?:-II?)?")
"""`IPC-302`, `PCA47-5`, `IPC-376(2)(g)`, `CPC-O7R11`, `IPC-304-II`."""
_ID: Final = re.compile(r'\{"_id": "([^"\\]*)"')
_WORD = re.compile(r"[a-z0-9]+")
_SIGNATURES: Final = 4_000
"""Characters at the end of a judgment among which the judges sign."""
_NUMBER_WORDS: Final = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
    "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20,
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
    "ninety": 90, "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6,
    "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10, "a": 1, "an": 1, "half": 0.5,
}  # fmt: skip
_SCALE: Final = {
    "hundred": 1e2, "thousand": 1e3, "lakh": 1e5, "lakhs": 1e5, "lac": 1e5, "lacs": 1e5,
    "crore": 1e7, "crores": 1e7, "million": 1e6,
}  # fmt: skip


@dataclass(frozen=True)
class Finding:
    """One thing wrong with one record: which record, which field, and what."""

    case_id: str
    field: str
    message: str


def words(text: str) -> list[str]:
    """Lower-cased words and numbers of `text`, punctuation dropped."""
    return _WORD.findall(text.lower())


def shared_runs(text: str, source: str, limit: int = MAX_SHARED_WORDS) -> list[str]:
    """Runs of more than `limit` words that `text` shares with `source`."""
    length = limit + 1
    theirs = words(source)
    grams = {tuple(theirs[i : i + length]) for i in range(len(theirs) - length + 1)}
    ours = words(text)
    return [
        " ".join(ours[i : i + length])
        for i in range(len(ours) - length + 1)
        if tuple(ours[i : i + length]) in grams
    ]


def stated_numbers(source: str) -> set[float]:
    """Every number that `source` states in figures or in words, scales applied and not."""
    flat = re.sub(r"(?<=\d),(?=\d)", "", source.lower())
    tokens = re.findall(r"\d+(?:\.\d+)?|[a-z]+", flat)
    found: set[float] = set()
    i = 0
    while i < len(tokens):
        value = _number_at(tokens[i])
        if value is None:
            i += 1
            continue
        found.add(value)
        total, current, j = 0.0, value, i + 1
        while j < len(tokens):
            scale = _SCALE.get(tokens[j])
            nxt = _number_at(tokens[j])
            if scale is not None and scale > 100:
                found.add(current * scale)
                total, current = total + current * scale, 0.0
            elif scale is not None:
                current *= scale
            elif nxt is not None and not tokens[j][0].isdigit() and nxt < 100:
                current += nxt
            elif tokens[j] != "and":
                break
            found.update((current, total + current))
            j += 1
        i += 1
    return found


def _number_at(token: str) -> float | None:
    if token[0].isdigit():
        return float(token)
    value = _NUMBER_WORDS.get(token)
    return None if value is None else float(value)


def _header(source: str) -> str:
    return " ".join(source[:1500].split())


def _date_in(day: str, header: str) -> bool:
    try:
        parsed = date.fromisoformat(day)
    except ValueError:
        return False
    return f"{parsed.day} {parsed.strftime('%B')} {parsed.year}" in header


def _numbers_of(record: Mapping[str, Any]) -> Iterable[tuple[str, float]]:
    for kind, items in record["numerical_facts"].items():
        for item in items:
            yield f"numerical_facts.{kind}", float(item["value"])


def check_form(record: Mapping[str, Any]) -> list[Finding]:
    """What is wrong with `record` by itself: its fields, vocabularies and lengths."""
    case_id = str(record.get("case_id", "?"))
    missing = [key for key in REQUIRED if key not in record]
    if missing:
        return [Finding(case_id, key, "is missing") for key in missing]
    findings = _check_vocabulary(record)
    findings += [] if findings else _findings(record, form_problems(record))
    findings += [] if findings else _check_turned_on(record)
    if not re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", case_id):
        findings.append(Finding(case_id, "case_id", "is not made of a-z, 0-9 and single hyphens"))
    for field, (low, high) in (("facts", FACTS_WORDS), ("holding", HOLDING_WORDS)):
        count = len(record[field].split())
        if not low <= count <= high:
            findings.append(Finding(case_id, field, f"has {count} words, not {low} to {high}"))
    return findings


def check_record(record: Mapping[str, Any], source: str) -> list[Finding]:
    """All that is wrong with `record`, given the full text of its judgment."""
    findings = check_form(record)
    if any(key not in record for key in REQUIRED):
        return findings
    findings += _check_header(record, source)
    findings += _check_wording(record, source)
    findings += _check_figures(record, source)
    findings += _findings(record, source_problems(record, source))
    return findings


def _findings(record: Mapping[str, Any], found: Iterable[tuple[str, str]]) -> list[Finding]:
    return [Finding(record["case_id"], field, message) for field, message in found]


def _check_wording(record: Mapping[str, Any], source: str) -> list[Finding]:
    """Runs of words that the record's own texts share with the judgment."""
    texts = [(field, record[field]) for field in ("facts", "holding")]
    texts += [("evidence_items", item["description"]) for item in record["evidence_items"]]
    texts += [("dispositive", item["why"]) for item in record["dispositive"]]
    texts += [("below", item["finding"]) for item in record.get("below", [])]
    return [
        Finding(record["case_id"], field, f"shares eight words with the source: {run!r}")
        for field, text in texts
        for run in shared_runs(text, source)
    ]


def _check_figures(record: Mapping[str, Any], source: str) -> list[Finding]:
    """Sections and figures of the record that the judgment does not state."""
    findings = []
    case_id = record["case_id"]
    for provision in record["sections_cited"]:
        number = re.sub(r"^\w+-", "", provision).split("(")[0]
        for part in re.findall(r"\d+", number):
            if not re.search(rf"(?<!\d){part}(?!\d)", source) and not provision.startswith("CPC-O"):
                message = f"{provision}: {part} is not in the source"
                findings.append(Finding(case_id, "sections_cited", message))
    stated = stated_numbers(source)
    for field, value in _numbers_of(record):
        if not _is_stated(value, stated):
            findings.append(Finding(case_id, field, f"{value:g} is not stated in the source"))
    for field in ("facts", "holding"):
        for figure in re.findall(r"\d[\d,]*(?:\.\d+)?", record[field]):
            value = float(figure.rstrip(",").replace(",", ""))
            if value not in stated and f"{value:g}" not in source:
                message = f"the figure {figure} is not stated in the source"
                findings.append(Finding(case_id, field, message))
    return findings


def _is_stated(value: float, stated: Collection[float]) -> bool:
    """Whether a figure is stated, be it in two units: `1 kg 750 g` is 1.75."""
    whole, part = divmod(value, 1)
    return value in stated or (whole in stated and round(1000 * part, 6) in stated)


def _check_header(record: Mapping[str, Any], source: str) -> list[Finding]:
    header, found = _header(source), []
    if words(record["title"]) != words(source.split("\n", 1)[0]):
        found.append(Finding(record["case_id"], "title", "is not the source's first line"))
    if not _date_in(record["date"], header):
        found.append(Finding(record["case_id"], "date", f"{record['date']} is not in the header"))
    for number in re.findall(r"\d+", record["docket"]):
        if not re.search(rf"(?<!\d){number}(?!\d)", header):
            found.append(Finding(record["case_id"], "docket", f"{number} is not in the header"))
    for judge in record["bench"]:
        if words(judge)[-1] not in words(header + source[-_SIGNATURES:]):
            message = f"{judge} is not in the header, and did not sign"
            found.append(Finding(record["case_id"], "bench", message))
    return found


def _check_turned_on(record: Mapping[str, Any]) -> list[Finding]:
    """Ids of facts that the record's own sheet does not have, that stand twice, or are left out.

    A record with `argued` was labelled by hand, and then every fact stands in one of the three.
    """
    known = [fact.fact_id for fact in sheet_of_record(record).facts]
    labelled = {field: record.get(field, []) for field in LABELS}
    findings = [
        Finding(record["case_id"], field, f"{fact_id}: the record states no such fact")
        for field, ids in labelled.items()
        for fact_id in ids
        if fact_id not in known
    ]
    all_of_them = Counter(fact_id for ids in labelled.values() for fact_id in ids)
    findings += [
        Finding(record["case_id"], "turned_on", f"{fact_id} is listed twice")
        for fact_id, count in all_of_them.items()
        if count > 1
    ]
    return findings + [
        Finding(record["case_id"], "argued", f"{fact_id} is in none of {', '.join(LABELS)}")
        for fact_id in known
        if "argued" in record and fact_id not in all_of_them
    ]


def _check_vocabulary(record: Mapping[str, Any]) -> list[Finding]:
    case_id, found = record["case_id"], []

    def must(value: object, allowed: Iterable[str], field: str) -> None:
        if value not in tuple(allowed):
            found.append(Finding(case_id, field, f"{value!r} is not one of {', '.join(allowed)}"))

    must(record["area"], AREAS, "area")
    must(record["outcome"], OUTCOMES, "outcome")
    for side in SIDES:
        must(record["parties"][side]["type"], PARTY_TYPES, f"parties.{side}.type")
    for item in record["evidence_items"]:
        must(item["evidence_type"], EVIDENCE_TYPES, "evidence_items.evidence_type")
    for item in record["numerical_facts"].get("durations", []):
        must(item["unit"], DURATION_UNITS, "numerical_facts.durations.unit")
    for item in record["numerical_facts"].get("quantities", []):
        must(item["unit"], QUANTITY_UNITS, "numerical_facts.quantities.unit")
    for item in record["dispositive"]:
        must(item["fact_type"], FACT_TYPES, "dispositive.fact_type")
    for provision in record["sections_cited"]:
        if not _NORMAL_FORM.fullmatch(provision):
            found.append(Finding(case_id, "sections_cited", f"{provision!r} is not a normal form"))
    return found


def read_records(path: Path) -> list[dict[str, Any]]:
    """Records of one JSON Lines file, or of every `*.jsonl` in a folder, in file order.

    Raises:
        InputError: `path` holds no record, or a line is not a JSON object.
    """
    files = [path] if path.is_file() else sorted(path.glob("*.jsonl"))
    records = [row for file in files for row in _rows(file)]
    if not records:
        raise InputError(f"{path}: holds no record; give a .jsonl file or a folder of them")
    return records


def read_sources(corpus: Path, ids: Iterable[str]) -> dict[str, str]:
    """Texts of the judgments in a BEIR `corpus.jsonl` whose `_id` is wanted.

    Raises:
        InputError: the file cannot be read as a corpus.
    """
    return {row["_id"]: row["text"] for row in wanted_rows(corpus, ids)}


def wanted_rows(corpus: Path, ids: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The rows of a BEIR `corpus.jsonl` whose `_id` is wanted, in file order.

    Raises:
        InputError: the file cannot be read as a corpus.
    """
    wanted = set(ids)
    try:
        with corpus.open(encoding="utf-8") as lines:
            for line in lines:
                key = _ID.match(line)
                if key is None or key[1] in wanted:
                    row = json.loads(line)
                    if row["_id"] in wanted:
                        yield row
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{corpus}: cannot be read as a corpus ({error})") from error


def check_casebook(
    records: Sequence[Mapping[str, Any]], sources: Mapping[str, str] | None = None
) -> list[Finding]:
    """Findings over all records: each by itself and against its source, ids against each other.

    Args:
        sources: texts of the judgments by the id that a record's `source` gives; None checks
            everything that can be checked without them.
    """
    findings: list[Finding] = []
    seen: set[str] = set()
    for record in records:
        case_id = str(record.get("case_id", "?"))
        if case_id in seen:
            findings.append(Finding(case_id, "case_id", "is used twice"))
        seen.add(case_id)
        if sources is None:
            findings.extend(check_form(record))
            continue
        source = sources.get(str(record.get("source", {}).get("id")))
        if source is None:
            findings.append(Finding(case_id, "source", "is not in the collection"))
        else:
            findings.extend(check_record(record, source))
        said = treatment_problems(record, sources) if "title" in record else []
        findings.extend(Finding(case_id, "treatment", message) for message in said)
    return findings


def _rows(file: Path) -> list[dict[str, Any]]:
    rows = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise InputError(f"{file}, line {number}: not valid JSON ({error.msg})") from error
        if not isinstance(row, dict):
            raise InputError(f"{file}, line {number}: must be an object")
        rows.append(row)
    return rows


def sources_of(data: Path, records: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """The judgments of the records, and those that bear out a treatment, by their id.

    Raises:
        InputError: the folder holds neither a `corpus.jsonl` nor a collection that is named.
    """
    named = [source for record in records for source in named_sources(record)]
    ids = [str(source.get("id")) for source in named]
    if (data / CORPUS_FILE).is_file():
        return read_sources(data / CORPUS_FILE, ids)
    wanted = sorted({str(source.get("collection")) for source in named})
    places = [data / file for name in wanted for file in COLLECTIONS.get(name, ())]
    missing = [place for place in places if not place.is_file()]
    if missing or not places:
        raise InputError(
            f"--data {data}: has no {CORPUS_FILE}, nor {', '.join(map(str, missing)) or wanted}"
        )
    return {key: text for place in places for key, text in read_sources(place, ids).items()}


def main(argv: Sequence[str] | None = None) -> int:
    """Check the records; 1 where there are findings, 2 where files cannot be read."""
    parser = argparse.ArgumentParser(description="Check casebook records against their judgments.")
    parser.add_argument("--data", type=Path, help="folder of the judgments; else only the form")
    parser.add_argument(
        "--records", type=Path, help="a .jsonl file or a folder of them; the shipped ones"
    )
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    options = parser.parse_args(argv)
    records: Sequence[Mapping[str, Any]]
    try:
        records = read_records(options.records) if options.records else casebook_records()
        sources = sources_of(options.data, records) if options.data else None
        findings = check_casebook(records, sources)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps([asdict(finding) for finding in findings], indent=1, ensure_ascii=False))
        return 1 if findings else 0
    for finding in findings:
        print(f"{finding.case_id}: {finding.field}: {finding.message}")
    for field in ("area", "outcome"):
        counts = Counter(str(record.get(field)) for record in records).most_common()
        print(f"{field}: " + ", ".join(f"{name} {count}" for name, count in counts))
    wrong = {finding.case_id for finding in findings}
    print(f"{len(records)} records, {len(wrong)} with findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
