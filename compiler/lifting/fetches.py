"""Vertex fetches: which attribute it is that a program reads at an address.

What the register of a vertex's number holds is known once the passes have made values of registers; until then a
buffer is an array, and the address its index.
"""

from __future__ import annotations

from glslc_multi.compiler.analysis.component_sources import source
from glslc_multi.compiler.execution.machine_code import MachineCode, Slot
from glslc_multi.compiler.execution.program import Key
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, float_constant, int_constant
from glslc_multi.compiler.ir.fold import fold_components
from glslc_multi.compiler.ir.module import Constant, Instruction, Module, Value
from glslc_multi.compiler.ir.types import VEC4
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.lifting.interface import Interface
from glslc_multi.compiler.lifting.operations import Unliftable

#: Longer than any buffer's addresses that are known.
_LENGTH = 1 << 20
_NOTHING = float_constant(0.0)


class Fetches:
    """The buffers of a program."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._buffers: dict[Key, Variable] = {}

    def buffer(self, key: Key) -> Variable:
        """The array of a buffer."""
        if key not in self._buffers:
            name = f"buffer.{len(self._buffers)}"
            self._buffers[key] = self._module.add_variable(Variable(name, "uniform", VEC4, dims=(_LENGTH,)))
        return self._buffers[key]

    def resolve(self, code: MachineCode, interface: Interface) -> None:
        """Read attributes instead of buffers."""
        if not self._buffers:
            return
        keys = {variable: key for key, variable in self._buffers.items()}
        main = self._module.main
        fetches = [each for each in main.instructions() if each.op is ops.LOAD and each.address.variable in keys]
        interface.read_before(main.entry.first)
        slots = [code.memory(keys[each.address.variable], _address_of(each)) for each in fetches]
        elements = [_element(slot, interface) for slot in slots]
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
