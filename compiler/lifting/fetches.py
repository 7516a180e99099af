"""What a program reads at addresses: attributes of vertices, and words of buffers.

What a register holds is known once the passes have made values of registers; until then a buffer is an array, and the
address its index.
"""

from __future__ import annotations

from glslc_multi.compiler.analysis.component_sources import source
from glslc_multi.compiler.execution.machine_code import MachineCode, Slot
from glslc_multi.compiler.execution.program import Key
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, float_constant, int_constant
from glslc_multi.compiler.ir.fold import fold_components
from glslc_multi.compiler.ir.module import Constant, Instruction, Module, Value
from glslc_multi.compiler.ir.types import INT, VEC4, Type
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.lifting.addresses import Sum, sum_of
from glslc_multi.compiler.lifting.interface import Interface
from glslc_multi.compiler.lifting.operations import Unliftable

#: Longer than any buffer's addresses that are known.
_LENGTH = 1 << 20
_NOTHING = float_constant(0.0)
_WORD_BYTES = 4


class Fetches:
    """The buffers of a program."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._buffers: dict[Key, Variable] = {}

    def buffer(self, key: Key, type: Type = VEC4) -> Variable:
        """The array of a buffer."""
        if key not in self._buffers:
            name = f"buffer.{len(self._buffers)}"
            self._buffers[key] = self._module.add_variable(Variable(name, "uniform", type, dims=(_LENGTH,)))
        return self._buffers[key]

    def word(self, key: Key, address: Value, builder: Builder) -> Value:
        """Load a word of a buffer at the address of its first byte."""
        return builder.load(self.buffer(key, INT), address)

    def resolve(self, code: MachineCode, interface: Interface) -> None:
        """Read attributes instead of buffers."""
        if not self._buffers:
            return
        keys = {variable: key for key, variable in self._buffers.items()}
        main = self._module.main
        fetches = [each for each in main.instructions() if each.op is ops.LOAD and each.address.variable in keys]
        interface.read_before(main.entry.first)
        elements = [
            _word(fetch, keys[fetch.address.variable], code, interface)
            if fetch.type is INT
            else _element(code.memory(keys[fetch.address.variable], _address_of(fetch)), interface)
            for fetch in fetches
        ]
        for fetch, element in zip(fetches, elements, strict=True):
            fetch.replace_all_uses_with(Builder.before(fetch).construct(*element))
            fetch.erase()
        for variable in keys:
            del self._module.variables[variable.name]


def _element(first: Slot | None, interface: Interface) -> list[Value]:
    """The components from a slot on."""
    if first is None:
        return [_NOTHING] * VEC4.width
    return [interface.read(first._replace(component=number)) or _NOTHING for number in range(VEC4.width)]


def _word(fetch: Instruction, key: Key, code: MachineCode, interface: Interface) -> list[Value]:
    """The word of a buffer at an address: its start, and what is kept inside of it."""
    start, offset = Sum(fetch.address.offset, {}), Sum(0, {})
    match list(fetch.operands):
        case [Instruction(op=ops.IADD, operands=[index, Constant() as number])] | [
            Instruction(op=ops.IADD, operands=[Constant() as number, index])
        ]:
            start, offset = sum_of(number), sum_of(index)
        case [address]:
            start = sum_of(address)
    slot, distance = code.memory(key, start.number), offset.divided(_WORD_BYTES)
    if slot is None or start.factors or distance is None:
        raise Unliftable("memory is read at an address that begins at no uniform")
    builder = Builder.before(fetch)
    value = interface.element(slot, distance, builder)
    return [value if value.type is INT else builder.op(ops.BITCAST_FTOI, value)]


def _address_of(load: Instruction) -> int:
    """The address that a fetch reads."""
    address, index = load.address, load.operands[0] if load.operands else None
    number = int_constant(0) if index is None else _constant(index)
    if number is None:
        raise Unliftable("vertices are fetched by a computed number")
    return address.offset + int(number.components[0] or 0)


def _constant(value: Value) -> Constant | None:
    """Return what is computed of constants alone; None for anything else."""
    value, component = source(value, 0)
    if isinstance(value, Constant):
        return Constant(value.type.scalar, (value.components[component],))
    if not isinstance(value, Instruction) or not value.op.has_semantics or not value.type.is_scalar:
        return None
    operands = [_constant(operand) for operand in value.operands]
    components = [operand.components for operand in operands if operand is not None]
    if len(components) < len(operands):
        return None
    return fold_components(value.op, value.type, value.attribute, components)
