"""Is what is said of one party, provision or date said of it in the passage, and not of another?

True words can be put together into a false statement: the husband's acquittal told of his parents,
Rule 54's content given to Article 311. For each clause that names such an anchor, the source clauses
with most of its other words are looked up. If they all name another anchor of the same kind and
not this one, while this one stands close by in the passage with a role of its own, the clause has
crossed them.

Two words for one person (`the husband`, `the accused`) cannot be told from two persons without
reading the passage as a whole; that is why the anchors must stand close together, where a writer
who meant one person would have written `he`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from countercase.evaluation.faithfulness.figures import dates_in, figures_in
from countercase.evaluation.faithfulness.names import names_in
from countercase.evaluation.faithfulness.provisions import provisions_cited
from countercase.text.clauses import Clause, clauses_of, windows_of
from countercase.text.content_words import content_words, stem
from countercase.text.spans import Span

_ROLE: Final = re.compile(
    r"\b(?:(?:parents|father|mother|brother|sister|son|daughter|in)s?-in-laws?|in-laws|husband|wife"
    r"|mother|father|parents|brothers?|sisters?|sons?|daughters?|widow|uncle|boy|girl|child|prosecutrix"
    r"|victim|deceased|complainant|informant|eye-?witness(?:es)?|doctor|accused|co-accused|appellants?"
    r"|petitioners?|respondents?|plaintiffs?|defendants?|claimants?|detenu|landlord|tenant|lessor"
    r"|lessee|owners?|buyer|purchaser|seller|vendor|vendee|borrower|lender|bank|surety|guarantor"
    r"|drawer|payee|holder|insurer|insured|driver|employer|employees?|workm[ae]n|workers?|union"
    r"|management|company|firm|society|trust|university|college|school|board|commission|committee"
    r"|government|state|union of india|municipality|corporation|collector|commissioner|magistrate"
    r"|superintendent|inspector|constable|officer|police|prosecution|defence|arbitrator|tribunal"
    r"|high court|trial court|sessions court|special judge|sessions judge|assessee|dealer|revenue"
    r"|department|minister|governor|president|auction|mill|director|manager|partner|trustee|donor"
    r"|donee|mortgagor|mortgagee|licensee|licensor|contractor|others)\b",
    re.IGNORECASE,
)
ENOUGH: Final = 0.6
FEWEST: Final = 2
NEAR: Final = 3
"""Clauses between two anchors that count as close together."""

OUTCOMES: Final = frozenset(
    content_words(
        "acquitted convicted quashed upheld confirmed affirmed dismissed allowed restored stood"
        " released detained discharged reduced commuted enhanced remanded cleared guilty"
    )
)
"""Words of which one alone says what became of somebody."""
LABELS: Final = frozenset(content_words("section sections article articles rule part ipc crpc rs"))

Anchors = tuple[tuple[str, Span], ...]


def crossed_bindings(text: str, passage: str) -> list[str]:
    """The clauses of `text` whose anchors the passage binds to other words, as written."""
    wrong = []
    for clause in clauses_of(text):
        if any(_crossed(clause, text, passage, anchors) for anchors in KINDS):
            wrong.append(clause.text.strip())
    return wrong


def _crossed(clause: Clause, text: str, passage: str, anchors: Callable[[str], Anchors]) -> bool:
    mine = _within(clause, anchors(text))
    words = _words_beside(clause, text)
    if not mine or not (len(words) >= FEWEST or words & OUTCOMES):
        return False
    there = anchors(passage)
    scored = [(len(words & one.stems), one) for one in windows_of(passage)]
    best = max((common for common, _ in scored), default=0)
    if best < max(min(FEWEST, len(words)), ENOUGH * len(words)):
        return False
    shortest = min(len(one.text) for common, one in scored if common == best)
    for common, one in scored:
        if common < best or (len(one.text) > shortest and _holds(one, scored, best)):
            continue
        theirs = _within(one, there)
        if not theirs or not (mine - theirs) or not (theirs - mine):
            return False
        if not (mine - theirs) & _around(one, passage, there):
            return False
    return True


def _holds(one: Clause, scored: list[tuple[int, Clause]], best: int) -> bool:
    """Whether a shorter window of equal worth lies within this one."""
    return any(
        common == best and other is not one and one.start <= other.start and other.end <= one.end
        for common, other in scored
    )


def _around(one: Clause, passage: str, there: Anchors) -> frozenset[str]:
    """The anchors of the clauses close to this one."""
    return frozenset(
        name
        for other in clauses_of(passage)
        if abs(other.index - one.index) <= NEAR
        for name in _within(other, there)
    )


def _within(clause: Clause, anchors: Anchors) -> frozenset[str]:
    return frozenset(name for name, span in anchors if clause.start <= span.start < clause.end)


def _words_beside(clause: Clause, text: str) -> frozenset[str]:
    """The content words of a clause that belong to no anchor."""
    left = list(clause.text)
    for anchors in KINDS:
        for _, span in anchors(text):
            if clause.start <= span.start < clause.end:
                for at in range(span.start - clause.start, min(span.end - clause.start, len(left))):
                    left[at] = " "
    return frozenset(content_words("".join(left))) - LABELS


@lru_cache(maxsize=256)
def _roles(text: str) -> Anchors:
    return tuple(
        (stem(match.group().lower().replace("-", "")), Span(*match.span()))
        for match in _ROLE.finditer(text)
    )


@lru_cache(maxsize=256)
def _names(text: str) -> Anchors:
    return tuple((name.lower(), span) for name, span in names_in(text))


@lru_cache(maxsize=256)
def _provisions(text: str) -> Anchors:
    return tuple((f"{one.kind} {one.form.number}", one.span) for one in provisions_cited(text))


@lru_cache(maxsize=256)
def _times(text: str) -> Anchors:
    dated = [(f"{one.year or one.month}", one.span) for one in dates_in(text)]
    return tuple(dated + [(f"{one.value} {one.unit}", one.span) for one in figures_in(text)])


KINDS: Final = (_roles, _names, _provisions, _times)
