"""How soon the program answers: help, and the first ranking of a fact sheet.

    python benchmarks/start.py [CASE] [--runs N]

Models are prepared and the casebook is indexed before the clock starts. Cold means that no score of
the case is in the cache yet, warm that an earlier run left them there. Medians of N processes.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

EXAMPLE = Path(__file__).parent.parent / "examples" / "sudden-fight.json"
FIRST_RANKING = """
import sys
from pathlib import Path
from countercase.config import load_settings
from countercase.facts.case_file import read_case
from countercase.session import open_session
from countercase.counterfactual.states import Renderer, State
session = open_session(load_settings())
sheet = read_case(Path(sys.argv[1]))
renderer = Renderer(sheet, session.encoders.count, session.settings.SEGMENT_PIECES)
[ranking] = session.retriever.retrieve([renderer.query(State())])
heavy = sorted({"torch", "spacy", "chromadb"} & set(sys.modules))
print(len(ranking.results), "precedents; heavy imports:", ", ".join(heavy) or "none")
"""


def seconds(command: list[str], env: dict[str, str]) -> tuple[float, str]:
    """Wall time and output of a process."""
    began = time.perf_counter()
    run = subprocess.run(command, check=True, capture_output=True, text=True, env=env)
    return time.perf_counter() - began, run.stdout.strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("case", type=Path, nargs="?", default=EXAMPLE)
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    first = [sys.executable, "-c", FIRST_RANKING, str(arguments.case)]
    with tempfile.TemporaryDirectory() as folder:
        env = os.environ | {"COUNTERCASE_HOME": folder}
        helps = [
            seconds([sys.executable, "-m", "countercase", "--help"], env)[0]
            for _ in range(arguments.runs)
        ]
        seconds(first, env)
        cache = Path(folder) / "cache"
        cold, warm, told = [], [], ""
        for _ in range(arguments.runs):
            shutil.rmtree(cache)
            cold.append(seconds(first, env)[0])
            took, told = seconds(first, env)
            warm.append(took)
    print(f"--help                      {statistics.median(helps):.2f} s")
    print(f"first ranking, warm cache   {statistics.median(warm):.2f} s  ({told})")
    print(f"first ranking, cold cache   {statistics.median(cold):.2f} s")


if __name__ == "__main__":
    main()
