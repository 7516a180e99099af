"""The registers of the fog unit: what is known now as writes, the rest as results of the host.

The unit's own depth is 1 at the near plane and 0 at the far one, by the map of depth that citro3d sets (scale -1,
offset 0): 1 - gl_FragCoord.z.  Flipped, the table goes by gl_FragCoord.z itself: entry n is at n/128.
"""

from __future__ import annotations

from backends.pica200.codegen.fragment.fog.depths import Depths, depth_numbers
from backends.pica200.codegen.fragment.fog.split import Fog
from backends.pica200.codegen.fragment.host_tables import MakeValue, UnitCode, values_at
from backends.pica200.codegen.fragment.hosting import Host, HostResult, HostTable, PreambleWriter, byte_from
from backends.pica200.isa.fragment.encode import FOG_BYTES
from backends.pica200.isa.fragment.entries import FOG_ENTRIES, fog_entries
from backends.pica200.isa.fragment.program import Write
from backends.pica200.isa.fragment.registers.combiners import FOG_MODES, UPDATE_BUFFER
from backends.pica200.isa.fragment.registers.fog import FOG_COLOR
from backends.pica200.isa.fragment.rounding import byte_of
from compiler.artifact import Binding, Location
from compiler.ir import ops
from compiler.ir.builder import float_constant
from compiler.ir.module import Value
from compiler.ir.variables import PREAMBLE

#: The colour's place in the space "tev", after the reference of the alpha test.
_COLOUR = 8
#: The map of depth that makes 1 - gl_FragCoord.z of it: what citro3d sets.
_DEPTH_MAP = {"depth_map_scale": -1, "depth_map_offset": 0}
_MODE = {name: code for code, name in FOG_MODES.items()}["fog"]
#: Where lines begin, and where the last one ends.
_ENDS = [number / FOG_ENTRIES for number in range(FOG_ENTRIES + 1)]


def fog_code(fog: Fog, depths: Depths, host: Host) -> UnitCode:
    code = UnitCode(host_state=dict(_DEPTH_MAP))
    mode = UPDATE_BUFFER.format.encode({"mode": _MODE, "z_flip": 1})
    code.writes.append(Write(UPDATE_BUFFER.address, mode, FOG_BYTES))
    # Bytes if they are known; else a place in the register map, and black here.
    constants = [part.constant for part in fog.colour]
    bytes_ = [byte_of(part) for part in constants if part is not None]
    is_known = len(bytes_) == len(fog.colour)
    fields = dict(zip("rgb", bytes_, strict=True)) if is_known else {}
    code.writes.append(Write(FOG_COLOR.address, FOG_COLOR.format.encode(fields)))
    if not is_known:
        result = HostResult(f"${PREAMBLE}.fog_colour", tuple(map(byte_from, fog.colour)))
        code.results.append(result)
        code.bindings.append(Binding(result.name, "vec3", None, (Location("tev", _COLOUR, "xyz", "unorm8"),)))
    _table(code, content_of(fog, depths), host)
    return code


def content_of(fog: Fog, depths: Depths) -> MakeValue:
    """f at a depth."""

    def make(writer: PreambleWriter, depth: Value) -> Value:
        for leaf in depths.leaves:
            width = leaf.type.width
            writer.given(leaf, depth if width == 1 else writer.builder.construct(*[depth] * width))
        for number in depth_numbers(fog.factor):
            if number.value is None:
                writer.given_atom(number, depth)
                continue
            value = writer.component(number.value, number.component)
            moved = writer.builder.op(ops.FSUB, value, float_constant(float(number.low)))
            writer.given_atom(number, writer.builder.op(ops.FMUL, moved, float_constant(float(1 / number.width))))
        return writer.polynomial(fog.factor)

    return make


def _table(code: UnitCode, content: MakeValue, host: Host) -> None:
    """One that needs no uniform is evaluated now."""
    values = values_at(host, content, _ENDS, None)
    if values is not None:
        code.tables["fog"] = fog_entries(values)
        return

    def element(writer: PreambleWriter, index: Value) -> Value:
        number = writer.builder.op(ops.ITOF, index)
        return content(writer, writer.builder.op(ops.FMUL, number, float_constant(1 / FOG_ENTRIES)))

    table = HostTable("$table.fog", FOG_ENTRIES + 1, element)
    code.host_tables.append(table)
    # What is there until the host sets it.
    code.tables["fog"] = (0,) * FOG_ENTRIES
    code.bindings.append(Binding(table.name, "float", table.length, (Location("fog", 0, "x", "table"),)))
