"""Draw what-ifs, quotes or reasons for people to judge, the same ones for the same seed.

    python -m tools.audit edits [--seed N] [--count N] [--development]
    python -m tools.audit quotes [--seed N] [--count N]
    python -m tools.audit reasons [--seed N] [--count N]

What-ifs are drawn from those that an analysis would measure: proposed and lawful. They come from the
examples, the labelled cases, the messy matters that are not held out, and the records of the
casebook, a quarter each, one of each matter before a second of any. With `--development` no matter
of `eval_sets/` is opened: the matters of `training/matters`, as labelled and as extracted, take the
place of the labelled and the messy ones. Quotes and reasons are drawn from the first five precedents
of the same matters. One JSON object a line, with what a reader needs to judge it.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

from countercase.config import load_settings
from countercase.corpus.casebook.form import sheet_of_record
from countercase.corpus.casebook.records import casebook_records
from countercase.counterfactual.lawful import LawfulValidator
from countercase.counterfactual.proposals import propose
from countercase.counterfactual.states import Renderer, State
from countercase.evaluation.counterfactual.labels import sheet_of
from countercase.evaluation.reading import choose
from countercase.evaluation.sets import CounterfactualCase, ReadingCase, read_set
from countercase.fact_types.suppositions import describe_change
from countercase.facts.case_file import read_case
from countercase.facts.edits import Edit
from countercase.facts.extraction import extract
from countercase.facts.model import FactSheet
from countercase.registry import FACT_TYPES
from countercase.session import open_session
from training.matter_sheets import load_matters, sheet_of_matter

ROOT: Final = Path(__file__).parents[1]
READ: Final = 5
"""Precedents of a matter whose quotes are drawn from."""
SETS: Final = (
    ("reading.jsonl", "developed"),
    ("reading_development.jsonl", "all"),
)
Matters: TypeAlias = dict[str, list[Callable[[], FactSheet]]]
"""By source, what reads each of its matters."""
_Item = TypeVar("_Item")


def matters(rng: random.Random, development: bool = False) -> Matters:
    """Return the matters of each source, shuffled; each is read when it is drawn from.

    Args:
        development: whether training matters take the place of those of `eval_sets/`.
    """
    files = sorted([*(ROOT / "examples").glob("*.json"), *(ROOT / "examples").glob("*.txt")])
    sources: Matters = {
        "example": [partial(read_case, path) for path in files],
        **(_training_matters() if development else _evaluation_matters()),
        "casebook": [partial(sheet_of_record, record) for record in casebook_records()],
    }
    for own in sources.values():
        rng.shuffle(own)
    return sources


def _evaluation_matters() -> Matters:
    messy = [
        case
        for name, part in SETS
        for case in choose(read_set(ROOT / "eval_sets" / name, ReadingCase), part)  # type: ignore[arg-type]
    ]
    labelled = read_set(ROOT / "eval_sets/counterfactual.jsonl", CounterfactualCase)
    return {
        "labelled": [partial(sheet_of, case) for case in labelled],
        "messy": [partial(_read_messy, case) for case in messy],
    }


def _training_matters() -> Matters:
    listed = load_matters()
    return {
        "matter": [partial(_read_labels, matter) for matter in listed],
        "matter, extracted": [
            partial(extract, matter["text"], matter["matter_id"]) for matter in listed
        ],
    }


def _read_labels(matter: dict[str, Any]) -> FactSheet:
    return sheet_of_matter(matter)[0]


def _read_messy(case: ReadingCase) -> FactSheet:
    return extract(case.text, case.case_id, case.title)


def in_turn(streams: Iterable[Iterator[_Item]]) -> Iterator[_Item]:
    """Yield the first of each stream, then the second; a stream that ends drops out."""
    queue = deque(streams)
    while queue:
        stream = queue.popleft()
        for item in islice(stream, 1):
            yield item
            queue.append(stream)


def draw_edits(
    rng: random.Random, count: int, development: bool = False
) -> Iterator[dict[str, Any]]:
    """Draw lawful what-ifs of the sources in turn, of each the matters in turn."""
    sources = matters(rng, development).items()
    streams = [in_turn(map(partial(_edits_of, rng, source), own)) for source, own in sources]
    yield from islice(in_turn(streams), count)


def _edits_of(
    rng: random.Random, source: str, read: Callable[[], FactSheet]
) -> Iterator[dict[str, Any]]:
    sheet, judge = read(), LawfulValidator()
    edits = [edit for edit in propose(sheet) if judge.judge(sheet, [edit]).plausible]
    rng.shuffle(edits)
    yield from ({"source": source, **_row(sheet, edit)} for edit in edits)


def _row(sheet: FactSheet, edit: Edit) -> dict[str, Any]:
    """What a reader needs to judge an edit."""
    renderer = Renderer(sheet)
    before, after = (_statements(renderer, it) for it in (State(), State.of([edit])))
    mentions = [
        sheet.narrative[span.start : span.end]
        for fact in sheet.facts
        if fact.fact_id == edit.fact_id
        for span in fact.spans
    ]
    return {
        "case_id": sheet.case_id, "edit_id": edit.edit_id, "rule": edit.rule,
        "fact_type": edit.fact_type, "fact": edit.original_value, "mentions": mentions,
        "operation": edit.operation, "becomes": edit.perturbed_value,
        "supposition": edit.supposition, "reason": edit.reason, "provision": edit.provision,
        "consequences": [describe_change(sheet, change) for change in edit.consequences],
        "before": sorted(before - after), "after": sorted(after - before),
        "sheet": [FACT_TYPES.get(fact.fact_type).label(fact) for fact in sheet.facts],
        "occurred_on": sheet.occurred_on, "narrative": sheet.narrative,
    }  # fmt: skip


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
    for sheet in in_turn((read() for read in own) for own in matters(rng).values()):
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.audit", description=__doc__)
    parser.add_argument("what", choices=("edits", "quotes", "reasons"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--development", action="store_true", help="open nothing of eval_sets/")
    asked = parser.parse_args(arguments)
    rng = random.Random(asked.seed)
    if asked.what == "edits":
        rows = draw_edits(rng, asked.count, asked.development)
    else:
        rows = draw_quotes(rng, asked.count, only_reasons=asked.what == "reasons")
    for row in rows:
        sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
