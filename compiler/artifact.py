"""What a compilation yields: machine code, its text, how to bind it, what it costs.

`Reflection` tells a loader where every named value goes.  Its fields are a contract with loaders: a
change of meaning raises `REFLECTION_VERSION`, an addition `REFLECTION_REVISION`.  What is rarely needed is made on
demand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from glslc_multi.compiler.diagnostics import Diagnostic
from glslc_multi.compiler.ir.blocks import UniformBlock
from glslc_multi.compiler.ir.declarations import Number
from glslc_multi.compiler.records import dataclass, replace

if TYPE_CHECKING:
    from glslc_multi.compiler.analysis.trips import CountedLoop
    from glslc_multi.compiler.ir.module import Module
    from glslc_multi.compiler.ir.variables import Variable
    from glslc_multi.compiler.isa.listing import Origins

REFLECTION_VERSION = 1
REFLECTION_REVISION = 2

#: What the loader does to a value before it goes into a register.
#: "identity": the numbers as they are, floats as float32 unless the target says otherwise; "transpose": a matrix that
#: is uploaded in row-major order; "int-to-float", "bool-to-float": the number as a float; "count": an int loop count,
#: less one; "f24", "q17": in the target's own number format; "unorm8": clamped to 0 to 1, in steps of 1/255;
#: "unorm8-up": the step above; "snorm12": -1 to 1, in steps of 1/2047; "f16", "f20": the nearest float of so many bits;
#: "table": all elements of an array, the ends of the lines of a table that has one entry less; "quaternion": of a
#: normal, what turns (0, 0, 1) to it; "negated": with the other sign.
Transform = Literal[
    "identity", "transpose", "int-to-float", "bool-to-float", "count", "f24", "q17",
    "unorm8", "unorm8-up", "snorm12", "f16", "f20", "table", "quaternion", "negated",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Location:
    """One register, or part of one, that holds (a part of) a named value."""

    #: Name of a register file or stream of the target.
    space: str
    index: int
    #: Letters of the components used, in the order of the value's own.
    components: str
    transform: Transform = "identity"
    #: Which part of the value this is: element of an array, column (or row) of a matrix, first of its components.
    element: int = 0
    column: int = 0
    first: int = 0


#: Locations that Python shows of a binding.
_PLACES_SHOWN = 4
_KINDS: dict[str, Literal["bool", "int", "uint"]] = {
    "bool": "bool", "bvec": "bool", "int": "int", "ivec": "int", "uint": "uint", "uvec": "uint",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Binding:
    """A named value of the shader and its locations; a uniform may be in several registers.

    `name` is the IR's name of the variable (`lights[].pos` for a member of an array of structs), and `type` the
    type in the source (`mat4`).  A location holds one register's worth: which one `element` (of the flattened array)
    and `column` say (with transform "transpose": which row).
    """

    name: str
    type: str
    #: Length of an array, None for a plain value.
    length: int | None
    locations: tuple[Location, ...]
    #: Of a uniform with an initializer, and of `gl_DepthRange`, its value until the host sets another: elements in
    #: order, matrices by columns.
    default: tuple[Number, ...] | None = None

    def __repr__(self) -> str:
        places = [f"{location.space}{location.index}" for location in self.locations]
        more = ["..."] if len(places) > _PLACES_SHOWN else []
        return f"<{self.type} {self.name} in {', '.join(places[:_PLACES_SHOWN] + more)}>"

    def element_name(self, element: int) -> str:
        """An element of an array, or the value itself, as the source names it."""
        return self.name if self.length is None else f"{self.name}[{element}]"

    @property
    def kind(self) -> Literal["bool", "int", "uint", "float"]:
        """The kind of its numbers."""
        return _KINDS.get(self.type.rstrip("234"), "float")


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
    #: Built-in inputs (`gl_FragCoord`) and other values that are in registers when the code starts.
    inputs: tuple[Binding, ...] = ()
    #: What the stage writes, except varyings.
    outputs: tuple[Binding, ...] = ()
    literals: tuple[Literal32, ...] = ()
    #: A stream of 32-bit words that the code reads in order: (kind, source), kinds documented by the target.
    stream: tuple[tuple[str, str], ...] = ()
    #: Largest use of each limited resource: name -> (used, limit).
    limits: Mapping[str, tuple[int, int]] | None = None
    #: State that the host must set for the code to be right, by name.
    host_state: Mapping[str, bool | int | str] | None = None
    #: Layouts of the uniform blocks of the source; their members are uniforms.
    blocks: tuple[UniformBlock, ...] = ()
    #: Varying -> how it is interpolated, where that is not with perspective: "flat", "noperspective".
    interpolation: Mapping[str, str] | None = None
    version: int = REFLECTION_VERSION

    def __repr__(self) -> str:
        return f"<register map of a {self.stage} shader for {self.target}>"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the comparison of code with its source has shown (`compiler/proof`)."""

    outcome: Literal["equal", "near", "differs", "unknown"]
    #: Why it is unknown, or what differs.
    reason: str = ""
    #: Seed of the draw that differs.
    seed: int | None = None
    #: The largest difference of what is near, in parts of the result or of 1.
    distance: float = 0.0
    #: How many draws count.
    draws: int = 0
    #: Of what differs, the inputs and the tests that they meet.
    notes: tuple[str, ...] = ()
    #: Whether it is on linked stages as one, from the inputs of vertices to the outputs of the last stage.
    linked: bool = False


@dataclass(frozen=True, slots=True)
class BlockProof:
    """How many words a block has, and how few it could have at the least."""

    name: str
    #: Instructions, terminators included.
    instructions: int
    #: What the scheduler found.
    known: int
    #: What the code has.
    words: int
    #: Bound on all code with these instructions, whatever registers and copies it has: the solver finds no fewer words
    #: even if registers cost nothing.
    at_least: int
    #: Bound on code that has no copies but those that were selected.
    without_copies: int

    @property
    def is_minimal(self) -> bool:
        return self.words == self.at_least

    def __str__(self) -> str:
        """Return `block 'entry': 38 words instead of 39, at least 33`, and the like."""
        saved = f" instead of {self.known}" if self.words < self.known else ""
        bound = "proven minimal" if self.is_minimal else f"at least {self.at_least}"
        if not self.is_minimal and self.without_copies == self.words:
            bound += ", none fewer without more copies"
        return f"block '{self.name}': {self.words} words{saved}, {bound}"

    def as_known(self) -> BlockProof:
        """The same of the words that the scheduler found: nothing came of shorter ones."""
        return replace(self, words=self.known)


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
    #: The errors of the code that was made first, where that did not fit.
    exceeded: tuple[Diagnostic, ...] = ()
    #: What a solver says of each block, with `--prove`.
    proofs: tuple[BlockProof, ...] = ()
    #: By how many steps of 1/255 results may differ from what the source says, where a machine computes with bytes.
    error_steps: float | None = None
    #: Whether a search for the shortest code came to its end, where there is one.
    is_shortest: bool | None = None
    #: What the comparison of the code with its source has shown, unless it was left out (`--proof=off`).
    verdict: Verdict | None = None

    def __repr__(self) -> str:
        names = ("instructions", "code_words", "registers", "constants")
        return f"Stats({', '.join(f'{name}={getattr(self, name)}' for name in names)}, ...)"


@dataclass(frozen=True)
class Artifact:
    """One compiled shader."""

    binary: bytes
    #: Writes `assembly`.
    write_assembly: Callable[[], str]
    reflection: Reflection
    stats: Stats
    diagnostics: tuple[Diagnostic, ...] = ()
    #: Makes `map_keys`.
    make_map_keys: Callable[[], Mapping[str, object]] = dict
    #: Where each word of the code comes from, in the order of `Target.list_words`.
    origins: tuple[Origins, ...] = ()
    #: Loops of the source whose count is known.
    loops: tuple[CountedLoop, ...] = ()
    #: What the host computes whenever uniforms change, with `-fpreamble` (see `compiler/preamble.py`).
    preamble: Module | None = None
    #: Uniforms and varyings that the code has beside those of its source: linking has moved arithmetic between stages,
    #: or the machine counts otherwise than OpenGL.
    lent: tuple[Variable, ...] = ()

    def __repr__(self) -> str:
        return f"<{self.reflection.stage} code for {self.reflection.target}, {len(self.binary)} bytes>"

    @cached_property
    def assembly(self) -> str:
        """The code as text."""
        return self.write_assembly()

    @cached_property
    def map_keys(self) -> Mapping[str, object]:
        """Keys that the target adds to the register map, for loaders that know another tool's."""
        return self.make_map_keys()


@dataclass(frozen=True, slots=True)
class Program:
    """Stages that were compiled as one, by name of the stage."""

    stages: Mapping[str, Artifact]
    diagnostics: tuple[Diagnostic, ...] = ()
    #: All stages in one file, where the target has such files (vertex and geometry).
    binary: bytes | None = None
