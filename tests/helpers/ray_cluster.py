"""Ray for the tests of a module: started once, closed to other machines, joined by address."""

from __future__ import annotations

import importlib.util
import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

import countercase

needs_ray: Final = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None,
    reason="Ray is not installed: pip install 'countercase[cluster]'",
)

_HEAD: Final = """
import sys
from countercase.engines.pools import connected
ray = connected(int(sys.argv[1]), "")
print(ray.get_runtime_context().gcs_address, flush=True)
sys.stdin.read()
"""

FOLDERS: Final = (Path(__file__).parent, Path(countercase.__file__).parents[1])
"""Where workers find the modules of the tests, and the package."""


@contextmanager
def cluster(workers: int) -> Iterator[str]:
    """Start Ray with room for `workers` tasks; yields its address."""
    os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
    os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"  # else Ray looks for it beyond loopback
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, FOLDERS))}
    with subprocess.Popen(
        [sys.executable, "-c", _HEAD, str(workers)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment,
    ) as head:  # fmt: skip
        assert head.stdout is not None
        yield head.stdout.readline().strip()
        assert head.stdin is not None
        head.stdin.close()
