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
        r"|facts,? (?:briefly|shortly)|the facts are|in a nutshell|is directed against|are "
        r"directed against|arises? out of (?:the|a) (?:judgment|order|suit|common)|by special "
        r"leave (?:is|are|from|against|challeng)|leave granted|calls? in question|first "
        r"information report|f\.i\.r\.? was|fir was|was (?:lodged|arrested|registered)|inquest"
        r"|charge[- ]sheet was|committed (?:the case )?to the court of sessions?|preferred (?:an|a"
        r"|the) (?:appeal|revision|writ|petition|second)|filed (?:a|an|the) (?:suit|writ|petition"
        r"|appeal|application|complaint|revision|second)|instituted (?:a|the) suit|(?:was|were) "
        r"sentenced|sentenced (?:him|her|them|to)|(?:was|were) convicted|rigorous imprisonment for"
        r"|came to be|hereinafter (?:referred|called)|aggrieved (?:by|with|thereby)|feeling "
        r"aggrieved|being dissatisfied|on or about|(?:was|were) (?:appointed|married|born|employed"
        r"|posted|promoted|dismissed from)",
    ),
    Cue(
        "facts",
        1.75,
        r"(?:on|dated|of) (?:the )?\d{1,2}(?:st|nd|rd|th)?[ ./-](?:of )?(?:\d|jan|feb|mar|apr|may"
        r"|jun|jul|aug|sep|oct|nov|dec)|(?:january|february|march|april|june|july|august|september"
        r"|october|november|december),? ?\d|rs\. ?\d|incised|p\.?w\.?[- ]?\d|trial court (?:found"
        r"|convicted|acquitted|decreed)|high court (?:dismissed|allowed|confirmed|reversed|set "
        r"aside|affirmed|upheld)|(?:suit|petition|appeal) was (?:dismissed|decreed|allowed|filed)"
        r"|alleged that|it is alleged|single judge|died on|injur(?:y|ies) on|near the|at about"
        r"|a\.m\.|p\.m\.",
    ),
    Cue(
        "arguments",
        6.5,
        r"contended|contends|submitted (?:that|before us|on behalf)|submits|would submit|urged"
        r"|(?:was|it is|also|further|then) argued|argued (?:that|before|by|on)|would contend"
        r"|(?:contention|submission|argument)s? (?:of|by|on behalf of|raised by|advanced by) "
        r"(?:the )?(?:learned|appellant|respondent|petitioner|counsel|plaintiff|defendant|state|mr"
        r"|shri)|(?:drew|invited|draws) our attention|would urge|strenuously|vehemently",
    ),
    Cue(
        "arguments",
        2.0,
        r"learned (?:senior )?(?:counsel|advocate)|(?:solicitor|attorney|advocate)[- ]general"
        r"|appearing (?:for|on behalf)|on behalf of the (?:appellant|respondent|petitioner|state"
        r"|union)|(?:placed|places|placing) (?:strong |great )?reliance|according to (?:him|the "
        r"appellant|the respondent|the petitioner|learned|mr)|per contra",
    ),
    Cue(
        "analysis",
        1.75,
        r"this court (?:held|observed|has held|in|while|laid|pointed)|was held (?:that|by)|it "
        r"(?:is|must be|has been|was) (?:held|observed|clear|settled|well[- ]settled|true"
        r"|necessary|not possible|difficult|obvious|evident|apparent|noted|remembered|noticed)"
        r"|well[- ]settled|question (?:is|that|which|for|whether|arises)|in our (?:view|opinion"
        r"|judgment)|we (?:find|think|are|have|do|may|must|cannot|shall|see|now|agree|need)|does "
        r"not|meaning of|within the meaning|deals with|provides (?:that|for)|reads as|the "
        r"expression|the word|the legislature|legislative|constitutional|doctrine|principle"
        r"|ratio\b|v\. |\d{4} indlaw|s\.?c\.?c\.? \d|air \d|a\.i\.r\. \d|scr \d|supra|thus|hence"
        r"|therefore|cannot be|must be|should be|shall be|may be|notwithstanding|unless"
        r"|ingredients",
    ),
    Cue(
        "holding",
        2.0,
        r"we,? (?:therefore,? |accordingly,? |thus,? |hereby )?hold|we are (?:clearly |firmly "
        r"|also )?(?:therefore,? |thus,? )?(?:of (?:the|opinion|view)|satisfied|convinced|unable)"
        r"|we (?:have|has) no (?:doubt|hesitation)|we are,? (?:therefore|accordingly|thus),?|we "
        r"(?:therefore|accordingly|thus)|we conclude|our (?:considered )?(?:conclusion|answer)"
        r"|(?:in|on) our (?:considered )?(?:view|opinion|judgment)|for (?:the|these|all these) "
        r"(?:foregoing |aforesaid |above )?reasons|it follows|in view of the (?:above|foregoing"
        r"|aforesaid)|high court (?:was|is|has|had) (?:not )?(?:right|wrong|justified|erred"
        r"|correct|in error)|(?:was|is|are) (?:clearly |wholly |not )?(?:justified|unsustainable"
        r"|untenable)|cannot be sustained|has not been (?:proved|established)|stands (?:proved"
        r"|established)",
    ),
    Cue(
        "order",
        5.0,
        r"(?:appeals?|petitions?|suit|applications?|revision|reference)s?,? (?:is|are|be|stands?"
        r"|fails?|succeeds?|must|deserves?|shall|will|has|have|being)|(?:is|are|be|stands?|hereby"
        r"|therefore|accordingly) (?:also )?(?:accordingly |hereby |therefore |thus |partly "
        r")?(?:allowed|dismissed|disposed|quashed|acquitted|remanded|set aside|decreed)|appeals? "
        r"(?:allowed|dismissed|disposed|partly)|petitions? (?:allowed|dismissed|disposed)|no "
        r"orders? as to costs|costs? throughout|with(?:out)? (?:any )?costs|bear (?:its|their|his"
        r"|her) own costs|we (?:allow|dismiss|direct|set aside|quash|remand|remit|order|acquit"
        r"|make no)|(?:accordingly|hereby) (?:allow|dismiss|direct|order|quash)|order accordingly"
        r"|bail bonds?|set at liberty|released forthwith|shall surrender|in the result|i would "
        r"(?:allow|dismiss)|conviction .{0,40}(?:is|are) (?:set aside|upheld|confirmed|altered)",
    ),
)
HEADINGS: Final[tuple[Heading, ...]] = (
    Heading(
        "facts",
        r"(?:the |brief |relevant |material |undisputed )*facts?(?: (?:of|in) (?:the )?(?:case"
        r"|brief))?|(?:factual|procedural) (?:background|matrix|history|score|aspects?)"
        r"|background(?: facts)?|(?:the )?prosecution case|case of the prosecution|statement of "
        r"facts",
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
