"""The manifest of an index: what it was made of, and whether its files are as they were written."""

from __future__ import annotations

import json
import re
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from countercase.corpus.casebook.records import RECORDS
from countercase.errors import CorpusIndexError, DamagedIndexError, InputError
from countercase.integrity import Checked, Sums, damage, unsealed
from countercase.locks import locked

VERSION: Final = 8
MANIFEST: Final = "manifest.json"
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,40}[a-z0-9]")


def check_name(corpus: str) -> str:
    """Return `corpus`, if it is 2 to 42 of a-z, 0-9, '.', '_' and '-'; else InputError."""
    if not _NAME.fullmatch(corpus):
        raise InputError(
            f"--corpus {corpus!r}: use 2 to 42 of a-z, 0-9, '.', '_', '-', ends a letter or digit"
        )
    return corpus


@dataclass(frozen=True)
class Manifest:
    """What a snapshot was made of; two with the same checksum rank alike.

    It has the fingerprint by role of the encoders, the sha256 over ids, texts and vectors, and size
    and checksum of every other file of the snapshot; none in memory.
    """

    corpus: str
    cases: int
    chunks: int
    chunk_pieces: int
    models: dict[str, str]
    checksum: str
    version: int = VERSION
    files: Sums = field(default_factory=dict)


def read_manifest(folder: Path) -> Manifest:
    """Return the manifest of a finished snapshot; its other files are not looked at.

    CorpusIndexError where there is none or it is of another version; DamagedIndexError where it is
    not as it was written.
    """
    path = folder / MANIFEST
    try:
        text = path.read_bytes()
    except FileNotFoundError as error:
        raise CorpusIndexError(
            f"{folder}: no finished index; make one with `countercase index PATH --corpus NAME`"
        ) from error
    except OSError as error:
        raise DamagedIndexError(
            f"{path}: cannot be read ({error.strerror}); {_mend(folder)}"
        ) from error
    try:
        values = json.loads(text)
        if not isinstance(values, dict) or values.get("version") != VERSION:
            raise CorpusIndexError(f"{path}: written by another version; {_mend(folder)}")
        return Manifest(**unsealed(text))
    except (ValueError, TypeError, RecursionError) as error:
        raise DamagedIndexError(f"{path}: damaged ({error}); {_mend(folder)}") from error


def check_files(folder: Path, manifest: Manifest, deep: bool = False) -> None:
    """Compare the files of a snapshot with its manifest; if not `deep`, not those known whole.

    DamagedIndexError, with the name of the first that is missing or not as it was written.
    """
    checked = None if deep else Checked(folder)
    problem = damage(folder, manifest.files, checked)
    if problem:
        raise DamagedIndexError(f"{problem}; {_mend(folder)}")
    if checked is not None:
        checked.save()


def _mend(folder: Path) -> str:
    name = folder.parent.name
    if name in RECORDS:
        return "it is built anew when the casebook is next searched"
    return f"run `countercase index PATH --corpus {name}` again"


def opening(corpus: str) -> AbstractContextManager[None]:
    """Held while the files of a snapshot are opened, so that they are of one snapshot."""
    return locked(f"snapshot-{corpus}", f"waiting for the index of {corpus}", shared=True)
