"""Forms of the compiler's rules, which say when they fire.

A rule that changes code in several ways has several forms: a fix-up for a second and for a third source, a pair of
operations in either order.  Each is named where it is written,

    _THIRD = Form(__name__, "third source shared")
    ...
    _THIRD.fires()

and each row of a table is a form.  Tests collect what fired (`tests/witnesses`), so that no form is without
a program that proves it.  Nothing is counted while nobody collects.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_fired: ContextVar[set[str] | None] = ContextVar("fired", default=None)
_FORMS: dict[str, Form] = {}


class Form:
    """One way in which a rule changes code."""

    __slots__ = ("name",)

    def __init__(self, place: str, what: str) -> None:
        """`place` is the module, or a table in it."""
        self.name = f"{place}: {what}"
        _FORMS[self.name] = self

    def fires(self) -> None:
        """The form changes code now."""
        fired = _fired.get()
        if fired is not None:
            fired.add(self.name)


def form_names() -> Iterator[str]:
    """The forms of all modules that are imported."""
    return iter(_FORMS)


class collecting_forms:
    """`with collecting_forms() as fired`: the set of the names that fire inside."""

    def __enter__(self) -> set[str]:
        fired: set[str] = set()
        self._token = _fired.set(fired)
        return fired

    def __exit__(self, *error: object) -> None:
        _fired.reset(self._token)
