"""Take an item of evidence out of the narrative.

The sentence goes where it states nothing else; beside another fact its clause goes, or the words
between the other facts that hold it. A negation would leave every word of the item in place, and a
retriever reads words: it is used only where the item's words belong to another fact and nothing can
be cut. The words of other facts always stay.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from countercase.fact_types.base import pattern
from countercase.fact_types.evidence.entries import cut_alone, is_note
from countercase.fact_types.evidence.gaps import after_reference, cut_between, opened
from countercase.fact_types.party_wording import ROLE
from countercase.fact_types.rewriting import (
    cut_sentence,
    in_order,
    mentions,
    sentences_around,
    touches_any,
)
from countercase.facts.edits import Replacement
from countercase.facts.model import EvidenceValue, Fact, FactSheet, PartyValue
from countercase.text.clauses import MAIN_CLAUSE, VERB, main_clauses
from countercase.text.dates import find_dates
from countercase.text.spans import Span

_CLAUSE: Final = pattern("CLAUSE")
"""A subject and a finite verb: what may stand as a sentence of its own."""

_LOWERED: Final = pattern("LOWERED")
"""First words of a sentence that lose their capital inside one."""


def take_away(sheet: FactSheet, fact: Fact) -> tuple[Replacement, ...] | None:
    """The replacements after which the narrative no longer states `fact`.

    Empty where it has no mention; None where its mentions cannot be changed side by side, or where
    what goes is no clause or phrase of its own: notes without verbs are cut between marks or not at
    all.
    """
    narrative = sheet.narrative
    whole_cut = cut_alone(sheet, fact)
    if whole_cut is not None:
        return (whole_cut,)
    replacements: list[Replacement] = []
    for sentence in sentences_around(narrative, fact.spans):
        own = [span for span in mentions(fact) if span.overlaps(sentence)]
        others = _stated_in(sheet, fact, sentence)
        cuts = [_joined(narrative, cut) for cut in _from_sentence(narrative, sentence, own, others)]
        words = [narrative[span.start : span.end] for span in own]
        if any(_tells_more(fact, narrative[cut.start : cut.end], words) for cut in cuts):
            return None
        subject = own[0].start - sentence.start < _SUBJECT_WITHIN
        alone = subject and len(main_clauses(narrative, sentence)) == 1 and not others
        if not all(_is_a_unit(narrative, sentence, cut, words, alone) for cut in cuts):
            return None
        whole = all(cut.start <= sentence.start and cut.end >= sentence.end for cut in cuts)
        if (
            not whole
            and isinstance(fact.value, EvidenceValue)
            and fact.value.evidence_type in _TOLD
        ):
            return None
        replacements += cuts
    return in_order(replacements)


def _tells_more(fact: Fact, removed: str, own: Sequence[str]) -> bool:
    """Whether what goes tells of the occurrence, of what a court did, or opens a clause that stays."""
    kind = fact.value.evidence_type if isinstance(fact.value, EvidenceValue) else ""
    if kind in _OF_THE_OCCURRENCE:
        return False
    for words in own:
        removed = removed.replace(words, " ")
    return bool(_TELLING.search(removed))


_OF_THE_OCCURRENCE: Final = (
    *("eyewitness", "medical", "forensic", "dying_declaration", "confession", "motive"),
    *("extrajudicial_confession", "victim_testimony", "expert_opinion", "electronic_record"),
    *("documentary", "injury_grade", "report_delay"),
)
"""Types that speak of what happened: it goes with them and is told elsewhere, or was theirs to prove."""
_TELLING: Final = re.compile(
    r"(?i)\b(?:died|dead|killed|fired|shot|stabb\w+|pushed|struck|raped|set aside|acquitted|convicted|quashed"
    r"|cancelled|dismissed|granted|attached|bail)\b"
)
_TOLD: Final = ("motive",)
"""Types that the rest of their sentence tells too (`Motive: they had fallen out, and ...`)."""
_LEADS_IN: Final = re.compile(
    r"(?i)\s*(?:[,;:–—]|\s-\s)|\s+(?:and|but|or|while|whereas|who|which|whose|where|though|because|by|in|on"
    r"|with|from|at|under|for|through|before|after|during|without|upon)\b"
)
_LEADS_ON: Final = re.compile(
    rf"(?i)\s*(?:[.,;:!?)–—]|\s-\s|\Z|(?:and|but)\b(?!\s+{VERB})|while\b|whereas\b)|\s+{VERB}"
)
_PAUSED: Final = re.compile(r"[,;]\s*\Z")
POINTS_BACK: Final = re.compile(
    r"(?i)\s*(?:(?:and|but)\s+)?(?:it|its|this|that|these|those|both|neither"
    r"|the (?:former|latter|same|said))\b"
)


_DOING: Final = re.compile(
    r"(?i)\s*(?!(?:\w*thing|morning|evening|during)\b)[a-z]{3,}ing\s+(?!(?:is|was|are|were|has|had|of)\b)[a-z]"
)


def _joined(narrative: str, cut: Replacement) -> Replacement:
    """A cut from comma to comma keeps one of them, unless a verb follows: `A, [B,] C` is `A, C`."""
    removed = narrative[cut.start : cut.end]
    mark = re.match(r"\s*([,;])", removed)
    if not mark or cut.text.strip() or not (cut.text or removed[-1:].isspace()):
        return cut
    verb = re.match(VERB, narrative[cut.end :])
    return replace(cut, text=" " if verb else f"{mark[1]} ") if _PAUSED.search(removed) else cut


def _is_a_unit(
    narrative: str, sentence: Span, cut: Replacement, own: Sequence[str], alone: bool
) -> bool:
    """Whether a cut takes whole clauses or phrases, and nothing left refers to what is gone.

    `alone`: the item is the subject of the one clause of its sentence, and so owns its verb and dates.
    """
    removed, left = narrative[cut.start : cut.end], narrative[sentence.start : cut.start]
    if any(removed.count(a) != removed.count(b) for a, b in ("()", "[]", "“”")):
        return False
    if not (cut.start <= sentence.start and cut.end >= sentence.end) and (
        _NEXT_SENTENCE.search(removed) or _RELATIVE.match(narrative, cut.end)
    ):
        return False
    if removed.count('"') % 2 or (cut.start == cut.end and not cut.text):
        return False
    if not removed.strip() or cut.text.startswith(DENIED) or _ASIDE.match(narrative, cut.start):
        return True
    if cut.start <= sentence.start and cut.end >= sentence.end:
        after = narrative[sentence.end :].partition(". ")[0]
        noted = is_note(narrative) and _says_more(removed, own)
        says_more = (bool(find_dates(removed)) or noted) and (
            not alone or ";" in removed or _LATER.search(after) is not None
        )
        says_more = says_more or _lists_more(removed, own, is_note(narrative))
        on = POINTS_BACK.match(narrative, cut.end) or RUNS_ON.match(narrative, sentence.end)
        return not (says_more or on or narrative[sentence.start].islower())
    if not left.strip():
        if _OPENS_A_CLAUSE.match(removed) and not removed.rstrip().endswith(","):
            return False
        capital = len(cut.text.strip())
        rest = narrative[cut.end - capital : sentence.end]
        gone = removed[: len(removed) - capital].rstrip()
        stands = _CLAUSE.match(rest[:1].upper() + rest[1:]) or MAIN_CLAUSE.match(rest)
        if (
            (gone.endswith(" and") and _PLURAL.match(rest))
            or _POINTING.match(rest)
            or _DOING.match(rest)
        ):
            return False
        return bool(stands and _JOINT.search(gone)) and not (
            _NO_OPENING.match(rest) or _SUBORDINATE.search(gone)
        )
    if is_note(narrative) and _says_more(removed, own):
        return False
    if _LAST_OF_A_LIST.match(removed) and _OF_A_LIST.search(left):
        return False
    if re.match(r"\s*but\b", removed) and re.search(r"\b(?:all|none|nothing|no one)\Z", left):
        return False
    opening = _LEADS_IN.match(removed) or left.rstrip()[-1:] in ",;:–—"
    closing = _LEADS_ON.match(narrative, cut.end) or _PAUSED.search(removed)
    return bool(opening and closing and not _ON_IT.search(narrative, cut.end, sentence.end))


_LAST_OF_A_LIST: Final = re.compile(rf",?\s+and\s+(?:\w+ly )?{VERB}")
_OF_A_LIST: Final = re.compile(rf"\b{VERB}[^;]*,\s+{VERB}[^,;]*\Z")
"""`She signed it, kept it, and sent a copy`: without the last of three, two have no `and`."""
_SUBJECT_WITHIN: Final = 25
_ON_IT: Final = re.compile(r"\b(?:of|on|in|by|from|with|against) (?:it|them)\b")
_LATER: Final = re.compile(
    r"(?i)\b(?:later|after that|thereafter|next day|following day|same (?:day|date|evening|night)|by then"
    r"|earlier|before that|that (?:day|date|year|month))\b"
)
"""Times counted from a date before them."""
_PIECES: Final = re.compile(r"[,;:–—]|\s-+\s|\(|\s&\s")


def _says_more(sentence: str, own: Sequence[str]) -> bool:
    """Whether a piece of a note without the item's words has a verb or a figure of its own."""
    pieces = [piece.strip() for piece in _PIECES.split(sentence)]
    return any(
        re.search(rf"\d|\b{VERB}|\b(?:hai|hain|tha|thi)\b", piece)
        for piece in pieces
        if piece and not any(piece in words or words in piece for words in own)
    )


def _lists_more(sentence: str, own: Sequence[str], note: bool) -> bool:
    """Whether a sentence has a clause without the item, or, in a note, other pieces of a list."""
    pieces = [piece.strip(" .") for piece in _ALL_PIECES.split(sentence)]
    others = [p for p in pieces if p and not any(p in words or words in p for words in own)]
    clauses = [p for p in others if MAIN_CLAUSE.match(p)]
    note = note or not re.search(rf"\b{VERB}", sentence)
    stand = (not leans.match(p) for p in clauses for leans in (POINTS_BACK, _DOING, _SUBORDINATED))
    return bool(clauses and all(stand)) or (note and len(others) > 1)


_OPENS_A_CLAUSE: Final = re.compile(
    r"(?i)(?:after|when|while|as|since|because|although|if|before)\b"
)
_SUBORDINATED: Final = re.compile(
    r"(?i)(?:or|where|that|which|who|when|if|as|before|after|because)\b"
)
_ALL_PIECES: Final = re.compile(r"[,;:–—]|\s-+\s|\s&\s|\b(?:and|but)\b")
_POINTING: Final = re.compile(r"(?i)the rest\b|(?:\w+ ){1,3}(?:them|it)\b")
RUNS_ON: Final = re.compile(r"\s+[\da-z]")
"""What follows the full stop of an abbreviation (`register entry at sl. 4`)."""
_PLURAL: Final = re.compile(r"\w+ (?:are|were|have)\b")
_NEXT_SENTENCE: Final = re.compile(r"[a-z]{2}[.!?]\s+[A-Z]")
_RELATIVE: Final = re.compile(
    r"\s*[,;]?\s*(?:though\b|although\b)|\s*,?\s*(?:(?:of|in|by|for|from|to|with)\s+)?(?:which|whom|whose)\b"
)
_JOINT: Final = re.compile(
    r"(?i)(?:[,;:–—]|\s-|\b(?:and|but|while|whereas)(?:,? (?:by|in|on|from|under) (?:it|this|that))?)\Z"
    rf"|\A(?:In|At|By|From|On|Under)\s(?:(?!{VERB})[^,;.])*\Z"
)
_NO_OPENING: Final = re.compile(
    r"(?i)(?:that|which|who|whose|at|in|on|by|of|to|from|with|for|under|as|one|incl|(?:there|then|here) the"
    rf"|[\w ]{{1,30}}\bof (?:them|which)|{VERB})\b"
)
_SUBORDINATE: Final = re.compile(
    rf"(?i)\b(?:that|whether|which|who)\b(?:(?!\b{VERB}).)*\b(?:and|but)\Z"
)
DENIED: Final = "It is not in evidence that "


def _stated_in(sheet: FactSheet, fact: Fact, sentence: Span) -> tuple[Span, ...]:
    """The mentions of other facts, without parties that the sentence only calls by their role.

    `The appellant` says nothing of what he is in law; another sentence does.
    """
    stated: list[Span] = []
    for other in sheet.facts:
        if other.fact_id != fact.fact_id:
            elsewhere = any(not span.overlaps(sentence) for span in other.spans)
            by_role = isinstance(other.value, PartyValue) and elsewhere
            stated += (
                span
                for span in other.spans
                if not (by_role and ROLE.fullmatch(sheet.narrative[span.start : span.end]))
            )
    return tuple(sorted(stated))


_ASIDE: Final = re.compile(
    r",\s+as\s+(?:the|his|her|its|their)\s+[\w' -]+?\s+(?:shows?|showed|says?|said|records?|proves?)"
    r",(?P<and>\s+and)?(?=\s)"
)
"""`He took delivery[, as the card shows,] and ...`: evidence named beside what it shows."""


def _from_sentence(
    narrative: str, sentence: Span, own: Sequence[Span], others: Sequence[Span]
) -> list[Replacement]:
    """Cut the sentence, else those of its main clauses that are free, else words within them."""
    parts = main_clauses(narrative, sentence)
    if not touches_any(sentence, others) and not _others_stand(narrative, parts, own):
        return [cut_sentence(narrative, sentence)]
    for aside in _ASIDE.finditer(narrative, sentence.start, sentence.end):
        place = Span(*aside.span())
        if all(place.start <= s.start and s.end <= place.end for s in own) and not touches_any(
            place, others
        ):
            return [Replacement(place.start, place.end, aside["and"] or ",")]
    cuts: list[Replacement] = []
    for index, part in enumerate(parts):
        whole = len(parts) > 1 and touches_any(part, own) and not touches_any(part, others)
        if not whole:
            cuts += cut_between(narrative, part, own, others)
        elif index > 0:
            cuts.append(Replacement(parts[index - 1].end, part.end, ""))
        else:
            end = after_reference(narrative, parts[1].start)
            fixed = [span.start for span in (*own, *others) if span.end > end]
            cuts.append(opened(narrative, sentence.start, end, min(fixed, default=sentence.end)))
    return cuts or _not_in_evidence(narrative, sentence, others)


def _others_stand(narrative: str, parts: Sequence[Span], own: Sequence[Span]) -> bool:
    """Whether some clauses say nothing of the item and can stand without those that do.

    A clause that points back or begins with a verb in -ing has its subject in the one before it.
    """
    held = [touches_any(part, own) for part in parts]
    standing = (
        MAIN_CLAUSE.match(narrative, p.start, p.end)
        and not any(leans.match(narrative, p.start) for leans in (POINTS_BACK, _DOING))
        for p, touched in zip(parts, held, strict=True)
        if not touched
    )
    return not all(held) and all(standing)


def _not_in_evidence(narrative: str, sentence: Span, others: Sequence[Span]) -> list[Replacement]:
    """The sentence denied; where that is no English, a replacement of nothing, which is no unit."""
    initial = Span(sentence.start, sentence.start + 1)
    if not _LOWERED.match(narrative, sentence.start) or touches_any(initial, others):
        return [Replacement(sentence.start, sentence.start, "")]
    text = DENIED + narrative[initial.start].lower()
    return [Replacement(initial.start, initial.end, text)]
