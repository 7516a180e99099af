"""IR to words of the stack machine: single numbers, computed when they are first needed and kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from glslc_multi.compiler.analysis.component_sources import source
from glslc_multi.compiler.artifact import Artifact, Binding, Reflection, Stats
from glslc_multi.compiler.codegen.interface import Column, columns_of, in_order
from glslc_multi.compiler.codegen.phases import CodeGenerator
from glslc_multi.compiler.codegen.reflection import bindings
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.limits import NOT_EXPRESSIBLE
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Value
from glslc_multi.compiler.ir.module import Instruction as IrInstruction
from glslc_multi.compiler.isa.listing import Origins
from glslc_multi.compiler.lowering.builtins import LowerBuiltins
from glslc_multi.compiler.lowering.indexing import LowerIndexing
from glslc_multi.compiler.lowering.matrices import LowerMatrices, ProductForm
from glslc_multi.compiler.lowering.opcode_set import OpcodeSet
from glslc_multi.compiler.lowering.split import Scalarize
from glslc_multi.compiler.passes.base import PassContext
from glslc_multi.compiler.passes.pipeline import DCE, GVN, IF_CONVERT, MEM2REG, PROMOTE, SIMPLIFY_CFG, SROA, Pipeline
from glslc_multi.compiler.passes.runner import run_pipeline
from tests.plugins.stack.instructions import Instruction, disassemble, pack

_BUILTINS = LowerBuiltins(OpcodeSet("fneg.fmin.fmax"), lacks=OpcodeSet("fmad.fdiv"))
_LEGALIZE: Pipeline = (
    *(*PROMOTE, LowerIndexing(), SROA, MEM2REG, SIMPLIFY_CFG, IF_CONVERT, SIMPLIFY_CFG),
    *(LowerMatrices(ProductForm.MADS), _BUILTINS, Scalarize(), GVN, DCE),
)
_SIMPLE = {
    ops.FADD: ("add",),
    ops.FSUB: ("neg", "add"),
    ops.FMUL: ("mul",),
    ops.FNEG: ("neg",),
    ops.FMIN: ("min",),
    ops.FMAX: ("max",),
}
_SPACES = {"uniform": "uniform", "attribute": "input", "varying": "input", "input": "input"}


class StackGenerator(CodeGenerator[Mapping[str, Mapping[Column, int]], "Code", "Code"]):
    target = "stack"

    def legalize(self, sink: DiagnosticSink) -> None:
        run_pipeline(self.module, _LEGALIZE, PassContext(self.costs, self.options.precise))

    def plan(self, sink: DiagnosticSink) -> Mapping[str, Mapping[Column, int]]:
        """Number the columns of variables, those of each space from 0."""
        spaces: dict[str, list[Column]] = {}
        for variable in self.module.variables.values():
            space = "output" if variable.is_written_by(self.module.stage) else _SPACES.get(variable.storage)
            if space is None:
                sink.report(NOT_EXPRESSIBLE, variable.span, target="stack", construct=f"'{variable.name}'")
            else:
                spaces.setdefault(space, []).extend(columns_of(variable))
        return {space: in_order(columns) for space, columns in spaces.items()}

    def select(self, sink: DiagnosticSink) -> Code:
        code = Code({column: number for space in self.interface.values() for column, number in space.items()}, sink)
        for instruction in self.module.main.instructions():
            code.add(instruction)
        sink.raise_if_errors()
        return code

    def finalize(self, machine: Code, sink: DiagnosticSink) -> Code:
        return machine

    def judge(self, code: Code) -> Iterable[object]:
        return [] if code.words else ["there are no words"]

    def describe(self, code: Code) -> Artifact:
        def of(storage: str) -> tuple[Binding, ...]:
            spaces = self.interface.items()
            own = [(space, {c: n for c, n in numbers.items() if c[0].storage == storage}) for space, numbers in spaces]
            return tuple(each for space, numbers in own for each in bindings(space, numbers))

        hosts, others = (of("attribute"), of("uniform"), ()), (of("varying"), of("input"), of("output"))
        count = len(code.words)
        return Artifact(
            data := pack(code.words, code.numbers),
            partial(disassemble, data),
            Reflection("stack", self.module.stage, *hosts, *others, limits={"words": (count, 1000)}),
            Stats(count, count, len(code.kept), len(code.numbers)),
            origins=tuple(code.origins),
        )


class Code:
    """Words of the machine, in the order of the instructions."""

    def __init__(self, registers: Mapping[Column, int], sink: DiagnosticSink) -> None:
        self.registers, self.sink = registers, sink
        self.words: list[Instruction] = []
        self.numbers: list[float] = []
        self.origins: list[Origins] = []
        #: Value -> number of the temporary that holds it.
        self.kept: dict[Value, int] = {}

    def add(self, instruction: IrInstruction) -> None:
        """The words of an instruction that has an effect, or whose value is a number."""
        if instruction.op is ops.STORE:
            for component in range(instruction.operands[-1].type.width):
                self.push(instruction.operands[-1], component, instruction)
                self.word("output", self._number(instruction, component), instruction)
        elif instruction.op in _SIMPLE:
            for operand in instruction.operands:
                self.push(operand, 0, instruction)
            for name in _SIMPLE[instruction.op]:
                self.word(name, 0, instruction)
            self.kept[instruction] = len(self.kept)
            self.word("keep", self.kept[instruction], instruction)
        elif instruction.op is ops.RET:
            self.word("end", 0, instruction)
        elif instruction.op not in (ops.LOAD, ops.SWIZZLE, ops.CONSTRUCT, ops.INSERT):
            self.sink.report(NOT_EXPRESSIBLE, instruction.span, target="stack", construct=f"'{instruction.op.name}'")

    def push(self, value: Value, component: int, user: IrInstruction) -> None:
        """Put a component of a value on the stack."""
        if isinstance(value, Constant):
            number = float(value.components[component] or 0)
            if number not in self.numbers:
                self.numbers.append(number)
            self.word("const", self.numbers.index(number), user)
            return
        assert isinstance(value, IrInstruction)
        if value.op in (ops.SWIZZLE, ops.CONSTRUCT, ops.INSERT):
            self.push(*source(value, component), user)
        elif value.op is ops.LOAD:
            self.word(_SPACES[value.address.variable.storage], self._number(value, component), user)
        elif value in self.kept:
            self.word("take", self.kept[value], user)

    def word(self, name: str, argument: int, user: IrInstruction) -> None:
        self.words.append((name, argument))
        self.origins.append(() if user.span is None else (user.span,))

    def _number(self, access: IrInstruction, component: int) -> int:
        """Four numbers a register, an element and column of a variable each."""
        return 4 * self.registers[access.address.variable, access.address.offset, access.address.column] + component
