"""Words that mean evidence only in the right company: a sentence of violence, a case of death.

`She told her mother` is the victim's own account in a case of rape and nothing in a tenancy;
`P.W. 3 was attacked` makes an eyewitness of a numbered witness, `P.W. 8 conducted the autopsy` does
not. Each hint says what its sentence and the whole narrative must hold and must not hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Hint:
    """A trigger with its conditions; each is a pattern, "" for none, and ignores case."""

    evidence_type: str
    trigger: str
    sentence_has: str = ""
    sentence_lacks: str = ""
    text_has: str = ""
    text_lacks: str = ""


_DEATH: Final = r"deceased|dead\s?body|murder|died\b|death|succumb|killed"
_SEXUAL: Final = r"prosecutrix|\braped?\b|molest|sexual|modesty"
_WITNESS: Final = r"\bP\.?\s?W(?:s|itness(?:es)?)?\b\.?\s*-?\s*\d+"
_VIOLENCE: Final = (
    r"\b(?:assault\w*|attack\w*|beat(?:en|ing)?|stabb\w+|shot|fired|firing|inflict\w+|injur(?:ed|ies|y)"
    r"|blows?|interven\w+|robb\w+|snatch\w+|intercept\w+|dragg\w+|chased|pulled|kidnapp\w+)\b"
)
_INVESTIGATION: Final = (
    r"\bdr\b|doctor|surgeon|medical|post.?mortem|autopsy|investigat|inspector|\bA\.?S\.?I\b|\bI\.?O\b"
    r"|inquest|recorded|conducted|performed|prepared|recover|seiz|panch|stated|deposed|told|alleged\s+by"
    r"|informed|according\s+to|lodged|hostile|referred"
)
_CAME_TO_HARM: Final = rf"{_VIOLENCE}|accident|collided|\bfire\b|{_DEATH}"

HINTS: Final[tuple[Hint, ...]] = (
    Hint(
        "dying_declaration",
        r"\b(?:daughter|wife|sister|son|brother|husband|mother)\s+(?:told|disclosed|stated|informed)"
        r"\b.{0,220}?\b(?:set\s+(?:her|him)|kerosene|ablaze|on\s+fire|stabbed|poison\w*"
        r"|had\s+(?:shot|assaulted|attacked|burnt|beaten))",
        text_has=_DEATH,
    ),
    Hint("last_seen", r"\bseen\b[^.;]{0,60}?\btaking\s+away\b", text_has=_DEATH),
    Hint(
        "last_seen",
        r"\btook\s+(?:away\s+)?(?:the\s+)?(?:deceased|child|girl|boy|victim)\b[^.;]{0,80}?\bseen\b",
        text_has=_DEATH,
    ),
    Hint(
        "last_seen",
        r"\b(?:went|left|gone|go)\s+(?:\w+\s+){0,3}?(?:with|along\s?with)\s+(?:the\s+)?"
        r"(?:accused|appellants?)",
        sentence_has=r"deceased|\bher\b|\bhim\b|\bs?he\b",
        text_has=_DEATH,
    ),
    Hint(
        "last_seen",
        r"\b(?:came|come|coming)\s+to\s+(?:take|call)\s+(?:her|him|the\s+deceased)\b",
        text_has=_DEATH,
    ),
    Hint(
        "eyewitness",
        _WITNESS,
        sentence_has=_VIOLENCE,
        sentence_lacks=_INVESTIGATION,
    ),
    Hint(
        "eyewitness",
        rf"{_WITNESS}(?=.{{0,120}}\bpresent\b)",
        sentence_has=r"occurrence|incident|there\b|spot|scene",
        sentence_lacks=_INVESTIGATION,
    ),
    Hint(
        "eyewitness",
        r"\b(?:complainant|informant)\b[^.;]{0,120}?\b(?:was|were)\s+(?:also\s+)?(?:sitting|standing"
        r"|talking|sleeping|present|returning|going|working|walking|travelling|chatting)\b",
        text_has=_CAME_TO_HARM,
    ),
    Hint(
        "eyewitness",
        r"\bin\s+the\s+words\s+of\s+(?:the\s+)?(?:injured|complainant|informant|witness)",
        text_has=_CAME_TO_HARM,
    ),
    Hint(
        "eyewitness",
        r"\b(?:intervened|(?:came|tried|trying|rushed)\s+to\s+(?:(?:his|her|their|the)\s+)?"
        r"(?:\w+\s+)?(?:intervene|rescue|save))\b",
        sentence_lacks=r"\bcourt\b|government|association",
        text_has=_CAME_TO_HARM,
    ),
    Hint(
        "eyewitness",
        r"\bstatements?\s+of\s+(?:the\s+)?injured\b",
        text_has=_DEATH,
    ),
    Hint(
        "victim_testimony",
        r"\b(?:statements?|testimony|evidence|deposition)\s+of\s+(?:the\s+)?injured\b",
        text_lacks=_DEATH,
    ),
    Hint(
        "victim_testimony",
        r"\b(?:she|girl|child)\s+(?:(?:also|then|further|later|had)\s+){0,2}"
        r"(?:narrated|told|disclosed|informed|complained|reported|confided)\b",
        text_has=_SEXUAL,
        text_lacks=_DEATH,
    ),
    Hint(
        "recovery",
        r"\bfound\s+(?:in|on|from|with)\s+(?:his|her|their|the\s+accused(?:['’]s)?)\s+"
        r"(?:person|possession|house|room|bag|pocket|shop|custody|vehicle|car)\b",
        sentence_lacks=r"\bbod(?:y|ies)\b|corpse|prosecutrix|\bgirl\b",
    ),
    Hint(
        "motive",
        r"\b(?:being|got|felt|became|was|were|had\s+been)\s+(?:\w+\s+)?(?:annoyed|enraged|infuriated"
        r"|furious|angry|jealous)\b",
        text_has=_CAME_TO_HARM,
    ),
    Hint(
        "motive",
        r"\b(?:contempt\s+proceedings|(?:civil\s+)?(?:cases?|suits?)\s+(?:were|was|is|are)\s+pending)\b",
        text_has=_VIOLENCE,
    ),
)
"""Tried after the plain triggers of their type, in order."""
