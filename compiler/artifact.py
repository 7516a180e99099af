"""What a compilation yields, as pure data: machine code, its text, how to bind it, what it costs.

`Reflection` tells a loader where every named value goes.  Its fields are a contract with loaders: a
change of meaning raises `REFLECTION_VERSION`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from compiler.diagnostics import Diagnostic

REFLECTION_VERSION = 1

#: What the loader does to a value on its way into a register.
Transform = Literal["identity", "transpose", "int-to-float", "f24", "q17"]


@dataclass(frozen=True, slots=True)
class Location:
    """One place that holds (a part of) a named value."""

    #: Name of a register file or stream of the target.
    space: str
    index: int
    #: Letters of the components used, in the order of the value's own.
    components: str
    transform: Transform = "identity"


@dataclass(frozen=True, slots=True)
class Binding:
    """A named value of the shader and its places; a uniform may live in several."""

    name: str
    type: str
    #: Length of an array, None for a plain value.
    length: int | None
    locations: tuple[Location, ...]


@dataclass(frozen=True, slots=True)
class Literal32:
    """A constant of the program that the loader must upload, as 32-bit patterns."""

    location: Location
    words: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Reflection:
    """How to bind a compiled shader."""

    target: str
    stage: str
    attributes: tuple[Binding, ...] = ()
    uniforms: tuple[Binding, ...] = ()
    samplers: tuple[Binding, ...] = ()
    varyings: tuple[Binding, ...] = ()
    outputs: tuple[Binding, ...] = ()
    literals: tuple[Literal32, ...] = ()
    #: State that the host must set for the code to be right, by name.
    host_state: Mapping[str, bool | int | str] | None = None
    version: int = REFLECTION_VERSION


@dataclass(frozen=True, slots=True)
class Stats:
    """What the code costs, in the target's own units."""

    #: Issued words or slots.
    instructions: int
    code_words: int
    registers: int
    constants: int
    #: Further counts that only this target has.
    extra: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Artifact:
    """One compiled shader."""

    binary: bytes
    assembly: str
    reflection: Reflection
    stats: Stats
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class Program:
    """Stages that were compiled as one, by name of the stage."""

    stages: Mapping[str, Artifact]
    diagnostics: tuple[Diagnostic, ...] = ()
