"""The instructions as the shared code generator sees them: how components of results and sources belong together.

The rest follows from the table of `isa/instructions.py`; this no field of a token says.
"""

from __future__ import annotations

from collections.abc import Mapping

from glslc_multi.backends.agal.isa import instructions
from glslc_multi.compiler.codegen.machine import MachineBlock, MachineInstruction, MachineOp, ResultMode, SourceMode

_SLOTS: SourceMode = "slots"
_FIXED: SourceMode = "fixed"
#: Instructions that do not compute component by component; the rows of a matrix cannot be swizzled.
_MODES: Mapping[str, tuple[ResultMode, tuple[SourceMode, ...]]] = {
    "dp3": ("replicate", (_SLOTS, _SLOTS)),
    "dp4": ("replicate", (_SLOTS, _SLOTS)),
    "nrm": ("fixed", (_SLOTS,)),
    "crs": ("fixed", (_SLOTS, _SLOTS)),
    "m33": ("fixed", (_SLOTS, _FIXED)),
    "m44": ("fixed", (_SLOTS, _FIXED)),
    "m34": ("fixed", (_SLOTS, _FIXED)),
    "tex": ("fixed", (_SLOTS,)),
}


def _machine_op(row: instructions.Instruction) -> MachineOp:
    result: ResultMode = "each" if "D" in row.operands else "none"
    sources: tuple[SourceMode, ...] = (("each" if result == "each" else "slots"),) * row.source_count
    result, sources = _MODES.get(row.name, (result, sources))
    return MachineOp(
        row.name,
        result,
        sources,
        effect=row.role == "kill",
        terminator=row.role == "if",
        copy=row.name == "mov",
    )


#: Every instruction that a runtime executes, by name.
OPS: Mapping[str, MachineOp] = {row.name: _machine_op(row) for row in instructions.INSTRUCTIONS if row.executable}
MOV = OPS["mov"]
#: Control flow of blocks that no condition ends: both vanish in the layout of the blocks.
GO = MachineOp("go", "none", terminator=True)
END = MachineOp("end", "none", terminator=True)


def instructions_of(block: MachineBlock) -> list[MachineInstruction]:
    """The instructions of a block that become tokens."""
    return [instruction for instruction in block.instructions if instruction.op not in (GO, END)]
