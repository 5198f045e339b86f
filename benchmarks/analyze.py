"""How long the analysis of a case takes: every example, cold cache, stage by stage.

    python benchmarks/analyze.py [CASE ...] [--against DIR] [--runs 5] [--homes DIR] [--json FILE]

Models are prepared and the casebook is indexed before the clock starts. Each run is a process of its
own that finds an empty cache; it is done with the cross-encoder and without. `--against` takes another
checkout (`git worktree add DIR COMMIT`) and runs it in turn with this one. Printed: medians of wall and
processor seconds over the runs, summed over the cases, by stage, and their ratios; how many of the top
ten lists are the same; and what a tree of 40 states costs in root states, by processor time, with each
model compiled before: for the search alone, and with all that goes before the first ranking.

On a shared machine processor seconds and ratios mean more than wall seconds.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from countercase.errors import InputError

HERE = Path(__file__).resolve().parents[1]
STAGES = ("start", "read the case", "open", "root", "words alone", "tree", "rest", "explain")
PARTS = ("encoding", "cross-encoder")
"""Parts of the stages, counted over all of them."""

CHILD = r"""
import functools, importlib, json, sys, time
began = (time.perf_counter(), 0.0)
now = lambda: (time.perf_counter(), time.process_time())
marks, parts, depth = {}, {}, [0]
def took(start): return [end - first for end, first in zip(now(), start)]
def timed(where, owner, name, label, into):
    try:
        holder = getattr(importlib.import_module(where), owner)
    except (ImportError, AttributeError):
        return
    plain = getattr(holder, name)
    @functools.wraps(plain)
    def wrapper(*values, **named):
        nested = into is parts and depth[0]
        depth[0] += into is parts
        start = now()
        try:
            return plain(*values, **named)
        finally:
            depth[0] -= into is parts
            if not nested:
                into[label] = [a + b for a, b in zip(into.get(label, (0, 0)), took(start))]
    setattr(holder, name, wrapper)
from countercase.config import load_settings
from countercase.counterfactual import analysis
from countercase.facts.case_file import read_case
from countercase.session import open_session
case, job, with_cross = sys.argv[1], sys.argv[2], sys.argv[3] == "with"
chosen = {"USE_RERANKER": with_cross}
if job == "tree":
    chosen |= {"MIN_DISPLACEMENT": 0.0, "MAX_STATES": 40}
marks["start"] = took(began)
start = now(); sheet = read_case(case); marks["read the case"] = took(start)
settings = load_settings(**chosen)
start = now(); session = open_session(settings); marks["open"] = took(start)
if job == "prepare":
    session.encoders.score([("warm", "warm")])
    session.search("warm")
    sys.exit()
if job == "tree":  # models are compiled before the clock starts
    session.search("warm")
E = "countercase.encoders."
for where, owner, name, label in (
    ("embedded.suite", "EmbeddedEncoders", "encode", "encoding"),
    ("base", "CachedEncoders", "score", "cross-encoder"),
    ("embedded.apart", "EmbeddedApart", "read", "cross-encoder"),
    ("embedded.apart", "EmbeddedApart", "compare", "cross-encoder"),
):
    timed(E + where, owner, name, label, parts)
C = "countercase.counterfactual."
timed(C + "analysis", "PerturbationTree", "rank_root", "root", marks)
timed(C + "analysis", "PerturbationTree", "grow", "tree", marks)
nulls = analysis._measure_nulls
def measured(*values):
    start = now()
    try: return nulls(*values)
    finally: marks["words alone"] = took(start)
analysis._measure_nulls = measured
measure = type(session).measure
def whole(self, *values, **named):
    start = now()
    try: return measure(self, *values, **named)
    finally: marks["measure"] = took(start)
type(session).measure = whole
twins = type(session.retriever).twins
def alike(self, *values, **named):
    start = now()
    try: return twins(self, *values, **named)
    finally: marks["twins"] = took(start)
type(session.retriever).twins = alike
start = now(); result = session.analyze(sheet); done = took(start)
measure_took = marks.pop("measure"); twins_took = marks.pop("twins")
marks["explain"] = [a - b for a, b in zip(done, measure_took)]
marks["root"] = [a + b for a, b in zip(marks["root"], twins_took)]
known = [marks[name] for name in ("root", "words alone", "tree")]
marks["rest"] = [m - sum(k) for m, *k in zip(measure_took, *known)]
states = [node.ranking for node in result.tree.nodes() if node.ranking is not None]
print(json.dumps({"stages": marks, "parts": parts, "states": len(states), "whole": list(now()),
                  "top": [list(r.case_ids) for r in states], "began": began[0]}))
"""


def analysed(checkout: Path, home: Path, case: Path, job: str, cross: bool) -> dict[str, Any]:
    """What a process of its own says of one analysis from an empty cache."""
    shutil.rmtree(home / "cache", ignore_errors=True)
    run = subprocess.run(
        [sys.executable, "-c", CHILD, str(case), job, "with" if cross else "without"],
        check=True,
        capture_output=True,
        text=True,
        cwd=checkout,
        env=os.environ | {"COUNTERCASE_HOME": str(home), "PYTHONPATH": str(checkout)},
    )
    if job == "prepare":
        return {}
    found: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    wall, cpu = found.pop("whole")
    found["whole"] = [wall - found.pop("began"), cpu]
    return found


def medians(runs: Sequence[dict[str, Any]], what: str, at: int) -> dict[str, float]:
    """The median of each stage or part over the runs of one case; `at`: 0 wall, 1 processor."""
    names = STAGES if what == "stages" else PARTS
    return {
        name: statistics.median(run[what].get(name, (0.0, 0.0))[at] for run in runs)
        for name in names
    }


def summed(cases: Sequence[Sequence[dict[str, Any]]], at: int) -> dict[str, float]:
    """Medians over the runs of each case, summed over the cases."""
    rows = [
        medians(runs, "stages", at)
        | medians(runs, "parts", at)
        | {"whole": statistics.median(run["whole"][at] for run in runs)}
        for runs in cases
    ]
    return {name: round(sum(row[name] for row in rows), 3) for name in rows[0]}


def chosen_cases(given: Sequence[Path]) -> list[Path]:
    """The case files that were given, or all examples.

    Raises:
        InputError: one of them is no file.
    """
    for path in given:
        if not path.is_file():
            raise InputError(f"{path}: there is no such file; check the path")
    files = (path for path in (HERE / "examples").iterdir() if path.suffix in (".json", ".txt"))
    return [path.resolve() for path in given] or sorted(files)


def main() -> int:
    """Read the arguments, measure, print; 2 where a case is no file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("cases", type=Path, nargs="*")
    parser.add_argument("--against", type=Path, help="another checkout")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument(
        "--homes",
        type=Path,
        help="keep models and indexes here, for the next time; caches are emptied",
    )
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    try:
        cases = chosen_cases(given.cases)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    checkouts = {"now": HERE} | ({"before": given.against.resolve()} if given.against else {})
    found: dict[str, dict[str, list[list[dict[str, Any]]]]] = {
        name: {job: [[] for _ in cases] for job in ("with", "without", "tree")}
        for name in checkouts
    }
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.homes or temporary
        for name, checkout in checkouts.items():
            analysed(checkout, Path(folder) / name, cases[0], "prepare", True)
        for run in range(given.runs):
            for at, case in enumerate(cases):
                for job, by_name in ((j, n) for j in ("with", "without", "tree") for n in found):
                    what, cross = ("tree" if job == "tree" else "analyze"), job != "without"
                    one = analysed(checkouts[by_name], Path(folder) / by_name, case, what, cross)
                    found[by_name][job][at].append(one)
                print(f"run {run + 1}, {case.stem}", file=sys.stderr, flush=True)
            report = described(found, checkouts)
            report |= {"cases": [case.stem for case in cases], "runs": run + 1}
            if given.json:  # after each run, so that a run that is stopped loses nothing
                given.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
            if run + 1 < given.runs:
                show(report)
    show(report)
    return 0


def described(
    found: dict[str, dict[str, list[list[dict[str, Any]]]]], checkouts: dict[str, Path]
) -> dict[str, Any]:
    """Seconds by checkout, job and stage, trees in roots, and the lists that agree."""
    report: dict[str, Any] = {"seconds": {}, "tree_in_roots": {}}
    for name in checkouts:
        report["seconds"][name] = {
            job: {"wall": summed(found[name][job], 0), "processor": summed(found[name][job], 1)}
            for job in ("with", "without", "tree")
        }
        trees = report["seconds"][name]["tree"]["processor"]
        before = sum(trees[stage] for stage in ("start", "read the case", "open"))
        report["tree_in_roots"][name] = [
            round((first + trees["root"] + trees["tree"]) / (first + trees["root"]), 2)
            for first in (0.0, before)
        ]
        report.setdefault("states", {})[name] = sum(
            runs[0]["states"] for runs in found[name]["tree"]
        )
    if "before" in found:
        pairs = [
            (ours[0]["top"][0], theirs[0]["top"][0])
            for ours, theirs in zip(found["now"]["with"], found["before"]["with"], strict=True)
        ]
        report["same_top_ten"] = [sum(a == b for a, b in pairs), len(pairs)]
    return report


def show(report: dict[str, Any]) -> None:
    names = list(report["seconds"])
    print(f"{len(report['cases'])} cases, cold cache, sums of medians")
    for job in ("with", "without"):
        print(f"\n{job} the cross-encoder")
        head = "".join(f"{n + ', wall':>15}{n + ', cpu':>15}" for n in names)
        print(f"{'':20}{head}")
        for stage in (*STAGES, "whole", *PARTS):
            row = [
                report["seconds"][n][job][kind][stage]
                for n in names
                for kind in ("wall", "processor")
            ]
            line = "".join(f"{value:15.2f}" for value in row)
            ratio = ""
            if len(row) == 4 and row[0] and row[1]:
                ratio = f"   {row[2] / row[0]:6.2f} x wall {row[3] / row[1]:6.2f} x cpu"
            print(f"{stage:20}{line}{ratio}")
    for name in names:
        own = report["seconds"][name]
        shares = [
            own["with"][k]["whole"] / own["without"][k]["whole"] for k in ("wall", "processor")
        ]
        print(
            f"\n{name}: with / without the cross-encoder {shares[0]:.2f} (wall), {shares[1]:.2f} "
            f"(processor); trees of {report['states'][name]} states take "
            "{} times their root states (processor), {} times counted from the start".format(
                *report["tree_in_roots"][name]
            )
        )
    if "same_top_ten" in report:
        same, of = report["same_top_ten"]
        print(f"top ten of the case as it is the same: {same} of {of}")


if __name__ == "__main__":
    sys.exit(main())
