"""Section numbers that no mark announces: `302/34 IPC`, `498A FIR`, `(old 363, 366, 376)`.

A number right before an Act, or carried on after one, is a section of it. Any other number is
one only where an Act claims it (`number_claims`) and the words around it treat it as law: a
serial number, a figure, a date or a page is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from countercase.law.acts import ActMention
from countercase.law.number_claims import Claims
from countercase.law.number_lists import (
    CARRY,
    CONNECTOR,
    FREE_NUMBER,
    NOT_A_SECTION,
    NumberList,
    read_numbers,
)

_NO_MARK_NEEDED: Final = frozenset({"IPC", "CrPC", "CPC", "BNS", "BNSS", "BSA"})
_BEFORE: Final = 60
_DIRECT: Final = re.compile(r"\s+(?:of\s+(?:the\s+)?)?")
"""Between a bare number and an Act other than the Codes (`25, 27 Arms Act`)."""
_LED: Final = re.compile(r"(?:\s*:\s*|\s+)(?=\d)")
_ANY_NUMBER: Final = re.compile(r"(?<![\w./-])(?<!\w[.,])(?=\d{1,3}(?!\d))")
_JOINED: Final = re.compile(r"(?:\A|[&+(\[,;/:]|\b(?:and|r/w|with))\s*\Z")
_COUNTED: Final = re.compile(r"\s*(?:cases|FIRs|matters|appeals|accused|prisoners|convicts)\b")

_SERIAL: Final = re.compile(
    r"(?:\b(?:nos?\.|nos|(?:fir|case|crime|cr|suit|appeal|petition|complaint|plot|house|room|bus|chq|cheque|bill"
    r"|invoice|ward|survey|khasra|regn?|ph|phone|mobile|page|para|a/c|account)\.?\s+no|numbers?|numbered|rs|inr|ex|exts?|exh|exbts?|exhibits?|annex\w*|ann|pages?|pgs?|pp?|paras?"
    r"|paragraphs?|forms?|flats?|house|h|plots?|rooms?|sector|ward|khasra|survey|sy|gat|gut|khata|bus|train"
    r"|coach|nh|sh|bills?|invoice|pws?|dws?|cws?|aw|mo|age[ds]?|tower|block|units?|gali|street|lane|type|class"
    r"|std|chapter|ch|schedule|clauses?|cl|serial|sr|sl|cols?|column|items?|vol|scc|air|scr|scale|rules?"
    r"|regulations?|abt|about|approx\w*|nearly|over|upto|within|after|before|every|last|next|past|first|total"
    r"|around|between|than|almost|some|order|exactly|phase|door|dd|mark|survey|account|a/c|code|pin|at"
    r"|article\s+\w+\s+of|cs|os|st|rca|oa|ta|ra|sc|cc|slp|cwp|wpc|macp|cra|mcrc|crm|fao|rsa|rfa|ia|ma|aba|ba"
    r"|gr|sa|ca|cp|ncr|ecir|rc)\b\.?|[₹$#@*×]"
    r"|\b(?:19|20)\d\d\)?\W+(?:\(?\d+\)?\s+)?[a-z.]+(?:\s[a-z.]+)?)\s*[-:(]?\s*\Z",
    re.IGNORECASE,
)
"""What makes the number after it a serial number, a figure or a page."""
_REGISTERED: Final = re.compile(
    r"\b(?:fir|crime|cr|case|complaint|appeal|w\.?p|petition|application)\.?\s*[-:(]?\s*\Z", re.I
)
_REGISTER: Final = re.compile(r"\s*(?:/\s*\d|of\s+\d|dt\b|dated\b|,?\s*p\.?s\b)", re.IGNORECASE)
"""What follows the number of a register (`FIR 302/24`)."""
_FIGURE_AFTER: Final = re.compile(
    rf"(?!{NOT_A_SECTION})|\s*(?:%|/\s*-|/\s*\d|-\s*\d|:\d|st\b|nd\b|rd\b|th\b)"
    r"|\s+(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*\b",
    re.IGNORECASE,
)
_CITED_REPORT: Final = re.compile(r"\([A-Z]{2,}\)")
"""The court after the page of a report: `377 (SC)`."""
_NO: Final = re.compile(r"\bNo\s*\Z")
"""`No 65B certificate` or `No 41A, Grey Street`."""
_ADDRESS: Final = re.compile(
    r"\s(?:[A-Z]\w+\s){0,2}(?:Road|Rd|Street|Nagar|Marg|Lane|Colony|Vihar|Enclave|Avenue|Baz+ar|Chowk|Park)\b"
)
_LAW_BEFORE: Final = re.compile(
    r"(?:\b(?:under|u/?s|offences?(?:\s+(?:of|under|punishable))*|charge[ds]?(?:\s+(?:of|with|under|for))?"
    r"|charge-?sheet(?:ed)?(?:\s+(?:in|under|for))?|booked\s+(?:in|under|for)|convict\w*\s+(?:in|under|for|of)"
    r"|acquit\w*\s+(?:in|of|under|from)|proviso\s+to|exc(?:eption)?s?\.?\s*\d?\s*(?:to|of)"
    r"|expl(?:anation|n)?\.?\s*\d?\s*(?:to|of)|old|earlier|erstwhile|formerly|previously|prev|now|new"
    r"|added|adding|invoked|invoking|dropped|dropping|fir\s+(?:of|in|under|for)|cases?\s+(?:of|under)"
    r"|bail\s+in|per|presumption\s+of|bar\s+of|benefit\s+of|ingredients\s+of|converted\s+(?:to|into)"
    r"|(?:altered|dropped|reduced|brought|scaled)(?:\s+down)?\s+(?:to|into|from)|fac(?:e|es|ed|ing)|w\.?p\.?|writ|fir|case|complaint|sections?)|\bu/)\s*[\s:(\[-]*\Z",
    re.IGNORECASE,
)
_MAY_BE_LAW: Final = re.compile(
    r"(?:[:(\[=+&/,→-]|\b(?:in|of|for|from|to|by|and|also|only|moved|filed?|want|no|is|was|are|if|when"
    r"|whether|or|but|so|then|either|even|it|with|w/o|without|notice|through|thru|via|as|the|her|his|their|that"
    r"|both|put|applied|lagi|lagaya|lagayi|mein|me|ke|ka|ki|not|said|say|says|plus|on|made|gave|given))\s*\Z",
    re.IGNORECASE,
)
_LAW_AFTER: Final = re.compile(
    r"[\s-]*(?:part|case|fir|matter|compl(?:ain)?t?\b|pet(?:itio)?n\b|appl(?:icatio)?n|appln?|bail|stat[e]?ments?"
    r"|stmts?|notices?|cert(?:ificate)?|certf|proceedings?|appeal|quash\w*|complian\w*|convict\w*|charges?"
    r"|offences?|inventory|[ei]nquiry|bar\b|presum\w*|(?:twin\s+)?conditions?|stands?|applies|apply|appl(?:ied|icable)"
    r"|n/?a\b|(?:is\s+|are\s+|was\s+|were\s+)?(?:also\s+)?(?:not\s+)?(?:made\s+out|attracted|applicable|satisf\w+"
    r"|compl(?:ied|y)|follow\w*|invoked|dropped|added|done|rebutted|recorded|taken|served|issued|granted|obtained|there|fulfilled|proved|required|reqd|needed)"
    r"|deposit|relief|order|objection|memo|sanction|approval|decree|divorce|maintenance|revision|suit|ref(?:erence)?"
    r"\b|satisfaction|violat\w*|laga\w*|lagi\b|lag\s|ka\b|ke\b|ki\b|mein\b|wala\b|se\b|only\s+for|petitioner|protection"
    r"|remand|default|chargesheet|challan|confession|search|option|safeguard|jurisdiction|powers?|writ|plea|limb"
    r"|mandate|procedure|earlier|old|ipc|dying|execution|award|interim|summons|cognizance|reply|rti|anticipatory"
    r"|quantum|exception|says\b|requires?|mandatory|hearing|discharge|also\b|affidavit|vicarious|attachment|addn|additions?\b|liability|custody|refund|alimony"
    r"|rigou?rs|extension|lapse|sampling|report\b|comp(?:ensation)?\b|just\b|rights?\b"
    r"|(?:is\s+)?(?:maintainable|compoundable|bailable|pending|filed|rejected|dismissed|allowed)\b"
    r"|be\s+(?:filed|moved|quashed|invoked|applied|added|dropped|attracted|done|made|used)\b)",
    re.IGNORECASE,
)
_CLOSES: Final = re.compile(
    r"\s*(?:[.,;:)\]?]|\Z|$|(?:and|or|but|r/w|read|against|was|is|are|were|by|on|as|he|if|now|in|before|for|from)\b|[&/+=])",
    re.I,
)


def unmarked_lists(
    text: str, mentions: Sequence[ActMention], marked: Sequence[NumberList]
) -> list[NumberList]:
    """Every list without a mark, in order, none overlapping a marked one."""
    beside = list(_beside_acts(text, mentions, marked))
    beside += _led_by_acts(text, mentions, [*marked, *beside])
    return [*beside, *_claimed(text, mentions, [*marked, *beside])]


def _beside_acts(
    text: str, mentions: Sequence[ActMention], marked: Sequence[NumberList]
) -> Iterator[NumberList]:
    """Lists right before an Act (`302/34 IPC`) or carried on after one."""
    at = floor = 0
    for index, mention in enumerate(mentions):
        while at < len(marked) and marked[at].end <= mention.span.start:
            floor = max(floor, marked[at].end)
            at += 1
        ceiling = marked[at].start if at < len(marked) else len(text)
        if mention.span.start >= ceiling:
            floor = max(floor, mention.span.end)
            continue
        if mention.code and (numbers := _before(text, mention, floor)):
            yield numbers
        floor = max(floor, mention.span.end)
        carry = CARRY.match(text, mention.span.end)
        if mention.code and carry and carry.end() < ceiling:
            following = read_numbers(text, carry.end(), carry.end())
            then = [later.span.start for later in mentions[index + 1 : index + 2]]
            certain = not carry["weak"]
            if (
                following
                and following.end <= ceiling
                and (certain or any(CONNECTOR.fullmatch(text, following.end, act) for act in then))
            ):
                yield replace(following, marked=False)
                floor = following.end


def _led_by_acts(
    text: str, mentions: Sequence[ActMention], known: Sequence[NumberList]
) -> Iterator[NumberList]:
    """Lists right after an Act (`PC Act 7, 13(1)(d)`) that no later Act takes."""
    starts = {mention.span.start for mention in mentions}
    for mention in mentions:
        gap = _LED.match(text, mention.span.end) if mention.code else None
        numbers = read_numbers(text, gap.end(), gap.end()) if gap else None
        ceiling = min((n.start for n in known if gap and n.start >= gap.end()), default=len(text))
        numbers = _trimmed(numbers, ceiling)
        if numbers is None or any(n.start <= numbers.start < n.end for n in known):
            continue
        if _FIGURE_AFTER.match(text, numbers.end) or _REGISTER.match(text, numbers.end):
            continue
        follows = _CLOSES.match(text, numbers.end) or _LAW_AFTER.match(text, numbers.end)
        connector = CONNECTOR.match(text, numbers.end)
        if follows and not (connector and connector.end() in starts):
            yield replace(numbers, marked=False)


def _before(text: str, mention: ActMention, floor: int) -> NumberList | None:
    begin = max(floor, mention.span.start - _BEFORE)
    code = mention.code in _NO_MARK_NEEDED
    for number in (FREE_NUMBER if code else _ANY_NUMBER).finditer(text, begin, mention.span.start):
        numbers = read_numbers(text, number.start(), number.start())
        left = text[max(0, number.start() - 24) : number.start()]
        if numbers is None or (
            re.fullmatch(r"\d", text[numbers.start : numbers.end])
            and not _LAW_BEFORE.search(left)
            and not _JOINED.search(left)
        ):
            continue
        gap = CONNECTOR if code else _DIRECT
        if not gap.fullmatch(text, numbers.end, mention.span.start):
            continue
        if code or not (_SERIAL.search(left) or _COUNTED.match(text, mention.span.end)):
            return replace(numbers, marked=False)
    return None


def _claimed(
    text: str, mentions: Sequence[ActMention], known: Sequence[NumberList]
) -> Iterator[NumberList]:
    """Lists that stand by themselves, each claimed by an Act and treated as law by the text."""
    taken = sorted(
        [(n.start, n.end) for n in known] + [(m.span.start, m.span.end) for m in mentions]
    )
    claims = Claims(text, mentions)
    cited = {member.raw for numbers in known for member in numbers.members}
    at = floor = 0
    for number in FREE_NUMBER.finditer(text):
        while at < len(taken) and taken[at][1] <= number.start():
            at += 1
        ceiling = taken[at][0] if at < len(taken) else len(text)
        if (
            number.start() < floor
            or number.start() >= ceiling
            or not claims.knows(number["digits"])
        ):
            continue
        numbers = _trimmed(read_numbers(text, number.start(), number.start()), ceiling)
        if numbers is None:
            continue
        if _is_law(text, numbers, claims, cited):
            yield replace(numbers, marked=False)
            floor = numbers.end


def _trimmed(numbers: NumberList | None, ceiling: int) -> NumberList | None:
    """The list up to where the next one begins; None where nothing of it is left."""
    members = [m for m in numbers.members if m.span.end <= ceiling] if numbers else []
    if numbers is None or not members:
        return None
    return replace(numbers, members=tuple(members), end=members[-1].span.end)


def _is_law(text: str, numbers: NumberList, claims: Claims, cited: set[str]) -> bool:
    start, end = numbers.start, numbers.end
    left = text[max(0, start - 40) : start]
    if _SERIAL.search(left) or _FIGURE_AFTER.match(text, end):
        return False
    if _ADDRESS.match(text, end):
        return False
    if _REGISTERED.search(left) and _REGISTER.match(text, end):
        return False
    raws = [member.raw for member in numbers.members]
    exact = not raws[0].isdigit() and not _CITED_REPORT.search(raws[0]) and not _NO.search(left)
    if exact and claims.code(raws[:1], start, end):
        lawlike = True  # 498A, 156(3), 304 Part II
    elif _CLOSES.match(text, end) and not _LAW_BEFORE.search(left):
        several = sum(len(raw) > 2 for raw in raws) > 1
        lawlike = (several or raws[0] in cited) and _MAY_BE_LAW.search(left) is not None
    else:
        lawlike = _CLOSES.match(text, end) is not None
    if not lawlike and not _LAW_AFTER.match(text, end):
        return False
    return all(claims.code([raw], start, end, famous=True) for raw in raws)
