"""What no table would have is rewritten: reflected rays, and quotients.

The machine has no product of a reflected ray, `dot(reflect(-l, n), v)`:

    R.V = 2 (N.L)(N.V) - L.V

is a function of one product only where the light is at the eye: then it is 2 (N.V)(N.V) - 1, and is rewritten so.
Elsewhere it is refused: 2 (N.H)(N.H) - 1 is the same where N is in the plane of L and V, and is less beside it.

Divisions by what lengths and products of vectors make become products with the reciprocal: `a * b / c` may be no
function that a table can have, and 1/c may be one, as in `diffuse * max(N.L, 0) / (1 + k d d)`.
"""

from __future__ import annotations

from typing import NoReturn

from backends.pica200.codegen.abi import TARGET_NAME
from backends.pica200.codegen.fragment.hosting import host_values
from compiler.diagnostics import CompileError, DiagnosticSink
from compiler.diagnostics.catalogue.limits import COMBINER_OPERATION
from compiler.ir import ops
from compiler.ir.builder import Builder, float_constant
from compiler.ir.module import Block, Constant, Instruction, Value
from compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class _Reflected:
    """sign * (ray - 2 dot(normal, ray) normal)."""

    sign: int
    ray: Value
    #: dot(normal, ray), or its opposite.
    product: Instruction


def rewrite_reflections(block: Block, sink: DiagnosticSink) -> None:
    """Of rays that meet themselves; others are reported and raised."""
    host = host_values(block)
    for product in [i for i in block if i.op is ops.DOT and i not in host]:
        for reflected, other in zip(map(_reflected, product.operands), reversed(product.operands), strict=True):
            if reflected is not None:
                _rewrite(product, reflected, other, sink)
                break


def _rewrite(product: Instruction, reflected: _Reflected, other: Value, sink: DiagnosticSink) -> None:
    sign, vector = _signed(other)
    if vector is not reflected.ray:
        _refuse(product, sink)
    sign *= reflected.sign
    builder = Builder.before(product)
    square = builder.op(ops.FMUL, reflected.product, reflected.product)
    scaled = builder.op(ops.FMUL, square, float_constant(-2.0 * sign))
    product.replace_all_uses_with(builder.op(ops.FADD, scaled, float_constant(float(sign))))


def _refuse(product: Instruction, sink: DiagnosticSink) -> NoReturn:
    sink.report(
        COMBINER_OPERATION,
        product.span,
        target=TARGET_NAME,
        construct="the product of a reflected ray",
        notes=("it is 2 * dot(n, l) * dot(n, v) - dot(l, v), and tables of the lighting unit have one product each",),
        help="the nearest is 2.0 * x * x - 1.0 with x = dot(n, normalize(l + v)): the same where n is in the plane "
        "of l and v, less beside it",
    )
    raise CompileError(sink.diagnostics)


def _reflected(vector: Value) -> _Reflected | None:
    """A sum of a unit vector and a multiple of the normal, which is twice its product with that vector."""
    if not isinstance(vector, Instruction) or vector.op not in (ops.FADD, ops.FSUB):
        return None
    first, second = vector.operands
    sign = -1 if vector.op is ops.FSUB else 1
    return _of_terms(first, 1, second, sign) or _of_terms(second, sign, first, 1)


def _of_terms(ray: Value, ray_sign: int, multiple: Value, multiple_sign: int) -> _Reflected | None:
    sign, unit = _signed(ray)
    if not isinstance(multiple, Instruction) or multiple.op is not ops.FMUL:
        return None
    if not isinstance(unit, Instruction) or unit.op is not ops.NORMALIZE:
        return None
    for factor, normal in (multiple.operands, reversed(multiple.operands)):
        rewritten = _times_product(factor, unit, normal)
        if rewritten is not None and rewritten[0] * multiple_sign == -2 * sign * ray_sign:
            return _Reflected(sign * ray_sign, unit, rewritten[1])
    return None


def _times_product(splat: Value, ray: Value, normal: Value) -> tuple[float, Instruction] | None:
    """By what dot(ray, normal) is multiplied."""
    if not isinstance(splat, Instruction) or splat.op is not ops.SWIZZLE:
        return None
    factor, scalar = 1.0, splat.operands[0]
    while isinstance(scalar, Instruction) and scalar.op in (ops.FMUL, ops.FNEG):
        factors = [float(o.components[0] or 0.0) for o in scalar.operands if isinstance(o, Constant)]
        others = [o for o in scalar.operands if not isinstance(o, Constant)]
        if len(others) != 1:
            return None
        factor, scalar = factor * (factors[0] if factors else -1.0), others[0]
    if not isinstance(scalar, Instruction) or scalar.op is not ops.DOT:
        return None
    signs, vectors = zip(*map(_signed, scalar.operands), strict=True)
    sign, axis = _signed(normal)
    return (factor * signs[0] * signs[1] * sign, scalar) if set(vectors) == {ray, axis} else None


def _signed(value: Value) -> tuple[int, Value]:
    """Without a sign."""
    if isinstance(value, Instruction) and value.op is ops.FNEG:
        sign, inner = _signed(value.operands[0])
        return -sign, inner
    return 1, value


# ------------------------------------------------------------------------------------ quotients
def multiply_by_reciprocals(block: Block) -> None:
    """Rewrite the block; a vector by its own length stays."""
    # What depends on a length, or on a product of vectors that vary.
    host = host_values(block)
    lit: set[Value] = set()
    for instruction in block:
        is_product = instruction.op in (ops.LENGTH, ops.DOT)
        varies = all(not isinstance(o, Constant) and o not in host for o in instruction.operands)
        if (is_product and varies) or not lit.isdisjoint(instruction.operands):
            lit.add(instruction)
    for division in [i for i in block if i.op is ops.FDIV]:
        value, divisor = division.operands
        if divisor not in lit or _length_of(divisor) is value:
            continue
        builder = Builder.before(division)
        scalar = _splat_of(divisor)
        reciprocal = builder.splat(builder.op(ops.FRCP, scalar or divisor), division.type.width if scalar else 1)
        division.replace_all_uses_with(builder.op(ops.FMUL, value, reciprocal))
        division.erase()


def _splat_of(value: Value) -> Instruction | None:
    """The one number that all components are."""
    if not isinstance(value, Instruction) or value.op is not ops.SWIZZLE:
        return None
    (scalar,) = value.operands
    return scalar if isinstance(scalar, Instruction) and scalar.type.is_scalar else None


def _length_of(divisor: Value) -> Value | None:
    length = _splat_of(divisor)
    return length.operands[0] if length is not None and length.op is ops.LENGTH else None
