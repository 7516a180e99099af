"""Selection of loads and stores: attributes, uniforms with an index, built-in inputs, outputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from glslc_multi.backends.xenos_family.codegen import machine_ops
from glslc_multi.backends.xenos_family.codegen.machine_ops import CHANGE, SCALAR
from glslc_multi.backends.xenos_family.codegen.register_files import ADDRESS, GENERAL, R
from glslc_multi.backends.xenos_family.codegen.selection.machine import FamilyEmitter, found
from glslc_multi.compiler.codegen.machine import Def, Uniform, Use
from glslc_multi.compiler.codegen.operands import Operand, components_of
from glslc_multi.compiler.codegen.selection.emitter import literal
from glslc_multi.compiler.codegen.selection.rules import NoRule, RuleSet
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Instruction, Value
from glslc_multi.compiler.ir.types import FLOAT

RULES: RuleSet[FamilyEmitter] = RuleSet()
_SHUFFLES = frozenset({ops.SWIZZLE, ops.CONSTRUCT, ops.INSERT})
#: A component that nobody needs.
_NOTHING = Operand(Constant.undef(FLOAT), (0,))


@RULES.rule("load")
def load(e: FamilyEmitter, instruction: Instruction) -> None:
    variable = instruction.address.variable
    if variable.storage == "attribute":
        address = instruction.address
        fetch = e.target.interface.fetches[address.variable, address.offset, address.column]
        e.emit(machine_ops.VERTEX, [e.define(instruction)], [Use(R[0]), found(instruction.type.width)], fetch=fetch)
    elif variable.storage == "uniform":
        # A copy of the constant whose number is relative to a0.
        address = instruction.address
        indices = list(instruction.operands)
        index = _whole(e, indices.pop(0)) if address.dynamic_index else None
        column = _whole(e, indices.pop(0)) if address.dynamic_column else None
        offset = _offset(e, index, column, each=variable.columns)
        address_register = e.temporary(1, ADDRESS)
        # The result that the operation also has is of no use.
        e.emit(SCALAR["MOVAs"], [Def(address_register)], [offset])
        lanes = tuple(range(instruction.type.width))
        base = Uniform(variable, address.offset, 0 if address.dynamic_column else address.column)
        e.emit(CHANGE, [e.define(instruction)], [Use(base, lanes, relative=Use(address_register))])
    elif variable.role in _BUILT_IN:
        _BUILT_IN[variable.role](e, instruction)
    else:
        raise NoRule(instruction)


def _offset(e: FamilyEmitter, index: Use | None, column: Use | None, *, each: int) -> Use:
    """The constant's number in the variable, of which an element takes `each`."""
    if index is None:
        assert column is not None
        return column
    if column is not None:
        return e.compute("MULADDv", index, literal(float(each)), column)
    if each == 1:
        return index
    return e.compute("MULv", index, literal(float(each)))


def _whole(e: FamilyEmitter, index: Value) -> Use:
    """The float of which an index is the whole part; MOVA rounds to the nearest whole number."""
    assert isinstance(index, Instruction) and index.op is ops.FTOI
    number = index.operands[0]
    if _is_whole(number):
        return e.use(number)
    return e.compute("TRUNCv", e.use(number))


_WHOLE_RESULTS = frozenset({ops.FFLOOR, ops.FTRUNC, ops.BTOF, ops.FSTEP})
_WHOLE_OF_WHOLE = frozenset({ops.FADD, ops.FSUB, ops.FMUL, ops.FMAD, ops.FNEG, ops.FABS, ops.FMIN, ops.FMAX})


def _is_whole(value: Value, depth: int = 8) -> bool:
    """Whether a float is known to be a whole number."""
    if isinstance(value, Constant):
        return all(component is None or float(component).is_integer() for component in value.components)
    assert isinstance(value, Instruction)
    if depth == 0:
        return False
    if value.op is ops.LOAD:
        return value.address.variable.source_kind in {"int", "uint", "bool"}
    if value.op in _WHOLE_OF_WHOLE or value.op is ops.SWIZZLE:
        return all(_is_whole(operand, depth - 1) for operand in value.operands)
    return value.op in _WHOLE_RESULTS


def _frag_coord(e: FamilyEmitter, instruction: Instruction) -> None:
    """x and y with the facing as sign, z, and w in place of 1 / w."""
    interface, register = e.target.interface, e.register(instruction)
    if interface.parameter is not None:
        # The centre of a pixel.
        target = Def(register, (0, 1))
        pixel = Use(interface.parameter, (0, 1), absolute=True)
        distance = e.target.interface.conventions.isa.to_pixel_centre
        if distance:
            e.compute("ADDv", pixel, literal(distance, distance), into=target)
        else:
            e.copy(target, pixel)
    if interface.depth is not None:
        e.copy(Def(register, (2,)), Use(interface.depth, (0,)))
        e.compute("RECIP_IEEE", Use(interface.depth, (1,)), into=Def(register, (3,)))


def _front_facing(e: FamilyEmitter, instruction: Instruction) -> None:
    """Whether the sign of x is positive; the reciprocal tells -0 from 0."""
    parameter = e.target.interface.parameter
    assert parameter is not None
    reciprocal = e.compute("RECIP_IEEE", Use(parameter, (0,)))
    e.compute("SETGTEv", reciprocal, literal(0.0), into=e.define(instruction))


def _point_coord(e: FamilyEmitter, instruction: Instruction) -> None:
    parameter = e.target.interface.parameter
    assert parameter is not None
    has_signs = e.target.interface.conventions.isa.has_point_signs
    e.copy(e.define(instruction), Use(parameter, (2, 3), absolute=has_signs))


_BUILT_IN: Mapping[str, Callable[[FamilyEmitter, Instruction], None]] = {
    "frag_coord": _frag_coord,
    "front_facing": _front_facing,
    "point_coord": _point_coord,
}


@RULES.rule("store", where=lambda store: store.address.variable.storage in {"output", "varying"})
def store(e: FamilyEmitter, instruction: Instruction) -> None:
    """Outputs are written at the end, once; components that mean nothing are left out."""
    address = instruction.address
    export = e.target.interface.output(address.variable, address.offset, address.column)
    if export is None:
        return
    parts = components_of(instruction.operands[-1], e.target.modifiers)
    fetched = [_is_fetched_for(part.base, instruction) for part in parts]
    if len({part.base for part, is_fetched in zip(parts, fetched, strict=True) if is_fetched}) > 1:
        # Fetches write registers alone: they put together what is exported at once.
        whole = e.temporary(len(parts), GENERAL)
        e.assemble([part if is_fetched else _NOTHING for part, is_fetched in zip(parts, fetched, strict=True)], whole)
        components = tuple(component for component, is_fetched in enumerate(fetched) if is_fetched)
        e.copy(Def(export, components), Use(whole, components))
        parts = [_NOTHING if is_fetched else part for part, is_fetched in zip(parts, fetched, strict=True)]
    e.assemble(parts, export)


def _is_fetched_for(value: Value, user: Instruction) -> bool:
    """Whether a value is that of an attribute, and nothing but `user` takes it, through shuffles."""
    if not (isinstance(value, Instruction) and value.op is ops.LOAD and value.address.variable.storage == "attribute"):
        return False
    pending = [*value.users]
    while pending:
        taker = pending.pop()
        if taker.op in _SHUFFLES:
            pending += taker.users
        elif taker is not user:
            return False
    return True
