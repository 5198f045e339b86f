"""`countercase index`: index judgments, or bring an index up to date."""

from __future__ import annotations

import time
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from countercase.cli import options
from countercase.cli.screen import Steps, show
from countercase.config import load_settings
from countercase.engines.engine import PLAIN, choose_engine


def index(
    path: Annotated[Path, options.argument("index.path")],
    corpus: Annotated[str, options.option("index.corpus")],
    chroma_host: options.ChromaHost = None,
    models: options.Models = "embedded",
    strict: Annotated[bool, options.flag("index.strict")] = False,
    engine: options.EngineName = None,
    workers: options.Workers = None,
    ray_address: options.RayAddress = None,
    as_json: options.AsJson = False,
) -> None:
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
