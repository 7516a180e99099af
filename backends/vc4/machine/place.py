"""Where a program is: an address with all that does not depend on values.

Groups that come to the same place run together; where a program is translated, each place becomes code.
"""

from __future__ import annotations

from typing import NamedTuple

from glslc_multi.backends.vc4.isa.fixed_function import VPM_ROWS
from glslc_multi.backends.vc4.isa.uniforms import Uniform


class Rows(NamedTuple):
    """A run of VPM rows: the next one, the distance, and how many may still be read."""

    row: int
    stride: int
    left: int = 0

    @property
    def rest(self) -> Rows:
        """Those after the next one."""
        return Rows((self.row + self.stride) % VPM_ROWS, self.stride, max(self.left - 1, 0))


class Unit(NamedTuple):
    """A TMU: the coordinates and parameters that it has got for the next request, and the results that wait, oldest
    first, each by the number of its variable."""

    letters: str = ""
    parameters: tuple[Uniform | None, ...] = ()
    results: tuple[int, ...] = ()


class Streams(NamedTuple):
    """How far the other peripherals are."""

    #: How many varyings were read, and how often the tile buffer was written.
    varying: int = 0
    tile: int = 0
    reads: Rows | None = None
    writes: Rows | None = None
    units: tuple[Unit, Unit] = (Unit(), Unit())


class Place(NamedTuple):
    """The state before an instruction."""

    pc: int = 0
    #: How many words of the uniform stream were read.
    uniform: int = 0
    streams: Streams = Streams()
    #: Instructions until something happens; 0 if nothing is to happen.
    branch_in: int = 0
    switch_in: int = 0
    end_in: int = 0
    #: Of a branch that is taken: where it goes, and where it was.
    target: int = 0
    origin: int = 0
