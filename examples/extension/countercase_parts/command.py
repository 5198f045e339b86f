"""A command: `countercase fora case.txt` names the courts of a case."""

from __future__ import annotations

from pathlib import Path

import typer

import countercase as cc


def fora(case: Path) -> None:
    """Name the courts that a case mentions."""
    for fact in cc.read_case(case).of_type("Forum"):
        typer.echo(str(fact.value))
