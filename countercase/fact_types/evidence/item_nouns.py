"""The noun by which a weakness names its item: `salary certificate`, `eyewitnesses`, `study`."""

from __future__ import annotations

import re
from typing import Final

from countercase.facts.model import EvidenceValue, Fact
from countercase.text.spans import Span

_COUNTED: Final = (
    r"(?:two|three|four|five|six|both|all|several|some|many|[2-9]) (?:(?!of\b|the\b)\w+[ -]){0,2}"
)
_SEVERAL: Final = re.compile(
    r"(?i)\b(?:two|three|four|five|some) of the\b|\bPW[- ]?\d+ ?(?:&|and|,|to PW)"
    rf"|\b(?:{_COUNTED}|only (?:\w+[ -]){{0,2}})(?:witness|persons|men|wife|people|shopkeepers)|witnesses\b"
)
_SUBJECT: Final = re.compile(
    r"(?i)[^:;]*?(?=\b(?:who|saw|see|seen|had|says?|said|names?|named)\b|[;:]|\Z)"
)
_SEVERAL_DESCRIBED: Final = re.compile(
    rf"(?i)\b{_COUNTED}[a-z]+s\b|\b(?:\w*men|people|witnesses|persons)\b"
    r"|, (?:an?|the|his|her) [^,]+ and (?:an?|the|his|her|another)\b|\A(?:the |an? )?\w+ and (?:an? )?\w+"
)
"""Several witnesses, where the words before the verb of a description say so."""
PAPER: Final = (
    r"(?:certificates?|registers?|records?|letters?|receipts?|slips?|diary|journals?|ledgers?|minutes"
    r"|statements?|extracts?|notes?|bills?|deeds?|challans|cards?|pass ?book|maps?|lists?|memo|log ?book"
    r"|roll|sheets?|agreements?|declaration|cuttings?"
    r"|(?:retirement|transfer|posting|duty) orders?)"
)
"""Orders are papers where they show how somebody served, and not where they bind."""
_GOES_ON_TO_A_PAPER: Final = re.compile(
    r" (?:report|certificate|test|register|message|opinion)s?\b"
)
_NO_PART_OF_A_NAME: Final = (
    r"(?:careful|long|short|full|brief|detailed|thorough|clear|fair|frank|good|later|earlier|separate"
    r"|a|an|the|his|her|our|its|no|in|by|and|with|from|that|this|two|three|four|five|some|all"
    r"|both|upon|on|to|for|as|at|is|was|or|per|forged)"
)
_NAMED: Final = {
    "documentary": rf"(?:\b(?!(?:of|{_NO_PART_OF_A_NAME})\b)[a-z-]+ )?\b{PAPER}\b",
    "medical": r"(?:post[- ]?mortem|medical|injury|wound|ossification) (?:report|certificate)"
    r"|post[- ]?mortem|autopsy report|ossification test|medical examination|medical board|ML[CR]\b",
    "forensic": r"(?:forensic|S?FSL|lab|laboratory|chemical|serology|DNA|ballistics?) report",
    "electronic_record": r"(?:WhatsApp )?(?:messages?|chats?|voice notes?|e-?mails?|video|footage"
    r"|recordings?|clip)|voice recordings|call (?:records?|details)|CDRs?|screenshots?",
    "extrajudicial_confession": r"(?:letters?|notes?|chits?|diary|messages?|chats?|e-?mails?)\b",
    "weapon": r"(?:(?!(?:a|an|the|his|her|this|that|one|with|of|no|and|by|from|in)\b)[a-z-]+ )?"
    r"(?:knife|plank|farsa|lathi|danda|rod|axe|stick|sword|brick|khurpi|sickle|spade|gandasa|chopper|dagger"
    r"|iron bar|club|hammer|stone)\b",
}
"""The words that name an item of each type, where a sentence is to name it again."""
_DATE_OF: Final = "date of "
_EXPERT_PAPER: Final = re.compile(
    rf"\b(?:(?!{_NO_PART_OF_A_NAME}\b|ha[sd]\b)[a-z-]+ ){{0,2}}(?:report|note|study|valuation|survey"
    r"|assessment|analysis|certificate)\b|\b(?:expert|hand ?writing|medical) opinion\b"
)
_EXPERT: Final = re.compile(
    r"\b(?:(?:hand ?writing|ballistics?|structural|civil|forensic) )?(?:expert|psychiatrist|psychologist"
    r"|valuer|engineer|chemist|surveyor|architect|accountant|auditor|examiner|analyst|professor|doctor)\b"
    r"|\b(?:Chief )?[Mm]edical [Oo]fficer\b"
)
_REPORTED: Final = re.compile(r"\breported\b")
_CONFESSED: Final = (
    ("confession", r"confess"),
    ("statement", r"\bstate(?:ment|d)\b"),
    ("admission", r"\badmission\b"),
)


def noun_of(text: str, fact: Fact, value: EvidenceValue, stated: str) -> str:
    """The item by its own name; "" where it has none, or has several.

    Of several names the one counts that its description begins with; a bare `certificate` is its own.

    Args:
        stated: the words of the narrative that state the item.
    """
    match value.evidence_type:
        case "eyewitness":
            if label := _labelled(text, stated):
                return label
            several = bool(_SEVERAL.search(stated)) or _several_described(value)
            return "eyewitnesses" if several else "eyewitness"
        case "last_seen":
            return "witnesses" if _several_described(value) else "witness"
        case "related_witness":
            return _labelled(text, " ".join(text[s.start : s.end] for s in fact.spans))
        case "confession":
            return _confession(stated or value.description)
        case "expert_opinion":
            return _expert(text, fact, value, stated)
    named = _NAMED.get(value.evidence_type)
    if named is None:
        return ""
    written = [_named_by(text, s) for s in fact.spans] or [value.description]
    if value.evidence_type == "extrajudicial_confession":
        written += [value.description, *re.findall(r"\b(?:in|by) an? (?:\w+ )?\w+", stated)]
        names = [n for n in (_first_name(named, w.lower()) for w in written) if n in stated]
        return next(filter(None, names), "")
    found = [_first_name(named, words.split("'s ")[-1]) for words in written]
    told = value.description.lower()
    names = [n for n in dict.fromkeys(found) if n and (n != "certificate" or n in told)]
    begun = [n for n in names if told.startswith(n.lower())] if len(names) > 1 else names
    return begun[0] if len(begun) == 1 else ""


def _several_described(value: EvidenceValue) -> bool:
    """Whether the description of a witness has several as its subject (`Two boatmen who saw`)."""
    subject = _SUBJECT.match(value.description)
    return bool(subject and _SEVERAL_DESCRIBED.search(subject[0]))


def _confession(stated: str) -> str:
    """What the narrative calls it: a statement is no confession until somebody says so."""
    return next((n for n, words in _CONFESSED if re.search(words, stated, re.IGNORECASE)), "")


def _expert(text: str, fact: Fact, value: EvidenceValue, stated: str) -> str:
    """The paper that gives the opinion, or else the person; "" where the narrative names neither."""
    whole = [re.compile(r"\w*").match(text, s.end) for s in fact.spans]
    places = [text[s.start : m.end()] for s, m in zip(fact.spans, whole, strict=True) if m]
    for words in [*places, stated]:
        if match := _EXPERT_PAPER.search(words.rpartition("'s ")[2]) or _EXPERT_PAPER.search(words):
            return match[0]
    person = _EXPERT.search(" ".join(places)) or _EXPERT.search(stated)
    if _REPORTED.search(stated) and not (person and person[0].endswith("expert")):
        return "report"
    person = person or _EXPERT.search(value.description)
    return person[0] if person and person[0] in text else ""


def _labelled(text: str, words: str) -> str:
    """The one label of a witness in some words (`PW4`), as long as the narrative has others."""
    labels = set(re.findall(r"\bPW[- ]?\d+\b", words))
    return labels.pop() if len(labels) == 1 and not _SEVERAL.search(words) else ""


def _named_by(text: str, mention: Span) -> str:
    """The words of a mention, with the `date of` that a birth certificate of a school has before it."""
    before = text[: mention.start]
    start = mention.start - len(_DATE_OF) if before.endswith(_DATE_OF) else mention.start
    more = _GOES_ON_TO_A_PAPER.match(text, mention.end)
    words = text[start : more.end() if more else mention.end]
    return words[:1].lower() + words[1:] if words[1:2].islower() else words


def _first_name(named: str, words: str) -> str:
    """The first name in some words, which are one as a whole where they are few and end with it."""
    if re.fullmatch(rf"(?:(?!{_NO_PART_OF_A_NAME}\b)[a-z-]+ ){{0,2}}(?:{named})", words):
        return words
    match = re.search(rf"(?:{named})", words)
    return match[0].strip() if match else ""
