"""The uniforms of a compiled program, as its host sees them: each once, whichever stages read it.

In: the stages of a program.  Out: a `HostUniform` for every name that a value may be given for, in the order of the
register maps, and what preambles compute.  A uniform that only a preamble reads has no places.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from glslc_multi.compiler.artifact import Artifact, Binding
from glslc_multi.compiler.ir.declarations import Number, first_values
from glslc_multi.compiler.ir.variables import PREAMBLE, Variable
from glslc_multi.compiler.records import dataclass, replace


@dataclass(frozen=True, slots=True)
class HostUniform:
    """A uniform: its name in the register map, its type in GLSL, and who wants to know of a new value."""

    name: str
    type: str
    length: int | None
    default: tuple[Number, ...] | None
    #: Stage -> its registers.
    places: Mapping[str, Binding]
    #: Stages whose preambles read it.
    preambles: tuple[str, ...]


def host_uniforms(
    stages: Mapping[str, Artifact], input_spaces: frozenset[str] = frozenset()
) -> tuple[HostUniform, ...]:
    """What can be set; `input_spaces` are those where built-in inputs are registers that the host sets, too."""
    uniforms: dict[str, HostUniform] = {}
    for stage, artifact in stages.items():
        computed = {binding.name for binding in computed_of(artifact)}
        for binding in (b for b in _bindings(artifact, input_spaces) if b.name not in computed):
            uniform = uniforms.get(binding.name) or _uniform(binding)
            uniforms[binding.name] = replace(uniform, places={**uniform.places, stage: binding})
        for binding in read_by_preamble(artifact):
            read = uniforms.get(binding.name) or _uniform(binding)
            uniforms[binding.name] = replace(read, preambles=(*read.preambles, stage))
    return tuple(uniforms.values())


def computed_of(artifact: Artifact) -> tuple[Binding, ...]:
    """The registers of what the preamble computes."""
    names = {variable.name for variable in preamble_variables(artifact, computed=True)}
    return tuple(binding for binding in artifact.reflection.uniforms if binding.name in names)


def preamble_variables(artifact: Artifact, *, computed: bool) -> Iterator[Variable]:
    """What the preamble computes, or what it reads."""
    variables: Iterable[Variable] = () if artifact.preamble is None else artifact.preamble.variables.values()
    return (variable for variable in variables if (variable.role == PREAMBLE) is computed)


def read_by_preamble(artifact: Artifact) -> Iterator[Binding]:
    """The uniforms that the preamble reads, which it may be the only one to do: without registers."""
    defaults = first_values(() if artifact.preamble is None else artifact.preamble.declarations)
    for variable in preamble_variables(artifact, computed=False):
        length = variable.length if variable.is_array else None
        yield Binding(variable.name, variable.outer_type, length, (), defaults.get(variable.name))


def _bindings(artifact: Artifact, input_spaces: frozenset[str]) -> Iterator[Binding]:
    yield from artifact.reflection.uniforms
    for binding in artifact.reflection.inputs:
        if {location.space for location in binding.locations} <= input_spaces:
            yield binding


def _uniform(binding: Binding) -> HostUniform:
    return HostUniform(binding.name, binding.type, binding.length, binding.default, {}, ())
