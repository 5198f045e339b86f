"""The words for measured results, the same in every report."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from countercase.counterfactual.analysis import Analysis
from countercase.counterfactual.displacement import DEPTHS
from countercase.counterfactual.sensitivity import FactSensitivity, fact_panels
from countercase.explanation.labels import fact_label
from countercase.fact_types.catalogue import matter_of
from countercase.facts.area_of_law import provisions
from countercase.facts.model import FactSheet
from countercase.io import read_table
from countercase.law.in_force import code_in_force, reading_period
from countercase.law.provision_ids import citation, is_normal_form
from countercase.law.provisions import describe, provision_name
from countercase.registry import FACT_TYPES
from countercase.reports.text import count_noun, plain
from countercase.session import Result

MOST_NAMED: Final = 4
"""Facts that a headline names before it counts the rest."""


@dataclass(frozen=True)
class VerdictMeaning:
    """A verdict as people read it, its meaning, and that which it has against the null floor."""

    verdict: str
    words: str
    meaning: str
    calibrated: str = ""


VERDICTS: Final = {row.verdict: row for row in read_table("reports/verdicts", VerdictMeaning)}
"""Each verdict, strongest first."""

STOPPED: Final = (
    "The analysis was stopped before it was finished. What it says is right as far as it goes; "
    "what-ifs that were not reached are missing."
)
WEAK: Final = (
    "Weak match: nothing in this corpus is much like the query; these are only the nearest."
)
THIN: Final = 4
"""A provision that fewer decisions of the corpus cite is named before the precedents."""
MOST_THIN: Final = 5
"""Such provisions that are named before the rest is counted."""
HEADINGS: Final = {
    "Section": "Provisions cited",
    "PartyType": "Who the parties are",
    "Evidence": "Evidence",
    "Numerical": "Amounts, ages, durations",
}
"""The heading of each shipped fact type; others bring their own."""


def type_headings() -> dict[str, str]:
    """Return the heading of each fact type, registered ones included, in the order of all tables."""
    return {
        name: HEADINGS.get(name) or FACT_TYPES.get(name).heading.capitalize()
        for name in FACT_TYPES.names()
    }


def places(mean: float | None) -> str:
    """Return a mean rank displacement as a table shows it; a dash for what was not measured."""
    if mean is None:
        return "–"
    return "under 0.01" if 0 < mean < 0.005 else f"{mean:.2f}"


def floor_of(fact: Mapping[str, Any]) -> float | None:
    """Return how far words alone move the list for a fact of analysis.json; None where not measured.

    It is what the verdict was held against: the null floor where that is calibrated.
    """
    floor: float | None = fact["calibrated"]["floor"] if fact["calibrated"] else fact["noise"]
    return floor


def band_of(analysis: Mapping[str, Any], fact_ids: Iterable[str]) -> float | None:
    """Return how far words alone move the list for these facts of analysis.json: the furthest of them.

    Where nothing was measured of the facts, it is the furthest move of any change of words alone;
    None where there was none.
    """
    chosen = frozenset(fact_ids)
    own = [floor_of(fact) for fact in analysis["facts"] if fact["fact_id"] in chosen]
    moves = [null["mean_displacement"] for null in analysis["null_edits"]]
    return max([floor for floor in own if floor is not None] or moves, default=None)


def is_added(analysis: Analysis, measured: FactSensitivity) -> bool:
    """Say whether the fact is none of the case: evidence that an edit added."""
    return all(fact.fact_id != measured.fact.fact_id for fact in analysis.sheet.facts)


SHORT: Final = 56
"""Characters of a name in a group."""


def short_label(label: str) -> str:
    """Return a label without the heading of its provision, cut to some fifty characters."""
    bare = label.split(" (")[0] if label.startswith(("section ", "Article ")) else label
    return bare if len(bare) <= SHORT else bare[:SHORT].rsplit(" ", 1)[0] + " …"


UNNAMED: Final = "my-case"
"""The id of a case that came as a text, without a file or a title."""


def name_matter(title: str, case_id: str, narrative: str) -> str:
    """Return what a matter is called: its title, else the name of its file, else its opening words."""
    opening = short_label(plain(narrative)) if case_id == UNNAMED else ""
    return title or opening or case_id


def filter_words(filters: Mapping[str, Any]) -> str:
    """Say which decisions could be found; "" where any could.

    Args:
        filters: as in analysis.json.
    """
    first, last = filters.get("year_from"), filters.get("year_to")
    day = filters.get("occurred_on", "")
    years = f"from {first} to {last}" if first and last else f"from {first} on"
    parts = [
        (years if first else f"up to {last}") if first or last else "",
        f"of a court named “{filters['court']}”" if "court" in filters else "",
        f"with a judge named “{filters['bench']}”" if "bench" in filters else "",
        f"citing {provision_name(filters['provision'])}" if "provision" in filters else "",
        f"on {' or '.join(filters['areas']).replace('_', ' ')}" if "areas" in filters else "",
        f"that are good law{day and f' for facts of {day}'}" if "good_law" in filters else "",
    ]
    return ", ".join(filter(None, parts))


def verdict_word(verdict: str) -> str:
    """Return a verdict as people read it."""
    return VERDICTS[verdict].words


def verdict_meanings(facts: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Return the verdicts on facts of analysis.json with their meaning, the strongest first."""
    present, calibrated = {it["verdict"] for it in facts}, any(it["calibrated"] for it in facts)
    return [
        (verdict_word(name), (calibrated and it.calibrated) or it.meaning)
        for name, it in VERDICTS.items()
        if name in present
    ]


def k_line_of(analysis: Analysis) -> str:
    """Say in a sentence where the conclusion of an analysis depends on K."""
    panels = fact_panels(analysis.tree, analysis.nulls, DEPTHS)
    labels = {fact.fact.fact_id: fact_label(fact.fact) for fact in analysis.facts}
    if not panels or not panels[0].distances:
        return "Nothing can be said of lists of other lengths."
    depths = ", ".join(str(it.k) for it in panels[0].distances)
    parts = []
    for it in panels:
        pairs = zip(it.distances, it.beyond_words, strict=True)
        beyond = ", ".join(str(distances.k) for distances, moves in pairs if moves)
        if it.depends_on_k:
            parts.append(f"{labels.get(it.fact_id, it.fact_id)} (only of {beyond})")
    if not parts:
        return f"The same facts beat their restatements in lists of {depths} precedents."
    if len(parts) > MOST_NAMED:
        parts[MOST_NAMED:] = [f"{len(parts) - MOST_NAMED} more"]
    return (
        f"The length of the list matters (tried: {depths}): these facts beat their restatements in "
        f"lists of some lengths only: {'; '.join(parts)}."
    )


def _strength(verdict: str, sensitivity: float | None) -> tuple[int, float]:
    return [*VERDICTS].index(verdict), -(sensitivity or 0.0)


def strongest_first(analysis: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the facts of analysis.json by verdict and sensitivity, equal ones as on the sheet."""
    return sorted(analysis["facts"], key=lambda it: _strength(it["verdict"], it["sensitivity"]))


def by_strength(facts: Sequence[FactSensitivity]) -> list[FactSensitivity]:
    """Return measured facts by verdict and sensitivity, equal ones as on the sheet."""
    return sorted(facts, key=lambda fact: _strength(fact.verdict, fact.sensitivity))


def headline(analysis: Analysis) -> str:
    """Return the answer in a few sentences: which facts move the list of this case?"""
    own = [fact for fact in by_strength(analysis.facts) if not is_added(analysis, fact)]
    sentences = [_own(own, analysis.tree.settings.dispositive_threshold)]
    moving = [fact for fact in by_strength(analysis.facts) if fact.verdict == "dispositive"]
    if strong := [fact for fact in moving if is_added(analysis, fact)]:
        names = [f"{fact_label(fact.fact)} ({places(fact.sensitivity)})" for fact in strong]
        too = " too" if len(strong) < len(moving) else ""
        sentences.append(f"What the case does not have would move it{too}: {_listed(names)}.")
    counts = count_facts(analysis)
    sentences.append(f"Measured {counts['measured']} of {count_noun(counts['facts'], 'fact')}.")
    if not analysis.complete:
        sentences.append("The analysis was stopped early, so this is part of the picture.")
    return " ".join(sentences)


def count_facts(analysis: Analysis) -> dict[str, Any]:
    """Count the facts of the case, those measured and those that move the list.

    The other keys are `strongest`, the label of the fact that moves it most, and `sensitivity`.
    """
    own = [fact for fact in by_strength(analysis.facts) if not is_added(analysis, fact)]
    measured = [fact for fact in own if fact.sensitivity is not None]
    return {
        "facts": len(own),
        "measured": len(measured),
        "moving": sum(fact.verdict == "dispositive" for fact in measured),
        "strongest": fact_label(measured[0].fact) if measured else "",
        "sensitivity": measured[0].sensitivity if measured else None,
    }


def _own(facts: Sequence[FactSensitivity], threshold: float) -> str:
    """Say which of the facts that the case has, the strongest first, move its list."""
    measured = [fact for fact in facts if fact.sensitivity is not None]
    strong = [fact for fact in measured if fact.verdict == "dispositive"]
    if not measured:
        return "No fact of this case was measured, so nothing can be said of what moves its list."
    if strong:
        names = [f"{fact_label(f.fact)} ({places(f.sensitivity)})" for f in strong[:MOST_NAMED]]
        names[0] = names[0][:-1] + " places)"
        if len(strong) > MOST_NAMED:
            names.append(f"{len(strong) - MOST_NAMED} more")
        number = "One fact moves" if len(strong) == 1 else f"{len(strong)} facts move"
        return f"{number} the list of precedents: {_listed(names)}."
    top = max(measured, key=lambda fact: fact.sensitivity or 0.0)
    if not top.sensitivity:
        return "No fact of this case moved the list of precedents at all."
    why = (
        "which other words for the same fact do as well"
        if top.verdict == "inconclusive"
        else f"which does not pass the threshold of {threshold:g}"
    )
    return (
        "No single fact moves the list of precedents. The largest move came from "
        f"{fact_label(top.fact)} ({places(top.sensitivity)} places), {why}."
    )


def _listed(names: Sequence[str]) -> str:
    if len(names) == 1:
        return names[0]
    return ", ".join(names[:-1]) + " and " + names[-1]


def cover_notes(result: Result) -> list[str]:
    """Say what must be known before the precedents: filters, a weak match, law that is lacking."""
    note = language_note(result.analysis.sheet.narrative)
    only = filter_words(result.analysis.filters.asked)
    searched = only and f"Searched only: decisions {only}."
    lines = [*filter(None, [note, searched, WEAK if result.weak else ""])]
    thin = [c for c in result.coverage if c.cases < THIN]
    if thin:
        counts = [f"{provision_name(c.provision)} in {c.cases}" for c in thin[:MOST_THIN]]
        more = f", and {len(thin) - MOST_THIN} more provisions" if len(thin) > MOST_THIN else ""
        lines.append(f"Thin coverage: of {thin[0].of:,} decisions, {'; '.join(counts)}{more}.")
    return lines


def law_on_the_day(provision: str, sheet: FactSheet) -> str:
    """Return a provision with its heading, in the code under which the case is read.

    Where that code has taken the place of an older one, both are named. What is not in normal form
    stays as it is.
    """
    if not is_normal_form(provision):
        return provision
    named = matter_of(sheet).on_the_day(provision)
    if named != provision:
        return f"{describe(named)}, before July 2024 {citation(provision, 'short')}"
    old, cited = provision.partition("-")[0], provisions(sheet)
    new = code_in_force(old, reading_period(sheet.occurred_on, cited), cited)
    return describe(provision) + ("" if new == old else f", since July 2024 in the {new}")


_DEVANAGARI: Final = re.compile("[\u0904-\u0939\u0958-\u0961]")
_LETTER: Final = re.compile(r"[^\W\d_]")
_ROMAN: Final = re.compile(
    r"(?i)\b(?:hai|hain|tha|thi|aur|nahi|nahin|mera|mere|meri|usne|unhone|maine|humne|kiya|kya|mein"
    r"|karna|karke|liye|wala|wale|raha|rahi|gaya|gayi|diya|diye|hua|hui|unka|uska|uske|uski|apne"
    r"|bhai|bola|abhi|lekin|kyunki|bhi|koi|kuch|jab|toh|woh|yeh|ke|ki|ka|ko|se|ne)\b"
)
_SHARE: Final = 0.2
"""Of the letters (Devanagari) or the words (Latin letters), from which a text counts as Hindi."""
SUPPORT: Final = (
    "section numbers, amounts, durations and dates are read, and the commonest words for weapons, "
    "custody and evidence; other facts are not, and the search reads English alone: translate it for "
    "precedents that can be relied on."
)


def language_note(text: str) -> str:
    """Say what is read of a narrative in Hindi, in either script, and what is not; else ""."""
    if len(_DEVANAGARI.findall(text)) > _SHARE * len(_LETTER.findall(text)):
        return f"Written in Hindi: {SUPPORT}"
    if len(_ROMAN.findall(text)) > _SHARE * len(text.split()):
        return f"Written in Hindi in Latin letters: {SUPPORT}"
    return ""
