"""Whose words a sentence of a judgment gives, and what became of them.

A judgment tells what courts below held and what counsel argued before it decides. A sentence that
only reports such a finding must never be read as the decision: `The High Court acquitted him` in a
judgment that allows the appeal is a finding that was reversed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final

from countercase.corpus.judgment.patterns import expand, patterns_of, rows_of
from countercase.io import read_table
from countercase.text.patterns import Pattern

_OFFICERS: Final = ("magistrate", "commissioner")
"""Those who also take statements and make records, so that fewer verbs show them as a court."""
_FATES: Final = {
    "allowed": "reversed here",
    "remanded": "set aside here",
    "dismissed": "upheld here",
    "partly allowed": "varied here",
}

_pattern = patterns_of("attribution")


@dataclass(frozen=True)
class Court:
    """A court below by the name that it is shown with, and the words for it."""

    court: str
    words: str

    @cached_property
    def named(self) -> Pattern:
        """Finds the court."""
        return Pattern(rf"(?i)\b(?:{self.words})\b")

    @cached_property
    def report(self) -> Pattern:
        """Finds that the court decided something."""
        verbs = "{DECIDED}" if any(officer in self.words for officer in _OFFICERS) else "{DID}"
        report = rows_of("attribution")["REPORT"].replace("{DOES}", verbs)
        return Pattern(expand("attribution", report.replace("{WORDS}", self.words)))


@cache
def courts() -> tuple[Court, ...]:
    """Return the courts below, the highest first."""
    return read_table("corpus/judgment/courts", Court)


def findings(
    sentences: Sequence[str], sections: Sequence[str], court: str = "", outcome: str = ""
) -> list[str]:
    """For each sentence of a judgment the court whose finding it reports, or "".

    Among the facts the deciding court judges nothing yet: what a court did there, another did, and
    `It also refused costs` goes on with the court of the sentence before. In a holding or an order
    the deciding court speaks, unless the sentence opens with another and says no more.
    """
    found, before, last = [], "", ""
    for sentence, section in zip(sentences, sections, strict=True):
        if section in ("holding", "order"):
            last = _reported(sentence, court, outcome, before)
        elif section == "facts":
            last = _among_facts(sentence, court, outcome, before, last)
        else:
            last = finding_of(sentence, court, outcome, before)
        found.append(last)
        before = sentence
    return found


ANOTHER: Final = "another court"
"""Whose finding it is where a conviction or an acquittal is told without its court."""


def _among_facts(sentence: str, court: str, outcome: str, before: str, last: str) -> str:
    finding = finding_of(sentence, court, outcome, before)
    if finding or _pattern("OWN_COURT").search(sentence) or _pattern("DETAINED").search(sentence):
        return finding
    goes_on = last if last and _pattern("GOES_ON").search(sentence) else ""
    if finding := _named(sentence, court, outcome) or goes_on:
        return finding
    if _pattern("PRONOUN").match(sentence) and (names := _mentioned(before)):
        return _with_fate(names[-1:], court, outcome)
    if not _pattern("PASSIVE").search(sentence):
        return ""
    before_court = _pattern("BEFORE_COURT").search(sentence)
    return _with_fate(_mentioned(before_court[0]), court, outcome) if before_court else ANOTHER


def _reported(sentence: str, court: str, outcome: str, before: str) -> str:
    """Whose finding a sentence of a ruling reports, where it does nothing else."""
    opens, judged = _pattern("OPENS").match(sentence), _pattern("JUDGED").search(sentence)
    if not opens or judged or _pattern("OWN_CLAUSE").search(sentence, opens.end()):
        return ""
    names = _mentioned(opens[0])
    if sentence.lower().startswith("it "):
        names = _mentioned(before)[-1:] if "had" in opens[0].lower().split() else []
    return _with_fate(names, court, outcome)


def _mentioned(sentence: str) -> list[str]:
    """Return the courts that a sentence names, in its order."""
    places = [(match.start(), it.court) for it in courts() for match in it.named.finditer(sentence)]
    return list(dict.fromkeys(name for _, name in sorted(places)))


def finding_of(sentence: str, court: str = "", outcome: str = "", before: str = "") -> str:
    """Return the court below whose finding a sentence reports, and what became of it, or "".

    `High Court, reversed here`. What became of it is said of the court right below alone: of the
    High Court in a judgment of the Supreme Court (`court`), by its `outcome`. A sentence in which
    the deciding court judges that finding (`the High Court erred`) is its own, and reports nothing;
    `It allowed the petitions` goes on with the court of the sentence `before`.
    """
    if _pattern("JUDGED").search(sentence):
        return ""
    goes_on = before and _pattern("PRONOUN").search(sentence)
    return _named(sentence, court, outcome) or (
        finding_of(before, court, outcome) if goes_on else ""
    )


def _named(sentence: str, court: str, outcome: str) -> str:
    """Return the courts that a sentence says did something, the lowest first, with the fate of one."""
    names = list(dict.fromkeys(it.court for it in courts() if it.report.search(sentence)))
    if _pattern("ON_APPEAL").search(sentence) and not re.search(
        r"(?i)\btrial\s+(?:court|judge)", sentence
    ):
        names = ["lower court" if name == "trial court" else name for name in names]
    return _with_fate(names[::-1], court, outcome)


def _with_fate(names: Sequence[str], court: str, outcome: str) -> str:
    if "supreme" in court.lower() and list(names) == ["High Court"]:
        fate = _FATES.get(outcome, "")
        return f"High Court, {fate}" if fate else "High Court"
    return " and the ".join(names)


def is_argument(sentence: str) -> bool:
    """Return whether a sentence among facts or arguments says what a party argued, not a court."""
    told = _pattern("CLAIMED").match(sentence) or _pattern("CLAIMED_THERE").search(sentence)
    if told:
        return _pattern("OVERRULED").search(sentence) is None
    argued = _pattern("ARGUED").search(sentence) or _pattern("CLAIMED").search(sentence)
    return argued is not None and _pattern("JUDGED").search(sentence) is None


def is_told_by_a_side(sentence: str) -> bool:
    """Return whether a sentence begins with what one side said: no ruling, even in a holding."""
    told = _pattern("CLAIMED").match(sentence) is not None
    return told and _pattern("JUDGED").search(sentence) is None
