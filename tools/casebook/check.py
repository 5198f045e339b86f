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
from dataclasses import asdict
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from countercase.corpus.casebook.form import Finding, check_form, check_ids
from countercase.corpus.casebook.records import casebook_records, read_records
from countercase.corpus.readers.beir import CORPUS_FILE
from countercase.errors import InputError
from tools.casebook.practice import (
    named_sources,
    read_citations,
    source_problems,
    treatment_problems,
)

MAX_SHARED_WORDS: Final = 7
"""The longest run of words that a record may share with its judgment."""

COLLECTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "FIRE 2019 AILA": ("aila2019/corpus.jsonl",),
    "FIRE 2017 IRLeD": ("irled2017/corpus.jsonl",),
    "Recent judgments": ("recent_judgments/corpus.jsonl", "recent_judgments/rest.jsonl"),
}
"""Where the judgments of each collection lie in the data folder."""
CITATIONS: Final = "recent_judgments/citations_2010_2025.jsonl"
"""Where the index of citations lies in it."""

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


def words(text: str) -> list[str]:
    """Lower-cased words and numbers of `text`, punctuation dropped."""
    return _WORD.findall(text.lower())


@lru_cache(maxsize=1024)
def _spaced(source: str) -> str:
    """The words of a source with a space around each; a source is asked for many texts."""
    return f" {' '.join(words(source))} "


def shared_runs(text: str, source: str, limit: int = MAX_SHARED_WORDS) -> list[str]:
    """Runs of more than `limit` words that `text` shares with `source`."""
    length, ours, theirs = limit + 1, words(text), _spaced(source)
    runs = (" ".join(ours[i : i + length]) for i in range(len(ours) - length + 1))
    return [run for run in runs if f" {run} " in theirs]


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


def check_record(
    record: Mapping[str, Any], source: str, citations: Mapping[str, str] | None = None
) -> list[Finding]:
    """All that is wrong with `record`, given the full text of its judgment.

    Args:
        citations: of an index of citations, which bears a citation out too.
    """
    findings = check_form(record)
    if findings:
        return findings
    findings += _check_header(record, source)
    findings += _check_wording(record, source)
    findings += _check_figures(record, source)
    findings += _findings(record, source_problems(record, source, citations or {}))
    return findings


def _findings(record: Mapping[str, Any], found: Iterable[tuple[str, str]]) -> list[Finding]:
    return [Finding(record["case_id"], field, message) for field, message in found]


def _check_wording(record: Mapping[str, Any], source: str) -> list[Finding]:
    """Runs of words that the record's own texts share with the judgment."""
    texts = [(field, record[field]) for field in ("facts", "holding")]
    texts += [("evidence_items", item["description"]) for item in record["evidence_items"]]
    texts += [("dispositive", item["why"]) for item in record["dispositive"]]
    texts += [("catchwords", phrase) for phrase in record.get("catchwords", [])]
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
        signed = re.search(rf"(?i)\([^()]*\b{re.escape(judge.split()[-1])}[^()]*\)", source)
        if words(judge)[-1] not in words(header + source[-_SIGNATURES:]) and not signed:
            message = f"{judge} is not in the header, and did not sign"
            found.append(Finding(record["case_id"], "bench", message))
    return found


def records_at(path: Path) -> list[dict[str, Any]]:
    """Records of one file, or of every `*.jsonl` in a folder, in file order.

    Raises:
        InputError: `path` holds no record, or a line is not a JSON object.
    """
    files = [path] if path.is_file() else sorted(path.glob("*.jsonl"))
    records = [record for file in files for record in read_records(file)]
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
    records: Sequence[Mapping[str, Any]],
    sources: Mapping[str, str] | None = None,
    citations: Mapping[str, str] | None = None,
) -> list[Finding]:
    """Findings over all records: each by itself and against its source, ids against each other.

    Args:
        sources: texts of the judgments by the id that a record's `source` gives; None checks
            everything that can be checked without them.
        citations: of an index of citations; see `check_record`.
    """
    findings = check_ids(records)
    for record in records:
        case_id = str(record.get("case_id", "?"))
        if sources is None:
            findings.extend(check_form(record))
            continue
        source = sources.get(str(record.get("source", {}).get("id")))
        if source is None:
            findings.append(Finding(case_id, "source", "is not in the collection"))
        else:
            findings.extend(check_record(record, source, citations))
        said = treatment_problems(record, sources) if "title" in record else []
        findings.extend(Finding(case_id, "treatment", message) for message in said)
    return findings


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
        records = records_at(options.records) if options.records else casebook_records()
        sources = sources_of(options.data, records) if options.data else None
        index = options.data / CITATIONS if options.data else None
        citations = read_citations(index) if index is not None and index.is_file() else {}
        findings = check_casebook(records, sources, citations)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps([asdict(finding) for finding in findings], indent=1, ensure_ascii=False))
        return 1 if findings else 0
    for finding in findings:
        print(finding)
    for field in ("area", "outcome"):
        counts = Counter(str(record.get(field)) for record in records).most_common()
        print(f"{field}: " + ", ".join(f"{name} {count}" for name, count in counts))
    wrong = {finding.case_id for finding in findings}
    print(f"{len(records)} records, {len(wrong)} with findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
