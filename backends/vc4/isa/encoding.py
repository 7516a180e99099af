"""An instruction as data, and its word.

    Alu(add=Half(ADD["fadd"].code, waddr=32, a=1, b=6), raddr_a=4)     fadd r0, r1, ra4

What is not given has the value of the canonical encoding: an unused half writes nowhere, never, and reads r0.
`decode` is total; bits that no field owns are the business of `validate`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from glslc_multi.backends.vc4.isa.formats import ALU_FORMAT, BRANCH_FORMAT, LOAD_FORMAT, NOWHERE, format_of
from glslc_multi.backends.vc4.isa.instructions import (
    ADD_BY_CODE,
    MUL_BY_CODE,
    BranchCondition,
    Condition,
    LoadMode,
    Operation,
    Signal,
)
from glslc_multi.compiler.isa.fields import Row

#: Values of operands above those of r0 to r5.
FILE_A, FILE_B = 6, 7
#: Instructions after a branch that are executed, taken or not.
DELAY_SLOTS = 3
#: As numbers, since looking up a member of an enumeration takes time.
_NEVER, _SMALL_IMMEDIATE, _LOAD, _BRANCH = (
    int(member) for member in (Condition.NEVER, Signal.SMALL_IMMEDIATE, Signal.LOAD, Signal.BRANCH)
)


class Half(NamedTuple):
    """What one of the two ALUs does."""

    op: int = 0
    waddr: int = NOWHERE
    a: int = 0
    b: int = 0
    cond: int = Condition.ALWAYS

    @property
    def writes(self) -> bool:
        """Whether it can write something."""
        return self.waddr != NOWHERE and self.cond != _NEVER


#: A half that does nothing.
IDLE = Half(cond=Condition.NEVER)


class Alu(NamedTuple):
    """An ALU instruction; with the signal SMALL_IMMEDIATE, `raddr_b` is a code of a small immediate."""

    add: Half = IDLE
    mul: Half = IDLE
    signal: int = Signal.NONE
    raddr_a: int = NOWHERE
    raddr_b: int = NOWHERE
    unpack: int = 0
    #: Whether `pack` is of MUL's result and `unpack` of r4, not of file A.
    pm: int = 0
    pack: int = 0
    sf: int = 0
    ws: int = 0

    @property
    def has_small_immediate(self) -> bool:
        return self.signal == _SMALL_IMMEDIATE

    @property
    def rotates(self) -> bool:
        """Whether MUL's operands are rotated over the lanes."""
        return self.has_small_immediate and self.raddr_b >= 48 and self.mul.op != 0

    @property
    def operations(self) -> tuple[Operation | None, Operation | None]:
        """The rows of both halves; None for codes that have none."""
        return ADD_BY_CODE.get(self.add.op), MUL_BY_CODE.get(self.mul.op)

    @property
    def operands(self) -> tuple[int, ...]:
        """The values of those operand fields that an operation reads."""
        operands: list[int] = []
        for half, row in zip((self.add, self.mul), self.operations, strict=True):
            count = row.operands if row is not None else 2
            operands += (half.a, half.b)[:count]
        return tuple(operands)


class Load(NamedTuple):
    """A load of an immediate into one or two registers; semaphore operations have this form, too."""

    immediate: int
    waddr_add: int = NOWHERE
    waddr_mul: int = NOWHERE
    cond_add: int = Condition.NEVER
    cond_mul: int = Condition.NEVER
    mode: int = LoadMode.VALUE
    pm: int = 0
    pack: int = 0
    sf: int = 0
    ws: int = 0

    @property
    def signal(self) -> int:
        return _LOAD

    @property
    def add(self) -> Half:
        """The destination of ADD."""
        return Half(waddr=self.waddr_add, cond=self.cond_add)

    @property
    def mul(self) -> Half:
        """The destination of MUL."""
        return Half(waddr=self.waddr_mul, cond=self.cond_mul)


class Branch(NamedTuple):
    """A branch; `immediate` is in bytes, relative to the first instruction after the delay slots, or absolute."""

    immediate: int
    cond: int = BranchCondition.ALWAYS
    relative: int = 1
    use_register: int = 0
    raddr_a: int = 0
    waddr_add: int = NOWHERE
    waddr_mul: int = NOWHERE
    ws: int = 0

    @property
    def signal(self) -> int:
        return _BRANCH

    @property
    def sf(self) -> int:
        return self.raddr_a & 1

    @property
    def add(self) -> Half:
        """The first link register."""
        return Half(waddr=self.waddr_add)

    @property
    def mul(self) -> Half:
        """The second link register."""
        return Half(waddr=self.waddr_mul)


Instruction = Alu | Load | Branch

#: The fields of a word in the order of an instruction's values; those of each half together.
_ALU_ROW = Row(
    ALU_FORMAT,
    (
        *(name.format(half) for half in ("add", "mul") for name in ("op_{}", "waddr_{}", "{}_a", "{}_b", "cond_{}")),
        "sig",
        *Alu._fields[3:],
    ),
)
_LOAD_ROW = Row(LOAD_FORMAT, (*Load._fields, "sig"))
_BRANCH_ROW = Row(BRANCH_FORMAT, (*Branch._fields, "sig"))
_HALF_SIZE = len(Half._fields)


def encode(instruction: Instruction) -> int:
    """The word; raises `FieldError` if a value does not fit into its field."""
    if isinstance(instruction, Alu):
        return _ALU_ROW.encode((*instruction.add, *instruction.mul, *instruction[2:]))
    row = _LOAD_ROW if isinstance(instruction, Load) else _BRANCH_ROW
    return row.encode((*instruction, instruction.signal))


@lru_cache(maxsize=4096)
def decode(word: int) -> Instruction:
    """The instruction that a word is."""
    form = format_of(word)
    if form is LOAD_FORMAT:
        return Load(*_LOAD_ROW.decode(word)[:-1])
    if form is BRANCH_FORMAT:
        return Branch(*_BRANCH_ROW.decode(word)[:-1])
    values = _ALU_ROW.decode(word)
    add, mul = Half(*values[:_HALF_SIZE]), Half(*values[_HALF_SIZE : 2 * _HALF_SIZE])
    return Alu(add, mul, *values[2 * _HALF_SIZE :])
