"""`countercase index` and `corpus`: judgments are indexed, listed and removed."""

from __future__ import annotations

import time
from dataclasses import asdict
from functools import partial
from pathlib import Path

import typer
from rich.console import RenderableType
from rich.text import Text

from countercase.cli import options
from countercase.cli.screen import Steps, grid, show
from countercase.config import load_settings
from countercase.corpus.index.build import CorpusInfo, list_corpora, remove_corpus
from countercase.engines.engine import PLAIN, choose_engine
from countercase.errors import CorpusIndexError, InputError


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
    try:
        with Steps() as steps:
            encoders = open_encoders(models, **settings.encoding(), progress=steps.work)
            report = index_corpus(
                path, corpus, encoders, chunk_pieces=settings.CHUNK_PIECES,
                chroma_host=chroma_host, strict=strict, progress=steps.work, workers=spread,
            )  # fmt: skip
    except KeyboardInterrupt:
        typer.echo(
            "\nstopped: what is indexed stays; the same command goes on from there", err=True
        )
        raise typer.Exit(130) from None
    for _, problem in report.damaged:
        typer.echo(f"warning: skipped {problem}", err=True)
    lines = (
        f"corpus {report.corpus}: {report.cases:,} judgments in {report.chunks:,} chunks, "
        f"{time.monotonic() - begun:.0f} s",
        f"{report.added:,} added, {report.changed:,} changed, {report.unchanged:,} unchanged, "
        f"{report.removed:,} removed; checksum {report.checksum[:16]}",
    )
    show(as_json, asdict(report), lambda: Text("\n".join(lines)), soft_wrap=True)


app = options.group("List and remove the indexed corpora.")


@options.command(app, "corpus.list")
def list_(as_json: bool = False) -> None:
    """List the indexed corpora with their sizes."""
    corpora = list_corpora()
    show(as_json, [asdict(corpus) for corpus in corpora], lambda: _table(corpora))


@options.command(app, "corpus.remove")
def remove(
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


def _table(corpora: tuple[CorpusInfo, ...]) -> RenderableType:
    if not corpora:
        return Text("No corpus is indexed yet; `countercase index` makes one.")
    columns = ("corpus", "judgments", "chunks", "MB", "checksum", "problem")
    rows = [
        (it.name, it.documents, it.chunks, f"{it.size / 1e6:,.1f}", it.checksum[:16], it.problem)
        for it in corpora
    ]
    return grid(columns, rows)
