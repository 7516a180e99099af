"""The arithmetic protocol as an emitter of vector code: the meaning of an opcode becomes the code that computes it.

Same results as `LaneArithmetic` of `compiler/arithmetic/lanes.py`, bit for bit (NaN payloads aside), but for the
elementary functions, whose error `elementary.py` states.
"""

from __future__ import annotations

from glslc_multi.compiler.native.elementary import FUNCTIONS
from glslc_multi.compiler.native.emitter import Value
from glslc_multi.compiler.native.vectors import DoubleArithmetic, VectorArithmetic


class HostArithmetic(VectorArithmetic):
    """The arithmetic protocol over vectors of i1, i32 and float."""

    def elementary(self, name: str, *arguments: Value) -> Value:
        emitter = self.emitter
        wide = [emitter.convert("fpext", argument, emitter.double) for argument in arguments]
        return emitter.convert("fptrunc", FUNCTIONS[name](DoubleArithmetic(emitter), *wide), emitter.float)

    def exp2(self, x: Value) -> Value:
        return FUNCTIONS["exp2"](DoubleArithmetic(self.emitter), x)

    def log2(self, x: Value) -> Value:
        return FUNCTIONS["log2"](DoubleArithmetic(self.emitter), x)
