"""Match what casebook decisions turned on to the typed facts of their own sheets.

    python -m tools.casebook.turned_on [--write]

A record says in words on which facts the decision turned (`dispositive`). Here those words are
matched to the facts of the record's sheet, by provisions, figures, sides and shared words, and the
answer is kept in two fields: `turned_on`, ids of facts that the decision turned on or a provision
that the holding decides, and `not_turned_on`, ids of facts that neither names. A fact of which the
match is in doubt stands in neither. Without `--write` the two are only counted.
"""

from __future__ import annotations

import argparse
import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from countercase.corpus import casebook
from countercase.corpus.casebook import casebook_records
from countercase.corpus.casebook.sheets import sheet_of_record
from countercase.facts.area_of_law import names_of
from countercase.facts.model import (
    EvidenceValue,
    Fact,
    FactSheet,
    NumericalValue,
    PartyValue,
    SectionValue,
)
from countercase.law.citations import provisions_in
from tools.casebook.check import stated_numbers

LEAST: Final = {"Section": 0.5, "PartyType": 0.5, "Evidence": 0.25, "Numerical": 0.3}
"""The least score at which a fact is what an entry speaks of, by fact type."""

NEAR_BEST: Final = 0.75
"""Share of the best score of an entry from which another fact is meant too."""

IN_DOUBT: Final = 0.6
"""Share of the least score from which a fact is not called idle."""

IN_HOLDING: Final = {"Evidence": 0.2, "Numerical": 0.05}
"""Overlap with the holding from which a fact is not called idle."""

_WORD: Final = re.compile(r"[a-z]{3,}|\d+")
_COMMON: Final = frozenset(
    """
    the and that this with from for was were had has have his her their its not but who which they
    she him them said been are into about after before upon under over also did does one two three
    would could case court any other than section sections made given only
    """.split()  # noqa: SIM905
)
_YEAR: Final = re.compile(r"\b(?:1[89]|20)\d\d\b")
_SENTENCE: Final = re.compile(r"(?<=[.;]) ")
_EVIDENCE_WORDS: Final = (
    (r"post-?mortem|autops|doctor|injur|wound|hospital", "medical", 0.25),
    (r"dying declaration", "dying_declaration", 0.25),
    (r"ballistic|chemical|laborator|forensic|fsl|viscera|serolog", "forensic", 0.25),
    (r"eye-?witness|saw the|spectator", "eyewitness", 0.25),
    (r"confess", "confession", 0.25),
    (r"recover|seiz|found on|trap money|search", "recovery", 0.25),
    (r"prosecutrix|victim|complainant|girl", "victim_testimony", 0.25),
    (r"expert|handwriting", "expert_opinion", 0.25),
    (r"tape|cctv|video|electronic|call record|computer", "electronic_record", 0.25),
    (
        r"letter|deed|will\b|register|certificate|document|agreement|report|order|notice|affidavit"
        r"|voucher|record|application|receipt|note",
        "documentary",
        0.12,
    ),
    (r"last seen", "last_seen", 0.25),
    (r"motive|enmity|quarrel", "motive", 0.25),
)
"""(pattern of an entry, the kind of evidence that it speaks of, how much that counts)."""
_PUBLIC: Final = frozenset({"State", "Union of India"})
_PARTY_WORDS: Final = {
    "Employee": r"employee|workm[ae]n|officer|servant|teacher|clerk|post\b|appoint",
    "Public servant": r"public servant|officer|inspector|government servant|clerk|engineer|official",
    "Corporation": r"company|corporation|bank|firm|board|statutory body",
    "State": r"\bstate\b|government",
    "Minor": r"minor|juvenile|child|girl|boy",
    "Union of India": r"union of india|central government",
}
_SIDE_WORDS: Final = {
    "petitioner": r"appellant|petitioner|applicant|plaintiff",
    "respondent": r"respondent|defendant",
}


@dataclass(frozen=True)
class Turning:
    """The facts that a decision turned on, and those on which nothing turned, in sheet order."""

    on: tuple[str, ...]
    not_on: tuple[str, ...]


class Matcher:
    """Matches entries to facts; words count by their rarity among the facts of all sheets."""

    def __init__(self, sheets: Sequence[FactSheet]) -> None:
        described = [_words(_described(fact)) for sheet in sheets for fact in sheet.facts]
        self._facts = len(described)
        self._with = Counter(word for words in described for word in words)

    def turning(self, sheet: FactSheet, record: Mapping[str, Any]) -> Turning:
        """What `record` turned on, as far as its sheet states it."""
        meant: set[str] = set()
        doubtful: set[str] = set()
        for entry in record["dispositive"]:
            kind = entry["fact_type"]
            scores = {
                fact.fact_id: self._score(sheet, fact, entry["fact"], entry["why"])
                for fact in sheet.of_type(kind)
            }
            best = max(scores.values(), default=0.0)
            for fact_id, score in scores.items():
                if score >= max(LEAST[kind], NEAR_BEST * best):
                    meant.add(fact_id)
                elif score >= IN_DOUBT * LEAST[kind]:
                    doubtful.add(fact_id)
        for fact in sheet.facts:
            if self._in_holding(fact, record["holding"]):
                (meant if fact.fact_type == "Section" else doubtful).add(fact.fact_id)
        ids = [fact.fact_id for fact in sheet.facts]
        return Turning(
            tuple(i for i in ids if i in meant),
            tuple(i for i in ids if i not in meant | doubtful),
        )

    def _score(self, sheet: FactSheet, fact: Fact, entry: str, why: str) -> float:
        value = fact.value
        if isinstance(value, SectionValue):
            return max(_cited(value, entry), 0.55 * _cited(value, why))
        if isinstance(value, PartyValue):
            return _party(sheet, value, entry.lower())
        score = self._shared(fact, entry, why)
        if isinstance(value, NumericalValue):
            figures = [stated_numbers(_YEAR.sub("", text)) for text in (entry, why)]
            score += 0.5 if value.value in figures[0] else 0.25 * (value.value in figures[1])
        elif isinstance(value, EvidenceValue):
            score += sum(
                weight
                for pattern, kind, weight in _EVIDENCE_WORDS
                if kind == value.evidence_type and re.search(pattern, entry.lower())
            )
        return score

    def _in_holding(self, fact: Fact, holding: str) -> bool:
        value = fact.value
        if isinstance(value, SectionValue):
            return _cited(value, holding) >= 1
        if isinstance(value, NumericalValue):
            stated = value.value in stated_numbers(_YEAR.sub("", holding))
            return stated and self._shared(fact, holding) > IN_HOLDING["Numerical"]
        if isinstance(value, EvidenceValue):
            sentences = _SENTENCE.split(holding)
            return max(self._shared(fact, s) for s in sentences) > IN_HOLDING["Evidence"]
        return False

    def _shared(self, fact: Fact, entry: str, why: str = "") -> float:
        """Cosine of the words of a fact and an entry; words of its reason count .6."""
        own, direct = _words(_described(fact)), _words(entry)
        reason = (own & _words(why)) - direct
        size = self._mass(own) * self._mass(direct | reason)
        shared = self._mass(own & direct) + 0.6 * self._mass(reason)
        return shared / math.sqrt(size) if size else 0.0

    def _mass(self, words: set[str]) -> float:
        return sum(math.log(1 + self._facts / (1 + self._with[w])) for w in sorted(words))


def _words(text: str) -> set[str]:
    return {word[:6] for word in _WORD.findall(text.lower()) if word not in _COMMON}


def _described(fact: Fact) -> str:
    value = fact.value
    if isinstance(value, EvidenceValue):
        return f"{value.evidence_type.replace('_', ' ')} {value.description}"
    if isinstance(value, NumericalValue):
        return f"{value.kind} {value.context} {value.value:g} {value.unit}"
    return str(value)


def _cited(value: SectionValue, text: str) -> float:
    """2 where `text` cites the provision, 1 or more where a part, the whole or its number."""
    provision = value.provision
    score = 0.0
    for cited in provisions_in(text):
        if cited == provision:
            return 2.0
        if cited in names_of(provision):
            score = max(score, 1.5)
        elif provision in names_of(cited):
            score = max(score, 1.2)
    act, _, number = provision.partition("-")
    base = re.match(r"O?\d+[A-Z]*(?:R\d+)?", number)
    named = re.search(rf"(?i)section|article|order|rule|\bs\.|{re.escape(act)}", text)
    if base and named and re.search(rf"(?<![\w(]){re.escape(base[0])}(?![\w])", text):
        score = max(score, 1.0)
    return score


def _party(sheet: FactSheet, value: PartyValue, entry: str) -> float:
    others = [p for _, p in sheet.valued(PartyValue) if p.side != value.side]
    kind = _PARTY_WORDS.get(value.party_type, re.escape(value.party_type.lower()))
    score = float(bool(re.search(kind, entry)))
    for side, pattern in _SIDE_WORDS.items():
        if re.search(pattern, entry):
            score += 0.5 if value.side == side else -0.2
    name = re.findall(r"[a-z]{4,}", value.name.lower())
    score += 0.5 * any(word in entry for word in name)
    against_the_state = any(other.party_type in _PUBLIC for other in others)
    return score + 0.6 * (value.party_type not in _PUBLIC and against_the_state)


def turnings(records: Sequence[Mapping[str, Any]]) -> dict[str, Turning]:
    """What each record turned on that no person has labelled fact by fact, by case id."""
    records = [record for record in records if "argued" not in record]
    sheets = [sheet_of_record(record) for record in records]
    matcher = Matcher(sheets)
    return {
        sheet.case_id: matcher.turning(sheet, record)
        for sheet, record in zip(sheets, records, strict=True)
    }


def write(found: Mapping[str, Turning]) -> None:
    """Put the two fields into the shipped records that no person has labelled, fact by fact."""
    for file in sorted(Path(casebook.__file__).parent.glob("*.jsonl")):
        rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        lines = [json.dumps(_with_fields(row, found), ensure_ascii=False) for row in rows]
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _with_fields(row: dict[str, Any], found: Mapping[str, Turning]) -> dict[str, Any]:
    if "argued" in row:
        return row
    turning = found[row["case_id"]]
    fields = {"turned_on": list(turning.on), "not_turned_on": list(turning.not_on)}
    result: dict[str, Any] = {}
    for key, value in row.items():
        if key not in fields:
            result[key] = value
        if key == "dispositive":
            result |= fields
    return result


def main(argv: Sequence[str] | None = None) -> int:
    """Match the shipped records; counts by fact type are printed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", action="store_true", help="put the fields into the records")
    options = parser.parse_args(argv)
    records = casebook_records()
    found = turnings(records)
    counts = Counter[tuple[str, str]]()
    for record in (record for record in records if record["case_id"] in found):
        turning = found[record["case_id"]]
        for fact in sheet_of_record(record).facts:
            on, idle = fact.fact_id in turning.on, fact.fact_id in turning.not_on
            counts[fact.fact_type, "turned on" if on else "not" if idle else "in doubt"] += 1
    for (kind, answer), count in sorted(counts.items()):
        print(f"{kind}: {answer} {count}")
    if options.write:
        write(found)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
