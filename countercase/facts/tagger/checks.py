"""Whether the tagger that is installed is the one that was trained."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from countercase.errors import ModelError
from countercase.facts.tagger import weights

KNOWN_TEXT: Final = (
    "The appellant Mohan Lal was convicted under Section 302 of the Indian Penal Code by the "
    "Sessions Court at Jaipur on 12th March, 1998, on the word of Sita Devi (PW-2)."
)
"""A sentence of our own that is tagged to see whether code and weights work together."""

KNOWN_ENTITIES: Final = (
    ("PETITIONER", "Mohan Lal"),
    ("PROVISION", "Section 302"),
    ("STATUTE", "Indian Penal Code"),
    ("COURT", "Sessions Court at Jaipur"),
    ("DATE", "12th March, 1998"),
    ("WITNESS", "Sita Devi"),
)
"""What the tagger finds in it, in order."""

KNOWN_ANSWER: Final = "known answer"


@dataclass(frozen=True)
class Check:
    """One file or answer that was checked.

    Args:
        name: a file's name, or `known answer`.
        path: where it is; of the known answer, the folder of the tagger.
        sha256: the checksum that the file should have; empty for the known answer.
        problem: what is wrong; empty where nothing is.
    """

    name: str
    path: Path
    sha256: str
    problem: str = ""


def verify(folder: Path | None = None) -> list[Check]:
    """Check the sha256 of every file of the tagger, and that it still gives a known answer.

    Nothing is raised for a damaged file: its check says what is wrong. The weights always have a
    check. The known answer loads spaCy and takes about two seconds; it is not looked for where a
    file is damaged.
    """
    at = folder or weights.folder()
    try:
        listed = weights.checksums(folder)
    except ModelError as error:
        return [Check(weights.WEIGHTS, at / weights.WEIGHTS, "", str(error))]
    checks = [
        Check(name, at / name, digest, _file_problem(folder, name))
        for name, digest in sorted(listed.items())
    ]
    if weights.WEIGHTS not in listed:
        problem = f"{at / weights.CHECKSUMS}: does not list {weights.WEIGHTS}"
        checks.append(Check(weights.WEIGHTS, at / weights.WEIGHTS, "", problem))
    if not any(check.problem for check in checks):
        checks.append(Check(KNOWN_ANSWER, at, "", _answer_problem(folder)))
    return checks


def _file_problem(folder: Path | None, name: str) -> str:
    try:
        weights.verified(name, folder)
    except ModelError as error:
        return str(error)
    return ""


def _answer_problem(folder: Path | None) -> str:
    from countercase.facts.tagger.reading import find_entities, load_tagger

    try:
        entities = find_entities(KNOWN_TEXT, load_tagger(folder))
    except ModelError as error:
        return str(error)
    answer = tuple((e.label, KNOWN_TEXT[e.span.start : e.span.end]) for e in entities)
    if answer == KNOWN_ENTITIES:
        return ""
    return (
        f"the fact tagger reads its test sentence as {answer}, not as {KNOWN_ENTITIES}: "
        "its code and its weights are not of one version; install countercase again"
    )
