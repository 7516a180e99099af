"""A small machine to select for, and IR to select."""

from __future__ import annotations

from typing import ClassVar

from glslc_multi.compiler.codegen.machine import MachineFunction, MachineInstruction, MachineOp, Use
from glslc_multi.compiler.codegen.operands import Modifiers
from glslc_multi.compiler.codegen.registers import RegisterClass, RegisterFile
from glslc_multi.compiler.codegen.selection.emitter import Emitter, SelectionTarget
from glslc_multi.compiler.codegen.selection.rules import RuleSet
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Instruction, Module
from glslc_multi.compiler.ir.types import vector
from glslc_multi.compiler.ir.variables import Variable


class Machine(SelectionTarget):
    """Operations of one and two sources; `RCP` computes one number, `KIL` none."""

    values = RegisterClass.of("any", RegisterFile("r", 16))
    modifiers = Modifiers(negate=True)
    operations: ClassVar = {
        **{name: MachineOp(name, "each", ("each", "each")) for name in ("ADD", "MUL", "MAX", "MOV")},
        "RCP": MachineOp("RCP", "replicate", ("slots",)),
        "KIL": MachineOp("KIL", "none", ("slots",), effect=True),
    }
    move = operations["MOV"]

    def __init__(self, rules: RuleSet[Emitter[Machine]]) -> None:
        self.rules = rules


class Bench:
    """A function to build IR in, and an emitter that has made nothing yet."""

    def __init__(self, *rows: str) -> None:
        self.module = Module("fragment")
        self.builder = Builder(self.module.add_function("main").add_block("entry"))
        self.rules: RuleSet[Emitter[Machine]] = RuleSet(*rows)
        self.emitter = Emitter(Machine(self.rules), MachineFunction("main"))

    def value(self, name: str, width: int = 1, kind: str = "float") -> Instruction:
        type = vector(kind, width)  # type: ignore[arg-type]
        return self.builder.load(self.module.add_variable(Variable(name, "uniform", type)))

    def selected(self, instruction: Instruction) -> list[str]:
        """What the rules make of an instruction, and nothing of its operands."""
        self.emitter.made = []
        if instruction.type.width:
            # Someone reads it.
            self.emitter.register(instruction)
        self.rules.select(self.emitter, instruction)
        return [self._text(made) for made in self.emitter.made]

    def _text(self, made: MachineInstruction) -> str:
        targets = [f"{target.register}.{_lanes(target.lanes)} = " for target in made.defs]
        return "".join(targets) + f"{made.op.name} " + ", ".join(map(_source, made.uses))


def _source(use: Use) -> str:
    return f"{'-' * use.negate}{use.register}.{_lanes(use.lanes)}"


def _lanes(lanes: tuple[int | None, ...]) -> str:
    return "".join("_" if lane is None else "xyzw"[lane] for lane in lanes)
