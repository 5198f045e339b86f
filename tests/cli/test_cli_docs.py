"""Help and docs of the commands: instant, complete and the same."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from typer import Context
from typer.core import TyperGroup
from typer.main import get_command
from typer.testing import CliRunner

from countercase.cli.main import app
from countercase.registry import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("torch", "spacy", "chromadb", "openvino", "numpy", "pydantic", "networkx")

runner = CliRunner()


def commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """All commands below one, with their paths."""
    yield path, command
    if isinstance(command, TyperGroup):
        context = Context(command)
        for name in command.list_commands(context):
            yield from commands(command.get_command(context, name), (*path, name))


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "from countercase.cli.main import app\n"
        "try:\n    app(['--help'], prog_name='countercase')\n"
        "except SystemExit: pass\n"
        f"print('heavy:', sorted(set(sys.modules) & set({HEAVY})))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert "Usage: countercase" in done.stdout
    assert done.stdout.splitlines()[-1] == "heavy: []"


def test_the_docs_name_every_command_and_option_and_no_other() -> None:
    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    sections = {part.split("\n", 1)[0]: part for part in text.split("\n## ")[1:]}
    every = {" ".join(path): command for path, command in commands(get_command(app))}
    assert set(sections) <= set(every)
    found = 0
    for name, command in every.items():
        if isinstance(command, TyperGroup) and name not in ("", "eval"):
            continue
        section = sections[name] if name else text
        options: set[str] = set()
        for parameter in command.params:
            named = parameter.opts[0].startswith("-")
            for it in parameter.opts if named else [parameter.metavar or parameter.name]:
                assert f"`{it}`" in section, f"{name}: {it} is not in docs/cli.md"
                found += 1
            options |= {*parameter.opts, *parameter.secondary_opts}
        for entry in re.findall(r"^- (`--[^:\n]*)", section, re.MULTILINE) if name else []:
            documented = {option.strip().strip("`") for option in entry.split(",")}
            assert documented <= options, name
            found += 1
    assert found > 80


def test_every_command_and_option_has_help() -> None:
    for path, command in commands(get_command(app)):
        assert command.help, path
        for parameter in command.params:
            assert parameter.help, (path, parameter.name)


def test_the_list_of_commands_says_what_each_command_says() -> None:
    for name, part in COMMANDS.shipped.items():
        [command] = [c for path, c in commands(get_command(app)) if path == (name,)]
        assert command.help.splitlines()[0] == part["about"]


def test_every_short_help_is_shown_whole() -> None:
    for group in ([], ["corpus"], ["casebook"], ["models"], ["eval"], ["annotate"]):
        assert "..." not in runner.invoke(app, [*group, "--help"]).stdout.split("Commands:")[1]
