"""Extension points: parts that are found by name.

A part comes from one of three places: the package itself (`data/parts.jsonl`), `register()` in the
running program, or an entry point of an installed distribution, in the group `countercase.<kind>`:

    [project.entry-points."countercase.rankers"]
    tfidf = "my_package.ranker:TfidfRanker"

A name is looked up when it is first asked for, so a part costs nothing until it is used.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Final

from countercase.errors import ConfigError, InputError, did_you_mean, takes
from countercase.io import read_table, shown

_entry_points: Final = cache(entry_points)


@dataclass(frozen=True)
class Part:
    """A part, `module:attribute`, a row of `data/parts.jsonl`; `about` is its line in the help."""

    kind: str
    name: str
    part: str
    about: str = ""


class Registry:
    """The parts of one kind, which have `needed`; entry points stand in `countercase.<kind>`."""

    def __init__(self, kind: str, needed: str = "__call__") -> None:
        self.kind, self.needed, self._registered = kind, needed, dict[str, Any]()

    @cached_property
    def shipped(self) -> dict[str, Part]:
        """The parts of this package, by name, in the order of lists."""
        return {row.name: row for row in read_table("parts", Part) if row.kind == self.kind}

    @cached_property
    def _installed(self) -> dict[str, str]:
        points = _entry_points().select(group=f"countercase.{self.kind}")
        return dict(sorted((point.name, point.value) for point in points))

    def register(self, name: str, part: Any) -> None:
        """Add a part to the running program; it hides a part of the same name."""
        if not hasattr(part, self.needed):
            raise InputError(f"{self.kind}: {shown(part)} has no `{self.needed}`, as a part needs")
        self._registered[name] = part

    def names(self) -> tuple[str, ...]:
        """All names: the shipped parts in their order, then installed ones, then registered ones."""
        return tuple(dict.fromkeys([*self.shipped, *self._installed, *self._registered]))

    def __contains__(self, name: str) -> bool:
        return name in self._registered or name in self.shipped or name in self._installed

    def unknown(self, name: str) -> str:
        """What to say of a name that is not registered; it names the nearest."""
        nearest = did_you_mean(name, self.names())
        return f"no {self.kind} named {name!r}{nearest} (known: {', '.join(self.names())})"

    def get(self, name: str) -> Any:
        """The part of this name; ConfigError, with the nearest, where there is none."""
        if name in self._registered:
            return self._registered[name]
        if name not in self:
            raise ConfigError(self.unknown(name))
        target = self.shipped[name].part if name in self.shipped else self._installed[name]
        module, _, attribute = target.partition(":")
        try:
            return getattr(import_module(module), attribute)
        except (ImportError, AttributeError) as error:
            raise ConfigError(f"{self.kind} {name!r} ({target}): {error}") from error


FACT_TYPES: Final = Registry("fact_types", "recognise")
"""`countercase.fact_types.base.FactType` objects."""

RANKERS: Final = Registry("rankers")
"""`countercase.retrieval.base.Ranker` classes."""

CORPUS_READERS: Final = Registry("corpus_readers", "documents")
"""`countercase.corpus.readers.base.CorpusReader` objects."""

ENCODERS: Final = Registry("encoders")
"""Functions from `countercase.encoders.base.EncoderOptions` to a set of models, `Encoders`."""

VALIDATORS: Final = Registry("validators")
"""`countercase.counterfactual.lawful.Validator` classes."""

REPORT_FORMATS: Final = Registry("report_formats", "items")
"""`countercase.reports.view.ReportFormat` mappings: the files of each format and what makes them."""

COMMANDS: Final = Registry("commands")
"""Functions that Typer makes commands of, and groups of commands."""

_REGISTRIES: Final = {
    it.kind: it
    for it in (FACT_TYPES, RANKERS, CORPUS_READERS, ENCODERS, VALIDATORS, REPORT_FORMATS, COMMANDS)
}


@takes(kind=str, name=str)
def register(kind: str, name: str, part: Any) -> None:
    """Add a part of one kind to the running program.

    >>> register("rankers", "tfidf", TfidfRanker)  # doctest: +SKIP
    """
    if kind not in _REGISTRIES:
        raise ConfigError(f"no extension point {kind!r} (known: {', '.join(_REGISTRIES)})")
    _REGISTRIES[kind].register(name, part)
