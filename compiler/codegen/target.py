"""What a backend offers to the driver: a few facts, its options, and three functions.

`backends/<name>/target.py` holds one object of this shape under the name `TARGET`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from compiler.options import Option, TargetOptions

if TYPE_CHECKING:
    from compiler.artifact import Artifact
    from compiler.diagnostics import DiagnosticSink
    from compiler.ir.module import Module


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
    def suffix(self) -> str:
        """Suffix of its binary files, with the dot."""
        ...

    @property
    def options(self) -> tuple[Option, ...]: ...

    def generate(self, module: Module, options: TargetOptions, sink: DiagnosticSink) -> Artifact:
        """Machine code for `module`; what the target cannot do is reported and raised."""
        ...

    def assemble(self, text: str, filename: str, sink: DiagnosticSink) -> bytes: ...

    def disassemble(self, data: bytes, filename: str, sink: DiagnosticSink) -> str: ...
