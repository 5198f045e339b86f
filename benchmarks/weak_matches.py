"""How often the precedents of a query are called a weak match, rightly and wrongly.

    python benchmarks/weak_matches.py [--set eval_sets/weak_matches.jsonl]

Each line has a query and its kind: `nonsense` and `out_of_area` should be called weak, `in_area`
should not. The model of weak matches was fitted on other queries (`training/weak_matches.jsonl`).
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

from countercase.config import load_settings
from countercase.retrieval.strength import is_weak
from countercase.session import open_session


def main() -> None:
    """Search every query with the settings as they are, and print the counts and the errors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--set", type=Path, default=Path("eval_sets/weak_matches.jsonl"))
    session = open_session(load_settings())
    called: Counter[tuple[str, bool]] = Counter()
    for line in parser.parse_args().set.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        weak = is_weak(session.search(row["text"]), session.snapshot, session.encoders)
        called[row["kind"], weak] += 1
        if weak == (row["kind"] == "in_area"):
            print("weak" if weak else "not weak", row["kind"], row["text"], sep=" | ")
    for kind in dict.fromkeys(kind for kind, _ in called):
        both = called[kind, True] + called[kind, False]
        print(f"{kind}: {called[kind, True]} of {both} called weak")


if __name__ == "__main__":
    main()
