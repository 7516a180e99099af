"""A lower bound of the tokens of a shader, before it is legalised: what cannot fit need not be made.

In: a module without loops and calls.  Out: so many tokens at least.

Counted are the components that arithmetic computes, equal ones once, wherever they stand.  A token makes four of them
at most, and later rewrites may make one operation of two (of a product and a sum a dot product, of two arms one); what
moves, converts, compares and chooses may come for nothing.
"""

from __future__ import annotations

from collections.abc import Hashable

from glslc_multi.backends.agal.isa.registers import TOKEN_LIMITS
from glslc_multi.compiler.diagnostics import DiagnosticSink, Span
from glslc_multi.compiler.diagnostics.limit import Limit
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.block_order import block_order
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Value

#: Operations that no other one takes in.
_COUNTED = frozenset(
    {
        *(ops.FADD, ops.FSUB, ops.FMUL, ops.FDIV, ops.FSQRT, ops.FRSQRT, ops.FRCP, ops.FFRACT, ops.FFLOOR, ops.FPOW),
        *(ops.FEXP2, ops.FLOG2, ops.FSIN, ops.FCOS, ops.DOT, ops.CROSS, ops.NORMALIZE, ops.TEXTURE),
    }
)
#: Components of results of a token, each of two operations.
_MOST = 4 * 2


def token_limit(version: int) -> Limit:
    help = "compute less, or let loops run fewer times: they are unrolled"
    return Limit(f"agal {version}", "tokens", TOKEN_LIMITS[version], help)


def refuse_what_cannot_fit(function: Function, version: int, sink: DiagnosticSink) -> None:
    """Report and raise where the bound is above the version's tokens."""
    limit = token_limit(version)
    if sum(1 for _ in function.instructions()) <= limit.most:
        return
    least, place = least_tokens(function, limit.most)
    if least > limit.most:
        limit.report(f"at least {least}", place, sink)
        sink.raise_if_errors()


def least_tokens(function: Function, limit: int = 0) -> tuple[int, Span | None]:
    """The bound, and where it comes to `limit`."""
    numbers: dict[Hashable, int] = {}
    number_of: dict[Value, int] = {}
    components, span = 0, None
    for block in block_order(function):
        for instruction in block:
            key = _key(instruction, number_of)
            if key not in numbers and instruction.op in _COUNTED:
                components += instruction.type.width
                if span is None and components > _MOST * limit:
                    span = instruction.span
            number_of[instruction] = numbers.setdefault(key, len(numbers))
    return -(-components // _MOST), span


def _key(instruction: Instruction, number_of: dict[Value, int]) -> Hashable:
    """What instructions share that compute the same; a phi, and what reads one that comes later, is like no other."""
    if instruction.op is ops.PHI:
        return instruction
    operands = [
        operand.key if isinstance(operand, Constant) else number_of.get(operand) for operand in instruction.operands
    ]
    if None in operands:
        return instruction
    if instruction.op.commutative:
        operands.sort(key=str)
    return instruction.op.name, instruction.type.name, repr(instruction.attribute), *operands
