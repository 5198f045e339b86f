"""`countercase casebook`: the decisions that ship with the package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from countercase.cli.options import AsJson, Provision, YearFrom, YearTo

if TYPE_CHECKING:
    from rich.console import RenderableType

app = typer.Typer(
    help="Read and search the decisions of the casebook.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command("list")
def list_(
    area: Annotated[str, typer.Option("--area", help="Only this area, such as homicide.")] = "",
    as_json: AsJson = False,
) -> None:
    """List the decisions of the casebook."""
    from countercase.cli.screen import show
    from countercase.corpus.casebook.browse import records_of

    records = records_of(area)
    show(as_json, records, lambda: _table(records))


@app.command()
def search(
    words: Annotated[
        list[str] | None,
        typer.Argument(help="Words that the title, the facts or the holding must all contain."),
    ] = None,
    area: Annotated[str, typer.Option("--area", help="Only this area, such as homicide.")] = "",
    provision: Provision = "",
    year_from: YearFrom = None,
    year_to: YearTo = None,
    outcome: Annotated[str, typer.Option("--outcome", help="Only this outcome: allowed.")] = "",
    as_json: AsJson = False,
) -> None:
    """Search the decisions by words, provision, year and outcome.

    `countercase search` ranks by meaning instead.
    """
    from countercase.cli.screen import show
    from countercase.corpus.casebook.browse import search_records

    records = search_records(words or (), area, provision, year_from, year_to, outcome)
    show(as_json, records, lambda: _table(records))


@app.command("show")
def show_(
    case_id: Annotated[str, typer.Argument(metavar="ID", help="The id of a decision.")],
    as_json: AsJson = False,
) -> None:
    """Show one decision and what it turned on."""
    from countercase.cli.screen import show
    from countercase.corpus.casebook.browse import record_of

    record = record_of(case_id)
    show(as_json, record, lambda: _record(record))


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
        reason = f"{item['fact']} ({item['fact_type']}): {item['why']}"
        parts.append(Text(f"{reason} (paragraph {item['paragraph']})"))
    return Group(*parts)
