"""What a narrative goes on saying of a provision that an edit has taken out of it.

`Dowry death appeal`, a sentence of six months or `the presumption is only for 7` can stand with one
provision and not with its neighbour. Each rule looks at the case and at one edit of it, and returns
why the two cannot stand together, or None. The words by which offences are known are in
`law/data/offence_words.jsonl`, their terms and fines in `law/data/offences.jsonl`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from countercase.counterfactual.plausibility import DEATH, DEATHLY
from countercase.fact_types.lines import charged_offences, reading_date
from countercase.fact_types.rewriting import sentences_around
from countercase.facts.area_of_law import cites, names_of, provisions
from countercase.facts.edits import Consequence, Edit, apply_edits
from countercase.facts.model import FactSheet, SectionValue
from countercase.law.citations import find_citations
from countercase.law.offences import Offence, offence, words_of_others
from countercase.law.provision_ids import citation, parse_id
from countercase.text.numbers import read_number
from countercase.text.spans import Span, one_line

_ASKED_BEFORE: Final = re.compile(
    r"(?i)\b(?:(?:down|reduced?|altered?|converted?) (?:in)?to|asks? for|prays? for|pleads? for"
    r"|fight is for|\bwants?|at most|case is that|finding under)\b[^.;]{0,50}\Z"
)
_ASKED_AFTER: Final = re.compile(
    r"(?i)[^.;]{0,60}\b(?:is what I would press|is the most that|looks to be the right)"
)
_SENTENCE: Final = re.compile(
    r"(?i)\b(?:sentence[ds]?|imprison\w*|awarded|gave|given|got|put it at|adds|rigorous|R\.?I\.?"
    r"|undergo|convicted\b[^.;]{0,60}\bwith)\b[^.;]{0,40}?(?<![\w.])(?P<number>\d+(?:\.\d+)?|[a-z]+)[ -]"
    r"(?P<unit>years?|yrs?|months?|mths?)\b(?! (?:ago|old|before|after|later|of age))"
)
_SERVED: Final = re.compile(
    r"(?i)\b(?:undergone|served)\b[^.;]{0,20}?(?<![\w.])(?P<number>\d+(?:\.\d+)?|[a-z]+)[ -]?"
    r"(?P<unit>years?|yrs?|months?|mths?|y\b|m\b)"
)
_FINE: Final = re.compile(
    r"(?i)\bfine\b(?:[^.;\d]|Rs\.){0,25}(?P<after>[\d,]*\d(?: ?(?:lakh|lac|k)\b)?)"
    r"|(?:Rs\.? ?|\u20b9)(?P<before>[\d,]*\d(?: ?(?:lakh|lac|k)\b)?)[^.;\d]{0,12}\bfine\b"
)
_GRAVEST: Final = re.compile(
    r"(?i)\b(?:life (?:imprisonment|sentence|term|convict)|imprisonment for life|death (?:sentence|penalty)"
    r"|(?:sentenced?|sent) (?:\w+ ){0,4}to (?:death|life)|imposed (?:death|life)|lifer)\b"
    r"|\((?:RI for )?life\b|\blife (?:under|and|on)\b"
)
_OF_ANOTHER: Final = (
    r"(?i)\b(?:earlier|previous|another|other|old|former|pending|prior) (?:\w+ )?(?:"
)
_CALLED: Final = {
    "IPC-302": "murder",
    "IPC-376": "rape",
    "IPC-395": "dacoity",
    "IPC-420": "cheating",
}
_IN_ORDER: Final = re.compile(
    r"(?i)\bthe (?:first|second|third|former|latter|last|two)\b|\brespectively\b|\bin that order\b"
    r"|\beach count\b|\([^();]*;[^()]*\)|\b\w+(?:, \w+)* and \w+ years\b"
)
_SUB_SECTION: Final = re.compile(r"(?i)\b(?:the|that|this) sub-?section\b|\bsub-?section \(\d\)")
_LIMB: Final = re.compile(r"(?i)\b(?:first|second|latter) (?:limb|part)\b")
_SEVERAL: Final = re.compile(
    r"(?i)\b(?:the two|the three|all three|both|neither)(?: of the)? (?:clauses|sections|charges"
    r"|counts|offences|provisions|articles)\b|\bthe only (?:sections|charges|counts|offences) are\b"
)
_MEASURED: Final = (
    r"days?|years?|yrs?|months?|persons?|men|witness\w*|pages?|kg|g|gms?|%|per|acres?"
)


def _changes(root: FactSheet, edit: Edit) -> Iterator[tuple[str, str]]:
    """(old, new) of each provision that the edit changes; "" where it goes."""
    changes: tuple[Edit | Consequence, ...] = (edit, *edit.consequences)
    for change in changes:
        if change.fact_type == "Section":
            old = root.fact(change.fact_id).value
            yield str(old), "" if change.new_value is None else str(change.new_value)


def named_by_other_words(root: FactSheet, edit: Edit) -> str | None:
    """`Dowry death appeal` does not go with section 306."""
    state = apply_edits(root, [edit])
    left = {name for provision in provisions(state) for name in names_of(provision)}
    for old, _ in _changes(root, edit):
        found = next(words_of_others(state.narrative, names_of(old), left), None)
        if found is not None:
            return f"The narrative still says {found[0]!r}, which goes with {citation(old)}."
    return None


def number_left(root: FactSheet, edit: Edit) -> str | None:
    """A number by which the old provision is meant once more: `the presumption is only for 7`."""
    text = apply_edits(root, [edit]).narrative
    cited = [c.span for c in find_citations(text)]
    for old, new in _changes(root, edit):
        number = parse_id(old).number
        clause = re.escape("".join(re.findall(r"\([a-z]\)\Z", old)))
        bare = rf"\b(?:ingredients|charges?|offences?) (?:of|under) {clause}(?=[\s,.;])"
        bare += rf"|{clause} (?:and|or) \([a-z]\)|\([a-z]\) (?:and|or) {clause}"
        for match in re.finditer(bare, text) if clause else ():
            if not any(span.overlaps(Span(*match.span())) for span in cited):
                return f"{citation(old)} is still meant by {match[0].strip()!r}."
        if not new and (several := _SEVERAL.search(text)) is not None:
            return f"The narrative still counts {several[0]!r}."
        fact = next(f for f in root.facts if str(f.value) == old)
        for place in sentences_around(root.narrative, fact.spans):
            if (limb := _LIMB.search(root.narrative, place.start, place.end)) is not None:
                return f"{citation(old)} is still meant by {limb[0]!r}."
        if "(" in old and (part := _SUB_SECTION.search(text)) is not None:
            return f"{citation(old)} is still meant by {part[0]!r}."
        if new and number == parse_id(new).number:
            continue
        plain = re.escape(number)
        if len(number) > 2:
            pattern = rf"(?<![\w.,/-])(?<!Rs )(?<!Rs\. )(?<!no\. ){plain}(?![\w/]|[.,-]\w| (?:{_MEASURED})\b)"
        else:
            pattern = rf"(?i)\b(?:for|under|than|u/s) {plain}(?=\s*(?:[.;,]|\Z)|\s+(?:for us|is|stands)\b)"
            pattern += rf"|(?<=, ){plain}(?= for us\b)"
        for match in re.finditer(pattern, text):
            if not any(span.start <= match.start() < span.end for span in cited):
                return f"{citation(old)} is still meant by {match[0].strip()!r}."
    return None


def _terms(text: str, pattern: re.Pattern[str]) -> list[float]:
    """The terms, in months, that a text says were passed or served."""
    terms = []
    for match in pattern.finditer(text):
        number = read_number(match["number"])
        if number is not None:
            terms.append(float(number) * (12 if match["unit"][0] in "yY" else 1))
    return terms


def _fines(text: str) -> list[float]:
    """The fines, in rupees, that a text speaks of."""
    stated = (read_number(match["after"] or match["before"]) for match in _FINE.finditer(text))
    return [float(fine) for fine in stated if fine is not None]


def outside_its_terms(root: FactSheet, edit: Edit) -> str | None:
    """A sentence or fine that is stated may be passed under what is left of the charge.

    What is stated in the sentence that cites the new provision alone is measured by that one.
    """
    state = apply_edits(root, [edit])
    for old, new in _changes(root, edit):
        if not new and offence(old, reading_date(root)) is not None and charged_offences(state):
            longest = max(_terms(state.narrative, _SENTENCE), default=0)
            if longest > max(row.greatest for row in charged_offences(state)):
                return f"The sentence that is stated cannot be passed without {citation(old)}."
        passed = offence(new, reading_date(state)) if new else None
        if passed is None:
            continue
        fact = next(f for f in state.facts if str(f.value) == new)
        around = sentences_around(state.narrative, fact.spans)
        alone = [
            state.narrative[s.start : s.end]
            for s in around
            if not any(
                s.start <= c.span.start < s.end and c.provision != new
                for c in find_citations(state.narrative)
            )
        ]
        for text, rows in [
            (state.narrative, charged_offences(state)),
            *((t, (passed,)) for t in alone),
        ]:
            terms, fines = _terms(text, _SENTENCE), _fines(text)
            low, high = max(row.least for row in rows), max(row.greatest for row in rows)
            longest = max([*terms, *_terms(text, _SERVED)], default=0)
            if longest > high or (len(terms) == 1 and terms[0] < low):
                return f"The sentence that is stated cannot be passed under {citation(new)}."
            most = [row.fine for row in rows]
            if fines and None not in most and max(fines) > max(m for m in most if m is not None):
                return f"The fine that is stated is above what {citation(new)} allows."
            if len(fines) == 1 and fines[0] < passed.least_fine:
                return f"The fine that is stated is below what {citation(new)} asks for."
    return None


def life_or_death_left(root: FactSheet, edit: Edit) -> str | None:
    """Nobody is imprisoned for life or hanged for what the law punishes less."""
    state = apply_edits(root, [edit])
    passed = _GRAVEST.search(state.narrative)
    when = reading_date(root)
    for old, _ in _changes(root, edit):
        before = offence(old, when)
        if passed is None or before is None or not (before.life or before.death):
            continue
        if not any(row.life or row.death for row in charged_offences(state)):
            return f"The narrative says {one_line(passed[0])!r}, which goes with {citation(old)}."
    return None


def counted_in_order(root: FactSheet, edit: Edit) -> str | None:
    """`The first carrying life`, `(life; seven years)`: what is said of each charge in turn."""
    for old, new in _changes(root, edit):
        if new:
            continue
        fact = next(f for f in root.facts if str(f.value) == old)
        for place in sentences_around(root.narrative, fact.spans):
            counted = _IN_ORDER.search(root.narrative, place.start, place.end)
            if counted is not None:
                return f"The sentence goes through the charges: {one_line(counted[0])!r}."
    return None


def a_death_without_charge(root: FactSheet, edit: Edit) -> str | None:
    """The last charge of a death does not go while the narrative tells of one."""
    text = apply_edits(root, [edit]).narrative
    left = {name for cited in find_citations(text) for name in names_of(cited.provision)}
    for old, new in _changes(root, edit):
        if new or not set(names_of(old)) & set(DEATHLY) or left & set(DEATHLY):
            continue
        if (death := DEATH.search(root.narrative)) is not None:
            return f"The narrative tells of a death: {one_line(death[0])!r}."
    return None


def said_of_another_case(root: FactSheet, edit: Edit) -> str | None:
    """`A witness in an earlier murder case` is not of the charge."""
    for old, _ in _changes(root, edit):
        called = next((_CALLED[name] for name in names_of(old) if name in _CALLED), "(?!)")
        if (other := re.search(rf"{_OF_ANOTHER}{called})", root.narrative)) is not None:
            return f"The narrative speaks of another case: {one_line(other[0])!r}."
    return None


def graver_than_what_is_asked(root: FactSheet, edit: Edit) -> str | None:
    """Nobody appeals from section 304 Part II to be convicted under Part I."""
    state = apply_edits(root, [edit])
    for _, new in _changes(root, edit):
        passed = offence(new, reading_date(root)) if new else None
        if passed is None:
            continue
        for fact, value in state.valued(SectionValue):
            other = offence(value.provision, reading_date(root))
            if other is None or value.provision == new or not fact.spans:
                continue
            asked = any(
                _ASKED_BEFORE.search(state.narrative, max(0, s.start - 70), s.start)
                or _ASKED_AFTER.match(state.narrative, s.end)
                for s in fact.spans
            )
            if asked and passed.greatest <= other.greatest and passed.least <= other.least:
                return (
                    f"The case asks for {citation(value.provision)}, which is no less than "
                    f"{citation(new)}."
                )
    return None


_RESTS_ON_THE_TERM: Final = (
    ("CrPC-167", "the days after which bail is due"),
    ("CrPC-468", "the period of limitation"),
    ("CrPC-473", "the period of limitation"),
)


def rests_on_the_term(root: FactSheet, edit: Edit) -> str | None:
    """Default bail, limitation and the trial of a child follow the gravest offence that is left."""
    when = reading_date(root)
    for old, new in _changes(root, edit):
        if (own := offence(old, when)) is None:
            continue
        before, after = charged_offences(root), charged_offences(apply_edits(root, [edit]))
        if new:
            before, after = (own,), tuple(o for o in [offence(new, when)] if o is not None)
        for provision, what in _RESTS_ON_THE_TERM:
            if cites(root, (provision,)) and _class(before) != _class(after):
                return f"With {citation(old)} {what} would change too."
        if cites(root, ("JJA",)) and "heinous" in root.narrative.lower():
            return f"How grave {citation(old)} is, is what the narrative asks."
        tried = cites(root, ("JJA-15", "JJA-18"))
        if tried and any(row.heinous for row in before) and not any(row.heinous for row in after):
            return "A child is assessed for a trial as an adult only for a heinous offence."
    return None


def _class(rows: Sequence[Offence]) -> tuple[object, ...]:
    """The limits of section 468 of the Code, and those of section 167(2)."""
    return (
        next((years for years in (0, 12, 36) if all(row.greatest <= years for row in rows)), None),
        any(row.death or row.life or row.least >= 120 for row in rows),
        bool(rows),
    )


def refers_to_the_old_act(root: FactSheet, edit: Edit) -> str | None:
    """`Section 197 of the Code of that Act` is of two Acts."""
    text = apply_edits(root, [edit]).narrative
    for cited in find_citations(text):
        end = max(cited.span.end, cited.act_span.end if cited.act_span else 0)
        if re.match(r"(?i)[^.;,]{0,30}\bof (?:that|the said) Act\b", text[end : end + 50]):
            named = {c.provision for c in find_citations(root.narrative)}
            if (
                cited.provision not in named
                and cited.act_span
                and cited.act_span.start >= cited.span.start
            ):
                return f"The words after {citation(cited.provision)} name another Act."
    return None


def changes_a_provision(edit: Edit) -> bool:
    """Whether the rules have anything to say of the edit."""
    types = (edit.fact_type, *(c.fact_type for c in edit.consequences))
    return not edit.null and "Section" in types


RULES: Final[tuple[tuple[str, Callable[[FactSheet, Edit], str | None]], ...]] = (
    ("section.words_left", named_by_other_words),
    ("section.number_left", number_left),
    ("section.terms", outside_its_terms),
    ("section.life", life_or_death_left),
    ("section.in_order", counted_in_order),
    ("section.death_charged", a_death_without_charge),
    ("section.another_case", said_of_another_case),
    ("section.asked", graver_than_what_is_asked),
    ("section.rests_on_the_term", rests_on_the_term),
    ("section.of_that_act", refers_to_the_old_act),
)
"""(name, rule), in the order in which they are checked."""
