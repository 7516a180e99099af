"""What code generation must know of the instructions: rows of `instructions.py` as machine operations.

The table below says only how lanes of sources and result belong together where that is not "one for one"; names,
numbers of sources and effects come from the instruction set.
"""

from __future__ import annotations

from collections.abc import Mapping

from glslc_multi.backends.xenos_family.isa import instructions
from glslc_multi.compiler.codegen.machine import MachineOp, ResultMode, SourceMode

#: Vector operations whose result is one number for all components, and reads its sources slot by slot.
_REPLICATED = ("DOT4v", "DOT3v", "DOT2ADDv", "MAX4v")


def _vector_op(row: instructions.Operation) -> MachineOp:
    result: ResultMode = "each"
    source: SourceMode = "each"
    if row.name in _REPLICATED or row.predicate is not None:
        result, source = "replicate", "slots"
    elif row.name == "CUBEv":
        result, source = "fixed", "slots"
    elif row.kills is not None:
        result, source = "none", "slots"
    return MachineOp(row.name, result, (source,) * row.sources, effect=row.has_effect)


def _scalar_op(row: instructions.Operation) -> MachineOp:
    result: ResultMode = "none" if row.kills is not None else "replicate"
    # Setting a0 is a result like any other: its reader names it.
    sources: tuple[SourceMode, ...] = ("slots", "slots") if row.of_constant else ("slots",)
    return MachineOp(row.name, result, sources, effect=row.kills is not None or row.predicate is not None)


VECTOR: Mapping[str, MachineOp] = {row.name: _vector_op(row) for row in instructions.VECTOR_OPERATIONS}
SCALAR: Mapping[str, MachineOp] = {row.name: _scalar_op(row) for row in instructions.SCALAR_OPERATIONS}

#: A move is the larger of a value and itself.
MOVE = MachineOp("MAXv", "each", ("each",), copy=True)
#: The same where it changes the value: sign, absolute value, limits.
CHANGE = MachineOp("MAXv", "each", ("each",))

#: The last source of a fetch is what it has found, of which the destination picks components.
VERTEX = MachineOp("VERTEX", "each", ("slots", "each"))
SAMPLE = MachineOp("SAMPLE", "each", ("slots", "each"))
#: Of two numbers, the differences to the right in x and z, and upwards in y and w.
GRADIENTS = MachineOp("GET_GRADIENTS", "each", ("slots", "each"))
#: Two slots: SET_TEX_LOD with the second source, then SAMPLE.
SAMPLE_LEVEL = MachineOp("SAMPLE_LEVEL", "each", ("slots", "slots", "each"))
#: Three: SET_GRADIENTS_H and SET_GRADIENTS_V with the second and the third source, then SAMPLE.
SAMPLE_GRADIENTS = MachineOp("SAMPLE_GRADIENTS", "each", ("slots", "slots", "slots", "each"))

#: Ends of blocks; what they test is in the attribute `test`.  `predication.py` replaces them.
BRANCH = MachineOp("BRANCH", "none", ("slots",), effect=True, terminator=True)
#: The same where the machine counts: the attribute `constant` is the number of the loop constant.
COUNTED = MachineOp("COUNTED", "none", (), effect=True, terminator=True)
GO = MachineOp("GO", "none", (), effect=True, terminator=True)
END = MachineOp("END", "none", (), effect=True, terminator=True)

FETCHES = frozenset({VERTEX, SAMPLE, SAMPLE_LEVEL, SAMPLE_GRADIENTS, GRADIENTS})
