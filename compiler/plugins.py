"""Registries: what this distribution has by name, and what other distributions add by entry points.

Everything is imported on first use.  Where nothing was added, looking costs next to nothing: reading entry
points imports a large part of the standard library, so that happens only where some distribution has the group.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Generic, TypeVar, cast

from glslc_multi.compiler.files import note_unrepeatable

Entry = TypeVar("Entry")


class PluginError(Exception):
    """What another distribution has added does not work."""


class Registry(Generic[Entry]):
    """Names, and what they stand for."""

    def __init__(self, group: str, own: Mapping[str, str]) -> None:
        #: The group of entry points by which others add to it.
        self.group = group
        #: Name -> "module:attribute" of this distribution.
        self.own = own
        self._loaded: dict[str, Entry] = {}

    def names(self) -> tuple[str, ...]:
        """All names, sorted."""
        return tuple(sorted({*self.own, *_installed(self.group)}))

    def __contains__(self, name: str) -> bool:
        return name in self.own or name in _installed(self.group)

    def load(self, name: str) -> Entry:
        """The object of a name; KeyError where there is none.  Names of this distribution cannot be replaced, and
        no cache keeps what other distributions' code makes: it may change unnoticed."""
        if name not in self.own:
            note_unrepeatable()
        if name not in self._loaded:
            value = _attribute(self.own[name]) if name in self.own else self._load_installed(name)
            self._loaded[name] = cast(Entry, value)
        return self._loaded[name]

    def usable(self) -> Iterator[Entry]:
        """Everything that can be loaded, in the order of the names."""
        for name in self.names():
            with suppress(PluginError):
                yield self.load(name)

    def faults(self) -> Iterator[str]:
        """Why what other distributions have added cannot be loaded, where that is so."""
        for name in self.names():
            try:
                self.load(name)
            except PluginError as error:
                yield str(error)

    def _load_installed(self, name: str) -> object:
        load = _installed(self.group)[name]
        try:
            return load()
        except (Exception, SystemExit) as error:
            raise PluginError(f"entry point '{name}' of the group {self.group} cannot be loaded: {error}") from error


def _attribute(place: str) -> object:
    module, _, attribute = place.partition(":")
    return getattr(import_module(module), attribute)


@cache
def _installed(group: str) -> Mapping[str, Callable[[], object]]:
    """Name -> what loads the entry point, of all distributions that are installed."""
    heading = f"[{group}]"
    if not any(heading in text for text in _entry_point_texts()):
        return {}
    from importlib.metadata import entry_points

    return {entry_point.name: entry_point.load for entry_point in entry_points(group=group)}


def _entry_point_texts() -> Iterator[str]:
    """What distributions on the path declare as entry points (PyPA's entry points specification)."""
    for folder in sys.path:
        for path in Path(folder).glob("*-info/entry_points.txt"):
            with suppress(OSError):
                yield path.read_text(encoding="utf-8")
