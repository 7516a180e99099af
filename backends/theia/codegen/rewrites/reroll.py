"""Loop rerolling: equal functions of several values become one loop that runs for each: fewer words, more cycles.

In: a function before its elementary functions are expanded.  Out: where a block has several of one kind, none of which
reads another, a loop with one of them instead.  The operands are in a queue that moves up in each round, and the
results in another:

    vec4 pow(x, y)  =  for ((x, y), next) in ((x.xyz, y.xyz), (x.www, y.www)): result = pow(x, y)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.block_edits import split_block
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Block, Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.ir.types import FLOAT, Type
from glslc_multi.compiler.lowering.opcode_set import OpcodeSet
from glslc_multi.compiler.passes.base import Pass, PassContext

#: What takes far more words than a loop.
_LONG = OpcodeSet("fsin.fcos.ftan.fasin.facos.fatan.fatan2.fexp2.flog2.fexp.flog.fpow")


class RerollFunctions(Pass):
    """See the module's text."""

    name = "theia-reroll"
    description = "makes a loop of equal functions of several values"

    def run(self, function: Function, context: PassContext) -> bool:
        progress = False
        for block in list(function.blocks):
            for group in list(_groups(block)):
                _merge(group)
                progress = True
        return progress


def _groups(block: Block) -> Iterator[list[Instruction]]:
    """Functions of one kind, two or more, whose operands are known before the first result is needed."""
    waiting: dict[Opcode, list[Instruction]] = {}
    for instruction in block:
        for opcode, members in list(waiting.items()):
            if any(operand in members for operand in instruction.operands):
                yield from _if_several(waiting.pop(opcode))
        if instruction.op in _LONG:
            waiting.setdefault(instruction.op, []).append(instruction)
    for members in waiting.values():
        yield from _if_several(members)


def _if_several(members: list[Instruction]) -> Iterator[list[Instruction]]:
    if len(members) > 1:
        yield members


def _merge(members: Sequence[Instruction]) -> None:
    """Put the loop before the last of them, and replace them by its results."""
    last = members[-1]
    outside = last.block
    assert outside is not None
    type = FLOAT.with_width(max(member.type.width for member in members))
    builder = Builder.before(last)
    arguments = [[_widened(builder, operand, type) for operand in member.operands] for member in members]
    rest = split_block(last, "behind")
    body = outside.function.add_block("shared")
    builder = Builder(outside)
    builder.span = last.span
    builder.br(body)
    results = _loop(builder, members, arguments, (outside, body, rest))
    builder = Builder.before(last)
    for member, result in zip(members, results, strict=True):
        member.replace_all_uses_with(builder.swizzle(result, tuple(range(member.type.width))))
        member.erase()


def _loop(
    builder: Builder,
    members: Sequence[Instruction],
    arguments: Sequence[Sequence[Value]],
    blocks: tuple[Block, Block, Block],
) -> list[Value]:
    """The results of all rounds; the loop runs once for each of `arguments`."""
    outside, body, rest = blocks
    type = arguments[0][0].type
    builder.at_end_of(body)
    queue = [[builder.phi(type, [(value, outside)]) for value in values] for values in arguments]
    nothing: Value = Constant.undef(type)
    phis = [builder.phi(type, [(nothing, outside)]) for _ in members[1:]]
    count = builder.phi(FLOAT, [(Constant(FLOAT, (float(len(members) - 1),)), outside)])
    value = builder.op(members[-1].op, *queue[0])
    left = builder.op(ops.FSUB, count, Constant(FLOAT, (1.0,)))
    later: list[Sequence[Value]] = [*queue[1:], [nothing] * len(queue[0])]
    for entry, following in zip(queue, later, strict=True):
        for phi, source in zip(entry, following, strict=True):
            phi.add_incoming(source, body)
    for phi, source in zip(phis, [*phis[1:], value], strict=True):
        phi.add_incoming(source, body)
    count.add_incoming(left, body)
    builder.condbr(builder.op(ops.FLT, Constant(FLOAT, (0.0,)), count), body, rest)
    return [*phis, value]


def _widened(builder: Builder, value: Value, type: Type) -> Value:
    """The value in the first components of a wider one; a single number in all."""
    width = value.type.width
    return builder.swizzle(value, tuple(min(part, width - 1) for part in range(type.width)))
