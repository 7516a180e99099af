"""IR to words of the stack machine: single numbers, computed when they are first needed and kept."""

from __future__ import annotations

from functools import partial

from compiler.analysis.component_sources import source
from compiler.artifact import Artifact, Binding, Location, Reflection, Stats
from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue.limits import NOT_EXPRESSIBLE
from compiler.ir import ops
from compiler.ir.module import Constant, Module, Value
from compiler.ir.module import Instruction as IrInstruction
from compiler.ir.variables import Variable
from compiler.isa.listing import Origins
from compiler.options import TargetOptions
from compiler.passes.base import CostModel, PassContext
from compiler.passes.pipeline_text import parse_pipeline
from compiler.passes.runner import run_pipeline
from tests.plugins.stack.instructions import Instruction, disassemble, pack

_LEGALIZE = (
    "inline,simplify-cfg,sroa,mem2reg,lower-indexing,sroa,mem2reg,simplify-cfg,if-convert,simplify-cfg,"
    "lower-matrices{to=mads},lower-builtins{keep=fneg.fmin.fmax,lacks=fmad.fdiv},scalarize,gvn,dce"
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


def generate(module: Module, costs: CostModel, options: TargetOptions, sink: DiagnosticSink) -> Artifact:
    run_pipeline(module, parse_pipeline(_LEGALIZE, DiagnosticSink()), PassContext(costs, options.precise))
    code = _Code(module, sink)
    for instruction in module.main.instructions():
        code.add(instruction)
    sink.raise_if_errors()
    data = pack(code.words, code.numbers)
    stats = Stats(len(code.words), len(code.words), len(code.kept), len(code.numbers))
    return Artifact(data, partial(disassemble, data), code.reflection(), stats, origins=tuple(code.origins))


class _Code:
    """A program under construction."""

    def __init__(self, module: Module, sink: DiagnosticSink) -> None:
        self.module, self.sink = module, sink
        self.words: list[Instruction] = []
        self.numbers: list[float] = []
        self.origins: list[Origins] = []
        #: Value -> number of the temporary that holds it.
        self.kept: dict[Value, int] = {}
        self.registers: dict[Variable, int] = {}
        count = dict.fromkeys(("uniform", "input", "output"), 0)
        for variable in module.variables.values():
            space = self._space(variable)
            if space is None:
                sink.report(NOT_EXPRESSIBLE, variable.span, target="stack", construct=f"'{variable.name}'")
                continue
            self.registers[variable] = count[space]
            count[space] += variable.length * variable.columns

    def _space(self, variable: Variable) -> str | None:
        return "output" if variable.is_written_by(self.module.stage) else _SPACES.get(variable.storage)

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
        address = access.address
        register = self.registers[address.variable] + address.offset * address.variable.columns + address.column
        return 4 * register + component

    def reflection(self) -> Reflection:
        def bindings(*storages: str) -> tuple[Binding, ...]:
            return tuple(self._binding(v) for v in self.registers if v.storage in storages)

        return Reflection(
            "stack",
            self.module.stage,
            attributes=bindings("attribute"),
            uniforms=bindings("uniform"),
            varyings=bindings("varying"),
            inputs=bindings("input"),
            outputs=bindings("output"),
            limits={"words": (len(self.words), 1000)},
        )

    def _binding(self, variable: Variable) -> Binding:
        space = self._space(variable)
        assert space is not None
        first, width = self.registers[variable], variable.type.width
        places = tuple(
            Location(space, first + number, "xyzw"[:width], "identity", *divmod(number, variable.columns))
            for number in range(variable.length * variable.columns)
        )
        type = f"mat{variable.columns}" if variable.is_matrix else "float" if width == 1 else f"vec{width}"
        return Binding(variable.name, type, variable.length if variable.is_array else None, places)
