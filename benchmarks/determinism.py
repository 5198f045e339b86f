"""The same bytes from three runs that share nothing but the code.

    python benchmarks/determinism.py [CASE]

Each run has its own home (so models are prepared and the casebook is indexed anew), its own
PYTHONHASHSEED and its own number of threads. Compared: `tree.json`, `analysis.json` without `timings`,
`run.trec`, `report.md`. Exit status 1 where any differ.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

EXAMPLE = Path(__file__).parent.parent / "examples" / "sudden-fight.json"
RUNS = (("0", "1"), ("1", "2"), ("4242", "3"))
FILES = ("analysis.json", "tree.json", "run.trec", "report.md", "tree.graphml", "tree.dot")


def digest(path: Path) -> str:
    """sha256 of a file, `timings` of an analysis left out."""
    content = path.read_bytes()
    if path.name == "analysis.json":
        document = json.loads(content)
        del document["timings"]
        content = json.dumps(document, ensure_ascii=False).encode()
    return hashlib.sha256(content).hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("case", type=Path, nargs="?", default=EXAMPLE)
    case = parser.parse_args().case.resolve()
    found: dict[str, set[str]] = {name: set() for name in FILES}
    for seed, threads in RUNS:
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "out"
            env = os.environ | {
                "PYTHONHASHSEED": seed,
                "COUNTERCASE_THREADS": threads,
                "COUNTERCASE_HOME": str(Path(folder) / "home"),
                "OMP_NUM_THREADS": threads,
                "OPENBLAS_NUM_THREADS": threads,
            }
            command = [sys.executable, "-m", "countercase", "analyze", str(case), "--out", str(out)]
            subprocess.run(command, check=True, capture_output=True, env=env)
            line = []
            for name in FILES:
                found[name].add(digest(out / name))
                line.append(f"{name} {digest(out / name)[:12]}")
            print(f"hash seed {seed:>4}, {threads} threads:", "  ".join(line), flush=True)
    differing = [name for name, digests in found.items() if len(digests) > 1]
    print("all the same" if not differing else f"differ: {', '.join(differing)}")
    sys.exit(bool(differing))


if __name__ == "__main__":
    main()
