"""Selection of loads and stores: attributes, uniforms with an index, built-in inputs, outputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from backends.adreno.codegen import machine_ops
from backends.adreno.codegen.machine_ops import CHANGE, SCALAR, VECTOR
from backends.adreno.codegen.register_files import ADDRESS, GENERAL, R
from backends.adreno.codegen.rule_set import RULES, Emit, found, interface_of, literal
from compiler.codegen.machine import Def, Uniform, Use
from compiler.codegen.operands import lanes_of, see_through
from compiler.codegen.registers import Register
from compiler.codegen.select import Emitter
from compiler.ir import ops
from compiler.ir.module import Constant, Instruction, Value


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
    fetch = interface_of(e).fetches[address.variable, address.offset, address.column]
    e.emit(machine_ops.VERTEX, [e.define(instruction)], [Use(R[0]), found(fetch.width)], fetch=fetch)


def _load_relative(e: Emitter, instruction: Instruction) -> None:
    """A copy of the constant whose number is relative to a0."""
    address, variable = instruction.address, instruction.address.variable
    indices = list(instruction.operands)
    index = _whole(e, indices.pop(0)) if address.dynamic_index else None
    column = _whole(e, indices.pop(0)) if address.dynamic_column else None
    scale = float(variable.type.width if variable.layout == "rows" else variable.columns)
    if index is not None and scale != 1:
        scaled = e.temporary(1, GENERAL)
        sources = [index, literal(scale)] + ([] if column is None else [column])
        e.emit(VECTOR["MULv" if column is None else "MULADDv"], [Def(scaled)], sources)
        index = Use(scaled)
    offset = index or column
    assert offset is not None
    address_register = e.temporary(1, ADDRESS)
    # The result that the operation also has is of no use.
    e.emit(SCALAR["MOVAs"], [Def(address_register)], [offset])
    lanes = tuple(range(instruction.type.width))
    base = Uniform(variable, address.offset, 0 if address.dynamic_column else address.column)
    e.emit(CHANGE, [e.define(instruction)], [Use(base, lanes, relative=Use(address_register))])


def _whole(e: Emitter, index: Value) -> Use:
    """The float of which an index is the whole part; MOVA rounds to the nearest whole number."""
    if isinstance(index, Constant):
        return literal(float(index.components[0] or 0))
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
    interface, register = interface_of(e), e.register(instruction)
    if interface.parameter is not None:
        e.copy(Def(register, (0, 1)), Use(interface.parameter, (0, 1), absolute=True))
    if interface.depth is not None:
        e.copy(Def(register, (2,)), Use(interface.depth, (0,)))
        e.emit(SCALAR["RECIP_IEEE"], [Def(register, (3,))], [Use(interface.depth, (1,))])


def _front_facing(e: Emitter, instruction: Instruction) -> None:
    """Whether the sign of x is positive; the reciprocal tells -0 from 0."""
    parameter = interface_of(e).parameter
    assert parameter is not None
    reciprocal = e.temporary(1, GENERAL)
    e.emit(SCALAR["RECIP_IEEE"], [Def(reciprocal)], [Use(parameter, (0,))])
    e.emit(VECTOR["SETGTEv"], [e.define(instruction)], [Use(reciprocal), literal(0.0)])


def _point_coord(e: Emitter, instruction: Instruction) -> None:
    parameter = interface_of(e).parameter
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
        export = interface_of(e).output(variable, address.offset, address.column)
        if export is not None:
            _export(e, instruction.operands[-1], export)

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
