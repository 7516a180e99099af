"""What each instruction does to the lanes: instructions become closures, once per evaluation.

A step takes the mask of the lanes that are here and puts the instruction's result into the value table
of its function.  A lane that waits elsewhere must find its own values again, so loads, lookups and phis
write in the lanes of the mask only.  Pure opcodes need no mask: for a waiting lane they compute from
unchanged operands what they computed before.  (Had one operand changed since, the lane would have come
past its definition again, and so cannot use the result before it comes past that definition too.)

The opcode table gives the meaning of ordinary opcodes; those that touch variables, textures, neighbours
or the lane itself are defined here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from glslc_multi.compiler.arithmetic.evaluation_error import fail
from glslc_multi.compiler.arithmetic.images import KINDS
from glslc_multi.compiler.arithmetic.lanes import Array, LaneArithmetic
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.diagnostics.catalogue.evaluation import (
    DERIVATIVE_WITHOUT_QUADS,
    MISSING_VALUE,
    UNUSABLE_TEXTURE,
)
from glslc_multi.compiler.diagnostics.span import Span
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.evaluate_memory import Mask, Memory
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.samplers import SAMPLER_KINDS, SamplerKind
from glslc_multi.compiler.ir.types import VOID
from glslc_multi.compiler.ir.variables import Address, Stage, TextureAccess, Variable

Step = Callable[[Mask], None]
#: Computes an instruction's value for all lanes; the arguments are its operands.
Meaning = Callable[..., Array]


class World:
    """What steps of all functions share: arithmetic, variables, textures and the lanes' fate."""

    __slots__ = ("arithmetic", "discarded", "emitted", "lanes", "memory", "outputs", "quads", "stage", "textures")

    def __init__(self, stage: Stage, lanes: int, quads: bool, arithmetic: LaneArithmetic) -> None:
        self.stage: Stage = stage
        self.lanes = lanes
        self.quads = quads
        self.arithmetic = arithmetic
        self.memory: dict[Variable, Memory] = {}
        self.outputs: list[Memory] = []
        self.textures: dict[Variable, list[Texture]] = {}
        self.discarded = np.zeros(lanes, dtype=np.bool_)
        #: Geometry stage: (outputs, or None at the end of a primitive; lanes) in the order they happened.
        self.emitted: list[tuple[dict[str, Array] | None, Array]] = []


class ValueTable:
    """The values of one function: of its instructions by id, then of its constants."""

    __slots__ = ("arithmetic", "values")

    def __init__(self, function: Function, arithmetic: LaneArithmetic) -> None:
        self.arithmetic = arithmetic
        #: A lane that has not run an instruction has 0 for its value.
        self.values: list[Array] = [np.empty(0)] * function.id_bound
        for instruction in function.instructions():
            if instruction.type is not VOID:
                self.values[instruction.id] = arithmetic.encode(instruction.type.kind, [[0]])

    def slot(self, value: Value) -> int:
        """Where `value` stands."""
        if isinstance(value, Instruction):
            return value.id
        assert isinstance(value, Constant)
        # An undefined component reads as 0.
        components = [[0 if component is None else component] for component in value.components]
        self.values.append(self.arithmetic.encode(value.type.kind, components))
        return len(self.values) - 1

    def write(self, slot: int, value: Array, mask: Mask) -> None:
        """Put in `value`, in the lanes of `mask` only."""
        self.values[slot] = value if mask is None else self.arithmetic.select(mask, value, self.values[slot])


def prepare(instruction: Instruction, table: ValueTable, world: World) -> Step:
    """The step of any instruction but phis, calls and terminators."""
    effect = _EFFECTS.get(instruction.op)
    if effect is not None:
        return effect(instruction, table, world)
    special = _SPECIAL.get(instruction.op)
    meaning = special(instruction, world) if special is not None else _ordinary(instruction, world.arithmetic)
    return _value_step(instruction, meaning, table)


def _value_step(instruction: Instruction, meaning: Meaning, table: ValueTable) -> Step:
    """A step that computes a value and puts it into the table."""
    values = table.values
    target = instruction.id
    sources = [table.slot(operand) for operand in instruction.operands]

    def compute(_: Mask) -> None:
        values[target] = meaning(*[values[source] for source in sources])

    def compute_masked(mask: Mask) -> None:
        table.write(target, meaning(*[values[source] for source in sources]), mask)

    return compute if instruction.op.is_pure else compute_masked


# ------------------------------------------------------------------------------- ordinary opcodes
def _ordinary(instruction: Instruction, arithmetic: LaneArithmetic) -> Meaning:
    """The opcode table's meaning, applied to all components at once where it is component-wise."""
    component, whole = instruction.op.component, instruction.op.whole
    attribute = instruction.attribute
    if component is not None:
        meaning = component
        return lambda *operands: meaning(arithmetic, *operands)
    if whole is None:
        raise ValueError(f"{instruction.op.name} cannot stand among the instructions of a block")
    rule = whole
    return lambda *operands: _stacked(rule(arithmetic, attribute, *operands))


def _stacked(components: Sequence[Array]) -> Array:
    """Components (lanes,) or (1,) as one value."""
    value = np.empty((len(components), max(c.size for c in components)), dtype=components[0].dtype)
    for row, component in enumerate(components):
        value[row] = component
    return value


# -------------------------------------------------------------------------------------- variables
def _indices(address: Address, operands: Sequence[Array], arithmetic: LaneArithmetic) -> tuple[Any, Any]:
    """Index and column of an address: ints, or arrays of one int a lane."""
    dynamic = iter(operands)
    # 64 bits, so that adding the offset cannot wrap round.
    index = _as_ints(next(dynamic), arithmetic) + address.offset if address.dynamic_index else address.offset
    column = _as_ints(next(dynamic), arithmetic) if address.dynamic_column else address.column
    return index, column


def _as_ints(value: Array, arithmetic: LaneArithmetic) -> Array:
    ints: Array = arithmetic.decode("int", value)[0].astype(np.int64)
    return ints


def _cell_finder(address: Address, memory: Memory) -> Callable[[Sequence[Array]], Array | int]:
    """A function from the operands that belong to an address to the cell it means."""
    if address.is_dynamic:
        return lambda operands: memory.place(*_indices(address, operands, memory.arithmetic))
    cell = memory.place(address.offset, address.column)
    return lambda _: cell


def _load(instruction: Instruction, world: World) -> Meaning:
    memory, span = world.memory[instruction.address.variable], instruction.span
    find = _cell_finder(instruction.address, memory)
    return lambda *operands: memory.load(find(operands), span)


def _store(instruction: Instruction, table: ValueTable, world: World) -> Step:
    values, memory = table.values, world.memory[instruction.address.variable]
    find = _cell_finder(instruction.address, memory)
    *indices, source = (table.slot(operand) for operand in instruction.operands)

    def store(mask: Mask) -> None:
        memory.store(find([values[index] for index in indices]), values[source], mask)

    return store


# ------------------------------------------------------------------------------ neighbouring lanes
def _ddx(instruction: Instruction, world: World) -> Meaning:
    return _derivative(instruction, world, "dFdx", axis=3)


def _ddy(instruction: Instruction, world: World) -> Meaning:
    return _derivative(instruction, world, "dFdy", axis=2)


def _derivative(instruction: Instruction, world: World, name: str, axis: int) -> Meaning:
    _need_quads(world, name, instruction.span)
    subtract, lanes = world.arithmetic.fsub, world.lanes
    return lambda value: _difference(subtract, value, axis, lanes)


def _difference(subtract: Callable[[Array, Array], Any], value: Array, axis: int, lanes: int) -> Array:
    """Second minus first neighbour along an axis of the quads (2: rows, 3: columns), for both alike."""
    width = value.shape[0]
    quads = np.broadcast_to(value, (width, lanes)).reshape(width, lanes // 4, 2, 2)
    first, second = np.take(quads, [0, 0], axis=axis), np.take(quads, [1, 1], axis=axis)
    difference: Array = subtract(second, first).reshape(width, lanes)
    return difference


def _need_quads(world: World, what: str, span: Span | None) -> None:
    if not world.quads:
        fail(DERIVATIVE_WITHOUT_QUADS, span, what=what, help="arrange the lanes in 2x2 quads and set quads")


# --------------------------------------------------------------------------------------- textures
def _texture(instruction: Instruction, world: World) -> Meaning:
    lookup = _Lookup(instruction, world)
    return lookup.run


def _texture_size(instruction: Instruction, world: World) -> Meaning:
    lookup = _Lookup(instruction, world)
    return lookup.run_size


class _Lookup:
    """One instruction about textures."""

    __slots__ = ("access", "span", "world")

    def __init__(self, instruction: Instruction, world: World) -> None:
        self.access: TextureAccess = instruction.attribute
        self.span = instruction.span
        self.world = world

    def run(self, *operands: Array) -> Array:
        """The texel or the verdict of each lane."""
        arithmetic, given = self.world.arithmetic, operands[self.access.address.index_count :]
        if self.access.mode == "fetch":
            texel, level = (self._in_lanes(arithmetic.decode("int", operand)) for operand in given)
            result = self._asked(operands, 4, lambda texture: texture.fetch(texel, level[0], self.access.offset))
        else:
            parts = [self._in_lanes(arithmetic.decode("float", operand).astype(np.float64)) for operand in given]
            result = self._asked(operands, 4, lambda texture: self._sampled(texture, *parts))
        if self.access.result_type.kind == "float":
            return arithmetic.encode("float", result)
        return arithmetic.encode("int", _signed(result))

    def run_size(self, *operands: Array) -> Array:
        """The size of a level in each lane."""
        (level,) = self._in_lanes(self.world.arithmetic.decode("int", operands[-1]))
        result = self._asked(operands, self.access.size_type.width, lambda texture: texture.size(level))
        return self.world.arithmetic.encode("int", _signed(result))

    def _asked(self, operands: Sequence[Array], width: int, ask: Callable[[Texture], Array]) -> Array:
        """What the textures say that lanes ask for."""
        world, address = self.world, self.access.address
        index, _ = _indices(address, operands[: address.index_count], world.arithmetic)
        textures = self._textures()
        numbers = np.clip(index, 0, len(textures) - 1)
        result = np.zeros((width, world.lanes))
        for number in np.unique(numbers).tolist():
            result = np.where(numbers == number, ask(textures[number]), result)
        return result

    def _in_lanes(self, operand: Array) -> Array:
        return np.broadcast_to(operand, (len(operand), self.world.lanes))

    def _textures(self) -> list[Texture]:
        variable = self.access.address.variable
        textures = self.world.textures.get(variable)
        if textures is None:
            fail(MISSING_VALUE, self.span, kind="sampler", name=variable.name)
        return textures

    def _sampled(self, texture: Texture, coordinate: Array, *rest: Array) -> Array:
        reference, extra = (rest[0][0], rest[1:]) if self.access.kind.is_shadow else (None, rest)
        return texture.sample(coordinate, self._level(texture, coordinate, extra), reference, self.access.offset)

    def _level(self, texture: Texture, coordinate: Array, extra: Sequence[Array]) -> Array:
        """Level of detail of each lane (GL ES 2.0 section 3.7.7); 0 in stages that have no pixels."""
        mode, lanes = self.access.mode, self.world.lanes
        if mode == "lod":
            given: Array = extra[0][0]
            return given
        coordinate_of_place = coordinate[: self.access.kind.dimensions]
        if mode == "grad":
            return texture.level_of_detail(coordinate_of_place, *extra)
        if not texture.needs_level or self.world.stage != "fragment":
            return np.zeros(lanes)
        _need_quads(self.world, "the level of detail of a mipmapped texture", self.span)
        step_x, step_y = (_difference(np.subtract, coordinate_of_place, axis, lanes) for axis in (3, 2))
        level = texture.level_of_detail(coordinate_of_place, step_x, step_y)
        return level + extra[0][0] if mode == "bias" else level


def _signed(numbers: Array) -> Array:
    """Whole numbers of 32 bits as the ints with the same bits."""
    return (numbers.astype(np.int64) + 2**31) % 2**32 - 2**31


def check_texture(variable: Variable, texture: Texture) -> None:
    """Raise unless the sampler can read this texture."""
    problem = _kind_problem(SAMPLER_KINDS[variable.type.kind], texture) or texture.problem
    if problem:
        fail(UNUSABLE_TEXTURE, variable.span, name=variable.name, problem=problem)


def _kind_problem(sampler: SamplerKind, texture: Texture) -> str:
    """What a texture is that the sampler does not read."""
    wanted = sampler.image_kind
    if texture.kind != wanted:
        return f"it is {KINDS[texture.kind].label}, the sampler wants {KINDS[wanted].label}"
    if texture.texels != sampler.texel:
        return f"its texels are {texture.texels}, the sampler wants {sampler.texel}"
    if bool(texture.compare) != sampler.is_shadow:
        return (
            "it has no comparison, the sampler wants one"
            if sampler.is_shadow
            else "it is one of depths to compare with"
        )
    return ""


# ------------------------------------------------------------------------------------ lanes' fate
def _kill(instruction: Instruction, table: ValueTable, world: World) -> Step:
    values = table.values
    source = table.slot(instruction.operands[0])

    def kill(mask: Mask) -> None:
        condition = world.arithmetic.decode("bool", values[source])[0]
        world.discarded = world.discarded | (condition if mask is None else condition & mask)

    return kill


def _emit_vertex(_instruction: Instruction, _table: ValueTable, world: World) -> Step:
    def emit(mask: Mask) -> None:
        outputs = {memory.variable.name: memory.export(world.lanes) for memory in world.outputs}
        world.emitted.append((outputs, _lanes_of(mask, world)))

    return emit


def _end_primitive(_instruction: Instruction, _table: ValueTable, world: World) -> Step:
    return lambda mask: world.emitted.append((None, _lanes_of(mask, world)))


def _lanes_of(mask: Mask, world: World) -> Array:
    return np.ones(world.lanes, dtype=np.bool_) if mask is None else mask


_SPECIAL: dict[ops.Opcode, Callable[[Instruction, World], Meaning]] = {
    ops.LOAD: _load,
    ops.DDX: _ddx,
    ops.DDY: _ddy,
    ops.TEXTURE: _texture,
    ops.TEXTURE_SIZE: _texture_size,
}
_EFFECTS: dict[ops.Opcode, Callable[[Instruction, ValueTable, World], Step]] = {
    ops.STORE: _store,
    ops.KILL: _kill,
    ops.EMIT_VERTEX: _emit_vertex,
    ops.END_PRIMITIVE: _end_primitive,
}
