"""Count the steps of a call: function calls in Python, so that a test need not look at a clock."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any


def steps_of(call: Callable[[], object], most: int | None = None) -> int:
    """Calls of functions, of Python and of C, while `call` runs.

    Raises:
        AssertionError: there are more than `most`; raised at once, in the midst of it.
    """
    steps = 0

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal steps
        steps += event in ("call", "c_call")
        if most is not None and steps > most:
            sys.setprofile(None)
            raise AssertionError(f"more than {most:,} steps")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        call()
    finally:
        sys.setprofile(before)
    return steps
