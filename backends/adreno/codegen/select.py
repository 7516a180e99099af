"""Instruction selection: which operations compute an IR instruction.

In: the legalised `main`.  Out: machine code on virtual registers, one operation an instruction; pairs of vector and
scalar operations are made later (`dual.py`).  Signs, absolute values and swizzles belong to the sources.

Bools are floats, 1 or 0, and all conditions are comparisons.  Tests against 0 need no comparison: the machine
selects, kills and branches by the sign of a number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeGuard, cast

from backends.adreno.codegen import machine_ops
from backends.adreno.codegen.abi import Interface
from backends.adreno.codegen.machine_ops import CHANGE, MOVE, SCALAR, VECTOR
from backends.adreno.codegen.register_files import ADDRESS, FETCHED, GENERAL, R
from compiler.codegen.machine import (
    AnyRegister,
    Def,
    Lanes,
    Literal32,
    MachineInstruction,
    Uniform,
    Use,
    VirtualRegister,
)
from compiler.codegen.operands import Modifiers, lanes_of, see_through
from compiler.codegen.registers import Register, RegisterClass
from compiler.codegen.select import Emitter, RuleSet
from compiler.ir import ops
from compiler.ir.module import PRECISE, Constant, Instruction, Value
from compiler.ir.ops import Opcode
from compiler.ir.variables import TextureAccess
from compiler.records import dataclass, field, replace

RULES = RuleSet()
_MODIFIERS = Modifiers(negate=True, absolute=True)
Emit = Callable[[Emitter], None]


@dataclass(frozen=True, slots=True)
class Selection:
    """The target of one selection; see `SelectionTarget`."""

    interface: Interface
    #: Branches of loops that the machine counts -> how often they run.
    counted: Mapping[Instruction, int] = field(default_factory=dict)
    rules: RuleSet = RULES
    modifiers: Modifiers = _MODIFIERS

    def place(self, load: Instruction) -> AnyRegister | None:
        """Uniforms and varyings are read where they are."""
        address, variable = load.address, load.address.variable
        if address.is_dynamic:
            return None
        if variable.storage == "uniform":
            return Uniform(variable, address.offset, address.column)
        if variable.storage == "varying":
            return R[self.interface.varyings[variable, address.offset, address.column]]
        return None

    def register_class(self, value: Instruction) -> RegisterClass:
        return GENERAL

    def copy(self, target: Def, source: Use) -> MachineInstruction:
        is_plain = not (source.negate or source.absolute)
        return MachineInstruction(MOVE if is_plain else CHANGE, [target], [source])


def _interface(e: Emitter) -> Interface:
    return cast(Selection, e.target).interface


def _literal(*values: float) -> Use:
    return Use(Literal32(values), tuple(range(len(values))))


def _found(width: int) -> Use:
    """The components of what a fetch finds."""
    return Use(FETCHED, tuple(range(width)))


def _negated(use: Use) -> Use:
    use.negate = not use.negate
    return use


# ------------------------------------------------------------------------------------- component by component
#: Opcode -> vector operation, its sources in order as numbers of the operands, and which of them it negates.
_COMPONENTWISE: Mapping[Opcode, tuple[str, tuple[int, ...], tuple[int, ...]]] = {
    ops.FADD: ("ADDv", (0, 1), ()),
    ops.FSUB: ("ADDv", (0, 1), (1,)),
    ops.FMUL: ("MULv", (0, 1), ()),
    ops.FMAD: ("MULADDv", (0, 1, 2), ()),
    ops.FMIN: ("MINv", (0, 1), ()),
    ops.FMAX: ("MAXv", (0, 1), ()),
    ops.FFLOOR: ("FLOORv", (0,), ()),
    ops.FFRACT: ("FRACv", (0,), ()),
    ops.FTRUNC: ("TRUNCv", (0,), ()),
    ops.FSTEP: ("SETGTEv", (1, 0), ()),
    ops.FLT: ("SETGTv", (1, 0), ()),
    ops.FLE: ("SETGTEv", (1, 0), ()),
    ops.FEQ: ("SETEv", (0, 1), ()),
    ops.FNE: ("SETNEv", (0, 1), ()),
}


def _compute(e: Emitter, instruction: Instruction, result: Def) -> None:
    """The operation of a row of the table, with its result anywhere."""
    name, order, negated = _COMPONENTWISE[instruction.op]
    width = instruction.type.width
    sources = [e.use(instruction.operands[number], width=width) for number in order]
    for number in negated:
        _negated(sources[number])
    e.emit(VECTOR[name], [result], sources)


@RULES.rule(*_COMPONENTWISE)
def componentwise(instruction: Instruction) -> Emit:
    return lambda e: _compute(e, instruction, e.define(instruction))


@RULES.rule(ops.BTOF)
def number_of_bool(instruction: Instruction) -> Emit:
    """A comparison yields the number; any other bool is one already."""
    operand = instruction.operands[0]
    if isinstance(operand, Instruction) and operand.op in _COMPONENTWISE:
        return lambda e: _compute(e, operand, e.define(instruction))
    return lambda e: _copy(e, operand, e.define(instruction))


@RULES.rule(ops.FNEG, ops.FABS, ops.SWIZZLE)
def changed_copy(instruction: Instruction) -> Emit:
    return lambda e: _copy(e, instruction, e.define(instruction))


def _copy(e: Emitter, value: Value, target: Def) -> None:
    e.copy(target, e.use(value))


@RULES.rule(ops.FSATURATE)
def saturate(instruction: Instruction) -> Emit:
    """`fixup.py` lets what computes the operand limit it."""
    operand = instruction.operands[0]
    return lambda e: _discard(e.emit(CHANGE, [e.define(instruction)], [e.use(operand)], clamp=True))


def _discard(_: object) -> None:
    """A rule's answer returns nothing."""


@RULES.rule(ops.CONSTRUCT, ops.INSERT)
def gather(instruction: Instruction) -> Emit:
    return lambda e: e.gather(instruction, e.register(instruction))


# --------------------------------------------------------------------------------------------- scalar functions
_SCALAR: Mapping[Opcode, str] = {
    ops.FRCP: "RECIP_IEEE",
    ops.FRSQRT: "RECIPSQ_IEEE",
    ops.FSQRT: "SQRT_IEEE",
    ops.FEXP2: "EXP_IEEE",
    ops.FLOG2: "LOG_IEEE",
    ops.FSIN: "SIN",
    ops.FCOS: "COS",
}


@RULES.rule(*_SCALAR)
def scalar_function(instruction: Instruction) -> Emit:
    """One operation for each different component; its result goes to all components that want it."""

    def emit(e: Emitter) -> None:
        operand, register = instruction.operands[0], e.register(instruction)
        groups: dict[tuple[object, ...], tuple[Use, list[int]]] = {}
        for component in range(instruction.type.width):
            use = e.use(operand, (component,))
            key = (use.register, use.lanes, use.negate, use.absolute)
            groups.setdefault(key, (use, []))[1].append(component)
        for use, components in groups.values():
            e.emit(SCALAR[_SCALAR[instruction.op]], [Def(register, tuple(components))], [use])

    return emit


# --------------------------------------------------------------------------------------------------- products
_DOTS = {3: "DOT3v", 4: "DOT4v"}


@RULES.rule(ops.DOT)
def dot(instruction: Instruction) -> Emit:
    x, y = instruction.operands
    width = x.type.width

    def emit(e: Emitter) -> None:
        if width == 1:
            e.emit(VECTOR["MULv"], [e.define(instruction)], [e.use(x), e.use(y)])
        elif width == 2:
            e.emit(VECTOR["DOT2ADDv"], [e.define(instruction)], [e.use(x), e.use(y), _literal(0.0)])
        else:
            e.emit(VECTOR[_DOTS[width]], [e.define(instruction)], [e.use(x), e.use(y)])

    return emit


@RULES.rule(ops.FADD, priority=1)
def dot_and_sum(instruction: Instruction) -> Emit | None:
    """A dot product of two components, plus a number."""
    for number, product in enumerate(instruction.operands):
        if isinstance(product, Instruction) and _is_short_dot(product):
            x, y = product.operands
            other = instruction.operands[1 - number]
            return lambda e: _discard(
                e.emit(VECTOR["DOT2ADDv"], [e.define(instruction)], [e.use(x), e.use(y), e.use(other)])
            )
    return None


def _is_short_dot(value: Instruction) -> bool:
    return value.op is ops.DOT and value.operands[0].type.width == 2 and sum(value.users.values()) == 1


# ------------------------------------------------------------------------------------------------- conditions
@dataclass(frozen=True, slots=True)
class _Test:
    """`value` (or its negative) compared with 0."""

    #: E, NE, GT or GTE.
    relation: str
    value: Value
    negate: bool = False

    def use(self, e: Emitter, width: int) -> Use:
        use = e.use(self.value, width=width)
        return _negated(use) if self.negate else use


def _test(condition: Value) -> _Test:
    """What to compare with 0 to know whether a condition holds."""
    if isinstance(condition, Instruction) and condition.op in _COMPONENTWISE:
        x, y = condition.operands
        if condition.op is ops.FEQ or condition.op is ops.FNE:
            other = y if _is_zero(x) else x
            if _is_zero(x) or _is_zero(y):
                return _Test("E" if condition.op is ops.FEQ else "NE", other)
        elif _is_zero(x):
            return _Test("GT" if condition.op is ops.FLT else "GTE", y)
        elif _is_zero(y):
            return _Test("GT" if condition.op is ops.FLT else "GTE", x, negate=True)
    return _Test("NE", condition)


def _is_zero(value: Value) -> bool:
    return isinstance(value, Constant) and all(component == 0 for component in value.components)


@RULES.rule(ops.SELECT)
def select_by_test(instruction: Instruction) -> Emit:
    """CNDE, CNDGT and CNDGTE take the second source where the first passes the test."""
    condition, if_true, if_false = instruction.operands
    test, width = _test(condition), instruction.type.width

    def emit(e: Emitter) -> None:
        values = [e.use(if_true, width=width), e.use(if_false, width=width)]
        relation, tested = test.relation, None
        if test.value is condition and _is_order_of_numbers(condition):
            relation, tested = _difference(e, condition)
        if relation == "NE":
            relation, values = "E", values[::-1]
        tested = test.use(e, width) if tested is None else replace(tested, lanes=(0,) * width)
        e.emit(VECTOR[f"CND{relation}v"], [e.define(instruction)], [tested, *values])

    return emit


def _is_order_of_numbers(condition: Value) -> TypeGuard[Instruction]:
    """Whether one number is less than another, and only this is asked."""
    return (
        isinstance(condition, Instruction)
        and condition.op in (ops.FLT, ops.FLE)
        and condition.type.is_scalar
        and sum(condition.users.values()) == 1
        and not condition.flags & PRECISE
    )


def _difference(e: Emitter, condition: Instruction) -> tuple[str, Use]:
    """x < y as y - x > 0: the scalar unit may compute the difference."""
    x, y = condition.operands
    difference = e.temporary(1, GENERAL)
    e.emit(VECTOR["ADDv"], [Def(difference)], [e.use(y), _negated(e.use(x))])
    return "GT" if condition.op is ops.FLT else "GTE", Use(difference)


_KILLS: Mapping[Opcode, tuple[str, bool]] = {
    ops.FLT: ("KILLGTv", True),
    ops.FLE: ("KILLGTEv", True),
    ops.FEQ: ("KILLEv", False),
    ops.FNE: ("KILLNEv", False),
}


@RULES.rule(ops.KILL)
def kill(instruction: Instruction) -> Emit:
    condition = instruction.operands[0]

    def emit(e: Emitter) -> None:
        if isinstance(condition, Constant):
            if condition.components[0]:
                e.emit(SCALAR["KILLEs"], [], [_literal(0.0)])
            return
        test = _test(condition)
        if test.value is not condition:
            e.emit(SCALAR[f"KILL{test.relation}s"], [], [test.use(e, 1)])
            return
        assert isinstance(condition, Instruction)
        name, is_swapped = _KILLS[condition.op]
        sources = [e.use(operand, (0, 0, 0, 0)) for operand in condition.operands]
        e.emit(VECTOR[name], [], sources[::-1] if is_swapped else sources)

    return emit


@RULES.rule(ops.CONDBR)
def branch(instruction: Instruction) -> Emit:
    def emit(e: Emitter) -> None:
        count = cast(Selection, e.target).counted.get(instruction)
        if count is not None:
            e.emit(machine_ops.COUNTED, constant=_interface(e).loops[count])
            return
        test = _test(instruction.operands[0])
        e.emit(machine_ops.BRANCH, [], [test.use(e, 1)], test=test.relation)

    return emit


@RULES.rule(ops.BR)
def go(instruction: Instruction) -> Emit:
    return lambda e: _discard(e.emit(machine_ops.GO))


@RULES.rule(ops.RET)
def end(instruction: Instruction) -> Emit:
    return lambda e: _discard(e.emit(machine_ops.END))


# ----------------------------------------------------------------------------------------------------- memory
@RULES.rule(ops.LOAD)
def load(instruction: Instruction) -> Emit | None:
    variable = instruction.address.variable
    if variable.storage == "attribute":
        return lambda e: _fetch_attribute(e, instruction)
    if variable.storage == "uniform" and instruction.address.is_dynamic:
        return lambda e: _load_relative(e, instruction)
    role = _BUILT_IN.get(variable.role)
    return None if role is None else lambda e: role(e, instruction)


def _fetch_attribute(e: Emitter, instruction: Instruction) -> None:
    address = instruction.address
    fetch = _interface(e).fetches[address.variable, address.offset, address.column]
    e.emit(machine_ops.VERTEX, [e.define(instruction)], [Use(R[0]), _found(fetch.width)], fetch=fetch)


def _load_relative(e: Emitter, instruction: Instruction) -> None:
    """A copy of the constant whose number is relative to a0."""
    address, variable = instruction.address, instruction.address.variable
    indices = list(instruction.operands)
    index = _whole(e, indices.pop(0)) if address.dynamic_index else None
    column = _whole(e, indices.pop(0)) if address.dynamic_column else None
    scale = float(variable.type.width if variable.layout == "rows" else variable.columns)
    if index is not None and scale != 1:
        scaled = e.temporary(1, GENERAL)
        sources = [index, _literal(scale)] + ([] if column is None else [column])
        e.emit(VECTOR["MULv" if column is None else "MULADDv"], [Def(scaled)], sources)
        index = Use(scaled)
    offset = index or column
    assert offset is not None
    place = e.temporary(1, ADDRESS)
    # Two components of one register: the result that the operation also has is of no use.
    e.emit(SCALAR["MOVAs"], [Def(place)], [offset])
    lanes = tuple(range(instruction.type.width))
    base = Uniform(variable, address.offset, 0 if address.dynamic_column else address.column)
    e.emit(CHANGE, [e.define(instruction)], [Use(base, lanes, relative=Use(place))])


def _whole(e: Emitter, index: Value) -> Use:
    """The float of which an index is the whole part; MOVA rounds to the nearest whole number."""
    if isinstance(index, Constant):
        return _literal(float(index.components[0] or 0))
    assert isinstance(index, Instruction) and index.op is ops.FTOI
    number = index.operands[0]
    if _is_whole(number):
        return e.use(number)
    truncated = e.temporary(1, GENERAL)
    e.emit(VECTOR["TRUNCv"], [Def(truncated)], [e.use(number)])
    return Use(truncated)


_WHOLE_RESULTS = frozenset({ops.FFLOOR, ops.FTRUNC, ops.FCEIL, ops.BTOF, ops.FSTEP})
_WHOLE_OF_WHOLE = frozenset({ops.FADD, ops.FSUB, ops.FMUL, ops.FMAD, ops.FNEG, ops.FABS, ops.FMIN, ops.FMAX})


def _is_whole(value: Value, depth: int = 8) -> bool:
    """Whether a float is known to be a whole number."""
    if isinstance(value, Constant):
        return all(component is None or float(component).is_integer() for component in value.components)
    if not isinstance(value, Instruction) or depth == 0:
        return False
    if value.op is ops.LOAD:
        return value.address.variable.source_kind in ("int", "bool")
    if value.op in _WHOLE_OF_WHOLE or value.op is ops.SWIZZLE:
        return all(_is_whole(operand, depth - 1) for operand in value.operands)
    return value.op in _WHOLE_RESULTS


def _frag_coord(e: Emitter, instruction: Instruction) -> None:
    """x and y with the facing as sign, z, and w in place of 1 / w."""
    interface, register = _interface(e), e.register(instruction)
    if interface.parameter is not None:
        e.copy(Def(register, (0, 1)), Use(interface.parameter, (0, 1), absolute=True))
    if interface.depth is not None:
        e.copy(Def(register, (2,)), Use(interface.depth, (0,)))
        e.emit(SCALAR["RECIP_IEEE"], [Def(register, (3,))], [Use(interface.depth, (1,))])


def _front_facing(e: Emitter, instruction: Instruction) -> None:
    """Whether the sign of x is positive; the reciprocal tells -0 from 0."""
    parameter = _interface(e).parameter
    assert parameter is not None
    reciprocal = e.temporary(1, GENERAL)
    e.emit(SCALAR["RECIP_IEEE"], [Def(reciprocal)], [Use(parameter, (0,))])
    e.emit(VECTOR["SETGTEv"], [e.define(instruction)], [Use(reciprocal), _literal(0.0)])


def _point_coord(e: Emitter, instruction: Instruction) -> None:
    parameter = _interface(e).parameter
    assert parameter is not None
    e.copy(e.define(instruction), Use(parameter, (2, 3)))


_BUILT_IN: Mapping[str, Callable[[Emitter, Instruction], None]] = {
    "frag_coord": _frag_coord,
    "front_facing": _front_facing,
    "point_coord": _point_coord,
}


@RULES.rule(ops.STORE)
def store(instruction: Instruction) -> Emit | None:
    """Outputs are written at the end, once; components that mean nothing are left out."""
    address, variable = instruction.address, instruction.address.variable
    if variable.storage not in ("output", "varying"):
        return None

    def emit(e: Emitter) -> None:
        place = _interface(e).output(variable, address.offset, address.column)
        if place is not None:
            _export(e, instruction.operands[-1], place[0])

    return emit


def _export(e: Emitter, value: Value, register: Register) -> None:
    width = value.type.width
    operand = see_through(value, lanes_of(value, width), e.target.modifiers)
    if isinstance(operand.base, Constant):
        numbers = [None if lane is None else operand.base.components[lane] for lane in operand.lanes]
        written = tuple(component for component, number in enumerate(numbers) if number is not None)
        if written:
            e.copy(Def(register, written), e.use(value, written))
    elif isinstance(operand.base, Instruction) and operand.base.op in (ops.CONSTRUCT, ops.INSERT):
        e.gather(value, register)
    else:
        e.copy(Def(register, tuple(range(width))), e.use_operand(operand))


# --------------------------------------------------------------------------------------------------- textures
@RULES.rule(ops.DDX, ops.DDY)
def derivative(instruction: Instruction) -> Emit:
    """A fetch for two components: it finds dx, dy of the first and dx, dy of the second."""
    first = 0 if instruction.op is ops.DDX else 1

    def emit(e: Emitter) -> None:
        values, register = _in_register(e, instruction.operands[0]), e.register(instruction)
        for start in range(0, instruction.type.width, 2):
            components = tuple(range(start, min(start + 2, instruction.type.width)))
            source = replace(values, lanes=tuple(values.lanes[component] for component in components))
            found = Use(FETCHED, tuple(first + 2 * place for place in range(len(components))))
            e.emit(machine_ops.GRADIENTS, [Def(register, components)], [source, found])

    return emit


#: Levels of detail that fit the field of a fetch: signed sixteenths of 7 bits.
_LEVEL_STEPS, _LEVEL_RANGE = 16, range(-64, 64)


@RULES.rule(ops.TEXTURE)
def sample(instruction: Instruction) -> Emit | None:
    access: TextureAccess = instruction.attribute
    if access.mode == "grad" or access.address.is_dynamic:
        return None
    return lambda e: _sample(e, instruction, access)


def _sample(e: Emitter, instruction: Instruction, access: TextureAccess) -> None:
    interface = _interface(e)
    coordinate, *level = instruction.operands
    place = _cube_coordinates(e, coordinate) if access.is_cube else _in_register(e, coordinate)
    computed = interface.stage == "fragment" and access.mode != "lod"
    attributes: dict[str, Any] = {
        "unit": interface.samplers[access.address.variable] + access.address.offset,
        "comp_lod": int(computed),
    }
    steps = _constant_level(level[0]) if level else 0
    if steps is not None:
        e.emit(machine_ops.SAMPLE, [e.define(instruction)], [place, _found(4)], lod_bias=steps, **attributes)
    else:
        sources = [place, _in_register(e, level[0]), _found(4)]
        e.emit(machine_ops.SAMPLE_LEVEL, [e.define(instruction)], sources, **attributes)


def _constant_level(level: Value) -> int | None:
    """A level of detail in the steps that a fetch holds; None where it does not."""
    if not isinstance(level, Constant) or not isinstance(level.components[0], int | float):
        return None
    steps = level.components[0] * _LEVEL_STEPS
    return int(steps) if steps == int(steps) and int(steps) in _LEVEL_RANGE else None


def _in_register(e: Emitter, value: Value) -> Use:
    """A source of a fetch: registers only, without sign or absolute value."""
    use = e.use(value)
    is_register = isinstance(use.register, VirtualRegister) or (
        isinstance(use.register, Register) and use.register.file is R
    )
    if is_register and not (use.negate or use.absolute):
        return use
    copied = e.temporary(value.type.width, GENERAL)
    lanes: Lanes = tuple(range(value.type.width))
    e.copy(Def(copied, lanes), use)  # type: ignore[arg-type]
    return Use(copied, lanes)


def _cube_coordinates(e: Emitter, direction: Value) -> Use:
    """CUBEv leaves t, s, twice the major axis and the face; s and t become 1 to 2 on their face."""
    cube, scale = e.temporary(4, GENERAL), e.temporary(1, GENERAL)
    e.emit(VECTOR["CUBEv"], [Def(cube, (0, 1, 2, 3))], [e.use(direction, (2, 2, 0, 1)), e.use(direction, (1, 0, 2, 2))])
    e.emit(SCALAR["RECIP_IEEE"], [Def(scale)], [Use(cube, (2,), absolute=True)])
    middle = _literal(1.5, 1.5)
    e.emit(VECTOR["MULADDv"], [Def(cube, (0, 1))], [Use(cube, (0, 1)), Use(scale, (0, 0)), middle])
    return Use(cube, (1, 0, 3))
