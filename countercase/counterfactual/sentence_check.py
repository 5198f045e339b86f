"""Whether the sentences that an edit leaves are English, and whether it took other facts along.

Each rule looks at a sentence before and after the edit and speaks only where the edit brought the
fault in: notes as juniors write them lack verbs and articles from the beginning.
"""

from __future__ import annotations

import re
from typing import Final

from countercase.fact_types.base import telling_words
from countercase.facts.edits import Edit, compatible, sentences_changed
from countercase.facts.model import FactSheet, NumericalValue
from countercase.facts.vocabulary import FACT_TYPES as FACT_NAMES
from countercase.law.citations import find_citations
from countercase.registry import FACT_TYPES
from countercase.text.clauses import VERB
from countercase.text.units import convert

LARGEST_STEP: Final = 50
"""How many times as large or as small an edit may make a number."""
_VERB: Final = re.compile(
    rf"\b{VERB}|\b(?:be|been|being|can|could|may|must|shall|should|will|would|do|give|have|say)\b"
    r"|\b(?:give|speak|name|come|stand|record|confirm|prove|find|bear|run|lie|want|ask|take|follow"
    r"|contain|read|need|remain|appear|seem|write|live|work|earn|own|owe|carr(?:ie)|maintain|plead|govern)s\b"
)
_TWICE: Final = re.compile(r"(?i)\b(?!that\b|had\b)([a-z]+)\s+\1\b")
_MARKS: Final = re.compile(r"[,;:]\s*[,;:.]|\.\s+\.|\(\s*\)|\s[,;.](?=\s|$)|(?:^|\.\s)[,;:]")
_DANGLING: Final = re.compile(
    r"(?i)(?<![(\w])(?:the|an?|of|and|or|but|with|from|that|which|who|whose|said|such|between)\s*[.;,!?)]"
    r"|\b(?:to|by|under|sections?|in|on|at|for|is|was|were|are|as|also|both)\s*(?:[.;!?]\s|[.;!?]?$)"
)
_SAID_THAT: Final = re.compile(
    r"(?i)\b(?:say|says|said|state[sd]?|allege[sd]?|depose[sd]?|claim(?:s|ed)?|found|held|shows?|showed"
    r"|submit(?:s|ted)?|told|report(?:s|ed)?)\s+(?:\w+\s+)?that\s+([^.;]*)"
)
_FIRST_CLAUSE: Final = re.compile(r",\s+(?:and|but|yet|so)\s|;\s|\.\s")
_RANGE: Final = re.compile(r"(?i)\bbetween\s+(\S+)\s+and\s+\1\b|\b(\d+)\s*(?:-|to)\s*\2\b")
_VOWEL_NUMBERS: Final = r"(?:eight\w*|eleven\w*|8\d*|11|18)\b"
_ARTICLE: Final = re.compile(
    rf"(?i)\ba\s+{_VOWEL_NUMBERS}|\ban\s+(?!{_VOWEL_NUMBERS})(?:\d|one\b|[bcdfgjklmnpqrstvwxz][a-z])"
    r"|\ba\s+(?!one\b|eu|uni|us[ei]|ut|ur[ai])[aeiou][a-z]"
)
_UNITS: Final = r"(?:year|month|day|week|hour|minute|blow|injury|witness|lakh|crore|kilogram|gram)"
_NUMBER: Final = re.compile(
    rf"(?i)\b(?:one|1)\s+(?:{_UNITS}s|injuries|witnesses)\b(?!['’])"
    rf"|(?<![\d.,])\b(?:two|three|four|five|six|seven|eight|nine|ten|[2-9]|\d{{2,3}})\s+"
    r"(?:year|month|day|week|hour|minute|blow|injury)\b(?!['’-])"
)
_BEGUN_WITHIN: Final = re.compile(r"[;,]\s+(?:No|Only|Nobody|Nothing|The|What)\b")
_PLURAL: Final = re.compile(r"(?i)\bthe (?:[\w-]+ ){0,2}[\w-]*[a-rtv-z]s (?:does|was|has|is)\b")
_PATTERNS: Final = (
    (_TWICE, "a word stands twice"),
    (_MARKS, "its punctuation is broken"),
    (_DANGLING, "it breaks off"),
    (_RANGE, "the ends of a range are one number"),
    (_ARTICLE, "an article does not fit its word"),
    (_NUMBER, "a number does not fit its noun"),
    (_BEGUN_WITHIN, "a sentence begins within another"),
    (_PLURAL, "a verb does not fit its noun"),
)


def fault(sheet: FactSheet, edit: Edit) -> str:
    """What is wrong with the sentences that an edit makes, in a few words, or "".

    The rules: no word twice, no broken punctuation, nothing that breaks off, no clause that loses
    its verb, no small letter at the beginning, articles and numbers that fit their nouns, and no
    words of another fact changed, no number out of all proportion. What the rest of the narrative
    says against the edit is the fact type's to know.
    """
    if not compatible([edit]):
        return "it changes the same words twice"
    if _out_of_proportion(sheet, edit):
        return "a figure out of all proportion"
    if _unsaid(sheet, edit):
        return "the narrative does not say it"
    if not edit.null and (against := FACT_TYPES.get(edit.fact_type).objection(sheet, edit)):
        return str(against)
    before, after = sentences_changed(sheet.narrative, edit)
    if not before or not after:
        return _taken_along(sheet, edit, after)
    for pattern, what in _PATTERNS:
        if len(pattern.findall(after)) > len(pattern.findall(before)):
            return what
    if before[0].isupper() and after[0].islower():
        return "it begins with a small letter"
    for part in (_whole, _opening, _content):
        if _has_verb(part(before)) and part(after) and not _has_verb(part(after)):
            return "a clause has lost its verb"
    return _taken_along(sheet, edit, after)


def _unsaid(sheet: FactSheet, edit: Edit) -> bool:
    """Whether the edit changes the sheet alone, beside a narrative that tells the matter.

    What goes with the fact would stand there in other words. A provision that only the sheet cites
    may change where the narrative, a layman's, cites none.
    """
    if edit.null or edit.changes or not sheet.narrative.strip() or edit.fact_type not in FACT_NAMES:
        return False
    return edit.fact_type != "Section" or bool(find_citations(sheet.narrative))


def _whole(text: str) -> str:
    return text


def _opening(text: str) -> str:
    """The words up to the first joint between clauses."""
    return _FIRST_CLAUSE.split(text, maxsplit=1)[0]


def _content(text: str) -> str:
    """What is said after `said that`; the whole where nothing is."""
    match = _SAID_THAT.search(text)
    return match[1] if match else text


def _has_verb(text: str) -> bool:
    return _VERB.search(text) is not None


def _out_of_proportion(sheet: FactSheet, edit: Edit) -> bool:
    """Whether a number would become more than `LARGEST_STEP` times as large or as small."""
    new = edit.new_value
    old = next((f.value for f in sheet.facts if f.fact_id == edit.fact_id), None)
    if not isinstance(new, NumericalValue) or not isinstance(old, NumericalValue):
        return False
    there = convert(new.value, new.unit, old.unit)
    low, high = sorted((old.value, old.value if there is None else there))
    return high > LARGEST_STEP * low


def _taken_along(sheet: FactSheet, edit: Edit, after: str) -> str:
    """Another fact whose words the edit changes, though they are not its own."""
    if edit.null:
        return ""
    cuts = [change for change in edit.changes if change.start < change.end]
    left = telling_words(after)
    for fact in sheet.facts:
        if fact.fact_id in edit.fact_ids:
            continue
        for span in fact.spans:
            words = telling_words(sheet.narrative[span.start : span.end])
            touched = any(cut.start < span.end and span.start < cut.end for cut in cuts)
            if touched and any(word.isalpha() for word in words - left):
                label = FACT_TYPES.get(fact.fact_type).label(fact)
                return f"the words of another fact change with it: {label}"
    return ""
