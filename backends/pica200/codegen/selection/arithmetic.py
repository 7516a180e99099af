"""Rules for arithmetic: component by component, scalar functions, dot products.

* A dot product drops lanes where one side is 0, and becomes DPH where one lane is 1; of two lanes it is a product
  and a sum.
* Truncation is floor(x) + (floor(x) < min(x, 0)).
"""

from __future__ import annotations

from backends.pica200.codegen.machine_ops import OPS
from backends.pica200.codegen.register_files import VALUES
from backends.pica200.codegen.selection.rule_set import RULES, Emit, negated, numbers
from compiler.codegen.machine import AnyRegister, Def, Use
from compiler.codegen.operands import Modifiers, see_through
from compiler.codegen.select import Emitter, Indexed
from compiler.ir import ops
from compiler.ir.module import Constant, Instruction, Value
from compiler.ir.ops import Opcode

# --- Component by component -------------------------------------------------------------------------------------------

_SAME_SHAPE: dict[Opcode, str] = {
    ops.FADD: "ADD",
    ops.FMUL: "MUL",
    ops.FMAD: "MAD",
    ops.FMIN: "MIN",
    ops.FMAX: "MAX",
    ops.FFLOOR: "FLR",
    ops.FNEG: "MOV",
    ops.SWIZZLE: "MOV",
    ops.LOAD: "MOV",
    ops.FTOI: "MOV",
}


def _uses(e: Emitter, instruction: Instruction) -> list[Use]:
    return [e.use(operand, width=instruction.type.width) for operand in instruction.operands]


@RULES.rule(ops.FADD, ops.FMUL, ops.FMAD, ops.FMIN, ops.FMAX, ops.FFLOOR)
def same_shape(instruction: Instruction) -> Emit:
    def emit(e: Emitter) -> None:
        e.emit(OPS[_SAME_SHAPE[instruction.op]], [e.define(instruction)], _uses(e, instruction))

    return emit


@RULES.rule(ops.FNEG, ops.SWIZZLE, ops.LOAD, ops.FTOI)
def move(instruction: Instruction) -> Emit:
    """What an operand can express, where a register is needed."""

    def emit(e: Emitter) -> None:
        value = instruction.operands[0] if instruction.op is ops.FTOI else instruction
        if instruction.op is ops.LOAD:
            source = _loaded(e, instruction, e.target.place(instruction))
        else:
            source = e.use(value)
        e.copy(e.define(instruction), source)

    return emit


def _loaded(e: Emitter, load: Instruction, source: AnyRegister | Indexed | None) -> Use:
    lanes = tuple(range(load.type.width))
    if isinstance(source, Indexed):
        return Use(source.place, lanes, relative=e.use(source.index))
    assert source is not None, "legalisation leaves no loads of locals"
    return Use(source, lanes)


@RULES.rule(ops.FSUB)
def difference(instruction: Instruction) -> Emit:
    def emit(e: Emitter) -> None:
        first, second = _uses(e, instruction)
        e.emit(OPS["ADD"], [e.define(instruction)], [first, negated(second)])

    return emit


@RULES.rule(ops.FABS)
def magnitude(instruction: Instruction) -> Emit:
    def emit(e: Emitter) -> None:
        first, second = e.use(instruction.operands[0]), e.use(instruction.operands[0])
        e.emit(OPS["MAX"], [e.define(instruction)], [first, negated(second)])

    return emit


@RULES.rule(ops.FTRUNC)
def truncation(instruction: Instruction) -> Emit:
    def emit(e: Emitter) -> None:
        width = instruction.type.width
        lanes = tuple(range(width))
        target = e.define(instruction)
        floor, lowest, is_less = (e.temporary(width, VALUES) for _ in range(3))
        value = instruction.operands[0]
        e.emit(OPS["FLR"], [Def(floor, lanes)], [e.use(value)])
        e.emit(OPS["MIN"], [Def(lowest, lanes)], [numbers(0.0, width), e.use(value)])
        e.emit(OPS["SLT"], [Def(is_less, lanes)], [Use(floor, lanes), Use(lowest, lanes)])
        e.emit(OPS["ADD"], [target], [Use(floor, lanes), Use(is_less, lanes)])

    return emit


@RULES.rule(ops.CONSTRUCT, ops.INSERT)
def gather(instruction: Instruction) -> Emit:
    return lambda e: e.gather(instruction, e.register(instruction))


# --- One number to all components -------------------------------------------------------------------------------------

_SCALAR: dict[Opcode, str] = {ops.FRCP: "RCP", ops.FRSQRT: "RSQ", ops.FEXP2: "EX2", ops.FLOG2: "LG2"}


@RULES.rule(*_SCALAR)
def scalar_function(instruction: Instruction) -> Emit:
    def emit(e: Emitter) -> None:
        target = e.define(instruction)
        for lane in target.lanes:
            source = e.use(instruction.operands[0], (lane,))
            e.emit(OPS[_SCALAR[instruction.op]], [Def(target.register, (lane,))], [source])

    return emit


@RULES.rule(ops.DOT)
def dot(instruction: Instruction) -> Emit:
    def emit(e: Emitter) -> None:
        first, second = instruction.operands
        lanes = [lane for lane in range(first.type.width) if not _is_product_zero(first, second, lane)]
        if len(lanes) > 2:
            _emit_dot(e, e.define(instruction), first, second, lanes)
        elif lanes:
            _emit_short_dot(e, e.define(instruction), first, second, lanes)
        else:
            e.copy(e.define(instruction), numbers(0.0, 1))

    return emit


def _emit_dot(e: Emitter, target: Def, first: Value, second: Value, lanes: list[int]) -> None:
    """DP3 or DP4, or DPH where a lane of one side is 1; its slots may be any lanes."""
    if len(lanes) == 4:
        for one_sided, other in ((first, second), (second, first)):
            ones = [lane for lane in lanes if _number_at(one_sided, lane) == 1.0]
            if ones:
                rest = tuple(lane for lane in lanes if lane != ones[-1])
                e.emit(OPS["DPH"], [target], [e.use(one_sided, (*rest, None)), e.use(other, (*rest, ones[-1]))])
                return
    chosen = tuple(lanes)
    e.emit(OPS["DP4" if len(lanes) == 4 else "DP3"], [target], [e.use(first, chosen), e.use(second, chosen)])


def _emit_short_dot(e: Emitter, target: Def, first: Value, second: Value, lanes: list[int]) -> None:
    """One or two products, and their sum."""
    chosen = tuple(lanes)
    sources = [e.use(first, chosen), e.use(second, chosen)]
    if len(lanes) == 1:
        e.emit(OPS["MUL"], [target], sources)
        return
    products = e.temporary(2, VALUES)
    e.emit(OPS["MUL"], [Def(products, (0, 1))], sources)
    e.emit(OPS["ADD"], [target], [Use(products, (0,)), Use(products, (1,))])


def _is_product_zero(first: Value, second: Value, lane: int) -> bool:
    return _number_at(first, lane) == 0.0 or _number_at(second, lane) == 0.0


def _number_at(value: Value, lane: int) -> float | None:
    """The constant that a lane of a value is."""
    operand = see_through(value, (lane,), Modifiers(negate=True))
    if not isinstance(operand.base, Constant) or operand.lanes[0] is None:
        return None
    number = operand.base.components[operand.lanes[0]]
    if number is None:
        return None
    return -number if operand.negate else number
