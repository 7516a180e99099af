"""Register names and what may be done with a register.

An address has 16 bits, the machine looks at the low seven: bank in bits 6 and 5, number in bits 4 to 0.  In v1.2 the
outputs at 128 and up are a bank of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Variant = Literal["trunk", "icarus", "v1.2"]
VARIANTS: tuple[Variant, ...] = ("trunk", "icarus", "v1.2")

#: Registers that exist; higher address bits are ignored.
COUNT = 128
#: Registers of bank 0: the host writes them, what a shader writes there is lost.
READ_ONLY = range(32)
OUTPUTS = range(128, 132)

#: Runs of names: first address, names in order of address.
_RUNS: tuple[tuple[int, str], ...] = (
    (0, "CREG_LIGHT_INFO CREG_CAMERA_POSITION CREG_PROJECTION_WINDOW_MIN CREG_PROJECTION_WINDOW_MAX CREG_RESOLUTION"),
    (5, "CREG_TEXTURE_SIZE CREG_PIXEL_2D_INITIAL_POSITION CREG_PIXEL_2D_FINAL_POSITION"),
    (42, "CREG_AABBMIN CREG_AABBMAX CREG_V0 CREG_UV0 CREG_V1 CREG_UV1 CREG_V2 CREG_UV2 CREG_TRI_DIFFUSE"),
    (53, "CREG_TEX_COLOR1 CREG_TEX_COLOR2 CREG_TEX_COLOR3 CREG_TEX_COLOR4 CREG_TEX_COLOR5 CREG_TEX_COLOR6"),
    (59, "CREG_TEX_COLOR7"),
    (64, "C1 C2 C3 C4 C5 C6 C7 R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12"),
    (83, "CREG_PROJECTION_WINDOW_SCALE CREG_UNORMALIZED_DIRECTION CREG_RAY_DIRECTION CREG_E1_LAST CREG_E2_LAST"),
    (88, "CREG_T CREG_P CREG_Q CREG_UV0_LAST CREG_UV1_LAST CREG_UV2_LAST CREG_TRI_DIFFUSE_LAST"),
    (95, "CREG_LAST_t CREG_LAST_u CREG_LAST_v CREG_COLOR_ACC CREG_t CREG_E1 CREG_E2 CREG_DELTA CREG_u CREG_v"),
    (105, "CREG_H1 CREG_H2 CREG_H3 CREG_PIXEL_PITCH CREG_LAST_COL CREG_TEXTURE_COLOR CREG_PIXEL_2D_POSITION"),
    (112, "CREG_TEXWEIGHT1 CREG_TEXWEIGHT2 CREG_TEXWEIGHT3 CREG_TEXWEIGHT4 CREG_TEX_COORD1 CREG_TEX_COORD2 R99"),
    (119, "CREG_ZERO CREG_CURRENT_OUTPUT_PIXEL CREG_3 CREG_012"),
    (128, "OREG_PIXEL_COLOR OREG_TEX_COORD1 OREG_TEX_COORD2 OREG_ADDR_O"),
)
_COMMON = {name: first + offset for first, names in _RUNS for offset, name in enumerate(names.split())}

#: Name -> address; the spelling of LIGTH is the machine's own.
BY_NAME: Mapping[Variant, Mapping[str, int]] = {
    "trunk": _COMMON | {"CREG_FIRST_LIGTH": 8},
    "icarus": _COMMON
    | {"CREG_MAX_PRIMITIVES": 8, "CREG_FIRST_LIGTH": 10, "CREG_PRIMITIVE_COUNT": 123, "CREG_HIT": 124},
    "v1.2": _COMMON | {"CREG_FIRST_LIGTH": 8},
}
BY_ADDRESS: Mapping[Variant, Mapping[int, str]] = {
    variant: {address: name for name, address in names.items()} for variant, names in BY_NAME.items()
}
#: The name of register 0 in an unused field.
VOID = "VOID"

_FIRMWARE = frozenset({83, 108, 109, 111, 119, 120, 121, 122})
#: Registers whose contents the firmware needs after the shader.
RESERVED: Mapping[Variant, frozenset[int]] = {
    "trunk": _FIRMWARE,
    "icarus": _FIRMWARE | {123, 124},
    "v1.2": _FIRMWARE,
}


def physical(address: int, variant: Variant) -> int:
    """The register that the machine takes for an address."""
    return address if variant == "v1.2" and address in OUTPUTS else address % COUNT


def is_written(address: int, variant: Variant) -> bool:
    """Whether a value written to this address is kept."""
    return physical(address, variant) not in READ_ONLY


def address_of(name: str, variant: Variant) -> int | None:
    """The address of a name, or of a decimal number; None for anything else."""
    if name == VOID:
        return 0
    if name.isascii() and name.isdigit() and len(name) <= 5 and int(name) <= 0xFFFF:
        return int(name)
    return BY_NAME[variant].get(name)


def spell(address: int, variant: Variant) -> str:
    """The name of a register; its number where it has none."""
    return BY_ADDRESS[variant].get(address, str(address))
