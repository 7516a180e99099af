"""What a backend offers to the driver: a few facts, its options, and a few functions.

`backends/<name>/target.py` holds one object of this shape under the name `TARGET`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from compiler.options import Option, TargetOptions
from compiler.records import dataclass, field

if TYPE_CHECKING:
    from compiler.artifact import Artifact
    from compiler.diagnostics import DiagnosticSink
    from compiler.ir.module import Module
    from compiler.isa.listing import CodeWord
    from compiler.passes.base import CostModel


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
    """What a simulated machine leaves."""

    #: Space -> index -> values by lane.
    outputs: Mapping[str, Mapping[int, Any]]
    #: By lane; None where the stage cannot discard.
    discarded: Any = None
    #: Of a geometry shader, by lane: its triangles, each (winding mark, vertices by [vertex][register][component]).
    triangles: Any = None


class MachineFault(Exception):
    """A simulated program does what the machine leaves undefined, has no data for, or it runs too long."""


class Target(Protocol):
    """A machine that the compiler generates code for."""

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str:
        """One line for `glslc-multi targets`."""
        ...

    @property
    def stages(self) -> tuple[str, ...]: ...

    @property
    def program_stages(self) -> tuple[str, ...]:
        """The stages that a linked vertex and fragment pair becomes, e.g. ("vertex", "coordinate", "fragment");
        where the target has no fragment stage, ("vertex",)."""
        ...

    @property
    def suffix(self) -> str:
        """Suffix of its binary files, with the dot."""
        ...

    @property
    def needs_map(self) -> bool:
        """Whether its files have no room for names, so that a register map belongs beside them."""
        ...

    @property
    def options(self) -> tuple[Option, ...]: ...

    def costs(self, options: TargetOptions) -> CostModel:
        """Prices that the optimiser should reckon with."""
        ...

    def generate(self, module: Module, options: TargetOptions, sink: DiagnosticSink) -> Artifact:
        """Machine code for `module`; what the target cannot do is reported and raised."""
        ...

    def assemble(self, text: str, filename: str, sink: DiagnosticSink) -> bytes: ...

    def disassemble(self, data: bytes, filename: str, sink: DiagnosticSink) -> str: ...

    def list_words(self, data: bytes, options: Mapping[str, Any]) -> list[CodeWord]:
        """The words of a binary that `generate` made, in the order of its memory."""
        ...

    def simulate(self, artifact: Artifact, inputs: MachineInputs, options: Mapping[str, Any]) -> MachineOutputs:
        """Run the bytes of `artifact`.  Imports numpy; a compile never comes here."""
        ...

    def translate(self, artifact: Artifact, options: Mapping[str, Any]) -> Callable[[MachineInputs], MachineOutputs]:
        """`simulate` for these bytes, compiled for this computer.  Raises `CompileError` for what only an interpreter
        can run."""
        ...


class GeometryTarget(Target, Protocol):
    """A target whose stages include "geometry"."""

    def join(self, artifacts: Sequence[Artifact], sink: DiagnosticSink) -> bytes:
        """One file of the shaders that run one after the other."""
        ...
