"""Dot products and matrix products: their idioms, and what zeros in them save.

* a sum of products of components, `a.x * b.x + a.y * b.y` or `(a * b).x + (a * b).y`, is a dot product, also with
  numbers, `a.x * 0.3 + a.y * 0.7`, and of components alone, `a.x + a.y + a.z`;
* a dot product with a constant that has but one component other than zero is a product;
* a negated factor of a dot product negates the product instead: dot(n, l) and dot(n, -l) are then one product,
  and what scales the result takes the sign over;
* columns of zeros, and columns that are multiplied by zero, drop out of a matrix product; one that is left
  is scaled;
* of a vector times a matrix, columns of zeros drop out, and a row that is multiplied by zero, so that dots of four
  become dots of three.

In: one of `PRODUCT_ROOTS`.  Out: the value that stands for it, or None.  The first assumes that sums
may be rounded otherwise, the others that no factor is NaN or infinite and that zeros have no sign; none
applies where the result must be exact, and zeros stay where a product with a matrix is one operation.  A column times
one stays: `m * vec4(p, 1.0)` is one instruction sequence on machines that take dots of rows, and the lowering to
multiply-adds lets the product with one go.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, float_constant
from glslc_multi.compiler.ir.fold import fold_components
from glslc_multi.compiler.ir.module import PRECISE, Constant, Instruction, Scalar, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.ir.types import vector
from glslc_multi.compiler.passes.base import CostModel
from glslc_multi.compiler.passes.rules.matcher import Sight, builder_for, dying, shuffler_for
from glslc_multi.compiler.passes.rules.rule import weight_of
from glslc_multi.compiler.passes.rules.shuffles import origin_of

#: A dot product adds up four terms at most, so in three sums.
_MAX_SUMS = 3
PRODUCT_ROOTS = frozenset({ops.FADD, ops.DOT, ops.FMUL, ops.MAT_VEC, ops.VEC_MAT})


def _sight_of_sum() -> Sight:
    """What `_terms` looks at."""
    factor: Sight = {ops.SWIZZLE: {}}
    product: Sight = {ops.FMUL: factor, ops.DOT: factor, ops.SWIZZLE: {ops.FMUL: factor}}
    sight = product
    for _ in range(_MAX_SUMS - 1):
        sight = {**product, ops.FADD: sight}
    return sight


#: What is looked at below a root, but for shuffles of a matrix product's operands.
SIGHT: dict[Opcode, Sight] = {ops.FADD: _sight_of_sum(), ops.FMUL: {ops.DOT: {}}, ops.DOT: {ops.FNEG: {}}}


class Component(NamedTuple):
    """One component of a value."""

    value: Value
    number: int


class Term(NamedTuple):
    """A product in a sum."""

    left: Component
    right: Component


def simplify_product(root: Instruction, *, precise: bool, costs: CostModel) -> Value | None:
    """The value that replaces `root`."""
    if precise or root.flags & PRECISE:
        return None
    if root.op is ops.FADD and root.type.is_scalar:
        return _dot_of_sum(root)
    if root.op is ops.DOT:
        return _without_zero_components(root) or _without_negation(root)
    if root.op is ops.FMUL:
        return _scaled_weights(root) if root.type.is_scalar else None
    if root.op in (ops.MAT_VEC, ops.VEC_MAT) and costs.matrices:
        return None
    if root.op is ops.MAT_VEC:
        *columns, factor = root.operands
        kept = [number for number, column in enumerate(columns) if not (_is_zero(factor, number) or _are_zeros(column))]
        if len(kept) == len(columns):
            return None
        if not kept:
            return Constant.splat(root.type, 0.0)
        builder, shuffler = Builder.before(root), shuffler_for(root)
        if len(kept) == 1:
            return builder.op(ops.FMUL, columns[kept[0]], shuffler.swizzle(factor, kept * root.type.width))
        return builder.op(ops.MAT_VEC, *(columns[number] for number in kept), shuffler.swizzle(factor, kept))
    if root.op is ops.VEC_MAT:
        return _without_zero_results(root) or _without_a_row(root)
    return None


# ------------------------------------------------------------------------------------------- the dot idiom
def _dot_of_sum(root: Instruction) -> Value | None:
    covered: list[Instruction] = []
    terms = _of_one_pair(_terms(root, covered, _MAX_SUMS))
    if terms is None or any(instruction.flags & PRECISE for instruction in covered):
        return None
    lefts, rights = [term.left for term in terms], [term.right for term in terms]
    weight = weight_of(ops.DOT) + sum(not _is_whole(part) for part in (lefts, rights)) * weight_of(ops.SWIZZLE)
    if weight >= sum(weight_of(instruction.op) for instruction in dying(covered)):
        return None
    shuffler = shuffler_for(root)
    return builder_for(covered).op(ops.DOT, _gathered(lefts, shuffler), _gathered(rights, shuffler))


def _terms(value: Value, covered: list[Instruction], sums: int) -> list[Term]:
    """The products that a value adds up, in at most `sums` sums of sums; none where it adds up something else."""
    if not isinstance(value, Instruction):
        return []
    if value.op is ops.SWIZZLE:
        return _one_product(value, covered) or _one_component(value, covered)
    if value.op not in (ops.FMUL, ops.DOT, ops.FADD) or (value.op is ops.FADD and not sums):
        return []
    if value.op is ops.FMUL and not (_is_component(value.operands[0]) and _is_factor(value.operands[1])):
        return []
    covered.append(value)
    if value.op is ops.FADD:
        first, second = (_terms(operand, covered, sums - 1) for operand in value.operands)
        return [*first, *second] if first and second else []
    left, right = (_components(operand, covered) for operand in value.operands)
    return [Term(*factors) for factors in zip(left, right, strict=True)]


def _is_component(factor: Value) -> bool:
    """Whether a scalar is a component of a vector."""
    return isinstance(factor, Instruction) and factor.op is ops.SWIZZLE and not factor.operands[0].type.is_scalar


def _is_factor(factor: Value) -> bool:
    return isinstance(factor, Constant) or _is_component(factor)


def _one_component(component: Instruction, covered: list[Instruction]) -> list[Term]:
    """A component of a vector, times one."""
    if not _is_component(component):
        return []
    return [Term(_components(component, covered)[0], Component(float_constant(1.0), 0))]


def _one_product(component: Instruction, covered: list[Instruction]) -> list[Term]:
    """The term that one component of a product of vectors is."""
    product = component.operands[0]
    if not (isinstance(product, Instruction) and product.op is ops.FMUL):
        return []
    covered += [component, product]
    (number,) = component.attribute
    left, right = (_components(operand, covered)[number] for operand in product.operands)
    return [Term(left, right)]


def _components(value: Value, covered: list[Instruction]) -> list[Component]:
    """The components of a factor, seen through a swizzle."""
    if isinstance(value, Instruction) and value.op is ops.SWIZZLE:
        covered.append(value)
        return [Component(value.operands[0], number) for number in value.attribute]
    return [Component(value, number) for number in range(value.type.width)]


def _of_one_pair(terms: Sequence[Term]) -> list[Term] | None:
    """Two to four terms with factors changed about so that all left ones are components of one vector, and
    all right ones of another, or numbers."""
    if not 2 <= len(terms) <= 4:
        return None
    left, right = terms[0].left.value, terms[0].right.value
    if isinstance(right, Constant):
        numbers = {term.left.number for term in terms}
        is_sum = all(term.left.value is left and isinstance(term.right.value, Constant) for term in terms)
        return list(terms) if is_sum and len(numbers) == len(terms) > 2 else None
    if left.type.is_scalar or right.type.is_scalar:
        return None
    sorted_terms = [term if term.left.value is left else Term(term.right, term.left) for term in terms]
    is_pair = all(term.left.value is left and term.right.value is right for term in sorted_terms)
    return sorted_terms if is_pair else None


def _is_whole(components: Sequence[Component]) -> bool:
    value = components[0].value
    return [component.number for component in components] == list(range(value.type.width))


def _gathered(components: Sequence[Component], shuffler: Builder) -> Value:
    """The components, all of one value or numbers, as one vector."""
    value = components[0].value
    if isinstance(value, Constant):
        return Constant(vector("float", len(components)), tuple(map(_number, components)))
    return value if _is_whole(components) else shuffler.swizzle(value, [component.number for component in components])


def _number(component: Component) -> Scalar:
    assert isinstance(component.value, Constant)
    return component.value.components[component.number]


def _scaled_weights(product: Instruction) -> Value | None:
    """dot(x, numbers) times a number, as a mean is."""
    dot, scale = product.operands
    if not (isinstance(dot, Instruction) and dot.op is ops.DOT and isinstance(scale, Constant)):
        return None
    weights = dot.operands[1]
    if not isinstance(weights, Constant) or dot.flags & PRECISE or len(dot.users) > 1:
        return None
    scales = scale.components * weights.type.width
    scaled = fold_components(ops.FMUL, weights.type, None, [weights.components, scales])
    return scaled and builder_for([product, dot]).op(ops.DOT, dot.operands[0], scaled)


# ---------------------------------------------------------------------------------------- factors of zero
def _without_zero_components(dot: Instruction) -> Value | None:
    left, right = dot.operands
    if not isinstance(right, Constant):
        return None
    kept = [number for number in range(right.type.width) if not _is_zero(right, number)]
    if not kept:
        return Constant.splat(dot.type, 0.0)
    if len(kept) > 1 or right.type.is_scalar:
        return None
    component = shuffler_for(dot).extract(left, kept[0])
    return Builder.before(dot).op(ops.FMUL, component, Constant(dot.type, (right.components[kept[0]],)))


def _without_negation(dot: Instruction) -> Value | None:
    for index, factor in enumerate(dot.operands):
        if isinstance(factor, Instruction) and factor.op is ops.FNEG:
            builder = Builder.before(dot)
            factors = [factor.operands[0] if place == index else other for place, other in enumerate(dot.operands)]
            return builder.op(ops.FNEG, builder.op(ops.DOT, *factors))
    return None


def _without_a_row(product: Instruction) -> Value | None:
    """Machines take dots of four components or of three for one instruction, but hardly ever of two."""
    vector, *columns = product.operands
    kept = [number for number in range(vector.type.width) if not _is_zero(vector, number)]
    if vector.type.width != 4 or len(kept) != 3:
        return None
    shuffler = shuffler_for(product)
    return Builder.before(product).op(ops.VEC_MAT, *(shuffler.swizzle(each, kept) for each in (vector, *columns)))


def _without_zero_results(product: Instruction) -> Value | None:
    vector, *columns = product.operands
    kept = [column for column in columns if not _are_zeros(column)]
    if len(kept) == len(columns) or len(kept) < 2:
        return None
    dots = Builder.before(product).op(ops.VEC_MAT, vector, *kept)
    shuffler, zero = shuffler_for(product), float_constant(0.0)
    return shuffler.construct(
        *(shuffler.extract(dots, kept.index(column)) if column in kept else zero for column in columns)
    )


def _are_zeros(column: Value) -> bool:
    return all(_is_zero(column, row) for row in range(column.type.width))


def _is_zero(value: Value, component: int) -> bool:
    """Whether a component is known to be zero; an undefined one may be."""
    origin = origin_of(value, component)
    return origin is None or origin == 0.0
