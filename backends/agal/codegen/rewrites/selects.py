"""Choices by arithmetic, for a machine without conditional moves: c ? x : y as x * c + y * (1 - c), and shorter.

In: `select` between floats or bools, on comparisons and logic.  Out: products with masks of 1 and 0.  The forms,
shortest first; m is the mask of the condition, n that of its opposite:

    c ? x : 0               x * m
    c ? 0 : y               y * n
    c ? a : b               b + m * (a - b), where that is exactly a (for constants)
    c ? a : r               r + m * (a - b), where r is known to be b when c holds
    c ? y + d : y           y + m * d
    c ? y * k : y           y * (c ? k : 1)
    c ? x : y               x * m + y * n

The fourth is for chains of conditions that imply each other, such as v > 3.0 ? a : v > 2.0 ? b : d.  Where the values
of such a chain are computed, each is multiplied with the difference of its mask and that of the condition before, and
these differences are one vector.

What is not taken counts as 0 only when it is finite.  So values that a condition may guard against being infinite or
no number (quotients, roots, logarithms, powers) are brought into the range of floats first.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from glslc_multi.backends.agal.codegen.rewrites.finite import FiniteValues
from glslc_multi.compiler.analysis.float_classes import FloatClasses, Format, float_classes
from glslc_multi.compiler.arithmetic.protocol import round_to_float32
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Value
from glslc_multi.compiler.lowering.terms import rest_of_product, rest_of_sum
from glslc_multi.compiler.passes.base import Pass, PassContext

_OPPOSITE = {ops.FEQ: ops.FNE, ops.FNE: ops.FEQ}


class LowerSelects(Pass):
    """See the module's text."""

    name = "agal-selects"
    description = "replaces choices by products with masks"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        selects = [i for i in function.instructions() if i.op is ops.SELECT and i.type.kind != "int"]
        if selects:
            lowering = _Lowering(float_classes(function, context.analyses(function), Format()), context.precise)
            chains = list(_chains(selects))
            for chain in chains:
                lowering.replace_chain(chain)
            gone = {select for chain in chains for select in chain}
            for select in selects:
                if select not in gone:
                    lowering.replace(select)
        return bool(selects)


class _Lowering:
    """The selects of one function, in order."""

    def __init__(self, classes: FloatClasses, precise: bool) -> None:
        self.precise = precise
        #: What has become of a select -> its condition and the two values.
        self.choices: dict[Value, tuple[Value, Value, Value]] = {}
        self.values = FiniteValues(classes)

    def replace(self, select: Instruction) -> None:
        builder = Builder.before(select)
        condition, x, y = select.operands
        value = (_logic if select.type.kind == "bool" else self._arithmetic)(builder, condition, x, y)
        self.choices[value] = condition, x, y
        select.replace_all_uses_with(value)
        select.erase()

    def replace_chain(self, chain: list[Instruction]) -> None:
        """Replace selects of which each is what the one before it takes otherwise."""
        last = chain[-1]
        b = Builder.before(chain[0])
        masks = b.op(ops.BTOF, b.construct(*(select.operands[0] for select in chain)))
        width = len(chain)
        between = b.op(ops.FSUB, b.swizzle(masks, range(1, width)), b.swizzle(masks, range(width - 1)))
        factors = [
            b.extract(masks, 0),
            *(b.extract(between, lane) for lane in range(width - 1)),
            b.op(ops.BTOF, _negation(b, last.operands[0])),
        ]
        values = [*(select.operands[1] for select in chain), last.operands[2]]
        total: Value | None = None
        for value, factor in zip(values, factors, strict=True):
            kept = self.values.finite_value(b, value, values[-1])
            part = self.values.add(b.op(ops.FMUL, kept, b.splat(factor, value.type.width)), kept)
            total = part if total is None else self.values.add(b.op(ops.FADD, total, part), total, part)
        assert total is not None
        chain[0].replace_all_uses_with(total)
        for select in chain:
            select.erase()

    def _arithmetic(self, b: Builder, condition: Value, x: Value, y: Value) -> Value:
        if _is_all(y, 0.0):
            return self._masked(b, x, condition, y)
        if _is_all(x, 0.0):
            return self._masked(b, y, _negation(b, condition), x)
        if_false = self._value_where(condition, y)
        step = _exact_step(x, if_false)
        if step is not None:
            return b.op(ops.FADD, self._masked(b, step, condition, y), y)
        more = self._more(b, condition, x, y) or self._more(b, condition, y, x, opposite=True)
        if more is not None:
            return more
        parts = self._masked(b, x, condition, y), self._masked(b, y, _negation(b, condition), x)
        return self.values.add(b.op(ops.FADD, *parts), *parts)

    def _more(self, b: Builder, condition: Value, total: Value, part: Value, *, opposite: bool = False) -> Value | None:
        """The choice between a value and what is made of it by adding or multiplying; None where it is none."""
        rest = rest_of_sum(b, total, part, precise=self.precise)
        if rest is not None:
            test = _negation(b, condition) if opposite else condition
            if isinstance(rest, Instruction) and rest.op is ops.FNEG:
                return b.op(ops.FSUB, part, self._masked(b, rest.operands[0], test, part))
            return b.op(ops.FADD, part, self._masked(b, rest, test, part))
        factor = rest_of_product(total, part)
        if factor is None:
            return None
        one = Constant.splat(factor.type, 1.0)
        chosen = self._arithmetic(b, condition, *((one, factor) if opposite else (factor, one)))
        return b.op(ops.FMUL, part, chosen)

    def _masked(self, b: Builder, value: Value, condition: Value, other: Value) -> Value:
        """The value where the condition holds, else 0, which is added to the other one."""
        mask = b.op(ops.BTOF, condition)
        wide = b.splat(mask, value.type.width) if mask.type.is_scalar else mask
        if _is_all(value, 1.0):
            return wide
        kept = self.values.finite_value(b, value, other)
        return self.values.add(b.op(ops.FMUL, kept, wide), kept)

    def _value_where(self, condition: Value, value: Value) -> Value:
        """What `value` is where the condition holds, as far as the choices that made it tell."""
        while value in self.choices:
            inner, x, _ = self.choices[value]
            if not _implies(condition, inner):
                break
            value = x
        return value


#: Selects of which a chain has as many as there are components of masks at most; with fewer it is no shorter.
_SHORTEST_CHAIN, _LONGEST_CHAIN = 3, 4


def _chains(selects: list[Instruction]) -> Iterator[list[Instruction]]:
    """Find chains of computed values whose conditions imply each other, the first condition being the strictest."""
    seen: set[Instruction] = set()
    for first in reversed(selects):
        chain = [first]
        while len(chain) < _LONGEST_CHAIN and (following := _following(chain[-1])) is not None:
            chain.append(following)
        if len(chain) >= _SHORTEST_CHAIN and seen.isdisjoint(chain):
            seen.update(chain)
            yield chain


def _following(select: Instruction) -> Instruction | None:
    """Return the select that is what another one takes where its condition does not hold, if nothing else reads it and
    no other form is shorter, as for constants and for values of which one is made of another."""
    condition, x, y = select.operands
    if not isinstance(y, Instruction) or y.op is not ops.SELECT or len(y.users) > 1 or select.type.kind != "float":
        return None
    values = (x, *y.operands[1:])
    computed = [value for value in values if isinstance(value, Instruction)]
    is_apart = len(computed) == len(values) and not any(
        one in other.operands for one, other in permutations(computed, 2)
    )
    return y if is_apart and _implies(condition, y.operands[0]) else None


def _logic(b: Builder, condition: Value, x: Value, y: Value) -> Value:
    condition = b.splat(condition, x.type.width) if condition.type.is_scalar else condition
    return b.op(ops.OR, b.op(ops.AND, condition, x), b.op(ops.AND, _negation(b, condition), y))


def _is_all(value: Value, number: float) -> bool:
    return isinstance(value, Constant) and all(c is None or c == number for c in value.components)


def _exact_step(x: Value, y: Value) -> Constant | None:
    """x - y for constants where y + (x - y) is exactly x."""
    if not isinstance(x, Constant) or not isinstance(y, Constant):
        return None
    pairs = [(float(p or 0.0), float(q or 0.0)) for p, q in zip(x.components, y.components, strict=True)]
    steps = [round_to_float32(p - q) for p, q in pairs]
    exact = all(round_to_float32(q + step) == p for (p, q), step in zip(pairs, steps, strict=True))
    return Constant(x.type, tuple(steps)) if exact else None


# --- Conditions -------------------------------------------------------------------------------------------------------


def _negation(b: Builder, condition: Value) -> Value:
    if isinstance(condition, Instruction):
        if condition.op in (ops.FLT, ops.FLE):
            return b.op(ops.FLE if condition.op is ops.FLT else ops.FLT, *reversed(condition.operands))
        if condition.op in _OPPOSITE:
            return b.op(_OPPOSITE[condition.op], *condition.operands)
    return b.op(ops.NOT, condition)


def _implies(first: Value, second: Value) -> bool:
    """Whether the second condition holds wherever the first does: bounds of one number by constants."""
    if not isinstance(first, Instruction) or not isinstance(second, Instruction) or first.op not in (ops.FLT, ops.FLE):
        return False
    if first.op is not second.op or not first.type.is_scalar or not second.type.is_scalar:
        return False
    (low, high), (second_low, second_high) = first.operands, second.operands
    is_higher = high is second_high and _is_ordered(second_low, low)
    return is_higher or (low is second_low and _is_ordered(high, second_high))


def _is_ordered(x: Value, y: Value) -> bool:
    if not isinstance(x, Constant) or not isinstance(y, Constant):
        return False
    return x.components[0] is not None and y.components[0] is not None and x.components[0] <= y.components[0]
