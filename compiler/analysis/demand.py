"""Demand: which components of every value something depends on, looking backwards from what must stay.

What must stay are branches and effects.  A store to a local variable is one only when a load that is
itself needed reads the variable, so memory that nothing reads keeps nothing alive; nor does a cycle of
phis that only feed each other.  Sets of components are masks (bit 0 = x).

`components_needed` is the one place that says which components of an operand an opcode reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from glslc_multi.compiler.analysis.accesses import Accesses
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.ir.variables import Variable


def all_components(value: Value) -> int:
    """The mask of every component."""
    return value.type.mask


def components_needed(instruction: Instruction, index: int, demanded: int) -> int:
    """The components of operand `index` that decide the `demanded` components of the result."""
    everything = all_components(instruction.operands[index])
    if not demanded and instruction.type.width:
        return 0
    rule = _NEEDED.get(instruction.op)
    if rule is not None:
        return rule(instruction, index, demanded) & everything
    if instruction.op.component is not None and everything != 1:
        return demanded
    return everything


# ---------------------------------------------------------------- opcodes that are not component-wise
def _same(_instruction: Instruction, _index: int, demanded: int) -> int:
    return demanded


def _of_swizzle(instruction: Instruction, _index: int, demanded: int) -> int:
    needed = 0
    for index, component in enumerate(instruction.attribute):
        needed |= (demanded >> index & 1) << component
    return needed


def _of_insert(instruction: Instruction, index: int, demanded: int) -> int:
    replaced: int = instruction.attribute
    return demanded >> replaced if index == 1 else demanded & ~(1 << replaced)


def _of_construct(instruction: Instruction, index: int, demanded: int) -> int:
    return demanded >> sum(part.type.width for part in instruction.operands[:index])


def _of_insert_dynamic(_instruction: Instruction, index: int, demanded: int) -> int:
    return demanded if index == 0 else 1


def _of_cross(_instruction: Instruction, _index: int, demanded: int) -> int:
    """Component k of a vector product needs the two others of both factors."""
    return (0b110 if demanded & 1 else 0) | (0b101 if demanded & 2 else 0) | (0b011 if demanded & 4 else 0)


def _of_mat_vec(instruction: Instruction, index: int, demanded: int) -> int:
    """Every row of the result needs that row of each column, and the whole vector."""
    return demanded if index < len(instruction.operands) - 1 else -1


def _of_vec_mat(_instruction: Instruction, index: int, demanded: int) -> int:
    """Component k of the result is the dot product of the vector and column k."""
    return -1 if index == 0 or demanded >> (index - 1) & 1 else 0


_NEEDED: dict[Opcode, Callable[[Instruction, int, int], int]] = {
    ops.PHI: _same,
    ops.DDX: _same,
    ops.DDY: _same,
    ops.SWIZZLE: _of_swizzle,
    ops.INSERT: _of_insert,
    ops.CONSTRUCT: _of_construct,
    ops.INSERT_DYNAMIC: _of_insert_dynamic,
    ops.CROSS: _of_cross,
    ops.MAT_VEC: _of_mat_vec,
    ops.VEC_MAT: _of_vec_mat,
}
#: Opcodes that may need nothing of an operand although something of the result is needed.
SELECTIVE = frozenset({ops.INSERT, ops.CONSTRUCT, ops.VEC_MAT})


# ------------------------------------------------------------------------------------ the analysis
class Demand:
    """The result: components needed of each value, and which instructions must stay."""

    def __init__(self, function: Function, accesses: Accesses) -> None:
        self._masks: list[int] = [0] * function.id_bound
        #: Instructions without a result that must stay.
        self._kept: set[Instruction] = set()
        #: Needed components of local variables.
        self._variables: dict[Variable, int] = {}
        self._stores: dict[Variable, list[Instruction]] = {}
        self._pending: list[Instruction] = []
        #: By id, whether it was looked at; users mostly come after what they use, so that one walk settles most.
        self._seen = bytearray(function.id_bound)
        for block in reversed(function.blocks):
            for instruction in reversed(block):
                self._seen[instruction.id] = True
                if not instruction.type.width and self._must_stay(instruction, accesses):
                    self._kept.add(instruction)
                    self._propagate(instruction)
                elif self._masks[instruction.id]:
                    self._propagate(instruction)
        while self._pending:
            self._propagate(self._pending.pop())

    def of(self, value: Instruction) -> int:
        """The components of `value` that something depends on."""
        return self._masks[value.id]

    def needless(self, instructions: Iterable[Instruction]) -> list[Instruction]:
        """Those that need not stay."""
        masks, kept = self._masks, self._kept
        return [instruction for instruction in instructions if not masks[instruction.id] and instruction not in kept]

    def needed_of_operand(self, instruction: Instruction, index: int) -> int:
        """The components of an operand that the instruction needs, given what is needed of itself."""
        if instruction.op is ops.STORE and index == len(instruction.operands) - 1:
            variable, everything = instruction.address.variable, instruction.operands[index].type.mask
            return self._variables.get(variable, 0) & everything if variable.storage == "local" else everything
        return components_needed(instruction, index, self._masks[instruction.id])

    def _must_stay(self, instruction: Instruction, accesses: Accesses) -> bool:
        """Whether something without a result has an effect that is known by now; a load that comes up later may need
        a store."""
        if instruction.op is ops.STORE and instruction.address.variable.storage == "local":
            variable = instruction.address.variable
            self._stores.setdefault(variable, []).append(instruction)
            assert instruction.block is not None
            if accesses.is_loaded_elsewhere(variable, instruction.block.function):
                self._variables[variable] = all_components(instruction.operands[-1])
            return bool(self._variables.get(variable))
        if instruction.op is ops.KILL:
            condition = instruction.operands[0]
            return not isinstance(condition, Constant) or condition.components[0] is True
        return True

    def _propagate(self, instruction: Instruction) -> None:
        masks = self._masks
        demanded, is_by_component = masks[instruction.id], instruction.op.component is not None
        for index, operand in enumerate(instruction.operands):
            if not isinstance(operand, Instruction):
                continue
            known = masks[operand.id]
            if is_by_component:
                grown = known | (1 if operand.type.is_scalar else demanded)
            else:
                grown = known | self.needed_of_operand(instruction, index)
            if grown != known:
                self._masks[operand.id] = grown
                if self._seen[operand.id]:
                    self._pending.append(operand)
        if instruction.op is ops.LOAD and instruction.address.variable.storage == "local":
            self._need_variable(instruction.address.variable, demanded)

    def _need_variable(self, variable: Variable, mask: int) -> None:
        """What is loaded is needed of every store."""
        known = self._variables.get(variable, 0)
        if known | mask == known:
            return
        self._variables[variable] = known | mask
        stores = self._stores.get(variable, ())
        self._kept.update(stores)
        self._pending.extend(stores)


def demand(function: Function, _manager: AnalysisManager) -> Demand:
    """Analysis: what of every value is needed."""
    return Demand(function, Accesses(function.module))
