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
_SEXUAL: Final = r"prosecutrix|\braped?\b|molest|sexual|modesty|private\s+parts?|ravish|undress\w+"
_MARITAL: Final = r"dowry|in-laws|matrimonial|ill-?treat|cruelty|harass"
_WITNESS: Final = r"\bP\.?\s?W(?:s|itness(?:es)?)?\b\.?\s*-?\s*\d+"
_VIOLENCE: Final = (
    r"\b(?:assault\w*|attack\w*|beat(?:en|ing)?|stabb\w+|shot|fired|firing|inflict\w+|blows?"
    r"|injur(?:ed|ies|y)|interven\w+|robb\w+|snatch\w+|intercept\w+|dragg\w+|chased|pulled|struck"
    r"|hacked|kidnapp\w+|abduct\w+|hurled|pelt(?:ed|ing)|kick(?:ed|s)|caught\s+hold|threatened"
    r"|pushed|set\s+(?:\w+\s+){0,3}(?:fire|ablaze)|dashed|rescued)\b"
)
_INVESTIGATION: Final = (
    r"\bdr\b|doctor|surgeon|medical|post.?mortem|autopsy|investigat|inspector|\bA\.?S\.?I\b|\bI\.?O\b"
    r"|inquest|recorded|conducted|performed|prepared|recover|seiz|panch|hostile|referred|lodged"
    r"|alleged\s+by|according\s+to|informed|told"
)
_SPEAKING: Final = r"|\bstated\b|\bdeposed\b"
_CAME_TO_HARM: Final = rf"{_VIOLENCE}|accident|collided|\bfire\b|{_DEATH}"
_DOING: Final = (
    r"(?:also\s+)?(?:sitting|standing|talking|sleeping|present|returning|going|working|walking"
    r"|travelling|chatting|coming|proceeding|lying)"
)
_TOLD: Final = r"(?:narrated|told|disclosed|informed|complained|reported|confided)"
_ACCUSED: Final = r"(?:accused|appellants?|respondents?|A-?\s?\d+)"

HINTS: Final[tuple[Hint, ...]] = (
    Hint(
        "dying_declaration",
        r"\b(?:daughter|wife|sister|son|brother|husband|mother)\s+(?:told|disclosed|stated|informed)"
        r"\b.{0,220}?\b(?:set\s+(?:her|him)|kerosene|ablaze|on\s+fire|stabbed|poison\w*"
        r"|had\s+(?:shot|assaulted|attacked|burnt|beaten))",
        text_has=_DEATH,
    ),
    Hint(
        "dying_declaration",
        r"\b(?:daughter|deceased|she|sister|wife)\s+(?:had\s+)?(?:also\s+)?"
        r"(?:told|disclosed|informed|complained|narrated|wrote|written)\b",
        sentence_lacks=r"police|\bcourt\b",
        text_has=rf"(?:{_DEATH})(?=.*(?:{_MARITAL}))|(?:{_MARITAL})(?=.*(?:{_DEATH}))",
    ),
    Hint(
        "dying_declaration",
        r"\bdeceased\b[^.;,]{0,30}?(?<!was )(?<!were )\b(?:told|disclosed|informed|narrated)\b",
        sentence_lacks=r"police\s+(?:that|informed)|relatives?\s+(?:of\s+)?(?:the\s+)?deceased",
    ),
    Hint(
        "last_seen",
        r"\bfound\b[^.;]{0,30}?\bin\s+(?:the\s+)?company\s+of\b",
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
        "last_seen",
        r"\b(?:saw|seen|noticed)\b[^.;]{0,140}?\b(?:being\s+taken|taking\s+(?:her|him)\b)",
        text_has=_DEATH,
    ),
    Hint(
        "last_seen",
        r"\b(?:took|taken)\s+(?:him|her|(?:the\s+)?deceased)\s+(?:away\s+)?[^.;]{0,60}?"
        rf"\b(?:along\s?with|in\s+(?:the\s+)?presence\s+of)\s+{_WITNESS}",
        text_has=_DEATH,
    ),
    Hint(
        "eyewitness",
        rf"\bdeceased\b.{{0,120}}?{_WITNESS}.{{0,40}}?\b(?:was|were)\s+{_DOING}\b",
        text_has=_VIOLENCE,
    ),
    Hint(
        "eyewitness",
        rf"{_WITNESS}.{{0,40}}?\b(?:was|were)\s+{_DOING}\b[^.;]{{0,40}}?\bwith\s+(?:the\s+)?deceased\b",
        text_has=_VIOLENCE,
    ),
    Hint(
        "eyewitness",
        _WITNESS,
        sentence_has=_VIOLENCE,
        sentence_lacks=_INVESTIGATION + _SPEAKING,
    ),
    Hint(
        "eyewitness",
        rf"{_WITNESS}(?=.{{0,60}}\b(?:stated|deposed|testified)\b.{{0,150}}\b{_ACCUSED}\b"
        rf".{{0,150}}{_VIOLENCE})",
        sentence_lacks=_INVESTIGATION,
    ),
    Hint(
        "eyewitness",
        r"\b(?:complainant|informant)\b",
        sentence_has=_VIOLENCE,
        sentence_lacks=_INVESTIGATION + _SPEAKING + r"|alleg|report|complaint\b|party",
        text_lacks=_MARITAL,
    ),
    Hint(
        "eyewitness",
        r"\bin\s+(?:(?:the\s+)?presence|(?:full\s+)?view)\s+of\s+(?:(?:the|his|her|their|several"
        r"|many|other)\s+)*(?:wife|mother|father|son|daughter|family|villagers|people|public"
        r"|children|neighbours|brother)\b",
        sentence_has=_VIOLENCE + r"|killed|murdered|poured",
        sentence_lacks=_INVESTIGATION,
    ),
    Hint(
        "eyewitness",
        rf"{_WITNESS}(?=.{{0,120}}\bpresent\b)",
        sentence_has=r"occurrence|incident|there\b|spot|scene",
        sentence_lacks=_INVESTIGATION + _SPEAKING,
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
        rf"{_TOLD}\b",
        text_has=_SEXUAL,
        text_lacks=_DEATH,
    ),
    Hint(
        "victim_testimony",
        rf"\b{_TOLD}\s+(?:(?:everything|this|it|about\s+\w+|the\s+\w+)\s+)?(?:to\s+)?her\s+"
        r"(?:grand)?(?:mother|father|parents|aunt|uncle|sister|brother|teacher)\b",
        text_has=_SEXUAL,
        text_lacks=_DEATH,
    ),
    Hint(
        "victim_testimony",
        r"\b(?:narrated|disclosed|described)\s+(?:the\s+)?(?:(?:whole|entire)\s+)?"
        r"(?:incident|occurrence|story|episode|ordeal)\b",
        text_has=f"{_VIOLENCE}|{_SEXUAL}",
        text_lacks=_DEATH,
    ),
    Hint(
        "recovery",
        r"\b(?:caught\s+(?:red[\s-]handed\s+)?with|found\s+(?:to\s+be\s+)?carrying|on\s+(?:his\s+|her\s+|personal"
        r"\s+)?search)\b",
        sentence_lacks=r"\bbod(?:y|ies)\b|pregnan",
    ),
    Hint(
        "recovery",
        r"\bfound\s+(?:in|on|from|with)\s+(?:his|her|their|the\s+accused(?:['’]s)?)\s+"
        r"(?:person|possession|house|room|bag|pocket|shop|custody|vehicle|car)\b",
        sentence_lacks=r"\bbod(?:y|ies)\b|corpse|prosecutrix|\bgirl\b",
    ),
    Hint(
        "recovery",
        r"\b(?:arms|ammunition|explosives?|weapons?|pistols?|revolvers?|guns?|cartridges?|knife|knives"
        r"|contraband|ganja|charas|heroin|opium|liquor|gold|currency|notes|cash|ornaments|jewell?ery"
        r"|goods|articles?|property)\b[^.;]{0,60}?\b(?:was|were)\s+(?:also\s+)?found\s+(?:with|on)\s+"
        r"(?:the\s+)?(?:person|petitioners?|accused|appellants?|respondents?|him|her|them)\b",
    ),
    Hint(
        "motive",
        r"\bto\s+(?:prevent|avoid|evade|escape|defeat)\s+(?:(?:any|the|his|her|their|legal)\s+)*"
        r"(?:legal\s+action|action\s+against|prosecution|repayment|liability|creditors)\b",
        text_has=r"\bforg(?:ed|ery|ing)|cheat|defraud|murder|\bfalse\b",
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
    Hint(
        "motive",
        r"\bbecause\s+(?:\w+\s+){1,3}?(?:had\s+)?(?:refused|objected|resisted"
        r"|opposed|declined)\b",
        sentence_lacks=r"\bcourt\b|counsel|magistrate|\blaw\b|application|petition",
        text_has=_VIOLENCE,
    ),
    Hint(
        "motive",
        r"\b(?:election\s+(?:rivalry|dispute)|contested\s+(?:the\s+)?elections?|wanted\s+to\s+marry"
        r"|was\s+not\s+happy|suspected\s+(?:the\s+deceased|that))\b",
        text_has=_VIOLENCE,
    ),
)
"""Tried after the plain triggers of their type, in order."""
