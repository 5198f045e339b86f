"""Where CounterCase keeps what it makes: prepared models, the cache, the indexes."""

from __future__ import annotations

import os
from pathlib import Path

from countercase.errors import StoreError


def cache_root() -> Path:
    """The folder for everything that can be made again: `COUNTERCASE_HOME`, else the
    platform's own cache folder for `countercase`."""
    chosen = os.environ.get("COUNTERCASE_HOME")
    if chosen:
        return Path(chosen)
    from platformdirs import user_cache_path

    return user_cache_path("countercase", appauthor=False)


def make_folder(path: Path) -> Path:
    """`path`, made with its parents.

    Raises:
        StoreError: it cannot be made or written.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"{path}: cannot be made ({error.strerror}); name another folder, or for the cache set "
            "COUNTERCASE_HOME"
        ) from error
    return path
