"""Rules for loads of uniform arrays at variable indices, for textures, and for derivatives."""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.backends.vc4.codegen.machine_ops import ACCUMULATORS, IMM, LOAD_R4, OUT, PORT, R4, ZERO
from glslc_multi.backends.vc4.codegen.schedule.texture_queue import QUEUE
from glslc_multi.backends.vc4.codegen.selection.emitter import TEXEL, QpuEmitter, is_stream, literal
from glslc_multi.backends.vc4.isa.fixed_function import DEPTH_SHIFT, DEPTH_STEPS
from glslc_multi.backends.vc4.isa.instructions import TEXEL_LOADS, Condition
from glslc_multi.backends.vc4.isa.registers import TMU_S
from glslc_multi.backends.vc4.isa.uniforms import TextureKind, texture_parameter
from glslc_multi.compiler.codegen.machine import Def, Literal32, Uniform, Use
from glslc_multi.compiler.codegen.registers import RegisterClass
from glslc_multi.compiler.codegen.selection.rules import RuleSet
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Instruction, Value
from glslc_multi.compiler.ir.samplers import SAMPLER_KINDS
from glslc_multi.compiler.ir.types import INT
from glslc_multi.compiler.ir.variables import TextureAccess, Variable

RULES: RuleSet[QpuEmitter] = RuleSet()

_ROTATED = RegisterClass.of("rotated", ACCUMULATORS)
_LANE_NUMBER = PORT[38]
_T0_S, _T0_T, _T0_R, _T0_B = 56, 57, 58, 59


# ------------------------------------------------------------------------------------------------ memory
@RULES.rule("load", where=lambda load: load.address.is_dynamic)
def load_from_buffer(e: QpuEmitter, load: Instruction) -> None:
    """What is at an index that is not known: read from memory, with the clamps that the driver demands."""
    address, variable = load.address, load.address.variable
    indices = list(load.operands)
    parts = e.parts.get(load, {})
    if not parts:
        return
    index = e.read(indices.pop(0)) if address.dynamic_index else None
    if index is not None and address.offset:
        index = e.compute("add", index, literal(address.offset))
    column = None if address.dynamic_column else address.column
    limit = variable.length - 1
    if address.dynamic_column:
        index = _column_index(e, load, index, e.read(indices.pop(0)))
        limit = variable.length * variable.columns - 1
    assert index is not None
    offset = e.compute("shl", index, literal(2))
    # A number from the stream, even if it is small: the driver demands that.
    clamped = e.compute("min", e.compute("max", offset, Use(ZERO)), Use(Literal32((4 * limit,))))
    for component in sorted(parts):
        # The word of the stream that holds the address of a slice of a uniform array.
        word = e.interface.buffer_word((variable, column, component))
        source = Uniform(Variable(f"{variable.name}+{word}", "uniform", INT, role=f"buffer {word}"))
        request = Def(OUT[TMU_S[e.interface.direct_unit]])
        e.alu("add", request, clamped, Use(source), effect=True, queue=QUEUE, half="add")
        _result(e, e.interface.direct_unit)
        e.alu("mov", Def(parts[component]), Use(R4))


def _column_index(e: QpuEmitter, load: Instruction, index: Use | None, column: Use) -> Use:
    """The number of a column among those of all elements; both numbers stay in their range."""
    variable = load.address.variable
    column = _clamped(e, column, variable.columns - 1)
    if index is None:
        if not load.address.offset:
            return column
        return e.compute("add", column, literal(load.address.offset * variable.columns))
    first = e.compute("mul24", _clamped(e, index, variable.length - 1), literal(variable.columns))
    return e.compute("add", first, column)


def _clamped(e: QpuEmitter, index: Use, limit: int) -> Use:
    return e.compute("min", e.compute("max", index, Use(ZERO)), literal(limit))


def _result(e: QpuEmitter, unit: int = 0) -> None:
    """The next result of a texture unit, in r4."""
    e.emit(LOAD_R4, [Def(R4)], [], signal=TEXEL_LOADS[unit], queue=QUEUE)


# ----------------------------------------------------------------------------------------------- textures
def _is_fetch(lookup: Instruction) -> bool:
    access: TextureAccess = lookup.attribute
    return access.mode != "grad" and not access.address.is_dynamic


@RULES.rule("texture", where=_is_fetch)
def look_up(e: QpuEmitter, instruction: Instruction) -> None:
    """T, then R and B where they are, S last, which is the request; then the colour, byte by byte, or the depth."""
    access: TextureAccess = instruction.attribute
    coordinate, *level = instruction.operands
    source = f"{access.address.variable.name}[{access.address.offset}]"
    has_level = access.mode == "lod" or not e.interface.is_fragment
    writes = [(_T0_T, e.read(coordinate, 1))]
    if access.is_cube:
        writes.append((_T0_R, e.read(coordinate, 2)))
    if level or has_level:
        writes.append((_T0_B, e.read(level[0]) if level else Use(ZERO)))
    writes.append((_T0_S, e.read(coordinate, 0)))
    writes = [(waddr, _from_register(e, use)) for waddr, use in writes]
    parts = sorted(e.parts.get(instruction, {}).items())
    if not e.interface.raw:
        _request(e, writes, source, TextureKind(has_level, None))
        is_depth = SAMPLER_KINDS[access.address.variable.outer_kind].is_shadow
        for component, register in parts:
            if is_depth:
                steps = e.compute("itof", e.compute("shr", Use(R4), literal(DEPTH_SHIFT)))
                e.alu("fmul", Def(register), steps, literal(1.0 / DEPTH_STEPS))
            else:
                e.alu("mov", Def(register), Use(R4, extra=0 if component == TEXEL else 4 + component))
        return
    for component, register in parts:
        _request(e, writes, source, TextureKind(has_level, component))
        e.alu("mov", Def(register), Use(R4))


def _request(e: QpuEmitter, writes: Sequence[tuple[int, Use]], source: str, kind: TextureKind) -> None:
    """One sample, whose result is loaded to r4."""
    for number, (waddr, use) in enumerate(writes):
        slot = (texture_parameter(number, kind), source)
        e.alu("mov", Def(OUT[waddr]), use, effect=True, queue=QUEUE, slots=(slot,))
    _result(e)


def _from_register(e: QpuEmitter, use: Use) -> Use:
    """A write to the texture unit takes a word of the stream already."""
    if not is_stream(use):
        return use
    return e.compute("mov", use)


# ------------------------------------------------------------------------------------------- derivatives
@RULES.rule("ddx(x)", "ddy(x)")
def derivative(e: QpuEmitter, instruction: Instruction, x: Value) -> None:
    """Each lane's neighbour in its quad, by rotation over the lanes."""
    step = 1 if instruction.op is ops.DDX else 2
    value, result = e.temporary(1, _ROTATED), e.define(instruction)
    e.alu("mov", Def(value), e.read(x))
    following, preceding = e.new(), e.new()
    e.alu("mov", following, Use(value), rotate=16 - step, half="mul")
    e.alu("mov", preceding, Use(value), rotate=step, half="mul")
    e.alu("and", None, Use(_LANE_NUMBER), Use(IMM[step]), sets_flags=True)
    e.alu("fsub", result, Use(following.register), Use(value))
    e.alu("fsub", result, Use(value), Use(preceding.register), cond=Condition.NZ)
