"""The machine as rules see it.

The loader of vertices fills what they lack of an attribute, with 0, 0, 0 and 1 (reference section 1): of a `vec3`,
`vec4(position, 1.0)` is what its register holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from glslc_multi.backends.pica200.codegen.abi import Interface
from glslc_multi.backends.pica200.codegen.machine_ops import END, JUMP, OPS
from glslc_multi.backends.pica200.codegen.register_files import INPUTS, LOOP_COUNTER, VALUES
from glslc_multi.backends.pica200.codegen.rewrites.loops import CountedLoop, ranges_of
from glslc_multi.backends.pica200.codegen.rewrites.strips import Choice, Emission
from glslc_multi.compiler.codegen.machine import AnyRegister, Uniform, Use, VirtualRegister
from glslc_multi.compiler.codegen.operands import Modifiers, Operand, see_through
from glslc_multi.compiler.codegen.registers import Register
from glslc_multi.compiler.codegen.selection.emitter import Emitter, Indexed, SelectionTarget
from glslc_multi.compiler.codegen.selection.rules import RuleSet
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Instruction, Value
from glslc_multi.compiler.records import replace

#: What puts vectors together.
PUT_TOGETHER = frozenset({ops.CONSTRUCT, ops.INSERT})
#: What the loader writes to the components of an attribute that a vertex lacks.
_LOADED = (0.0, 0.0, 0.0, 1.0)


class Machine(SelectionTarget):
    """See `SelectionTarget`."""

    operations: ClassVar = {**OPS, "JUMP": JUMP, "END": END}
    move = OPS["MOV"]
    modifiers = Modifiers(negate=True)
    values = VALUES

    def __init__(
        self,
        rules: RuleSet[Any],
        interface: Interface,
        counted: Sequence[CountedLoop],
        vertices: Mapping[Instruction, Emission | Choice],
    ) -> None:
        self.rules = rules
        self.interface = interface
        self.vertices = vertices
        self.counters = {loop.counter for loop in counted}
        registers = ranges_of(counted)
        self.loops = {loop.goes_on: registers.index(loop.range) for loop in counted}

    def place(self, load: Instruction) -> AnyRegister | Indexed | None:
        address = load.address
        variable = address.variable
        if variable in self.counters:
            return LOOP_COUNTER
        register = self.interface.inputs.get((variable, address.offset, address.column))
        if register is not None:
            return INPUTS[register]
        if variable.storage != "uniform":
            return None
        uniform = Uniform(variable, address.offset, address.column)
        return Indexed(uniform, _index(load.operands[0])) if address.is_dynamic else uniform


class PicaEmitter(Emitter[Machine]):
    """Reads numbers beside an attribute from where the loader writes them."""

    __slots__ = ()

    def use_operand(self, operand: Operand) -> Use:
        is_put_together = isinstance(operand.base, Instruction) and operand.base.op in PUT_TOGETHER
        return super().use_operand((is_put_together and _of_attribute(operand)) or operand)

    def assemble(self, parts: Sequence[Operand], target: VirtualRegister | Register) -> None:
        super().assemble(with_loaded(parts), target)


def with_loaded(parts: Sequence[Operand]) -> list[Operand]:
    """Return where components come from: numbers from an attribute that others are of, if they are there."""
    if not any(isinstance(part.base, Constant) for part in parts):
        return list(parts)
    loads = {part.base: part.base.type.width for part in parts if not part.negate and _is_attribute(part.base)}
    filled = {
        number: Operand(load, (lane,))
        for load, width in loads.items()
        for lane, number in enumerate(_LOADED)
        if lane >= width
    }
    numbers = [part.numbers()[0] if isinstance(part.base, Constant) else None for part in parts]
    return [part if number is None else filled.get(number, part) for part, number in zip(parts, numbers, strict=True)]


def _of_attribute(operand: Operand) -> Operand | None:
    """The same lanes of the attribute that all of them can be read from."""
    lanes = list(dict.fromkeys(lane for lane in operand.lanes if lane is not None))
    parts = with_loaded([see_through(operand.base, (lane,), Modifiers(negate=True)) for lane in lanes])
    loads = {part.base for part in parts}
    if len(loads) != 1 or not _is_attribute(parts[0].base) or any(part.negate for part in parts):
        return None
    there = {lane: part.lanes[0] for lane, part in zip(lanes, parts, strict=True)}
    return replace(
        operand, base=parts[0].base, lanes=tuple(None if lane is None else there[lane] for lane in operand.lanes)
    )


def _is_attribute(value: Value) -> bool:
    return isinstance(value, Instruction) and value.op is ops.LOAD and value.address.variable.storage == "attribute"


def _index(index: Value) -> Value:
    """The number that an address register truncates."""
    while isinstance(index, Instruction) and index.op in (ops.FTOI, ops.FTRUNC):
        index = index.operands[0]
    return index
