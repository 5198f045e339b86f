"""Checks of what an explanation says, clause by clause: denials, outcomes, who did what, additions.

Negations: for each clause the source clause with most of its words is looked up; the words of both
that stand under a negation in one must do so in the other. Where no source clause has most of the
words, nothing is concluded, but a denial then needs some denial in the passage.

Outcomes: what became of a matter stands in the passage where a word of its family does, or a
negated word of the opposite family (`the appeal was not dismissed`).

Bindings: true words can be put together into a false statement: the husband's acquittal told of his
parents. Where the source clauses with most of a clause's other words all name another anchor of the
same kind, while its own stands close by in the passage with a role of its own, it has crossed them.
Two words for one person cannot be told from two persons; so the anchors must stand close together,
where a writer who meant one person would have written `he`.

Additions: where all clauses but one are the passage's own words and that one is not, it was put in.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain, pairwise
from typing import Final

from countercase.evaluation.faithfulness import mentions
from countercase.text.clauses import Clause, clauses_of, windows_of
from countercase.text.sentences import sentence_spans
from countercase.text.spans import Span
from countercase.text.words import content_words, overlap, share, stem

_CUE: Final = re.compile(
    r"\b(?:not(?!\s+only\b)|no(?!\s+more\b|\.)|never|neither|nor|none|nobody|nothing|without|cannot"
    r"|hardly|nowhere)\b|n['’]t\b",
    re.IGNORECASE,
)
_VERBAL: Final = re.compile(
    r"\b(?:not(?!\s+only\b)|never|neither|nor|cannot|nobody)\b|n['’]t\b", re.IGNORECASE
)
"""Negations of a statement; `no` and `without` may deny a thing alone (`no scooter`)."""
_SOFT: Final = re.compile(rf"\b(?:{'|'.join(mentions.WORDS['soft denials'])})\b", re.IGNORECASE)
_STOP: Final = re.compile(
    r"[;:,.]\s|\s(?:but|although|though|because|so|while|whereas|if|when|unless)\s", re.IGNORECASE
)
"""Where what a negation denies ends at the latest."""
RESTATED: Final = 0.7
"""Share of a clause's content words that a source clause must have to be what it restates."""
FEWEST_TO_DENY: Final = 3
"""Content words, names aside, that they must share for anything to be concluded."""
_NEARLY_ALL: Final = 0.75
_AFTER_WITHOUT: Final = 2
"""Content words that a `without` denies."""


def unsupported_negations(text: str, passage: str) -> list[str]:
    """The clauses of `text` that deny what the passage asserts, or assert what it denies."""
    anywhere = bool(_CUE.search(passage) or _SOFT.search(passage))
    names = frozenset(stem(name.lower()) for name, _ in mentions.names_in(text))
    wrong = []
    for clause in clauses_of(text):
        agrees = _denial_agrees(clause, names, windows_of(passage))
        if not (anywhere or not _CUE.search(clause.text) if agrees is None else agrees):
            wrong.append(clause.text.strip())
    return wrong


def _denial_agrees(
    clause: Clause, names: frozenset[str], source: tuple[Clause, ...]
) -> bool | None:
    """Whether the source clauses with most of its words agree; None where there is no such."""
    wanted = clause.stems - names
    if len(wanted) < FEWEST_TO_DENY:
        return None
    scored = [(len(wanted & clause.stems), clause) for clause in source]
    best = max((score for score, _ in scored), default=0)
    if best < max(FEWEST_TO_DENY, RESTATED * len(wanted)) or _denied_elsewhere(clause, source):
        return None
    closest = [other for score, other in scored if score == best]
    return any(_same_polarity(clause, other, best / len(wanted)) for other in closest)


def _denied_elsewhere(clause: Clause, source: tuple[Clause, ...]) -> bool:
    """Whether a source clause denies at least half of what this one denies."""
    mine = _denied(clause.text)
    return bool(mine) and any(2 * len(mine & _denied(other.text)) >= len(mine) for other in source)


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
    against = sum((word in mine) != (word in theirs) for word in touched)
    return against * 2 <= len(touched)


def _denied(text: str) -> frozenset[str]:
    """The stems of the content words behind a negation, up to the end of its clause."""
    denied: list[str] = []
    for match in _CUE.finditer(text):
        most = _AFTER_WITHOUT if match.group().lower() == "without" else None
        denied += content_words(_STOP.split(text[match.end() :])[0])[:most]
    return frozenset(denied)


# Outcomes

_OPPOSITES: Final = {
    "upheld": "undone", "undone": "upheld", "convicted": "acquitted", "acquitted": "convicted",
}  # fmt: skip
_SURE: Final = {
    family: rf"(?:was|were|is|are|been|be) (?:{'|'.join(mentions.WORDS[f'{family} for sure'])})"
    for family in _OPPOSITES
}
_NOT: Final = re.compile(
    r"\b(?:not|no|never|nor|neither|cannot|fail\w*|refus\w*)\b[^.;,]{0,30}\Z", re.IGNORECASE
)
CLOSE: Final = 0.7
"""Overlap, the outcome left out, from which a sentence's words are its passage's."""


def missing_outcomes(sentence: str, passage: str) -> list[str]:
    """The outcomes told in `sentence` for which `passage` has no word of the same meaning.

    Nothing is concluded of a sentence in words of its own, as these tell outcomes in many ways.
    """
    return [
        match.group()
        for family, sure in _SURE.items()
        for match in re.finditer(sure, sentence, re.IGNORECASE)
        if overlap(sentence[: match.start()] + sentence[match.end() :], passage) >= CLOSE
        and not _told(family, passage, denied=False)
        and not _told(_OPPOSITES[family], passage, denied=True)
    ]


def _told(family: str, passage: str, denied: bool) -> bool:
    return any(
        bool(_NOT.search(passage[max(0, match.start() - 50) : match.start()])) == denied
        for match in re.finditer(
            rf"\b(?:{'|'.join(mentions.WORDS[family])})\b", passage, re.IGNORECASE
        )
    )


# Bindings

_ROLE: Final = re.compile(rf"\b(?:{'|'.join(mentions.WORDS['roles'])})\b", re.IGNORECASE)
BOUND: Final = 0.6
FEWEST_BOUND: Final = 2
NEAR: Final = 3
"""Clauses between two anchors that count as close together."""

OUTCOMES: Final = frozenset(
    content_words(
        "acquitted convicted quashed upheld confirmed affirmed dismissed allowed restored stood"
        " released detained discharged reduced commuted enhanced remanded cleared guilty"
    )
)
"""Words of which one alone says what became of somebody."""
NUMBER_LABELS: Final = frozenset(
    content_words("section sections article articles rule part ipc crpc rs")
)

Anchors = tuple[tuple[str, Span], ...]


def crossed_bindings(text: str, passage: str) -> list[str]:
    """The clauses of `text` whose anchors the passage binds to other words, as written."""
    return [
        clause.text.strip()
        for clause in clauses_of(text)
        if any(
            _crossed(_within(clause, here), _words_beside(clause, text), passage, there)
            for here, there in zip(_anchors(text), _anchors(passage), strict=True)
        )
    ]


def _crossed(mine: frozenset[str], words: frozenset[str], passage: str, there: Anchors) -> bool:
    """Whether the passage says these words of other anchors of the kind, and not of these."""
    if not mine or not (len(words) >= FEWEST_BOUND or words & OUTCOMES):
        return False
    scored = [(len(words & window.stems), window) for window in windows_of(passage)]
    best = max((common for common, _ in scored), default=0)
    if best < max(min(FEWEST_BOUND, len(words)), BOUND * len(words)):
        return False
    shortest = min(len(window.text) for common, window in scored if common == best)
    for common, window in scored:
        if common < best or (len(window.text) > shortest and _holds(window, scored, best)):
            continue
        theirs = _within(window, there)
        if not theirs or not (mine - theirs) or not (theirs - mine):
            return False
        if not (mine - theirs) & _around(window, passage, there):
            return False
    return True


def _holds(window: Clause, scored: list[tuple[int, Clause]], best: int) -> bool:
    """Whether a shorter window of equal worth lies within this one."""
    return any(
        common == best
        and other is not window
        and window.start <= other.start
        and other.end <= window.end
        for common, other in scored
    )


def _around(window: Clause, passage: str, there: Anchors) -> frozenset[str]:
    """The anchors of the clauses close to this one."""
    return frozenset(
        name
        for other in clauses_of(passage)
        if abs(other.index - window.index) <= NEAR
        for name in _within(other, there)
    )


def _within(clause: Clause, anchors: Anchors) -> frozenset[str]:
    return frozenset(name for name, span in anchors if clause.start <= span.start < clause.end)


def _words_beside(clause: Clause, text: str) -> frozenset[str]:
    """The content words of a clause that belong to no anchor."""
    left = list(clause.text)
    for _, span in chain.from_iterable(_anchors(text)):
        if clause.start <= span.start < clause.end:
            for at in range(span.start - clause.start, min(span.end - clause.start, len(left))):
                left[at] = " "
    return frozenset(content_words("".join(left))) - NUMBER_LABELS


@lru_cache(maxsize=256)
def _anchors(text: str) -> tuple[Anchors, ...]:
    """What words can be bound to, kind by kind: roles, names, provisions, times and figures."""
    roles = [(stem(it.group().lower().replace("-", "")), it.span()) for it in _ROLE.finditer(text)]
    cited = mentions.provisions_cited(text)
    dates = [(f"{date.year or date.month}", date.span) for date in mentions.dates_in(text)]
    figures = [
        (f"{figure.value} {figure.unit}", figure.span) for figure in mentions.figures_in(text)
    ]
    return (
        tuple((role, Span(*span)) for role, span in roles),
        tuple((name.lower(), span) for name, span in mentions.names_in(text)),
        tuple((f"{mention.kind} {mention.form.number}", mention.span) for mention in cited),
        (*dates, *figures),
    )


# Additions

REPEATED: Final = 0.9
"""Mean share of the other clauses' content words that stand together in the passage."""
STRANGE: Final = 0.5
"""Below this share a clause is not the passage's."""
FEWEST_ADDED: Final = 4
"""Content words of a clause from which its share means something."""
BESIDE: Final = 8
"""Content words of the other clauses from which they show how the whole is written."""


def added_clauses(text: str, passage: str) -> list[str]:
    """The clauses of `text` that are not of `passage`, where the others are, as written.

    The words that lead up to a quotation add nothing. A clause is of the passage as far as its
    content words stand in two neighbouring sentences.
    """
    spans = sentence_spans(passage)
    sentences = [frozenset(content_words(passage[start:end])) for start, end in spans]
    pairs = [left | right for left, right in pairwise([*sentences, frozenset()])]
    clauses = clauses_of(text)
    parts = (max((share(it.stems, pair) for pair in pairs), default=0.0) for it in clauses)
    shares = list(zip(clauses, parts, strict=True))
    return [
        clause.text.strip()
        for clause, part in shares
        if len(clause.stems) >= FEWEST_ADDED
        and part < STRANGE
        and "“" not in clause.text
        and _repeats(clause, shares)
    ]


def _repeats(added: Clause, shares: list[tuple[Clause, float]]) -> bool:
    """Whether the other clauses repeat the passage."""
    others = [(clause, part) for clause, part in shares if clause is not added and clause.stems]
    words = sum(len(clause.stems) for clause, _ in others)
    return words >= BESIDE and sum(part for _, part in others) / len(others) >= REPEATED
