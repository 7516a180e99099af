"""What the shader unit lacks is removed from the IR, before code is selected.

In: an optimised module of a vertex or fragment shader.  Out: one function `main` whose control flow is a nest of
ifs and loops, with floats only (bools are 1 or 0), in operations that the rules of `select.py` know.

A matrix times a vector is a sum of scaled columns, so that a factor of 1 or 0 costs nothing.  The machine has no
divider and no composite functions, and its sine and cosine need an angle of at most half a turn.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from glslc_multi.backends.xenos_family.codegen.rewrites.join_offsets import JoinOffsets
from glslc_multi.backends.xenos_family.codegen.rewrites.reassociate import AbsorbAddends
from glslc_multi.backends.xenos_family.isa.whole_numbers import WHOLE_NUMBERS
from glslc_multi.compiler.arithmetic.protocol import round_to_float32
from glslc_multi.compiler.codegen.packing.pack import Pack
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import PRECISE, Constant, Function, Instruction, Module, Value
from glslc_multi.compiler.lowering.bool_to_float import LowerBoolToFloat
from glslc_multi.compiler.lowering.builtins import LowerBuiltins
from glslc_multi.compiler.lowering.elementary.angles import TURN_HIGH, is_magnified
from glslc_multi.compiler.lowering.elementary.transcendentals import LowerTranscendentals
from glslc_multi.compiler.lowering.indexing import LowerIndexing, refuse_indices
from glslc_multi.compiler.lowering.int_to_float import LowerIntToFloat
from glslc_multi.compiler.lowering.integer_bits import LowerIntegerBits
from glslc_multi.compiler.lowering.matrices import LowerMatrices, ProductForm
from glslc_multi.compiler.lowering.opcode_set import OpcodeSet
from glslc_multi.compiler.lowering.scales import FactorScales
from glslc_multi.compiler.lowering.tables import PlaceTables
from glslc_multi.compiler.passes.base import CostModel, Pass, PassContext
from glslc_multi.compiler.passes.pipeline import (
    CLEAN_WELL,
    DCE,
    GVN,
    MEM2REG,
    PROMOTE,
    SIMPLIFY_CFG,
    SROA,
    STRUCTURIZE,
    Pipeline,
)
from glslc_multi.compiler.passes.runner import run_pipeline
from glslc_multi.compiler.passes.scalar.contract import Contract
from glslc_multi.compiler.passes.scalar.vectorize import Vectorize

#: Constant registers of any stage of these machines.
_CONSTANTS = 224
#: Composite operations that one instruction, or one for each component, computes.
KEPT = OpcodeSet("fmad.fsaturate.ffract.ftrunc.fsqrt.fstep.dot")
#: Elementary functions of the scalar unit.
ELEMENTARY = OpcodeSet("fsin.fcos.fexp2.flog2")


def legalize(module: Module, costs: CostModel, target: str, sink: DiagnosticSink, *, precise: bool = False) -> None:
    """Change `module` in place; what then is left that the machine cannot do is reported."""
    run_pipeline(module, pipeline(), PassContext(costs, precise))
    refuse_indices(module, target, sink)


def pipeline() -> Pipeline:
    """Return the passes, in order."""
    expand: Pipeline = (LowerBuiltins(KEPT), LowerBoolToFloat())
    return (
        *(*PROMOTE, SIMPLIFY_CFG, STRUCTURIZE, PlaceTables(_CONSTANTS)),
        *(LowerIndexing(), SROA, MEM2REG, LowerMatrices(ProductForm.MADS)),
        *(LowerIntegerBits(WHOLE_NUMBERS.outside), LowerIntToFloat(), LowerTranscendentals(ELEMENTARY)),
        *(*expand, CLEAN_WELL),
        ReduceAngles(),
        Vectorize(),
        # `instcombine` puts composite operations together again where it finds them.
        *(*expand, GVN, FactorScales(merge_roots=True), DCE, Contract(), DCE),
        AbsorbAddends(),
        JoinOffsets(),
        DCE,
        Pack(),
        DCE,
    )


class ReduceAngles(Pass):
    """sin(x) becomes sin(fract(x / 2 pi + 1/2) * 2 pi - pi), or what comes nearer to x less whole turns; run once."""

    name = "xenos-family-angles"
    description = "brings angles of sines and cosines into one turn around 0"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        angles = [i for i in function.instructions() if i.op is ops.FSIN or i.op is ops.FCOS]
        for instruction in angles:
            builder, angle = Builder.before(instruction), instruction.operands[0]
            if is_magnified(instruction):
                # Whole turns are subtracted in two parts, of which the first has few bits, so that its multiples are
                # exact (Cody and Waite).
                builder.flags |= PRECISE
                turns = builder.op(ops.FMAD, angle, _splat(angle, 0.5 / math.pi), _splat(angle, 0.5))
                whole = builder.op(ops.FFLOOR, turns)
                rest = builder.op(ops.FMAD, whole, _splat(angle, -TURN_HIGH), angle)
                instruction.set_operand(0, builder.op(ops.FMAD, whole, _splat(angle, TURN_HIGH - 2 * math.pi), rest))
            else:
                # The driver's formula; the error grows by 2^-24 of the angle.
                width = angle.type.width
                part = builder.op(ops.FFRACT, _scaled(builder, angle, (0.5 / math.pi,) * width, (0.5,) * width))
                instruction.set_operand(
                    0, builder.op(ops.FMAD, part, _splat(angle, 2 * math.pi), _splat(angle, -math.pi))
                )
        return bool(angles)


def _splat(like: Value, number: float) -> Constant:
    return Constant.splat(like.type, round_to_float32(number))


#: Numbers by component.
_Numbers = tuple[float, ...]


def _scaled(builder: Builder, value: Value, scale: _Numbers, addend: _Numbers) -> Value:
    """value * scale + addend, where scales inside of `value` that nothing else uses take up `scale`.

    Real shaders have few sines, and it buys nothing there; a plasma of them is an eighth larger without it.
    """
    if isinstance(value, Constant):
        rows = zip(value.components, scale, addend, strict=True)
        return _numbers(value, [float(x or 0) * factor + term for x, factor, term in rows])
    assert isinstance(value, Instruction)
    number = next((i for i, operand in enumerate(value.operands) if isinstance(operand, Constant)), None)
    if sum(value.users.values()) == 1 and not value.flags & PRECISE and number is not None:
        constant = value.operands[number]
        assert isinstance(constant, Constant)
        numbers = [float(component or 0) for component in constant.components]
        if value.op is ops.FADD:
            moved = tuple(x * factor + term for x, factor, term in zip(numbers, scale, addend, strict=True))
            return _scaled(builder, value.operands[1 - number], scale, moved)
        if value.op is ops.FMUL or (value.op is ops.FMAD and number < 2):
            factor = _numbers(constant, [x * y for x, y in zip(numbers, scale, strict=True)])
            rest = (
                _numbers(constant, addend)
                if value.op is ops.FMUL
                else _scaled(builder, value.operands[2], scale, addend)
            )
            return builder.op(ops.FMAD, value.operands[1 - number], factor, rest)
    return builder.op(ops.FMAD, value, _numbers(value, scale), _numbers(value, addend))


def _numbers(like: Value, numbers: Iterable[float]) -> Constant:
    return Constant(like.type, tuple(round_to_float32(number) for number in numbers))
