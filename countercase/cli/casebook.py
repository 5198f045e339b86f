"""`countercase casebook`: the decisions that ship with the package."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from countercase.cli.options import AsJson
from countercase.errors import InputError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from countercase.corpus.casebook.check import Finding

app = typer.Typer(
    help="Read and check the decisions that ship with the package.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command("list")
def list_(
    area: Annotated[str, typer.Option("--area", help="Only this area, such as homicide.")] = "",
    as_json: AsJson = False,
) -> None:
    """List the decisions of the casebook."""
    from countercase.cli.screen import console, print_json

    records = records_of(area)
    if as_json:
        print_json(records)
    else:
        console().print(_table(records))


@app.command()
def show(
    case_id: Annotated[str, typer.Argument(metavar="ID", help="The id of a decision.")],
    as_json: AsJson = False,
) -> None:
    """Show one decision and what it turned on."""
    from countercase.cli.screen import console, print_json

    record = record_of(case_id)
    if as_json:
        print_json(record)
    else:
        console().print(_record(record))


@app.command()
def check(
    data: Annotated[
        Path | None,
        typer.Option("--data", help="Folder of the judgments; without it, only the form."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check the records, and against their judgments with --data.

    Exit status 1 where one is wrong.
    """
    from dataclasses import asdict

    from countercase.cli.screen import print_json

    count, findings = check_records(data)
    if as_json:
        print_json([asdict(finding) for finding in findings])
    else:
        for finding in findings:
            typer.echo(f"{finding.case_id}: {finding.field}: {finding.message}")
        typer.echo(f"{count} records, {len({f.case_id for f in findings})} with findings")
    if findings:
        raise typer.Exit(1)


def check_records(data: Path | None = None) -> tuple[int, list[Finding]]:
    """How many records there are, and what is wrong with them.

    Args:
        data: the folder whose `corpus.jsonl`, or whose `aila2019/corpus.jsonl`, holds the
            judgments; None to check what can be checked without them.

    Raises:
        InputError: the folder holds neither.
    """
    from countercase.corpus.casebook import casebook_records
    from countercase.corpus.casebook.check import check_casebook, read_sources

    records = casebook_records()
    if data is None:
        return len(records), check_casebook(records)
    places = (data / "corpus.jsonl", data / "aila2019" / "corpus.jsonl")
    for corpus in places:
        if corpus.is_file():
            sources = read_sources(corpus, [record["source"]["id"] for record in records])
            return len(records), check_casebook(records, sources)
    raise InputError(f"--data {data}: neither {' nor '.join(map(str, places))} is there")


def records_of(area: str = "") -> list[Mapping[str, Any]]:
    """The records of an area, or all of them.

    Raises:
        InputError: there is no such area.
    """
    from countercase.corpus.casebook import casebook_records
    from countercase.facts.vocabulary import AREAS

    if area and area not in AREAS:
        raise InputError(f"--area {area!r}: no such area (known: {', '.join(AREAS)})")
    return [record for record in casebook_records() if area in ("", record["area"])]


def record_of(case_id: str) -> Mapping[str, Any]:
    """One record by its id.

    Raises:
        InputError: there is no such record; the nearest id is named.
    """
    from countercase.corpus.casebook import casebook_records

    by_id = {record["case_id"]: record for record in casebook_records()}
    if case_id not in by_id:
        near = difflib.get_close_matches(case_id, by_id, n=1, cutoff=0.3)
        meant = f"; did you mean {near[0]}?" if near else ""
        raise InputError(
            f"{case_id}: not in the casebook{meant} `countercase casebook list` lists all"
        )
    return by_id[case_id]


def _table(records: Sequence[Mapping[str, Any]]) -> RenderableType:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

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
    from rich.console import Group
    from rich.text import Text

    parts = [
        Text(record["title"], style="bold"),
        Text(
            f"{record['court']}, {record['date']}, {record['docket']}; "
            f"{', '.join(record['bench'])}; {record['outcome']}",
            style="dim",
        ),
        Text(", ".join(record["sections_cited"]), style="dim"),
    ]
    for heading, text in (("Facts", record["facts"]), ("Holding", record["holding"])):
        parts += [Text(f"\n{heading}", style="bold underline"), Text(text)]
    parts.append(Text("\nWhat it turned on", style="bold underline"))
    for item in record["dispositive"]:
        parts.append(
            Text(
                f"{item['fact']} ({item['fact_type']}): {item['why']} "
                f"(paragraph {item['paragraph']})"
            )
        )
    return Group(*parts)
