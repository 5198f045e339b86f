"""Cut the words of an item out of a clause that states other facts too.

Such a clause is a row of gaps between their mentions. In each gap that holds the item, the words
around it go, to the nearest comma, conjunction or preposition; where the clause loses its subject
that way, what is left is the noun phrase of each other fact.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from countercase.fact_types.base import pattern
from countercase.fact_types.rewriting import starts_sentence
from countercase.facts.edits import Replacement
from countercase.text.spans import Span

_PAUSE: Final = pattern("CUT_PAUSE")
_MARK: Final = pattern("CUT_MARK")
_BY_IT: Final = pattern("BY_IT")
_BEFORE_NOUN: Final = pattern("BEFORE_NOUN")
_NOUN_OPENING: Final = pattern("NOUN_OPENING")
_NOUN_REST: Final = pattern("NOUN_REST")
_CLAUSE: Final = pattern("CLAUSE")
_GOING_ON: Final = pattern("GOING_ON")


def cut_between(
    narrative: str, region: Span, own: Sequence[Span], others: Sequence[Span]
) -> list[Replacement]:
    """Cuts within `region` after which it no longer has the words `own`, in order.

    Empty where it has none, or where each of them is also a word of `others`.
    """
    held = _merged(span for span in others if span.overlaps(region))
    if not held:
        return []
    edges = [region.start, *(edge for span in held for edge in (span.start, span.end)), region.end]
    gaps = [Span(a, max(a, b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]
    cuts: list[Replacement] = []
    bare = False
    for index, gap in enumerate(gaps):
        pieces = [span for span in own if span.overlaps(gap)]
        if pieces:
            words = Span(max(pieces[0].start, gap.start), min(pieces[-1].end, gap.end))
            if index == 0:
                start, (end, bare) = gap.start, _what_is_left(narrative, words, gap, region)
                cuts.append(opened(narrative, start, end, gap.end))
            else:
                cuts.append(_inner_cut(narrative, words, gap, last=gap is gaps[-1]))
        elif bare and gap is gaps[-1]:
            pause = _PAUSE.search(narrative, gap.start, gap.end)
            if pause is not None:
                cuts.append(Replacement(pause.start(), gap.end, ""))
    return [cut for cut in cuts if cut.start < cut.end]


def opened(narrative: str, start: int, end: int, fixed: int) -> Replacement:
    """Cut `start` to `end`; the new first word of a sentence gets its capital.

    Unless it stands at `fixed` or later: it is then a word of another fact.
    """
    if end < fixed and starts_sentence(narrative, start):
        return Replacement(start, end + 1, narrative[end].upper())
    return Replacement(start, end, "")


def after_reference(narrative: str, at: int) -> int:
    """Where a clause begins without `by it`, which refers to what was cut before it."""
    reference = _BY_IT.match(narrative, at)
    return reference.end() if reference else at


def _what_is_left(narrative: str, own: Span, gap: Span, region: Span) -> tuple[int, bool]:
    """Where the rest of a clause begins that loses its opening, and whether it is no clause."""
    for mark in [m.end() for m in _MARK.finditer(narrative, own.end, gap.end)][-1:]:
        opening = after_reference(narrative, mark)
        if _CLAUSE.match(narrative, opening, region.end):
            return opening, False
    return _noun_start(narrative, own.end, gap.end), True


def _inner_cut(narrative: str, own: Span, gap: Span, last: bool) -> Replacement:
    """Cut the item out between two other facts, or after the last of them."""
    marks = list(_MARK.finditer(narrative, gap.start, own.start))
    opening = marks[-1] if marks else _BEFORE_NOUN.search(narrative, gap.start, own.start)
    # Without one it goes where the noun phrase before it ends: `251 g of heroin`.
    noun = _NOUN_REST.match(narrative, gap.start, own.start)
    start = opening.start() if opening else noun.end() if noun else gap.start
    if last:
        rest = _GOING_ON.search(narrative, own.end, gap.end)
        return Replacement(start, rest.start() if rest else gap.end, "")
    following = list(_PAUSE.finditer(narrative, own.end, gap.end))
    end = following[-1].end() if following else _noun_start(narrative, own.end, gap.end)
    joint = " " if opening else ", "
    return Replacement(start, end, joint)


def _noun_start(narrative: str, start: int, end: int) -> int:
    """Where the noun phrase begins whose last words stand at `end`, not before `start`."""
    opening = _NOUN_OPENING.search(narrative, start, end)
    return opening.start() if opening else end


def _merged(spans: Iterable[Span]) -> list[Span]:
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return merged
