"""Rewrites of legalised IR that make it cheaper on this machine.

Real shaders hardly need them (0.2 % by `pica200-roots`); hand-written code is met with them: without, code of recorded
shaders is up to a quarter larger than that of the peer (`tests.codesize`).

* `pica200-bounds`: a maximum or minimum with a constant that the other operand's range decides is that operand, and the
  truncation of a whole number is that number.
* `pica200-factor`: a sum whose terms share a factor is that factor times a sum (`compiler/passes/scalar/factors.py`).
* `pica200-apart`: an operation with components of as many uniforms, such as the column of a matrix, is done for each of
  them, where these would be brought together for it alone.
* `pica200-roots`: 1 / inversesqrt(x) is x * inversesqrt(x), which serves vectors; the hardware's 0 * infinity is 0.
"""

from __future__ import annotations

from collections.abc import Hashable

from glslc_multi.backends.pica200.codegen.rewrites.truths import is_truth
from glslc_multi.compiler.analysis.component_sources import source
from glslc_multi.compiler.analysis.ranges import ValueRanges, value_ranges
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Value
from glslc_multi.compiler.passes.base import Pass, PassContext
from glslc_multi.compiler.passes.scalar.factors import FactorSums


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
class Factor(FactorSums):
    """See the module's text."""

    name = "pica200-factor"
    has_mads = True

    def may_leave(self, factor: Value) -> bool:
        """Tell whether a factor may leave products: those with conditions keep infinities apart that would cancel."""
        return super().may_leave(factor) and not is_truth(factor)


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
