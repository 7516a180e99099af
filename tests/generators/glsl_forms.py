"""Forms of expressions that machines have instructions, modifiers and special cases for.

Random trees of operators seldom make them: products that are added with every sign, operands with a sign or absolute
value, clamps of several sides, selects of constants, comparisons with 0 on either side.  Operands are slots where there
are any, so that signs, lanes and orders show in the result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.generators.glsl_facts import TRUTH, Fact, Typed, float_text, vector_of, width

if TYPE_CHECKING:
    from tests.generators.glsl_expressions import Expressions

_RELATIONS = ("<", ">", "<=", ">=", "==", "!=")
_SMALL = (0.0, 1.0, 2.0, 0.5, -1.0, -2.0, -0.25)


_BOUNDS = (
    "clamp({x}, 0.0, 1.0)",
    "clamp({x} + {y}, 0.0, 1.0)",
    "min(max({x}, {a}), {b})",
    "max(min({x}, {b}), {a})",
    "max(max({x}, {y}), {z})",
    "min({z}, min({x}, {y}))",
    "max({x}, min({y}, {b}))",
    "-max(-{x}, {y})",
)


def _modified(e: Expressions, type_: str, exact: bool) -> Typed:
    """An operand with a modifier: -x, abs(x), -abs(x), a swizzle that repeats lanes."""
    operand = e.fit(e.make(type_, 0, exact), for_variable=True)
    form = e.random.choice(("{}", "{}", "(-{})", "abs({})", "(-abs({}))", "swizzle"))
    if form != "swizzle":
        return Typed(form.format(operand.text), type_, operand.fact)
    vector = e.make(vector_of("float", 4), 0, exact)
    lanes = "".join(e.random.choices("xyzw", k=width(type_)))
    return e.fit(Typed(f"{vector.text}.{lanes}", type_, vector.fact), for_variable=True)


def multiply_add(e: Expressions, type_: str, exact: bool) -> Typed:
    """A product and a third operand, with any signs."""
    x, y, z = (_modified(e, type_, exact) for _ in range(3))
    fact = x.fact.multiply(y.fact).add(z.fact)
    form = e.random.choice(("{x} * {y} + {z}", "{x} * {y} - {z}", "{z} - {x} * {y}", "-({x} * {y}) + {z}"))
    return Typed(f"({form.format(x=x.text, y=y.text, z=z.text)})", type_, fact)


def modified_pair(e: Expressions, type_: str, exact: bool) -> Typed:
    """An operation on operands with modifiers."""
    x, y = (_modified(e, type_, exact) for _ in range(2))
    form = e.random.choice(("({} + {})", "({} - {})", "({} * {})", "min({}, {})", "max({}, {})"))
    return Typed(form.format(x.text, y.text), type_, x.fact.multiply(y.fact) if "*" in form else x.fact.add(y.fact))


def bounded(e: Expressions, type_: str, exact: bool) -> Typed:
    """Clamps written as such or as minima and maxima, one within the other."""
    x, y, z = (_modified(e, type_, exact) for _ in range(3))
    low, high = sorted(e.random.sample(_SMALL, 2))
    form = e.random.choice(_BOUNDS)
    text = form.format(x=x.text, y=y.text, z=z.text, a=float_text(low), b=float_text(high))
    fact = x.fact.join(y.fact).join(z.fact).join(Fact(2.0, 2))
    return Typed(f"({text})", type_, fact)


def chosen(e: Expressions, type_: str, exact: bool) -> Typed:
    """A select with constants on one side or both."""
    slot, other = (_modified(e, type_, exact) for _ in range(2))
    one, two = (f"{type_}({float_text(e.random.choice(_SMALL))})" for _ in range(2))
    sides = e.random.choice(((slot.text, one), (one, slot.text), (one, two), (slot.text, other.text)))
    fact = slot.fact.join(other.fact).join(Fact(2.0, 2))
    return Typed(f"({e.make('bool', 1).text} ? {sides[0]} : {sides[1]})", type_, fact)


def masked(e: Expressions, type_: str, exact: bool) -> Typed:
    """A condition as a factor."""
    slot = _modified(e, type_, exact)
    return Typed(f"(float({e.make('bool', 1).text}) * {slot.text})", type_, slot.fact)


def stepped(e: Expressions, type_: str, _exact: bool) -> Typed:
    """Functions with a jump, of operands of both signs."""
    x = _modified(e, type_, exact=True)
    forms = ("sign({x})", "floor({x})", "fract({x})", "ceil({x})", "mod({x}, 2.0)", "mod({x}, -4.0)", "step(0.0, {x})")
    form = e.random.choice((*forms, "step({x}, {t}(0.0))", "floor(-{x})", "(-fract({x}))"))
    return Typed(form.format(x=x.text, t=type_), type_, Fact(x.fact.magnitude + 4, x.fact.grain))


def compared(e: Expressions) -> str:
    """A comparison with a constant on either side."""
    kind = e.random.choice(("float", "float", "int"))
    if kind == "float":
        text, constant = _modified(e, "float", exact=True).text, e.random.choice(("0.0", "0.0", "1.0", "(-0.5)"))
    else:
        text, constant = e.make("int", 0).text, e.random.choice(("0", "0", "1", "(-2)"))
    sides = (text, constant) if e.random.random() < 0.5 else (constant, text)
    e.features.add("compared-with-constant")
    return f"({sides[0]} {e.random.choice(_RELATIONS)} {sides[1]})"


def chosen_whole(e: Expressions, type_: str, depth: int, _exact: bool) -> Typed:
    """A select of ints or bools."""
    condition, left, right = e.make("bool", min(depth, 1)), e.make(type_, depth), e.make(type_, depth)
    fact = TRUTH if type_.startswith("b") else left.fact.join(right.fact)
    return Typed(f"({condition.text} ? {left.text} : {right.text})", type_, fact)


_FORMS: dict[str, Callable[[Expressions, str, bool], Typed]] = {
    "multiply-add": multiply_add,
    "modified-pair": modified_pair,
    "bounded": bounded,
    "chosen": chosen,
    "masked": masked,
    "stepped": stepped,
}
FORM_NAMES = tuple(_FORMS)


def float_form(e: Expressions, type_: str, _depth: int, exact: bool) -> Typed:
    """One of the forms of floats; exact forms that may not fit their operands' grain are cut by `fit`."""
    name = e.random.choice(FORM_NAMES)
    e.features.add(name)
    return _FORMS[name](e, type_, exact)
