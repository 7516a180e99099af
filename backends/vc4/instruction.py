"""An instruction as data, and its word.

    Alu(add=Half(ADD["fadd"].code, waddr=32, a=1, b=6), raddr_a=4)     fadd r0, r1, ra4

What is not given has the value of the canonical encoding: an unused half writes nowhere, never, and reads r0.
`decode` is total; bits that no field owns are the business of `validate`.
"""

from __future__ import annotations

from functools import lru_cache

from backends.vc4.formats import ALU_FORMAT, BRANCH_FORMAT, LOAD_FORMAT, NOWHERE, format_of
from backends.vc4.isa import ADD_BY_CODE, MUL_BY_CODE, BranchCondition, Condition, LoadMode, Operation, Signal
from compiler.records import dataclass

#: Values of operands above those of r0 to r5.
FILE_A, FILE_B = 6, 7
#: Instructions behind a branch that are executed, taken or not.
DELAY_SLOTS = 3


@dataclass(frozen=True, slots=True)
class Half:
    """What one of the two ALUs does."""

    op: int = 0
    waddr: int = NOWHERE
    a: int = 0
    b: int = 0
    cond: int = Condition.ALWAYS

    @property
    def writes(self) -> bool:
        """Whether it can write something."""
        return self.waddr != NOWHERE and self.cond != Condition.NEVER


#: A half that does nothing.
IDLE = Half(cond=Condition.NEVER)


@dataclass(frozen=True, slots=True)
class Alu:
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
        return self.signal == Signal.SMALL_IMMEDIATE

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
        found: list[int] = []
        for half, row in zip((self.add, self.mul), self.operations, strict=True):
            count = row.operands if row is not None else 2
            found += (half.a, half.b)[:count]
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Load:
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
        return Signal.LOAD

    @property
    def add(self) -> Half:
        """The destination of ADD."""
        return Half(waddr=self.waddr_add, cond=self.cond_add)

    @property
    def mul(self) -> Half:
        """The destination of MUL."""
        return Half(waddr=self.waddr_mul, cond=self.cond_mul)


@dataclass(frozen=True, slots=True)
class Branch:
    """A branch; `immediate` is in bytes, relative to the first instruction behind the delay slots, or absolute."""

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
        return Signal.BRANCH

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


def encode(instruction: Instruction) -> int:
    """The word; raises `FieldError` if a value does not fit into its field."""
    if isinstance(instruction, Alu):
        return ALU_FORMAT.encode(_alu_fields(instruction))
    form = LOAD_FORMAT if isinstance(instruction, Load) else BRANCH_FORMAT
    fields = {name: getattr(instruction, name) for name in form.by_name if name != "sig"}
    return form.encode({**fields, "sig": instruction.signal})


def _alu_fields(alu: Alu) -> dict[str, int]:
    shared = ("unpack", "pm", "pack", "sf", "ws", "raddr_a", "raddr_b")
    fields = {name: getattr(alu, name) for name in shared}
    for name, half in (("add", alu.add), ("mul", alu.mul)):
        fields[f"op_{name}"], fields[f"waddr_{name}"], fields[f"cond_{name}"] = half.op, half.waddr, half.cond
        fields[f"{name}_a"], fields[f"{name}_b"] = half.a, half.b
    fields["sig"] = alu.signal
    return fields


@lru_cache(maxsize=4096)
def decode(word: int) -> Instruction:
    """The instruction that a word is."""
    form = format_of(word)
    fields = form.decode(word)
    signal = fields.pop("sig")
    if form is LOAD_FORMAT:
        return Load(**fields)
    if form is BRANCH_FORMAT:
        return Branch(**fields)
    add, mul = _half("add", fields), _half("mul", fields)
    return Alu(add, mul, signal, **fields)


def _half(name: str, fields: dict[str, int]) -> Half:
    """One half; its fields are taken out of `fields`."""
    return Half(
        fields.pop(f"op_{name}"),
        fields.pop(f"waddr_{name}"),
        fields.pop(f"{name}_a"),
        fields.pop(f"{name}_b"),
        fields.pop(f"cond_{name}"),
    )
