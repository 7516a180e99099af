"""Numbers of uniforms into registers, by calls of citro3d.

Numbers of registers are those that its functions take: c0 is 0, i0 is 0x60, b0 is 0x68.  An i register has the count
that is set, and start and step of the counter, which the code of the loop was made for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from glslc_multi.backends.pica200.isa.container import read
from glslc_multi.backends.pica200.isa.registers import COMPONENTS
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.host_code.c_uniforms import RegisterWrite

_UNITS = {"vertex": "GPU_VERTEX_SHADER", "geometry": "GPU_GEOMETRY_SHADER"}
_FIRST_RANGE, _FIRST_BOOL = 0x60, 0x68
_RANGES = 4


class RegisterStores:
    """`CMachine.store` of a program; notes which stages have loops that uniforms count."""

    def __init__(self, prefix: str, stages: Mapping[str, Artifact]) -> None:
        self.prefix = prefix
        self.stages = stages
        self.counting: list[str] = []

    def store(self, write: RegisterWrite) -> Iterator[str]:
        unit = _UNITS[write.stage]
        if write.space == "b":
            yield f"C3D_BoolUnifSet({unit}, 0x{_FIRST_BOOL:02X} + {write.register}, {write.numbers['x'].text});"
            return
        if write.space == "i":
            if write.stage not in self.counting:
                self.counting.append(write.stage)
            ranges = f"{self.prefix}_{write.stage}_ranges[{write.register}]"
            count = write.numbers["x"].text
            yield (
                f"C3D_IVUnifSet({unit}, 0x{_FIRST_RANGE:02X} + {write.register}, {count}, {ranges}[0], {ranges}[1], 0);"
            )
            return
        numbers = (write.numbers[letter].text if letter in write.numbers else "0.0f" for letter in COMPONENTS)
        yield f"C3D_FVUnifSet({unit}, {write.register}, {', '.join(numbers)});"

    def tables(self) -> Iterator[str]:
        """Start and step of the loops."""
        for stage in self.counting:
            yield f"/* Of loops that uniforms count in the {stage} shader: start and step of the counter. */"
            rows = ", ".join(f"{{{start}, {step}}}" for start, step in _ranges(self.stages[stage]))
            yield f"static const u8 {self.prefix}_{stage}_ranges[{_RANGES}][2] = {{{rows}}};"
            yield ""


def _ranges(artifact: Artifact) -> list[tuple[int, int]]:
    """Start and step of each i register, from the constants of the file."""
    program = read(artifact.binary, "<artifact>", DiagnosticSink())
    assert program is not None, "the compiler writes well-formed files"
    ranges = [(0, 0)] * _RANGES
    for constant in program.executables[0].constants:
        if constant.bank == "i":
            ranges[constant.register] = int(constant.values[1]) & 0xFF, int(constant.values[2]) & 0xFF
    return ranges
