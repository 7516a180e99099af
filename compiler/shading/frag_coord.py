"""gl_FragCoord by other conventions: from the top of the window, centres of pixels at whole numbers.

The machines' own coordinate has its origin at the bottom and centres at halves, as OpenGL has it (GLSL 1.50 section
4.3.8.1).  How far the top is only the host knows: a uniform has the height.
"""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.types import FLOAT
from glslc_multi.compiler.ir.variables import WINDOW_HEIGHT, WINDOW_HEIGHT_NAME, Address, Variable
from glslc_multi.compiler.shading.emitter import Emitter

_CENTRE = 0.5


class MovedCoordinate:
    """The local variable that code reads in place of the built-in one."""

    __slots__ = ("_conventions", "_coordinate", "_local", "height")

    def __init__(self, local: Variable, coordinate: Variable, conventions: frozenset[str]) -> None:
        self._local = local
        self._coordinate = coordinate
        self._conventions = conventions
        self.height = Variable(WINDOW_HEIGHT_NAME, "uniform", FLOAT, precision="highp", role=WINDOW_HEIGHT)

    def emit(self, emitter: Emitter) -> None:
        """Compute it; this comes before all uses."""
        given = emitter.load(Address(self._coordinate), ())
        x, y = emitter.swizzle(given, (0,)), emitter.swizzle(given, (1,))
        if "origin_upper_left" in self._conventions:
            y = emitter.op(ops.FSUB, emitter.load(Address(self.height), ()), y)
        if "pixel_center_integer" in self._conventions:
            x, y = (emitter.op(ops.FSUB, place, emitter.number(_CENTRE, place)) for place in (x, y))
        moved = emitter.op(ops.CONSTRUCT, x, y, emitter.swizzle(given, (2, 3)))
        emitter.store(Address(self._local), (), moved)
