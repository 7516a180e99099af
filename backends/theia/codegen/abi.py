"""Registers of inputs and outputs, and the reflection that tells a host what goes where (section 13 of the
machine's reference).

| space | index | what |
| --- | --- | --- |
| `row` | a register | a varying that the host loads before each pixel |
| `scene` | number of a source in `scene_inputs.py` | a value that the chip computes itself; a simulator sets its rows |
| `code` | address of an instruction | a uniform's component, the immediate value of that instruction |
| `texture` | 0 | the texture: words in texture memory, its size in register 5 |
| `output` | 0 | the pixel: what `OMWRITE` stores, and register 98 as alpha with `--output=raw` |
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from backends.theia.codegen.interface import Patch, element_rows, row_count
from backends.theia.codegen.machine_ops import ALPHA, FILE
from backends.theia.codegen.scene_inputs import DEPTH, SOURCES, SceneInputs
from backends.theia.codegen.settings import Settings
from backends.theia.isa.registers import RESERVED
from compiler.artifact import Binding, Location
from compiler.codegen.registers import Register, RegisterClass
from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue.limits import RESOURCE_EXCEEDED, UNFED_INPUT
from compiler.ir.module import Instruction, Module
from compiler.ir.variables import PREAMBLE, Variable
from compiler.records import dataclass, field

TARGET_NAME = "theia"
_LETTERS = "xyz"
#: Rows that unbound varyings take, in this order.
PRELOAD = (*range(86, 98), *range(99, 108))
_TEMPORARIES = (*range(71, 83), *range(84, 108), 110, *range(112, 119))


#: C1 to C7, which keep what the block of constants puts there.
CONSTANTS = range(64, 71)


@dataclass(slots=True)
class Interface:
    """Where a shader finds its inputs and may keep its values."""

    scene: SceneInputs
    #: The first constant register of uniforms that have a place of their own.
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

    def places(self) -> dict[Variable, int]:
        """First register of all that is found in registers."""
        return self.inputs | {variable: register.index for variable, register in self.results.items()}

    def registers(self) -> list[Register]:
        """All registers with inputs."""
        return [FILE[first + row] for variable, first in self.inputs.items() for row in range(row_count(variable))]

    def settle(self, module: Module, sink: DiagnosticSink) -> None:
        """Find registers for what the legalised module reads and computes; too many varyings are reported."""
        read = {i.address.variable for i in module.main.instructions() if i.op.name == "load"}
        computed = [store.address.variable for store in _preamble_stores(module)]
        self.results = {variable: FILE[index] for variable, index in zip(computed, self.free_constants, strict=False)}
        self.inputs = {variable: register for variable, register in self.scene.rows.items() if variable in read}
        free = [register for register in PRELOAD if register not in self.inputs.values()]
        varyings = [v for v in module.variables.values() if v in read and v.storage in ("varying", "input")]
        self.preloaded = [variable for variable in varyings if variable not in self.inputs]
        taken = 0
        for variable in self.preloaded:
            taken = _run_of(free, taken, row_count(variable))
            if taken + row_count(variable) > len(free):
                _report_varyings(self.preloaded, variable, len(free), sink)
            self.inputs[variable] = free[taken]
            sink.report(UNFED_INPUT, variable.span, target=TARGET_NAME, name=variable.name, register=free[taken])
            taken += row_count(variable)


def plan(scene: SceneInputs, pins: dict[Variable, int], settings: Settings) -> Interface:
    """What is known before the module is legalised."""
    reserved = RESERVED[settings.variant] | ({ALPHA.index} if settings.raw else set())
    homes = [FILE[index] for index in _TEMPORARIES if index not in reserved]
    return Interface(scene, pins, RegisterClass("temporary", tuple(homes)))


def _preamble_stores(module: Module) -> list[Instruction]:
    preamble = module.functions.get(PREAMBLE)
    return [] if preamble is None else [i for i in preamble.instructions() if i.op.name == "store"]


def _report_varyings(varyings: Sequence[Variable], last: Variable, limit: int, sink: DiagnosticSink) -> None:
    need = sum(map(row_count, varyings))
    sink.report(RESOURCE_EXCEEDED, last.span, target=TARGET_NAME, need=need, limit=limit, what="rows of varyings")
    sink.raise_if_errors()


def _run_of(free: Sequence[int], start: int, count: int) -> int:
    """The first place from `start` on where `count` registers follow each other."""
    while start + count <= len(free) and free[start + count - 1] - free[start] != count - 1:
        start += 1
    return start


# -------------------------------------------------------------------------------------------- reflection
def input_bindings(module: Module, interface: Interface) -> tuple[tuple[Binding, ...], tuple[Binding, ...]]:
    """Varyings, and built-in inputs."""
    bindings: dict[Variable, Binding] = {}
    for variable in interface.preloaded:
        bindings[variable] = _binding(variable, _row_locations(variable, interface.inputs[variable]))
    for variable, name in interface.scene.sources.items():
        letters = "xyzw"[: variable.type.width]
        places = [Location("scene", list(SOURCES).index(name), letters, "q17")]
        if name == "FragCoord" and DEPTH in interface.inputs.values():
            places.append(Location("row", DEPTH, "xy", "q17", first=2))
        bindings[variable] = _binding(variable, places)
    ordered = [variable for variable in module.variables.values() if variable in bindings]
    varyings = tuple(bindings[v] for v in ordered if v.storage == "varying")
    return varyings, tuple(bindings[v] for v in ordered if v.storage == "input")


def _row_locations(variable: Variable, first: int) -> list[Location]:
    """A location for each run of components of one column; one that fills a row is there three times."""
    locations = []
    rows = element_rows(variable)
    for element in range(variable.length):
        for number, parts in enumerate(rows):
            register = first + element * len(rows) + number
            for lane, part in enumerate(parts):
                if part is not None:
                    column, component = part
                    locations.append(Location("row", register, _LETTERS[lane], "q17", element, column, component))
    return locations


def uniform_bindings(module: Module, interface: Interface, sites: Iterable[tuple[int, Patch]]) -> tuple[Binding, ...]:
    """Every uniform with the addresses of the instructions that hold it, none for one that is not used."""
    locations: dict[Variable, list[Location]] = {}
    for address, patch in sites:
        transform = "transpose" if patch.variable.layout == "rows" else "q17"
        place = Location("code", address, "x", transform, patch.element, patch.column, patch.component)  # type: ignore[arg-type]
        locations.setdefault(patch.variable, []).append(place)
    for variable, name in interface.scene.sources.items():
        if variable.storage == "uniform":
            place = Location("scene", list(SOURCES).index(name), "xyzw"[: variable.type.width], "q17")
            locations[variable] = [place]
    shown = [variable for variable in module.variables.values() if variable not in interface.results]
    uniforms = [variable for variable in shown if variable.storage == "uniform"]
    return tuple(_binding(variable, locations.get(variable, [])) for variable in uniforms)


def output_bindings(module: Module, *, raw: bool) -> tuple[Binding, ...]:
    letters = "xyzw" if raw else "xyz"
    outputs = [v for v in module.variables.values() if v.storage == "output" and v.role in ("frag_color", "frag_data")]
    return tuple(_binding(variable, [Location("output", 0, letters, "q17")]) for variable in outputs)


def sampler_bindings(module: Module) -> tuple[Binding, ...]:
    """The one texture, where it is sampled."""
    sampled = {i.address for i in module.main.instructions() if i.op.name == "texture"}
    return tuple(
        _binding(address.variable, [Location("texture", 0, "", element=address.offset)]) for address in sampled
    )


def _binding(variable: Variable, locations: Sequence[Location]) -> Binding:
    kind = variable.source_kind or variable.type.kind
    name = f"mat{variable.columns}" if variable.is_matrix else variable.type.with_kind(kind).name
    return Binding(variable.name, name, variable.length if variable.is_array else None, tuple(locations))
