"""Sections 5.1, 5.8, 5.9 and 5.11: precedence, assignments, operators, matrix algebra."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from tests.conformance.define import domains as d
from tests.conformance.define.types import MATRICES, generic
from tests.conformance.define.value_case import EXACT, FLOATS, Formula, ValueCase, exact, value

_ARITHMETIC: dict[str, Formula] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
}
_INTEGER: dict[str, Formula] = {
    **_ARITHMETIC,
    # Only quotients of positive numbers are used: the language leaves the rounding of others open.
    "/": lambda a, b: a // b,
}
_NAMES = {
    "+": "plus",
    "-": "minus",
    "*": "times",
    "/": "over",
    "<": "less",
    "<=": "less_equal",
    ">": "greater",
    ">=": "greater_equal",
    "==": "equal",
    "!=": "not_equal",
    "&&": "and",
    "||": "or",
    "^^": "xor",
}
_RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
_EQUALITIES: dict[str, Callable[[Any, Any], bool]] = {
    "==": lambda a, b: bool(np.all(a == b)),
    "!=": lambda a, b: bool(np.any(a != b)),
}
_LOGIC: dict[str, Callable[[bool, bool], bool]] = {
    "&&": lambda a, b: a and b,
    "||": lambda a, b: a or b,
    "^^": lambda a, b: a != b,
}
_FEW = d.Domain(-1, 1, 1)
_DIVISION = {"float": {"b": d.NON_ZERO}, "int": {"a": d.Domain(0, 12, 1), "b": d.Domain(1, 5, 1)}}


def cases() -> Iterator[ValueCase]:
    for type_ in generic("float"):
        yield from _arithmetic(type_, "float", _ARITHMETIC, FLOATS)
        yield from _steps(type_)
    for type_ in generic("int"):
        yield from _arithmetic(type_, "int", _INTEGER, EXACT)
        yield from _steps(type_)
    for type_ in MATRICES:
        yield from _matrix_arithmetic(type_)
        yield from _matrix_products(type_)
    yield from _comparisons()
    yield from _logic()
    yield from _precedence()
    yield from _sequence_and_choice()


def _binary(
    section: str, left: str, sign: str, right: str, result: str, formula: Formula, **more: Any
) -> list[ValueCase]:
    name = f"{section}/{left}_{_NAMES[sign]}_{right}"
    return value(name, result, f"a {sign} b", formula, f"{left} a, {right} b", **more)


def _compound(section: str, left: str, sign: str, right: str, formula: Formula, **more: Any) -> list[ValueCase]:
    """`a op= b`, where `a op b` has the type of `a`."""
    name = f"{section}/{left}_assign_{_NAMES[sign]}_{right}"
    return value(name, left, f"result = a; result {sign}= b;", formula, f"{left} a, {right} b", **more)


def _arithmetic(
    type_: str, scalar: str, operators: Mapping[str, Formula], tolerance: Mapping[str, float]
) -> Iterator[ValueCase]:
    """Component by component, a scalar beside a vector standing for all components."""
    for sign, formula in operators.items():
        more: dict[str, Any] = {"tolerance": tolerance, "domains": _DIVISION[scalar] if sign == "/" else {}}
        for left, right in dict.fromkeys([(type_, type_), (type_, scalar), (scalar, type_)]):
            yield from _binary("5.9", left, sign, right, type_, formula, **more)
            if left == type_:
                yield from _compound("5.8", left, sign, right, formula, **more)


def _steps(type_: str) -> Iterator[ValueCase]:
    """Unary + and -, ++ and --: the value of the expression and that of the variable, in one."""
    read = f"{type_} a"
    yield from exact(f"5.9/negate_{type_}", type_, "-a", lambda a: -a, read)
    yield from exact(f"5.9/unary_plus_{type_}", type_, "+a", lambda a: a, read)
    for sign, step in (("++", 1), ("--", -1)):
        name = "increment" if step > 0 else "decrement"
        yield from exact(
            f"5.9/prefix_{name}_{type_}",
            type_,
            f"{type_} v = a; {type_} seen = {sign}v; result = seen + v + v;",
            lambda a, step=step: 3 * (a + step),
            read,
        )
        yield from exact(
            f"5.9/postfix_{name}_{type_}",
            type_,
            f"{type_} v = a; {type_} seen = v{sign}; result = seen + v + v;",
            lambda a, step=step: 3 * a + 2 * step,
            read,
        )


def _matrix_arithmetic(type_: str) -> Iterator[ValueCase]:
    """Component by component; `*` of two matrices is no such operator."""
    for sign, formula in _ARITHMETIC.items():
        for left, right in ((type_, type_), (type_, "float"), ("float", type_)):
            if sign == "*" and left == right:
                continue
            yield from _binary("5.11", left, sign, right, type_, formula, domains={"b": d.NON_ZERO})
            if left == type_:
                yield from _compound("5.11", left, sign, right, formula, domains={"b": d.NON_ZERO})
    yield from exact(f"5.11/negate_{type_}", type_, "-a", lambda a: -a, f"{type_} a")
    steps = "result = a; result++; ++result; result--;"
    yield from exact(f"5.11/increment_{type_}", type_, steps, lambda a: a + 1, f"{type_} a")


def _product(a: Any, b: Any) -> Any:
    return a @ b


def _matrix_products(type_: str) -> Iterator[ValueCase]:
    size = int(type_[-1])
    column = f"vec{size}"
    small: dict[str, Any] = {"domains": {"a": d.SMALL, "b": d.SMALL, "c": d.SMALL}}
    for left, right, result in ((type_, type_, type_), (type_, column, column), (column, type_, column)):
        yield from _binary("5.11", left, "*", right, result, _product, **small)
        if left == result:
            yield from _compound("5.11", left, "*", right, _product, **small)
    inputs = f"{type_} a, {type_} b, {column} c"
    yield from value(f"5.11/{type_}_left_first", column, "(a * b) * c", lambda a, b, c: (a @ b) @ c, inputs, **small)
    yield from value(f"5.11/{type_}_right_first", column, "a * (b * c)", lambda a, b, c: a @ (b @ c), inputs, **small)
    yield from value(
        f"5.11/{type_}_of_uniform",
        column,
        "m * a + a * m",
        lambda a, m: m @ a + a @ m,
        f"{column} a",
        uniforms={"m": (type_, _uniform_matrix(size))},
        **small,
    )


def _uniform_matrix(size: int) -> Any:
    """All entries differ, so that a transposed matrix shows."""
    return np.arange(size * size, dtype=float).reshape(size, size) / 4 - 1


def _comparisons() -> Iterator[ValueCase]:
    for scalar in ("float", "int"):
        for sign, relation in _RELATIONS.items():
            yield from exact(
                f"5.9/{_NAMES[sign]}_{scalar}",
                "bool",
                f"a {sign} b",
                relation,
                f"{scalar} a, {scalar} b",
                domains={"a": _FEW, "b": _FEW},
            )
    for type_ in (*generic("float"), *generic("int"), *generic("bool"), "mat2", "mat3", "mat4"):
        domains = {} if type_.startswith("b") else {"a": d.INDEX2}
        for sign, equality in _EQUALITIES.items():
            # The second operand is the first with one component changed in half of the lanes.
            change = "!" if type_ == "bool" else ""
            body = f"{type_} b = a; if (change) {_changed(type_, change)} result = a {sign} b;"
            yield from exact(
                f"5.9/{_NAMES[sign]}_{type_}",
                "bool",
                body,
                lambda change, equality=equality: equality(np.array([0, 0]), np.array([0, int(change)])),
                f"{type_} a, bool change",
                domains=domains,
            )
    yield from exact(
        "5.9/equal_struct",
        "bool",
        "Pair p = Pair(a, Inner(b, c)); Pair q = Pair(a, Inner(b, k)); result = p == q;",
        lambda c, k: bool(np.all(c == k)),
        "vec2 a, float b, ivec2 c, ivec2 k",
        before="struct Inner { float f; ivec2 i; };\nstruct Pair { vec2 v; Inner inner; };",
        domains={"c": d.INDEX2, "k": d.INDEX2},
    )
    yield from exact(
        "5.9/not_equal_struct",
        "bool",
        "S p = S(a, b); S q = S(c, b); result = p != q;",
        lambda a, c: a != c,
        "float a, bool b, float c",
        before="struct S { float f; bool b; };",
        domains={"a": d.INDEX2, "c": d.INDEX2},
    )


def _changed(type_: str, negate: str) -> str:
    if negate:
        return "b = !b;"
    if type_.startswith("mat"):
        return "b[1][0] += 1.0;"
    if type_.startswith("bvec"):
        return "b.y = !b.y;"
    one = "1.0" if type_ in generic("float") else "1"
    return f"b += {one};" if type_ in ("float", "int") else f"b.y += {one};"


def _logic() -> Iterator[ValueCase]:
    for sign, formula in _LOGIC.items():
        yield from exact(f"5.9/logical_{_NAMES[sign]}", "bool", f"a {sign} b", formula, "bool a, bool b")
    yield from exact("5.9/logical_not", "bvec2", "bvec2(!a, !!a)", lambda a: np.array([not a, a]), "bool a")
    counted = "int count; bool step(bool b) { count++; return b; }"
    yield from exact(
        "5.9/and_skips_right_operand",
        "ivec2",
        "count = 0; bool b = a && step(true); result = ivec2(count, int(b));",
        lambda a: np.array([int(a), int(a)]),
        "bool a",
        before=counted,
    )
    yield from exact(
        "5.9/or_skips_right_operand",
        "ivec2",
        "count = 0; bool b = a || step(false); result = ivec2(count, int(b));",
        lambda a: np.array([int(not a), int(a)]),
        "bool a",
        before=counted,
    )
    yield from exact(
        "5.9/xor_evaluates_both",
        "ivec2",
        "count = 0; bool x = step(a) ^^ step(b); result = ivec2(count, int(x));",
        lambda a, b: np.array([2, int(a != b)]),
        "bool a, bool b",
        before=counted,
    )
    yield from exact(
        "5.9/choice_evaluates_one_branch",
        "ivec3",
        ("count = 0; int left = 0; int x = a ? ++left : (step(true) ? 5 : 6); result = ivec3(count, left, x);"),
        lambda a: np.array([0, 1, 1] if a else [1, 0, 5]),
        "bool a",
        before=counted,
    )
    yield from exact(
        "5.9/nested_short_circuit",
        "int",
        "count = 0; bool x = (a && step(b)) || (step(a) && step(b)); result = count + (x ? 10 : 0);",
        lambda a, b: (1 if a and b else (int(a) + 1 + int(a))) + (10 if a and b else 0),
        "bool a, bool b",
        before=counted,
    )


def _precedence() -> Iterator[ValueCase]:
    """Table of section 5.1: what binds tighter, and from which side."""
    abc = "float a, float b, float c"
    yield from value("5.1/product_before_sum", "float", "a + b * c", lambda a, b, c: a + (b * c), abc)
    yield from value("5.1/brackets", "float", "(a + b) * c", lambda a, b, c: (a + b) * c, abc)
    yield from value("5.1/minus_from_the_left", "float", "a - b - c", lambda a, b, c: (a - b) - c, abc)
    yield from value(
        "5.1/quotient_from_the_left",
        "float",
        "a / b / c",
        lambda a, b, c: (a / b) / c,
        abc,
        domains={"b": d.NON_ZERO, "c": d.NON_ZERO},
    )
    yield from value(
        "5.1/quotient_and_product", "float", "a / b * c", lambda a, b, c: (a / b) * c, abc, domains={"b": d.NON_ZERO}
    )
    yield from exact("5.1/unary_before_product", "float", "-a * -b", lambda a, b: a * b, "float a, float b")
    yield from exact("5.1/double_negation", "float", "- -a + - - -b", lambda a, b: a - b, "float a, float b")
    yield from exact("5.1/relation_before_equality", "bool", "a < b == c < a", lambda a, b, c: (a < b) == (c < a), abc)
    yield from exact(
        "5.1/equality_before_and",
        "bool",
        "p == q && q == r",
        lambda p, q, r: p == q and q == r,
        "bool p, bool q, bool r",
    )
    yield from exact(
        "5.1/and_before_xor", "bool", "p ^^ q && r", lambda p, q, r: p != (q and r), "bool p, bool q, bool r"
    )
    yield from exact(
        "5.1/xor_before_or", "bool", "p || q ^^ r", lambda p, q, r: p or (q != r), "bool p, bool q, bool r"
    )
    yield from exact(
        "5.1/choice_from_the_right",
        "int",
        "p ? 1 : q ? 2 : 3",
        lambda p, q: 1 if p else 2 if q else 3,
        "bool p, bool q",
    )
    yield from exact(
        "5.1/choice_inside_choice",
        "int",
        "p ? q ? 1 : 2 : 3",
        lambda p, q: (1 if q else 2) if p else 3,
        "bool p, bool q",
    )
    yield from exact("5.1/postfix_before_prefix", "int", "ivec2 v = a; result = -v.x++ + v.x;", lambda a: 1, "ivec2 a")
    yield from exact(
        "5.1/assignment_from_the_right",
        "vec2",
        "float x; float y = x = a; result = vec2(x, y);",
        lambda a: np.array([a, a]),
        "float a",
    )
    yield from exact(
        "5.1/compound_assignment_chain",
        "vec2",
        "float x = a; float y = b; x += y -= 1.0; result = vec2(x, y);",
        lambda a, b: np.array([a + b - 1, b - 1]),
        "float a, float b",
    )


def _sequence_and_choice() -> Iterator[ValueCase]:
    yield from exact(
        "5.9/comma_gives_the_last",
        "float",
        "float x = a; result = (x += 1.0, x *= 2.0, x);",
        lambda a: 2 * (a + 1),
        "float a",
    )
    yield from exact(
        "5.9/comma_in_order",
        "ivec2",
        "int i = a; int j = (i++, i * 2); result = ivec2(i, j);",
        lambda a: np.array([a + 1, 2 * a + 2]),
        "int a",
    )
    for type_ in ("float", "vec3", "ivec2", "bvec4", "mat2"):
        yield from exact(
            f"5.9/choice_of_{type_}", type_, "c ? a : b", lambda a, b, c: a if c else b, f"{type_} a, {type_} b, bool c"
        )
    yield from exact(
        "5.9/choice_of_struct",
        "vec3",
        "S x = S(a, b); S y = S(b, a); S z = c ? x : y; result = vec3(z.f, z.g, a);",
        lambda a, b, c: np.array([a, b, a] if c else [b, a, a]),
        "float a, float b, bool c",
        before="struct S { float f; float g; };",
    )
    yield from exact("5.8/assignment_is_a_value", "vec2", "vec2 x; result = (x = a) + x;", lambda a: 2 * a, "vec2 a")
    yield from exact(
        "5.8/assignment_to_array_element",
        "vec3",
        "float k[3]; k[0] = a; k[1] = k[0] + 1.0; k[2] = k[1] * 2.0; result = vec3(k[0], k[1], k[2]);",
        lambda a: np.array([a, a + 1, 2 * a + 2]),
        "float a",
    )
    yield from exact(
        "5.8/assignment_copies_struct",
        "vec2",
        "S x = S(a); S y = x; x.f += 1.0; result = vec2(x.f, y.f);",
        lambda a: np.array([a + 1, a]),
        "float a",
        before="struct S { float f; };",
    )
    yield from exact(
        "5.8/assignment_copies_matrix",
        "vec2",
        "mat2 x = mat2(a); mat2 y = x; x[0][0] += 1.0; result = vec2(x[0][0], y[0][0]);",
        lambda a: np.array([a + 1, a]),
        "float a",
    )
    yield from exact(
        "5.8/assignment_reads_first",
        "vec4",
        "result = a; result = result.wzyx; result.xy = result.yx;",
        lambda a: np.array([a[2], a[3], a[1], a[0]]),
        "vec4 a",
    )
