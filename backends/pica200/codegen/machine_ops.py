"""The opcodes as the shared machinery sees them, made from the instruction table, and the control operations.

An inverted form is no opcode of its own: which source may be a c register decides it when words are made
(`finalize.py`).  `branch` stands for whatever the shape of the control flow makes of it there: IFC, IFU, JMPC, BREAKC,
or the end of a LOOP.
"""

from __future__ import annotations

from collections.abc import Mapping

from glslc_multi.backends.pica200.codegen.register_files import FLAGS
from glslc_multi.backends.pica200.isa.instructions import MASKED, OPERATIONS, Operation
from glslc_multi.compiler.codegen.machine import MachineOp, ResultMode, SourceMode
from glslc_multi.compiler.records import dataclass


def _machine_op(row: Operation) -> MachineOp:
    by_component = all(reads == MASKED for reads in row.reads)
    result: ResultMode = "each" if by_component else "replicate"
    source: SourceMode = "each" if by_component else "slots"
    is_comparison = row.operands == "cmp"
    return MachineOp(
        row.name,
        result="none" if is_comparison else result,
        sources=(source,) * len(row.reads),
        effect=is_comparison,
        copy=row.name == "MOV",
        writes=(FLAGS,) if row.flags is not None else (),
    )


#: Inverted forms, and what has results of several meanings, are left out.
_LEFT_OUT = {row.inverted for row in OPERATIONS} | {"DST", "LITP"}

OPS: Mapping[str, MachineOp] = {
    row.name: _machine_op(row) for row in OPERATIONS if row.reads and row.name not in _LEFT_OUT
}

#: What computes values, and nothing else.
COMPUTING = frozenset(op for op in OPS.values() if not op.effect and op.name != "MOVA")

BRANCH = MachineOp("branch", result="none", effect=True, terminator=True)
JUMP = MachineOp("jump", result="none", effect=True, terminator=True)
END = MachineOp("END", result="none", effect=True, terminator=True)
EMIT = MachineOp("EMIT", result="none", effect=True)
SETEMIT = MachineOp("SETEMIT", result="none", effect=True)
#: A SETEMIT for each flag that CMP has set.
SETEMIT_IF = MachineOp("SETEMIT_IF", result="none", effect=True, reads=(FLAGS,))


@dataclass(frozen=True, slots=True)
class OnFlags:
    """A condition on what CMP has left: fields of format 2."""

    condop: int
    refx: int = 1
    refy: int = 1

    def inverted(self) -> OnFlags:
        # De Morgan: either (0) <-> both (1), the tests turned.  The bit of a flag that is not tested stays 1,
        # as the common assembler has it.
        turned = {0: 1, 1: 0}.get(self.condop, self.condop)
        refx, refy = (1 - self.refx) | (self.condop == 3), (1 - self.refy) | (self.condop == 2)
        return OnFlags(turned, int(refx), int(refy))


@dataclass(frozen=True, slots=True)
class OnBool:
    """A condition on a b register."""

    register: int
    wanted: bool = True

    def inverted(self) -> OnBool:
        return OnBool(self.register, not self.wanted)


@dataclass(frozen=True, slots=True)
class OnCount:
    """The end of a counted loop: whether the LOOP with this i register goes on."""

    register: int


Condition = OnFlags | OnBool | OnCount

#: cmp.x alone, and cmp.y.
IF_X, IF_Y = OnFlags(condop=2), OnFlags(condop=3)
