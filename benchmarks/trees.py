"""Check the trees of all examples from their files alone.

    python benchmarks/trees.py [CASE ...] [--corpus NAME] [--json]

For each case: `countercase analyze --out`, then, from `tree.json` and `case.json` only: edges of every
fact type that the case has, no state twice, every displacement equal to a recomputation from the two
rankings, pruned branches below the threshold, the rejected ones with a reason. Exit status 1 if not.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from countercase.facts.case_file import read_case
from countercase.facts.vocabulary import FACT_TYPES

EXAMPLES = Path(__file__).parent.parent / "examples"


def displacement(parent: list[str], child: list[str], k: int) -> float:
    """Mean rank displacement, written again from its definition."""
    union = set(parent) | set(child)

    def rank(listed: list[str], case: str) -> int:
        return listed.index(case) + 1 if case in listed else k + 1

    return sum(abs(rank(parent, case) - rank(child, case)) for case in union) / len(union)


def faults_of(tree: dict[str, Any], types: set[str]) -> list[str]:
    """Everything that is wrong with one tree document."""
    found = []
    nodes = {node["id"]: node for node in tree["nodes"]}
    k, minimum = tree["graph"]["top_k"], tree["graph"]["min_displacement"]
    states = [frozenset(node["edits"]) for node in tree["nodes"]]
    if len(states) != len(set(states)) or len(nodes) != len(tree["nodes"]):
        found.append("a state stands twice")
    incoming: dict[str, list[float]] = {}
    kinds = set()
    for link in tree["links"]:
        kinds.add(link["edit"]["fact_type"])
        target = nodes[link["target"]]
        if target["status"] == "rejected":
            if link["mean_displacement"] is not None or not target.get("reason"):
                found.append(f"{link['target']}: rejected without a reason or with a displacement")
            continue
        lists = [
            [item["case_id"] for item in nodes[end]["ranking"]]
            for end in (link["source"], link["target"])
        ]
        mean = displacement(lists[0], lists[1], k)
        if abs(mean - link["mean_displacement"]) > 1e-9:
            found.append(
                f"{link['source']} to {link['target']}: {link['mean_displacement']}, not {mean}"
            )
        incoming.setdefault(link["target"], []).append(mean)
    for name, moves in incoming.items():
        status = nodes[name]["status"]
        if (status == "pruned") != (max(moves) < minimum):
            found.append(f"{name} is {status} at {max(moves)}")
    sources = {link["source"] for link in tree["links"]}
    found += [f"{n} is pruned and has children" for n in sources if nodes[n]["status"] == "pruned"]
    found += [f"no edge of type {kind}" for kind in sorted(types - kinds)]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    listed = sorted([*EXAMPLES.glob("*.json"), *EXAMPLES.glob("*.txt")])
    parser.add_argument("cases", type=Path, nargs="*", default=listed)
    parser.add_argument("--corpus", default="casebook")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    rows = []
    for case in arguments.cases:
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "countercase", "analyze", str(case), "--out", folder]
            command += ["--corpus", arguments.corpus]
            subprocess.run(command, check=True, capture_output=True)
            tree = json.loads((Path(folder) / "tree.json").read_text(encoding="utf-8"))
        types = {kind for kind in FACT_TYPES if read_case(case).of_type(kind)}
        status = [node["status"] for node in tree["nodes"]]
        rows.append(
            {
                "case": case.name,
                "types": [kind for kind in FACT_TYPES if kind in types],
                "states": len(status),
                "edges": len(tree["links"]),
                "pruned": status.count("pruned"),
                "rejected": status.count("rejected"),
                "faults": faults_of(tree, types),
            }
        )
        if not arguments.json:
            row = rows[-1]
            line = f"{row['case']:26} {row['states']:4} states {row['edges']:4} edges "
            line += f"{row['pruned']:3} pruned {row['rejected']:3} refused  "
            print(
                line + "/".join(row["types"]),
                "ok" if not row["faults"] else row["faults"],
                flush=True,
            )
    if arguments.json:
        print(json.dumps(rows, indent=1))
    sys.exit(any(row["faults"] for row in rows))


if __name__ == "__main__":
    main()
