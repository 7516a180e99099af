"""The chip around a pixel shader: rays, triangles and the image, as the firmware of trunk computes them.

In: a program with a pixel shader (and perhaps a block of user constants), a scene.  Out: the image.  Each core
renders a band of rows and keeps its registers from pixel to pixel, so a pixel without a hit sees the values of
the last hit.  There is no texture: the firmware's texel of every hit is black, but the
shader itself may look texels up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from glslc_multi.backends.theia.isa import instructions
from glslc_multi.backends.theia.isa.conventions import MISS
from glslc_multi.backends.theia.isa.instructions import Row
from glslc_multi.backends.theia.isa.numbers import FRACTION_BITS, ONE
from glslc_multi.backends.theia.isa.program import Program
from glslc_multi.backends.theia.isa.registers import BY_NAME
from glslc_multi.backends.theia.machine.arithmetic import UNITS
from glslc_multi.backends.theia.machine.simulate import run_block
from glslc_multi.backends.theia.machine.state import Machine
from glslc_multi.compiler.arithmetic.lanes import LANES, quiet
from glslc_multi.compiler.records import dataclass, field

Patterns = Sequence[int]
_AT = BY_NAME["trunk"]
#: The distance that means "nothing hit", and the colour then.
_FAR = MISS * ONE
_BACKGROUND = (3 * ONE, 0, 0)
#: A channel's fraction bits beyond the eight that are shown.
_DROPPED_BITS = FRACTION_BITS - 8
_KEPT_OF_TRIANGLE = ("UV0", "UV1", "UV2", "TRI_DIFFUSE")


class RenderingFailed(ValueError):
    """A block does not come to its end, or the chip would not run it."""


@dataclass(frozen=True)
class Scene:
    """`registers` by address; a triangle has V0 V1 V2, UV0 UV1 UV2 and TRI_DIFFUSE."""

    width: int
    height: int
    registers: Mapping[int, Patterns]
    triangles: Sequence[Mapping[str, Patterns]] = field(default_factory=tuple)
    cores: int = 1
    #: Words of texture memory, which lookups of the shader itself read.
    texture: Mapping[int, int] = field(default_factory=dict)


def render(program: Program, scene: Scene) -> list[list[list[int]]]:
    """The image as [row][column][channel], 0 to 255; a pixel that is not written is black."""
    if program.variant != "trunk":
        raise RenderingFailed(f"scenes are those of trunk's firmware; that of {program.variant} is another")
    memory: dict[int, int] = {}
    for core in range(scene.cores):
        rows = range(core * scene.height // scene.cores, (core + 1) * scene.height // scene.cores)
        _Core(program, scene, memory).render(rows)
    return [
        [[min(255, memory.get(3 * (row * scene.width + column) + channel, 0) >> _DROPPED_BITS) for channel in range(3)]
         for column in range(scene.width)]
        for row in range(scene.height)
    ]  # fmt: skip


class _Core:
    """One core: its registers, and the blocks of the firmware that a pixel shader sees the results of."""

    def __init__(self, program: Program, scene: Scene, memory: dict[int, int]) -> None:
        self.program = program
        self.scene = scene
        self.memory = memory
        self.machine = Machine(program, texture=scene.texture)
        self.unit = UNITS[program.variant](LANES)

    def render(self, rows: range) -> None:
        self._begin()
        for row in rows:
            for column in range(self.scene.width):
                # The ray through a pixel.
                compute, pixel = self._compute, row * self.scene.width + column
                self.machine.load(_AT["CREG_PIXEL_2D_POSITION"], (column * ONE, row * ONE, 0))
                self.machine.load(_AT["CREG_CURRENT_OUTPUT_PIXEL"], (3 * pixel, 3 * pixel + 1, 3 * pixel + 2))
                point = compute("MUL", self._get("PIXEL_2D_POSITION"), self._get("PROJECTION_WINDOW_SCALE"))
                point = compute("ADD", point, self._get("PROJECTION_WINDOW_MIN"))
                direction = compute("SUB", point, self._get("CAMERA_POSITION"))
                self._put("UNORMALIZED_DIRECTION", direction)
                self._put("RAY_DIRECTION", compute("DIV", direction, compute("MAG", direction)))
                self.machine.load(_AT["CREG_LAST_t"], (_FAR, *self.machine.patterns(_AT["CREG_LAST_t"])[1:]))
                hits = [self._intersect(triangle) for triangle in self.scene.triangles]
                self._colour(any(hits), is_first=(row, column) == (rows.start, 0))
                self._run("PIXELSHADER")

    def _begin(self) -> None:
        for address, row in self.scene.registers.items():
            self.machine.load(address, row)
        self.machine.load(_AT["CREG_3"], (3, 3, 3))
        self.machine.load(_AT["CREG_012"], (0, 1, 2))
        size = self._compute("SUB", self._get("PROJECTION_WINDOW_MAX"), self._get("PROJECTION_WINDOW_MIN"))
        self._put("PROJECTION_WINDOW_SCALE", self._compute("DIV", size, self._get("RESOLUTION")))
        self._run("USERCONSTANTS")

    def _intersect(self, triangle: Mapping[str, Patterns]) -> bool:
        """Whether a triangle is the nearest hit up to now; then its values are taken over."""
        for name in ("V0", "V1", "V2", "UV0", "UV1", "UV2", "TRI_DIFFUSE"):
            self.machine.load(_AT[f"CREG_{name}"], triangle[name])
        compute, corner, direction = self._compute, self._get("V0"), self._get("RAY_DIRECTION")
        edge1, edge2 = compute("SUB", self._get("V1"), corner), compute("SUB", self._get("V2"), corner)
        offset = compute("SUB", self._get("CAMERA_POSITION"), corner)
        p, q = compute("CROSS", direction, edge2), compute("CROSS", offset, edge1)
        divisor = compute("DOT", p, edge1)
        t, u, v = (
            compute("DIV", compute("DOT", left, right), divisor)
            for left, right in ((q, edge2), (p, offset), (q, direction))
        )
        is_inside = u[0] >= 0 and v[0] >= 0 and compute("ADD", u, v)[0] <= ONE
        if not is_inside or t[0] >= self._get("LAST_t")[0]:
            return False
        for name, row in (("LAST_t", t), ("LAST_u", u), ("LAST_v", v), ("E1_LAST", edge1), ("E2_LAST", edge2)):
            self._put(name, row)
        for name in _KEPT_OF_TRIANGLE:
            self._put(f"{name}_LAST", self._get(name))
        return True

    def _colour(self, is_hit: bool, is_first: bool) -> None:
        """The incoming colour; the background comes from the end of the pixel before."""
        self.machine.load(_AT["CREG_TEXTURE_COLOR"], (0, 0, 0) if is_hit or is_first else _BACKGROUND)

    def _run(self, block: str) -> None:
        start = self.program.entries.get(block)
        if start is None:
            return
        outcome = run_block(self.machine, start)[0]
        if not outcome.completes:
            raise RenderingFailed(f"{block}: {outcome.reason}")
        self.memory.update(outcome.output)

    def _get(self, name: str) -> Row:
        return tuple(self.machine.row(_AT[f"CREG_{name}"]))

    def _put(self, name: str, row: Row) -> None:
        self.machine.load(_AT[f"CREG_{name}"], row)

    def _compute(self, name: str, *operands: Row) -> Row:
        """What an instruction makes of rows."""
        compute = instructions.BY_NAME[name].compute
        assert compute is not None, f"{name} computes a row"
        with quiet():
            return compute(self.unit, *operands)
