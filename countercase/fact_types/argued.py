"""Points that a matter asks about or argues, which go along with the provision they are about.

`Our points: parade late, no knife, s. 397 cannot be shared` is one point fewer where section 397 is
not charged, and `Need rulings on "soon before" and on relatives who live apart` one question. A point
goes only where another stays, where it states no other fact, and where nothing after it leans on it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from countercase.fact_types.base import pattern
from countercase.fact_types.citation_rewriting import end_of_act
from countercase.fact_types.rewriting import (
    foreign_spans,
    in_order,
    sentences_around,
    touches_any,
)
from countercase.facts.area_of_law import names_of, provisions
from countercase.facts.edits import Edit, Replacement, apply_edits
from countercase.facts.model import Fact, FactSheet
from countercase.law.citations import find_citations
from countercase.law.offences import words_of_others
from countercase.text.spans import Span

ASKS: Final = re.compile(
    r"(?i)\W*(?:\(?\w{1,3}[.)] )?(?:(?:we|I)(?: now)? (?:shall )?(?:want|need|seek|say|ask|argue|submit"
    r"|contend|rely)\b|(?:please|kindly|pls|plz|want(?:ed)?|need|find|look(?:ing)? for)\b"
    r"|quer(?:y|ies)\b|(?:the )?questions?\b|issues?\b|is there\b|(?:do|can) we\b|what (?:we|I) want"
    r"|(?:our |my |the )?(?:submissions?|arguments?)\s*(?:is|are|:)|(?:my|the) (?:points?|grounds?)\s*(?:is"
    r"|are|:)|our (?:best |only )?(?:points?|case|grounds?)\b|(?:grounds?|points?|authorit(?:y|ies))\b"
    r"|(?:the )?state says that|cases? (?:on|where)|any (?:ruling|decision|judgment|case)s?\b)"
)
"""How a sentence begins that asks for decisions, or argues."""
_LISTED: Final = re.compile(r";\s+|,\s+(?!(?:and|or|but|which|who|where|as|so)\b)")
_ASKED: Final = re.compile(r";\s+|,?\s+and\s+(?=(?:on|whether|that)\b)")
_OPENS: Final = re.compile(r"\b(?:on|whether|that)\s")
_LEANS_BACK: Final = re.compile(
    r"(?i)\b(?:it|its|they|them|this|these|such|same|former|latter|there|then|if so)\b"
)
_MORE: Final = re.compile(r",\s+(?:and|or|but|so)\b")
_LONGEST: Final = 90
"""Characters of the longest point that says no more than what the provision is about."""


def says_the_law(sheet: FactSheet, fact: Fact) -> bool:
    """Whether a mention tells what the provision says: `section 468 bars`, `being on Article 16`."""
    text, after, before = sheet.narrative, pattern("WHAT_IT_SAYS"), pattern("SAID_OF_IT")
    return any(
        c.span in fact.spans
        and (after.match(text, end_of_act(text, c)) or before.search(text, 0, c.span.start))
        for c in find_citations(text)
    )


def without_points(sheet: FactSheet, edit: Edit) -> Edit:
    """The edit with the points that its provision alone has words for: `soon before`."""
    old = edit.original_value
    left = {n for each in provisions(apply_edits(sheet, [edit])) for n in names_of(each)}
    gone = [change.span for change in edit.changes]
    cuts = []
    for match in words_of_others(sheet.narrative, names_of(old), left):
        said = Span(*match.span())
        point = None if touches_any(said, gone) else point_left_out(sheet, edit.fact_id, said)
        if point is not None and not touches_any(point.span, gone):
            cuts.append(point)
    replacements = in_order([*edit.replacements, *sorted(set(cuts))]) if cuts else None
    return edit if replacements is None else replace(edit, replacements=replacements)


def point_left_out(sheet: FactSheet, fact_id: str, said: Span) -> Replacement | None:
    """The point or question with the words `said`, cut out of its list; None where it stays."""
    narrative = sheet.narrative
    sentence, *others = sentences_around(narrative, [said])
    text = narrative[sentence.start : sentence.end]
    if others or not ASKS.match(text) or _LEANS_BACK.match(narrative[sentence.end :].lstrip()):
        return None
    end = sentence.end - (text[-1] in ".!?")
    colon = re.compile(r":\s*").search(narrative, sentence.start, said.start)
    opens = colon or _OPENS.search(narrative, sentence.start, said.start)
    if opens is None:
        return None
    first = colon.end() if colon else opens.start()
    seams = list((_LISTED if colon else _ASKED).finditer(narrative, first, end))
    starts = [first, *(seam.end() for seam in seams)]
    at = max(i for i, start in enumerate(starts) if start <= said.start)
    last = at == len(seams)
    stop = end if last else seams[at].start()
    if not seams or said.end > stop or (last and len(seams) > 1 and "and" in seams[-1][0]):
        return None
    point = Span(starts[at], stop)
    beyond = narrative[point.start : said.start] + narrative[said.end : stop]
    if stop - point.start > _LONGEST or _MORE.search(beyond) or re.search(r"[(\d]", beyond):
        return None
    cut = Span(seams[-1].start(), end) if last else Span(point.start, starts[at + 1])
    if touches_any(cut, foreign_spans(sheet, fact_id)):
        return None
    if not last and (
        _LEANS_BACK.search(narrative, cut.end, end)
        or narrative[cut.start].isupper() != narrative[cut.end].isupper()
    ):
        return None
    return Replacement(cut.start, cut.end, "")
