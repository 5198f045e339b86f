"""`countercase`: all commands, and the one place where errors become a line on stderr.

Nothing heavy is imported here or in the command files: each command imports what it needs when it
runs, so that help is instant.
"""

from __future__ import annotations

import io
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from countercase.cli import (
    analyze,
    annotate,
    casebook,
    doctor,
    facts,
    index,
    init,
    models,
    retrieve,
    search,
    serve,
)
from countercase.cli.eval import main as evaluate
from countercase.errors import CounterCaseError

INPUT_ERROR = 2
"""Exit status where the user can mend something."""

INTERRUPTED = 130
"""Exit status after Ctrl-C."""


class Commands(TyperGroup):
    """The commands; an error that a user can mend is told in one line."""

    def invoke(self, ctx: Any) -> Any:
        """Run the chosen command; exit 2 after an error, 130 after Ctrl-C."""
        try:
            return super().invoke(ctx)
        except CounterCaseError as error:
            typer.echo(f"error: {' '.join(str(error).split())}", err=True)
            raise typer.Exit(INPUT_ERROR) from error
        except KeyboardInterrupt as error:
            typer.echo("\nstopped: nothing that was finished is lost", err=True)
            raise typer.Exit(INTERRUPTED) from error


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
        from importlib.metadata import PackageNotFoundError, version

        try:
            typer.echo(f"countercase {version('countercase')}")
        except PackageNotFoundError:
            typer.echo("countercase, run from its source folder")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass


app.command("init")(init.init)
app.command("analyze")(analyze.analyze)
app.command("facts")(facts.facts)
app.command("search")(search.search)
app.command("index")(index.index)
app.add_typer(casebook.app, name="casebook")
app.add_typer(models.app, name="models")
app.add_typer(evaluate.app, name="eval")
app.add_typer(annotate.app, name="annotate")
app.command("retrieve")(retrieve.retrieve)
app.command("serve")(serve.serve)
app.command("doctor")(doctor.doctor)


def main() -> None:
    """The entry point of the `countercase` script."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that knows no arrow gets a "?"
    app(prog_name="countercase")
