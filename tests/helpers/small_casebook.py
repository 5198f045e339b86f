"""A home of its own, with prepared models and a casebook of five decisions."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from countercase.corpus.casebook.records import load_casebook
from countercase.corpus.index import build
from countercase.encoders.embedded.runtime import prepare


@contextmanager
def casebook_of_five(home: Path, folder: Path) -> Iterator[None]:
    """COUNTERCASE_HOME points to `folder`, which has the models of `home`."""
    prepare(("sentence", "cross"))
    shutil.copytree(home / "models", folder / "models", copy_function=os.link)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COUNTERCASE_HOME", str(folder))
        patch.setattr(build, "load_casebook", lambda corpus: load_casebook(corpus)[:5])
        yield
    shutil.rmtree(folder)
