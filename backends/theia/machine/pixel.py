"""A pixel of a compiled shader: the block of constants, then the shader, whose rows the host loads between them."""

from __future__ import annotations

from collections.abc import Collection

from glslc_multi.backends.theia.isa.conventions import ALPHA, SINK
from glslc_multi.backends.theia.isa.instructions import Decoded
from glslc_multi.backends.theia.isa.program import Program
from glslc_multi.backends.theia.isa.registers import physical
from glslc_multi.backends.theia.machine.constants import LANES
from glslc_multi.backends.theia.machine.execute import Edges, Point, TheiaProgram, lanes_of
from glslc_multi.compiler.execution.program import Lanes


class PixelProgram(TheiaProgram):
    """Both blocks; each pixel brings the registers `rows`."""

    def __init__(self, program: Program, rows: Collection[int], lanes: Lanes) -> None:
        kept = [(ALPHA, 0), *lanes_of([physical(SINK, program.variant)])]
        start = program.entries.get("PIXELSHADER")
        if start is None:
            lanes.fault("there is no entry point PIXELSHADER")
        super().__init__(program, start, kept, rows, lanes)
        self._rows = rows
        self._shader = self._start
        self._is_constant = "USERCONSTANTS" in program.entries
        if self._is_constant:
            self._start = Point(program.entries["USERCONSTANTS"])

    def end(self, decoded: Decoded) -> Edges:
        """Let the pixel begin after the block of constants."""
        if not self._is_constant:
            return ()
        self._is_constant = False
        for register in self._rows:
            self._put(register, [self.lanes.input((register, lane), self.word) for lane in range(LANES)])
        return ((self._shader, None),)
