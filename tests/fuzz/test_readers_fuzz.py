"""Every reader gives a result or one clear error, within a bounded number of steps.

The suite runs a short part of it, the same each time. `make fuzz` runs it for FUZZ_SECONDS, shared
among the readers, from the seed FUZZ_SEED on.
"""

from __future__ import annotations

import faulthandler
import os
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, seed, settings
from readers_to_fuzz import READERS, Reader, contents
from steps import steps_of

from countercase.errors import CounterCaseError

SECONDS = int(os.environ.get("FUZZ_SECONDS", "0"))
SEED = int(os.environ.get("FUZZ_SEED", "12"))
EXAMPLES = 12
"""Contents that the suite tries on each reader."""
STUCK = 120
"""Seconds after which a reader that is stuck shows where, in `make fuzz`."""
STEPS = (4_000_000, 3_000)
"""Function calls that a reader may make, and those for each byte of the file beside them."""


def check(reader: Reader, path: Path, content: bytes) -> None:
    path.write_bytes(content)
    try:
        steps_of(lambda: reader.read(path), STEPS[0] + STEPS[1] * len(content))
    except CounterCaseError as error:
        told = str(error)
        assert told.strip() and len(told) < 2_000 + len(str(path))


def search(reader: Reader, path: Path, number: int, examples: int) -> None:
    @seed(number)
    @settings(
        max_examples=examples, deadline=None, database=None, print_blob=True,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(contents(reader))
    def tried(content: bytes) -> None:
        check(reader, path, content)

    tried()


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_a_result_or_one_clear_error(reader: Reader, tmp_path: Path) -> None:
    path = tmp_path / reader.name
    path.write_bytes(reader.right)
    try:
        reader.read(path)  # patterns are compiled once, and are no steps of reading
    except CounterCaseError:
        assert reader.name == "case.pdf"  # a page without text
    number, until = SEED, time.monotonic() + SECONDS / len(READERS)
    search(reader, path, number, EXAMPLES)
    while time.monotonic() < until:
        number += 1
        faulthandler.dump_traceback_later(STUCK, exit=True)
        search(reader, path, number, 100)
        faulthandler.cancel_dump_traceback_later()
