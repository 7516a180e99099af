"""GLSL ES 3.00 sections 4.1.3, 5.4.1 and 5.9: ints and uints of 32 bits, their operators and conversions.

The formulas compute with unbounded integers and keep 32 bits (`wrapped`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from tests.conformance.define import domains as d
from tests.conformance.define.types import Scalar, generic, wrapped
from tests.conformance.define.value_case import EXACT, ValueCase, value

_OPERATORS: dict[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "+": ("plus", lambda a, b: a + b),
    "-": ("minus", lambda a, b: a - b),
    "*": ("times", lambda a, b: a * b),
    "/": ("over", lambda a, b: a // b),
    "%": ("modulo", lambda a, b: a % b),
    "&": ("and", lambda a, b: a & b),
    "|": ("or", lambda a, b: a | b),
    "^": ("xor", lambda a, b: a ^ b),
}
_SHIFTS: dict[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "<<": ("shifted_left", lambda a, b: a << b),
    ">>": ("shifted_right", lambda a, b: a >> b),
}
_RELATIONS: dict[str, tuple[str, Callable[[Any, Any], bool]]] = {
    "<": ("less", lambda a, b: a < b),
    "<=": ("less_equal", lambda a, b: a <= b),
    ">": ("greater", lambda a, b: a > b),
    ">=": ("greater_equal", lambda a, b: a >= b),
    "==": ("equal", lambda a, b: a == b),
    "!=": ("not_equal", lambda a, b: a != b),
}
_WHOLE: dict[str, d.Domain] = {"int": d.INT, "uint": d.UINT}
#: The language leaves quotients of negative numbers and by zero open.
_NATURAL = {
    "int": (d.Domain(0, 2000, 1, (2.0**31 - 1, 65537.0)), d.Domain(1, 50, 1, (1.0, 2.0**31 - 1))),
    "uint": (d.UINT, d.Domain(1, 50, 1, (1.0, 2.0**32 - 1, 2.0**31))),
}
_DISTANCES = d.Domain(0, 31, 1, (0.0, 31.0))


def cases() -> Iterator[ValueCase]:
    scalars: tuple[Scalar, ...] = ("int", "uint")
    for scalar in scalars:
        for type_ in generic(scalar):
            yield from _operators(type_, scalar)
            yield from _steps(type_, scalar)
        for type_, other in zip(generic(scalar), generic("uint" if scalar == "int" else "int"), strict=True):
            yield from _shifts(type_, scalar, other)
            yield from _conversion(type_, other)
        yield from _relations(scalar)
    for whole, float_, truth in zip(generic("uint"), generic("float"), generic("bool"), strict=True):
        yield from _uint_conversions(whole, float_, truth)
    yield from _literals()
    yield from _hashes()


def _whole(name: str, type_: str, body: str, formula: Callable[..., Any], inputs: str, **more: Any) -> list[ValueCase]:
    """A case whose result is kept to 32 bits."""
    names = more.pop("arguments", ("a", "b"))
    return value(
        name,
        type_,
        body,
        lambda *given: wrapped(type_, formula(*given)),
        inputs,
        arguments=names,
        tolerance=EXACT,
        is_modern=True,
        **more,
    )


def _operators(type_: str, scalar: str) -> Iterator[ValueCase]:
    """Component by component, a scalar standing for all components; and with assignment."""
    for sign, (name, formula) in _OPERATORS.items():
        left, right = _NATURAL[scalar] if sign in "/%" else (_WHOLE[scalar],) * 2
        domains = {"a": left, "b": right}
        for one, other in dict.fromkeys([(type_, type_), (type_, scalar), (scalar, type_)]):
            inputs = f"{one} a, {other} b"
            yield from _whole(f"300-5.9/{one}_{name}_{other}", type_, f"a {sign} b", formula, inputs, domains=domains)
            if one == type_:
                body = f"result = a; result {sign}= b;"
                yield from _whole(f"300-5.8/{one}_assign_{name}_{other}", type_, body, formula, inputs, domains=domains)


def _steps(type_: str, scalar: str) -> Iterator[ValueCase]:
    """One operand: signs, complement, ++ and --."""
    for name, body, formula in (
        ("negate", "-a", lambda a: -a),
        ("complement", "~a", lambda a: ~a),
        ("increment", f"{type_} v = a; {type_} seen = v++; result = seen ^ v;", lambda a: wrapped(type_, a + 1) ^ a),
        ("decrement", f"{type_} v = a; {type_} seen = --v; result = seen - a - v;", lambda a: -a),
    ):
        yield from _whole(
            f"300-5.9/{name}_{type_}",
            type_,
            body,
            formula,
            f"{type_} a",
            arguments=("a",),
            domains={"a": _WHOLE[scalar]},
        )


def _shifts(type_: str, scalar: str, other: str) -> Iterator[ValueCase]:
    """The distance may be a scalar or have the other signedness; an int is shifted right with its sign."""
    for sign, (name, formula) in _SHIFTS.items():
        for distance in dict.fromkeys([type_, other, scalar]):
            domains = {"a": _WHOLE[scalar], "b": _DISTANCES}
            inputs = f"{type_} a, {distance} b"
            yield from _whole(
                f"300-5.9/{type_}_{name}_{distance}", type_, f"a {sign} b", formula, inputs, domains=domains
            )
        body = f"result = a; result {sign}= b;"
        inputs = f"{type_} a, {other} b"
        yield from _whole(f"300-5.8/{type_}_assign_{name}", type_, body, formula, inputs, domains=domains)
    for bits in (1, 7, 31):
        constant = f"{bits}u" if scalar == "uint" else f"{bits}"
        for sign, (name, formula) in _SHIFTS.items():
            yield from _whole(
                f"300-5.9/{type_}_{name}_by_{bits}",
                type_,
                f"a {sign} {constant}",
                lambda a, formula=formula, bits=bits: formula(a, bits),
                f"{type_} a",
                arguments=("a",),
                domains={"a": _WHOLE[scalar]},
            )


def _conversion(type_: str, other: str) -> list[ValueCase]:
    """Between int and uint the bits stay (section 5.4.1)."""
    domain = _WHOLE["uint" if other.startswith("u") else "int"]
    return _whole(
        f"300-5.4.1/{type_}_of_{other}",
        type_,
        f"{type_}(a)",
        lambda a: a,
        f"{other} a",
        arguments=("a",),
        domains={"a": domain},
    )


def _relations(scalar: Scalar) -> Iterator[ValueCase]:
    domain = d.Domain(0, 2, 1, (2.0**31 - 1, *((2.0**31, 2.0**32 - 1) if scalar == "uint" else (-(2.0**31), -1.0))))
    for sign, (name, formula) in _RELATIONS.items():
        yield from _exact(
            f"300-5.9/{name}_{scalar}",
            "bool",
            f"a {sign} b",
            formula,
            f"{scalar} a, {scalar} b",
            domains={"a": domain, "b": domain},
        )
    for type_ in generic(scalar)[1:]:
        body = f"{type_} b = a; b.y += {'1u' if scalar == 'uint' else '1'} * k; result = bvec2(a == b, a != b);"
        yield from _exact(
            f"300-5.9/equality_{type_}",
            "bvec2",
            body,
            lambda k: np.array([k == 0, k != 0]),
            f"{type_} a, {scalar} k",
            domains={"a": _WHOLE[scalar], "k": d.INDEX2},
        )


def _exact(*arguments: Any, **more: Any) -> list[ValueCase]:
    return value(*arguments, tolerance=EXACT, is_modern=True, **more)


def _uint_conversions(whole: str, float_: str, truth: str) -> Iterator[ValueCase]:
    natural = {"a": d.Domain(0, 60000, 8)}
    yield from _exact(f"300-5.4.1/{whole}_of_{float_}", whole, f"{whole}(a)", _cut, f"{float_} a", domains=natural)
    held = {"a": d.Domain(0, 2**16, 1, (2.0**31, 2.0**32 - 256))}
    yield from _exact(
        f"300-5.4.1/{float_}_of_{whole}",
        float_,
        f"{float_}(a)",
        lambda a: a * 1.0,
        f"{whole} a",
        domains=held,
    )
    few = {"a": d.Domain(0, 1, 1, (2.0**31, 256.0))}
    yield from _exact(
        f"300-5.4.1/{truth}_of_{whole}", truth, f"{truth}(a)", lambda a: np.not_equal(a, 0), f"{whole} a", domains=few
    )
    yield from _exact(f"300-5.4.1/{whole}_of_{truth}", whole, f"{whole}(a)", lambda a: _cut(a * 1.0), f"{truth} a")


def _cut(a: Any) -> Any:
    return int(a) if np.ndim(a) == 0 else np.asarray(a).astype(np.int64)


def _literals() -> Iterator[ValueCase]:
    """Decimal, octal and hexadecimal, with and without u (section 4.1.3); the bits of a literal count."""
    literals: Mapping[str, tuple[str, int]] = {
        "decimal": ("4294967295u", 4294967295),
        "large": ("3000000000u", 3000000000),
        "octal": ("037777777777u", 0o37777777777),
        "small_octal": ("017u", 0o17),
        "hexadecimal": ("0xDeadBeefu", 0xDEADBEEF),
        "capital": ("0XFFU", 255),
        "negated": ("-1u", 2**32 - 1),
    }
    for name, (text, number) in literals.items():
        yield from _whole(
            f"300-4.1.3/{name}", "uint", f"a ^ {text}", lambda a, number=number: a ^ number, "uint a", arguments=("a",)
        )
    for name, (text, number) in {
        "least": ("(-2147483647 - 1)", -(2**31)),
        "bits": ("0xFFFFFFFF", -1),
        "high_bit": ("0x80000000", -(2**31)),
    }.items():
        yield from _whole(
            f"300-4.1.3/int_{name}",
            "int",
            f"a ^ {text}",
            lambda a, number=number: a ^ number,
            "int a",
            arguments=("a",),
        )


def _hashes() -> Iterator[ValueCase]:
    """What integers are used for most: mixing bits."""
    yield from _whole(
        "300-5.9/xorshift",
        "uint",
        "uint x = a; x ^= x << 13; x ^= x >> 17; x ^= x << 5; result = x;",
        _xorshift,
        "uint a",
        arguments=("a",),
        domains={"a": d.UINT},
    )
    yield from _whole(
        "300-5.9/linear_congruence",
        "uint",
        "uint x = a; for (int i = 0; i < 4; i++) x = x * 1664525u + 1013904223u; result = x >> 16u;",
        _congruence,
        "uint a",
        arguments=("a",),
        domains={"a": d.UINT},
    )


def _xorshift(a: int) -> int:
    a = (a ^ a << 13) & 0xFFFFFFFF
    a ^= a >> 17
    return a ^ a << 5


def _congruence(a: int) -> int:
    for _ in range(4):
        a = (a * 1664525 + 1013904223) & 0xFFFFFFFF
    return a >> 16
