"""What a narrative still says of an item of evidence that an edit takes away.

An item stands in more sentences than the one that offers it: `it shows Rs. 16,500 a month`, `took
the register as final`, `he is our eyewitness`. A cut that leaves one of them proves nothing, so it
is refused, and the reason quotes the words that stand.
"""

from __future__ import annotations

import re
from typing import Final

from countercase.fact_types.argued import ASKS
from countercase.fact_types.base import expanded
from countercase.fact_types.evidence.entries import LAST_RELATIVE, entries, is_note
from countercase.fact_types.evidence.kin import KIN, OWN_KIN
from countercase.fact_types.rewriting import sentences_around
from countercase.facts.edits import Edit
from countercase.facts.model import EvidenceValue, Fact, FactSheet, PartyValue
from countercase.text.clauses import MAIN_CLAUSE, main_clauses
from countercase.text.dates import find_dates
from countercase.text.sentences import sentence_spans
from countercase.text.spans import Span, one_line

_GENERIC: Final = frozenset(
    w[:6]
    for w in "certificate register record report statement receipt list memo slip letter opinion".split()  # noqa: SIM905
)
"""Nouns that many papers share: with another word before them they name another paper."""
_ACT: Final = re.compile(
    r"(?i)\b(?:orders?(?! sheets?)|notices?|awards?(?! sheet)|decrees?|judgments?|cheques?|FIR"
    r"|charge ?sheet"
    r"|final report|letter of appointment|lease|(?<!loan )agreements?|contracts?|licen[cs]es?"
    r"|polic(?:y|ies)"
    r"|notification|regulations?|complaint|plaint|memo of arrest|consent|registration)\b"
)
"""Papers that do something in law: without them the matter would be another."""
_NO_PROOF: Final = re.compile(
    r"(?i)\bvoice note (?:typed|sun|from|by my|pe)|\b(?:fresh|new|proposed|draft) (?:agreement|lease|deed)"
    r"|\bno paper\b|\bI am (?:sending|attaching|enclosing)|\bpl(?:ea)?s(?:e)? (?:see|find|listen)"
    rf"|sun lijiye|{expanded('{CONTENDED}|{DISBELIEVED}')}"
    r"|not working|overwritten|\bdenied\b|\?\s*\Z|\A[^.]{0,12}\bcop(?:y|ies) (?:attached|enclosed)"
)
LEAVE: Final = re.compile(
    r"(?i)\b(?:appeal\w*|came|comes|leave|here) (?:\w+ ){0,5}?on (?:a )?certificate\b"
)
_OTHERS: Final = re.compile(r"(?i)(?:further|other|more|another)\b")
_FIRST_WORDS: Final = 60
_POINTS: Final = re.compile(
    r"(?i)\A.{0,60}?\b(?:it(?! (?:is|was) (?:that|he|she|not|hard|only))|its|they|them|their|this"
    r"|these|those|such|both"
    r"|neither|either|same|the rest|rest of|besides"
    r"|the others?|another|too|also|further|likewise|moreover|however|still|yet|hence|therefore|thereupon"
    r"|(?:two|three|other|second|nearest|last|first) (?:papers?|documents?|reports?|ones?|of)|nor)\b"
    r"|\A.{0,60}?\bthat (?!day|night|evening|morning|date|time|year|month|court|order)\w+(?=[.;])"
    r"|\A\W*(?:but|so|and|that|there is also|even|only|as against)\b"
)
_SAME_TIME: Final = re.compile(
    r"(?i)\bthe same (?:day|evening|night|morning|afternoon|week|month|year)\b"
)
_THEY: Final = re.compile(r"(?i)(?<=\S )\b(?:they|them|their)\b")
"""Such a word at the head of a sentence may mean anyone; after others it has its own noun."""
_SEVERAL: Final = re.compile(
    r"(?i)\band\b|\b(?!is\b|was\b|has\b|his\b|its\b|this\b|as\b)\w+s\b|\bmen\b"
)
"""Words by which a sentence names several things or persons."""
_PERSON: Final = re.compile(
    r"(?i)\b(?:witness|doctor|neighbour|panch|secretary|constable|watch(?:er|man)|officer|surgeon"
    r"|head ?m\w+"
    r"|driver|girl|victim|prosecutrix|complainant|expert|magistrate|wife|widow|mother|father|brother|sister"
    r"|uncle|aunt|cousin|friend|inspector|tehsildar|clerk|manager|shopkeeper|weighman|secretary|puller)\b"
    r"|(?-i:(?<=[a-z,] )[A-Z][a-z]+)"
)
_PRONOUN: Final = re.compile(r"(?i)\b(?:he|she|him|her|his|who)\b")
_BACK: Final = re.compile(
    r"(?i)\W*(?:(?:and|but) )?(?:it|its|they|he|she|his|her|their|the same|both|in (?:it|them"
    r"|which)|as such)\b"
)
_REASONED: Final = re.compile(
    r",\s+(?:so|because)\s\w+|(?<!,),\s[a-z]+ed [^,]+,\s(?:police|he|she)\b[^,]+"
)
"""A clause that a sentence draws from another, or a third thing that happened."""
_SEVERAL_THINGS: Final = re.compile(
    r"What\b|(?i:independent)\b[^.]*(?i:hostile)"
    r"|(?!.*\b(?:and|but|who|which|an?|eye-?witness)\b)[^,]+,[^,]+,[^,]+ hr"
    r"|.*\b(?:not even|or (?:where|when|why|how)|(?:upper|scheduled|lower) caste|same (?:thing|view))\b"
)
"""Sentences that tell what happened besides, or introduce what the next one says."""
_SUBJECT: Final = re.compile(
    r"(?:(?:and|but|while) )?(?:the|an?|no|some|there|nobody|others?|since|if|this|that (?:she|he"
    r"|the)|[A-Z]\w+)\b"
)
"""How a clause begins that has a subject of its own."""
_OPENS_BACK: Final = re.compile(
    r"(?i)\W*(?:it|its|they|this|that|these|those|both|in (?:it|them)|by (?:it|them)|there is also|also"
    r"|a second|the second|another|another of|as against that|but|yet|still|besides|(?:he"
    r"|she) (?:also|too))\b"
)
_JOINT: Final = re.compile(
    r"(?i)\A[\s,;:–—-]*(?:(?:and|but|while|whereas)\b)?\s*|[\s,;]*(?:and|but)?\s*\Z"
)
_COMMON: Final = frozenset(
    word[:6]
    for word in """
    accused appell respon petiti compla plaint defend client prosec state court judge magist police session
    trial appeal case matter sectio offenc convic senten years year months month days time month week
    report evidence witnes said says told made given filed found show shows shown same other first second
    third before after against under with without between more most less than also only even just very
    when where which while then there here that this these those they them their would could should will
    must have been being does done come came went take took taken give gave have high special learne
    counse govern counter point questi ground section code indian penal proced constit articl right
    father mother wife husband brother family house home person people name number night morning evening
    works work department public office officer doctor hospital duty
    right hand side every each some many much such like well good great small large long short
    """.split()  # noqa: SIM905
)
_WORD: Final = re.compile(r"[a-z]{4,}")
_DIED: Final = re.compile(
    rf"(?is)(?!.*(?:{KIN['medical']}|doctor|hospital|certif|opin|cause of)).*\b(?:died|was killed)\b"
)
"""A death that no doctor is said to speak of."""


def standing(sheet: FactSheet, edit: Edit) -> str:
    """Why the item cannot be taken away by these cuts, in a few words, or "".

    The cuts must take whole sentences or clauses that speak of the item alone, and leave no word of
    it, of its kind, or one that points back to it.
    """
    if edit.rule == "evidence.add":
        return _out_of_place(sheet, edit)
    fact = next((f for f in sheet.facts if f.fact_id == edit.fact_id), None)
    if (
        edit.rule != "evidence.remove"
        or fact is None
        or not edit.replacements
        or not isinstance(fact.value, EvidenceValue)
    ):
        return ""
    text, kind = sheet.narrative, fact.value.evidence_type
    sentences = sentences_around(text, fact.spans)
    for mention in fact.spans:
        if kind == "documentary" and _ACT.search(
            text[mention.start : min(mention.end, mention.start + _FIRST_WORDS)]
        ):
            return "it does something in law and is no mere proof"
        if kind == "documentary" and _OTHERS.match(text, mention.start):
            return "other papers are named"
    stated = " ".join(text[s.start : s.end] for s in sentences)
    no_proof = _NO_PROOF.search(stated) or LEAVE.search(stated)
    if no_proof and not (kind == "hostile_witness" and no_proof[0] == "denied"):
        return f"it is not offered as proof: {no_proof[0]!r}"
    cuts = [Span(c.start, c.end) for c in edit.replacements]
    for cut in cuts:
        if why := _not_alone(text, fact, cut):
            return why
    return _spoken_of(sheet, fact, cuts)


def _out_of_place(sheet: FactSheet, edit: Edit) -> str:
    """Why evidence of another kind cannot be added to this narrative; "" where it can."""
    value = edit.new_value
    if not isinstance(value, EvidenceValue) or not edit.replacements:
        return ""
    if is_note(sheet.narrative):
        return "a note tells what there is"
    kin = re.search(KIN.get(value.evidence_type, _NOTHING), sheet.narrative, re.IGNORECASE)
    if kin:
        return f"the narrative speaks of such evidence: {_quoted(sheet.narrative, *kin.span())}"
    if value.evidence_type not in _ADDED or _ACCOUNT.search(sheet.narrative):
        return "the account says how the matter is proved"
    return ""


_ADDED: Final = ("expert_opinion", "electronic_record")
"""Kinds that may stand beside any account; the others would have been told in it."""
_ACCOUNT: Final = re.compile(
    r"(?i)\bquash|section 482|\bdirector\b|\btrap\b|tainted|\bdemand\b(?! was posted)|talathi"
    r"|consent decree|cheating"
    r"|section 40[69]|section 420|\bvalu(?:er|ation)"
)
_NOTHING: Final = r"(?!)"


def _not_alone(text: str, fact: Fact, cut: Span) -> str:
    """Why a cut is not a whole sentence or clause that speaks of the item alone."""
    removed = text[cut.start : cut.end]
    if any(entry.cut == cut for entry in entries(text)):
        return _asks(removed)
    if re.match(r"\s*\(?\d{1,2}[.)]\s", removed) and cut.end < len(text) and text[cut.end] != "\n":
        return "the number of its entry would go with it"
    if fact.fact_id.startswith("evidence:weapon") and re.search(r"\bwhich\b", removed[:20]):
        return "its clause tells what happened"
    sentence = next(iter(sentences_around(text, [cut])), cut)
    if LAST_RELATIVE.fullmatch(removed):
        return ""
    if asked := _asks(text[sentence.start : sentence.end]):
        return asked
    if cut.start <= sentence.start and cut.end >= sentence.end - 1:
        if fact.fact_id.startswith("evidence:medical") and _DIED.search(removed):
            return "its sentence tells what happened"
        if _OPENS_BACK.match(removed) and not fact.fact_id.startswith("evidence:recovery"):
            return "its sentence goes on from the one before it"
        if _SEVERAL_THINGS.match(removed.strip()):
            return "its sentence says something else too"
        if more := _REASONED.search(removed):
            return f"its sentence says something else too: {more[0]!r}"
        clauses = main_clauses(text, sentence)
        said_of = [any(c.overlaps(span) for span in fact.spans) for c in clauses]
        whole = any(span.end - span.start > _FIRST_WORDS for span in fact.spans)
        for clause, touched in zip(clauses[1:], said_of[1:], strict=True):
            if (not touched or whole) and _SUBJECT.match(text, clause.start):
                words = one_line(text[clause.start : clause.end])[:40]
                return f"its sentence says something else too: {words!r}"
        if not said_of[0] and not any(_BACK.match(text, clause.start) for clause in clauses[1:]):
            return "its sentence says something else first"
        return ""
    if is_note(text):
        return "it stands in a note beside other things"
    if re.match(r",\s+as\s+(?:the|his|her|its|their)\b", removed):
        return ""
    piece = _JOINT.sub("", removed)
    if re.fullmatch(r"(?i)(?:certified )?cop(?:y|ies) \w+", piece):
        return "the paper that it copies stays"
    if not MAIN_CLAUSE.match(piece) or "," in piece[:_FIRST_WORDS] or ";" in piece:
        return "its words are no clause of their own"
    if not any(cut.start <= s.start < cut.start + _FIRST_WORDS for s in fact.spans):
        return "its clause speaks of something else"
    return ""


def _asks(words: str) -> str:
    """Why these words offer no evidence: they ask for decisions, or argue; or ""."""
    asked = ASKS.match(words)
    return f"it is named in what is asked or argued: {asked[0].strip()!r}" if asked else ""


def _spoken_of(sheet: FactSheet, fact: Fact, cuts: list[Span]) -> str:
    """The words outside the cuts that speak of the item, quoted; or ""."""
    text = sheet.narrative
    value = fact.value
    assert isinstance(value, EvidenceValue)
    removed = " ".join(text[c.start : c.end] for c in cuts)
    left = list(text)
    for cut in cuts:
        left[cut.start : cut.end] = " " * (cut.end - cut.start)
    rest = "".join(left)
    named = " ".join(text[s.start : s.end] for s in fact.spans)
    kin = re.search(KIN.get(value.evidence_type, _NOTHING), rest, re.IGNORECASE)
    own = next((k for w, k in OWN_KIN if re.search(w, named, re.IGNORECASE)), "")
    if kin and own:
        kin = re.search(own, rest, re.IGNORECASE)
    if kin:
        return f"the narrative speaks of it elsewhere: {_quoted(rest, kin.start(), kin.end())}"
    heads = {
        w
        for s in fact.spans
        if s.end - s.start <= _FIRST_WORDS
        for w in _stems(text[s.start : s.end])
    }
    names = {w for _, p in sheet.valued(PartyValue) for w in _stems(p.name)}
    end = max(cut.end for cut in cuts)
    # What was named before the item is not its own: a later word may mean that.
    shown = _stems(removed) - names - _stems(rest[: min(cut.start for cut in cuts)])
    for match in _WORD.finditer(rest.lower()):
        stem = match[0][:6]
        if stem in _COMMON or (stem in _GENERIC and _of_another(rest, match.start(), heads)):
            continue
        if stem in heads or (stem in shown and match.start() >= end):
            return f"the narrative speaks of it again: {_quoted(rest, match.start(), match.end())}"
    for cut in cuts:
        if counted := _counted(rest, cut) or _written(text, cut):
            return counted
        following = next(
            (Span(a, b) for a, b in sentence_spans(text) if a >= cut.end - 1 and b > cut.end), None
        )
        if following is None or "\n\n" in text[cut.end : following.start + 1]:
            continue
        after = text[following.start : following.end]
        own = text[cut.start : cut.end]
        if points := _pointing(own, after):
            return f"the next sentence goes on from it: {points!r}"
        if _PERSON.search(own) and (pronoun := _PRONOUN.search(after[:_FIRST_WORDS])):
            return f"the next sentence goes on from it: {pronoun[0]!r}"
    return ""


def _counted(rest: str, cut: Span) -> str:
    """How the rest of its paragraph counts the item with others (`both belong to the merits`); or ""."""
    start, end = rest.rfind("\n\n", 0, cut.start) + 1, rest.find("\n\n", cut.end)
    before, after = rest[start : cut.start], rest[cut.end : end if end > 0 else len(rest)]
    said = _INTRODUCES.search(before) or _BOTH.search(after)
    return f"it is counted with others: {said[0]!r}" if said else ""


_INTRODUCES: Final = re.compile(
    r"(?i)\bthere (?:are|were) (?:also )?(?:two|three|four|other|certain|some|several|a few) (?:other )?"
    r"(?:papers|documents|things|items|records|witnesses|pieces)\b[^.]{0,40}\.\s*\Z"
)
_BOTH: Final = re.compile(
    r"(?i)\b(?:both|neither|each)"
    r"(?: of them)? (?:are|were|is|was|belong|ha(?:s|ve|d)|says?|shows?|points?|speaks?|tells?|go(?:es)?)\b"
)
_PENNED: Final = re.compile(r"(?i)\b(?:wrote|writes|written|e-?mailed|texted|messaged)\b")


def _written(text: str, cut: Span) -> str:
    """Why a letter stands although its clause goes: the rest of its sentence tells of the writing."""
    if not re.search(r"(?i)\b(?:letter|note|e-?mail|message|reply)s?\b", text[cut.start : cut.end]):
        return ""
    around = next(iter(sentences_around(text, [cut])), cut)
    left = text[around.start : cut.start] + text[min(cut.end, around.end) : around.end]
    penned = _PENNED.search(left)
    return f"the rest of its sentence tells of it: {penned[0]!r}" if penned else ""


def _of_another(text: str, at: int, heads: set[str]) -> bool:
    """Whether a noun has a word of its own before it that names no part of the item."""
    before = re.search(r"([A-Za-z]{3,})[ -]\Z", text[max(0, at - 30) : at])
    return bool(
        before
        and before[1].lower()[:6] not in heads
        and before[1].lower() not in ("the", "this", "that", "said", "his", "her", "same", "such")
    )


def _pointing(own: str, after: str) -> str:
    """The words by which a sentence goes on from the one before it, `own`; or "".

    `They` means nothing in a sentence that names one thing only, and `the same evening` no document.
    """
    said = _SAME_TIME.sub(" ", after) if not find_dates(own) else after
    if not _SEVERAL.search(own):
        said = _THEY.sub(" ", said)
    points = _POINTS.search(said)
    return points[0].strip() if points else ""


def _stems(words: str) -> set[str]:
    return {w[:6] for w in _WORD.findall(words.lower())} - _COMMON


def _quoted(text: str, start: int, end: int) -> str:
    return repr(one_line(text[max(0, start - 20) : end + 20]).strip())
