"""The words by which a judgment shows what a sentence of it is doing.

A cue is a phrase that lawyers and judges use in one part of a judgment far more than in the
others. The weights are in the unit of the path's prices (nats, loosely). The phrases were chosen
by hand, the weights on one half of the judgments that `benchmarks/sections.py` measures, and the
figures it reports come from the other half.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Cue:
    """Phrases of one label, as alternatives of a regular expression on lower-cased text."""

    label: str
    weight: float
    phrases: str


@dataclass(frozen=True)
class Heading:
    """What a line may say, number and punctuation aside, to open the part named by `label`."""

    label: str
    words: str


CAPS: Final = {"facts": 2.5, "arguments": 8.0, "analysis": 2.5, "order": 8.0}
"""The most that cues can add to a label of one sentence; a holding counts as analysis here."""

CUES: Final[tuple[Cue, ...]] = (
    Cue(
        "facts",
        3.5,
        r"prosecution case is|prosecution story|case of the prosecution|brief facts|briefly stated"
        r"|facts (?:in brief|of the case|giving rise|leading to|which gave rise|necessary for)"
        r"|facts,? (?:briefly|shortly)|the facts are|in a nutshell|is directed against"
        r"|are directed against|arises? out of (?:the|a) (?:judgment|order|suit|common)"
        r"|by special leave (?:is|are|from|against|challeng)|leave granted|calls? in question"
        r"|first information report|f\.i\.r\.? was|fir was|was (?:lodged|arrested|registered)"
        r"|inquest|charge[- ]sheet was|committed (?:the case )?to the court of sessions?"
        r"|preferred (?:an|a|the) (?:appeal|revision|writ|petition|second)"
        r"|filed (?:a|an|the) (?:suit|writ|petition|appeal|application|complaint|revision|second)"
        r"|instituted (?:a|the) suit|(?:was|were) sentenced|sentenced (?:him|her|them|to)"
        r"|(?:was|were) convicted|rigorous imprisonment for|came to be|hereinafter (?:referred|called)"
        r"|aggrieved (?:by|with|thereby)|feeling aggrieved|being dissatisfied|on or about"
        r"|(?:was|were) (?:appointed|married|born|employed|posted|promoted|dismissed from)",
    ),
    Cue(
        "facts",
        1.75,
        r"(?:on|dated|of) (?:the )?\d{1,2}(?:st|nd|rd|th)?[ ./-](?:of )?"
        r"(?:\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
        r"|(?:january|february|march|april|june|july|august|september|october|november|december)"
        r",? ?\d|rs\. ?\d|incised|p\.?w\.?[- ]?\d|trial court (?:found|convicted|acquitted|decreed)"
        r"|high court (?:dismissed|allowed|confirmed|reversed|set aside|affirmed|upheld)"
        r"|(?:suit|petition|appeal) was (?:dismissed|decreed|allowed|filed)|alleged that|it is alleged"
        r"|single judge|died on|injur(?:y|ies) on|near the|at about|a\.m\.|p\.m\.",
    ),
    Cue(
        "arguments",
        6.5,
        r"contended|contends|submitted (?:that|before us|on behalf)|submits|would submit|urged"
        r"|(?:was|it is|also|further|then) argued|argued (?:that|before|by|on)|would contend"
        r"|(?:contention|submission|argument)s? (?:of|by|on behalf of|raised by|advanced by) (?:the )?"
        r"(?:learned|appellant|respondent|petitioner|counsel|plaintiff|defendant|state|mr|shri)"
        r"|(?:drew|invited|draws) our attention|would urge|strenuously|vehemently",
    ),
    Cue(
        "arguments",
        2.0,
        r"learned (?:senior )?(?:counsel|advocate)|(?:solicitor|attorney|advocate)[- ]general"
        r"|appearing (?:for|on behalf)|on behalf of the (?:appellant|respondent|petitioner|state|union)"
        r"|(?:placed|places|placing) (?:strong |great )?reliance|according to (?:him|the appellant"
        r"|the respondent|the petitioner|learned|mr)|per contra",
    ),
    Cue(
        "analysis",
        1.75,
        r"this court (?:held|observed|has held|in|while|laid|pointed)|was held (?:that|by)"
        r"|it (?:is|must be|has been|was) (?:held|observed|clear|settled|well[- ]settled|true|necessary"
        r"|not possible|difficult|obvious|evident|apparent|noted|remembered|noticed)|well[- ]settled"
        r"|question (?:is|that|which|for|whether|arises)|in our (?:view|opinion|judgment)"
        r"|we (?:find|think|are|have|do|may|must|cannot|shall|see|now|agree|need)|does not"
        r"|meaning of|within the meaning|deals with|provides (?:that|for)|reads as|the expression"
        r"|the word|the legislature|legislative|constitutional|doctrine|principle|ratio\b"
        r"|v\. |\d{4} indlaw|s\.?c\.?c\.? \d|air \d|a\.i\.r\. \d|scr \d|supra|thus|hence|therefore"
        r"|cannot be|must be|should be|shall be|may be|notwithstanding|unless|ingredients",
    ),
    Cue(
        "holding",
        2.0,
        r"we,? (?:therefore,? |accordingly,? |thus,? |hereby )?hold|we are (?:clearly |firmly |also )?"
        r"(?:therefore,? |thus,? )?(?:of (?:the|opinion|view)|satisfied|convinced|unable)"
        r"|we (?:have|has) no (?:doubt|hesitation)|we are,? (?:therefore|accordingly|thus),?"
        r"|we (?:therefore|accordingly|thus)|we conclude|our (?:considered )?(?:conclusion|answer)"
        r"|(?:in|on) our (?:considered )?(?:view|opinion|judgment)|for (?:the|these|all these)"
        r" (?:foregoing |aforesaid |above )?reasons|it follows|in view of the (?:above|foregoing|aforesaid)"
        r"|high court (?:was|is|has|had) (?:not )?(?:right|wrong|justified|erred|correct|in error)"
        r"|(?:was|is|are) (?:clearly |wholly |not )?(?:justified|unsustainable|untenable)"
        r"|cannot be sustained|has not been (?:proved|established)|stands (?:proved|established)",
    ),
    Cue(
        "order",
        5.0,
        r"(?:appeals?|petitions?|suit|applications?|revision|reference)s?,? (?:is|are|be|stands?|fails?"
        r"|succeeds?|must|deserves?|shall|will|has|have|being)|(?:is|are|be|stands?|hereby|therefore"
        r"|accordingly) (?:also )?(?:accordingly |hereby |therefore |thus |partly )?(?:allowed|dismissed"
        r"|disposed|quashed|acquitted|remanded|set aside|decreed)|appeals? (?:allowed|dismissed"
        r"|disposed|partly)|petitions? (?:allowed|dismissed|disposed)|no orders? as to costs"
        r"|costs? throughout|with(?:out)? (?:any )?costs|bear (?:its|their|his|her) own costs"
        r"|we (?:allow|dismiss|direct|set aside|quash|remand|remit|order|acquit|make no)"
        r"|(?:accordingly|hereby) (?:allow|dismiss|direct|order|quash)|order accordingly"
        r"|bail bonds?|set at liberty|released forthwith|shall surrender|in the result"
        r"|i would (?:allow|dismiss)|conviction .{0,40}(?:is|are) (?:set aside|upheld|confirmed|altered)",
    ),
)
HEADINGS: Final[tuple[Heading, ...]] = (
    Heading(
        "facts",
        r"(?:the |brief |relevant |material |undisputed )*facts?(?: (?:of|in) (?:the )?(?:case|brief))?"
        r"|(?:factual|procedural) (?:background|matrix|history|score|aspects?)|background(?: facts)?"
        r"|(?:the )?prosecution case|case of the prosecution|statement of facts",
    ),
    Heading(
        "arguments",
        r"(?:rival |the )*(?:submissions?|contentions?|arguments?|pleas)"
        r"(?: (?:of|on behalf of|by|for|raised|advanced|made) .{1,60})?",
    ),
    Heading(
        "analysis",
        r"(?:our |legal )?(?:analysis|discussion|reasoning|reasons|consideration|findings)"
        r"(?: (?:and|&|of|on) .{1,40})?|(?:the )?(?:issues?|questions?|points?)"
        r"(?: (?:for|of|involved|that) .{1,40})?|legal (?:position|framework|provisions?)"
        r"|(?:relevant |statutory )+(?:provisions?|law)|precedents?",
    ),
    Heading(
        "holding", r"(?:our |the )?(?:holding|held|conclusions?|ratio(?: decidendi)?|answers?)"
    ),
    Heading(
        "order",
        r"(?:the )?(?:operative |final )(?:order|part|portion|directions?)|result|reliefs?"
        r"|directions?|disposition|disposal|costs",
    ),
)
