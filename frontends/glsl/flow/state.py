"""What is known where control is: which components hold a value on every way there, and which on some."""

from __future__ import annotations

from typing import NamedTuple


class State(NamedTuple):
    """Sets of components as bits (`parts.py`)."""

    #: Written on every path from the beginning.
    surely: int
    #: Written on some path; all that is in `surely`, too.
    perhaps: int

    def wrote(self, bits: int) -> State:
        return State(self.surely | bits, self.perhaps | bits)

    def may_have_written(self, bits: int) -> State:
        return State(self.surely, self.perhaps | bits)

    def forgot(self, bits: int) -> State:
        """A declaration makes a new variable, whose value is undefined (section 4.3)."""
        return State(self.surely & ~bits, self.perhaps & ~bits)


def join(one: State | None, other: State | None) -> State | None:
    """Where two ways meet; None is a way that control never takes."""
    if one is None or other is None:
        return one or other
    return State(one.surely & other.surely, one.perhaps | other.perhaps)
