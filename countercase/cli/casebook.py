"""`countercase casebook`: the decisions that ship with the package, and those of one's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import typer
from rich.console import Group, RenderableType
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from countercase.cli import options
from countercase.cli.screen import show
from countercase.corpus.casebook import records as casebook
from countercase.corpus.judgment.treatment import standing, treatments_in
from countercase.errors import InputError
from countercase.reports.text import count_noun
from countercase.text.dates import in_full

app = options.group("Read and search the casebook, and add your own.")


@options.command(app, "casebook.list")
def list_(area: str = "", as_json: bool = False) -> None:
    """List the decisions of the casebook."""
    records = casebook.records_of(area)
    show(as_json, records, lambda: _table(records))


@options.command(app, "casebook.search")
def search(
    words: list[str] | None = None, area: str = "", provision: str = "",
    year_from: int | None = None, year_to: int | None = None, outcome: str = "",
    as_json: bool = False,
) -> None:  # fmt: skip
    """Search the decisions by words, provision, year and outcome.

    `countercase search` ranks by meaning instead.
    """
    records = casebook.search_records(words or (), area, provision, year_from, year_to, outcome)
    show(as_json, records, lambda: _table(records))


@options.command(app, "casebook.show")
def show_(case_id: str, as_json: bool = False) -> None:
    """Show one decision and what it turned on."""
    record = casebook.record_of(case_id)
    show(as_json, record, lambda: _record(record))


@options.command(app, "casebook.add")
def add(file: Path) -> None:
    """Add records of your own; `--corpus private` searches them.

    docs/casebook.md says what a record holds. All records of the file are added or, where one has
    a problem, none; a record whose id was added before takes the place of the older one.
    """
    done = casebook.add_records(file)
    for finding in done.findings:
        typer.echo(str(finding), err=True)
    if done.findings:
        problems = count_noun(len(done.findings), "problem")
        raise InputError(f"{file}: {problems}, so nothing was added")
    added, replaced = len(done.added), len(done.changed)
    typer.echo(f"{added} added, {replaced} replaced; search them with --corpus private")


def _table(records: Sequence[Mapping[str, Any]]) -> RenderableType:
    table = Table(box=None, padding=(0, 2, 0, 0), expand=True)
    table.add_column("area", no_wrap=True)
    table.add_column("date", no_wrap=True)
    table.add_column("decision and id", ratio=2, overflow="fold")
    table.add_column("provisions", ratio=1, overflow="fold")
    for record in records:
        name = Text(record["title"]).append(f"\n{record['case_id']}", style="dim")
        provisions = ", ".join(record["sections_cited"])
        table.add_row(record["area"], record["date"], name, Text(provisions))
    return Group(table, Text(f"{len(records)} decisions", style="dim"))


def _record(record: Mapping[str, Any]) -> RenderableType:
    from countercase.reports.wording import render

    cited, treatments = record.get("citation", {}), treatments_in(record.get("treatment"))
    citations = [cited.get("neutral", ""), *cited.get("reported", [])]
    about = [record["court"], in_full(record["date"]), record["docket"], *filter(None, citations)]
    text = render(
        "record.md.j2", it=record, about=about, bad=standing(treatments, None),
        later=[treatment.line(None) for treatment in treatments],
    )  # fmt: skip
    return Markdown(text, hyperlinks=False)
