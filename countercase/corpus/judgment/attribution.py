"""Whose words a sentence of a judgment gives, and what became of them.

A judgment tells what courts below held and what counsel argued before it decides. A sentence that
only reports such a finding must never be read as the decision: `The High Court acquitted him` in a
judgment that allows the appeal is a finding that was reversed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_COURTS: Final = (
    ("High Court", r"(?:learned\s+)?(?:(?:(?:(?-i:[A-Z])[\w&]*|and|of)\s+){0,3}high\s+court"
     r"|division\s+bench|single\s+judge)"),
    ("trial court", r"(?:learned\s+)?(?:trial\s+(?:court|judge)|(?:additional\s+)?(?:district\s+and\s+)?"
     r"sessions\s+(?:court|judge)|special\s+(?:court|judge)|civil\s+judge"
     r"|district\s+(?:court|judge)|sub(?:ordinate)?\s+(?:court|judge)|family\s+court|munsiff?)"),
    ("trial court", r"(?:(?!executive)\w+\s+){0,3}magistrate"),
    ("tribunal", r"(?:\w+\s+){0,2}tribunals?|labour\s+court"),
    ("authority below", r"(?:(?:assistant|deputy|joint|additional|municipal)\s+)?commissioner"
     r"(?:\s*\(appeals\))?|collector|assessing\s+officer|(?:appellate|prescribed|controlling)\s+authority|arbitrator|umpire"),
    ("commission", r"(?:(?:national|state|district)\s+)?(?:consumer\s+)?(?:commission|forum)"),
    ("first appellate court", r"(?:first\s+|lower\s+)?appellate\s+court"),
    ("courts below", r"(?:lower\s+courts|courts\s+below|courts)"),
)  # fmt: skip
_DID: Final = (
    r"(?:held|found|convicted|acquitted|dismissed|allowed|confirmed|affirmed|reversed|upheld|restored"
    r"|maintained|set\s+(?:\w+\s+){0,3}?aside|reduced|enhanced|refused|granted|quashed|awarded|decreed|directed|ordered"
    r"|believed|disbelieved|rejected|accepted|relied|took|thought|concluded|observed|considered|sentenced"
    r"|declined|altered|treated|declared|applied|discharged|framed|altered|agreed|gave|made|raised|fixed)"
)
_DECIDED: Final = (
    r"(?:convicted|acquitted|dismissed|allowed|discharged|sentenced|rejected|refused|held|found|granted|quashed"
    r"|took\s+cognizance|framed|summoned|ordered|directed|awarded)"
)
"""What a magistrate or an officer does as a court; he also takes statements and makes records."""
_OFFICERS: Final = ("magistrate", "commissioner")


def _reporting(words: str) -> re.Pattern[str]:
    did = _DECIDED if any(officer in words for officer in _OFFICERS) else _DID
    return re.compile(
        rf"(?i)\b(?:the|an?|both|two|three|all)\s+(?:{words})\b(?:\s*\([^)]*\))?"
        rf"(?:,\s+(?:\w+ing|by|on|in|at)\b[^,;.]{{0,80}},)?(?:,?\s+(?!who|which|that)"
        rf"[\w'’-]+){{0,4}}?\s+(?:had\s+|has\s+|have\s+|also\s+|then\s+)*{did}\b"
        rf"|\b(?:was|were|been|and)\s+(?:\w+\s+)?{did}\b[^.;]{{0,60}}?\bby\s+(?:the\s+|an?\s+)?(?:{words})\b"
    )


_REPORTS: Final = tuple((name, _reporting(words)) for name, words in _COURTS)
_JUDGED: Final = re.compile(
    r"(?i)\b(?:rightly|wrongly|correctly|erred|error|erroneous\w*|justified|mis(?:read|directed|applied)"
    r"|ought|should\s+(?:not\s+)?have|could\s+not|failed\s+to|was\s+(?:not\s+)?(?:right|wrong)|mistake"
    r"|(?:had\s+|have\s+)(?:reasonably|properly|soundly|fairly|unreasonably|improperly)"
    r"|this\s+court|the\s+court\s+(?:held|agreed|disagreed|found|set|restored|upheld)|we\b|cannot\s+be\s+sustained)"
)
_ARGUED: Final = re.compile(
    r"(?i)\b(?:contend(?:ed|s)|submit(?:ted|s)\s+that|argued|urged|(?:pleaded|claimed|alleged)\s+that|counsel\s+for"
    r"|according\s+to\s+the\s+(?:appellant|respondent|petitioner|prosecution|state|accused|plaintiff"
    r"|defendant|complainant|employer|claimant))\b"
)
_SIDE: Final = (
    r"(?:the|his|her|their|its|both)\s+(?:\w+\s+)?(?:appellant|respondent|petitioner|prosecution|state|accused"
    r"|plaintiff|defendant|complainant|employer|management|company|bank|insurer|claimant|tenant|landlord"
    r"|landowner|assessee|department|revenue|union|government|husband|wife|workman|employee|owner)s?"
)
_CLAIMED: Final = re.compile(
    rf"(?i)\b{_SIDE}(?:,[^,]{{0,60}},)?\s+(?:had\s+|also\s+|then\s+)*(?:said|stated|answered|replied|maintained"
    r"|explained|denied|pointed\s+out|insisted|asserted|complained|protested|attacked|resisted|relied\s+on|put\s+it\s+down)\b"
    r"|\b(?:written\s+statement|counter-?affidavit|affidavit|plea|defence)\s+(?:said|was|stated|ran)\b"
    r"|\bmotive\s+(?:put\s+forward|suggested|alleged)\b|\bhis\s+(?:case|answer|version|story)\s+was\b"
)
"""One side's account of the facts, which no court need have believed."""
_PRONOUN: Final = re.compile(
    rf"(?i)(?:\A|,\s+|\b(?:and|but|them)\s+)it\s+(?:also\s+|had\s+)?(?:{_DID}|used)\b|\Ain\s+its\s+view\b"
)
_FATES: Final = {
    "allowed": "reversed here",
    "remanded": "set aside here",
    "dismissed": "upheld here",
    "partly allowed": "varied here",
}


def findings(
    sentences: Sequence[str], sections: Sequence[str], court: str = "", outcome: str = ""
) -> list[str]:
    """For each sentence of a judgment the court whose finding it reports, or "".

    Among the facts the deciding court judges nothing yet: what a court did there, another did, and
    `It also refused costs` goes on with the court of the sentence before.
    """
    found: list[str] = []
    for at, (sentence, section) in enumerate(zip(sentences, sections, strict=True)):
        before = found[-1] if found else ""
        finding = finding_of(sentence, court, outcome, sentences[at - 1] if at else "")
        if section == "facts" and not _OWN_COURT.search(sentence):
            finding = finding or _named(sentence, court, outcome)
            if not finding and before and _GOES_ON.search(sentence):
                finding = before
            if not finding and _CONVICTED.search(sentence):
                finding = ANOTHER
        found.append(finding)
    return found


ANOTHER: Final = "another court"
"""Whose finding it is where a conviction or an acquittal is told without its court."""
_OWN_COURT: Final = re.compile(r"(?i)\b(?:this\s+court|the\s+supreme\s+court|we)\b")
_GOES_ON: Final = re.compile(
    r"\AIt\s+(?:\w+ly\s+|also\s+|had\s+|was\s+|nevertheless\s+|then\s+)*\w+(?:ed|ld|ve|k|w|t|id)\b|\AIn\s+its\b"
)
_CONVICTED: Final = re.compile(
    r"(?i)\b(?:was|were|been|stood)\s+(?:\w+ly\s+|also\s+|both\s+|all\s+)?"
    r"(?:convicted|acquitted|sentenced|quashed|decreed)\b"
)


def finding_of(sentence: str, court: str = "", outcome: str = "", before: str = "") -> str:
    """The court below whose finding a sentence reports, and what became of it, or "".

    `High Court, reversed here`. What became of it is said of the court right below alone: of the
    High Court in a judgment of the Supreme Court. A sentence in which the deciding court judges
    that finding (`the High Court erred`) is its own, and reports nothing.

    Args:
        court: that decided.
        outcome: of the judgment, see `countercase.facts.vocabulary.OUTCOMES`.
        before: the sentence before; `It allowed the petitions` goes on with the court of that.
    """
    if _JUDGED.search(sentence):
        return ""
    goes_on = before and _PRONOUN.search(sentence)
    return _named(sentence, court, outcome) or (
        finding_of(before, court, outcome) if goes_on else ""
    )


def _named(sentence: str, court: str, outcome: str) -> str:
    """The courts that a sentence says did something, the lowest first, with the fate of one."""
    courts = list(dict.fromkeys(name for name, pattern in _REPORTS if pattern.search(sentence)))
    if "supreme" in court.lower() and courts == ["High Court"]:
        fate = _FATES.get(outcome, "")
        return f"High Court, {fate}" if fate else "High Court"
    return " and the ".join(courts[::-1])


def is_argument(sentence: str) -> bool:
    """Whether a sentence says what a party argued, and not what a court held."""
    return bool(_ARGUED.search(sentence) or _CLAIMED.search(sentence)) and not _JUDGED.search(
        sentence
    )


def is_told_by_a_side(sentence: str) -> bool:
    """Whether a sentence begins with what one side said, so that even in a holding it is no ruling."""
    match = _CLAIMED.match(sentence)
    return match is not None and _JUDGED.search(sentence) is None
