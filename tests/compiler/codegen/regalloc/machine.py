"""A small machine for the tests of register allocation, and random programs for it."""

from __future__ import annotations

import random

from glslc_multi.compiler.codegen.machine import (
    Def,
    Literal32,
    MachineBlock,
    MachineFunction,
    MachineInstruction,
    MachineOp,
    Use,
    VirtualRegister,
)
from glslc_multi.compiler.codegen.regalloc import RegisterModel
from glslc_multi.compiler.codegen.registers import RegisterClass, RegisterFile
from glslc_multi.compiler.records import dataclass

R = RegisterFile("r", 12)
V = RegisterFile("v", 4, writable=False)
O = RegisterFile("o", 4, readable=False)  # noqa: E741
TEMPORARIES = RegisterClass.of("temporary", R)

MOV = MachineOp("mov", "each", ("each",), copy=True)
CONST = MachineOp("const", "each", ("each",))
ADD = MachineOp("add", "each", ("each", "each"))
DOT = MachineOp("dot", "replicate", ("slots", "slots"))
NORMALIZE = MachineOp("normalize", "fixed", ("slots",))
LOOKUP = MachineOp("lookup", "fixed", ("fixed",))
CROSS = MachineOp("cross", "fixed", ("fixed", "fixed"), early_clobber=True)
INSERT = MachineOp("insert", "each", ("each", "each"), tied=((0, 0),))
MATRIX = MachineOp("matrix", "fixed", ("slots", "fixed", "fixed"), early_clobber=True)
OUT = MachineOp("out", "none", ("slots",), effect=True)
BRANCH = MachineOp("branch", "none", ("slots",), effect=True, terminator=True)


class Model(RegisterModel):
    """The machine's moves."""

    target = "toy"
    resource = "registers"

    def copy(self, target: Def, source: Use) -> MachineInstruction:
        return MachineInstruction(MOV, [target], [source])


def function_of(*instructions: MachineInstruction) -> MachineFunction:
    """A function of one block."""
    function = MachineFunction("main")
    block = function.add_block("entry")
    block.instructions.extend(instructions)
    return function


@dataclass(slots=True)
class Shape:
    """What a random program is made of."""

    blocks: int = 4
    instructions: int = 8
    #: How many registers may be read at a time.
    pool: int = 6
    constraints: bool = True


class Programs:
    """A generator of random programs."""

    def __init__(self, seed: int, shape: Shape) -> None:
        self.random = random.Random(seed)
        self.shape = shape
        self.function = MachineFunction("main")
        self.registers: list[VirtualRegister] = []

    def make(self) -> MachineFunction:
        blocks = [self.function.add_block(f"b{index}") for index in range(self.shape.blocks)]
        for index, block in enumerate(blocks):
            for _ in range(self.random.randrange(1, self.shape.instructions)):
                block.append(self._instruction())
            self._leave(block, blocks, index)
        self._observe(blocks[-1])
        return self.function

    def _leave(self, block: MachineBlock, blocks: list[MachineBlock], index: int) -> None:
        """Branch forwards, and sometimes backwards."""
        if index + 1 == len(blocks):
            return
        block.successors = [blocks[index + 1]]
        if self.random.random() < 0.6:
            other = self.random.choice(blocks[max(1, index - 2) :] if index > 0 else blocks[1:])
            if other is not block.successors[0]:
                block.successors.append(other)
                block.append(MachineInstruction(BRANCH, [], [self._use(1)], targets=[other]))

    def _observe(self, block: MachineBlock) -> None:
        for register in self.registers[-3:]:
            block.append(MachineInstruction(OUT, [], [Use(register, tuple(range(register.width)))]))

    def _register(self) -> VirtualRegister:
        """A register to write: a new one, or one of the pool."""
        if self.registers and (len(self.registers) > 2 * self.shape.pool or self.random.random() < 0.4):
            return self.random.choice(self.registers[-self.shape.pool :])
        ordered = self.random.random() < 0.1
        register = self.function.new_register(self.random.randrange(1, 5), TEMPORARIES, ordered=ordered)
        self.registers.append(register)
        return register

    def _lanes(self, count: int, width: int) -> tuple[int, ...]:
        return tuple(self.random.randrange(width) for _ in range(count))

    def _use(self, count: int) -> Use:
        if not self.registers or self.random.random() < 0.2:
            return Use(V[self.random.randrange(4)], self._lanes(count, 4))
        register = self.random.choice(self.registers[-self.shape.pool :])
        return Use(register, self._lanes(count, register.width), negate=self.random.random() < 0.1)

    def _target(self) -> Def:
        register = self._register()
        count = self.random.randrange(1, register.width + 1)
        return Def(register, tuple(self.random.sample(range(register.width), count)))

    def _instruction(self) -> MachineInstruction:
        kinds = ["mov", "mov", "mov", "add", "add", "const", "dot", "out"]
        if self.shape.constraints:
            kinds += ["normalize", "lookup", "cross", "insert", "matrix"]
        return getattr(self, f"_{self.random.choice(kinds)}")()  # type: ignore[no-any-return]

    def _mov(self) -> MachineInstruction:
        uses = self._use(0)
        target = self._target()
        source = self._use(len(target.lanes))
        source.negate = uses.negate
        conditional = self.random.random() < 0.15
        return MachineInstruction(MOV, [target], [source], conditional=conditional)

    def _add(self) -> MachineInstruction:
        target = self._target()
        uses = [self._use(len(target.lanes)), self._use(len(target.lanes))]
        return MachineInstruction(ADD, [target], uses, conditional=self.random.random() < 0.15)

    def _const(self) -> MachineInstruction:
        target = self._target()
        values = tuple(float(self.random.randrange(9)) for _ in target.lanes)
        return MachineInstruction(CONST, [target], [Use(Literal32(values), tuple(range(len(values))))])

    def _dot(self) -> MachineInstruction:
        uses = [self._use(3), self._use(3)]
        return MachineInstruction(DOT, [self._target()], uses)

    def _out(self) -> MachineInstruction:
        return MachineInstruction(OUT, [], [self._use(self.random.randrange(1, 5))])

    def _fixed(self, op: MachineOp, counts: tuple[int, ...]) -> MachineInstruction:
        uses = [self._use(count) for count in counts]
        for use, mode in zip(uses, op.sources, strict=True):
            if mode == "fixed" and not isinstance(use.register, VirtualRegister):
                use.lanes = tuple(range(len(use.lanes)))
        register = self._register()
        return MachineInstruction(op, [Def(register, tuple(range(register.width)))], uses)

    def _normalize(self) -> MachineInstruction:
        return self._fixed(NORMALIZE, (3,))

    def _lookup(self) -> MachineInstruction:
        return self._fixed(LOOKUP, (2,))

    def _cross(self) -> MachineInstruction:
        return self._fixed(CROSS, (3, 3))

    def _matrix(self) -> MachineInstruction:
        return self._fixed(MATRIX, (3, 3, 3))

    def _insert(self) -> MachineInstruction:
        target = self._target()
        count = len(target.lanes)
        return MachineInstruction(INSERT, [target], [self._use(count), self._use(count)])
