"""What a fragment stage knows of its varyings: constants, uniforms, and copies of each other need not be sent.

In: both modules of a pair, optimised.  Out: copies of them, of which the fragment stage reads these where they come
from; what nobody reads any more is left out by `trim.py`.  Components are told apart by value numbers of the vertex
stage (Briggs, Cooper and Simpson 1997), component by component, since vectors put the same numbers together in
different ways.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from copy import copy

from glslc_multi.compiler.analysis.cfg import control_flow
from glslc_multi.compiler.analysis.component_sources import source
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Module, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.ir.variables import Address
from glslc_multi.compiler.linking.match import LinkedPair, names_in_blocks
from glslc_multi.compiler.options import KnownVaryings
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from glslc_multi.compiler.records import dataclass

_SHUFFLES = frozenset({ops.SWIZZLE, ops.INSERT, ops.CONSTRUCT})


@dataclass(frozen=True, slots=True)
class _Place:
    """A component of a variable."""

    variable: str
    element: int
    column: int
    component: int


#: Where the fragment stage finds a component: a number, or a component of a uniform or another varying.
_Origin = float | int | bool | _Place


def read_at_origin(pair: LinkedPair, kinds: Collection[KnownVaryings]) -> LinkedPair | None:
    """Return another pair, whose fragment stage reads what it knows of its varyings elsewhere; None if it knows
    nothing."""
    loads = _loads(pair.fragment)
    origins = _origins(pair, loads, kinds) if loads else {}
    if not any(_known(load, origins, kinds) for load in loads):
        return None
    pair = LinkedPair(clone_module(pair.vertex), clone_module(pair.fragment))
    for load in _loads(pair.fragment):
        _replace(load, _known(load, origins, kinds), pair)
    return pair


def _known(
    load: Instruction, origins: Mapping[_Place, _Origin], kinds: Collection[KnownVaryings]
) -> dict[int, _Origin]:
    """Return the components of a load that are read at their origins."""
    width = load.type.width
    parts = {component: origins.get(_place(load.address, component)) for component in range(width)}
    known_parts = {component: origin for component, origin in parts.items() if origin is not None}
    return known_parts if "components" in kinds or _is_one_operand(known_parts, width) else {}


def _place(address: Address, component: int) -> _Place:
    return _Place(address.variable.name, address.offset, address.column, component)


def _loads(fragment: Module) -> list[Instruction]:
    """List the loads of varyings that are not indexed by a value anywhere."""
    loads = [
        instruction
        for function in fragment.functions.values()
        for instruction in function.instructions()
        if instruction.op is ops.LOAD and instruction.address.variable.storage == "varying"
    ]
    indexed = {load.address.variable for load in loads if load.address.is_dynamic}
    return [load for load in loads if load.address.variable not in indexed]


def _is_one_operand(parts: Mapping[int, _Origin], width: int) -> bool:
    """Tell whether the components are one operand of a machine of vectors: numbers, or one register's components."""
    if len(parts) < width:
        return False
    registers = {
        (origin.variable, origin.element, origin.column) if isinstance(origin, _Place) else None
        for origin in parts.values()
    }
    return len(registers) == 1


def _origins(pair: LinkedPair, loads: list[Instruction], kinds: Collection[KnownVaryings]) -> dict[_Place, _Origin]:
    """Find what components of varyings are besides varyings."""
    vertex, fragment = pair.vertex, pair.fragment
    stores = _final_stores(vertex)
    numbers, blocks = _ValueNumbers(vertex.main), names_in_blocks(vertex)
    origins: dict[_Place, _Origin] = {}
    first: dict[Hashable, _Place] = {}
    for load in loads:
        variable = load.address.variable
        for component in range(load.type.width):
            here = _place(load.address, component)
            store = stores.get((variable.name, here.element, here.column))
            if store is None or here in origins:
                continue
            value, part = source(store.operands[-1], component)
            if isinstance(value, Constant):
                number = value.components[part]
                if number is not None and "constants" in kinds:
                    origins[here] = number
            elif "uniforms" in kinds and isinstance(value, Instruction) and _is_uniform(value, blocks, fragment):
                origins[here] = _place(value.address, part)
            elif "copies" in kinds:
                # Numbers that are interpolated in different ways differ between the vertices.
                key = numbers.of(value, part), variable.interpolation, variable.source_kind
                earlier = first.setdefault(key, here)
                if earlier != here:
                    origins[here] = earlier
    return origins


def _final_stores(vertex: Module) -> dict[tuple[str, int, int], Instruction]:
    """Return the stores to varyings that every vertex runs once, at the end, by variable, element and column."""
    ends = [block for block in vertex.main.blocks if not block.successors]
    stores = [
        instruction
        for function in vertex.functions.values()
        for instruction in function.instructions()
        if instruction.op is ops.STORE and instruction.address.variable.storage == "varying"
    ]
    others = {s.address.variable.name for s in stores if s.address.is_dynamic or s.block not in ends or len(ends) > 1}
    by_place: dict[tuple[str, int, int], Instruction] = {}
    for store in stores:
        address = store.address
        if address.variable.name not in others:
            # The last one counts: the block is run from its start to its end.
            by_place[address.variable.name, address.offset, address.column] = store
    return by_place


def _is_uniform(value: Instruction, blocks: Collection[str], fragment: Module) -> bool:
    """Tell whether the value is one of a uniform that the fragment stage has, or can have, under the same name."""
    if value.op is not ops.LOAD or value.address.is_dynamic:
        return False
    uniform = value.address.variable
    # A block is in a stage as a whole.
    if uniform.storage != "uniform" or uniform.role or uniform.name.partition(".")[0] in blocks:
        return False
    own = fragment.find_variable(uniform.name)
    return own is None or (own.storage, own.type, own.dims, own.columns) == (
        uniform.storage,
        uniform.type,
        uniform.dims,
        uniform.columns,
    )


def _replace(load: Instruction, parts: Mapping[int, _Origin], pair: LinkedPair) -> None:
    """Put what is known into the vector that is loaded."""
    builder = Builder.before(load)
    address = load.address
    result: Value = builder.load(address.variable, address.offset, address.column)
    for component, origin in parts.items():
        if isinstance(origin, _Place):
            own = pair.fragment.find_variable(origin.variable)
            # A uniform that only the vertex stage has.
            variable = own or pair.fragment.add_variable(copy(pair.vertex.variables[origin.variable]))
            part = builder.extract(builder.load(variable, origin.element, origin.column), origin.component)
        else:
            part = Constant(load.type.scalar, (origin,))
        result = part if load.type.is_scalar else builder.insert(result, part, component)
    load.replace_all_uses_with(result)
    load.erase()


class _ValueNumbers:
    """A number for every component of every value of a function; equal numbers are equal values."""

    def __init__(self, function: Function) -> None:
        self._numbers: dict[Hashable, int] = {}
        self._of: dict[tuple[Value, int], int] = {}
        # Operands come first, but for those of phis.
        for block in AnalysisManager(function).get(control_flow).order:
            for instruction in block:
                for component in range(instruction.type.width):
                    self._of[instruction, component] = self._of_result(instruction, component)

    def of(self, value: Value, component: int) -> int:
        value, component = source(value, component)
        if isinstance(value, Constant):
            return self._constant(value.components[component])
        return self._of[value, component]

    def _constant(self, number: object) -> int:
        # 0.0 and -0.0 are equal to Python.
        return self._number("constant", repr(number))

    def _number(self, *key: Hashable) -> int:
        return self._numbers.setdefault(key, len(self._numbers))

    def _of_result(self, instruction: Instruction, component: int) -> int:
        op = instruction.op
        if op in _SHUFFLES:
            return self.of(instruction, component)
        if op is ops.LOAD and not instruction.address.is_dynamic and instruction.address.variable.storage in _FIXED:
            return self._number(op, instruction.address, component)
        if op.component is None or not op.is_pure:
            return self._number(instruction, component)
        operands = [self.of(o, component if o.type.width > 1 else 0) for o in instruction.operands]
        neutral = {self._constant(number) for number in _NEUTRAL.get(op, ())}
        if neutral and operands[1] in neutral:
            # A vector of sums has terms of 0.
            return operands[0]
        if op is ops.FSUB:
            # x + (-y) is the same, as sums of vectors have it.
            op, operands[1] = ops.FADD, self._number(ops.FNEG, None, operands[1])
        if op.commutative and op not in ops.NEARLY_COMMUTATIVE:
            operands.sort()
        return self._number(op, instruction.attribute, *operands)


#: Operations that leave their first operand as it is if the second one is such a number.
_NEUTRAL: Mapping[Opcode, tuple[float, ...]] = {ops.FADD: (0.0, -0.0), ops.FSUB: (0.0, -0.0), ops.FMUL: (1.0,)}
#: Variables that nobody writes while a shader runs.
_FIXED = ("attribute", "uniform", "input")
