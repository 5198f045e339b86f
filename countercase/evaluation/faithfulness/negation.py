"""Is what an explanation denies denied by its passage, and what it asserts not denied there?

For each clause of the explanation the source clause with most of its words is looked up. The words
that both have and that stand under a negation in one of them must stand under one in the other.
Where no source clause has most of the words, the clause is a free paraphrase and nothing is
concluded, but a denial then needs some denial in the passage.
"""

from __future__ import annotations

import re
from typing import Final

from countercase.evaluation.faithfulness.names import names_in
from countercase.text.clauses import Clause, clauses_of, windows_of
from countercase.text.content_words import content_words, stem

_CUE: Final = re.compile(
    r"\b(?:not(?!\s+only\b)|no(?!\s+more\b|\.)|never|neither|nor|none|nobody|nothing|without|cannot"
    r"|hardly|nowhere)\b|n['’]t\b",
    re.IGNORECASE,
)
_VERBAL: Final = re.compile(
    r"\b(?:not(?!\s+only\b)|never|neither|nor|cannot|nobody)\b|n['’]t\b", re.IGNORECASE
)
"""Negations of a statement; `no` and `without` may deny a thing alone (`no scooter`)."""
_SOFT: Final = re.compile(
    r"\b(?:fail\w*|refus\w+|reject\w*|den(?:y|ies|ied|ying)|lack\w*|absen\w+|miss(?:ing|ed)\b|declin\w+"
    r"|unable|want of|short of|free of|instead|rather than|far from|only|alone|mere(?:ly)?|bare"
    r"|too \w+|few|little|un\w{4,}|in(?:valid|suffic|adequa|adm|applic|correct|consist|cap|eff|app)\w*"
    r"|il(?:legal|legit)\w*|im(?:proper|poss|prob|mater)\w*|ir(?:reg|relev|recon)\w*|dis\w{4,}|nullity"
    r"|void|wrong\w*|set aside|quash\w*|acquit\w*|clear(?:ed)?|exclud\w+|except|despite|beyond|bar(?:red)?"
    r"|stop\w*|prevent\w*|contrary|false\w*|never|doubt\w*|different|differ\w*|unlike|against)\b",
    re.IGNORECASE,
)
"""Words that deny something without a negation; they make up for one, and need none."""

_STOP: Final = re.compile(
    r"[;:,.]\s|\s(?:but|although|though|because|so|while|whereas|if|when|unless)\s", re.IGNORECASE
)
"""Where what a negation denies ends at the latest."""
ENOUGH: Final = 0.7
"""Share of a clause's content words that a source clause must have to be what it restates."""
FEWEST: Final = 3
"""Content words, names aside, that they must share for anything to be concluded."""
_NEARLY_ALL: Final = 0.75
_AFTER_WITHOUT: Final = 2
"""Content words that a `without` denies."""


def unsupported_negations(text: str, passage: str) -> list[str]:
    """The clauses of `text` that deny what the passage asserts, or assert what it denies."""
    anywhere = bool(_CUE.search(passage) or _SOFT.search(passage))
    names = frozenset(stem(name.lower()) for name, _ in names_in(text))
    wrong = []
    for clause in clauses_of(text):
        verdict = _agrees(clause, names, windows_of(passage))
        if verdict is None:
            verdict = anywhere or not _CUE.search(clause.text)
        if not verdict:
            wrong.append(clause.text.strip())
    return wrong


def _agrees(clause: Clause, names: frozenset[str], source: tuple[Clause, ...]) -> bool | None:
    """Whether the source clauses with most of its words agree; None where there is no such."""
    wanted = clause.stems - names
    if len(wanted) < FEWEST:
        return None
    scored = [(len(wanted & one.stems), one) for one in source]
    best = max((score for score, _ in scored), default=0)
    if best < max(FEWEST, ENOUGH * len(wanted)) or _denied_elsewhere(clause, source):
        return None
    return any(
        _same_polarity(clause, one, score / len(wanted)) for score, one in scored if score == best
    )


def _denied_elsewhere(clause: Clause, source: tuple[Clause, ...]) -> bool:
    """Whether a source clause denies at least half of what this one denies."""
    mine = _denied(clause.text)
    return bool(mine) and any(2 * len(mine & _denied(one.text)) >= len(mine) for one in source)


def _same_polarity(clause: Clause, source: Clause, share: float) -> bool:
    denies, denied_there = _CUE.search(clause.text), _CUE.search(source.text)
    if denies and not denied_there:
        return bool(_SOFT.search(source.text) or _SOFT.search(clause.text))
    mine, theirs = _denied(clause.text), _denied(source.text)
    touched = clause.stems & source.stems & (mine | theirs)
    if not touched:
        return True
    if not denies and (_SOFT.search(clause.text) or not _VERBAL.search(source.text)):
        return True
    if len(touched) == 1 and share < _NEARLY_ALL:
        return True
    against = sum((one in mine) != (one in theirs) for one in touched)
    return against * 2 <= len(touched)


def _denied(text: str) -> frozenset[str]:
    """The stems of the content words behind a negation, up to the end of its clause."""
    found: set[str] = set()
    for match in _CUE.finditer(text):
        behind = content_words(_STOP.split(text[match.end() :])[0])
        if match.group().lower() == "without":
            behind = behind[:_AFTER_WITHOUT]
        found.update(behind)
    return frozenset(found)
