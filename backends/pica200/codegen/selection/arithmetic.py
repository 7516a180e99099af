"""Rules for arithmetic: component by component, scalar functions, dot products.

* A dot product drops lanes where one side is 0, and becomes DPH where one lane is 1; of two lanes it is a product
  and a sum.
* Truncation is floor(x) + (floor(x) < min(x, 0)).
"""

from __future__ import annotations

from glslc_multi.backends.pica200.codegen.selection.machine import PicaEmitter
from glslc_multi.compiler.codegen.machine import Def, Lanes, Use
from glslc_multi.compiler.codegen.operands import Modifiers, lanes_of, see_through
from glslc_multi.compiler.codegen.selection.rules import RuleSet, gather
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Instruction, Value

RULES: RuleSet[PicaEmitter] = RuleSet(
    "fadd(x, y) -> ADD(x, y)",
    "fsub(x, y) -> ADD(x, -y)",
    "fmul(x, y) -> MUL(x, y)",
    "fmad(x, y, z) -> MAD(x, y, z)",
    # Of a NaN and a number, the IR has the first, the machine the second.
    "fmin(x, y) -> MIN(y, x)",
    "fmax(x, y) -> MAX(y, x)",
    "fabs(x) -> MAX(x, -x)",
    "ffloor(x) -> FLR(x)",
    "ftrunc(x) -> ADD(FLR(x), SLT(FLR(x), MIN(0.0, x)))",
)
RULES.rule("construct", "insert")(gather)


# --- One number to all components -------------------------------------------------------------------------------------

_SCALAR = {ops.FRCP: "RCP", ops.FRSQRT: "RSQ", ops.FEXP2: "EX2", ops.FLOG2: "LG2"}


@RULES.rule("frcp(x)", "frsqrt(x)", "fexp2(x)", "flog2(x)")
def scalar_function(e: PicaEmitter, instruction: Instruction, x: Value) -> None:
    """One word for each number: components of one origin have one for all."""
    width = instruction.type.width
    origins = [see_through(x, (lane,), Modifiers(negate=True)) for lane in lanes_of(x, width)]
    for origin in dict.fromkeys(origins):
        lanes = tuple(lane for lane in range(width) if origins[lane] == origin)
        e.compute(_SCALAR[instruction.op], e.use_operand(origin), into=Def(e.register(instruction), lanes))


# --- Dot products: the numbers of single lanes decide, which no pattern tells -----------------------------------------


@RULES.rule("dot(x, y)")
def dot(e: PicaEmitter, instruction: Instruction, x: Value, y: Value) -> None:
    lanes = tuple(
        lane for lane in range(x.type.width) if not (_number_at(x, lane) == 0.0 or _number_at(y, lane) == 0.0)
    )
    target = e.define(instruction)
    if len(lanes) > 2:
        name, uses = _long_dot(e, x, y, lanes)
        e.compute(name, *uses, into=target)
    elif len(lanes) == 2:
        products = e.compute("MUL", e.use(x, lanes), e.use(y, lanes), width=2).register
        e.compute("ADD", Use(products, (0,)), Use(products, (1,)), into=target)
    elif lanes:
        e.compute("MUL", e.use(x, lanes), e.use(y, lanes), into=target)
    else:
        e.copy(target, e.number(0.0))


def _long_dot(e: PicaEmitter, x: Value, y: Value, lanes: Lanes) -> tuple[str, list[Use]]:
    """DP3 or DP4, or DPH where a lane of one side is 1; its slots may be any lanes."""
    if len(lanes) == 4:
        for one_sided, other in ((x, y), (y, x)):
            ones = [lane for lane in lanes if _number_at(one_sided, lane) == 1.0]
            if ones:
                rest = [lane for lane in lanes if lane != ones[-1]]
                return "DPH", [e.use(one_sided, (*rest, None)), e.use(other, (*rest, ones[-1]))]
    return f"DP{len(lanes)}", [e.use(x, lanes), e.use(y, lanes)]


def _number_at(value: Value, lane: int | None) -> float | None:
    """The constant that a lane of a value is."""
    operand = see_through(value, (lane,), Modifiers(negate=True))
    return operand.numbers()[0] if isinstance(operand.base, Constant) else None
