"""A scaled sum of inputs is multiply-adds, each of which reads one input; an addition of two would take a move.

    (a + b) * k -> a * k + (b * k)

In: legalised IR.  Out: the same with sums whose terms are scaled apart, where several terms are inputs, and the scale
is a literal or a uniform.  What several sums scale alike is scaled once.
"""

from __future__ import annotations

from collections.abc import Hashable

from glslc_multi.compiler.analysis.component_sources import source
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import PRECISE, Constant, Function, Instruction, Value
from glslc_multi.compiler.passes.base import Pass, PassContext

_SUMS = frozenset({ops.FADD, ops.FSUB})
#: A value, and whether a sum subtracts it.
_Term = tuple[Value, bool]
#: A value and its scale -> their product.
_Scaled = dict[tuple[Value, Hashable], Instruction]


class ScaleInputs(Pass):
    """See the module's text."""

    name = "pica200-scaled-inputs"
    description = "scales the terms of a sum of inputs apart"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        progress = False
        for block in () if context.precise else function.blocks:
            scaled: _Scaled = {}
            for product in [each for each in block if each.op is ops.FMUL and not each.flags & PRECISE]:
                pairs = (product.operands, product.operands[::-1])
                sums = [pair for pair in pairs if isinstance(pair[0], Instruction) and pair[0].op in _SUMS]
                for total, scale in sums:
                    terms = _terms(total, product)
                    if _adds_inputs(terms) and _is_constant(scale):
                        product.replace_all_uses_with(_scaled_sum(Builder.before(product), terms, scale, scaled))
                        progress = True
                        break
        return progress


def _terms(total: Value, user: Instruction) -> list[_Term]:
    """List the terms of a sum that one user reads, in its block."""
    is_sum = isinstance(total, Instruction) and total.op in _SUMS and not total.flags & PRECISE
    if not isinstance(total, Instruction) or not is_sum or total.block is not user.block or total.users != {user: 1}:
        return [(total, False)]
    first, second = (_terms(operand, total) for operand in total.operands)
    return first + [(value, negated ^ (total.op is ops.FSUB)) for value, negated in second]


def _adds_inputs(terms: list[_Term]) -> bool:
    """Tell whether several terms are inputs, and none is constant."""
    origins = {source(value, 0)[0] for value, _ in terms}
    inputs = [each for each in origins if _storage_of(each) in ("attribute", "input")]
    return len(inputs) > 1 and not any(_is_constant(value) for value, _ in terms)


def _is_constant(value: Value) -> bool:
    """Tell whether a c register has all components."""
    origins = [source(value, lane)[0] for lane in range(value.type.width)]
    return all(isinstance(each, Constant) or _storage_of(each) == "uniform" for each in origins)


def _storage_of(origin: Value) -> str | None:
    """Tell where a value is loaded from, if it is."""
    if not isinstance(origin, Instruction) or origin.op is not ops.LOAD:
        return None
    return origin.address.variable.storage


def _scaled_sum(builder: Builder, terms: list[_Term], scale: Value, scaled: _Scaled) -> Value:
    """Make the sum of scaled terms: a product, which another sum may have made, and multiply-adds."""
    by = scale.key if isinstance(scale, Constant) else scale
    number = next((number for number, (value, _) in enumerate(terms) if (value, by) in scaled), 0)
    (value, negated), *others = terms[number], *terms[:number], *terms[number + 1 :]
    if (value, by) not in scaled:
        scaled[value, by] = builder.op(ops.FMUL, value, scale)
    total = scaled[value, by]
    total = builder.op(ops.FNEG, total) if negated else total
    for value, negated in others:
        factor = builder.op(ops.FNEG, value) if negated else value
        total = builder.op(ops.FMAD, factor, scale, total)
    return total
