"""Watching a compilation: a watcher is shown the code before and after every step.

    with watching(Recorder()):
        compile_source(...)

Passes and steps of code generation announce themselves, which costs next to nothing while nobody watches.  A watcher
may end the compilation by raising, as the verifier does (`verification.py`).
"""

from __future__ import annotations

from contextvars import ContextVar


class Watcher:
    """Sees the steps; `code` is the `Module` or `MachineFunction`, which later steps change.

    The first of several watchers is nearest to the step: the last one before it, and the first one after it.
    """

    def before(self, step: str, code: object) -> None:
        """A pass begins."""

    def after(self, step: str, code: object, *, changed: bool) -> None:
        """A pass or a step of code generation has ended."""

    def solved(self, block: object) -> None:
        """A solver has ended with a block; `block` is what it says, a `BlockProof`."""


_watchers: ContextVar[tuple[Watcher, ...]] = ContextVar("watchers", default=())
_stage: ContextVar[str] = ContextVar("stage", default="")


def begin(step: str, code: object) -> None:
    """Tell the watchers that a step begins."""
    for watcher in reversed(_watchers.get()):
        watcher.before(step, code)


def show(step: str, code: object, *, changed: bool = True) -> None:
    """Show the watchers the code after a step."""
    for watcher in _watchers.get():
        watcher.after(step, code, changed=changed)


def show_solved(block: object) -> None:
    """Show the watchers what a solver says of a block."""
    for watcher in _watchers.get():
        watcher.solved(block)


def is_watched() -> bool:
    """Tell whether there is a watcher, for steps whose code is built only to be shown."""
    return bool(_watchers.get())


class watching:
    """Show the compilations inside the `with` to watchers, beside those that watch already."""

    def __init__(self, *watchers: Watcher) -> None:
        self._new = watchers

    def __enter__(self) -> None:
        self._token = _watchers.set((*self._new, *_watchers.get()))

    def __exit__(self, *error: object) -> None:
        _watchers.reset(self._token)


def making_stage() -> str:
    """Name the stage of a linked program whose machine code is made; "" before that."""
    return _stage.get()


class making:
    """The steps inside the `with` are those of one stage."""

    def __init__(self, stage: str) -> None:
        self._name = stage

    def __enter__(self) -> None:
        self._token = _stage.set(self._name)

    def __exit__(self, *error: object) -> None:
        _stage.reset(self._token)
