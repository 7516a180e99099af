"""Random programs on ints of 32 bits: wraparound, bits, shifts, division with and without signs, conversions.

`generate(random)` gives a vertex shader as a module of the IR, with inputs.  Every operation is defined for all its
operands, so that all engines with such ints must agree bit for bit; conversions to floats are rounded once.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np

from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, int_constant
from glslc_multi.compiler.ir.module import Block, Constant, Instruction, Module, Value
from glslc_multi.compiler.ir.types import INT, IVEC4, VEC4
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.records import dataclass
from tests.edges import INTS, edges

LANES = 32
_COUNT = 4
_OF_TWO = tuple(ops.OPCODES[name] for name in "iadd isub imul idiv irem udiv urem iand ior ixor ishl ishr ushr".split())
_COMPARISONS = (ops.ILT, ops.ILE, ops.IEQ, ops.INE, ops.ULT, ops.ULE)
_EDGES = [*(int(x) for x in edges(format=INTS)), 0x7F800000]


@dataclass(frozen=True, slots=True)
class IntProgram:
    """A module, and values for its inputs as they are outside: ints without a sign."""

    module: Module
    inputs: dict[str, Array]
    uniforms: dict[str, Array]


def generate(random: Random, steps: int = 12) -> IntProgram:
    """A program of about so many operations, with a branch and a loop at times."""
    writer = _Writer(random)
    writer.write(steps)
    inputs = {name: _numbers(random, LANES, 4) for name in ("a", "b")}
    return IntProgram(writer.module, inputs, {"u": _numbers(random, 1, 4)[0]})


def _numbers(random: Random, rows: int, columns: int) -> Array:
    return np.array([[_number(random) % 2**32 for _ in range(columns)] for _ in range(rows)], np.int64)


def _number(random: Random) -> int:
    """An edge, or any number of any size."""
    return random.choice((random.choice(_EDGES), random.getrandbits(32) >> random.randrange(32)))


class _Writer:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.module = Module("vertex")
        self.module.exact_integers = True
        self.main = self.module.add_function("main")
        self.builder = Builder(self.main.add_block("entry"))
        self.values: list[Value] = []

    def write(self, steps: int) -> None:
        for name, storage in (("a", "attribute"), ("b", "attribute"), ("u", "uniform")):
            variable = self.module.add_variable(Variable(name, storage, IVEC4, source_kind="uint"))  # type: ignore[arg-type]
            loaded = self.builder.load(variable)
            self.values += [self.builder.extract(loaded, component) for component in range(_COUNT)]
        kinds: list[Callable[[], Value]] = [self._two] * 8 + [self._choice, self._conversion, self._not]
        for _ in range(steps):
            self.values.append(self.random.choice(kinds)())
        if self.random.random() < 0.5:
            self.values.append(self._branch())
        if self.random.random() < 0.5:
            self.values.append(self._loop())
        found = self.builder.construct(*self.values[-_COUNT:])
        self.builder.store(self.module.add_variable(Variable("v", "varying", IVEC4, source_kind="uint")), found)
        position = self.module.add_variable(Variable("gl_Position", "output", VEC4, role="position"))
        self.builder.store(position, Constant.splat(VEC4, 1.0))
        self.builder.ret()

    def _value(self) -> Value:
        """One of the latest values for the most part, or a number."""
        if self.random.random() < 0.25:
            signed = (_number(self.random) + 2**31) % 2**32 - 2**31
            return int_constant(signed)
        return self.random.choice(self.values[-6:] if self.random.random() < 0.6 else self.values)

    def _two(self) -> Value:
        return self._computed(self.random.choice(_OF_TWO), self._value(), self._value())

    def _computed(self, opcode: ops.Opcode, x: Value, y: Value) -> Value:
        """By 0, GLSL leaves division open, and x / x is 1 to the optimiser."""
        if opcode in (ops.IDIV, ops.UDIV):
            y = self._op(ops.SELECT, self._op(ops.IEQ, y, int_constant(0)), int_constant(1), y)
        return self._op(opcode, x, y)

    def _not(self) -> Value:
        return self.builder.op(self.random.choice((ops.INOT, ops.INEG)), self._value())

    def _condition(self) -> Value:
        if self.random.random() < 0.2:
            return self.builder.op(ops.FISNAN, self.builder.op(ops.BITCAST_ITOF, self._value()))
        return self.builder.op(self.random.choice(_COMPARISONS), self._value(), self._value())

    def _choice(self) -> Value:
        condition = self._condition()
        if self.random.random() < 0.3:
            return self.builder.op(ops.BTOI, condition)
        return self.builder.op(ops.SELECT, condition, self._value(), self._value())

    def _conversion(self) -> Value:
        """To a float, of which the bits are seen; or there and back, where a float holds the number."""
        if self.random.random() < 0.5:
            return self._op(ops.BITCAST_FTOI, self._op(self.random.choice((ops.ITOF, ops.UTOF)), self._value()))
        small = self._op(ops.IAND, self._value(), int_constant(2**24 - 1))
        there, back = self.random.choice(((ops.ITOF, ops.FTOI), (ops.UTOF, ops.FTOU)))
        return self._op(back, self._op(there, small))

    def _op(self, opcode: ops.Opcode, *operands: Value) -> Instruction:
        return self.builder.op(opcode, *operands)

    def _blocks(self, *names: str) -> list[Block]:
        return [self.main.add_block(name) for name in names]

    def _branch(self) -> Value:
        then, orelse, join = (
            self.main.add_block(f"{name}{len(self.main.blocks)}") for name in ("then", "else", "meet")
        )
        self.builder.condbr(self._condition(), then, orelse)
        incoming = []
        for block in (then, orelse):
            self.builder.at_end_of(block)
            incoming.append((self._two(), block))
            self.builder.br(join)
        self.builder.at_end_of(join)
        return self.builder.phi(INT, incoming)

    def _loop(self) -> Value:
        """Up to 7 rounds, counted with or without signs."""
        bound = self._op(ops.IAND, self._value(), int_constant(7))
        before = self.builder.block
        head, body, after = (
            self.main.add_block(f"{name}{len(self.main.blocks)}") for name in ("head", "body", "after")
        )
        start = self._value()
        self.builder.br(head)
        self.builder.at_end_of(head)
        counter = self.builder.phi(INT, [(int_constant(0), before)])
        sum = self.builder.phi(INT, [(start, before)])
        self.builder.condbr(self._op(self.random.choice((ops.ULT, ops.ILT)), counter, bound), body, after)
        self.builder.at_end_of(body)
        mixed = self._computed(self.random.choice(_OF_TWO), sum, self._op(ops.IADD, counter, self._value()))
        counter.add_incoming(self._op(ops.IADD, counter, int_constant(1)), body)
        sum.add_incoming(mixed, body)
        self.builder.br(head)
        self.builder.at_end_of(after)
        return sum
