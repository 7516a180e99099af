"""The state that calls of citro3d change."""

from __future__ import annotations

from collections.abc import Mapping

from glslc_multi.backends.pica200.isa.fragment.decode import INITIAL
from glslc_multi.backends.pica200.isa.fragment.registers import BY_NAME
from glslc_multi.compiler.records import dataclass, field
from tests.backends.pica200.citro3d.lights import Environment

Raw = tuple[int, ...]

#: Where images begin in a program that has allocated nothing else but the library's command buffer.
_LINEAR_MEMORY = 0x20140000

#: What registers hold after C3D_Init and the draw that sends it, where it is not 0 and no configuration has them.
_AFTER_START: Mapping[str, int] = {
    "DEPTHMAP_ENABLE": 1,
    "FACECULLING_CONFIG": 2,
    "DEPTHMAP_SCALE": 0xBF0000,
    "STENCIL_TEST": 0xFF000010,
    "DEPTH_COLOR_MASK": 0x1F61,
    "GAS_DELTAZ_DEPTH": 0x02000000,
    "BLEND_FUNC": 0x76760000,
    "COLOR_OPERATION": 0x00E40100,
    "FRAGOP_SHADOW": 0x80003C00,
    "EARLYDEPTH_FUNC": 1,
    "TEXUNIT_CONFIG": 0x1000,
    "TEXUNIT0_SHADOW": 1,
}


def _after_start() -> dict[int, int]:
    return {**INITIAL, **{BY_NAME[name].address: value for name, value in _AFTER_START.items()}}


@dataclass(slots=True)
class Attenuation:
    """A table by distance, with what brings distances to it."""

    entries: Raw
    scale: float
    bias: float


@dataclass(slots=True)
class Image:
    """An image of the host, of which a cube has six."""

    width: int
    height: int
    format: int
    type: int
    address: int
    #: Bytes of one side.
    size: int
    mag: int = 0
    min: int = 0
    wrap_s: int = 0
    wrap_t: int = 0
    lod_bias: int = 0
    border: int = 0


@dataclass(slots=True)
class Context:
    """Registers, those of them that have been set since the last draw, and objects."""

    registers: dict[int, int] = field(default_factory=_after_start)
    changed: set[int] = field(default_factory=set)
    #: Tables by the names of their objects.
    tables: dict[str, Raw] = field(default_factory=dict)
    attenuations: dict[str, Attenuation] = field(default_factory=dict)
    images: dict[str, Image] = field(default_factory=dict)
    #: What texture units read, and which of them were bound since the last draw.
    units: dict[int, Image | None] = field(default_factory=dict)
    bound: set[int] = field(default_factory=set)
    #: Physical address of what the next image gets.
    free_memory: int = _LINEAR_MEMORY
    #: The fog table that is bound.
    fog: Raw | None = None
    environment: Environment = field(default_factory=Environment)
    is_bound: bool = False

    def set(self, name: str, field: str, number: float) -> None:
        """Set a field of a register, or the whole register; numbers of floats become their patterns."""
        register = BY_NAME[name]
        old = self.registers.get(register.address, 0)
        self.changed.add(register.address)
        if not field:
            self.registers[register.address] = int(number)
            return
        form = register.layout.floats.get(field)
        part = register.format.by_name[field]
        bits = part.insert(int(number) if form is None else form.pattern_of(number))
        self.registers[register.address] = old & ~part.mask | bits
