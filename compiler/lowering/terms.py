"""What one value is more than another: `c ? s + x : s` is s, and x where the condition holds.

In: the two values of a choice.  Out: the rest of a sum, or of a product, that the other value is a part of.

Loops that end early make such choices of partial sums.  Each round of `for (...) { if (i >= n) break; s += f(i); }` is
f(i) and what follows where the condition holds, so that no partial sum is kept.
"""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import PRECISE, Instruction, Value

_SUMS = frozenset({ops.FADD, ops.FSUB})
#: Sums in a sum that are looked at.
_DEPTH = 3


def rest_of_sum(builder: Builder, total: Value, part: Value, *, precise: bool) -> Value | None:
    """What is to be added to `part` for `total`; None where it is no term of this sum."""
    path = _path_to(total, part, 1 if precise else _DEPTH)
    if not path:
        return None
    rest: Value | None = None
    for sum, side in path:
        other = sum.operands[1 - side]
        if sum.op is ops.FSUB:
            rest = builder.op(ops.FNEG, other) if rest is None else builder.op(ops.FSUB, rest, other)
        else:
            rest = other if rest is None else builder.op(ops.FADD, rest, other)
    return rest


def _path_to(total: Value, part: Value, depth: int) -> list[tuple[Instruction, int]] | None:
    """The sums from a term up to the total, each with the side that the term is on."""
    if total is part:
        return []
    if depth == 0 or not isinstance(total, Instruction) or total.op not in _SUMS or total.flags & PRECISE:
        return None
    for side in (0, 1) if total.op is ops.FADD else (0,):
        path = _path_to(total.operands[side], part, depth - 1)
        if path is not None:
            return [*path, (total, side)]
    return None


def rest_of_product(total: Value, part: Value) -> Value | None:
    """What `part` is multiplied with for `total`, which nothing else needs; None where it is no factor."""
    if not isinstance(total, Instruction) or total.op is not ops.FMUL or total.flags & PRECISE or len(total.users) > 1:
        return None
    if part not in total.operands:
        return None
    first, second = total.operands
    return second if first is part else first
