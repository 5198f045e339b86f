"""How long the analysis of a case takes: every example, cold cache, phase by phase.

    python benchmarks/analyze.py [CASE ...] [--against DIR] [--runs 5] [--homes DIR] [--json FILE]

Models are prepared and the casebook is indexed before the clock starts. Each run is a process of its
own that finds an empty cache; it is done with the cross-encoder and without. `--against` takes another
checkout (`git worktree add DIR COMMIT`) and runs it in turn with this one. Printed: medians over the
runs, summed over the cases, of the wall seconds of each phase as the analysis itself gives them, of
wall and processor seconds of the whole process, and how many of the top ten lists are the same.

On a shared machine processor seconds and ratios mean more than wall seconds.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parents[1]
JOBS = {"with the cross-encoder": "True", "without the cross-encoder": "False"}

Taken = dict[str, list[float]]
"""The seconds of each phase, one figure a run."""


def run_analysis(
    checkout: Path, home: Path, case: Path, cross: str, taken: Taken | None
) -> list[str]:
    """Analyze a case from an empty cache in a process of its own, and return its top ten."""
    shutil.rmtree(home / "cache", ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "settings.py").write_text(f"USE_RERANKER = {cross}\n", encoding="utf-8")
        began, cpu = time.perf_counter(), _processor_seconds()
        subprocess.run(
            [sys.executable, "-m", "countercase", "analyze", str(case), "--out", "out"],
            check=True,
            capture_output=True,
            cwd=folder,
            env=os.environ | {"COUNTERCASE_HOME": str(home), "PYTHONPATH": str(checkout)},
        )
        whole = {
            "process, wall": time.perf_counter() - began,
            "process, processor": _processor_seconds() - cpu,
        }
        found: dict[str, Any] = json.loads((Path(folder) / "out" / "analysis.json").read_text())
    if taken is not None:
        for name, seconds in (found["timings"] | whole).items():
            taken[name].append(seconds)
    return [precedent["case_id"] for precedent in found["precedents"]]


def _processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> int:
    """Read the arguments, measure, print after each run; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    examples = sorted(
        path for path in (HERE / "examples").iterdir() if path.suffix in (".json", ".txt")
    )
    parser.add_argument("cases", type=Path, nargs="*", default=examples)
    parser.add_argument("--against", type=Path, help="another checkout")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument(
        "--homes", type=Path, help="keep models and indexes here; caches are emptied"
    )
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    for path in given.cases:
        if not path.is_file():
            print(f"error: {path}: there is no such file; check the path", file=sys.stderr)
            return 2
    cases = [path.resolve() for path in given.cases]
    checkouts = {"now": HERE} | ({"before": given.against.resolve()} if given.against else {})
    taken: dict[tuple[str, str, Path], Taken] = defaultdict(lambda: defaultdict(list))
    tops: dict[tuple[str, Path], list[str]] = {}
    with tempfile.TemporaryDirectory() as temporary:
        homes = {name: Path(given.homes or temporary) / name for name in checkouts}
        for name, checkout in checkouts.items():
            run_analysis(checkout, homes[name], cases[0], "True", None)
        for run in range(1, given.runs + 1):
            for case in cases:
                for job, cross in JOBS.items():
                    for name, checkout in checkouts.items():
                        own = taken[job, name, case]
                        top = run_analysis(checkout, homes[name], case, cross, own)
                        if cross == "True":
                            tops[name, case] = top
            seconds: dict[str, dict[str, dict[str, float]]] = {}
            for (job, name, _), phases in taken.items():
                sums = seconds.setdefault(job, {}).setdefault(name, defaultdict(float))
                for phase, runs in phases.items():
                    sums[phase] += statistics.median(runs)
            show(seconds, f"{len(cases)} cases, cold cache, sums of medians of {run} runs")
            if given.json:  # after each run, so that a run that is stopped loses nothing
                given.json.write_text(json.dumps(seconds, indent=1) + "\n", encoding="utf-8")
    if "before" in checkouts:
        same = sum(tops["now", case] == tops["before", case] for case in cases)
        print(f"top ten of the case as it is the same: {same} of {len(cases)}")
    return 0


def show(seconds: dict[str, dict[str, dict[str, float]]], title: str) -> None:
    """Print a table for each job, with ratios where two checkouts were run."""
    print(title)
    for job, by_name in seconds.items():
        print(f"\n{job:25}" + "".join(f"{name:>10}" for name in by_name))
        for phase in by_name["now"]:
            row = [sums.get(phase, 0.0) for sums in by_name.values()]
            ratio = f"   {row[1] / row[0]:6.2f} times now" if len(row) == 2 and row[0] else ""
            print(f"{phase:25}" + "".join(f"{value:10.2f}" for value in row) + ratio)


if __name__ == "__main__":
    sys.exit(main())
