"""Commands run in this process, as they are typed."""

from __future__ import annotations

from typing import Any

from click.testing import Result
from typer import Typer
from typer.testing import CliRunner

from countercase.cli.main import app


def typed(*words: object, status: int = 0, of: Typer = app, **given: Any) -> Result:
    """What a command said, which must have ended with this status."""
    done = CliRunner().invoke(of, list(map(str, words)), **given)
    assert done.exit_code == status, (done.output, done.exception)
    return done
