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

from backends.theia.constants import Patch
from backends.theia.interface import element_rows, row_count
from backends.theia.machine_ops import ALPHA, FILE
from backends.theia.registers import RESERVED, Variant
from backends.theia.scene_inputs import DEPTH, SOURCES, SceneInputs
from compiler.artifact import Binding, Location
from compiler.codegen.registers import RegisterClass
from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue.limits import RESOURCE_EXCEEDED, UNFED_INPUT
from compiler.ir.module import Module
from compiler.ir.variables import Variable
from compiler.records import dataclass

TARGET_NAME = "theia"
_LETTERS = "xyz"
#: Rows that unbound varyings take, in this order.
PRELOAD = (*range(86, 98), *range(99, 108))
_TEMPORARIES = (*range(71, 83), *range(84, 108), 110, *range(112, 119))


@dataclass(frozen=True, slots=True)
class Interface:
    """Where a shader finds its inputs and may keep its values."""

    #: First register of each input.
    inputs: dict[Variable, int]
    #: Those of them that the host loads.
    preloaded: tuple[Variable, ...]
    temporaries: RegisterClass
    scene: SceneInputs


def plan(module: Module, scene: SceneInputs, *, raw: bool, variant: Variant, sink: DiagnosticSink) -> Interface:
    """Registers for what the shader reads; too many varyings are reported."""
    read = {i.address.variable for i in module.main.instructions() if i.op.name == "load"}
    inputs = {variable: register for variable, register in scene.rows.items() if variable in read}
    free = [register for register in PRELOAD if register not in inputs.values()]
    preloaded = [
        v for v in module.variables.values() if v in read and v.storage in ("varying", "input") and v not in inputs
    ]
    taken = 0
    for variable in preloaded:
        taken = _run_of(free, taken, row_count(variable))
        if taken + row_count(variable) > len(free):
            need = sum(map(row_count, preloaded))
            sink.report(
                RESOURCE_EXCEEDED,
                variable.span,
                target=TARGET_NAME,
                need=need,
                limit=len(free),
                what="rows of varyings",
            )
            sink.raise_if_errors()
        inputs[variable] = free[taken]
        sink.report(UNFED_INPUT, variable.span, target=TARGET_NAME, name=variable.name, register=free[taken])
        taken += row_count(variable)
    reserved = RESERVED[variant] | ({ALPHA.index} if raw else set())
    homes = [FILE[index] for index in _TEMPORARIES if index not in reserved]
    return Interface(inputs, tuple(preloaded), RegisterClass("temporary", tuple(homes)), scene)


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
    uniforms = [variable for variable in module.variables.values() if variable.storage == "uniform"]
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
