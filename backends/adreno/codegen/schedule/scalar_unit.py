"""What the scalar unit can do of the vector unit's work.

In: an operation whose results are one number, the sources of which are one register, a constant and a register, or the
scalar unit's previous result and anything else.  Out: the scalar operation that computes the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from backends.adreno.codegen.encode import is_scalar
from backends.adreno.codegen.machine_ops import SCALAR
from backends.adreno.codegen.register_files import C
from backends.adreno.codegen.schedule.previous_result import previous_result
from compiler.codegen.constants import ConstantTable
from compiler.codegen.machine import MachineInstruction, Slot, Use
from compiler.codegen.registers import Register
from compiler.records import replace

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
#: Comparisons that the scalar unit has against 0: (operation, the one with sources exchanged and negated).
_TESTS = {"SETEv": "SETEs", "SETNEv": "SETNEs", "SETGTv": "SETGTs", "SETGTEv": "SETGTEs"}


def as_scalar(instruction: MachineInstruction, constants: ConstantTable) -> MachineInstruction | None:
    """The operation on the scalar unit; None where it has none that does the same."""
    if is_scalar(instruction):
        return instruction
    if instruction.op.result != "each" or not instruction.defs:
        return None
    sources = _of_one_lane(instruction.uses)
    if sources is None:
        return None
    name, source = _scalar_form(instruction.op.name, sources, constants)
    new_sources = [source]
    if source is None:
        name, new_sources = _with_constant(instruction.op.name, sources)
    if None in new_sources:
        return None
    return MachineInstruction(
        SCALAR[name],
        instruction.defs,
        [use for use in new_sources if use is not None],
        attributes=instruction.attributes,
        span=instruction.span,
    )


def _of_one_lane(uses: Sequence[Use]) -> list[Use] | None:
    """The uses with the one component that all lanes of each read; None where some read several."""
    if any(len(set(use.lanes)) != 1 for use in uses):
        return None
    return [replace(use, lanes=use.lanes[:1]) for use in uses]


def _scalar_form(name: str, uses: list[Use], constants: ConstantTable) -> tuple[str, Use | None]:
    """The scalar operation and its source."""
    if name in _TESTS and len(uses) == 2:
        return _TESTS[name], _against_zero(name, uses, constants)
    if name not in _SCALAR_OF:
        return name, None
    if len(uses) == 1 and name != "MAXv":
        return _SCALAR_OF[name], uses[0]
    # A move is the larger of a number and itself.
    first, second = uses[0], uses[-1]
    if (first.register, first.absolute) != (second.register, second.absolute):
        return name, None
    both = (*first.lanes, *second.lanes)
    if first.negate == second.negate:
        return _SCALAR_OF[name], replace(first, lanes=both)
    if name != "ADDv":
        return name, None
    # The scalar difference is that of its first and second component.
    return "SUBs", replace(first, lanes=both[::-1] if first.negate else both, negate=False)


def _with_constant(name: str, uses: list[Use]) -> tuple[str, list[Use | None]]:
    """The operation between a constant and a register, whose sign both share."""
    if name not in _WITH_CONSTANT or len(uses) != 2:
        return name, [None]
    constant, register = sorted(uses, key=lambda use: not _is_constant(use))
    if not _is_constant(constant) or _is_constant(register) or register.absolute:
        return name, [None]
    form = _WITH_CONSTANT[name]
    if constant.negate != register.negate:
        if form != "ADD":
            return name, [None]
        form = "SUB"
    # The signs of both are that of the constant: c - r, or -c - (-r).
    low = register.register.index & 1 if isinstance(register.register, Register) else 0
    return f"{form}_CONST_{low}", [constant, replace(register, negate=constant.negate)]


def _is_constant(use: Use) -> bool:
    return isinstance(use.register, Register) and use.register.file is C


def _against_zero(name: str, uses: list[Use], constants: ConstantTable) -> Use | None:
    first, second = uses
    if _is_zero(second, constants):
        return first
    if not _is_zero(first, constants):
        return None
    is_symmetric = name in ("SETEv", "SETNEv")
    return second if is_symmetric else replace(second, negate=not second.negate)


def _is_zero(use: Use, constants: ConstantTable) -> bool:
    register = use.register
    if not isinstance(register, Register) or register.file is not C:
        return False
    numbers = constants.literals.get(register.index)
    return numbers is not None and all(lane is None or numbers[lane] == 0 for lane in use.lanes)


# ------------------------------------------------------------------------------------- the previous result
#: Vector operations with a scalar one between a number and the previous result.
_WITH_PREVIOUS = {"ADDv": "ADD_PREVs", "MULv": "MUL_PREVs"}


def with_previous(instruction: MachineInstruction, issued: Sequence[Slot]) -> MachineInstruction | None:
    """The operation on the scalar unit with its previous result for a source, which must be that result."""
    if instruction.op.name not in _WITH_PREVIOUS:
        return None
    uses = _of_one_lane(instruction.uses)
    if uses is None:
        return None
    components = previous_result(issued)
    for source, other in (uses, uses[::-1]):
        if source.absolute or (source.register, source.lanes[0]) not in components:
            continue
        name = _WITH_PREVIOUS[instruction.op.name]
        if source.negate and name == "ADD_PREVs":
            name = "SUB_PREVs"
        elif source.negate:
            other.negate = not other.negate
        return MachineInstruction(
            SCALAR[name], instruction.defs, [other], attributes=instruction.attributes, span=instruction.span
        )
    return None
