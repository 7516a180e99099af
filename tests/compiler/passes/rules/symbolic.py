"""The arithmetic of z3: float32 and 32-bit ints as terms, for proofs over all values.

The opcodes' meanings in `compiler/ir/ops.py` run on it as they do on numbers, so what is proven is what
the evaluator computes.  Elementary functions are opaque: all that is known is that equal arguments give
equal results.
"""

from __future__ import annotations

from typing import Any

import z3

from glslc_multi.compiler.arithmetic.protocol import INT_MAX, INT_MIN
from glslc_multi.compiler.ir.types import Kind

Term = Any

_FLOAT = z3.Float32()
_NEAREST = z3.RNE()


class SymbolicArithmetic:
    """The arithmetic protocol over z3 terms."""

    __slots__ = ()

    def bconst(self, value: bool) -> Term:
        return z3.BoolVal(value)

    def iconst(self, value: int) -> Term:
        return z3.BitVecVal(value, 32)

    def fconst(self, value: float) -> Term:
        return z3.FPVal(value, _FLOAT)

    def fadd(self, x: Term, y: Term) -> Term:
        return z3.fpAdd(_NEAREST, x, y)

    def fsub(self, x: Term, y: Term) -> Term:
        return z3.fpSub(_NEAREST, x, y)

    def fmul(self, x: Term, y: Term) -> Term:
        return z3.fpMul(_NEAREST, x, y)

    def fdiv(self, x: Term, y: Term) -> Term:
        return z3.fpDiv(_NEAREST, x, y)

    def fneg(self, x: Term) -> Term:
        return z3.fpNeg(x)

    def fabs(self, x: Term) -> Term:
        return z3.fpAbs(x)

    def ffloor(self, x: Term) -> Term:
        return z3.fpRoundToIntegral(z3.RTN(), x)

    def fsqrt(self, x: Term) -> Term:
        return z3.fpSqrt(_NEAREST, x)

    def elementary(self, name: str, *arguments: Term) -> Term:
        return z3.Function(name, *[_FLOAT] * (len(arguments) + 1))(*arguments)

    def flt(self, x: Term, y: Term) -> Term:
        return z3.fpLT(x, y)

    def fle(self, x: Term, y: Term) -> Term:
        return z3.fpLEQ(x, y)

    def feq(self, x: Term, y: Term) -> Term:
        return z3.fpEQ(x, y)

    def iadd(self, x: Term, y: Term) -> Term:
        return x + y

    def isub(self, x: Term, y: Term) -> Term:
        return x - y

    def imul(self, x: Term, y: Term) -> Term:
        return x * y

    def idiv(self, x: Term, y: Term) -> Term:
        return z3.If(y == 0, z3.BitVecVal(0, 32), x / y)

    def ilt(self, x: Term, y: Term) -> Term:
        return x < y

    def ieq(self, x: Term, y: Term) -> Term:
        return x == y

    def udiv(self, x: Term, y: Term) -> Term:
        return z3.If(y == 0, z3.BitVecVal(0, 32), z3.UDiv(x, y))

    def ult(self, x: Term, y: Term) -> Term:
        return z3.ULT(x, y)

    def bits_and(self, x: Term, y: Term) -> Term:
        return x & y

    def bits_or(self, x: Term, y: Term) -> Term:
        return x | y

    def bits_xor(self, x: Term, y: Term) -> Term:
        return x ^ y

    def bits_not(self, x: Term) -> Term:
        return ~x

    def shl(self, x: Term, count: Term) -> Term:
        return x << count

    def shr(self, x: Term, count: Term) -> Term:
        return z3.LShR(x, count)

    def asr(self, x: Term, count: Term) -> Term:
        return x >> count

    def band(self, x: Term, y: Term) -> Term:
        return z3.And(x, y)

    def bor(self, x: Term, y: Term) -> Term:
        return z3.Or(x, y)

    def bxor(self, x: Term, y: Term) -> Term:
        return z3.Xor(x, y)

    def bnot(self, x: Term) -> Term:
        return z3.Not(x)

    def itof(self, x: Term) -> Term:
        return z3.fpSignedToFP(_NEAREST, x, _FLOAT)

    def ftoi(self, x: Term) -> Term:
        truncated = z3.fpToSBV(z3.RTZ(), x, z3.BitVecSort(32))
        below = z3.If(z3.fpLEQ(x, self.fconst(float(INT_MIN))), self.iconst(INT_MIN), truncated)
        above = z3.If(z3.fpGEQ(x, self.fconst(float(INT_MAX))), self.iconst(INT_MAX), below)
        return z3.If(z3.fpIsNaN(x), self.iconst(0), above)

    def bits(self, x: Term) -> Term:
        return z3.fpToIEEEBV(x)

    def number(self, x: Term) -> Term:
        return z3.fpBVToFP(x, _FLOAT)

    def select(self, condition: Term, if_true: Term, if_false: Term) -> Term:
        return z3.If(condition, if_true, if_false)


SYMBOLIC = SymbolicArithmetic()
_SORTS: dict[str, Any] = {"bool": z3.BoolSort(), "int": z3.BitVecSort(32), "float": _FLOAT}


def unknown(kind: Kind, name: str) -> Term:
    """Any value of a kind."""
    return z3.Const(name, _SORTS[kind])


def find_model(claims: list[Term], seconds: float) -> str:
    """Values for which all claims hold; "" when there are none."""
    solver = z3.Solver()
    solver.set("timeout", int(seconds * 1000))
    solver.add(*claims)
    verdict = solver.check()
    if verdict == z3.unsat:
        return ""
    return str(solver.model()) if verdict == z3.sat else f"no answer within {seconds} s"
