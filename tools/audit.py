"""Draw edits, quotes or reasons for people to judge, the same ones for the same seed.

    python -m tools.audit edits [--seed N] [--count N]
    python -m tools.audit quotes [--seed N] [--count N]
    python -m tools.audit reasons [--seed N] [--count N]

Edits are drawn from those that an analysis would measure: proposed and lawful. They come from the
examples, the labelled cases and the messy matters that are not held out, a third each. Quotes and
reasons are drawn from the first five precedents of the same matters. One JSON object a line, with
what a reader needs to judge it.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from countercase.config import load_settings
from countercase.counterfactual.lawful import LawfulValidator
from countercase.counterfactual.proposals import propose
from countercase.counterfactual.states import Renderer, State
from countercase.evaluation.counterfactual.readings import sheet_of
from countercase.evaluation.reading import choose
from countercase.evaluation.sets import read_counterfactual, read_reading
from countercase.facts.case_file import read_case
from countercase.facts.extraction import extract
from countercase.facts.model import FactSheet
from countercase.session import open_session

ROOT: Final = Path(__file__).parents[1]
READ: Final = 5
"""Precedents of a matter whose quotes are drawn from."""
SETS: Final = (
    ("reading.jsonl", "developed"),
    ("reading_development.jsonl", "all"),
)


def matters(rng: random.Random) -> list[FactSheet]:
    """Examples, labelled cases and messy matters, shuffled, the three sources in turn."""
    files = sorted([*(ROOT / "examples").glob("*.json"), *(ROOT / "examples").glob("*.txt")])
    messy = [
        extract(case.text, case.case_id, case.title)
        for name, part in SETS
        for case in choose(read_reading(ROOT / "eval_sets" / name), part)  # type: ignore[arg-type]
    ]
    sources = (
        [read_case(path) for path in files],
        [sheet_of(case) for case in read_counterfactual(ROOT / "eval_sets/counterfactual.jsonl")],
        messy,
    )
    for source in sources:
        rng.shuffle(source)
    longest = max(map(len, sources))
    return [source[at] for at in range(longest) for source in sources if at < len(source)]


def draw_edits(rng: random.Random, count: int) -> Iterator[dict[str, Any]]:
    """Accepted edits of examples, labelled and messy matters in turn."""
    judge = LawfulValidator()
    pools: dict[str, list[dict[str, Any]]] = {}
    for sheet in matters(rng):
        source, renderer = _source(sheet), Renderer(sheet)
        for edit in propose(sheet):
            if judge.judge(sheet, [edit]).plausible:
                before, after = (_statements(renderer, it) for it in (State(), State.of([edit])))
                pools.setdefault(source, []).append({
                    "case_id": sheet.case_id, "edit_id": edit.edit_id, "rule": edit.rule,
                    "fact_type": edit.fact_type, "operation": edit.operation,
                    "original_value": edit.original_value, "perturbed_value": edit.perturbed_value,
                    "provision": edit.provision, "reason": edit.reason,
                    "supposition": edit.supposition, "occurred_on": sheet.occurred_on,
                    "before": sorted(before - after), "after": sorted(after - before),
                    "narrative": sheet.narrative,
                })  # fmt: skip
    for pool in pools.values():
        rng.shuffle(pool)
    longest = max(map(len, pools.values()))
    turns = (pool[at] for at in range(longest) for pool in pools.values() if at < len(pool))
    yield from (row for row, _ in zip(turns, range(count), strict=False))


def _statements(renderer: Renderer, state: State) -> set[str]:
    """The sentences that say the facts of a state."""
    return {segment.text for segment in renderer.segments(state) if segment.fact_id}


def draw_quotes(
    rng: random.Random, count: int, only_reasons: bool = False
) -> Iterator[dict[str, Any]]:
    """Quotes of precedents with their place, or only those that say what fact they speak of."""
    settings = load_settings(ROOT, {}).model_copy(update={"MAX_STATES": 1, "NULL_EDITS": 0})
    session = open_session(settings)
    drawn = 0
    for sheet in matters(rng):
        precedents = session.analyze(sheet).precedents[:READ]
        rows = [
            {
                "case_id": sheet.case_id, "precedent": precedent.case_id,
                "title": precedent.title, "segment": found.segment, "facts": found.facts,
                "speaks_of": found.shared, "label": found.quote.place, "quote": found.quote.text,
            }
            for precedent in precedents
            for found in precedent.reasons
            if found.shared or not only_reasons
        ]  # fmt: skip
        for row in rng.sample(rows, min(READ, len(rows))):
            if drawn == count:
                return
            drawn += 1
            yield row


def _source(sheet: FactSheet) -> str:
    """The kind of matter by its id."""
    prefix = sheet.case_id.split("-")[0]
    return {"cf": "labelled", "rd": "messy", "rb": "messy", "na": "messy", "nb": "messy"}.get(
        prefix, "example"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.audit", description=__doc__)
    parser.add_argument("what", choices=("edits", "quotes", "reasons"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    asked = parser.parse_args(arguments)
    rng = random.Random(asked.seed)
    if asked.what == "edits":
        rows = draw_edits(rng, asked.count)
    else:
        rows = draw_quotes(rng, asked.count, only_reasons=asked.what == "reasons")
    for row in rows:
        sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
