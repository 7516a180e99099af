"""Rewrites of legalised IR that make it cheaper on this machine.

Real shaders hardly need them (0.2 % by `pica200-roots`); hand-written code is met with them: without, code of recorded
shaders is up to a quarter larger than that of the peer (`tests.codesize`).

* `pica200-bounds`: a maximum or minimum with a constant that the other operand's range decides is that operand, and the
  truncation of a whole number is that number.
* `pica200-factor`: a sum whose terms share a factor is that factor times a sum, where that saves operations.
* `pica200-apart`: an operation with components of as many uniforms, such as the column of a matrix, is done for each of
  them, where these would be brought together for it alone.
* `pica200-roots`: 1 / inversesqrt(x) is x * inversesqrt(x), which serves vectors; the hardware's 0 * infinity is 0.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from glslc_multi.backends.pica200.codegen.rewrites.truths import is_truth
from glslc_multi.compiler.analysis.component_sources import source
from glslc_multi.compiler.analysis.ranges import ValueRanges, value_ranges
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import PRECISE, Constant, Function, Instruction, Value
from glslc_multi.compiler.passes.base import Pass, PassContext
from glslc_multi.compiler.records import dataclass, field


# ----------------------------------------------------------------------------------------------- bounds
class Bounds(Pass):
    """See the module's text."""

    name = "pica200-bounds"
    description = "removes bounds that always hold and truncations of whole numbers"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        candidates = [
            i for i in function.instructions() if i.op is ops.FTRUNC or (i.op in _BOUNDS and _may_always_hold(i))
        ]
        if not candidates:
            return False
        ranges = value_ranges(function, context.analyses(function))
        progress = False
        for instruction in candidates:
            if instruction.op is ops.FTRUNC:
                # The operand of a truncation that changes nothing.
                (value,) = instruction.operands
                kept = value if _is_whole(value) else None
            else:
                kept = None if context.precise else _bounded(instruction, ranges)
            if kept is not None:
                instruction.replace_all_uses_with(kept)
                progress = True
        return progress


def _bounded(instruction: Instruction, known: ValueRanges) -> Value | None:
    """The operand that a maximum or minimum with a constant always is; GLSL lets us assume that it is no NaN."""
    for value, bound in (instruction.operands, tuple(reversed(instruction.operands))):
        if not isinstance(bound, Constant):
            continue
        pairs = zip(known.of(value), bound.components, strict=True)
        if instruction.op is ops.FMAX and all(limit is None or held.low >= limit for held, limit in pairs):
            return value
        if instruction.op is ops.FMIN and all(limit is None or held.high <= limit for held, limit in pairs):
            return value
    return None


_BOUNDS = frozenset({ops.FMAX, ops.FMIN})
#: Operations whose results may be any number where one operand may be.
_SPREADING = frozenset({ops.FADD, ops.FSUB, ops.FMUL, ops.FMAD, ops.FNEG, ops.DOT, ops.SWIZZLE})


def _may_always_hold(instruction: Instruction) -> bool:
    """Whether it is worth while to solve ranges for a maximum or minimum, as far as a short look tells."""
    for value, bound in (instruction.operands, tuple(reversed(instruction.operands))):
        if not isinstance(bound, Constant):
            continue
        # A minimum of what a maximum bounds below is not bounded above by that, and vice versa.
        other = _BOUNDS - {instruction.op}
        parts = value.operands if isinstance(value, Instruction) and value.op in other else [value]
        if bound.is_undef or not any(map(_may_be_any_number, parts)):
            return True
    return False


def _may_be_any_number(value: Value, depth: int = 6) -> bool:
    """Whether nothing is known of any component: it comes from inputs by sums and products."""
    if not isinstance(value, Instruction) or depth == 0:
        return False
    if value.op is ops.LOAD:
        return True
    return value.op in _SPREADING and any(_may_be_any_number(operand, depth - 1) for operand in value.operands)


def _is_whole(value: Value, depth: int = 8) -> bool:
    """Whether all components are whole numbers, as far as a short look tells."""
    if isinstance(value, Constant):
        return all(c is None or float(c).is_integer() for c in value.components)
    if not isinstance(value, Instruction) or depth == 0:
        return False
    if value.op in (ops.FFLOOR, ops.FTRUNC, ops.BTOF):
        return True
    if value.op is ops.LOAD:
        return value.address.variable.source_kind in _WHOLE_KINDS
    if value.op in _KEEPS_WHOLE:
        operands = value.operands[1:] if value.op is ops.SELECT else value.operands
        return all(_is_whole(operand, depth - 1) for operand in operands)
    return False


_WHOLE_KINDS = frozenset({"int", "uint", "bool"})
_KEEPS_WHOLE = frozenset(
    {
        ops.FADD,
        ops.FSUB,
        ops.FMUL,
        ops.FMAD,
        ops.FNEG,
        ops.FABS,
        ops.FMIN,
        ops.FMAX,
        ops.SELECT,
        ops.SWIZZLE,
        ops.CONSTRUCT,
        ops.INSERT,
    }
)


# ----------------------------------------------------------------------------------------------- factors
@dataclass(frozen=True, slots=True)
class _Term:
    """A product of values, added or subtracted."""

    factors: tuple[Value, ...]
    negated: bool = False


class Factor(Pass):
    """See the module's text."""

    name = "pica200-factor"
    description = "takes a common factor out of a sum"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        if context.precise:
            return False
        sums = [i for i in function.instructions() if i.op in _SUMS and not _is_inner(i)]
        changed = [_factor(total) for total in sums]
        return any(changed)


_PLAIN_SUMS = frozenset({ops.FADD, ops.FSUB})
_SUMS = _PLAIN_SUMS | {ops.FMAD}


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


def _cost(terms: list[_Term]) -> int:
    """Multiplications and additions, as many of them as can be in multiply-adds."""
    products = sum(len(term.factors) > 1 for term in terms)
    additions = len(terms) - 1
    return sum(len(term.factors) - 1 for term in terms) + additions - min(additions, products)


@dataclass(slots=True)
class _Split:
    """A common factor, what it is multiplied with, and the other terms."""

    factor: Value
    inner: list[_Term]
    others: list[_Term] = field(default_factory=list)

    @property
    def cost(self) -> int:
        return _cost(self.inner) + _cost([_Term((self.factor, self.factor)), *self.others])


def _factor(total: Instruction) -> bool:
    """Rewrite a sum with its best common factor, if one is worth it."""
    if total.flags & PRECISE:
        return False
    terms = _terms(total)
    # Products with conditions keep infinities apart that would cancel.
    factors = (f for term in terms for f in term.factors)
    candidates = dict.fromkeys(f for f in factors if not isinstance(f, Constant) and not is_truth(f))
    splits = [split for split in (_split(terms, factor) for factor in candidates) if split is not None]
    best = min(splits, key=lambda split: split.cost, default=None)
    if best is None or best.cost >= _cost(terms):
        return False
    builder = Builder.before(total)
    product = _Term((best.factor, _sum(builder, best.inner)))
    total.replace_all_uses_with(_sum(builder, [product, *best.others]))
    return True


def _split(terms: list[_Term], factor: Value) -> _Split | None:
    split = _Split(factor, [])
    for term in terms:
        if factor not in term.factors or len(term.factors) < 2:
            split.others.append(term)
            continue
        rest = list(term.factors)
        rest.remove(factor)
        split.inner.append(_Term(tuple(rest), term.negated))
    return split if len(split.inner) > 1 else None


def _sum(builder: Builder, terms: list[_Term]) -> Value:
    """The value of terms: plain ones first, then products one after the other."""
    ordered = sorted(terms, key=lambda term: (len(term.factors) > 1, term.negated))
    total = _product(builder, ordered[0].factors)
    if ordered[0].negated:
        total = builder.op(ops.FNEG, total)
    for term in ordered[1:]:
        if len(term.factors) == 1:
            total = builder.op(ops.FSUB if term.negated else ops.FADD, total, term.factors[0])
            continue
        first = _product(builder, term.factors[:-1])
        if term.negated:
            first = builder.op(ops.FNEG, first)
        total = builder.op(ops.FMAD, first, term.factors[-1], total)
    return total


def _product(builder: Builder, factors: tuple[Value, ...]) -> Value:
    total = factors[0]
    for factor in factors[1:]:
        total = builder.op(ops.FMUL, total, factor)
    return total


# ------------------------------------------------------------------------------------------------ roots
class Roots(Pass):
    """See the module's text."""

    name = "pica200-roots"
    description = "computes square roots by multiplication"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        candidates = [i for i in function.instructions() if i.op is ops.FRCP and _is_inverse_root(i.operands[0])]
        for quotient in candidates:
            inverse = quotient.operands[0]
            assert isinstance(inverse, Instruction)
            root = Builder.before(quotient).op(ops.FMUL, inverse.operands[0], inverse)
            quotient.replace_all_uses_with(root)
        return bool(candidates)


def _is_inverse_root(value: Value) -> bool:
    return isinstance(value, Instruction) and value.op is ops.FRSQRT


# ----------------------------------------------------------------------------------------------- components apart
class Apart(Pass):
    """See the module's text."""

    name = "pica200-apart"
    description = "computes component by component with as many uniforms"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        apart = [i for i in function.instructions() if i.op in _BY_COMPONENT and _reads_as_many_uniforms(i)]
        for instruction in apart:
            builder = Builder.before(instruction)
            parts = [
                builder.op(
                    instruction.op, *(builder.extract(*source(operand, lane)) for operand in instruction.operands)
                )
                for lane in range(instruction.type.width)
            ]
            instruction.replace_all_uses_with(builder.construct(*parts))
            instruction.erase()
        return bool(apart)


_BY_COMPONENT = frozenset({ops.FADD, ops.FSUB, ops.FMUL, ops.FMAD, ops.FMIN, ops.FMAX})


def _reads_as_many_uniforms(instruction: Instruction) -> bool:
    """Tell whether one operand, which nothing else reads, has a c register for each component, and the others none."""
    width = instruction.type.width
    if not any(isinstance(each, Instruction) and each.op is ops.CONSTRUCT for each in instruction.operands):
        return False
    constant = [(operand, taken) for operand in instruction.operands if (taken := _constants(operand, width))]
    if width < 2 or len(constant) != 1:
        return False
    ((operand, registers),) = constant
    return len(registers) == width and isinstance(operand, Instruction) and len(operand.users) == 1


def _constants(operand: Value, width: int) -> set[Hashable]:
    """Return the c registers that the components of an operand are in; literals are in one."""
    origins = [source(operand, lane)[0] for lane in range(width)]
    loads = [origin for origin in origins if isinstance(origin, Instruction) and origin.op is ops.LOAD]
    registers: set[Hashable] = {
        (load.address, *load.operands) for load in loads if load.address.variable.storage == "uniform"
    }
    return registers | {None for origin in origins if isinstance(origin, Constant)}
