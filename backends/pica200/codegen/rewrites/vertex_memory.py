"""What a geometry shader gets of each vertex, and where: in v registers, or in c registers that indices select from.

The registers of one vertex follow each other as the vertex shader has them: the position, then the other outputs.
Kind "point" puts them into v registers; "fixed" and "variable" into c registers, where "variable" has the number of
vertices in c0 and the vertices after it, of those beyond the first few the positions alone.

`pica200-vertex-memory` lets a module of these two kinds read one array of uniforms in place of its inputs, so that all
that follows knows nothing of vertices.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from glslc_multi.backends.pica200.isa.program import Geometry
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Instruction, Module, Value
from glslc_multi.compiler.ir.primitive import Primitive, primitive_of
from glslc_multi.compiler.ir.types import INT, VEC4
from glslc_multi.compiler.ir.variables import MACHINE, Address, Variable
from glslc_multi.compiler.passes.base import ModulePass, PassContext
from glslc_multi.compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class VertexLayout:
    """The registers of one vertex: first register of each input, and how many there are."""

    first: Mapping[Variable, int]
    registers: int


def layout_of(inputs: Iterable[Variable]) -> VertexLayout:
    """The position comes first, then what is pinned where it is, and the others in declared order."""
    inputs = [variable for variable in inputs if variable.role != "vertices_in"]
    taken = {0} | {v.location + k for v in inputs if v.location is not None for k in range(v.columns)}
    found: dict[Variable, int] = {}
    for variable in inputs:
        first = variable.location or 0
        if variable.location is None and variable.role != "position_in":
            while any(first + k in taken for k in range(variable.columns)):
                first += 1
        found[variable] = first
        taken |= {first + k for k in range(variable.columns)}
    return VertexLayout(found, max(taken) + 1)


@dataclass(frozen=True, slots=True)
class VertexMemory:
    """The c registers that the hardware fills with vertices."""

    primitive: Primitive
    layout: VertexLayout
    #: All registers of all vertices.
    cells: Variable
    #: The number of vertices, of kind "variable".
    count: Variable

    @property
    def variables(self) -> list[Variable]:
        """What takes c registers."""
        return [self.count, self.cells] if self.primitive.kind == "variable" else [self.cells]

    def cell(self, variable: Variable, element: int, column: int) -> int:
        """The cell of a vertex's column."""
        full = self.primitive.vertices
        if element >= full:
            return full * self.layout.registers + element - full
        return element * self.layout.registers + self.layout.first[variable] + column

    def geometry(self, first: int) -> Geometry:
        """What the container says, where the cells begin with register `first`."""
        if self.primitive.kind == "variable":
            return Geometry("variable", 0, self.primitive.vertices)
        return Geometry("fixed", first, self.primitive.vertices)


def memory_of(module: Module) -> VertexMemory | None:
    """Return the memory of a module, where its kind of primitive requires one."""
    primitive = primitive_of(module.pragmas)
    if primitive is None or primitive.kind == "point":
        return None
    layout = layout_of(variable for variable in module.variables.values() if variable.storage == "input")
    length = primitive.vertices * layout.registers + primitive.positions - primitive.vertices
    first = 1 if primitive.kind == "variable" else None
    cells, count = _uniform(module, "$PositionIn", length, first), _uniform(module, "$VerticesIn", 1, 0)
    return VertexMemory(primitive, layout, cells, count)


def _uniform(module: Module, name: str, length: int, location: int | None) -> Variable:
    """Return the uniform of this name: the module's, or one that it may get."""
    dims = (length,) if length > 1 else ()
    new = Variable(name, "uniform", VEC4, dims=dims, precision="highp", location=location, role=MACHINE)
    return module.variables.get(name, new)


class ReadVertexMemory(ModulePass):
    """Let inputs be read from c registers, where the kind of primitive requires it."""

    name = "pica200-vertex-memory"
    description = "lets geometry shaders read vertices from uniforms"
    preserves_control_flow = True

    def run_on_module(self, module: Module, context: PassContext) -> bool:
        memory = memory_of(module)
        if memory is None or memory.cells.name in module.variables:
            return False
        for variable in memory.variables:
            module.add_variable(variable)
        loads = [i for function in module.functions.values() for i in function.instructions() if i.op is ops.LOAD]
        for load in loads:
            if load.address.variable.storage == "input":
                load.replace_all_uses_with(_read(load, memory))
                load.erase()
        context.forget_all(module, self)
        return True


def _read(load: Instruction, memory: VertexMemory) -> Value:
    """What a load of an input finds in the cells."""
    builder = Builder.before(load)
    address = load.address
    if address.variable.role == "vertices_in":
        return builder.op(ops.FTOI, builder.swizzle(builder.load(memory.count), (0,)))
    # The dynamic part of the cell's number, where there is one.
    address, operands = load.address, list(load.operands)
    parts: list[Value] = []
    if address.dynamic_index:
        vertex = operands.pop(0)
        parts.append(
            _split_index(builder, vertex, address, memory)
            if _is_split(address.variable, memory)
            else _times(builder, vertex, memory.layout.registers)
        )
    if address.dynamic_column:
        parts.append(operands.pop(0))
    whole = builder.op(
        ops.LOAD, *([builder.op(ops.IADD, *parts)] if len(parts) == 2 else parts), attribute=_address(load, memory)
    )
    return builder.swizzle(whole, range(load.type.width))


def _address(load: Instruction, memory: VertexMemory) -> Address:
    address = load.address
    if address.dynamic_index and _is_split(address.variable, memory):
        return Address(memory.cells, dynamic_index=True)
    cell = memory.cell(address.variable, address.offset, 0 if address.dynamic_column else address.column)
    return Address(memory.cells, cell, dynamic_index=address.is_dynamic)


def _is_split(variable: Variable, memory: VertexMemory) -> bool:
    """Whether its elements are not all equally far apart."""
    return variable.length > memory.primitive.vertices and memory.layout.registers > 1


def _split_index(builder: Builder, vertex: Value, address: Address, memory: VertexMemory) -> Value:
    """Full vertices are apart by all their registers, the others by one."""
    number = builder.op(ops.IADD, vertex, Constant(INT, (address.offset,)))
    full = Constant(INT, (memory.primitive.vertices,))
    whole = builder.op(ops.SELECT, builder.op(ops.ILT, number, full), number, full)
    return builder.op(ops.IADD, number, _times(builder, whole, memory.layout.registers - 1))


def _times(builder: Builder, value: Value, factor: int) -> Value:
    return value if factor == 1 else builder.op(ops.IMUL, value, Constant(INT, (factor,)))
