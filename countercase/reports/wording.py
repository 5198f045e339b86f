"""The words for measured results, the same in every report, and the templates that show them.

Templates stand in `reports/templates`: Markdown, HTML and SVG in which every value stays text.
Whatever a template inserts is made safe on the way: on one line, without control characters, and
with the characters escaped that Markdown or HTML would act on. Sentences are macros of
`sentences.txt.j2`. All of it is said of the data of analysis.json.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from countercase import __version__
from countercase.explanation.model import Quote
from countercase.fact_types.catalogue import matter_of
from countercase.facts.area_of_law import provisions
from countercase.facts.model import FactSheet
from countercase.io import read_table
from countercase.law.in_force import code_in_force, reading_period
from countercase.law.provision_ids import citation, is_normal_form
from countercase.law.provisions import describe, provision_name
from countercase.registry import FACT_TYPES
from countercase.reports.text import count_noun, figure, inline, legible, plain
from countercase.text.dates import in_full

VERDICTS: Final = {row["verdict"]: row for row in read_table("reports/verdicts", dict)}
"""Each verdict, strongest first: as people read it, its meaning, and that against the null floor."""


def type_headings() -> dict[str, str]:
    """Return the heading of each fact type, registered ones included, in the order of all tables."""
    own = {name: FACT_TYPES.get(name).heading.capitalize() for name in FACT_TYPES.names()}
    return own | {row["fact_type"]: row["heading"] for row in read_table("reports/headings", dict)}


def places(mean: float | None) -> str:
    """Return a mean rank displacement as a table shows it; a dash for what was not measured."""
    if mean is None:
        return "–"
    return "under 0.01" if 0 < mean < 0.005 else f"{mean:.2f}"


def floor_of(fact: Mapping[str, Any]) -> float | None:
    """Return how far words alone move the list, which a fact's verdict was held against, or None."""
    floor: float | None = fact["calibrated"]["floor"] if fact["calibrated"] else fact["noise"]
    return floor


def band_of(analysis: Mapping[str, Any], fact_ids: Iterable[str]) -> float | None:
    """Return how far words alone move the list for these facts of analysis.json, at the furthest.

    Where that was not measured, any change of words alone counts; None where there was none.
    """
    chosen = frozenset(fact_ids)
    own = [floor_of(fact) for fact in analysis["facts"] if fact["fact_id"] in chosen]
    moves = [null["mean_displacement"] for null in analysis["null_edits"]]
    return max([floor for floor in own if floor is not None] or moves, default=None)


def short_label(label: str) -> str:
    """Return a label without the heading of its provision, cut to 56 characters."""
    bare = label.split(" (")[0] if label.startswith(("section ", "Article ")) else label
    return bare if len(bare) <= 56 else bare[:56].rsplit(" ", 1)[0] + " …"


UNNAMED: Final = "my-case"
"""The id of a case that came as a text, without a file or a title."""


def name_matter(title: str, case_id: str, narrative: str) -> str:
    """Return what a matter is called: its title, else the name of its file, else its opening words."""
    return title or (short_label(plain(narrative)) if case_id == UNNAMED else "") or case_id


def verdict_word(verdict: str) -> str:
    """Return a verdict as people read it."""
    return str(VERDICTS[verdict]["words"])


def verdict_meanings(facts: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Return the verdicts on facts of analysis.json with their meaning, the strongest first."""
    present, calibrated = {it["verdict"] for it in facts}, any(it["calibrated"] for it in facts)
    return [
        (verdict_word(name), (calibrated and it.get("calibrated")) or it["meaning"])
        for name, it in VERDICTS.items()
        if name in present
    ]


def strongest_first(facts: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return facts of analysis.json by verdict and sensitivity, equal ones as on the sheet."""
    order = [*VERDICTS]
    return sorted(
        map(dict, facts), key=lambda it: (order.index(it["verdict"]), -(it["sensitivity"] or 0.0))
    )


def law_on_the_day(provision: str, sheet: FactSheet) -> str:
    """Return a provision with its heading, and in the code that took the place of an older one.

    What is not in normal form stays as it is.
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


def language_note(text: str) -> str:
    """Say what is read of a narrative in Hindi, in either script, and what is not; else ""."""
    if len(_DEVANAGARI.findall(text)) > _SHARE * len(_LETTER.findall(text)):
        return say("hindi", "Written in Hindi")
    if len(_ROMAN.findall(text)) > _SHARE * len(text.split()):
        return say("hindi", "Written in Hindi in Latin letters")
    return ""


def render(template: str, **values: Any) -> str:
    """Return the text of a template: `report.md.j2`, `report.html.j2`, `tree.svg.j2` ..."""
    kind = template.removesuffix(".j2").rpartition(".")[2]
    return _environment(kind).get_template(template).render(values)


def say(sentence: str, *values: Any) -> str:
    """Return a macro of `sentences.txt.j2` on one line; its values stay as they are."""
    macros = _environment("txt").get_template("sentences.txt.j2").module
    return " ".join(getattr(macros, sentence)(*values).split())


def templates(package: str, safe: Callable[[Any], Any]) -> Environment:
    """Return the templates of a package, in which every value is escaped and passes through `safe`."""
    environment = Environment(
        loader=PackageLoader(package), autoescape=True, finalize=safe, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    words = {"in_full": in_full, "places": places, "verdict": verdict_word}
    environment.filters |= words | {"floor_of": floor_of, "provision": provision_name}
    own = {"version": __version__, "headings": type_headings, "say": say, "unnamed": UNNAMED}
    environment.globals |= own | {"matter_of": matter_of}
    return environment


def _places(value: float | None) -> Markup:
    """Return a number of places for people, with all its digits for programs."""
    if value is None:
        return Markup(places(value))
    return Markup('<data value="{}">{}</data>').format(repr(float(value)), places(value))


@cache
def _environment(kind: str) -> Environment:
    def safe(value: Any) -> Any:
        if kind == "svg" and isinstance(value, float):
            return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")
        if not isinstance(value, str) or isinstance(value, Markup) or kind == "txt":
            return value
        if kind == "dot":
            return Markup(plain(value).replace("\\", "\\\\").replace('"', '\\"'))
        # Markdown has no escaping in jinja2, so what `inline` escapes is marked as finished.
        return Markup(inline(value)) if kind == "md" else plain(value)

    environment = templates("countercase.reports", safe)
    environment.keep_trailing_newline, environment.autoescape = True, kind != "txt"
    environment.filters |= {
        "count_noun": count_noun,
        "figure": figure,
        # Blanks at either end stay, which `plain` would take away.
        "kept": lambda text: escape(legible(text)),
        "where": lambda quote: Quote(**quote).place,
        "places": places if kind == "txt" else _places,
        "strongest_first": strongest_first,
        "verdict_meanings": verdict_meanings,
        "verbatim": lambda text: Markup(legible(text)),
        "words_of_places": places,
    }
    return environment
