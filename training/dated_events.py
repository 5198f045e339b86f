"""Learn what happened on a date from the labelled matters.

    python -m training.dated_events [--install]

A figure that follows from two dates is labelled with what it measures and with both dates; the
table `EVENTS` says which two events that are. `dated_notes.jsonl` holds
dates as they stand in the shortest notes: `text`, and `events` of its dates in order. Without
`--install` the model is only measured, on folds of the matters that do not measure the reader.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from countercase.fact_types.numerical.dated_events import features_of, find_days
from countercase.text.spans import Span
from training.logistic import Fitted, fit
from training.matter_sheets import is_held_out, load_matters
from training.matters_check import find_spans

FILE: Final = (
    Path(__file__).parents[1] / "countercase" / "fact_types" / "data" / "dated_events.jsonl"
)
NOTES: Final = Path(__file__).with_name("dated_notes.jsonl")
EVENTS: Final[dict[str, tuple[str, str]]] = {
    "since marriage": ("marriage", "death"),
    "age": ("birth", "occurrence"),
    "age at marriage": ("birth", "marriage"),
    "report delay": ("occurrence", "report"),
    "injury to death": ("occurrence", "death"),
    "custody": ("arrest", "release"),
    "report to arrest": ("report", "arrest"),
    "marriage to report": ("marriage", "report"),
    "cheque to presentation": ("cheque", "presentation"),
    "cheque to return": ("cheque", "dishonour"),
    "dishonour to notice": ("dishonour", "notice"),
    "notice to complaint": ("receipt", "filing"),
    "award to challenge": ("award", "filing"),
    "accident to claim": ("occurrence", "filing"),
    "accident to award": ("occurrence", "award"),
    "service to version": ("receipt", "reply"),
    "service to application": ("receipt", "filing"),
    "delay in filing": ("judgment", "filing"),
    "judgment to appeal": ("judgment", "filing"),
    "application to order": ("filing", "judgment"),
    "order to execution": ("judgment", "filing"),
    "default": ("default", "filing"),
    "default to application": ("default", "filing"),
    "default to petition": ("default", "filing"),
    "separation": ("separation", "filing"),
    "possession": ("possession", "filing"),
    "notice to petition": ("notice", "filing"),
    "notice to suit": ("notice", "filing"),
    "suit to complaint": ("filing", "filing"),
    "service": ("joining", "leaving"),
}
"""The events that the two dates of a derived figure stand for, by what it measures."""
CRIMES: Final = (
    "caste_atrocities", "child_sexual_offences", "homicide", "juvenile_justice", "motor_accident",
    "narcotics", "sexual_offences", "terrorism",
)  # fmt: skip
"""Areas in which the law is read on the day of the occurrence."""
STRENGTH: Final = 3.0
SCARCE: Final = 3
FEWEST: Final = 4
"""Dates of an event below which it is not learnt."""
LEAST: Final = 0.08
"""Weights below it are left out of the file."""
FOLDS: Final = 5

NAMED: Final = {
    "marriage": "marriage", "birth": "birth", "death": "death", "arrest": "arrest",
    "surrender": "arrest", "FIR": "report", "cheque": "cheque", "dishonour": "dishonour",
    "notice": "notice", "award": "award", "judgment": "judgment", "suit": "filing",
    "petition": "filing", "appeal": "filing", "application": "filing", "receipt": "receipt",
    "release": "release", "separation": "separation", "accident": "occurrence",
    "incident": "occurrence", "attack": "occurrence", "quarrel": "occurrence",
}  # fmt: skip
"""The event of an unlabelled date for which the words beside it name just one, by its name in the
vocabulary of events."""
WEAK: Final = 0.3
"""How much such a date counts, beside 1 for a labelled one."""

Example = tuple[int, dict[str, float], frozenset[str], bool]
"""The number of the matter of a date (below 0: of a note), its features, its events, whether they
are labelled."""


def read_examples() -> list[Example]:
    """Return all full dates of the matters, then those of the notes, numbered from below 0."""
    examples: list[Example] = []
    for number, matter in enumerate(load_matters()):
        days = find_days(matter["text"])
        events = _labelled(matter, [span for _, span in days])
        for n, features in enumerate(features_of(matter["text"], days)):
            named = [name.rpartition(" ")[2] for name in features if "some event" in name]
            weak = {NAMED[name] for name in named if name in NAMED} if len(named) == 1 else ()
            labelled = n in events
            examples.append((number, features, frozenset(events.get(n, weak)), labelled))
    for number, line in enumerate(NOTES.read_text(encoding="utf-8").splitlines(), 1):
        note = json.loads(line)
        rows = features_of(note["text"], find_days(note["text"]))
        for features, event in zip(rows, note["events"], strict=True):
            examples.append((-number, features, frozenset([event]), True))
    return examples


def _labelled(matter: Mapping[str, Any], spans: Sequence[Span]) -> dict[int, set[str]]:
    """Return the events of the dates of a matter, by the number of the date."""
    events: dict[int, set[str]] = {}
    text = matter["text"]
    days = [day for day, _ in find_days(text)]
    for fact in matter["facts"]:
        named = EVENTS.get(fact.get("measures", "")) if fact["type"] == "Numerical" else None
        if named is None or fact["stated"]:
            continue
        places = [
            n
            for start, end in find_spans(text, fact["mentions"])
            for n, span in enumerate(spans)
            if span.overlaps(Span(start, end))
        ]
        if len(places) == 2:
            for n, event in zip(sorted(places, key=lambda n: days[n]), named, strict=True):
                events.setdefault(n, set()).add(event)
    told = {"dowry": "death"} | dict.fromkeys(CRIMES, "occurrence")
    if (words := matter["read_on_words"]) and matter["area"] in told:
        start = text.find(words)
        for n, span in enumerate(spans):
            if span.overlaps(Span(start, start + len(words))):
                events.setdefault(n, set()).add(told[matter["area"]])
    return events


def fit_events(examples: Sequence[Example]) -> dict[str, Fitted]:
    """Return a model for each event.

    Dates without the event count against it where their matter has it, or where they have another;
    what an unlabelled date of another matter stands for is not known.
    """
    models = {}
    for event in sorted({event for *_, events, _ in examples for event in events}):
        having = {number for number, _, events, known in examples if known and event in events}
        rows = [it for it in examples if it[2] or it[0] in having]
        marks = [event in events for *_, events, _ in rows]
        weights = [1.0 if known or n in having else WEAK for n, _, _, known in rows]
        if sum(marks) >= FEWEST:
            models[event] = fit([it[1] for it in rows], marks, STRENGTH, SCARCE, weights=weights)
    return models


def measure(examples: Sequence[Example]) -> None:
    """Print how well the events of dates are found, in matters that were not learnt from."""
    counts: dict[str, list[int]] = {}
    for fold in range(FOLDS):
        models = fit_events([it for it in examples if it[0] % FOLDS != fold])
        tested = (it for it in examples if it[0] % FOLDS == fold and it[3])
        for _, features, events, _ in tested:
            odds = {event: model.log_odds(features) for event, model in models.items()}
            best = max(odds, key=lambda event: odds[event])
            for event in models:
                count = counts.setdefault(event, [0, 0, 0, 0])
                count[0] += event in events
                count[1] += odds[event] > 0
                count[2] += odds[event] > 0 and event in events
                count[3] += event == best and event in events
    for event, (labelled, found, right, first) in sorted(counts.items()):
        print(f"{event:14} {labelled:4} labelled {found:4} found {right:4} right {first:4} first")


def main() -> None:
    """Measure the model on folds, and write it where that is asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--install", action="store_true", help=f"write {FILE.name}")
    arguments = parser.parse_args()
    examples = [it for it in read_examples() if it[0] < 0 or not is_held_out(it[0])]
    measure(examples)
    if arguments.install:
        rows = [
            {
                "event": event,
                "bias": round(model.bias, 2),
                "weights": {
                    n: round(w, 2) for n, w in sorted(model.weights.items()) if abs(w) >= LEAST
                },
            }
            for event, model in fit_events(examples).items()
        ]
        lines = (json.dumps(row, ensure_ascii=False) for row in rows)
        FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
