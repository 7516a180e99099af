"""Registers of inputs, of what the block of constants computes and of temporaries (section 13 of the reference).

In: what a shader takes from the scene, and its pins.  Out: an `Interface`, planned before legalization, which leaves as
many results to the block of constants as registers are free, and settled after it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from glslc_multi.backends.theia.codegen.machine_ops import ALPHA, FILE
from glslc_multi.backends.theia.codegen.rewrites.scene_inputs import SceneInputs
from glslc_multi.backends.theia.codegen.rows.layout import row_count
from glslc_multi.backends.theia.codegen.settings import Settings
from glslc_multi.backends.theia.isa.conventions import CONSTANTS, DEPTH, TARGET_NAME, TEMPORARIES, VARYINGS
from glslc_multi.backends.theia.isa.registers import RESERVED
from glslc_multi.compiler.codegen.interface import placed
from glslc_multi.compiler.codegen.registers import Register, RegisterClass
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.limits import UNFED_INPUT
from glslc_multi.compiler.diagnostics.limit import Limit
from glslc_multi.compiler.ir.module import Instruction, Module
from glslc_multi.compiler.ir.variables import PREAMBLE, Variable
from glslc_multi.compiler.records import dataclass, field


@dataclass(slots=True)
class Interface:
    """Where a shader finds its inputs and may keep its values."""

    scene: SceneInputs
    #: The first constant register of uniforms that have one of their own.
    pins: dict[Variable, int]
    temporaries: RegisterClass
    #: First register of each input.
    inputs: dict[Variable, int] = field(default_factory=dict)
    #: Those of them that the host loads.
    preloaded: list[Variable] = field(default_factory=list)
    #: What the block of constants computes, each in a constant register.
    results: dict[Variable, Register] = field(default_factory=dict)

    @property
    def free_constants(self) -> list[int]:
        """The constant registers that nothing needs yet."""
        taken = {first + row for variable, first in self.pins.items() for row in range(row_count(variable))}
        taken.update(register.index for register in self.results.values())
        depth = {DEPTH} & {*(self.inputs or self.scene.rows).values()}
        return [index for index in CONSTANTS if index not in taken | depth]

    def input_rows(self) -> dict[Variable, int]:
        """First register of inputs and results."""
        return self.inputs | {variable: register.index for variable, register in self.results.items()}

    def registers(self) -> list[Register]:
        """All registers with inputs."""
        return [FILE[first + row] for variable, first in self.inputs.items() for row in range(row_count(variable))]

    def assign_registers(self, module: Module, sink: DiagnosticSink) -> None:
        """Find registers for what the legalised module reads and computes; too many varyings are reported."""
        read = {i.address.variable for i in module.main.instructions() if i.op.name == "load"}
        computed = [store.address.variable for store in _preamble_stores(module)]
        self.results = {variable: FILE[index] for variable, index in zip(computed, self.free_constants, strict=False)}
        self.inputs = {variable: register for variable, register in self.scene.rows.items() if variable in read}
        varyings = [v for v in module.variables.values() if v in read and v.storage in ("varying", "input")]
        self.preloaded = [variable for variable in varyings if variable not in self.inputs]
        first = _varying_rows(
            {variable: row_count(variable) for variable in self.preloaded}, self.inputs.values(), sink
        )
        for variable, register in first.items():
            sink.report(UNFED_INPUT, variable.span, target=TARGET_NAME, name=variable.name, register=register)
        self.inputs |= first


def plan(scene: SceneInputs, pins: dict[Variable, int], settings: Settings) -> Interface:
    """What is known before the module is legalised."""
    reserved = RESERVED[settings.variant] | ({ALPHA.index} if settings.raw else set())
    registers = [FILE[index] for index in TEMPORARIES if index not in reserved]
    return Interface(scene, pins, RegisterClass("temporary", tuple(registers)))


def _preamble_stores(module: Module) -> list[Instruction]:
    preamble = module.functions.get(PREAMBLE)
    return [] if preamble is None else [i for i in preamble.instructions() if i.op.name == "store"]


def _varying_rows(varyings: Iterable[Variable], taken: Collection[int], sink: DiagnosticSink) -> dict[Variable, int]:
    """Return the first of the rows of each varying, which follow each other; too many are reported and raised."""
    sizes = {variable: row_count(variable) for variable in varyings}
    free = [register for register in VARYINGS if register not in taken]
    between = {*range(VARYINGS[0], VARYINGS[-1])} - {*free}
    first = placed(sizes, {}, between, VARYINGS[0])
    beyond = next((variable for variable in first if first[variable] + sizes[variable] - 1 > VARYINGS[-1]), None)
    if beyond is not None:
        # Rows that lie apart may be lost.
        need = max(sum(sizes.values()), len(free) + 1)
        Limit(TARGET_NAME, "rows of varyings", len(free)).report(need, beyond.span, sink)
        sink.raise_if_errors()
    return first
