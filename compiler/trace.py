"""Watching a compilation: a watcher is shown the code after every step that changed it.

    with watching(lambda step, code: print(step)):
        compile_source(...)

Steps announce themselves by `show`, which costs next to nothing while nobody watches.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    #: Receives the name of a step, and the `Module` or `MachineFunction` as the step left it, which later steps change.
    Watcher = Callable[[str, object], None]

_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)
_stage: ContextVar[str] = ContextVar("stage", default="")


def show(step: str, code: object) -> None:
    """Show the code to the watchers."""
    shown_to = _watcher.get()
    if shown_to is not None:
        shown_to(step, code)


def watcher() -> Watcher | None:
    """Who watches."""
    return _watcher.get()


def is_watched() -> bool:
    """Whether there is a watcher, for steps whose code is built only to be shown."""
    return _watcher.get() is not None


class watching:
    """Show `watcher` the steps of the compilations inside the `with`."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher

    def __enter__(self) -> None:
        self._token = _watcher.set(self._watcher)

    def __exit__(self, *error: object) -> None:
        _watcher.reset(self._token)


def making_stage() -> str:
    """Of which stage of a linked program the machine code is made; "" before that."""
    return _stage.get()


class making:
    """The steps inside the `with` are those of one stage."""

    def __init__(self, stage: str) -> None:
        self._name = stage

    def __enter__(self) -> None:
        self._token = _stage.set(self._name)

    def __exit__(self, *error: object) -> None:
        _stage.reset(self._token)
