"""Fifty clients at once on the searches of a server with analyses queued, beside a single client.

    python benchmarks/service_load.py [--seconds 60] [--clients 50] [--json FILE]

Counts answers by status (a busy server may refuse with 429 or 503, nothing else), and gives p50
and p95 of the answers with 200, and the resident memory of the server: opened, with all models
loaded (after an analysis of another case), at most, and after.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections import Counter
from itertools import cycle
from pathlib import Path
from typing import Any, Final

import httpx
import numpy as np

from tools.screenshots import served

ANALYSES: Final = 5
ALLOWED: Final = (200, 429, 503)
TEXTS: Final = (
    "The accused struck one blow with a lathi in a sudden quarrel and the victim died.",
    "A cheque was returned unpaid for want of funds and no payment followed the notice.",
    "Four kilograms of charas were found in a bag without an independent witness.",
    "The workman was retrenched after ten years without notice or compensation.",
)
BODIES: Final = (
    *(("/retrieve", {"query": text, "top_k": 5}) for text in TEXTS),
    ("/batch_search", {"queries": list(TEXTS), "top_k": 5}),
)


def memory(pid: int) -> float:
    """Resident megabytes of a process (Linux)."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


async def load(url: str, pid: int, clients: int, seconds: float) -> dict[str, Any]:
    """What `clients` get that each ask again as soon as they are answered."""
    statuses, taken, peak = Counter[str](), list[float](), memory(pid)
    end = time.monotonic() + seconds

    async def ask(first: int) -> None:
        nonlocal peak
        bodies = cycle(BODIES[first % len(BODIES) :] + BODIES[: first % len(BODIES)])
        async with httpx.AsyncClient(base_url=url, timeout=90, trust_env=False) as client:
            while time.monotonic() < end:
                path, body = next(bodies)
                began = time.monotonic()
                try:
                    answer = await client.post(path, json=body)
                except httpx.HTTPError as error:
                    statuses[type(error).__name__] += 1
                    continue
                statuses[str(answer.status_code)] += 1
                if answer.status_code == 200:
                    taken.append(1000 * (time.monotonic() - began))
                else:
                    await asyncio.sleep(min(1.0, float(answer.headers.get("retry-after", "1"))))
                peak = max(peak, memory(pid))

    await asyncio.gather(*(ask(number) for number in range(clients)))
    p50, p95 = np.percentile(taken, [50, 95]) if taken else (float("nan"),) * 2
    return {
        "statuses": dict(sorted(statuses.items())),
        "p50_ms": round(float(p50)),
        "p95_ms": round(float(p95)),
        "peak_mb": round(peak),
    }


def queue_analyses(
    url: str, path: str = "examples/sudden-fight.json", number: int = ANALYSES
) -> list[str]:
    """Start analyses of a case, and return their addresses."""
    case = json.loads(Path(path).read_text(encoding="utf-8"))
    jobs = []
    for _ in range(number):
        answer = httpx.post(f"{url}/analyses", json={"case": case}, timeout=90, trust_env=False)
        jobs.append(url + answer.raise_for_status().headers["location"])
    return jobs


def rest(jobs: list[str], cancel: bool = True) -> None:
    """Cancel what still waits or runs, wait until nothing does, and delete it."""
    with httpx.Client(timeout=90, trust_env=False) as client:
        for job in reversed(jobs if cancel else []):
            client.post(f"{job}/cancel")
        while any(client.get(job).json()["status"] in ("queued", "running") for job in jobs):
            time.sleep(0.5)
        for job in jobs:
            client.delete(job)


def main() -> None:
    """Print what one client and what many get."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with served() as (url, pid):
        opened = memory(pid)
        rest(queue_analyses(url, "examples/dowry-death.json", 1), cancel=False)
        asyncio.run(load(url, pid, 1, 3))
        found: dict[str, Any] = {"one client": asyncio.run(load(url, pid, 1, options.seconds / 4))}
        before, jobs = memory(pid), queue_analyses(url)
        many = asyncio.run(load(url, pid, options.clients, options.seconds))
        rest(jobs)
        found[f"{options.clients} clients, {ANALYSES} analyses queued"] = many
        found["memory_mb"] = {
            "opened": round(opened),
            "before": round(before),
            "peak": many["peak_mb"],
            "after": round(memory(pid)),
        }
    print(json.dumps(found, indent=2))
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    if wrong := [status for status in many["statuses"] if status not in map(str, ALLOWED)]:
        raise SystemExit(f"neither an answer nor a clear refusal: {', '.join(wrong)}")


if __name__ == "__main__":
    main()
