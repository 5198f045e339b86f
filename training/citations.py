"""Which judgment of a corpus cites which, found by the names of the parties.

A citation is recognised where the words before a `v.` end like the first party of a title and the
words after it begin like the second. Titles that several judgments share, and citations of a later
judgment by an earlier one, are left out: a wrong pair teaches more harm than a missing one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_VERSUS: Final = re.compile(r"\s(?:v|vs|versus)\b\.?\s+", re.IGNORECASE)
_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")
_WORD: Final = re.compile(r"[a-z0-9]+")
_STATES: Final = {
    "u.p.": "uttar pradesh",
    "m.p.": "madhya pradesh",
    "a.p.": "andhra pradesh",
    "h.p.": "himachal pradesh",
    "t.n.": "tamil nadu",
    "j&k": "jammu kashmir",
    "j & k": "jammu kashmir",
}
_FILLERS: Final = frozenset(
    """
    the of and anr another ors others etc mr mrs smt shri sri dr through thr by rep its lrs
    dead alias ltd limited pvt private co company
    """.split()  # noqa: SIM905
)
_GENERIC: Final = frozenset(
    """
    state union india uttar pradesh madhya andhra himachal tamil nadu jammu kashmir bihar punjab
    haryana kerala karnataka mysore maharashtra bombay gujarat rajasthan orissa odisha assam west
    bengal delhi madras goa nct govt government central commissioner income tax collector customs
    excise cbi bureau investigation corporation municipal board secretary director general district
    """.split()  # noqa: SIM905
)
_REACH: Final = 160
_SECOND_PARTY: Final = 2
_STATE_PARTY: Final = 3

_NAME_WORD: Final = (
    r"(?:[A-Z][\w.&'’@()/-]*,?|of|and|the|another|others|ors\.?|anr\.?|through|by|alias|&)"
)
_CASE_NAME: Final = re.compile(
    rf"(?:\b[A-Z][\w.&'’@()/-]*,?\s+(?:{_NAME_WORD}\s+){{0,11}})?"
    rf"\b(?:[vV]s?|[vV]ersus|VERSUS)\b\.?\s+(?:{_NAME_WORD}\s*){{1,12}}"
)
_REPORTS: Final = re.compile(
    r"(?:\bA\.?I\.?R\.?\s*\d{4}\s*[A-Z][\w.]*\s*\d*"
    r"|\b\d{4}\s+(?:Indlaw|INSC|Cri?\.?\s*L\.?J\.?)\s*\w*\s*\d*"
    r"|[\[(]?\b(?:19|20)\d\d\b[\])]?\s*(?:Supp\.?\s*)?(?:[\[(]?\d+[\])]?\s*)?"
    r"(?:S\.?\s?C\.?\s?[CRJ]\.?|SCALE|JT|Cr\.?L\.?J\.?)(?:\s*\([A-Z][\w.]*\))?\s*\d*)"
)


@dataclass(frozen=True)
class Judgment:
    """One judgment of the corpus."""

    case_id: str
    title: str
    text: str

    @property
    def year(self) -> int | None:
        """The first year that its head names, where there is one."""
        found = _YEAR.search(self.text[len(self.title) : len(self.title) + 200])
        return int(found.group()) if found else None


@dataclass(frozen=True)
class Citation:
    """`citing` names `cited` at characters `start` to `end` of its text."""

    citing: str
    cited: str
    start: int
    end: int


def party_words(text: str) -> list[str]:
    """The words by which a party is known: lower case, no initials, no fillers, states in full."""
    text = text.lower()
    for short, full in _STATES.items():
        text = text.replace(short, f" {full} ")
    return [w for w in _WORD.findall(text) if len(w) > 1 and w not in _FILLERS]


def title_key(title: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """The end of the first party and the beginning of the second; None where both say little."""
    parts = _VERSUS.split(title, maxsplit=1)
    if len(parts) != 2:
        return None
    first, second = (party_words(part) for part in parts)
    left, right = tuple(first[-2:]), tuple(second[: _length(second)])
    if not left or not right or {*left, *right} <= _GENERIC:
        return None
    return left, right


def _length(party: Sequence[str]) -> int:
    return _STATE_PARTY if party and party[0] in ("state", "union") else _SECOND_PARTY


def find_citations(judgments: Sequence[Judgment]) -> list[Citation]:
    """Every citation among `judgments`, in the order of the texts."""
    keys = {judgment.case_id: title_key(judgment.title) for judgment in judgments}
    counted = Counter(keys.values())
    named = {key: case for case, key in keys.items() if key is not None and counted[key] == 1}
    years = {judgment.case_id: judgment.year for judgment in judgments}
    found: list[Citation] = []
    for judgment in judgments:
        for match in _VERSUS.finditer(judgment.text, len(judgment.title) + 1):
            before = party_words(judgment.text[max(0, match.start() - _REACH) : match.start()])
            after = party_words(judgment.text[match.end() : match.end() + _REACH])
            case = _look_up(named, before, after)
            if case is None or case == judgment.case_id:
                continue
            own, other = years[judgment.case_id], years[case]
            if own is None or other is None or other <= own:
                found.append(Citation(judgment.case_id, case, match.start(), match.end()))
    return found


def _look_up(
    named: dict[tuple[tuple[str, ...], tuple[str, ...]], str],
    before: list[str],
    after: list[str],
) -> str | None:
    right = tuple(after[: _length(after)])
    for size in (2, 1):
        for end in range(len(right), 0, -1):
            case = named.get((tuple(before[-size:]), right[:end]))
            if case is not None:
                return case
    return None


def without_names(text: str, title: str) -> str:
    """`text` without case names, report citations and the parties of `title`.

    What is left must be matched by what it says, not by whom it names.
    """
    text = _CASE_NAME.sub(" the case ", _REPORTS.sub(" ", text))
    names = {word for word in party_words(title) if word not in _GENERIC}
    text = re.sub(
        r"[A-Za-z]+(?:['’]s)?",
        lambda m: "" if re.sub(r"['’]s$", "", m.group().lower()) in names else m.group(),
        text,
    )
    text = re.sub(r"[(\[]\W*[)\]]", " ", text)
    text = re.sub(r",(?:\s*,)+", ",", text)
    text = re.sub(r"\s+([,.;:)\]])", r"\1", re.sub(r"\s+", " ", text))
    return re.sub(r"(?:the case[,;:)\] ]*(?:and )?)+(?=the case)", "", text).strip(" ,;:.")
