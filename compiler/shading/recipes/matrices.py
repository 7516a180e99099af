"""Functions of whole matrices (GLSL ES 3.00 section 8.6) over their columns."""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.shading.recipes.maker import Columns, ColumnsRecipe, Maker, Value, component, join


def _outer_product(m: Maker, column: Columns, row: Columns) -> Columns:
    (c,), (r,) = column, row
    return [m.op(ops.FMUL, c, m.widen(component(m, r, i), c)) for i in range(m.width(r))]


def _transpose(m: Maker, columns: Columns) -> Columns:
    return [join(m, *[component(m, column, i) for column in columns]) for i in range(m.width(columns[0]))]


def _determinant(m: Maker, columns: Columns) -> Columns:
    if len(columns) == 2:
        return [_cross2(m, *columns)]
    if len(columns) == 3:
        return [m.op(ops.DOT, columns[0], m.op(ops.CROSS, columns[1], columns[2]))]
    s, t, u, v = _blocks(m, columns)
    return [_determinant4(m, s, t, u, v)]


def _inverse(m: Maker, columns: Columns) -> Columns:
    """The adjugate over the determinant."""
    adjugate = {2: _adjugate2, 3: _adjugate3, 4: _adjugate4}[len(columns)]
    rows, determinant = adjugate(m, columns)
    scale = m.op(ops.FRCP, determinant)
    return _transpose(m, [m.op(ops.FMUL, row, m.widen(scale, row)) for row in rows])


def _adjugate2(m: Maker, columns: Columns) -> tuple[Columns, Value]:
    a, b = columns
    first = join(m, component(m, b, 1), m.op(ops.FNEG, component(m, b, 0)))
    second = join(m, m.op(ops.FNEG, component(m, a, 1)), component(m, a, 0))
    return [first, second], _cross2(m, a, b)


def _adjugate3(m: Maker, columns: Columns) -> tuple[Columns, Value]:
    """The rows are the vector products of the other two columns."""
    a, b, c = columns
    rows = [m.op(ops.CROSS, x, y) for x, y in ((b, c), (c, a), (a, b))]
    return rows, m.op(ops.DOT, a, rows[0])


def _adjugate4(m: Maker, columns: Columns) -> tuple[Columns, Value]:
    """Lengyel, Foundations of Game Engine Development, volume 1, section 1.7.5: by vector products."""
    (a, b, c, d), (x, y, z, w) = _upper(m, columns), _lowest(m, columns)
    s, t, u, v = _blocks(m, columns)
    upper = [
        _sum(m, m.op(ops.CROSS, b, v), _times(m, t, y)),
        _difference(m, m.op(ops.CROSS, v, a), _times(m, t, x)),
        _sum(m, m.op(ops.CROSS, d, u), _times(m, s, w)),
        _difference(m, m.op(ops.CROSS, u, c), _times(m, s, z)),
    ]
    last = [m.op(ops.DOT, p, q) for p, q in ((b, t), (a, t), (d, s), (c, s))]
    last[0], last[2] = m.op(ops.FNEG, last[0]), m.op(ops.FNEG, last[2])
    rows = [join(m, row, number) for row, number in zip(upper, last, strict=True)]
    return rows, _determinant4(m, s, t, u, v)


def _blocks(m: Maker, columns: Columns) -> Columns:
    """The vectors s, t, u and v of that section."""
    (a, b, c, d), (x, y, z, w) = _upper(m, columns), _lowest(m, columns)
    return [
        m.op(ops.CROSS, a, b),
        m.op(ops.CROSS, c, d),
        _difference(m, _times(m, a, y), _times(m, b, x)),
        _difference(m, _times(m, c, w), _times(m, d, z)),
    ]


def _determinant4(m: Maker, s: Value, t: Value, u: Value, v: Value) -> Value:
    return m.op(ops.FADD, m.op(ops.DOT, s, v), m.op(ops.DOT, t, u))


def _upper(m: Maker, columns: Columns) -> Columns:
    return [component(m, column, 0, 1, 2) for column in columns]


def _lowest(m: Maker, columns: Columns) -> Columns:
    return [component(m, column, 3) for column in columns]


def _cross2(m: Maker, a: Value, b: Value) -> Value:
    """The determinant of two columns of two."""
    products = m.op(ops.FMUL, a, component(m, b, 1, 0))
    return m.op(ops.FSUB, component(m, products, 0), component(m, products, 1))


def _times(m: Maker, vector: Value, factor: Value) -> Value:
    return m.op(ops.FMUL, vector, m.widen(factor, vector))


def _sum(m: Maker, x: Value, y: Value) -> Value:
    return m.op(ops.FADD, x, y)


def _difference(m: Maker, x: Value, y: Value) -> Value:
    return m.op(ops.FSUB, x, y)


MATRIX_RECIPES: dict[str, ColumnsRecipe] = {
    "outerProduct": _outer_product,
    "transpose": _transpose,
    "determinant": _determinant,
    "inverse": _inverse,
}
