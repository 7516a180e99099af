"""The instructions as the shared code generator sees them, made from the tables in `instructions.py`.

Registers are one component wide.  Beside the files and accumulators there are files for operands that are no registers:
peripherals that are read (`PORT`) and written (`OUT`, the addresses of file B above those of file A), small immediates
(`IMM`, by code), and the flags.

Attributes of an instruction:

* `cond`: the condition of its write, where it has one;
* `pack`: the mode of its destination (pm, code);
* `waddr`: the SFU's address, of an instruction whose result is loaded to r4;
* `signal`: the signal that it is, or needs;
* `queue`: the peripheral whose accesses stay in order;
* `slots`: the words of the uniform stream that a write to a TMU takes;
* `half`: the only ALU that may do it, "add" or "mul".
"""

from __future__ import annotations

from functools import cache

from glslc_multi.backends.vc4.isa.fixed_function import PAYLOAD_REGISTER
from glslc_multi.backends.vc4.isa.instructions import ADD, MUL, SMALL_IMMEDIATES, Condition
from glslc_multi.backends.vc4.isa.registers import FILE_SIZE
from glslc_multi.compiler.codegen.machine import Def, MachineInstruction, MachineOp, SourceMode, Use
from glslc_multi.compiler.codegen.registers import RegisterClass, RegisterFile

A = RegisterFile("ra", FILE_SIZE, components=1)
B = RegisterFile("rb", FILE_SIZE, components=1)
ACCUMULATORS = RegisterFile("acc", 4, components=1)
_RESULT = RegisterFile("result", 1, components=1)
_COEFFICIENT = RegisterFile("coefficient", 1, components=1)
_FLAGS = RegisterFile("flags", 1, components=1)
_STREAM = RegisterFile("stream", 1, components=1)
PORT = RegisterFile("port", 128, components=1, writable=False)
OUT = RegisterFile("out", 128, components=1, readable=False)
IMM = RegisterFile("imm", len(SMALL_IMMEDIATES), components=1, writable=False)

R4 = _RESULT[0]
R5 = _COEFFICIENT[0]
FLAGS = _FLAGS[0]
#: The position in the uniform stream.
STREAM = _STREAM[0]
#: The first address of file B in `PORT` and `OUT`.
IN_B = 64

#: What a fragment shader finds at its start: clip-space w, depth.
PAYLOAD_W, PAYLOAD_Z = A[PAYLOAD_REGISTER], B[PAYLOAD_REGISTER]
ZERO = IMM[0]
_ALWAYS = Condition.ALWAYS

_FILES = [register for pair in zip(A.registers(), B.registers(), strict=True) for register in pair]
#: Any register, accumulators first.
GENERAL = RegisterClass.of("any", ACCUMULATORS, _FILES)
#: Destinations of 16-bit packing.
ONLY_A = RegisterClass.of("a", A)


def operand_count(name: str) -> int:
    """Operands of an operation by its name; `mov` is on both ALUs."""
    if name == "mov":
        return 1
    row = ADD.get(name) or MUL[name]
    return row.operands


@cache
def operation(
    name: str,
    *,
    sets_flags: bool = False,
    reads_flags: bool = False,
    reads_varying: bool = False,
    effect: bool = False,
    plain: bool = True,
) -> MachineOp:
    """The operation `name` of one of the ALUs, or `mov`; a move that is not `plain` changes what it moves.

    What reads a varying loads its other part to r5, whether or not anyone wants it.
    """
    count = operand_count(name)
    sources: tuple[SourceMode, ...] = ("each", "each")
    return MachineOp(
        name,
        sources=sources[:count],
        effect=effect,
        copy=name == "mov" and plain and not (sets_flags or reads_flags or reads_varying or effect),
        separate=((0, 1),) if count > 1 else (),
        reads=(FLAGS,) if reads_flags else (),
        writes=(FLAGS,) * sets_flags + (R5,) * reads_varying,
    )


MOV = operation("mov")
#: An instruction that is only a signal, which loads r4.
LOAD_R4 = MachineOp("load r4", result="replicate", effect=True)
SIGNAL = MachineOp("signal", result="none", effect=True)
#: A load of an immediate of 32 bits (attribute `immediate`) that may need its register at once.
LOAD_IMMEDIATE = MachineOp("ldi", result="replicate", effect=True)
#: Sets the address of the uniform stream.
RESET = MachineOp("add", sources=("each", "each"), effect=True, separate=((0, 1),), writes=(STREAM,))
NOP = MachineOp("nop", result="none")
#: Sources: nothing; attribute `when`: the branch's condition.
BRANCH = MachineOp("branch", result="none", effect=True, terminator=True, reads=(FLAGS,))
JUMP = MachineOp("jump", result="none", effect=True, terminator=True)
END = MachineOp("end", result="none", effect=True, terminator=True)


def copy(target: Def, source: Use) -> MachineInstruction:
    """A plain move."""
    return MachineInstruction(MOV, [target], [source])


def condition_of(instruction: MachineInstruction) -> Condition:
    """When an instruction writes."""
    condition: Condition = instruction.attributes.get("cond", _ALWAYS)
    return condition
