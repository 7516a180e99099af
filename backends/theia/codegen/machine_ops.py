"""The instructions as the shared code generator sees them, made from the table in `instructions.py`.

A register is one component wide here: all three lanes of a row are written together.  Besides the table's rows there
are ops that `finalize.py` writes out as several words:

* *guarded* instructions, which a condition jumps over: the destination keeps its value then, so that it is a
  source too, tied to the result;
* `BRANCH` and `SKIP`, whose condition (`conditions.py`) is one of their attributes, and the square root's loop.
"""

from __future__ import annotations

from functools import cache

from glslc_multi.backends.theia.isa import conventions
from glslc_multi.backends.theia.isa.instructions import BY_NAME, Instruction
from glslc_multi.backends.theia.isa.registers import COUNT
from glslc_multi.compiler.codegen.machine import Def, MachineInstruction, MachineOp, SourceMode, Use
from glslc_multi.compiler.codegen.regalloc import RegisterModel
from glslc_multi.compiler.codegen.registers import RegisterFile

#: All rows by address; those after them are outputs of an older version, which share the physical ones of 0 to 3.
FILE = RegisterFile("r", COUNT + 4, components=1)
ROW = (0,)


ZERO, PIXEL, SINK, ALPHA = (
    FILE[address] for address in (conventions.ZERO, conventions.PIXEL, conventions.SINK, conventions.ALPHA)
)
TEXTURE_SIZE, RAW_THREE, RAW_STEPS = (
    FILE[address] for address in (conventions.TEXTURE_SIZE, conventions.RAW_THREE, conventions.RAW_STEPS)
)


def _rows(count: int) -> tuple[SourceMode, ...]:
    return tuple("each" for _ in range(count))


def _op_of(row: Instruction) -> MachineOp:
    updates = row.shape in ("DI", "DW")
    return MachineOp(
        row.name,
        result="each" if row.has_destination else "none",
        sources=_rows(row.shape.count("S") + updates),
        effect=row.role == "write",
        copy=row.name == "COPY",
        tied=((0, 0),) if updates else (),
    )


#: Name -> op of the rows that write a register.
OPS = {row.name: _op_of(row) for row in BY_NAME.values() if row.has_destination and row.role != "return"}
#: The same for a register whose other lanes are not read.
FRESH = {name: MachineOp(name) for name in ("SETX", "SETY", "SETZ")}
SETS = ("SETX", "SETY", "SETZ")

#: The move to an output register of v1.2, which code cannot read.
OUTPUT = MachineOp("COPY", sources=("each",), effect=True)
#: Says that a register may hold whatever it holds: no word.
ANYTHING = MachineOp("ANYTHING")
JUMP = MachineOp("JUMP", result="none", effect=True, terminator=True)
#: The end of the block: RETURN.
END = MachineOp("END", result="none", effect=True, terminator=True)
#: Two results: the root, and what the loop needs besides it; sources: the number, 0.5.
SQRT = MachineOp("SQRT", sources=("each", "each"), early_clobber=True)


@cache
def guarded(name: str, operands: int) -> MachineOp:
    """Instruction `name` under a condition of so many operands; sources: the old destination, its own, those."""
    own = BY_NAME[name].shape.count("S")
    return MachineOp(f"{name} if", sources=_rows(1 + own + operands), tied=((0, 0),))


@cache
def branch(operands: int) -> MachineOp:
    """To the first target where the condition holds, else to the second."""
    return MachineOp("BRANCH", result="none", sources=_rows(operands), effect=True, terminator=True)


@cache
def skip(operands: int) -> MachineOp:
    """To the end of the block where the condition holds."""
    return MachineOp("SKIP", result="none", sources=_rows(operands), effect=True)


def copy(target: Def, source: Use) -> MachineInstruction:
    """A plain move."""
    return MachineInstruction(OPS["COPY"], [target], [source])


class Model(RegisterModel):
    """The machine as the allocator sees it."""

    target = conventions.TARGET_NAME
    resource = "temporary rows"

    def copy(self, target: Def, source: Use) -> MachineInstruction:
        return copy(target, source)
