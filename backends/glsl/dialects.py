"""The versions of GLSL that are written: what each has, and how it spells it."""

from __future__ import annotations

from collections.abc import Mapping

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.lowering.opcode_set import OpcodeSet
from glslc_multi.compiler.records import dataclass

#: Built-in functions that all versions have.
_FUNCTIONS = (
    "fmod.fclamp.fmix.fstep.fsmoothstep.ffract.fceil.fsign.fsqrt.fpow.fexp.flog.ftan.dot.length.normalize.cross."
    "all.any.fmad.fdiv.fsaturate"
)


@dataclass(frozen=True, slots=True)
class Dialect:
    """One version of GLSL."""

    #: As `--std` names it.
    name: str
    version: str
    #: `in` and `out`, outputs with names, overloaded texture functions, ints with all operations.
    is_modern: bool
    #: Whether numbers have precisions.
    is_es: bool

    @property
    def kept(self) -> OpcodeSet:
        """The composite operations that it has functions for."""
        return OpcodeSet(_FUNCTIONS + (".ftrunc.froundeven.fisnan.utof.ftou" if self.is_modern else ""))

    def lacks(self, opcode: Opcode) -> bool:
        """Tell whether it has no form for an operation."""
        return not self.is_modern and opcode in _MODERN


DIALECTS: Mapping[str, Dialect] = {
    dialect.name: dialect
    for dialect in (
        Dialect("100", "100", is_modern=False, is_es=True),
        Dialect("300es", "300 es", is_modern=True, is_es=True),
        Dialect("120", "120", is_modern=False, is_es=False),
        Dialect("330", "330", is_modern=True, is_es=False),
    )
}

_MODERN = frozenset(
    {
        *(ops.IAND, ops.IOR, ops.IXOR, ops.INOT, ops.ISHL, ops.ISHR, ops.USHR, ops.UDIV, ops.UREM, ops.ULT, ops.ULE),
        *(ops.UTOF, ops.FTOU, ops.BITCAST_FTOI, ops.BITCAST_ITOF, ops.TEXTURE_SIZE),
    }
)
