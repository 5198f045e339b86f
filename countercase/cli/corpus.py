"""`countercase corpus`: the corpora that are indexed on this machine."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import RenderableType
from rich.text import Text

from countercase.cli import options
from countercase.cli.options import AsJson, ChromaHost
from countercase.cli.screen import grid, show
from countercase.corpus.index.build import CorpusInfo, list_corpora, remove_corpus
from countercase.errors import CorpusIndexError, InputError

app = options.group("List and remove the indexed corpora.")


@app.command("list")
def list_(as_json: AsJson = False) -> None:
    """List the indexed corpora with their sizes."""
    corpora = list_corpora()
    show(as_json, [asdict(corpus) for corpus in corpora], lambda: _table(corpora))


@app.command()
def remove(
    name: Annotated[str, options.argument("corpus.remove.name", metavar="NAME")],
    yes: Annotated[bool, options.flag("corpus.remove.yes")] = False,
    chroma_host: ChromaHost = None,
    as_json: AsJson = False,
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
