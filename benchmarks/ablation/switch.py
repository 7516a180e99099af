"""Pieces of the compiler, and how one of them is switched off.

A piece is switched off by putting something else in the place of a function, a method or a table: what does nothing, or
has fewer rows.  Where the place is the module that defines a function, it is replaced in every module that imported it,
too.  No code of the compiler knows of this.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from typing import Any, Literal

from glslc_multi.compiler.records import dataclass

Kind = Literal["pass", "pass of -O2", "step", "rewrite", "variant", "search", "check"]
#: The rooms whose modules may have imported a function under its own name.
_ROOMS = ("glslc_multi.backends.", "glslc_multi.compiler.", "glslc_multi.frontends.")
_MISSING = object()


@dataclass(frozen=True, slots=True)
class Switch:
    """What stands in a place while a piece is off."""

    #: `module:attribute`, the attribute with dots where it is a method.
    place: str
    #: Makes what stands there of what stood there.
    replace: Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Piece:
    """Something that can be switched off."""

    name: str
    kind: Kind
    switches: tuple[Switch, ...]
    #: The level of optimisation at which it is measured.
    level: int = 2


# ------------------------------------------------------------------------------------------ what stands there instead
def nothing(_: Any) -> Any:
    """A function that does nothing."""
    return lambda *_arguments, **_named: None


def answering(answer: Any) -> Callable[[Any], Any]:
    """A function that always gives this answer."""
    return lambda _: lambda *_arguments, **_named: answer


def same(_: Any) -> Any:
    """A function that gives back its first argument."""
    return lambda first, *_arguments, **_named: first


def value(instead: Any) -> Callable[[Any], Any]:
    """Another value, in place of a number or a table."""
    return lambda _: instead


# ------------------------------------------------------------------------------------------------------- switching
@contextmanager
def switched_off(piece: Piece) -> Iterator[None]:
    """The compiler without a piece."""
    with ExitStack() as stack:
        for switch in piece.switches:
            stack.enter_context(replaced(switch.place, switch.replace))
        yield


@contextmanager
def replaced(place: str, replace: Callable[[Any], Any]) -> Iterator[None]:
    """Something else in a place, until the end of the `with`."""
    owner, name, original = found(place)
    inherited = name not in vars(owner)
    instead = replace(original)
    is_imported = getattr(original, "__module__", None) == getattr(owner, "__name__", "") and callable(original)
    for holder in _holders(owner, name, original) if is_imported else [owner]:
        setattr(holder, name, instead)
    try:
        yield
    finally:
        # Modules that were imported meanwhile have the substitute, too.
        for holder in _holders(owner, name, instead) if is_imported else [owner]:
            setattr(holder, name, original)
        if inherited:
            delattr(owner, name)


def found(place: str) -> tuple[Any, str, Any]:
    """The owner of a place, the name of the place, and what stands there."""
    module, _, path = place.partition(":")
    owner: Any = import_module(module)
    *outer, name = path.split(".")
    for part in outer:
        owner = getattr(owner, part)
    return owner, name, getattr(owner, name)


def _holders(owner: Any, name: str, function: Any) -> list[Any]:
    """The modules in which a function has its name."""
    modules = [module for key, module in list(sys.modules.items()) if key.startswith(_ROOMS)]
    return [owner, *(m for m in modules if m is not owner and vars(m).get(name, _MISSING) is function)]


@contextmanager
def observed(pieces: list[Piece], active: set[str]) -> Iterator[None]:
    """Puts into `active` the names of the pieces that come into play: passes that change something, functions that are
    called, and all pieces that are tables."""
    with ExitStack() as stack:
        for piece in pieces:
            for switch in piece.switches:
                if not callable(found(switch.place)[2]) or piece.kind == "pass of -O2":
                    active.add(piece.name)
                    continue
                stack.enter_context(replaced(switch.place, _noting(piece, active)))
        yield


def _noting(piece: Piece, active: set[str]) -> Callable[[Any], Any]:
    """The function, which puts its piece into `active` when it does something."""

    def wrap(original: Any) -> Any:
        def call(*arguments: Any, **named: Any) -> Any:
            answer = original(*arguments, **named)
            if answer or piece.kind != "pass":
                active.add(piece.name)
            return answer

        return call

    return wrap
