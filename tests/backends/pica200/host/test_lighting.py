"""Lighting in generated programs: what the host computes is in the registers of the unit, in the unit's formats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import glslc_multi
from glslc_multi.backends.pica200.isa.fragment.container import read
from glslc_multi.backends.pica200.isa.fragment.decode import registers_after
from glslc_multi.backends.pica200.isa.fragment.entries import nearest_light_entries
from glslc_multi.backends.pica200.isa.fragment.floats import F16, F20
from glslc_multi.backends.pica200.isa.fragment.registers import BY_NAME
from glslc_multi.backends.pica200.isa.fragment.rounding import byte_above
from glslc_multi.backends.pica200.isa.fragment.tables import TABLES, entries_of
from glslc_multi.compiler.artifact import Location
from glslc_multi.runtime.preamble import run_preamble
from glslc_multi.runtime.shader import CompiledShader
from tests.backends.pica200.codegen.fragment.units.lighting.shaders import BODIES, shader
from tests.backends.pica200.host.stub import COMPILER, run_stages, writes_of
from tests.host_values import stages_of

pytestmark = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")

VALUES = {
    "u_light": (0.3, -1.75, 1e-9),
    "u_other": (-0.2, 0.5, 0.7),
    "u_eye": (0.0, 3.0, 70000.0),
    "u_ambient": (0.1, 0.2, 0.25),
    "u_diffuse": (0.35, 0.0, 0.17),
    "u_specular": (0.01, 0.3, 0.2),
    "u_shininess": (7.5,),
    "u_radius": (4.75,),
    "u_slope": (0.3,),
    "u_cutoff": (0.35,),
}


@pytest.mark.parametrize("name", BODIES)
def test_the_unit_gets_what_the_host_computes(name: str, tmp_path: Path) -> None:
    lit = glslc_multi.compile(shader(name), target="pica200", stage="fragment")
    preamble = lit.artifact.preamble
    read_here = [] if preamble is None else [n for n in VALUES if n in preamble.variables]
    setters = []
    for uniform in read_here:
        numbers = ", ".join(f"{number!r}f" for number in map(float, VALUES[uniform]))
        value = numbers if len(VALUES[uniform]) == 1 else f"(const float[]){{{numbers}}}"
        setters.append(f"q_set_{uniform}(&q, {value});")
    main = f"q_program q; q_init(&q); q_bind(&q); {' '.join(setters)} q_update(&q);"
    writes, _ = writes_of(run_stages(tmp_path, {"q": stages_of(lit)}, main))
    given = {n: np.array(VALUES[n], np.float32).reshape(-1 if len(VALUES[n]) > 1 else ()) for n in read_here}
    computed = {} if preamble is None else run_preamble(preamble, given)
    registers, tables = registers_after(writes), entries_of(writes)
    wanted_registers, wanted_tables = _of_the_file(lit)
    for binding in lit.reflection.uniforms:
        for place in binding.locations:
            if place.space == "lut":
                entries = _table(place, computed[binding.name], wanted_registers)
                (table,) = (t.name for t in TABLES.values() if t.index_register == 0x1C5 and t.number == place.index)
                wanted_tables[table] = dict(enumerate(entries))
            elif place.space != "tev":
                wanted_registers |= dict(_registers(place, computed[binding.name]))
    lighting = {register: word for register, word in wanted_registers.items() if _is_lighting(register)}
    assert {register: registers.get(register) for register in lighting} == lighting
    assert tables == wanted_tables
    # Binding sends each table once, and what the host computes again after a change.
    again = {place.index for each in lit.reflection.uniforms for place in each.locations if place.space == "lut"}
    sent = Counter(write.value >> 8 for write in writes if write.register == TABLES["d0"].index_register)
    assert sent == {number: 1 + (number in again) for number in sent}


def _is_lighting(register: int) -> bool:
    return register == 0x8F or (0x140 <= register <= 0x1D9 and not 0x1C5 <= register <= 0x1CF) or register == 0x1C6


def _of_the_file(lit: CompiledShader) -> tuple[dict[int, int], dict[str, dict[int, int]]]:
    writes = read(lit.binary)
    return registers_after(writes), entries_of(writes)


def _registers(place: Location, value: Any) -> Iterator[tuple[int, int]]:
    numbers = [float(number) for number in value]
    prefix = f"LIGHT{place.index}_"
    if place.space == "scene_ambient":
        yield _word("LIGHTING_AMBIENT", dict(zip("rgb", map(byte_above, numbers), strict=True)))
        return
    if place.space == "attenuation":
        for name, number in zip(("scale", "bias"), numbers, strict=True):
            yield _word(f"{prefix}ATTENUATION_{name.upper()}", {name: F20.nearest(number)})
        return
    if place.space in ("specular0", "specular1", "diffuse", "ambient"):
        yield _word(f"{prefix}{place.space.upper()}", dict(zip("rgb", map(byte_above, numbers), strict=True)))
        return
    if place.space == "position":
        x, y, z = (F16.nearest(number) for number in numbers)
    else:
        assert place.space == "spot_direction"
        prefix += "SPOTDIR_"
        x, y, z = (int(np.round(np.clip(number, -1, 1) * 2047)) for number in numbers)
    yield _word(f"{prefix}XY", {"x": x, "y": y})
    yield _word(f"{prefix}Z", {"z": z})


def _word(register: str, fields: Mapping[str, int]) -> tuple[int, int]:
    return BY_NAME[register].address, BY_NAME[register].format.encode(fields)


def _table(place: Location, value: Any, registers: Mapping[int, int]) -> tuple[int, ...]:
    inputs = BY_NAME["LIGHTING_LUTINPUT_ABS"]
    names = {table.number: name for name, table in TABLES.items() if table.index_register == 0x1C5}
    name = "sp" if 8 <= place.index < 16 else names[place.index]
    is_signed = place.index < 16 and inputs.format.decode(registers[inputs.address])[f"signed_{name}"]
    return nearest_light_entries([float(number) for number in np.reshape(value, -1)], signed=bool(is_signed))
