"""Zeros that are added: `p + vec4(size * corner, 0.0, 0.0)` is a multiply-add of two components, and two of p.

In: sums of vectors, one of them put together with zeros that nothing else reads.  Out: sums of the other components.
The zeros would be moved into place first, and the product could not be added at once.  For machines of vectors that
have no zeros to swizzle from.
"""

from __future__ import annotations

from itertools import groupby

from glslc_multi.compiler.analysis.component_sources import source
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import PRECISE, Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.passes.base import Pass, PassContext


class AddedZeros(Pass):
    """See the module's text."""

    name = "added-zeros"
    description = "adds the components alone that are not zero"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        if context.precise:
            return False
        progress = False
        for total in [i for i in function.instructions() if i.op in (ops.FADD, ops.FSUB) and not i.flags & PRECISE]:
            for kept, added in _sides(total):
                lanes = [lane for lane in range(total.type.width) if not _is_zero(added, lane)]
                if _is_worth_it(total.type.width - len(lanes), kept):
                    total.replace_all_uses_with(_add_part(total, kept, lanes))
                    progress = True
                    break
        return progress


def _sides(total: Instruction) -> list[tuple[Value, Value]]:
    """What stays where the other one has a zero, and that one: a vector that is put together for this sum."""
    first, second = total.operands
    pairs = [(first, second), (second, first)] if total.op is ops.FADD else [(first, second)]
    return [(kept, added) for kept, added in pairs if _is_put_together(added) and kept is not added]


def _is_worth_it(zeros: int, kept: Value) -> bool:
    """Whether zeros are saved: to put both vectors together again takes as much as one zero."""
    return zeros > 1 or (zeros == 1 and not _is_put_together(kept))


def _is_put_together(value: Value) -> bool:
    return isinstance(value, Instruction) and value.op in (ops.CONSTRUCT, ops.INSERT) and len(value.users) == 1


def _is_zero(value: Value, lane: int) -> bool:
    origin, component = source(value, lane)
    return isinstance(origin, Constant) and origin.components[component] == 0.0


def _add_part(total: Instruction, kept: Value, lanes: list[int]) -> Value:
    """The sum of some lanes, and the others as they are."""
    builder = Builder.before(total)
    if not lanes:
        return kept
    part = _sum(builder, total.op, *(_take(builder, operand, lanes) for operand in total.operands))
    pieces: list[Value] = []
    for is_summed, run in groupby(range(total.type.width), lanes.__contains__):
        numbers = list(run)
        piece = [lanes.index(lane) for lane in numbers] if is_summed else numbers
        pieces.append(_take(builder, part if is_summed else kept, piece))
    return builder.construct(*pieces)


def _sum(builder: Builder, op: Opcode, first: Value, second: Value) -> Instruction:
    """A sum or difference; of a negated part, which was behind a shuffle, the other."""
    if isinstance(second, Instruction) and second.op is ops.FNEG:
        return builder.op(ops.FSUB if op is ops.FADD else ops.FADD, first, second.operands[0])
    return builder.op(op, first, second)


def _take(builder: Builder, value: Value, lanes: list[int]) -> Value:
    """Some components, from where they come: products must not be behind a shuffle to become multiply-adds."""
    origins = [source(value, lane) for lane in lanes]
    pieces: list[Value] = []
    for base, run in groupby(origins, lambda origin: origin[0]):
        components = [component for _, component in run]
        is_whole = components == list(range(base.type.width))
        if isinstance(base, Constant):
            pieces.append(
                Constant(base.type.with_width(len(components)), tuple(base.components[k] for k in components))
            )
        else:
            pieces.append(base if is_whole else builder.swizzle(base, components))
    return pieces[0] if len(pieces) == 1 else builder.construct(*pieces)
