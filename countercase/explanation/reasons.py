"""What a passage of a judgment has in common with the facts of a case, in words that are true.

Two texts are of one kind far more often than they speak of one thing: both have a witness, a fine, a
State. A reason is stated only for what makes the fact itself: its provision; a figure of the same
thing; evidence that its name alone tells apart (a dying declaration), or whose own words the
passage shares (`ossification`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from countercase.explanation.labels import fact_label, facts_in, shared_facts
from countercase.fact_types.base import telling_words
from countercase.fact_types.party.types import patterns
from countercase.facts.area_of_law import widened
from countercase.facts.model import EvidenceValue, Fact, NumericalValue, PartyValue
from countercase.law.provisions import describe, same_law, successors

_NAMED: Final = {
    "dying_declaration": "a dying declaration",
    "test_identification": "a test identification",
    "last_seen": "the last seen evidence",
    "confession": "a confession",
    "extrajudicial_confession": "an extrajudicial confession",
    "search_safeguard": "the safeguards of a search",
    "sanction": "the sanction to prosecute",
    "electronic_certificate": "the certificate of an electronic record",
    "arrest_grounds": "the grounds of arrest",
    "sudden_quarrel": "a sudden quarrel",
    "hostile_witness": "a hostile witness",
    "settlement": "a settlement",
}
"""Evidence that is one thing by its name, whatever the words of the item."""

_PARTIES: Final = ("Minor", "Public servant", "Tenant", "Licensee", "Contractor")
"""Types of party that the law treats apart; that a State is a party is no likeness."""

_OF_A_NAME: Final = re.compile(
    r"\s+(?:Justice|Act|Rules?|Board|Court|Home|Regulations?|Code|Tribunal)\b|['’]?\s+\(?Act\b"
)
"""What follows a noun that is part of the name of an Act or a body (`Juvenile Justice Act`)."""
_DENIED: Final = re.compile(
    r"(?i)\b(?:not|no|never|ceased\s+to\s+be|neither|nor|no\s+longer|nobody|hardly)"
    r"(?:\s+(?:an?|the|any|been|be|then|really|strictly|longer))*\s+\Z"
)
_OUTGROWN: Final = re.compile(
    r"(?i)\b(?:passed\s+that\s+age|attained\s+majority|no\s+(?:juvenile|minor)|above\s+that\s+age)\b"
)
_OFFICE: Final = (
    r"public\s+servants?|(?:village\s+)?accountants?|clerks?|peons?|engineers?|sub-engineers?|surgeons?"
    r"|sarpanch|foresters?|collectors?|teachers?"
)
"""Offices that the passage itself names; more are in `data/party_patterns.jsonl`."""
_UNPROVED: Final = re.compile(
    r"(?i)\b(?:hostile|resiled|unproved|denied|doubtful|discarded|disbelieved|untrustworthy)\b"
    r"|\b(?:not|no\s+longer)\s+(?:support|believ|prov)"
)
"""Words of evidence that failed: it is like other evidence only where that failed as well."""

_SIDE_FIGURES: Final = re.compile(
    r"(?i)\b(?:fine|imprison\w*|sentence\w*|service|custody|jail|notice|bill|paid|fees?|witness\w*"
    r"|reply|appeal|bail|interest|costs?)\b"
)
"""What a figure measures where two such figures have nothing in common but the kind."""

_ANYWHERE: Final = frozenset(
    {
        *("CONST-14", "CONST-21", "CONST-32", "CONST-136", "CONST-226", "CONST-227"),
        *("CrPC-164", "CrPC-313", "CrPC-374", "CrPC-378", "CrPC-389", "CrPC-397", "CrPC-401"),
        *("CrPC-437", "CrPC-438", "CrPC-439", "CrPC-482", "BNSS-183", "BNSS-480", "BNSS-482"),
        *("BNSS-483", "BNSS-528", "IPC-34", "IPC-149", "IPC-120B", "BNS-3(5)", "BNS-190"),
        *("BNS-61(2)",),
    }
)
"""Provisions that are cited in matters of all sorts: alone they make nothing alike."""

_PLAIN: Final = telling_words(
    """
    accused appellant respondent petitioner complainant prosecution witness witnesses police officer
    report reports court trial high judge magistrate case evidence statement said says given gave made
    found taken sent recorded recovered recovery recover seized doctor medical examination post mortem
    injury injuries document documents paper papers record order letter notice agreement deed dated date
    year years month months days day time hours section article act code penal procedure constitution
    india state government under read with against before after while when where there house place
    village town his her him they that this which who also only not any all some other one two three
    four five six first second then than been being from into upon about rupees amount sum money paid
    ipc bns crpc bnss bsa
    conviction convicted sentence sentenced imprisonment offence charge appeal himself herself name
    filed issued signed public person persons district office without showing father mother wife
    husband brother sister son daughter man woman girl boy held law later out hands hand own rested
    reply replies eyewitness eyewitnesses examined version confirms confirmed turned account
    """
)
"""Stems that judgments of every kind share."""


def reasons_shared(facts: Sequence[Fact], segment: str, passage: str) -> tuple[str, ...]:
    """What `passage` speaks of that the facts of `segment` state as well, each in a few words."""
    types = dict.fromkeys(fact.fact_type for fact in facts)
    read = [fact for name in types for fact in facts_in(passage, name)]
    both = (telling_words(segment) & telling_words(passage)) - _PLAIN
    shared = shared_facts(facts, read)
    provisions = _provisions([f for f in shared if f.fact_type == "Section"], read, both)
    words = [
        provisions.get(fact.fact_id, "")
        if fact.fact_type == "Section"
        else _in_words(fact, read, passage)
        for fact in shared
    ]
    return tuple(dict.fromkeys(filter(None, words)))


def _in_words(fact: Fact, read: Sequence[Fact], passage: str) -> str:
    value = fact.value
    if isinstance(value, EvidenceValue):
        return _evidence(value, read, passage)
    if isinstance(value, NumericalValue):
        return _figure(value, read)
    if isinstance(value, PartyValue):
        return _party(value.party_type, read, passage)
    return fact_label(fact)


def _provisions(
    shared: Sequence[Fact], read: Sequence[Fact], both: frozenset[str]
) -> dict[str, str]:
    """What the passage cites of the provisions of the case, by fact id; one law once.

    A provision of the case that the passage cites itself, or a part of it, goes before the one
    that replaced it.
    """
    cited = [fact for fact in read if fact.fact_type == "Section"]
    alone = not any(word.isalpha() for word in both)
    told = [fact for fact in shared if not (alone and str(fact.value) in _ANYWHERE)]
    words, taken = {}, set()
    for fact in told:
        for other in cited:
            if str(fact.value) in widened(str(other.value)):
                words[fact.fact_id] = fact_label(fact)
                taken.add(other.fact_id)
    for fact in told:
        for other in cited:
            new = fact.fact_id not in words and other.fact_id not in taken
            if new and shared_facts([fact], [other]):
                words[fact.fact_id] = _cited_as(str(fact.value), str(other.value))
                taken.add(other.fact_id)
    return words


def _cited_as(own: str, cited: str) -> str:
    """A provision of the case by what the passage cites: `section 420 IPC, now section 318(4) BNS`."""
    if cited in widened(own):
        return describe(cited)
    later = [new for new in successors(cited) if own in widened(new) or new in widened(own)]
    old, new = (cited, later) if later else (own, list(successors(own)))
    same = any(same_law(old, name) for name in new)
    if later:
        link = "now" if same else "replaced with changes by"
        return f"{_name(cited)}, {link} {_name(own)}"
    return f"{_name(cited)}, {'earlier' if same else 'which changed'} {_name(own)}"


def _name(provision: str) -> str:
    """`section 318(4) BNS`, without its heading."""
    return describe(provision).split(" (")[0]


def _party(kind: str, read: Sequence[Fact], passage: str) -> str:
    """A type of party where the passage itself names it, outside a name and undenied."""
    if kind not in _PARTIES or _OUTGROWN.search(passage):
        return ""
    nouns = patterns("text")[kind] + (f"|{_OFFICE}" if kind == "Public servant" else "")
    spans = [
        span
        for other in read
        if isinstance(other.value, PartyValue) and other.value.party_type == kind
        for span in other.spans
    ]
    for noun in re.finditer(rf"(?i)\b(?:{nouns})\b", passage):
        within = any(noun.start() < span.end and span.start < noun.end() for span in spans)
        named = _OF_A_NAME.match(passage, noun.end())
        if within and not named and not _DENIED.search(passage[: noun.start()]):
            return f"a {kind.lower()}"
    return ""


def _evidence(value: EvidenceValue, read: Sequence[Fact], passage: str) -> str:
    failed = value.strength != "full" or bool(_UNPROVED.search(value.description))
    kind, own = _NAMED.get(value.evidence_type), telling_words(value.description) - _PLAIN
    for other in read:
        item = other.value
        if not isinstance(item, EvidenceValue) or item.evidence_type != value.evidence_type:
            continue
        if failed and item.strength == "full" and not _UNPROVED.search(passage):
            continue
        if kind:
            return kind
        words = [_shared_words(passage[span.start : span.end], own) for span in other.spans]
        weak = failed and "weakened" in (item.strength, value.strength)
        if (weak or item.strength == value.strength) and any(words):
            return next(filter(None, words))
    return ""


def _shared_words(named: str, own: frozenset[str]) -> str:
    """The longest run of words of `named` that are among `own` or plain, as they stand: `school register`."""
    runs: list[list[re.Match[str]]] = [[]]
    for word in re.finditer(r"[A-Za-z]+", named):
        stem = word[0].lower()[:6]
        apart = runs[-1] and named[runs[-1][-1].end() : word.start()].strip(" -")
        if stem in own and not apart:
            runs[-1].append(word)
        else:
            runs.append([word] if stem in own else [])
    longest = max(runs, key=len)
    return named[longest[0].start() : longest[-1].end()].lower() if longest else ""


def _figure(value: NumericalValue, read: Sequence[Fact]) -> str:
    """`the age of the prosecutrix`, or the figure itself where it is the same."""
    if value.kind == "count" or _SIDE_FIGURES.search(value.context):
        return ""
    what = " ".join(value.context.split())
    same = any(
        isinstance(other.value, NumericalValue) and str(other.value) == str(value) for other in read
    )
    if same:
        return f"{str(value).split(' (')[0]} ({what})" if value.kind != "amount" else ""
    names = {"age": "the age of the", "quantity": "a quantity of", "duration": "the time,"}
    return f"{names[value.kind]} {what}" if value.kind in names else ""
