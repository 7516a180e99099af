"""How the time of register allocation, its check included, grows with the program.

    python -m benchmarks.register_allocation [--sizes 250,1000,4000] [--rounds 3]

The programs are straight code of vectors and copies with about eight values alive.  The last column is the time for
one instruction against that of the smallest program: 1 means linear growth.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable

from benchmarks.harness import compare
from glslc_multi.compiler.codegen.machine import (
    Def,
    MachineFunction,
    MachineInstruction,
    MachineOp,
    Use,
    VirtualRegister,
)
from glslc_multi.compiler.codegen.regalloc import RegisterModel, allocate
from glslc_multi.compiler.codegen.registers import RegisterClass, RegisterFile
from glslc_multi.compiler.diagnostics import DiagnosticSink

_REGISTERS = RegisterFile("r", 16)
_CLASS = RegisterClass.of("r", _REGISTERS)
_MOVE = MachineOp("mov", "each", ("each",), copy=True)
_ADD = MachineOp("add", "each", ("each", "each"))
_OUT = MachineOp("out", "none", ("slots",), effect=True)
_ALIVE = 8


class _Model(RegisterModel):
    def copy(self, target: Def, source: Use) -> MachineInstruction:
        return MachineInstruction(_MOVE, [target], [source])


def program(size: int) -> MachineFunction:
    """`size` instructions of one block; one in five is a copy."""
    choose = random.Random(size)
    function = MachineFunction("main")
    function.live_in[_REGISTERS[0]] = (0, 1, 2, 3)
    block = function.add_block("entry")
    alive: list[VirtualRegister] = [function.new_register(4, _CLASS)]
    block.append(MachineInstruction(_MOVE, [Def(alive[0], (0, 1, 2, 3))], [Use(_REGISTERS[0], (0, 1, 2, 3))]))
    for number in range(size):
        target = function.new_register(choose.randrange(1, 5), _CLASS)
        sources = [choose.choice(alive) for _ in range(1 if number % 5 == 0 else 2)]
        uses = [Use(source, tuple(k % source.width for k in range(target.width))) for source in sources]
        definition = Def(target, tuple(range(target.width)))
        block.append(MachineInstruction(_MOVE if number % 5 == 0 else _ADD, [definition], uses))
        alive = [*alive, target][-_ALIVE:]
    block.append(MachineInstruction(_OUT, [], [Use(alive[-1], (0,))]))
    return function


def work(size: int) -> Callable[[], None]:
    """Making and allocating one program."""

    def run() -> None:
        allocate(program(size), _Model(), DiagnosticSink())

    return run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="250,1000,4000")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    sizes = [int(size) for size in arguments.sizes.split(",")]
    timings = compare({str(size): work(size) for size in sizes}, rounds=arguments.rounds)
    print("instructions   ratio   ratio an instruction")
    for size, timing in zip(sizes, timings, strict=True):
        print(f"{size:12}  {timing.ratio:6.2f}  {timing.ratio * sizes[0] / size:6.2f}")


if __name__ == "__main__":
    main()
