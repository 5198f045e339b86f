"""Locks between processes of one home: `flock`, which ends with its holder, however that ends."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from countercase.errors import StoreError
from countercase.io import Progress, cache_root, tell


@contextmanager
def locked(
    name: str, waiting: str, progress: Progress | None = None, *, shared: bool = False
) -> Iterator[None]:
    """Hold the lock `name` of this home; it must not be held by this thread already.

    `waiting` says what is waited for and is told to `progress` after a second. Others who ask for it
    `shared` may hold it too; where nothing can be written, nobody holds it otherwise, and a shared
    lock is no lock. StoreError where the lock's file cannot be made or locked.
    """
    if (descriptor := _open(name, shared)) is None:
        yield
        return
    try:
        _acquire(descriptor, fcntl.LOCK_SH if shared else fcntl.LOCK_EX, waiting, progress)
        yield
    finally:
        os.close(descriptor)


def _open(name: str, shared: bool) -> int | None:
    path = cache_root() / "locks" / f"{name}.lock"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        if shared:  # where none can be made, one that is there can still be read
            return os.open(path, os.O_RDONLY) if path.exists() else None
        raise StoreError(
            f"{path}: cannot be made ({error.strerror}); free some space, or set "
            "COUNTERCASE_HOME to a folder that can be written"
        ) from error


def _acquire(descriptor: int, kind: int, waiting: str, progress: Progress | None) -> None:
    told = time.monotonic() + 1.0
    while time.monotonic() < told:
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            time.sleep(0.02)
        except OSError as error:
            raise StoreError(
                f"{cache_root()}: its file system has no locks ({error.strerror}); set "
                "COUNTERCASE_HOME to a folder on another one"
            ) from error
    tell(progress, waiting, 0, 0)
    fcntl.flock(descriptor, kind)
