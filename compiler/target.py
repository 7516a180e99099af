"""The contract of a back end: the facts, options and functions that driver, runtime, application and tests use.

`backends/<name>/target.py` holds one object of this class under the name `TARGET`.  Its methods import what they need
when they are called, so that asking for less costs less.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from glslc_multi.compiler.isa.textures import TextureUnit
from glslc_multi.compiler.isa.whole_numbers import WholeNumbers
from glslc_multi.compiler.options import KnownVaryings, Option, TargetOptions
from glslc_multi.compiler.records import dataclass, field

if TYPE_CHECKING:
    from glslc_multi.compiler.arithmetic.lanes import Array
    from glslc_multi.compiler.artifact import Artifact, Location, Reflection, Stats
    from glslc_multi.compiler.diagnostics import DiagnosticSink
    from glslc_multi.compiler.execution.machine_code import MachineCode
    from glslc_multi.compiler.host_files import HostFile, HostProgram
    from glslc_multi.compiler.ir.module import Module
    from glslc_multi.compiler.isa.listing import CodeWord
    from glslc_multi.compiler.linking.match import LinkedPair
    from glslc_multi.compiler.passes.base import CostModel


@dataclass(slots=True)
class MachineInputs:
    """What a simulated machine finds when it starts; the runtime fills it by the reflection's locations.

    Arrays are numpy's, one row a lane (vertex or pixel), one column a component of the register.
    """

    lanes: int
    #: Space -> index -> numbers of a register that is the same for all lanes, as the host uploads them.
    constants: Mapping[str, Mapping[int, Any]] = field(default_factory=dict)
    #: Space -> index -> values by lane.
    inputs: Mapping[str, Mapping[int, Any]] = field(default_factory=dict)
    #: Texture unit -> what the evaluator samples from (see `compiler/arithmetic/sampling.py`).
    textures: Mapping[int, Any] = field(default_factory=dict)
    #: Whether lanes 4k to 4k + 3 are a 2x2 block of pixels.
    quads: bool = False
    max_steps: int = 1 << 20


@dataclass(slots=True)
class MachineOutputs:
    """The results of a simulated machine."""

    #: Space -> index -> values by lane.
    outputs: Mapping[str, Mapping[int, Any]]
    #: By lane; None where the stage cannot discard.
    discarded: Any = None
    #: For a geometry shader, by lane: its triangles, each (winding mark, vertices by [vertex][register][component]).
    triangles: Any = None


@dataclass(frozen=True, slots=True)
class Update:
    """Registers that follow each other and are to be uploaded."""

    stage: str
    space: str
    first: int
    #: (registers, components) patterns of 32 bits; `Target.driver_forms` turn them into what a driver takes.
    words: Any

    def __repr__(self) -> str:
        return f"<update of {self.stage} {self.space}{self.first}, {len(self.words)} registers>"


class MachineFault(Exception):
    """A simulated program did what the machine leaves undefined, lacked data, or ran too long."""


@dataclass(frozen=True, slots=True)
class Precision:
    """How far results may be from those of float32 arithmetic, beyond its own rounding."""

    absolute: float
    relative: float
    #: The largest number that the machine holds.
    largest: float = float("inf")


class Generator(Protocol):
    """Makes machine code of one module."""

    def generate(self, sink: DiagnosticSink) -> Artifact:
        """Return the code; what the target cannot do is reported and raised."""


class Target(ABC):
    """A machine that the compiler generates code for."""

    # ------------------------------------------------------------------------------------ facts
    name: ClassVar[str]
    #: One line for `glslc-multi targets`.
    description: ClassVar[str]
    stages: ClassVar[tuple[str, ...]]
    #: The stages that a linked vertex and fragment pair becomes, e.g. ("vertex", "coordinate", "fragment");
    #: where the target has no fragment stage, ("vertex",).
    program_stages: ClassVar[tuple[str, ...]]
    #: The stage in whose results the position of a vertex is found, where that is not "vertex".
    position_stage: ClassVar[str | None] = None
    #: Suffix of its binary files, with the dot.
    suffix: ClassVar[str]
    #: Stage -> the suffix of its files, where that is another one.
    suffixes: ClassVar[Mapping[str, str]] = {}
    #: Whether its files have no room for names, so that a register map belongs beside them.
    needs_map: ClassVar[bool]
    options: ClassVar[tuple[Option, ...]] = ()
    #: Roles of inputs that few machines have (`compiler/lowering/interface/rare_inputs.py`).
    rare_inputs: ClassVar[frozenset[str]] = frozenset()
    #: Whether texture lookups mix texels unless an option says otherwise; else they take the nearest one.
    filters_textures: ClassVar[bool] = True
    #: What its texture unit can do.
    textures: ClassVar[TextureUnit] = TextureUnit()
    #: Whether textures have an alpha channel; else it reads as 1.
    has_alpha: ClassVar[bool] = True
    precision: ClassVar[Precision]
    #: Varyings of the fragment stage that the machine makes, whatever the vertex stage writes.
    machine_varyings: ClassVar[frozenset[str]] = frozenset()
    #: Which varyings a fragment stage that is linked reads where they come from (`compiler/linking/origins.py`).
    known_varyings: ClassVar[frozenset[KnownVaryings]] = frozenset({"constants", "copies"})
    #: Whether a varying can have the value of one vertex.
    has_flat_varyings: ClassVar[bool] = False
    #: None for a machine with ints of 32 bits.
    whole_numbers: ClassVar[WholeNumbers | None] = None
    #: Options under which a shader leaves its numbers as they are, for those who compare them.
    exact_outputs: ClassVar[Mapping[str, str]] = {}
    #: Space -> storage class of what lives there, where `layout(location)` in the source can choose the register.
    located_spaces: ClassVar[Mapping[str, str]] = {}
    #: Spaces whose registers are single 32-bit words; others have four.
    narrow_spaces: ClassVar[frozenset[str]] = frozenset()
    #: Passes that only this machine needs: name, which begins with the target's, -> "module:class".
    passes: ClassVar[Mapping[str, str]] = {}
    #: Functions for hosts that bring updates of uniforms into the form of the machine's driver: name -> module.
    driver_forms: ClassVar[Mapping[str, str]] = {}
    #: Forms in which it writes host code (`host_code`), the usual one first: name -> one line about it.
    host_forms: ClassVar[Mapping[str, str]] = {}

    def __repr__(self) -> str:
        return f"<target {self.name}>"

    def suffix_of(self, stage: str) -> str:
        return self.suffixes.get(stage, self.suffix)

    def suffix_of_file(self, data: bytes) -> str:
        """The suffix for a binary, by its content."""
        return self.suffix

    def size(self, stats: Stats) -> int:
        """The number by which sizes of code are compared with those of other compilers."""
        return stats.code_words

    # ------------------------------------------------------------------------------------ compiling
    @abstractmethod
    def costs(self, options: TargetOptions) -> CostModel:
        """What operations cost, for the optimiser."""

    def linked_stages(self, second: str | None) -> tuple[str, ...]:
        """List the stages that a vertex shader becomes with the fragment or geometry shader that belongs to it."""
        return ("vertex", "geometry") if second == "geometry" else self.program_stages

    def adapt_pair(self, pair: LinkedPair, options: TargetOptions, sink: DiagnosticSink) -> None:
        """Change what flows between two linked stages, of which the fragment stage is optimised and the vertex stage is
        not yet."""
        del pair, options, sink  # Most machines take varyings as they are.

    @abstractmethod
    def code_generator(self, stage: str) -> Callable[[Module, CostModel, TargetOptions], Generator]:
        """Return what makes machine code of a stage, mostly a `CodeGenerator` of `compiler/codegen/phases.py`; it is
        imported when it is asked for."""

    def preload(self) -> None:
        """Import what all stages need, for processes that compile many shaders."""
        for stage in self.stages:
            self.code_generator(stage)

    # ------------------------------------------------------------------------------------ machine code as text
    @abstractmethod
    def assemble(self, text: str, filename: str, sink: DiagnosticSink) -> bytes: ...

    @abstractmethod
    def disassemble(self, data: bytes, filename: str, sink: DiagnosticSink) -> str: ...

    def is_assembled(self, data: bytes) -> bool:
        """Whether this is a file of the kind that `assemble` makes: `disassemble` may read others, too."""
        return True

    @abstractmethod
    def list_words(self, data: bytes, options: Mapping[str, Any]) -> list[CodeWord]:
        """List the words of a binary that the compiler generated, in memory order."""

    def lookups(self, artifact: Artifact, words: Sequence[CodeWord]) -> Mapping[int, Sequence[str]]:
        """Numbers of the words that look textures up, and the names of the samplers that they do it by."""
        places = ((location, binding) for binding in artifact.reflection.samplers for location in binding.locations)
        names = {place.index: binding.element_name(place.element) for place, binding in places}
        names_by_number = {
            number: [names[sampler] for sampler in word.samplers if sampler in names]
            for number, word in enumerate(words)
        }
        return {number: samplers for number, samplers in names_by_number.items() if samplers}

    def list_dump(self, data: bytes, filename: str, sink: DiagnosticSink) -> list[CodeWord] | None:
        """The words of a file that need not be ours, such as a dump of registers; None where it is no such file."""
        return None

    @abstractmethod
    def instruction_sets(self) -> Mapping[str, str]:
        """Return the reference pages of its instruction sets, with all of its tables: `docs/isa/NAME.md` by name."""

    # ------------------------------------------------------------------------------------ running
    @abstractmethod
    def simulate(self, artifact: Artifact, inputs: MachineInputs, options: Mapping[str, Any]) -> MachineOutputs:
        """Run the bytes of `artifact`.  Imports numpy, which compiling never needs."""

    @abstractmethod
    def translate(self, artifact: Artifact, options: Mapping[str, Any]) -> Callable[[MachineInputs], MachineOutputs]:
        """`simulate` for these bytes, compiled for this computer.  Raises `CompileError` for what only an interpreter
        can run."""

    def at_corners(self, space: str, corners: Array) -> Array:
        """What is interpolated of a varying in this space of a fragment shader's register map: of its values at the
        corners of triangles, [triangle][corner][component]."""
        return corners

    def machine_code(self, artifact: Artifact, options: Mapping[str, Any]) -> MachineCode | None:
        """The code of `artifact` for `compiler/proof`; None where it cannot be spoken of there."""
        return None

    def select_shader(self, data: bytes, entry: str, stage: str | None, filename: str, sink: DiagnosticSink) -> bytes:
        """Return the file of one shader of a file of several, by its name or stage."""
        if entry:
            from glslc_multi.compiler.diagnostics.catalogue.machine import NO_EXECUTABLE

            sink.report(NO_EXECUTABLE, filename=filename, wanted=entry, help="the file has one shader")
            sink.raise_if_errors()
        return data

    def read_interface(self, data: bytes, filename: str, sink: DiagnosticSink) -> Reflection | None:
        """Return what a file itself says of its interface; None where it is not read without a register map."""
        return None

    # ------------------------------------------------------------------------------------ uploading
    def host_numbers(self, artifact: Artifact) -> Mapping[str, int | Sequence[Mapping[str, int]]]:
        """Numbers that a C header has beside the registers of values, such as words for the chip's registers; of a
        table, rows with the same names."""
        return {}

    def host_code(self, program: HostProgram, form: str, sink: DiagnosticSink) -> Sequence[HostFile]:
        """What a host program needs to draw with `program`: sources, and data that these name (see
        `compiler/host_code`).  `form` is one of `host_forms`."""
        raise LookupError(f"{self.name} has no form {form}")

    def uniform_words(self, numbers: Array) -> Array | None:
        """Numbers of a uniform as 32-bit words in the machine's own format; None where it takes floats and ints."""
        return None

    def file_literals(self, artifact: Artifact) -> Iterable[tuple[Location, tuple[int, ...]]]:
        """Constants that are in the file and not in the reflection."""
        return ()


class GeometryTarget(Target):
    """A target whose stages include "geometry"."""

    @abstractmethod
    def join(self, artifacts: Sequence[Artifact], sink: DiagnosticSink) -> bytes:
        """One file of the shaders that run one after the other."""
