"""`countercase`: all commands, and the one place where errors become a line on stderr.

Nothing heavy is imported before the command that needs it runs, so that help is instant.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import gc
import io
import os
import signal
import sys
import warnings
from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command_from_info, get_group
from typer.models import CommandInfo

from countercase import __version__
from countercase.errors import CounterCaseError, InputError
from countercase.registry import COMMANDS
from countercase.text.spans import one_line


class Commands(TyperGroup):
    """The commands, imported when they are used; installed ones come after the shipped ones."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands, in the order of the help."""
        return list(COMMANDS.names())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command of this name, None if there is none; an `InputError` if it is broken."""
        if cmd_name in COMMANDS and cmd_name not in self.commands:
            part = COMMANDS.get(cmd_name)
            how: Any = {"pretty_exceptions_short": False, "rich_markup_mode": None}
            is_group, info = isinstance(part, typer.Typer), CommandInfo(cmd_name, callback=part)
            made: Any = get_group(part) if is_group else get_command_from_info(info, **how)
            made.name = cmd_name
            self.commands[cmd_name] = made
        return self.commands.get(cmd_name)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands into the help."""
        lines = list[tuple[str, str]]()
        for name in self.list_commands(ctx):
            try:
                # What ships says it itself, so that the list of commands imports none of them.
                row = COMMANDS.shipped.get(name)
                said = row["about"] if row else self.get_command(ctx, name).get_short_help_str(70)
            except CounterCaseError as error:
                said = f"(cannot be used: {error})"
            lines.append((name, said))
        with formatter.section("Commands"):
            formatter.write_dl(lines)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Keep the words of the command line, to be checked where an error becomes a line."""
        ctx.meta["arguments"] = tuple(args)
        return list(super().parse_args(ctx, args))

    def invoke(self, ctx: Any) -> Any:
        """Run the chosen command; exit 2 after an error, 128 and the signal after one that stops it."""
        with warnings.catch_warnings():
            warnings.filterwarnings("default", category=UserWarning, module="countercase")
            warnings.showwarning = _warn
            try:
                _check_arguments(ctx.meta["arguments"])
                return super().invoke(ctx)
            except (CounterCaseError, OSError) as error:
                if isinstance(error, OSError) and error.errno != errno.ENAMETOOLONG:
                    raise
                typer.echo(f"error: {one_line(str(error))}", err=True)
                raise typer.Exit(2) from error
            except KeyboardInterrupt as error:
                told = "stopped: nothing that was finished is lost; the same command goes on from there"
                typer.echo(f"\n{str(error) or told}", err=True)
                raise typer.Exit(128 + (ctx.obj or [signal.SIGINT])[-1]) from error


def _hear_signals() -> list[int]:
    """Let what ends a process stop a command as Ctrl-C does; returns the signals as they come."""
    received = [int(signal.SIGINT)]

    def stop(number: int, frame: object) -> None:
        received.append(number)
        raise KeyboardInterrupt

    for ending in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(ending) == signal.SIG_DFL:  # not under nohup
            signal.signal(ending, stop)
    return received


def _check_arguments(arguments: Sequence[str]) -> None:
    """Refuse a folder that is gone, options at odds or empty, words that are no UTF-8; files may be so."""
    try:
        os.getcwd()  # noqa: PTH109
    except FileNotFoundError as error:
        raise InputError("the working directory is gone; change to another") from error
    for one, other in (("--full", "--brief"), ("--memo", "--full"), ("--memo", "--json")):
        if {one, other} <= {*arguments}:
            raise InputError(f"{one} and {other} exclude each other; give one of them")
    for option in ("--out", "--output"):
        if f"{option}=" in arguments or (option, "") in pairwise(arguments):
            raise InputError(f"{option} is empty; name a folder")
    for argument in arguments:
        try:
            argument.encode("utf-8")
        except UnicodeEncodeError as error:
            if not os.access(argument.partition("=")[2] or argument, os.F_OK):
                where = f"argument {argument!a}: not UTF-8 at character {error.start}"
                raise InputError(f"{where}; write it in UTF-8") from error


def _warn(message: Warning | str, *where: Any, **more: Any) -> None:
    typer.echo(f"warning: {one_line(str(message))}", err=True)


app = typer.Typer(
    name="countercase",
    cls=Commands,
    help="Find the precedents of a case, change one fact at a time, and measure which facts "
    "decide which precedents it gets.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"countercase {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass


class _Pipe(io.FileIO):
    """An output stream whose reader may go away; what is written after that is discarded.

    So `countercase analyze ... | head -1` finishes its work and keeps its exit status.
    """

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError as error:  # raised as a process ends it is a traceback
            if not self.seekable():  # the reader or the terminal is gone
                return memoryview(data).nbytes
            with contextlib.suppress(OSError):  # stderr may be on it too
                os.write(2, f"error: the output cannot be written ({error.strerror})\n".encode())
            os._exit(2)


def _tolerant(stream: Any, descriptor: int) -> Any:
    """Return `stream` so that it never fails, for a letter it does not know or a closed pipe."""
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    pipe = io.BufferedWriter(_Pipe(descriptor, "w", closefd=False))
    at_once = descriptor == 2 or stream.isatty()  # a terminal that knows no arrow gets a "?"
    return io.TextIOWrapper(pipe, stream.encoding, "replace", line_buffering=at_once)


def main() -> None:
    """Run the `countercase` script."""
    gc.set_threshold(500_000, 50, 50)  # a command makes many objects and few cycles
    if sys.stdout is None:  # closed by `>&-`
        typer.echo("error: stdout is closed, and the result would be lost; open it", err=True)
        raise SystemExit(2)
    sys.stdout, sys.stderr = _tolerant(sys.stdout, 1), _tolerant(sys.stderr, 2)
    atexit.register(gc.freeze)  # a process that ends need not search its objects for cycles
    app(prog_name="countercase", obj=_hear_signals())
