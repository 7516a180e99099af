"""Affine forms: which numbers of a fragment shader could as well be computed at the vertices and interpolated.

Inside of a triangle a varying is a weighted mean of its values at the vertices, with weights that add up to 1 (OpenGL
ES 2.0 section 3.5.1).  An affine function of varyings, `k0 + k1 v1 + k2 v2 ...` with coefficients that all pixels
share, of means is the mean of the function: it can move to the vertices.  Of no other function is that so.  A
quotient of two affine functions can be had from two such varyings: that is what a projective texture coordinate is.

The idea: the meaning of every opcode is run in an arithmetic whose numbers are such forms (`Term`), quotients of them,
or None for all else.  Terms are interned: equal forms are one object.

Not handled: phis, memory, and elements found by indices that are no constants.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, cast

from glslc_multi.compiler.arithmetic.protocol import Arithmetic
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Scalar, Value
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    """One component of a varying."""

    variable: Variable
    element: int
    column: int
    component: int


@dataclass(frozen=True, slots=True)
class Shared:
    """One component of a value that all pixels share."""

    instruction: Instruction
    component: int


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """A number that is affine in the varyings: a leaf, or an operation of the arithmetic protocol on others."""

    #: "varying", "shared", "constant", or the name of an operation.
    op: str
    operands: tuple[Term, ...]
    leaf: Part | Shared | Scalar
    #: 0 where no varying takes part, else 1.
    degree: int
    #: Greater than that of the operands.
    number: int

    @property
    def part(self) -> Part | None:
        """The component of a varying that this is, without any arithmetic."""
        return self.leaf if isinstance(self.leaf, Part) else None


@dataclass(frozen=True, slots=True)
class Quotient:
    """One affine form divided by another."""

    numerator: Term
    denominator: Term


Form = Term | Quotient | None


class AffineArithmetic:
    """The arithmetic protocol over forms; an operation that is not here yields None."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], Term] = {}

    def __getattr__(self, _name: str) -> Callable[..., None]:
        return lambda *_operands: None

    def leaf(self, op: str, leaf: Part | Shared | Scalar, key: object = None) -> Term:
        """A leaf; those of one key are the same."""
        degree = 1 if op == "varying" else 0
        # The two zeros are two constants.
        return self._intern(
            (op, repr(leaf) if op == "constant" else key or leaf), Term(op, (), leaf, degree, self._next)
        )

    def bconst(self, value: bool) -> Term:
        return self.leaf("constant", value)

    def iconst(self, value: int) -> Term:
        return self.leaf("constant", value)

    def fconst(self, value: float) -> Term:
        return self.leaf("constant", value)

    def fadd(self, x: Form, y: Form) -> Form:
        return self._joined(partial(self._made, "fadd"), x, y)

    def fsub(self, x: Form, y: Form) -> Form:
        return self._joined(partial(self._made, "fsub"), x, y)

    def fneg(self, x: Form) -> Form:
        if isinstance(x, Quotient):
            return Quotient(self._made("fneg", x.numerator), x.denominator)
        return None if x is None else self._made("fneg", x)

    def fmul(self, x: Form, y: Form) -> Form:
        if x is None or y is None:
            return None
        if isinstance(x, Quotient) or isinstance(y, Quotient):
            quotient, factor = (x, y) if isinstance(x, Quotient) else (y, x)
            assert isinstance(quotient, Quotient), "one of them is"
            numerator = None if isinstance(factor, Quotient) else self._product(quotient.numerator, factor)
            return None if numerator is None else Quotient(numerator, quotient.denominator)
        return self._product(x, y)

    def fdiv(self, x: Form, y: Form) -> Form:
        if not isinstance(y, Term) or x is None:
            return None
        if y.degree == 0:
            if isinstance(x, Quotient):
                return Quotient(self._made("fdiv", x.numerator, y), x.denominator)
            return self._made("fdiv", x, y)
        # Factors that all pixels share go above the line, so that several numbers have one denominator.
        while y.op == "fmul":
            shared, y = sorted(y.operands, key=lambda factor: factor.degree)
            x = self.fdiv(x, shared)
        return Quotient(x, y) if isinstance(x, Term) else None

    def select(self, condition: Form, if_true: Form, if_false: Form) -> Form:
        if not isinstance(condition, Term) or condition.degree:
            return None
        return self._joined(partial(self._made, "select", condition), if_true, if_false)

    def _joined(self, join: Callable[[Term, Term], Term], x: Form, y: Form) -> Form:
        """A linear operation on two forms, brought to one denominator where one is a quotient."""
        if isinstance(x, Term) and isinstance(y, Term):
            return join(x, y)
        if x is None or y is None:
            return None
        denominator = (x if isinstance(x, Quotient) else cast("Quotient", y)).denominator
        above, other = self.over(x, denominator), self.over(y, denominator)
        return None if above is None or other is None else Quotient(join(above, other), denominator)

    def over(self, x: Form, denominator: Term) -> Term | None:
        """The numerator of `x` as a quotient with this denominator."""
        if x is None:
            return None
        if isinstance(x, Quotient):
            return x.numerator if x.denominator is denominator else None
        return self._product(x, denominator)

    def _product(self, x: Term, y: Term) -> Term | None:
        return self._made("fmul", x, y) if x.degree + y.degree <= 1 else None

    def _made(self, op: str, *operands: Term) -> Term:
        degree = max(operand.degree for operand in operands)
        return self._intern((op, *(o.number for o in operands)), Term(op, operands, None, degree, self._next))

    @property
    def _next(self) -> int:
        return len(self._known)

    def _intern(self, key: tuple[object, ...], term: Term) -> Term:
        return self._known.setdefault(key, term)


class AffineForms:
    """The forms of all values of a function, component by component."""

    def __init__(self, function: Function) -> None:
        self.arithmetic = AffineArithmetic()
        self._forms: dict[Value, tuple[Form, ...]] = {}
        #: What all pixels share.
        self._shared: set[Value] = set()
        for block in function.blocks:
            for instruction in block:
                if instruction.type.width:
                    self._look_at(instruction)

    def of(self, value: Value) -> tuple[Form, ...]:
        """One form a component."""
        if isinstance(value, Constant):
            return tuple(self.arithmetic.leaf("constant", part) for part in value.defined().components)
        return self._forms.get(value) or (None,) * value.type.width

    def _look_at(self, instruction: Instruction) -> None:
        is_load, address = instruction.op is ops.LOAD, instruction.attribute
        is_shared = all(isinstance(o, Constant) or o in self._shared for o in instruction.operands)
        if is_shared and (address.variable.storage == "uniform" if is_load else _is_plain(instruction)):
            self._shared.add(instruction)
            self._forms[instruction] = tuple(map(self._shared_leaf(instruction), range(instruction.type.width)))
        elif is_load and address.variable.storage == "varying" and not address.is_dynamic:
            parts = (Part(address.variable, address.offset, address.column, c) for c in range(instruction.type.width))
            self._forms[instruction] = tuple(self.arithmetic.leaf("varying", part) for part in parts)
        elif _is_plain(instruction):
            operands = [list(self.of(operand)) for operand in instruction.operands]
            arithmetic = cast("Arithmetic", self.arithmetic)
            self._forms[instruction] = tuple(ops.evaluate(instruction.op, arithmetic, instruction.attribute, operands))

    def _shared_leaf(self, instruction: Instruction) -> Callable[[int], Term]:
        """Loads of one place are one value, as nobody writes to uniforms."""

        def leaf(component: int) -> Term:
            key = (
                (instruction.attribute, component) if instruction.op is ops.LOAD and not instruction.operands else None
            )
            return self.arithmetic.leaf("shared", Shared(instruction, component), key)

        return leaf


def _is_plain(instruction: Instruction) -> bool:
    return instruction.op.is_pure and instruction.op.has_semantics


def terms_below(terms: Iterable[Term]) -> Iterator[Term]:
    """The terms and all their operands, operands first."""
    found: set[Term] = set()
    pending = list(terms)
    while pending:
        term = pending.pop()
        if term not in found:
            found.add(term)
            pending += term.operands
    return iter(sorted(found, key=lambda term: term.number))


def evaluate_terms(terms: Iterable[Term], arithmetic: Any, leaf: Callable[[Term], Any]) -> Mapping[Term, Any]:
    """The values of terms, and of all below them, in an arithmetic; `leaf` gives those of leaves but constants."""
    constants = {bool: arithmetic.bconst, int: arithmetic.iconst, float: arithmetic.fconst}
    values: dict[Term, Any] = {}
    for term in terms_below(terms):
        if term.op == "constant":
            values[term] = constants[type(term.leaf)](term.leaf)
        elif not term.operands:
            values[term] = leaf(term)
        else:
            values[term] = getattr(arithmetic, term.op)(*(values[operand] for operand in term.operands))
    return values
