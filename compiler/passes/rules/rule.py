"""A rewrite rule: a row of the table, what it assumes, how it is proven, and why rewriting ends.

Weights say what is worth more.  A rewrite must lower the total weight of the function, or keep it and
compute from values nearer to the function's inputs; both can happen only finitely often, so rewriting
ends, and nothing is ever replaced by something dearer (`matcher.py` also counts what other users keep).
"""

from __future__ import annotations

from functools import cached_property
from itertools import permutations
from typing import Literal as OneOf

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.passes.rules.pattern import Hole, Operation, Pattern, is_constant, leaves, operations, parse
from glslc_multi.compiler.records import dataclass

#: What a rule may take for granted.  GLSL ES 1.00 (section 4.5.1) asks neither for NaN and infinities
#: nor for the sign of zero, and leaves precision and order of evaluation open.
ASSUMPTIONS: dict[str, str] = {
    "no-nan": "neither an operand nor a result on the way is NaN",
    "no-inf": "neither an operand nor a result on the way is infinite",
    "no-signed-zero": "0.0 and -0.0 are one number",
    "rounding": "the result may be rounded otherwise",
    "domain": "operands lie where the specification defines the result",
    "small-int": "ints lie between -2^24 and 2^24, where floats hold them exactly, in a language that promises no more",
}
#: "z3": for all float32 and 32-bit operands; "half": every 16-bit float in each of one or two places (pairs
#: are sampled); "values": edge values and random float32 numbers.
Proof = OneOf["z3", "half", "values"]

#: Weights of opcodes that are not `_SIMPLE`.  Negation and absolute value are free on most machines but
#: not everywhere; shuffles mostly fold into operands; what needs several instructions weighs as many.
_WEIGHTS: dict[Opcode, int] = {
    ops.SWIZZLE: 1,
    ops.INSERT: 3,
    ops.CONSTRUCT: 3,
    ops.FNEG: 2,
    ops.FABS: 2,
    ops.NOT: 3,
    ops.BITCAST_FTOI: 1,
    ops.BITCAST_ITOF: 1,
    ops.INEG: 5,
    ops.INOT: 5,
    ops.FSATURATE: 8,
    ops.BTOF: 8,
    ops.BTOI: 8,
    ops.ITOF: 8,
    ops.FTOI: 8,
    ops.FSUB: 11,
    ops.ISUB: 11,
    ops.ULT: 11,
    ops.ULE: 11,
    ops.FTOB: 11,
    ops.ITOB: 11,
    ops.FFLOOR: 12,
    ops.FCEIL: 12,
    ops.FTRUNC: 12,
    ops.FMAD: 12,
    ops.SELECT: 14,
    ops.DOT: 14,
    ops.FCLAMP: 15,
    ops.FRCP: 15,
    ops.FRSQRT: 15,
    ops.FEXP2: 15,
    ops.FLOG2: 15,
    ops.FSQRT: 20,
    ops.FISNAN: 20,
    ops.IMUL: 20,
    ops.FMIX: 21,
    ops.CROSS: 22,
    ops.FDIV: 25,
    ops.FEXP: 26,
    ops.FLOG: 26,
    ops.LENGTH: 30,
    ops.UTOF: 30,
    ops.FTOU: 30,
    ops.FROUNDEVEN: 30,
    ops.FSIN: 30,
    ops.FCOS: 30,
    ops.FPOW: 35,
    ops.NORMALIZE: 37,
    ops.FMOD: 40,
    ops.FSMOOTHSTEP: 40,
    ops.MAT_VEC: 50,
    ops.VEC_MAT: 50,
    ops.IDIV: 60,
    ops.IREM: 62,
    ops.UDIV: 75,
    ops.UREM: 75,
    ops.FTAN: 70,
    ops.FASIN: 70,
    ops.FACOS: 70,
    ops.FATAN: 70,
    ops.FATAN2: 90,
}
_SIMPLE = 10


def weight_of(op: Opcode | None) -> int:
    """The weight of one instruction; of a splat, which is a swizzle, for None."""
    return 1 if op is None else _WEIGHTS.get(op, _SIMPLE)


@dataclass(frozen=True)
class Rule:
    """A row: `left -> right`, what it assumes, the condition on its constants (itself a pattern)."""

    name: str
    text: str
    assumes: str = ""
    proof: Proof = "z3"
    where: str = ""

    @property
    def is_exact(self) -> bool:
        """Whether both sides are the same, bit for bit (payloads of NaN aside), for all operands."""
        return not self.assumes

    @cached_property
    def wants_small_ints(self) -> bool:
        return "small-int" in self.assumes

    @property
    def root_name(self) -> str:
        """The opcode of the instruction that is replaced."""
        return self.text.partition("(")[0]

    @cached_property
    def pattern(self) -> Operation:
        operation = parse(self.text.partition("->")[0])
        assert isinstance(operation, Operation), self.text
        return operation

    @cached_property
    def replacement(self) -> Pattern:
        return parse(self.text.partition("->")[2])

    @cached_property
    def condition(self) -> Pattern | None:
        return parse(self.where) if self.where else None

    @cached_property
    def cost(self) -> int:
        """The weight of the instructions that the replacement makes."""
        operations_ = {part for part in operations(self.replacement) if not is_constant(part)}
        return sum(weight_of(part.op) for part in operations_)

    @cached_property
    def mixes_widths(self) -> bool:
        """Whether a scalar may stand beside vectors: the condition of a select."""
        return any(part.op is ops.SELECT for part in operations(self.pattern))

    @cached_property
    def is_shallower(self) -> bool:
        """Whether the replacement is one operation whose operands come from nearer to the inputs:
        each stands for another operand of the root, or for something inside that, at least once inside."""
        new = self.replacement
        if not isinstance(new, Operation):
            return True
        inner = [operand for operand in new.operands if not is_constant(operand)]
        values = [operand for operand in inner if isinstance(operand, Hole)]
        return len(values) == len(inner) and any(
            _is_nearer(values, chosen) for chosen in permutations(self.pattern.operands, len(values))
        )


def _is_nearer(values: list[Hole], operands: tuple[Pattern, ...]) -> bool:
    pairs = list(zip(values, operands, strict=True))
    return all(value in leaves(operand) for value, operand in pairs) and any(a != b for a, b in pairs)
