"""What the host computes for the lighting unit, as writes to its registers.

In: the artifact, and C expressions for arrays of what its preamble computes.  Out: statements of C99; the functions
that they call, which bring numbers into the unit's formats, are in `lighting.c`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from glslc_multi.backends.pica200.isa.fragment.decode import registers_after
from glslc_multi.backends.pica200.isa.fragment.program import Configuration
from glslc_multi.backends.pica200.isa.fragment.registers import BY_ADDRESS, BY_NAME
from glslc_multi.backends.pica200.isa.fragment.registers.lighting import signed_field
from glslc_multi.backends.pica200.isa.fragment.tables import TABLES
from glslc_multi.compiler.artifact import Artifact, Location
from glslc_multi.compiler.host_code.templates import fill

_FUNCTIONS = Path(__file__).parent / "lighting.c"
_COLOURS = frozenset({"specular0", "specular1", "diffuse", "ambient"})
#: Spaces of vectors -> the function for a component, and what their registers are called after the light.
_VECTORS = {"position": ("f16", ""), "spot_direction": ("s12", "SPOTDIR_")}
_TABLE = "lut"
#: Tables of the lighting unit by number.
_NAMES = {table.number: name for name, table in TABLES.items() if table.index_register == TABLES["d0"].index_register}


def light_setting(
    artifact: Artifact, prefix: str, configuration: Configuration, computed: Mapping[str, str]
) -> Iterator[str]:
    """Statements that write all of it."""
    for binding in artifact.reflection.uniforms:
        for location in binding.locations:
            values = computed[binding.name]
            if location.space in _COLOURS:
                yield _write(f"LIGHT{location.index}_{location.space.upper()}", f"{prefix}_light_colour({values})")
            elif location.space == "scene_ambient":
                yield _write("LIGHTING_AMBIENT", f"{prefix}_light_colour({values})")
            elif location.space == "attenuation":
                for number, name in enumerate(("SCALE", "BIAS")):
                    yield _write(f"LIGHT{location.index}_ATTENUATION_{name}", f"{prefix}_f20({values}[{number}])")
            elif location.space in _VECTORS:
                function, middle = _VECTORS[location.space]
                x, y, z = (f"{prefix}_{function}({values}[{number}])" for number in range(3))
                yield _write(f"LIGHT{location.index}_{middle}XY", f"{x} | {y} << 16")
                yield _write(f"LIGHT{location.index}_{middle}Z", z)
            elif location.space == _TABLE:
                is_signed = str(_is_signed(location, configuration)).lower()
                yield f"{prefix}_light_table({location.index}, {is_signed}, {values});"


def computed_tables(artifact: Artifact) -> set[str]:
    """Return the tables that the host sends whenever it has computed them."""
    return {
        _NAMES[location.index]
        for binding in artifact.reflection.uniforms
        for location in binding.locations
        if location.space == _TABLE
    }


def register_text(address: int) -> str:
    """Return a register's number, with its name: headers of the library have few of these."""
    return f"0x{address:03X} /* {BY_ADDRESS[address].name} */"


def light_functions(prefix: str) -> list[str]:
    return fill(_FUNCTIONS, {"PREFIX": prefix}).splitlines()


def _write(register: str, value: str) -> str:
    return f"GPUCMD_AddMaskedWrite({register_text(BY_NAME[register].address)}, 0xF, {value});"


def _is_signed(place: Location, configuration: Configuration) -> bool:
    """Whether what the table is looked up at is -1 to 1."""
    inputs = BY_NAME["LIGHTING_LUTINPUT_ABS"]
    fields = inputs.format.decode(registers_after(configuration.unit_writes).get(inputs.address, 0))
    return bool(fields.get(signed_field(_NAMES[place.index]), 0))
