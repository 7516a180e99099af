"""Proofs of rewrite rules: both sides of a rule are evaluated by the opcodes' own semantics and compared.

* `refute_symbolically` asks z3 for operands on which the sides differ: none means proven for all float32
  and 32-bit values;
* `refute_in_half` tries every 16-bit float, in 16-bit arithmetic;
* `refute_by_values` tries edge values against each other and random numbers, in float32.

What a rule assumes restricts the operands; a rule that may round otherwise is compared within a tolerance
on numbers of moderate size.  Each function returns a counterexample, or "" when it finds none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

import numpy as np
import z3

from glslc_multi.compiler.arithmetic.lanes import LANES, Array, LaneArithmetic, quiet
from glslc_multi.compiler.ir.types import Type
from glslc_multi.compiler.passes.rules.pattern import Operation, orders, parse
from glslc_multi.compiler.passes.rules.rule import Rule
from glslc_multi.compiler.records import replace
from tests.compiler.passes.rules.meaning import Components, Meaning, widths_to_try
from tests.compiler.passes.rules.symbolic import SYMBOLIC, Term, find_model, unknown

SECONDS = 60.0
#: Relative tolerances of rules that round otherwise.
FLOAT_TOLERANCE, HALF_TOLERANCE = 3e-5, 2.0**-7
#: A rule that is tried on fewer operands has assumptions that leave nothing to try.
_FEWEST = 16

_EDGES = np.array(
    [0.0, 1.0, 0.5, 2.0, 3.0, 2.5, 0.75, 4.0, 0.1, 1e-3, 1e3, 1e10, 2.0**24, 2.0**31, 3e38, 1e-38, 1e-45, np.inf],
    np.float32,
)
_FLOATS = np.concatenate([_EDGES, -_EDGES, np.array([np.nan], np.float32)])
_INTS = np.array([0, 1, -1, 2, -2, 3, 7, -8, 100, 2**15, 2**24, 2**24 + 1, 2**31 - 1, -(2**31)], np.int32)
_MODERATE = np.array([0.0, 1.0, -1.0, 0.5, 2.0, -2.0, 3.0, -0.25, 0.1, 7.5], np.float32)
_COUNT = 4000
_FORMATS: dict[str, type[np.generic]] = {"float": np.float32, "int": np.int32}


class HalfArithmetic(LaneArithmetic):
    """The arithmetic of 16-bit floats; numpy rounds each operation correctly."""

    def fconst(self, value: float) -> Array:
        return np.asarray(value, np.float16)

    def elementary(self, name: str, *arguments: Array) -> Array:
        return super().elementary(name, *arguments).astype(np.float16)

    def itof(self, x: Array) -> Array:
        return x.astype(np.float16)


_HALF = HalfArithmetic()


def refute(rule: Rule) -> str:
    """A counterexample to `rule`, by values and by the method that the table names."""
    return (
        refute_by_values(rule)
        or (refute_symbolically(rule) if rule.proof == "z3" else "")
        or (refute_in_half(rule) if rule.proof == "half" else "")
    )


def _variants(rule: Rule) -> Iterator[Rule]:
    """The rule with each order in which its pattern may be found."""
    for order in orders(rule.pattern):
        yield replace(rule, text=f"{order} -> {rule.text.partition('->')[2]}")


def _meanings(rule: Rule, arithmetic: object) -> Iterator[Meaning]:
    for variant in _variants(rule):
        for width in widths_to_try(variant):
            yield Meaning(variant, width, arithmetic)  # type: ignore[arg-type]


# ---------------------------------------------------------------------------------------------- symbolic
def refute_symbolically(rule: Rule) -> str:
    for meaning in _meanings(rule, SYMBOLIC):
        types = meaning.leaf_types()
        meaning.values = {
            name: [unknown(type.kind, f"{name}.{place}") for place in range(type.width)] for name, type in types.items()
        }
        left = meaning.of(meaning.rule.pattern)
        on_the_way = list(meaning.floats)
        right = meaning.of(meaning.rule.replacement)
        claims = [z3.Or(*map(_differ_terms(rule), left, right))]
        claims += _assumed_terms(meaning, types, on_the_way)
        if rule.condition is not None:
            claims += meaning.of(rule.condition)
        model = find_model(claims, SECONDS)
        if model:
            return f"{meaning.rule.text} at width {meaning.width}: {model}"
    return ""


def _differ_terms(rule: Rule) -> Callable[[Term, Term], Term]:
    """z3's equality of floats is that of bits, with one NaN."""
    if "no-signed-zero" in rule.assumes:
        return lambda left, right: z3.And(left != right, z3.Not(z3.And(_is_zero(left), _is_zero(right))))
    return lambda left, right: left != right


def _is_zero(term: Term) -> Term:
    return z3.fpIsZero(term) if z3.is_fp(term) else z3.BoolVal(False)


def _assumed_terms(meaning: Meaning, types: dict[str, Type], on_the_way: list[Term]) -> list[Term]:
    values = list(chain.from_iterable(meaning.values.values()))
    floats = [term for term in [*values, *on_the_way] if z3.is_fp(term)]
    assumes, claims = meaning.rule.assumes.split(), []
    if "no-nan" in assumes:
        claims += [z3.Not(z3.fpIsNaN(term)) for term in floats]
    if "no-inf" in assumes:
        claims += [z3.Not(z3.fpIsInf(term)) for term in floats]
    if "small-int" in assumes:
        ints = chain.from_iterable(meaning.values[name] for name, type in types.items() if type.kind == "int")
        claims += [z3.And(term >= -(2**24), term <= 2**24) for term in ints]
    return claims


# ------------------------------------------------------------------------------------------------ numbers
def refute_by_values(rule: Rule) -> str:
    random = np.random.default_rng(1)
    return _refute(rule, LANES, lambda types: _operands(rule, types, random), FLOAT_TOLERANCE)


def refute_in_half(rule: Rule) -> str:
    every = np.arange(2**16, dtype=np.uint16).view(np.float16)
    random = np.random.default_rng(2)

    def operands(types: dict[str, Type]) -> dict[str, Components]:
        floats = iter([every, *(random.permutation(every) for _ in types)])
        return {
            name: [next(floats) if type.kind == "float" else _draw(type, len(every), random)]
            for name, type in types.items()
        }

    return _refute(rule, _HALF, operands, HALF_TOLERANCE)


def _refute(
    rule: Rule,
    arithmetic: LaneArithmetic,
    operands: Callable[[dict[str, Type]], dict[str, Components]],
    tolerance: float,
) -> str:
    for meaning in _meanings(rule, arithmetic):
        with quiet():
            meaning.values = operands(meaning.leaf_types())
            left = meaning.of(meaning.rule.pattern)
            on_the_way = list(meaning.floats)
            right = meaning.of(meaning.rule.replacement)
            allowed = _allowed_lanes(meaning, on_the_way)
            if allowed.sum() < _FEWEST:
                return f"{meaning.rule.text}: only {allowed.sum()} operands meet the assumptions"
            wrong = allowed & _wrong_lanes(meaning, left, right, on_the_way, tolerance)
        if wrong.any():
            lane = int(np.argmax(wrong))
            return f"{meaning.rule.text} at width {meaning.width}: {_show(meaning, left, right, lane)}"
    return ""


def _operands(rule: Rule, types: dict[str, Type], random: np.random.Generator) -> dict[str, Components]:
    """Numbers for every leaf: all pairs of edge values where there are one or two, else a random choice,
    and random numbers."""
    components = [(name, type) for name, type in types.items() for _ in range(type.width)]
    rows = [_edges(rule, type) for _, type in components]
    if len(rows) <= 2:
        columns = [grid.ravel() for grid in np.meshgrid(*rows)]
    else:
        columns = [random.choice(row, _COUNT) for row in rows]
    result: dict[str, Components] = {name: [] for name in types}
    for (name, type), column in zip(components, columns, strict=True):
        drawn = _moderate(random) if "rounding" in rule.assumes else _draw(type, _COUNT, random)
        result[name].append(np.concatenate([column, drawn if type.kind == "float" else _draw(type, _COUNT, random)]))
    return result


def _edges(rule: Rule, type: Type) -> Array:
    if type.kind == "float":
        return _MODERATE if "rounding" in rule.assumes else _FLOATS
    return _INTS if type.kind == "int" else np.array([False, True])


def _moderate(random: np.random.Generator) -> Array:
    magnitudes = 2.0 ** random.uniform(-4.0, 3.0, _COUNT)
    signs: Array = random.choice([-1.0, 1.0], _COUNT)
    numbers: Array = (magnitudes * signs).astype(np.float32)
    return numbers


def _draw(type: Type, count: int, random: np.random.Generator) -> Array:
    """Random bits as numbers."""
    bits: Array = random.integers(0, 2**32, count, dtype=np.uint32)
    return (bits % 2).astype(np.bool_) if type.kind == "bool" else bits.view(_FORMATS[type.kind])


#: Assumption -> which numbers it is about ("f"loats or "i"nts, as numpy calls them), what it asks of them.
_ASKED: list[tuple[str, str, Callable[[Array], Array]]] = [
    ("no-nan", "f", lambda x: ~np.isnan(x)),
    ("no-inf", "f", lambda x: ~np.isinf(x)),
    ("domain", "f", lambda x: ~np.isnan(x)),
    ("domain", "i", lambda x: np.not_equal(x, 0)),
    ("small-int", "i", lambda x: (x >= -(2**24)) & (x <= 2**24)),
    ("small-int", "f", lambda x: np.less_equal(np.abs(x), 2.0**24)),
]


def _allowed_lanes(meaning: Meaning, on_the_way: list[Array]) -> Array:
    """Lanes on which the rule's assumptions and its condition hold."""
    numbers = [*chain.from_iterable(meaning.values.values()), *on_the_way]
    assumes = meaning.rule.assumes.split()
    verdicts = [
        holds(x)
        for assumption, kind, holds in _ASKED
        for x in numbers
        if assumption in assumes and x.dtype.kind == kind
    ]
    if "rounding" in assumes and meaning.arithmetic is _HALF:
        verdicts += [_keeps_its_digits(x) for x in numbers if x.dtype.kind == "f"]
    if meaning.rule.condition is not None:
        verdicts += meaning.of(meaning.rule.condition)
    allowed: Array = np.logical_and.reduce(np.broadcast_arrays(np.ones(numbers[0].shape, bool), *verdicts))
    return allowed


def _keeps_its_digits(x: Array) -> Array:
    """Half precision leaves its normal range early, and what underflows there has lost its digits."""
    return np.logical_and(np.abs(x) >= 2.0**-8, np.abs(x) <= 2.0**12)


def _wrong_lanes(
    meaning: Meaning, left: Components, right: Components, on_the_way: list[Array], tolerance: float
) -> Array:
    wrong = np.zeros(1, bool)
    scales = on_the_way if _has_sum(meaning.rule) else []
    for one, other in zip(left, right, strict=True):
        if one.dtype.kind != "f":
            wrong = wrong | (one != other)
        elif "rounding" in meaning.rule.assumes:
            wrong = wrong | ~_is_near(one, other, scales, tolerance, meaning.arithmetic is _HALF)
        else:
            wrong = wrong | ~_is_same(one, other, "no-signed-zero" in meaning.rule.assumes)
    return wrong


def _has_sum(rule: Rule) -> bool:
    """Whether digits may cancel, so that errors are measured by the summands."""
    return any(word in rule.text for word in ("fadd", "fsub", "fmix", "dot"))


def _is_near(one: Array, other: Array, scales: list[Array], tolerance: float, is_half: bool) -> Array:
    scale = np.maximum(np.abs(one), np.abs(other))
    for x in scales:
        scale = np.maximum(scale, np.abs(x))
    if is_half:
        scale = np.maximum(scale, np.float16(1.0))
    both_nan = np.isnan(one) & np.isnan(other)
    near: Array = (one == other) | both_nan | (np.abs(one - other) <= tolerance * scale)
    return near


def _is_same(one: Array, other: Array, zeros_are_one: bool) -> Array:
    same_zero = zeros_are_one | (np.signbit(one) == np.signbit(other))
    same: Array = ((one == other) & same_zero) | (np.isnan(one) & np.isnan(other))
    return same


def _show(meaning: Meaning, left: Components, right: Components, lane: int) -> str:
    def at(components: Components) -> list[object]:
        return [(x[lane] if x.ndim else x).item() for x in components]

    operands = ", ".join(f"{name} = {at(components)}" for name, components in meaning.values.items())
    return f"{at(left)} became {at(right)} for {operands}"


def rule_from(text: str, assumes: str = "", proof: str = "z3", where: str = "") -> Rule:
    """A rule that is in no table."""
    rule = Rule("made-up", text, assumes, proof, where)  # type: ignore[arg-type]
    assert isinstance(parse(text.partition("->")[0]), Operation)
    return rule
