"""Of what a number is, derived from the grammar of its clause.

The cues are tried in order, the tightest first:

1. a heading before a colon or a dash (`Custody: 14 months`, `Qty - 45 g`);
2. what the number is joined to by a small word or by none (`notice of 15 days`, `20 days in ICU`, `7 yrs
   RI`, `Rs 5 lakh as earnest`, `phone worth 18k`);
3. the two events that a length of time lies between (`last seen to body found`);
4. what is unpaid, pending or stopped (`salary unpaid`);
5. the nearest word of the table of measured things in the clause;
6. the noun of the clause with its verb (`shop let`), then the table for the whole sentence.

A thing has its name in `text/data/measured.jsonl`, else the words of the text.
"""

from __future__ import annotations

import re
from typing import Final

from countercase.text.clauses import VERB
from countercase.text.nearest_word import (
    Lexicon,
    clause_of,
    nearest_in,
    telling_words_for,
    window,
    words_for,
)
from countercase.text.noun_phrases import Phrase, noun_phrases
from countercase.text.spans import Span

_FILLER: Final = (
    r"(?:\b(?:about|abt\.?|approx\.?|around|only|nearly|almost|last|past|over|some|just|total|full|rupees"
    r"|more\s+than|less\s+than|up\s?to|the|a|first|next|another|nearly)\s+|\bRs\.?\s*|₹\s*|\bINR\s*|[@(~=:]\s*)*"
)
_LINK_BEFORE: Final = re.compile(
    r"(?i)\s*(?:\b(?P<link>of|worth|is|was|were|being|for|at|since|from|amounting\s+to|comes?\s+to|came\s+to|by)"
    rf"\b\s*)?{_FILLER}\Z"
)
_HEADING: Final = re.compile(
    rf"(?i)(?:(?<=[\w).])\s?:\s?-?|\s[-–—]\s?|(?<=[a-z])[-–]\s|\s?=\s?|->|→)\s*{_FILLER}\Z"
)
_HEAD_BEGINS: Final = re.compile(r"[.;,()\n!?]|\s[-–—•/]\s|:\s")
_BEHIND: Final = re.compile(
    r"(?i)(?:\s*(?:/-|only\b|approx\b\.?|or\s+so\b|odd\b|[’'](?=\s)))*\s*"
    r"(?P<recurring>/?-?\s*(?:p\.?\s?m\b\.?|per\s?\w+|an?\s+(?:month|year|day)|monthly|p\.?\s?a\b\.?|daily|each\b"
    r"|every\s+month)\s*)?(?:(?P<link>of|in|as|for|towards?|by\s+way\s+of|on\s+account\s+of)\s+)?"
    r"(?:(?:the|a|an|his|her|their|my|our|its|this|that|such|any|one|more|extra|old)\s+)*"
)
_MONTHLY: Final = re.compile(r"(?i)\s*(?:/-)?\s*(?:p\.?\s?m\b|per\s+month|a\s+month|monthly|in\s+a\s+month)")
_PER_MEASURE: Final = re.compile(
    r"(?i)\s*(?:/-)?\s*(?:per|an?|each|/)\s*(?P<unit>(?:sq\.?\s?(?:ft|yds?|m\w*)|square\s\w+|acres?|bighas?|hectares?|cents?"
    r"|gunth?as?|katha|kanal|marla|ground|quintal|qtl|kg|tonne|MT)\b)"
)
_TIGHT_BEFORE: Final = ("of", "worth", "amounting to", "at")
_TIGHT_AFTER: Final = {
    "amount": ("of", "as", "for", "towards", "toward", "by way of", "on account of"),
    "duration": ("of", "in", "as"),
    "quantity": ("of",),
}
_SINGULAR: Final = re.compile(r"(?i)(?<!one )(?<!\b1 )(?<!a )(?:minute|hour|day|week|month|year|yr|rupee)\Z")
_AFTER_EVENT: Final = re.compile(
    r"(?i)\s*(?P<way>after|from|of|since|post|before|prior\s+to|to)\s+(?:the\s+|his\s+|her\s+|my\s+|our\s+|getting\s+)*"
)
_LATER: Final = re.compile(r"(?i)\s*(?:later|thereafter|afterwards|after(?=\s*[,.;)]|\s*\Z)|baad|gap\b)")
_BACKWARDS: Final = re.compile(r"(?i)\s*(?:before|prior|earlier|ahead|pehle)\b")
_AFTER: Final = re.compile(rf"(?i)\b(?:after|within|gap\s+of|interval\s+of)\s+(?:a\s+)?{_FILLER}\Z")
_WITHIN: Final = re.compile(rf"(?i)\b(?:in|within)\s+{_FILLER}\Z")
_GAP: Final = re.compile(r"(?i)\b(?:gap|interval)\s+of")
_LATE: Final = re.compile(r"(?i)\b(?:delay\w*|belated\w*|late\b(?!\s+(?:shri|sh\b|smt))|beyond\s+(?:time|limitation))")
_STATE: Final = re.compile(
    r"(?i)\b(?:(?P<un>not|never|nor|no)\s+(?:been\s+|yet\s+|being\s+|even\s+)*)?(?P<state>unpaid|pending|undecided|awaited"
    r"|withheld|stopped|overdue|undisposed|paid|decided|supplied|issued|disposed|released|returned|given|delivered|refunded)\b"
)
_OPEN: Final = ("unpaid", "pending", "undecided", "awaited", "withheld", "stopped", "overdue")
_PROMPT: Final = (
    "FIR", "complaint", "statement", "identification parade", "sample", "application", "appeal",
    "petition", "suit", "report", "medical examination", "intimation",
)  # fmt: skip
"""Steps that ought to be taken promptly: the time before one is its delay."""

_ENDS: Final = ("death", "surrender", "release", "seizure", "arrest", "body found")
"""Events that end a length of time, whatever it began with."""

_PARTICIPLE: Final = re.compile(
    r"(?i)\b(?!(?:aged|accused|deceased|alleged|hundred|injured|armed|retired|need)\b)"
    r"([a-z]{3,}ed|sent|found|paid|sold|let|made|held|given|taken|kept|put|lost|spent|seen|heard|shown)\b"
)
_VERB: Final = re.compile(rf"(?i)\b{VERB}")
_SAID: Final = re.compile(
    r"(?i)\b(?!(?:is|are|was|were|has|had|have|did|does|said|be|been|only|than|then|with|from|over|for|and|about|abt|"
    r"after|within|that|this|they|them|past|last|some|more|just|since|upto|rupees|other)\b)[a-z]{3,}\b"
)
_PERSON: Final = re.compile(
    r"(?i)(?:I|he|she|they|we|who|client|accused|appellant|applicant|petitioner|police|IO|court|tribunal|state|doctor"
    r"|husband|wife|father|mother|brother|son|complainant|informant|claimant|prosecution|company|bank|builder)\Z"
)
_VAGUE: Final = ("paid", "unpaid", "demand", "claim", "recovery", "payment", "arrears")
"""Names that say little without what they are of."""

_DEMANDED: Final = tuple(
    (what, re.compile(rf"(?i)\b(?:{words})\b"))
    for what, words in (
        ("bribe", r"bribes?|P\.?\s?C\.?\s?Act|prevention of corruption|ACB|trap(?:ped)?"),
        ("ransom", r"ransom|364-?A"),
        ("dowry", r"dowry|304-?B|dahej"),
    )
)
"""What is demanded in a matter of this kind."""

_OF_THEMSELVES: Final = ("count accused", "count witnesses", "count workers", "count children")
_STATE_OF_SOME: Final = re.compile(
    r"(?i)[^.,;:()]{0,25}?\b(convicted|acquitted|died|dead|absconding|arrested|on\s+bail|out|hostile|examined|idle|named"
    r"|unnamed|unknown|minor|school[- ]going|college[- ]going|married|unmarried|injured|discharged|deposed)\b"
)
_CONTINUOUS: Final = re.compile(r"(?i)240\s*d")
_REMAND_DAYS: Final = re.compile(r"(?i)(?:60|90|180|sixty|ninety)[\s-]*d")
_OVER: Final = re.compile(r"(?i)\s*(?:\w+\s+){0,2}?(?:over|ended|end|expired?|complete\w*|elapsed|lapsed|passed)\b")
_FIFTEEN: Final = re.compile(r"(?i)(?:15|fifteen)[\s-]*d")
_CHEQUE: Final = re.compile(r"(?i)\bche(?:que|ck)s?\b|\bchq")
_IN: Final = re.compile(r"(?i)\s+in(?:side)?\s*(?:[.,;)]|\Z)")
_DEFAULT_BAIL: Final = re.compile(r"(?i)default\s+(?:bail|plea)|167\s?\(2\)|187\s?\(3\)|187\s?\(2\)")

_EARLIER: Final = 140
_NEAR: Final = 30


def owner(text: str, span: Span, kind: str, before: int, after: int, lean: int = 0) -> str:
    """What the number at `span` measures, in at most four words, or ""."""
    sentence = window(text, span, before, after)
    clause = clause_of(text, span, sentence)
    table = words_for(kind)
    if kind == "age":
        return (
            nearest_in(text, span, telling_words_for(kind), *clause, lean)
            or nearest_in(text, span, table, *clause, lean)
            or nearest_in(text, span, table, *sentence, lean)
        )
    if kind.startswith("count"):
        name = nearest_in(text, span, table, *clause, lean) or nearest_in(
            text, span, table, *sentence, lean
        )
        return _told_apart(text, span, name, clause) if kind in _OF_THEMSELVES else name
    if kind == "duration" and (period := _period_of_law(text, span)):
        return period
    joined, own = _joined(text, span, kind, sentence)
    near = max(clause[0], span.start - _NEAR), min(clause[1], span.end + _NEAR)
    headed, heading = _heading(text, span, kind)
    name = (
        _rate(text, span, kind)
        or headed
        or joined
        or heading
        or (_between(text, span, clause, sentence) if kind == "duration" else "")
        or _state(text, span, kind, clause, sentence)
        or (own and _with(own, nearest_in(text, span, telling_words_for(kind), *near, lean)))
        or nearest_in(text, span, telling_words_for(kind), *clause, lean)
        or nearest_in(text, span, table, *clause, lean)
        or ("monthly income" if kind == "amount" and _MONTHLY.match(text, span.end) else "")
        or _clause_topic(text, span, clause, sentence)
        or nearest_in(text, span, table, *sentence, lean)
        or _clause_topic(text, span, sentence, sentence)
        or _verb(text, span, sentence)
    )
    return _completed(text, span, name, clause, sentence)


def _told_apart(text: str, span: Span, name: str, clause: tuple[int, int]) -> str:
    """Those counted with what tells them from others: `accused convicted`, `workers idle`."""
    if state := _STATE_OF_SOME.match(text, span.end) or _STATE_OF_SOME.search(
        text, span.start, span.end
    ):
        return name if state[1].lower() in name else f"{name} {state[1].lower()}"
    return name


def _with(own: str, name: str) -> str:
    """What the number is joined to, with the thing of the table beside it: `compensation for pain`."""
    small, _, words = own.partition(" ")
    if small not in ("of", "as", "for", "in", "towards", "toward"):
        return f"{own} {name}".strip() if name not in own else own
    if not name or small == "as":
        return name or words
    return f"{name} {small} {words}" if words not in name else name


def _called(kind: str, words: str, own: str = "") -> str:
    """The name of the table for what `words` say, else the words themselves."""
    at = Span(len(words), len(words))
    return nearest_in(words, at, telling_words_for(kind), 0, len(words)) or nearest_in(
        words, at, words_for(kind), 0, len(words)
    ) or own


def _period_of_law(text: str, span: Span) -> str:
    """What a length of time measures that only one provision knows.

    60, 90 or 180 days that are over, where bail by default is asked (section 167(2) of the Code of
    1973, section 187(3) of the Sanhita of 2023); 240 days of continuous service (section 25B of the
    Industrial Disputes Act, 1947); 15 days to pay after notice (section 138(c) of the Negotiable
    Instruments Act, 1881). `44 days in.` is said of custody.
    """
    stated = text[span.start : span.end]
    if _CONTINUOUS.match(stated):
        return "continuous service"
    if _FIFTEEN.match(stated) and _OVER.match(text, span.end) and _CHEQUE.search(text):
        return "payment after notice"
    if _IN.match(text, span.end):
        return "custody"
    ended = _OVER.match(text, span.end) and _DEFAULT_BAIL.search(text)
    return "default bail period" if ended and _REMAND_DAYS.match(stated) else ""


def _rate(text: str, span: Span, kind: str) -> str:
    """`rate per acre` of an amount that is paid for a measure of land or goods."""
    unit = _PER_MEASURE.match(text, span.end) if kind == "amount" else None
    return f"rate per {unit['unit'].lower()}" if unit else ""


def _heading(text: str, span: Span, kind: str) -> tuple[str, str]:
    """What stands before a colon or a dash: (name of the table, own words)."""
    mark = _HEADING.search(text, max(0, span.start - 25), span.start)
    if mark is None:
        return "", ""
    begins = [m.end() for m in _HEAD_BEGINS.finditer(text, max(0, mark.start() - 60), mark.start())]
    left = begins[-1] if begins else max(0, mark.start() - 60)
    nouns, words = noun_phrases(text, left, mark.start()), text[left : mark.start()]
    if not nouns or re.search(r"\d{4}", words):
        return "", ""
    return _called(kind, words), nouns[0].first(3) if len(words.split()) <= 5 else ""


def _joined(text: str, span: Span, kind: str, sentence: tuple[int, int]) -> tuple[str, str]:
    """What stands right before or right behind the number: (name of the table, own words)."""
    link = _LINK_BEFORE.search(text, max(sentence[0], span.start - 40), span.start)
    assert link is not None, "may be empty"
    led, small = (link["link"] or "").lower(), ""
    nouns = noun_phrases(text, sentence[0], link.start())
    near = nouns[-1] if nouns and nouns[-1].end == link.start() else None
    if near and _LATE.match(near.words[-1]):
        near = None
    behind = _BEHIND.match(text, span.end)
    assert behind is not None, "may be empty"
    recurring = bool(behind["recurring"])
    found = noun_phrases(text, behind.end(), min(sentence[1], behind.end() + 45))
    first = found[0] if found and found[0].start == behind.end() else None
    if first:
        small = " ".join((behind["link"] or "").lower().split())
    tight = first and small in _TIGHT_AFTER.get(kind, ()) and not recurring
    before = _called(kind, near.last(2)) if near else ""
    if before and led in _TIGHT_BEFORE:
        return before, ""
    after = _called(kind, first.first(2)) if first else ""
    if after and (tight or not (small or recurring)):
        return after, ""
    if before:
        return before, ""
    if near and led == "worth":
        return "", f"value of {near.last(1)}"
    if near and led in _TIGHT_BEFORE:
        return "", near.last(2)
    if first and tight and not (small == "of" and kind == "duration"):
        return "", f"{small} {first.first(2)}"
    if first and not small and _SINGULAR.search(text[span.start : span.end]):
        return "", first.first(2)
    if near and kind in ("amount", "quantity") and not _PERSON.match(near.words[-1]):
        return "", near.last(2)
    return "", ""


def _between(text: str, span: Span, clause: tuple[int, int], sentence: tuple[int, int]) -> str:
    """The events that a length of time lies between, `before to after`, or the delay of a step."""
    events = words_for("event")
    link = _AFTER_EVENT.match(text, span.end)
    later = _LATER.match(text, span.end)
    led = _AFTER.search(text, max(sentence[0], span.start - 40), span.start)
    other, left_out = "", span.end
    if link:
        piece = text[link.end() : min(sentence[1], link.end() + 40)]
        piece = re.split(r"[,;(]|\s(?:and|but|when|so)\s", piece)[0]
        other = _first(piece, events)
        if not other:
            link = None
        else:
            left_out = link.end() + len(piece)
    if led and _GAP.match(led.group()):
        last = _events(text, max(0, span.start - 3 * _EARLIER), span.start)
        return f"{last[-2]} to {last[-1]}" if len(last) > 1 else ""
    if not (link or later or led):
        if not _WITHIN.search(text, max(sentence[0], span.start - 40), span.start):
            return ""
        step = nearest_in(text, span, events, clause[0], span.start)
        return f"delay of {step}" if step in _PROMPT else step if step in _ENDS else ""
    main = nearest_in(text, Span(span.start, span.start), events, clause[0], span.start) or (
        nearest_in(text, Span(left_out, left_out), events, left_out, clause[1])
    )
    if not main and (link or later):
        main = nearest_in(text, Span(span.start, span.start), events, sentence[0], span.start)
    if link and main and main != other:
        if link["way"].lower() in ("before", "prior to", "to"):
            return f"{main} to {other}" if link["way"].lower() != "to" else ""
        return f"delay of {main}" if main in _PROMPT else f"{other} to {main}"
    if link:
        way = link["way"].lower()
        return f"{'before' if way in ('before', 'prior to') else 'since'} {_the(other)}"
    if not main:
        return ""
    if main in _PROMPT:
        return f"delay of {main}"
    if later or led:
        other = _event_before(text, span, main, events)
        return f"{other} to {main}" if other else main
    return ""


def _events(text: str, left: int, right: int) -> list[str]:
    """The events named between two places, in order, none twice running."""
    found = sorted(
        (m.start(), name) for name, words in words_for("event") for m in words.finditer(text, left, right)
    )
    return [name for n, (_, name) in enumerate(found) if not n or found[n - 1][1] != name]


def _the(event: str) -> str:
    return f"the {event}" if event in ("incident", "accident", "raid") else event


def _first(piece: str, events: Lexicon) -> str:
    return nearest_in(piece, Span(0, 0), events, 0, len(piece))


def _event_before(text: str, span: Span, main: str, events: Lexicon) -> str:
    """The last event before the one of the clause that is another one."""
    others = tuple(entry for entry in events if entry[0] != main)
    left = max(0, span.start - _EARLIER)
    return nearest_in(text, Span(span.start, span.start), others, left, span.start)


def _state(
    text: str, span: Span, kind: str, clause: tuple[int, int], sentence: tuple[int, int]
) -> str:
    """What is not paid, decided or given for so long."""
    for found in _STATE.finditer(text, *clause):
        state = found["state"].lower()
        if not found["un"] and state not in _OPEN:
            continue
        if found["un"] and state == "paid":
            state = "unpaid"
        elif found["un"]:
            state = f"not {state}"
        near = _things(text, clause[0], found.start())
        far = _things(text, max(sentence[0], span.start - _EARLIER), found.start())
        if kind == "duration" and (near or far):
            what = near[-1].last(2) if near else far[0].first(2)
            return f"{_called('amount', what, what)} {state}"
    return ""


def _clause_topic(
    text: str, span: Span, clause: tuple[int, int], sentence: tuple[int, int]
) -> str:
    """The noun before the number with the participle behind it (`shop let`), else what follows.

    A clause without a noun before its participle speaks of the subject of its sentence (`clip of
    the shop, overwritten after 15 days`: `clip overwritten`).
    """
    things = _things(text, clause[0], span.start)
    chosen = things[-1] if things else None
    verb = _PARTICIPLE.search(text, chosen.end if chosen else clause[0], span.start)
    if chosen is None and (verb or _VERB.search(text, clause[0], span.start)):
        left = max(sentence[0], span.start - _EARLIER)
        if subjects := _things(text, left, verb.start() if verb else clause[0]):
            subject = subjects[0].first(2)
            return f"{subject} {verb[1].lower()}" if verb else subject
    behind = noun_phrases(text, span.end, clause[1])
    if chosen is None:
        return behind[0].first(2) if behind else ""
    words = chosen.last(3).split()
    if len(words) == 1 and len(things) > 1:
        words = [*things[-2].last(2).split(), *words]
    return " ".join((*words, verb[1].lower()) if verb and verb[1].lower() not in words else words)


def _verb(text: str, span: Span, sentence: tuple[int, int]) -> str:
    """The last word before the number that may be a verb (`hid for 8 days`)."""
    said = list(_SAID.finditer(text, sentence[0], span.start))
    return said[-1].group().lower() if said else ""


def _things(text: str, left: int, right: int) -> list[Phrase]:
    """The noun phrases between two places, those of persons only where there is nothing else."""
    nouns = noun_phrases(text, left, right)
    return [p for p in nouns if not _PERSON.match(p.words[-1])] or nouns


def _completed(
    text: str, span: Span, name: str, clause: tuple[int, int], sentence: tuple[int, int]
) -> str:
    """`delay` with what is late, `paid` with what for."""
    if name == "delay":
        return f"delay of {topic}" if (topic := _late_step(text, span, clause, sentence)) else name
    if name == "demand":
        of = next((what for what, words in _DEMANDED if words.search(text)), "")
        if of:
            return f"{of} demand"
    if name in _VAGUE:
        beside = re.compile(r"(?i)\s*(?P<way>to|for|towards|as|from)\s+(?:(?:the|a|his|her|my|our)\s+)*").match(
            text, span.end
        )
        nouns = noun_phrases(text, beside.end(), clause[1])[:1] if beside else []
        if beside and nouns and nouns[0].start == beside.end():
            return f"{name} {beside['way']} {nouns[0].first(2)}"
        kind = "amount"
        telling = telling_words_for(kind)
        left = max(0, span.start - _EARLIER) if name in ("payment", "unpaid") else sentence[0]
        topic = nearest_in(text, span, telling, left, span.start)
        if topic:
            return f"{topic} {name}"
        things = [n for n in noun_phrases(text, clause[0], span.start) if not _PERSON.match(n.words[-1])]
        words = things[-1].last(2) if things else ""
        return f"{words} {name}" if words and name not in words else name
    return name


def _late_step(text: str, span: Span, clause: tuple[int, int], sentence: tuple[int, int]) -> str:
    steps = words_for("event")
    mark = re.compile(r"(?i)\s*(?:late|delay\w*)?\s*(?:in|of|for)\s+(?:\w+ing\s+)?(?:the\s+)?").match(text, span.end)
    if mark and (nouns := noun_phrases(text, mark.end(), clause[1])) and nouns[0].start == mark.end():
        return _called("event", nouns[0].first(2), nouns[0].first(2))
    for within in (clause, sentence):
        if found := nearest_in(text, span, steps, *within, 20):
            return found
        nouns = [p for p in noun_phrases(text, *within) if not _LATE.match(p.words[0])]
        behind = [p for p in nouns if p.end <= span.start]
        if behind:
            return _trim(behind[-1])
    return ""


def _trim(phrase: Phrase) -> str:
    words = phrase.last(2)
    return "" if _LATE.search(words) else words

