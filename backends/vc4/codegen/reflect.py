"""The register map: how a driver binds a compiled shader.  `abi.py` lists the spaces.

Kinds of the uniform stream's words and the target's own keys are described in `docs/reflection.md`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from glslc_multi.backends.vc4.codegen.abi import ARRAYS, ATTRIBUTE_ROWS, SAMPLERS, TARGET_NAME, VARYINGS, Interface
from glslc_multi.backends.vc4.codegen.machine_ops import A, B
from glslc_multi.backends.vc4.codegen.selection.emitter import word_of
from glslc_multi.backends.vc4.codegen.stream import StreamSlot
from glslc_multi.backends.vc4.isa.container import unpack
from glslc_multi.backends.vc4.isa.encoding import decode
from glslc_multi.backends.vc4.isa.instructions import Signal
from glslc_multi.backends.vc4.isa.validate_driver import check
from glslc_multi.compiler.artifact import Artifact, Binding, Literal32, Location, Reflection, Transform
from glslc_multi.compiler.codegen.interface import all_columns, columns_of
from glslc_multi.compiler.codegen.reflection import binding, bindings, built_ins, letters_of, transform_of
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.variables import Variable

_WORD_BYTES = 4


def reflect(module: Module, interface: Interface, stream: Sequence[StreamSlot], registers: int) -> Reflection:
    """The register map of a shader, which uses so many registers."""
    is_fragment = interface.is_fragment
    first_row = 0 if is_fragment else interface.fixed_rows
    # A record has an array, even if nothing of it is used.
    least = 0 if is_fragment else 1
    varyings = {part: first_row + number for part, number in interface.varyings.items()}
    return Reflection(
        target=TARGET_NAME,
        stage=interface.stage,
        attributes=bindings("vpm_in", interface.rows),
        uniforms=tuple(_uniforms(interface, stream)),
        samplers=bindings("texture", all_columns(interface.samplers)),
        varyings=bindings("varying" if is_fragment else "vpm_out", varyings),
        inputs=built_ins(module, has_integers=True),
        outputs=tuple(_output(variable, interface) for variable in module.of_storage("output")),
        literals=tuple(_tables(interface)),
        stream=tuple((slot.kind, slot.source) for slot in stream),
        limits={
            "registers": (registers, (A.count + B.count) // interface.threads),
            "attribute_arrays": (max(least, len(interface.arrays)), ARRAYS.most),
            "attribute_rows": (max(least, len(interface.rows)), ATTRIBUTE_ROWS),
            "varyings": (len(interface.varyings), VARYINGS.most),
            "samplers": (sum(v.length for v in interface.samplers), SAMPLERS.most),
        },
        host_state={
            "primitive": interface.primitive,
            "point_size": interface.sizes,
            "depth": interface.depth,
            "threads": interface.threads,
            **_flat_varyings(interface),
        },
    )


def map_keys(interface: Interface, words: Sequence[int], stream: Sequence[StreamSlot]) -> dict[str, object]:
    """What a shader record and the driver's handles are made of: numbers of varyings or bytes of the arrays of
    attributes, and the requests to texture units in order of submission, with their words of the stream."""
    rows = Counter((variable, element, column) for variable, element, column, _ in interface.rows)
    slots = [(stream[request.words[0]], request.words) for request in check(words).requests]
    return {
        **(
            {"varyings_read": len(interface.varyings)}
            if interface.is_fragment
            else {"attribute_bytes": [_WORD_BYTES * count for count in rows.values()]}
        ),
        "requests": [
            {
                "kind": "buffer" if slot.kind == "buffer" else "texture",
                "source": slot.source,
                "words": list(parameters),
            }
            for slot, parameters in slots
        ],
    }


def lookups(artifact: Artifact) -> dict[int, list[str]]:
    """Numbers of the words that write parameters of a texture lookup or take its result, and the sampler's name."""
    words, stream = unpack(artifact.binary).words, artifact.reflection.stream
    places = ((sampler, location.element) for sampler in artifact.reflection.samplers for location in sampler.locations)
    names = {f"{each.name}[{element}]": each.element_name(element) for each, element in places}
    names_by_unit: dict[int, list[str]] = {}
    for unit, signal in enumerate((Signal.LDTMU0, Signal.LDTMU1)):
        requests = [request for request in check(words).requests if request.unit == unit]
        loads = [number for number, word in enumerate(words) if decode(word).signal == signal]
        # Results come in the order of the requests: where paths have loads of their own, that is not the order here.
        loads = loads if len(loads) == len(requests) else []
        for number, request in enumerate(requests):
            name = names.get(stream[request.words[0]][1])
            if name is not None:
                names_by_unit.update((place, [name]) for place in (*request.places, *loads[number : number + 1]))
    return names_by_unit


def _flat_varyings(interface: Interface) -> dict[str, int]:
    """The varyings that the primitive setup is not to interpolate, as bits of a word, where there are any."""
    flat = sum(1 << number for part, number in interface.varyings.items() if part[0].is_flat)
    return {"flat_varyings": flat} if flat else {}


def _uniforms(interface: Interface, stream: Sequence[StreamSlot]) -> Iterator[Binding]:
    """Words of the stream, and arrays in memory."""
    locations: dict[Variable, list[Location]] = {}

    def bind(variable: Variable, space: str, word: int, element: int, column: int, component: int) -> None:
        transform = transform_of(variable, has_integers=True)
        location = Location(space, word, "x", transform, element, column, component)
        locations.setdefault(variable, []).append(location)

    for word, slot in enumerate(stream):
        if slot.uniform is not None:
            bind(slot.uniform.variable, "stream", word, slot.uniform.offset, slot.uniform.column, slot.component)
    for variable, element, column, component, word in _buffer_words(interface):
        if variable not in interface.tables:
            bind(variable, "buffer", word, element, column, component)
    return (binding(variable, each) for variable, each in locations.items())


def _tables(interface: Interface) -> Iterator[Literal32]:
    """List the words of tables of constants; what the shader does not define is 0."""
    for variable, element, column, component, word in _buffer_words(interface):
        if variable in interface.tables:
            value = interface.tables[variable].get((element, column))
            number = None if value is None else value.components[component]
            yield Literal32(Location("buffer", word, "x"), (word_of(number),))


def _buffer_words(interface: Interface) -> Iterator[tuple[Variable, int, int, int, int]]:
    """List the components in memory, each with its word."""
    for (variable, only, component), first in interface.buffers.items():
        columns = [column for column in columns_of(variable) if only in (None, column[2])]
        for word, (_, element, column) in enumerate(columns, first):
            yield variable, element, column, component, word


def _output(variable: Variable, interface: Interface) -> Binding:
    """Where an output can be read; no row has the position of a vertex shader as it was stored."""
    letters = letters_of(variable)
    if interface.is_fragment:
        is_depth = variable.role == "frag_depth"
        if is_depth and not interface.raw:
            return binding(variable, [])
        transform: Transform = "identity" if interface.raw else "unorm8"
        return binding(variable, [Location("tlb", int(is_depth), letters, transform)])
    if variable.role == "position" and interface.stage == "coordinate":
        return binding(variable, [Location("vpm_out", n, "x", first=n) for n in range(4)])
    if variable.role == "point_size" and interface.sizes:
        return binding(variable, [Location("vpm_out", interface.fixed_rows - 1, "x")])
    return binding(variable, [])
