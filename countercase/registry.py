"""Extension points: parts that are found by name.

A part comes from one of three places: the package itself (`data/parts.jsonl`), `register()` in the
running program, or an entry point of an installed distribution, in the group `countercase.<kind>`:

    [project.entry-points."countercase.rankers"]
    tfidf = "my_package.ranker:TfidfRanker"

A name is looked up when it is first asked for, so a part costs nothing until it is used.
"""

from __future__ import annotations

from functools import cache, cached_property, partial
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final

from countercase.errors import ConfigError, InputError, call, did_you_mean, is_own, takes
from countercase.io import read_table, shown

_entry_points: Final = cache(entry_points)


class _Named:
    """A part of a user; InputError with its name where a method of it fails or returns nothing."""

    def __init__(self, name: str, part: Any) -> None:
        self._name, self._part = name, part

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("_"):
            raise AttributeError(attribute)
        own = getattr(self._part, attribute)
        return partial(self._ask, attribute, own) if callable(own) else own

    def _ask(self, name: str, method: Any, *given: Any, **asked: Any) -> Any:
        if (answer := call(self._name, method, *given, **asked)) is None:
            raise InputError(f"{self._name} failed: `{name}` returned None")
        return answer


class Registry:
    """Parts of one kind, which have `needed`, and what is made by them `made`, all in words."""

    def __init__(self, kind: str, needed: str = "__call__", made: str = "") -> None:
        self.kind, self.needed, self.made, self._registered = kind, needed, made, dict[str, Any]()

    @cached_property
    def shipped(self) -> dict[str, dict[str, str]]:
        """The rows of the parts of this package, by name; `about` is its line in the help."""
        return {it["name"]: it for it in read_table("parts", dict) if it["kind"] == self.kind}

    @cached_property
    def _installed(self) -> dict[str, str]:
        points = _entry_points().select(group=f"countercase.{self.kind}")
        return dict(sorted((point.name, point.value) for point in points))

    def register(self, name: str, part: Any) -> None:
        """Add a part to the running program; it hides a part of the same name."""
        self._registered[name] = self._checked(part, self.needed)

    def _checked(self, part: Any, needed: str) -> Any:
        if isinstance(part, type) and needed not in ("", "__call__"):
            raise InputError(f"{self.kind}: {shown(part)} is a class; give an object of it")
        for name in needed.split():
            if getattr(part, name, None) is None:
                raise InputError(f"{self.kind}: {shown(part)} has no `{name}`, as a part needs")
        if self.kind == "fact_types" and not is_own(part):
            return _Named(f"the fact type {getattr(part, 'name', shown(part))}", part)
        return part

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
        """The part of this name; ConfigError where there is none, InputError where it is unfit."""
        if name in self._registered:
            return self._registered[name]
        if name not in self:
            raise ConfigError(self.unknown(name))
        target = self.shipped[name]["part"] if name in self.shipped else self._installed[name]
        load = EntryPoint(name, target, self.kind).load
        return self._checked(call(f"{self.kind} {name!r} ({target})", load), self.needed)

    def make(self, name: str, *given: Any) -> Any:
        """What the part of this name makes of what it is given; errors as of `get`."""
        made = call(f"{self.kind} {name!r}", self.get(name), *given)
        return self._checked(made, self.made)


FACT_TYPES: Final = Registry("fact_types", "recognise")
"""`countercase.fact_types.base.FactType` objects."""

RANKERS: Final = Registry("rankers", made="name rows __hash__")
"""`countercase.retrieval.base.Ranker` classes."""

CORPUS_READERS: Final = Registry("corpus_readers", "documents")
"""`countercase.corpus.readers.base.CorpusReader` objects."""

ENCODERS: Final = Registry("encoders", made="encode score fingerprint width counts count")
"""Functions from `countercase.encoders.base.EncoderOptions` to a set of models, `Encoders`."""

VALIDATORS: Final = Registry("validators", made="judge")
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
