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
    ("High Court", r"(?:learned\s+)?(?:(?:(?:(?-i:[A-Z])[\w&]*|and|of)\s+){0,3}high\s+court(?:\s+judges?)?"
     r"|division\s+bench|full\s+bench|single\s+judge)"),
    ("trial court", r"(?:learned\s+)?(?:trial\s+(?:court|judge)|(?:\w+\s+){0,3}?sessions\s+(?:court|judge)"
     r"|special\s+(?:court|judge)|civil\s+judge|(?:\w+\s+){0,2}?district\s+(?:court|judge)"
     r"|sub(?:ordinate)?\s+(?:court|judge)|family\s+court|munsiff?|(?:executing|reference)\s+court"
     r"|land\s+acquisition\s+judge)"),
    ("trial court", r"(?:(?!executive|district)\w+\s+){0,3}(?<!executive )(?<!district )magistrate"),
    ("tribunal", r"(?:\w+\s+){0,2}tribunals?|(?:labour|industrial)\s+court|juvenile\s+justice\s+board"
     r"|board\s+of\s+revenue"),
    ("authority below", r"(?:(?:assistant|deputy|joint|additional|municipal|appellate|rent|acquisition|land)"
     r"\s+){0,2}(?:commissioner(?!\s+of\s+police)(?:\s*\(appeals\))?|collector|controller)|assessing\s+officer"
     r"|(?:income-tax|wealth-tax|sales\s+tax|consolidation|settlement|estate|land\s+acquisition)\s+officer"
     r"|(?:appellate|prescribed|controlling)\s+authority|arbitrator|umpire"),
    ("commission", r"(?:(?:national|state|district)\s+)?(?:consumer\s+)?"
     r"(?<!pay )(?<!service )(?<!law )(?:commission|forum)"),
    ("first appellate court", r"(?:first\s+|lower\s+)?appellate\s+court"),
    ("courts below", r"(?:lower\s+courts|courts\s+below|courts)"),
)  # fmt: skip
_DID: Final = (
    r"(?:held(?!\s+\d)|found|convicted|acquitted|dismissed|allowed|confirmed|affirmed|reversed|upheld|restored"
    r"|maintained|set\s+(?:\w+\s+){0,3}?aside|reduced|enhanced|refused|granted|quashed|awarded|decreed|directed|ordered"
    r"|(?:dis)?believed|rejected|accepted|relied|took(?!\s+charge)|thought|concluded|observed|considered|sentenced"
    r"|declined|altered|treated|declared|applied|discharged|framed|(?:dis)?agreed|gave|made|raised|fixed|used|left"
    r"|ruled|decided|cancelled|struck|deleted|imposed|cut|threw|thrown|added|regarded"
    r"|recorded\s+(?:no|a)\s+finding|let|endorsed|remitted|remanded"
    r"|did\s+not\s+(?:(?:dis)?believe|accept|think|agree|interfere|find|disturb))"
)
_DECIDED: Final = (
    r"(?:(?:dis)?believed|(?:dis)?agreed|convicted|acquitted|dismissed|allowed|discharged|sentenced|rejected|refused"
    r"|held|found|granted|quashed|took\s+cognizance|framed|summoned|ordered|directed|awarded|reversed|upheld|confirmed"
    r"|disallowed|assessed|imposed|deleted|cancelled|set\s+(?:\w+\s+){0,3}?aside|decided|treated"
    r"|valued|gave\s+(?:Rs|\w+\s+(?:thousand|years|months)))"
)
"""What a magistrate or an officer does as a court; he also takes statements and makes records."""
_OFFICERS: Final = ("magistrate", "commissioner")
_AGAIN: Final = r"(?:(?:had|has|have|also|then|both|all|in\s+turn|nevertheless|again)\s+)*"


_APART: Final = r"who|which|that|to|by|whose|where|when|he|she|they|and\s+took"
"""Words between a court and a verb that make the verb another's."""


def _did(words: str) -> str:
    return _DECIDED if any(officer in words for officer in _OFFICERS) else _DID


def _reporting(words: str) -> re.Pattern[str]:
    did = _did(words)
    return re.compile(
        rf"(?i)(?<!before )(?<!to )(?<!in )\b(?:the|an?|one|both|two|three|all)\s+(?:\w+\s+)?"
        rf"(?:{words})\b(?:\s*\([^)]*\))?(?:,\s+(?:\w+ing|by|on|in|at)\b[^,;.]{{0,80}},)?"
        rf"(?:,?\s+(?!(?:{_APART})\b|of\s+the\s+supreme)"
        rf"[\w'’()-]+){{0,8}}?\s+{_AGAIN}{did}\b"
        rf"|\b(?:{words})\b(?:\s+(?:at|of)\s+[\w ]{{1,30}})?,\s+(?:which|who)\s+"
        rf"(?:(?:on|in|by)\s+[\w ]{{1,30}}?\s+)?{_AGAIN}{did}\b"
        rf"|\bthe\s+(?:{words})(?:\s+at\s+\w+)?\s+to\s+(?:find|hold|conclude)\b"
        rf"|\bdid\s+the\s+(?:{words})\s+(?:decide|hold|allow|find|dismiss)\b"
        rf"|\b(?:was|were|been|and)\s+(?:\w+\s+)?{did}\b[^.;]{{0,60}}?\bby\s+(?:the\s+|an?\s+)?(?:{words})\b"
    )


_REPORTS: Final = tuple((name, _reporting(words)) for name, words in _COURTS)
_WORDS: Final = "|".join(words for _, words in _COURTS)
_OPENS: Final = re.compile(
    rf"(?i)\A(?:but\s+|yet\s+|here\s+|(?:in|on)\s+(?:appeal|revision|review|second\s+appeal),?\s+)?"
    rf"(?:(?:the|an?|both|two|three|all)\s+(?:\w+\s+)?(?:{_WORDS})\b(?:\s+and\s+the\s+(?:{_WORDS})\b)?"
    rf"(?:,\s+(?:\w+ing|by|on|in|at)\b[^,;.]{{0,80}},)?|it)\s+{_AGAIN}(?:{_DID})\b(?!\s+(?:no|nor|without)\b)"
)
"""A report in a ruling: the sentence begins with a court and what it did."""
_OWN_CLAUSE: Final = re.compile(
    rf"(?i);|,\s+(?:and|but|so|yet|which|though|although|while)\s+(?!(?:it\s+)?{_AGAIN}{_DID}\b)"
)
"""A clause that follows a report, in which the deciding court goes on in its own words."""
_JUDGED: Final = re.compile(
    r"(?i)\b(?:rightly|wrongly|correctly|erred|error|erroneous\w*|justified|mis(?:read|directed|applied)"
    r"|ought|should\s+(?:not\s+)?have|could\s+not|failed\s+to|was\s+(?:not\s+)?(?:right|wrong)|mistake"
    r"|(?:had\s+|have\s+)(?:reasonably|properly|soundly|fairly|unreasonably|improperly)"
    r"|this\s+court|the\s+court\s+(?:held|agreed|disagreed|found|set|restored|upheld)|we\b|cannot\s+be\s+sustained)"
)
_ARGUED: Final = re.compile(
    r"(?i)\b(?:contend(?:ed|s)|submit(?:ted|s)\s+that|argued|urged|(?:pleaded|claimed|alleged)\s+(?:in\s+\w+\s+)?that|counsel\s+for"
    r"|(?:solicitor\s+general|counsel|public\s+prosecutor)\s+(?:\w+\s+)?(?:suggested|said|asked|submitted|conceded)"
    r"|raised\s+(?:one|the|a|two|several)\s+(?:\w+\s+)?(?:points?|pleas?|grounds?)"
    r"|according\s+to\s+the\s+(?:appellant|respondent|petitioner|prosecution|state|accused|plaintiff"
    r"|defendant|complainant|employer|claimant))\b"
)
_SIDE: Final = (
    r"(?:the|his|her|their|its|both)\s+(?:\w+\s+)?(?:appellant|respondent|petitioner|prosecution|state|accused"
    r"|plaintiff|defendant|complainant|employer|management|company|bank|insurer|claimant|tenant|landlord"
    r"|landowner|assessee|department|revenue|union|government|husband|wife|workman|employee|owner|defence"
    r"|landlady|corporation|board|teacher|firm)s?"
)
_SAID: Final = (
    r"(?:said|stated|answered|replied|maintained|explained|denied|pointed\s+out|insisted|asserted|complained"
    r"|protested|attacked|resisted|relied\s+on|put\s+it\s+down|objected\s+(?:that|to)|pleaded"
    r"|asked\s+for\s+(?:(?:an\s+)?acquittal|leniency))"
)
_CLAIMED: Final = re.compile(
    rf"(?i)\b{_SIDE}(?:,[^,]{{0,60}},)?\s+(?:had\s+|also\s+|then\s+)*{_SAID}\b"
    rf"|\A(?:here\s+)?(?:he|she|they)\s+(?:had\s+|also\s+|then\s+)*(?:{_SAID}|claimed)\b"
    r"|\b(?:written\s+statement|counter-?affidavit|affidavit|plea|defence)\s+(?:said|was|stated|ran)\b"
    r"|\bmotive\s+(?:put\s+forward|suggested|alleged)\b|\bhis\s+(?:case|answer|version|story)\s+was\b"
)
"""One side's account of the facts, which no court need have believed."""
_CLAIMED_THERE: Final = re.compile(
    r"(?i)\Ait\s+was\s+(?:also\s+|further\s+)?(?:added|objected|said|answered|pointed\s+out|conceded)\s+that\b"
    r"|\b(?:secretary|officer|magistrate)\s+swore\b"
    r"|\Ait\s+(?:also\s+|further\s+)?(?:said|objected|pleaded|claimed|relied\s+on)\b"
    rf"|\A(?:for|by)\s+{_SIDE}\s+it\s+was\s+\w+|\Ain\s+(?:an|his|her|its)\s+(?:counter-?)?affidavit\b"
    r"|\Ain\s+(?:the|his|her|their)\s+(?:\w+\s+)?petition\b[^.;]*\bsaid\s+that\b"
)
"""The same among the facts, where `it` is a company; in a ruling it may be the court."""
_OVERRULED: Final = re.compile(
    r"(?i)\b(?:this\s+court|the\s+court\s+(?:held|found|rejected|accepted|agreed)|was\s+(?:rightly|wrongly)|had\s+(?:rightly|reasonably)|we|failed\s+to\s+prove)\b"
)
"""Words of a court that disposes of an account; an argument may itself say `could not` or `ought`."""
_ON_APPEAL: Final = re.compile(
    r"(?i)\b(?:on|in)\s+(?:\w+\s+)?(?:appeal|revision),?\s+(?:the|an?)\s+(?:\w+\s+){0,3}(?:sessions|district)"
    r"\s+(?:judge|court)|\b(?:sessions|district)\s+(?:judge|court)\b[^.;]{0,50}?\b(?:upheld|confirmed|affirmed"
    r"|reversed|dismissed\s+(?:his|her|their|the)\s+(?:appeal|revision))\b"
)
"""A sessions or district judge who sits in appeal or revision tries nothing."""
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
    `It also refused costs` goes on with the court of the sentence before. In a holding or an order
    the deciding court speaks, unless the sentence opens with another and says no more.
    """
    found: list[str] = []
    for at, (sentence, section) in enumerate(zip(sentences, sections, strict=True)):
        before = sentences[at - 1] if at else ""
        if section in ("holding", "order"):
            found.append(_reported(sentence, court, outcome, before))
        elif section == "facts":
            found.append(_among_facts(sentence, court, outcome, before, found[-1] if found else ""))
        else:
            found.append(finding_of(sentence, court, outcome, before))
    return found


ANOTHER: Final = "another court"
"""Whose finding it is where a conviction or an acquittal is told without its court."""
_OWN_COURT: Final = re.compile(r"(?i)\b(?:this\s+court|the\s+supreme\s+court|we|special\s+leave)\b")
_GOES_ON: Final = re.compile(
    r"\AIt\s+(?:\w+ly\s+|also\s+|had\s+|was\s+|nevertheless\s+|then\s+)*\w+(?:ed|ld|ve|k|w|t|id)\b|\AIn\s+its\b"
)
_UNDONE: Final = r"(?:was|were|been|stood)\s+(?:\w+ly\s+|also\s+|both\s+|all\s+|tried\s+and\s+)?"
_PASSIVE: Final = re.compile(
    rf"(?i)\b{_UNDONE}(?:convicted|acquitted|sentenced|quashed|decreed|set\s+aside)\b"
    rf"|\b(?:appeals?|revisions?|review|petitions?|suits?)"
    rf"(?:\s+[\w']+){{0,8}}?\s+{_UNDONE}(?:rejected|dismissed|allowed|restored)\b"
    rf"|\b(?:leave|bail)\s+{_UNDONE}refused\b"
    rf"|\b[Oo]n\s+(?:\w+\s+)?(?:appeal|revision|review)\b[^.;]*?\b{_UNDONE}"
    r"(?:cancelled|reduced|restored|reversed|upheld|confirmed|affirmed|deleted|enhanced)\b"
    r"|\A(?:Both|Two|All|Three)\s+judges\s+\w+"
)
"""What only a court does, told without its court."""
_BEFORE_COURT: Final = re.compile(
    rf"(?i)\b(?:petition|appeal|revision|suit)\s+(?:to|in|before)\s+(?:the|an?)\s+(?:{_WORDS})\b"
)


def _among_facts(sentence: str, court: str, outcome: str, before: str, last: str) -> str:
    finding = finding_of(sentence, court, outcome, before)
    if finding or _OWN_COURT.search(sentence) or _DETAINED.search(sentence):
        return finding
    if finding := _named(sentence, court, outcome):
        return finding
    if last and _GOES_ON.search(sentence):
        return last
    if _PRONOUN.match(sentence) and (names := _mentioned(before)):
        return _with_fate(names[-1:], court, outcome)
    if not _PASSIVE.search(sentence):
        return ""
    before_court = _BEFORE_COURT.search(sentence)
    return _with_fate(_mentioned(before_court[0]), court, outcome) if before_court else ANOTHER


_DETAINED: Final = re.compile(r"(?i)\b(?:detention|detained|detaining|detenu)\b")
"""An order of detention is made by an officer; it is what is challenged, and no finding on it."""


def _reported(sentence: str, court: str, outcome: str, before: str) -> str:
    """Whose finding a sentence of a ruling reports, where it does nothing else."""
    opens = _OPENS.match(sentence)
    if not opens or _OWN_CLAUSE.search(sentence, opens.end()) or _JUDGED.search(sentence):
        return ""
    if sentence.lower().startswith("it "):
        names = _mentioned(before) if "had" in opens[0].lower().split() else []
        return _with_fate(names[-1:], court, outcome)
    return _with_fate(_mentioned(opens[0]), court, outcome)


def _mentioned(sentence: str) -> list[str]:
    """The courts that a sentence names, in its order."""
    places = [
        (match.start(), name)
        for name, words in _COURTS
        for match in re.finditer(rf"(?i)\b(?:{words})\b", sentence)
    ]
    return list(dict.fromkeys(name for _, name in sorted(places)))


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
    if _ON_APPEAL.search(sentence) and not re.search(r"(?i)\btrial\s+(?:court|judge)", sentence):
        courts = ["lower court" if name == "trial court" else name for name in courts]
    return _with_fate(courts[::-1], court, outcome)


def _with_fate(courts: Sequence[str], court: str, outcome: str) -> str:
    if "supreme" in court.lower() and list(courts) == ["High Court"]:
        fate = _FATES.get(outcome, "")
        return f"High Court, {fate}" if fate else "High Court"
    return " and the ".join(courts)


def is_argument(sentence: str) -> bool:
    """Whether a sentence among facts or arguments says what a party argued, and not what a court held."""
    told = _CLAIMED.match(sentence) or _CLAIMED_THERE.search(sentence)
    if told:
        return _OVERRULED.search(sentence) is None
    argued = _ARGUED.search(sentence) or _CLAIMED.search(sentence)
    return argued is not None and _JUDGED.search(sentence) is None


def is_told_by_a_side(sentence: str) -> bool:
    """Whether a sentence begins with what one side said, so that even in a holding it is no ruling."""
    return _CLAIMED.match(sentence) is not None and _JUDGED.search(sentence) is None
