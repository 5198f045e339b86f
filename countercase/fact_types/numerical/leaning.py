"""Words of a narrative that hold only while a figure is on its side of a line.

Thirty-one days after the memo, `all the dates are in order` is wrong, and at nineteen nobody is `the
boy`. An edit that leaves such words is refused, and the reason quotes them.
"""

from __future__ import annotations

import re
from typing import Final

from countercase.fact_types.base import spans_of
from countercase.fact_types.lines import (
    charged_offences,
    is_sentence,
    lines_of,
    quantity_tier,
)
from countercase.fact_types.rewriting import sentences_around, touches_any
from countercase.fact_types.roles import owner_of
from countercase.facts.edits import Edit, apply_edits
from countercase.facts.model import Fact, FactSheet, NumericalValue
from countercase.law.offences import term_bounds
from countercase.text.numbers import in_words, ordinal, ordinal_in_words, read_number
from countercase.text.spans import one_line

_FULL_AGE: Final = 18
_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")
_IN_TIME: Final = (
    r"\bin order\b|gives? no trouble|\bno (?:other )?date is questioned|\bcannot be\b|seeing the difficulty"
    r"|\bso long a|waited (?:one )?more|days? (?:sooner|here or there)|sent (?:it )?back as late|\bbelated"
    r"|\b(?:long|longer|extended) period|limit ran out|nearly over|near enough"
    r"|(?<!no one )(?<!nobody )(?<!never )asked for condonation"
    r"|within the .{0,12}(?:grace|limit)|condonation (?:is )?prayed|\bnineteen years\?"
)
_LEANS: Final = {
    "duration": re.compile(rf"(?i){_IN_TIME}"),
    "amount": re.compile(
        r"(?i)had to be low|margin of\b(?![^.;]*\bdoes not end)|less than one rupee"
    ),
    "quantity": re.compile(
        r"(?i)\bcommercial\b|\bsmall (?:quantity|qty)|\bintermediate\b|near enough|\d each\b|\?\?"
        r"|\bfar (?:below|above)|just (?:below|above|under|over)|barely"
    ),
    "age": re.compile(
        r"(?i)as final|no longer in doubt|consent was of no use|proof of her age|all that we have"
        r"|for the age of|attained majority|would have had nothing|preliminary asses"
        r"|went by ossification|because of (?:her|his) age|\bunder-?age\b|\bslab\b|\?\?"
        r"|\bmultiplier (?:of\b|(?:is |was |at )?\d)"
    ),
}
"""Words that rest on which side of a line a figure of each kind is."""
_MARRIED: Final = re.compile(
    r"(?i)\bdowry death|presum\w+|seven years|so long a marriage|nearly over|\bacquit\w*|charge failed"
)
_JUVENILE: Final = re.compile(
    r"(?i)\bjuvenil\w*|\bminor\b|\bboy\b|school (?:papers?|register)|\bthe board\b|matriculation"
    r"|put on trial as"
)
_GROWN: Final = re.compile(
    r"(?i)\bgrown|\byoung man|\bmarried\b|\bwife\b|\bhusband\b|\bdriver\b|B\.?(?:Com|A|Sc|Tech)\b"
    r"|(?<!medical )college|degree"
    r"|\bnurse\b|\bteacher\b|\bdivorcee|\bstaff\b|\bworks in\b|\bmason\b|\bowner\b"
)
_CHILDHOOD: Final = re.compile(
    r"(?i)\bschool|\bmarri|\bcustody\b|\bvisitation|\bminor\b|guardian|admission|\bclass\b|nursery"
    r"|separat|\bwife\b"
)
_NEVER_CAPABLE: Final = ("IPC-82", "BNS-20")
_UNDERSTANDING: Final = re.compile(r"(?i)\bmatur\w+|\bunderst(?:and|ood)\w*")
"""What nobody asks of a child under seven, who commits no offence whatever he understands."""
_MAJORITY: Final = "Indian Majority Act"
_MOST: Final = {"NDPS-2(xxiiia)": 12}
"""The longest term in months below a line that no other offence of the case speaks for."""
_GIVEN: Final = re.compile(
    r"(?i)\b(?:given|gave(?: (?:him|her|them|both))?|got|gets|sentenced? (?:to|of|is|was|for)"
    r"|imprisonment (?:for|of)|with|awarded"
    r"|undergone|put it at|RI|years' RI)\s+(?:\w+ ){0,4}?(?P<years>\d+|[a-z]+) (?:years|yrs?)\b"
)


def leaning(sheet: FactSheet, edit: Edit) -> str:
    """The words of the narrative that hold only while the figure is what it was, quoted; or "".

    They are read in the narrative after the edit: what goes with the figure leans on it no more.
    """
    fact = next((f for f in sheet.facts if f.fact_id == edit.fact_id), None)
    after = edit.new_value
    if fact is None or not isinstance(fact.value, NumericalValue) or not edit.changes:
        return ""
    before = fact.value
    if not isinstance(after, NumericalValue):
        return ""
    text = apply_edits(sheet, [edit]).narrative
    own = " ".join(
        sheet.narrative[s.start : s.end] for s in sentences_around(sheet.narrative, fact.spans)
    )
    if why := _unlike(sheet, before, after, edit) or _one_of_two(sheet, fact, before):
        return why
    if before.kind == "age" and (why := _out_of_bounds(text, before, after)):
        return why
    if why := _told_in_order(sheet, fact, before, after, text):
        return why
    for pattern in _leaning_patterns(before, after, edit):
        match = next(
            (m for m in pattern.finditer(text) if not _of_another(sheet, fact, m[0])), None
        )
        if match:
            return f"the narrative leans on the figure: {one_line(match[0])!r}"
    if why := _said_otherwise(sheet, fact, before, own, text):
        return why
    return _beyond_the_law(sheet, edit, text)


_TWO: Final = r"\s*(?:or|to|and|-|–)\s*(?:about |nearly )?"
_BOUND: Final = re.compile(
    r"(?i)\b(?P<side>below|under|less than|not yet|younger than|above|over|more than|older than|completed)"
    r"\s+(?:the age of\s+)?(?P<age>\d{1,2}|[a-z]+)(?=\s*(?:years?\b|yrs?\b|[.,;)]|\Z| at\b| by\b| when\b))"
)
_BELOW: Final = ("below", "under", "less than", "not yet", "younger than")


def _one_of_two(sheet: FactSheet, fact: Fact, before: NumericalValue) -> str:
    """`16 or 17`: one of two figures cannot move without the other."""
    for span in fact.spans if before.upper is None else ():
        after = re.match(rf"{_TWO}\d+", sheet.narrative[span.end : span.end + 20])
        number = re.search(rf"\d+{_TWO}\Z", sheet.narrative[max(0, span.start - 20) : span.start])
        if after or number:
            return "it is one of two figures"
    return ""


def _out_of_bounds(text: str, before: NumericalValue, after: NumericalValue) -> str:
    """`Below 16`, where the age was and is no longer."""
    for match in _BOUND.finditer(text):
        bound = read_number(match["age"])
        if bound is None or not 6 < bound < 30:
            continue
        below = match["side"].lower() in _BELOW
        held = before.value < bound if below else before.value >= bound
        holds = after.value < bound if below else after.value >= bound
        if held and not holds:
            return f"the narrative leans on the figure: {one_line(match[0])!r}"
    return ""


def _told_in_order(
    sheet: FactSheet, fact: Fact, before: NumericalValue, after: NumericalValue, text: str
) -> str:
    """`Her sixteenth birthday was not far`, `all five`, `the fifth man`."""
    if before.kind == "age":
        for match in _BIRTHDAY.finditer(text):
            number = read_number(match["turned"]) if match["turned"] else None
            named = _BIRTHDAYS.get((match["which"] or "").lower())
            turned = named if number is None else float(number)
            if turned is not None and (
                abs(turned - before.value) <= 1 or (before.value < turned) != (after.value < turned)
            ):
                return f"the narrative leans on the figure: {one_line(match[0])!r}"
    if before.kind == "count" and before.value == int(before.value) and before.value > 2:
        word, last = in_words(before.value), ordinal_in_words(int(before.value))
        again = re.search(
            rf"(?i)\b(?:all|the) {word}\b|\b{word} of them\b|\bno more\b"
            rf"|\bthe (?:last|{last}) (?:man|person|accused|one)\b",
            text,
        )
        if again:
            return f"the figure stands a second time: {one_line(again[0])!r}"
    return ""


_BIRTHDAYS: Final = {
    name: years for years in range(1, 100) for name in (ordinal(years), ordinal_in_words(years))
}
_BIRTHDAY: Final = re.compile(
    r"(?i)\b(?P<which>[a-z]+|\d{1,2}(?:st|nd|rd|th)) birthday\b"
    r"|\b(?:turn(?:ed|s|ing)?|complet(?:ed?|ing)|attain(?:ed|ing)?) (?:the age of )?"
    r"(?P<turned>[a-z]+|\d{1,2})\b"
)


def _unlike(sheet: FactSheet, before: NumericalValue, after: NumericalValue, edit: Edit) -> str:
    """Why a figure is not one that the line is about, or moves too far to be the same matter."""
    own_lines = [row for row in lines_of(sheet, before) if row.provision == edit.provision]
    if before.kind == "duration" and any(row.at(before.unit) == before.value for row in own_lines):
        return "it is the period that the law itself gives"
    if edit.provision.startswith("NIA") and (before.value, before.unit) == (15, "days"):
        return "it is the period that the law itself gives"
    small = before.kind == "quantity" and edit.provision == "NDPS-2(xxiiia)"
    if small and quantity_tier(sheet, before) == "commercial":
        return "from a commercial quantity to a small one is another case"
    if before.kind == "age" and min(before.value, after.value) < _FULL_AGE:
        if abs(after.value - before.value) > _LONGEST_STEP:
            return "a child and one who is grown live differently"
        if edit.provision.startswith("JJA") and before.value > _DOUBTFUL:
            return "nothing makes a child of a person of this age"
    return ""


_LONGEST_STEP: Final = 5.5
"""Years by which an age may move into or out of childhood."""
_DOUBTFUL: Final = 20.9
"""The greatest age in years at which somebody may yet turn out to be a child."""


def _of_another(sheet: FactSheet, fact: Fact, words: str) -> bool:
    """Whether the words stand only in sentences that state another figure of the kind, and not this."""
    kind = fact.value.kind if isinstance(fact.value, NumericalValue) else ""
    others = [
        span
        for other, value in sheet.valued(NumericalValue)
        if other.fact_id != fact.fact_id and value.kind == kind
        for span in other.spans
    ]
    places = spans_of(sheet.narrative, words) if words.endswith("trouble") else ()
    held = [place for span in places for place in sentences_around(sheet.narrative, [span])]
    return bool(held) and all(
        touches_any(place, others) and not touches_any(place, fact.spans) for place in held
    )


def _leaning_patterns(
    before: NumericalValue, after: NumericalValue, edit: Edit
) -> list[re.Pattern[str]]:
    patterns = [_LEANS[before.kind]] if before.kind in _LEANS else []
    if before.kind == "duration" and re.search("marri", before.context):
        patterns.append(_MARRIED)
    if before.kind == "age":
        child = edit.provision.startswith(("JJA", "IPC-82", "IPC-83"))
        if child or edit.provision.startswith(_MAJORITY):
            patterns.append(_JUVENILE if after.value >= before.value else _GROWN)
        if edit.provision.startswith(_MAJORITY):
            patterns.append(_CHILDHOOD)
        if edit.provision in _NEVER_CAPABLE:
            patterns.append(_UNDERSTANDING)
        if before.value >= _FULL_AGE > after.value:
            patterns.append(_GROWN)
    return patterns


def _said_otherwise(
    sheet: FactSheet, fact: Fact, before: NumericalValue, own: str, text: str
) -> str:
    """Why the figure is said a second time, in other words than its own."""
    if before.kind == "duration":
        if re.search(r"(?i)\bi\.?e\.?\b|\bpending\b|\blimit\b", own):
            return "its sentence says the figure twice, or what it counts still runs"
        married = re.search("marri", before.context)
        if married and re.search(
            r"(?i)\bmarried\b[^.]{0,60}\b(?:19|20)\d\d|\bshaadi\b", sheet.narrative
        ):
            return "the date of the wedding fixes the figure"
        anchored = re.search(
            r"(?i)\b(?:from|since|on|till|by) (?:[A-Z]\w+ )?(?:\d{1,2}[./-]\d{1,2}|(?:19|20)\d\d"
            r"|\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec))",
            own,
        )
        # The day of the death fixes no length of the marriage without that of the wedding.
        if married and anchored and anchored[0].lower().startswith("on "):
            anchored = None
        if anchored and len({m[0] for m in _YEAR.finditer(own)}) < 2:
            return f"a date fixes the figure: {anchored[0]!r}"
    if before.kind == "age":
        owner = owner_of(sheet, before)
        others = [
            v.value
            for f, v in sheet.valued(NumericalValue)
            if f.fact_id != fact.fact_id
            and v.kind == "age"
            and owner
            and owner_of(sheet, v) == owner
        ]
        if any(abs(other - before.value) <= _SAME_TIME for other in others):
            return "another proof gives the same person another age"
        if _aged_at_another_time(sheet, fact, before):
            return "the same person's age at another time stands"
        written = [sheet.narrative[s.start - 1 : s.end + 2] for s in fact.spans if s.start]
        if any(re.match(r"\(\d\)", words) for words in written):
            return "the number counts the points of the note"
    words = in_words(before.value) if before.value == int(before.value) else None
    if words and before.unit in ("years", "months", "days") and before.value > 1:
        number = rf"\b(?:{words}|{before.value:g})[ -]{before.unit.rstrip('s')}"
        if match := re.search(number, text, re.IGNORECASE):
            return f"the figure stands a second time: {match[0]!r}"
    return ""


_WHEN: Final = re.compile(
    r"(?i)\b(?:in (?:19|20)\d\d|now|then|today|on th(?:e|at) day|at (?:the|that) time)\b"
)


def _aged_at_another_time(sheet: FactSheet, fact: Fact, before: NumericalValue) -> bool:
    """Whether another age has the same context but for the time: `petitioner in 2019`."""
    own = _WHEN.sub("", before.context).strip().lower()
    return bool(own) and any(
        value.kind == "age" and _WHEN.sub("", value.context).strip().lower() == own
        for other, value in sheet.valued(NumericalValue)
        if other.fact_id != fact.fact_id
    )


def _beyond_the_law(sheet: FactSheet, edit: Edit, text: str) -> str:
    """Why the sentence that the narrative tells of could not be passed after the edit."""
    after = apply_edits(sheet, [edit])
    bounds = term_bounds(charged_offences(after))
    if edit.provision in _MOST and bounds is None:
        bounds = (0, _MOST[edit.provision])
    least = max(bounds[0] if bounds else 0, _LEAST.get(edit.provision, 0))
    moved = edit.new_value
    assert isinstance(moved, NumericalValue)
    if moved.kind == "duration" and is_sentence(moved):
        return ""
    for match in _GIVEN.finditer(text):
        years = read_number(match["years"])
        if years is None:
            continue
        months = years * 12
        if bounds is not None and months > bounds[1]:
            return f"the longest term is shorter than what stands: {one_line(match[0])!r}"
        if "undergone" not in match[0].lower() and moved.kind == "age" and months < least:
            return f"the least term is longer than what stands: {one_line(match[0])!r}"
    return ""


_SAME_TIME: Final = 2.5
"""Years between two ages of one person that may be his age on one day."""
_LEAST: Final = {"IPC-376(2)(f)": 120, "IPC-376(2)(i)": 120, "IPC-376(3)": 240, "IPC-376AB": 240}
"""The least term in months for rape on a girl below the age that a line draws, special reasons apart."""
