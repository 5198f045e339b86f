"""Checks of what an explanation says, clause by clause: denials, outcomes, who did what, additions.

Negations: the words of a clause and of the source clause with most of them that stand under a
negation in one must do so in the other; where no source clause has most, nothing is concluded.
Outcomes: what became of a matter stands in the passage where a word of its family does.

Bindings: true words can be put together into a false statement: the husband's acquittal told of his
parents. Where the source clauses with most of a clause's other words all name another anchor of the
same kind, while its own stands close by in the passage with a role of its own, it has crossed them.
The anchors must stand close together, since two words for one person cannot be told from two persons.

Additions: where all clauses but one are the passage's own words and that one is not, it was put in.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from statistics import fmean
from typing import Final, TypeAlias

from countercase.evaluation.faithfulness import mentions
from countercase.evaluation.faithfulness.mentions import PATTERNS
from countercase.text.sentences import Clause, clauses_of, sentence_spans, windows_of
from countercase.text.spans import Span
from countercase.text.words import content_words, overlap, share, stem

RESTATED: Final = 0.7
"""Share of a clause's content words that a source clause must have to be what it restates."""
FEWEST_TO_DENY: Final = 3
"""Content words that they must share for anything to be concluded."""
_AFTER_WITHOUT: Final = 2
"""Content words that a `without` denies."""


def unsupported_negations(text: str, passage: str) -> list[Clause]:
    """Find the clauses of `text` that deny what the passage asserts, or assert what it denies."""
    source = windows_of(passage)

    def is_denial_alike(clause: Clause) -> bool:
        best, closest = _closest(clause.stems, source)
        if best < max(FEWEST_TO_DENY, RESTATED * len(clause.stems)):
            return True  # it is not the passage's statement: nothing is concluded
        mine = _denied(clause.text)
        if mine and any(2 * len(mine & _denied(other.text)) >= len(mine) for other in source):
            return True
        return any(_same_polarity(clause, other) for other in closest)

    return [clause for clause in clauses_of(text) if not is_denial_alike(clause)]


def _closest(words: frozenset[str], source: Sequence[Clause]) -> tuple[int, list[Clause]]:
    """Return the largest number of these words in one source clause, and the clauses that reach it."""
    best = max((len(words & clause.stems) for clause in source), default=0)
    return best, [clause for clause in source if len(words & clause.stems) == best]


def _same_polarity(clause: Clause, source: Clause) -> bool:
    denies, soft = PATTERNS["denial"].search(clause.text), PATTERNS["soft denial"]
    if denies and not PATTERNS["denial"].search(source.text):
        return bool(soft.search(source.text) or soft.search(clause.text))
    if not denies and not PATTERNS["denial of a statement"].search(source.text):
        return True
    mine, theirs = _denied(clause.text), _denied(source.text)
    touched = clause.stems & source.stems & (mine | theirs)
    return 2 * len(touched & (mine ^ theirs)) <= len(touched)


def _denied(text: str) -> frozenset[str]:
    """Return the stems of the content words behind a negation, up to the end of its clause."""
    denied: list[str] = []
    for match in PATTERNS["denial"].finditer(text):
        most = _AFTER_WITHOUT if match.group().lower() == "without" else None
        denied += content_words(PATTERNS["end of denial"].split(text[match.end() :])[0])[:most]
    return frozenset(denied)


_OUTCOMES: Final = ("upheld", "undone", "convicted", "acquitted")
CLOSE: Final = 0.7
"""Overlap, the outcome left out, from which a sentence's words are its passage's."""


def missing_outcomes(sentence: str, passage: str) -> list[str]:
    """Find the outcomes told in `sentence` for which `passage` has no word of the same meaning.

    Nothing is concluded of a sentence in words of its own, as these tell outcomes in many ways.
    """
    told = []
    for outcome in _OUTCOMES:
        named = PATTERNS[f"named {outcome}"].finditer(passage)
        if all(PATTERNS["denied before"].search(passage[: it.start()][-50:]) for it in named):
            matches = PATTERNS[f"told {outcome}"].finditer(sentence)
            beside = ((it.group(), sentence[: it.start()] + sentence[it.end() :]) for it in matches)
            told += [words for words, rest in beside if overlap(rest, passage) >= CLOSE]
    return told


BOUND: Final = 0.6
"""Share of a clause's words beside its anchors that a source clause must have."""
FEWEST_BOUND: Final = 2
NEAR: Final = 3
"""Clauses between two anchors that count as close together."""
OUTCOMES: Final = frozenset(content_words(" ".join(mentions.WORDS["outcomes"])))
"""Words of which one alone says what became of somebody."""

Anchors: TypeAlias = tuple[tuple[str, Span], ...]


def crossed_bindings(text: str, passage: str) -> list[Clause]:
    """Find the clauses of `text` whose anchors the passage binds to other words."""
    kinds, crossed = list(zip(_anchors(text), _anchors(passage), strict=True)), []
    spans = [span for anchors, _ in kinds for _, span in anchors]
    for clause in clauses_of(text):
        own = [span for span in spans if clause.start <= span.start < clause.end]
        parts = Span(clause.start, clause.end).without(own)
        beside = frozenset(content_words(" ".join(text[it.start : it.end] for it in parts)))
        if any(_is_crossed(_within(clause, it), beside, passage, there) for it, there in kinds):
            crossed.append(clause)
    return crossed


def _is_crossed(mine: frozenset[str], words: frozenset[str], passage: str, there: Anchors) -> bool:
    """Tell whether the passage says these words of other anchors of the kind, not of these."""
    if not mine or not (len(words) >= FEWEST_BOUND or words & OUTCOMES):
        return False
    best, closest = _closest(words, windows_of(passage))
    if best < BOUND * len(words):
        return False
    for window in closest:
        inside = (it for it in closest if window.start <= it.start and it.end <= window.end)
        if any(other is not window for other in inside):
            continue
        theirs = _within(window, there)
        near = [it for it in clauses_of(passage) if abs(it.index - window.index) <= NEAR]
        around = frozenset[str]().union(*(_within(clause, there) for clause in near))
        if not (mine - theirs) & around or not theirs - mine:
            return False
    return True


def _within(clause: Clause, anchors: Anchors) -> frozenset[str]:
    return frozenset(name for name, span in anchors if clause.start <= span.start < clause.end)


@lru_cache(maxsize=256)
def _anchors(text: str) -> tuple[Anchors, ...]:
    """Return what words can be bound to, by kind: roles, names, provisions, times and figures."""
    roles = ((it.group().lower(), Span(*it.span())) for it in PATTERNS["role"].finditer(text))
    times = [(it.iso[:4], it.span) for it in mentions.dates_in(text)]
    figures = [(f"{it.value} {it.unit}", it.span) for it in mentions.figures_in(text)]
    return (
        tuple((stem(name.replace("-", "")), span) for name, span in roles),
        tuple((name.lower(), span) for name, span in mentions.names_in(text)),
        tuple((f"{it.kind} {it.form.number}", it.span) for it in mentions.provisions_cited(text)),
        (*times, *figures),
    )


REPEATED: Final = 0.9
"""Mean share of the other clauses' content words that stand together in the passage."""
STRANGE: Final = 0.5
"""Below this share a clause is not the passage's."""
FEWEST_ADDED: Final = 4
"""Content words of a clause from which its share means something."""
BESIDE: Final = 8
"""Content words of the other clauses from which they show how the whole is written."""


def added_clauses(text: str, passage: str) -> list[Clause]:
    """Find the clauses of `text` that are not of `passage`, where the others are.

    The words that lead up to a quotation add nothing.
    """
    spans = sentence_spans(passage)
    sentences = [frozenset(content_words(passage[start:end])) for start, end in spans]
    shares = {
        clause: max((share(clause.stems, words) for words in sentences), default=0.0)
        for clause in clauses_of(text)
    }
    added = []
    for clause, part in shares.items():
        strange = len(clause.stems) >= FEWEST_ADDED and part < STRANGE and "“" not in clause.text
        others = [other for other in shares if other is not clause and other.stems]
        enough = sum(len(other.stems) for other in others) >= BESIDE
        if strange and enough and fmean(shares[other] for other in others) >= REPEATED:
            added.append(clause)
    return added
