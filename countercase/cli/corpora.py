"""`countercase index`, `corpus`, `casebook`: judgments are indexed; what is here is listed and searched."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import typer
from rich.console import Group
from rich.markdown import Markdown
from rich.text import Text

from countercase.cli import options
from countercase.cli.options import Steps, grid, show
from countercase.config import load_settings
from countercase.corpus.casebook import records as casebook
from countercase.corpus.index.build import list_corpora, remove_corpus
from countercase.corpus.judgment.treatment import standing, treatments_in
from countercase.engines.engine import PLAIN, choose_engine
from countercase.errors import CorpusIndexError, InputError
from countercase.reports.text import count_noun, plain
from countercase.text.dates import in_full


@options.described("index")
def index(
    path: Path, corpus: str, chroma_host: str | None = None, models: str = "embedded",
    strict: bool = False, engine: str | None = None, workers: int | None = None,
    ray_address: str | None = None, as_json: bool = False,
) -> None:  # fmt: skip
    """Index judgments, or bring an index up to date.

    What has not changed is skipped, and a stopped run is continued. A damaged file of a folder is
    skipped with a warning. The index is the same for every engine and number of workers.
    """
    from countercase.corpus.index.build import index_corpus
    from countercase.corpus.index.preparation import Workers
    from countercase.encoders.base import open_encoders

    settings = load_settings()
    where = choose_engine(engine, workers, ray_address)
    encoding = options.shared_out(settings, where).encoding()
    spread = Workers(where, partial(open_encoders, models, **encoding)) if where != PLAIN else None
    begun = time.monotonic()
    with Steps() as steps:
        encoders = open_encoders(models, **settings.encoding(), progress=steps.work)
        report = index_corpus(
            path, corpus, encoders, chunk_pieces=settings.CHUNK_PIECES,
            chroma_host=chroma_host, strict=strict, progress=steps.work, workers=spread,
        )  # fmt: skip
    for _, problem in report.damaged:
        typer.echo(f"warning: skipped: {plain(problem)}", err=True)
    lines = (
        f"corpus {report.corpus}: {report.cases:,} judgments in {report.chunks:,} chunks, "
        f"{time.monotonic() - begun:.0f} s",
        f"{report.added:,} added, {report.changed:,} changed, {report.unchanged:,} unchanged, "
        f"{report.removed:,} removed; checksum {report.checksum[:16]}",
    )
    show(as_json, asdict(report), lambda: Text("\n".join(lines)), soft_wrap=True)


corpus_app = options.group("List and remove the indexed corpora.")


@options.command(corpus_app, "corpus.list")
def list_indexed(as_json: bool = False) -> None:
    """List the indexed corpora with their sizes."""
    corpora = list_corpora()
    columns = ("corpus", "judgments", "chunks", "MB", "checksum", "problem")
    rows = [
        (it.name, it.documents, it.chunks, f"{it.size / 1e6:,.1f}", it.checksum[:16], it.problem)
        for it in corpora
    ]
    none = Text("No corpus is indexed yet; `countercase index` makes one.")
    document = [asdict(corpus) for corpus in corpora]
    show(as_json, document, lambda: grid(columns, rows) if corpora else none)


@options.command(corpus_app, "corpus.remove")
def remove_indexed(
    name: str, yes: bool = False, chroma_host: str | None = None, as_json: bool = False
) -> None:
    """Remove the index of a corpus; its judgments stay where they are."""
    corpora = {corpus.name: corpus for corpus in list_corpora()}
    if name not in corpora:
        known = ", ".join(corpora) or "none yet"
        raise CorpusIndexError(f"no corpus {name!r} is indexed here (known: {known})")
    if as_json and not yes:
        raise InputError("--json asks no questions; add --yes to remove the corpus")
    size = f"{corpora[name].documents:,} judgments, {corpora[name].size / 1e6:,.1f} MB"
    if not yes and not typer.confirm(f"Remove the index of {name} ({size})?", err=True):
        typer.echo("nothing was removed", err=True)
        raise typer.Exit(1)
    remove_corpus(name, chroma_host)
    show(as_json, {"removed": asdict(corpora[name])}, lambda: Text(f"removed {name} ({size})"))


casebook_app = options.group("Read and search the casebook, and add your own.")


@options.command(casebook_app, "casebook.list")
def list_records(area: str = "", as_json: bool = False) -> None:
    """List the decisions of the casebook."""
    _show_records(casebook.records_of(area), as_json)


@options.command(casebook_app, "casebook.search")
def search_records(
    words: list[str] | None = None, area: str = "", provision: str = "",
    year_from: int | None = None, year_to: int | None = None, outcome: str = "",
    as_json: bool = False,
) -> None:  # fmt: skip
    """Search the decisions by words, provision, year and outcome.

    `countercase search` ranks by meaning instead.
    """
    records = casebook.search_records(words or (), area, provision, year_from, year_to, outcome)
    _show_records(records, as_json)


@options.command(casebook_app, "casebook.show")
def show_record(case_id: str, as_json: bool = False) -> None:
    """Show one decision and what it turned on."""
    from countercase.reports.wording import render

    record = casebook.record_of(case_id)
    cited, treatments = record.get("citation", {}), treatments_in(record.get("treatment"))
    citations = [cited.get("neutral", ""), *cited.get("reported", [])]
    about = [record["court"], in_full(record["date"]), record["docket"], *filter(None, citations)]
    text = render(
        "record.md.j2", it=record, about=about, bad=standing(treatments, None),
        later=[treatment.line(None) for treatment in treatments],
    )  # fmt: skip
    show(as_json, record, lambda: Markdown(text, hyperlinks=False))


@options.command(casebook_app, "casebook.add")
def add_records(file: Path) -> None:
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


def _show_records(records: Sequence[Mapping[str, Any]], as_json: bool) -> None:
    rows = [
        (it["area"], it["date"], f"{it['title']}\n{it['case_id']}", ", ".join(it["sections_cited"]))
        for it in records
    ]
    table = grid(("area", "date", "decision and id", "provisions"), rows)
    show(as_json, records, lambda: Group(table, Text(f"{len(records)} decisions", style="dim")))
