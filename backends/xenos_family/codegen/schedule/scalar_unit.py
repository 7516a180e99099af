"""What the scalar unit can do of the vector unit's work.

In: an operation whose results are one number, the sources of which are one register, a constant and a register, or the
scalar unit's previous result and anything else.  Out: the scalar operation that computes the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.backends.xenos_family.codegen.encode import is_scalar
from glslc_multi.backends.xenos_family.codegen.machine_ops import SCALAR
from glslc_multi.backends.xenos_family.codegen.register_files import C
from glslc_multi.backends.xenos_family.codegen.schedule.previous_result import previous_result
from glslc_multi.compiler.codegen.constants import ConstantTable
from glslc_multi.compiler.codegen.machine import MachineInstruction, Slot, Use
from glslc_multi.compiler.codegen.registers import Register
from glslc_multi.compiler.records import replace

#: Vector operations with a scalar one that computes the same of one number, or of two from one register.
_SCALAR_OF = {
    "MAXv": "MAXs",
    "MINv": "MINs",
    "ADDv": "ADDs",
    "MULv": "MULs",
    "FRACv": "FRACs",
    "TRUNCv": "TRUNCs",
    "FLOORv": "FLOORs",
}
#: Operations that the scalar unit has between a constant and a register.
_WITH_CONSTANT = {"ADDv": "ADD", "MULv": "MUL"}
#: Comparisons that the scalar unit has against 0.
_TESTS = {"SETEv": "SETEs", "SETNEv": "SETNEs", "SETGTv": "SETGTs", "SETGTEv": "SETGTEs"}
_ORDERS = frozenset({"SETGTv", "SETGTEv"})


def as_scalar(instruction: MachineInstruction, constants: ConstantTable) -> MachineInstruction | None:
    """The operation on the scalar unit; None where it has none that does the same."""
    if is_scalar(instruction):
        return instruction
    if not instruction.defs:
        return None
    uses = _of_one_lane(instruction.uses)
    if uses is None:
        return None
    name = instruction.op.name
    scalar = _against_zero(name, uses, constants) or _of_one_register(name, uses) or _with_constant(name, uses)
    return None if scalar is None else _instead(instruction, *scalar)


def _instead(instruction: MachineInstruction, name: str, *uses: Use) -> MachineInstruction:
    """A scalar operation in the place of an instruction."""
    return MachineInstruction(
        SCALAR[name], instruction.defs, list(uses), attributes=instruction.attributes, span=instruction.span
    )


def _of_one_lane(uses: Sequence[Use]) -> list[Use] | None:
    """The uses with the one component that all lanes of each read; None where some read several."""
    if any(len(set(use.lanes)) != 1 for use in uses):
        return None
    return [replace(use, lanes=use.lanes[:1]) for use in uses]


#: The scalar operation and its sources.
_Found = tuple[str, Use] | tuple[str, Use, Use]


def _against_zero(name: str, uses: list[Use], constants: ConstantTable) -> _Found | None:
    """A comparison, with 0 on either side: 0 > x is -x > 0."""
    if name not in _TESTS:
        return None
    first, second = uses
    if _is_zero(second, constants):
        return _TESTS[name], first
    # Equality has its constant on the right.
    if name in _ORDERS and _is_zero(first, constants):
        return _TESTS[name], replace(second, negate=not second.negate)
    return None


def _is_zero(use: Use, constants: ConstantTable) -> bool:
    register = use.register
    if not isinstance(register, Register) or register.file is not C:
        return False
    numbers = constants.literals.get(register.index)
    return numbers is not None and all(lane is None or numbers[lane] == 0 for lane in use.lanes)


def _of_one_register(name: str, uses: list[Use]) -> _Found | None:
    """An operation on one number, or on two of one register."""
    if name not in _SCALAR_OF:
        return None
    first, second = uses[0], uses[-1]
    if len(uses) == 1 and name != "MAXv":
        return _SCALAR_OF[name], first
    # A move is the larger of a number and itself.
    if (first.register, first.absolute) != (second.register, second.absolute):
        return None
    if first.negate == second.negate:
        return _SCALAR_OF[name], replace(first, lanes=first.lanes + second.lanes)
    if name != "ADDv":
        return None
    # The scalar difference is that of its first and second component.
    if first.negate:
        return "SUBs", replace(second, lanes=second.lanes + first.lanes)
    return "SUBs", replace(first, lanes=first.lanes + second.lanes)


def _with_constant(name: str, uses: list[Use]) -> _Found | None:
    """The operation between a constant and a register, whose sign both share."""
    if name not in _WITH_CONSTANT:
        return None
    constant, register = sorted(uses, key=lambda use: not _is_constant(use))
    if not _is_constant(constant) or _is_constant(register) or register.absolute:
        return None
    scalar = _WITH_CONSTANT[name]
    if constant.negate != register.negate:
        if scalar != "ADD":
            return None
        scalar = "SUB"
    # The signs of both are that of the constant: c - r, or -c - (-r).
    low = register.register.index & 1 if isinstance(register.register, Register) else 0
    return f"{scalar}_CONST_{low}", constant, replace(register, negate=constant.negate)


def _is_constant(use: Use) -> bool:
    return isinstance(use.register, Register) and use.register.file is C


# ------------------------------------------------------------------------------------- the previous result
#: Vector operations with a scalar one between a number and the previous result.
_WITH_PREVIOUS = ("ADDv", "MULv")


def with_previous(instruction: MachineInstruction, issued: Sequence[Slot]) -> MachineInstruction | None:
    """The operation on the scalar unit with its previous result for a source, which must be that result."""
    if instruction.op.name not in _WITH_PREVIOUS:
        return None
    uses = _of_one_lane(instruction.uses)
    if uses is None:
        return None
    components = previous_result(issued)
    for source, other in (uses, uses[::-1]):
        if not source.absolute and (source.register, source.lanes[0]) in components:
            return _instead(instruction, *_on_previous(instruction.op.name, source, other))
    return None


def _on_previous(name: str, previous: Use, other: Use) -> _Found:
    """The operation on what is the previous result, and another number."""
    if name == "ADDv":
        return ("SUB_PREVs" if previous.negate else "ADD_PREVs"), other
    if previous.negate:
        return "MUL_PREVs", replace(other, negate=not other.negate)
    return "MUL_PREVs", other
