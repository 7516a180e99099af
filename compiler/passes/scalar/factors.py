"""Common factors: a sum whose terms share factors is these times sums, where that saves operations.

    p * x + q * y + r * x -> (p + r) * x + q * y

In: any function of a vector machine.  Out: the same with fewer products, one of a factor and a sum for several.  The
largest saving comes first; a sum of what only it reads, in its block, is looked at as a whole.  Rounds otherwise.

A target derives a pass of its own.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import reduce
from typing import ClassVar, NamedTuple

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import PRECISE, Constant, Function, Instruction, Value
from glslc_multi.compiler.passes.base import Pass, PassContext


class FactorSums(Pass):
    """See the module's text."""

    description = "takes common factors out of sums"
    preserves_control_flow = True
    #: Whether a product and a sum are one operation.
    has_mads: ClassVar[bool]

    def run(self, function: Function, context: PassContext) -> bool:
        progress = False
        sums = [i for i in function.instructions() if i.op in _SUMS and not _is_inner(i)]
        for total in () if context.precise else sums:
            while (factored := self._factored(total)) is not None:
                total.replace_all_uses_with(factored)
                total, progress = factored, True
        return progress

    def may_leave(self, factor: Value) -> bool:
        """Tell whether a factor may leave products.  Literals of multiply-adds cost nothing, and those of short
        vectors, which are computed together, should be of one form."""
        return not isinstance(factor, Constant) or (factor.type.width >= _WIDE and not self.has_mads)

    def _factored(self, total: Instruction) -> Instruction | None:
        """Make a sum with its best common factor, if one is worth it."""
        if total.flags & PRECISE:
            return None
        terms, has_mads = _terms(total), self.has_mads
        factors = {_key(factor): factor for term in terms for factor in term.factors if len(term.factors) > 1}
        splits = [_split(terms, factor) for factor in factors.values() if self.may_leave(factor)]
        shared = [split for split in splits if len(split.inner) > 1]
        best = min(shared, key=lambda split: split.cost(has_mads=has_mads), default=None)
        if best is None or best.cost(has_mads=has_mads) >= _cost(terms, has_mads=has_mads):
            return None
        builder = Builder.before(total)
        product = _Term((best.factor, _sum(builder, best.inner, has_mads=has_mads)))
        factored = _sum(builder, [product, *best.others], has_mads=has_mads)
        assert isinstance(factored, Instruction)
        return factored


_PLAIN_SUMS = frozenset({ops.FADD, ops.FSUB})
_SUMS = _PLAIN_SUMS | {ops.FMAD}


#: Components of a vector that hardly finds room in a register beside another one.
_WIDE = 3


class _Term(NamedTuple):
    """A product of values, added or subtracted."""

    factors: tuple[Value, ...]
    negated: bool = False


def _is_inner(value: Instruction) -> bool:
    """Whether a sum is but a part of another one."""
    if len(value.users) != 1:
        return False
    (user,) = value.users
    is_addend = user.op in _PLAIN_SUMS or (user.op is ops.FMAD and user.operands[2] is value)
    return is_addend and _belongs(value, user)


def _belongs(value: Instruction, user: Instruction) -> bool:
    """Whether a value is computed for one user only, where that stands."""
    if value.block is not user.block or value.flags & PRECISE:
        return False
    return value.users == {user: 1}


def _terms(total: Instruction) -> list[_Term]:
    """The terms of a sum and of the sums inside of it."""
    terms: list[_Term] = []
    pending: list[tuple[Value, bool, Instruction | None]] = [(total, False, None)]
    while pending:
        value, negated, user = pending.pop()
        is_sum = isinstance(value, Instruction) and value.op in _SUMS and (user is None or _belongs(value, user))
        if not is_sum:
            terms.append(_Term(tuple(_factors(value, user)), negated))
            continue
        assert isinstance(value, Instruction)
        if value.op is ops.FMAD:
            factors = [f for operand in value.operands[:2] for f in _factors(operand, value)]
            terms.append(_Term(tuple(factors), negated))
            pending.append((value.operands[2], negated, value))
        else:
            pending.append((value.operands[1], negated ^ (value.op is ops.FSUB), value))
            pending.append((value.operands[0], negated, value))
    return terms


def _factors(value: Value, user: Instruction | None) -> Iterator[Value]:
    if isinstance(value, Instruction) and value.op is ops.FMUL and user is not None and _belongs(value, user):
        for operand in value.operands:
            yield from _factors(operand, value)
    else:
        yield value


class _Split(NamedTuple):
    """A common factor, what it is multiplied with, and the other terms."""

    factor: Value
    inner: list[_Term]
    others: list[_Term]

    def cost(self, *, has_mads: bool) -> int:
        product = _Term((self.factor, self.factor))
        return _cost(self.inner, has_mads=has_mads) + _cost([product, *self.others], has_mads=has_mads)


def _cost(terms: Sequence[_Term], *, has_mads: bool) -> int:
    """Count multiplications and additions, as many of them as can be in multiply-adds."""
    products = sum(len(term.factors) > 1 for term in terms)
    additions = len(terms) - 1
    return sum(len(term.factors) - 1 for term in terms) + additions - has_mads * min(additions, products)


def _key(factor: Value) -> Hashable:
    return factor.key if isinstance(factor, Constant) else factor


def _split(terms: list[_Term], factor: Value) -> _Split:
    """Divide those terms by a factor that have it."""
    split = _Split(factor, [], [])
    for term in terms:
        keys = [_key(each) for each in term.factors]
        if len(keys) < 2 or _key(factor) not in keys:
            split.others.append(term)
            continue
        number = keys.index(_key(factor))
        split.inner.append(_Term(term.factors[:number] + term.factors[number + 1 :], term.negated))
    return split


def _sum(builder: Builder, terms: list[_Term], *, has_mads: bool) -> Value:
    """Make the value of terms: where there are multiply-adds plain ones first, then products one after the other."""
    first, *others = sorted(terms, key=lambda term: (has_mads and len(term.factors) > 1, term.negated))
    total = _product(builder, first.factors)
    if first.negated:
        total = builder.op(ops.FNEG, total)
    for term in others:
        if has_mads and len(term.factors) > 1:
            factor = _product(builder, term.factors[:-1])
            factor = builder.op(ops.FNEG, factor) if term.negated else factor
            total = builder.op(ops.FMAD, factor, term.factors[-1], total)
        else:
            total = builder.op(ops.FSUB if term.negated else ops.FADD, total, _product(builder, term.factors))
    return total


def _product(builder: Builder, factors: tuple[Value, ...]) -> Value:
    return reduce(lambda one, other: builder.op(ops.FMUL, one, other), factors)
