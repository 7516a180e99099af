"""The work that one compilation may do where work multiplies: loops that are run to be counted, copies of loops and of
functions.

    with budgeted():                   # the driver, around a compilation
        compile_module(...)

    if not spend(steps):               # whoever multiplies work: leave it, or refuse the shader
        return

Work is counted in instructions, never in seconds, so that a shader gets the same code everywhere.  What grows as its
source does needs no budget.
"""

from __future__ import annotations

from collections.abc import Hashable
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Instructions that may be computed.
LIMIT = 1 << 17
#: What one that is copied counts, since all steps that follow look at it.
COPY = 4


class _Budget:
    __slots__ = ("known", "left")

    def __init__(self) -> None:
        self.left = LIMIT
        self.known: dict[Hashable, Any] = {}


_budget: ContextVar[_Budget | None] = ContextVar("budget", default=None)


@contextmanager
def budgeted() -> Iterator[None]:
    """All steps inside the `with` have one budget."""
    token = _budget.set(_Budget())
    try:
        yield
    finally:
        _budget.reset(token)


def spend(work: int) -> bool:
    """Take that much of the budget, if there is as much; outside of any there is a new one each time."""
    budget = _budget.get() or _Budget()
    if work > budget.left:
        return False
    budget.left -= work
    return True


def known_results() -> dict[Hashable, Any]:
    """What work has found out so far, by questions that name all that the answer depends on."""
    return (_budget.get() or _Budget()).known
