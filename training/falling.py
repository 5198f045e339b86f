"""Measure what goes with an item of evidence that is lost.

    python -m training.falling

`falling.jsonl` says of matters which figures and provisions a reader lets fall with each item, by the
places of their first mentions: of items, of figures and provisions, and the pairs of them that fall.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from countercase.fact_types.consequences import consequences_of
from countercase.facts.edits import Change
from countercase.facts.extraction import extract
from countercase.facts.model import EvidenceValue
from training.matter_sheets import load_judged, load_matters

JUDGED: Final = Path(__file__).with_name("falling.jsonl")


def main() -> None:
    """Print how much of what readers let fall does fall, and how much of what falls is right."""
    texts = {m["matter_id"]: m["text"] for m in (*load_matters(), *load_judged())}
    right = drawn = judged = items = 0
    for line in JUDGED.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        sheet = extract(texts[row["matter_id"]])
        places = {(s.start, s.end): f for f in reversed(sheet.facts) for s in f.spans[:1]}
        known = [places.get(tuple(place)) for place in row["facts"]]
        for n, place in enumerate(row["items"]):
            item = next((f for f in sheet.of_type("Evidence") if f.spans[:1] and
                         [f.spans[0].start, f.spans[0].end] == place), None)  # fmt: skip
            if item is None:
                continue
            lost = Change(item.fact_id, "Evidence", "remove", item.value_as(EvidenceValue), None)
            gone = {it.fact_id for it in consequences_of(sheet, lost)}
            told = {known[m].fact_id for i, m in row["falls"] if i == n and known[m] is not None}
            falls = gone & {fact.fact_id for fact in known if fact is not None}
            right, drawn, judged = right + len(falls & told), drawn + len(falls), judged + len(told)
            items += 1
    print(
        f"{items} items: {right} of {judged} fall ({right / judged:.3f}), "
        f"{right} of {drawn} that fall are right ({right / drawn:.3f})"
    )


if __name__ == "__main__":
    main()
