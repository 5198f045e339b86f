"""What a passage of a judgment has in common with the facts of a case, in words that are true.

Two texts are of one kind far more often than they speak of one thing: both have a witness, a fine, a
State. A reason is stated only for what makes the fact itself: its provision; a figure of the same
thing; evidence of a kind that is one thing by its name (a dying declaration), or whose own words the
passage shares (`ossification`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from countercase.explanation.labels import fact_label, facts_in, shared_facts
from countercase.fact_types.base import telling_words
from countercase.facts.model import EvidenceValue, Fact, NumericalValue, PartyValue

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
    """
)
"""Stems that judgments of every kind share."""


def reasons_shared(facts: Sequence[Fact], segment: str, passage: str) -> tuple[str, ...]:
    """What `passage` speaks of that the facts of `segment` state as well, each in a few words."""
    read = facts_in(passage)
    both = (telling_words(segment) & telling_words(passage)) - _PLAIN
    words = [_in_words(fact, read, passage, both) for fact in shared_facts(facts, read)]
    return tuple(dict.fromkeys(filter(None, words)))


def _in_words(fact: Fact, read: Sequence[Fact], passage: str, both: frozenset[str]) -> str:
    value = fact.value
    if isinstance(value, EvidenceValue):
        return _evidence(value, read, passage)
    if isinstance(value, NumericalValue):
        return _figure(value, read)
    if isinstance(value, PartyValue):
        return f"a {value.party_type.lower()}" if value.party_type in _PARTIES else ""
    if str(value) in _ANYWHERE and not any(word.isalpha() for word in both):
        return ""
    return fact_label(fact)


def _evidence(value: EvidenceValue, read: Sequence[Fact], passage: str) -> str:
    kind = _NAMED.get(value.evidence_type)
    if kind:
        return kind
    own = telling_words(value.description) - _PLAIN
    for other in read:
        item = other.value
        if isinstance(item, EvidenceValue) and (item.evidence_type, item.strength) == (
            value.evidence_type,
            value.strength,
        ):
            named = " ".join(passage[span.start : span.end] for span in other.spans).lower()
            words = [
                word for word in dict.fromkeys(re.findall(r"[a-z]{3,}", named)) if word[:6] in own
            ]
            if words:
                return " and ".join(words[:3])
    return ""


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
