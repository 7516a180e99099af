"""The rules that register writes of a fragment program must keep, by stable names, and which of them writes break.

What breaks a rule is undefined on the console, or the sources of what is known about it disagree.  Faults are found
from the writes alone: what they do not set is the host's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from glslc_multi.backends.pica200.isa.fragment.decode import UnknownCode, registers_after, stage_of
from glslc_multi.backends.pica200.isa.fragment.program import INERT, Stage, Write
from glslc_multi.backends.pica200.isa.fragment.registers import BY_ADDRESS, BY_NAME
from glslc_multi.backends.pica200.isa.fragment.registers.combiners import (
    FOG_MODES,
    STAGE_BASES,
    STAGE_REGISTERS,
    UPDATE_BUFFER,
)
from glslc_multi.backends.pica200.isa.fragment.registers.layout import ALL_BYTES, Register, byte_mask_bits
from glslc_multi.backends.pica200.isa.fragment.registers.lighting import (
    CONFIGURATIONS,
    INPUT_TABLES,
    INPUTS,
    LIGHT_COLOURS,
)
from glslc_multi.backends.pica200.isa.fragment.tables import DATA_REGISTER_INDEX, LIGHTS, TABLES, entries_of
from glslc_multi.compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """A rule that writes break: a key of `RULES`; the register's name, or what else it is about; how."""

    rule: str
    where: str
    message: str

    def __str__(self) -> str:
        return f"{self.where}: {self.rule}: {self.message}"


#: Rule -> what it says; the order of the page and of the tests.
RULES: Mapping[str, str] = {
    "unknown-register": "every register is one of the fragment stage",
    "unknown-code": "fields that are choices have codes with a known meaning",
    "reserved-bits": "bits in no field are 0, those that are always 1 are 1",
    "six-stages": "all registers of all six stages are written whole: they keep what was in them",
    "buffer-and-fog": "the bytes of the buffer's updates and of the mode of fog are written",
    "previous-in-stage-0": "stage 0 does not read `previous`, unless it is inert",
    "dot3-alpha": "an alpha combiner has a DOT3 only where the colour combiner has DOT3_RGBA",
    "texture-off": "a stage reads no texture unit that the same writes switch off",
    "lighting-off": "a stage reads the lighting unit only if the same writes do not switch it off",
    "gas": "the mode of fog is not gas, which no second source describes",
    "incomplete-table": "a table is written from its first entry to its last",
    "light-colours": "colours of lights are 0 to 255 in each channel, although fields have ten bits",
    "reflection-tables": "tables rr, rg and rb are on together or off together: sources exchange two of their bits",
    "table-of-configuration": "a table that is on is one of the configuration's",
    "tangent-input": "only layer7 looks tables up at cos_phi",
}


_BUFFER_AND_FOG = 0b0111
_NO_UPDATES = {"rgb": 0, "a": 0}
_UNITS = {"texture0": "unit0", "texture1": "unit1", "texture2": "unit2", "texture3": "unit3"}
_LIGHTING = ("lighting0", "lighting1")
_TANGENT = next(code for code, name in INPUTS.items() if name == "cos_phi")
_ALL_TABLES = max(CONFIGURATIONS)
_MOST_COLOUR = 255


def validate(writes: Sequence[Write]) -> list[Fault]:
    """Every fault; none in what the compiler makes."""
    return list(_faults(writes))


def _faults(writes: Sequence[Write]) -> Iterator[Fault]:
    for write in writes:
        register = BY_ADDRESS.get(write.register)
        if register is None:
            yield Fault("unknown-register", f"{write.register:03x}", "no register of the fragment stage is there")
        elif register.address not in DATA_REGISTER_INDEX:
            yield from _faults_of_value(register, write)
    written = _Written(writes)
    yield from _missing(written)
    for number, stage in written.stages():
        where = f"stage {number}"
        read = {operand.source for half in (stage.colour, stage.alpha) for operand in half.taken}
        if number == 0 and "previous" in read and (stage.colour, stage.alpha) != (INERT.colour, INERT.alpha):
            yield Fault("previous-in-stage-0", where, "there is no stage before it")
        if stage.alpha.function.startswith("DOT3") and stage.colour.function != "DOT3_RGBA":
            yield Fault("dot3-alpha", where, f"{stage.alpha.function} beside {stage.colour.function}")
        units = written.fields("TEXUNIT_CONFIG")
        for source in sorted(read & _UNITS.keys()):
            if units is not None and not units[_UNITS[source]]:
                yield Fault("texture-off", where, f"{source} is off")
        if read & set(_LIGHTING) and _is_lighting_off(written):
            yield Fault("lighting-off", where, "lighting is off")
    for name, entries in entries_of(writes).items():
        if len(entries) != TABLES[name].size:
            yield Fault("incomplete-table", f"table {name}", f"{len(entries)} of {TABLES[name].size} entries")
    yield from _faults_of_lighting(written)


class _Written:
    """What writes leave in registers, and which bytes of them."""

    def __init__(self, writes: Sequence[Write]) -> None:
        self.values = registers_after(writes, {})
        self.bytes: dict[int, int] = {}
        for write in writes:
            self.bytes[write.register] = self.bytes.get(write.register, 0) | write.mask

    def fields(self, name: str) -> Mapping[str, int] | None:
        """The fields of a register that is written whole."""
        register = BY_NAME[name]
        if self.bytes.get(register.address, 0) != ALL_BYTES:
            return None
        return register.format.decode(self.values[register.address])

    def stages(self) -> Iterator[tuple[int, Stage]]:
        """The stages that are whole and have known codes."""
        for number, base in enumerate(STAGE_BASES):
            addresses = range(base, base + len(STAGE_REGISTERS))
            if any(self.bytes.get(address, 0) != ALL_BYTES for address in addresses):
                continue
            try:
                yield number, stage_of(tuple(self.values[address] for address in addresses), number, _NO_UPDATES)
            except UnknownCode:
                continue


# --- One write --------------------------------------------------------------------------------------------------------


def _faults_of_value(register: Register, write: Write) -> Iterator[Fault]:
    bits = byte_mask_bits(write.mask)
    wrong = (write.value & register.format.reserved | ~write.value & register.format.ones) & bits
    if wrong:
        yield Fault("reserved-bits", register.name, f"{write.value & bits:08x} has {wrong:08x} wrong")
    for name, code in register.layout.unknown(write.value):
        if register.format.by_name[name].mask & bits:
            yield Fault("unknown-code", register.name, f"{name} is {code}")


# --- Stages -----------------------------------------------------------------------------------------------------------


def _missing(written: _Written) -> Iterator[Fault]:
    for number, base in enumerate(STAGE_BASES):
        for address in range(base, base + len(STAGE_REGISTERS)):
            if written.bytes.get(address, 0) != ALL_BYTES:
                yield Fault("six-stages", f"stage {number}", f"{BY_ADDRESS[address].name} is not written whole")
    if written.bytes.get(UPDATE_BUFFER.address, 0) & _BUFFER_AND_FOG != _BUFFER_AND_FOG:
        yield Fault("buffer-and-fog", UPDATE_BUFFER.name, "not all of its bytes are written")
    mode = UPDATE_BUFFER.format.decode(written.values.get(UPDATE_BUFFER.address, 0))["mode"]
    if FOG_MODES.get(mode) == "gas":
        yield Fault("gas", UPDATE_BUFFER.name, "the mode is gas")


def _is_lighting_off(written: _Written) -> bool:
    first, second = written.fields("LIGHTING_ENABLE0"), written.fields("LIGHTING_ENABLE1")
    return (first is not None and not first["enable"]) or (second is not None and bool(second["off"]))


# --- Tables and lights ------------------------------------------------------------------------------------------------


def _faults_of_lighting(written: _Written) -> Iterator[Fault]:
    for name in (*(f"LIGHT{light}_{part}" for light in range(LIGHTS) for part in LIGHT_COLOURS), "LIGHTING_AMBIENT"):
        fields = written.fields(name)
        if fields is not None and max(fields.values()) > _MOST_COLOUR:
            yield Fault("light-colours", name, f"{max(fields.values())} is more than {_MOST_COLOUR}")
    config0, config1 = written.fields("LIGHTING_CONFIG0"), written.fields("LIGHTING_CONFIG1")
    if config1 is not None and len({config1[f"no_{name}"] for name in ("rr", "rg", "rb")}) > 1:
        yield Fault("reflection-tables", "LIGHTING_CONFIG1", "some are on and some are off")
    if config0 is None or config0["configuration"] not in CONFIGURATIONS:
        return
    has = CONFIGURATIONS[config0["configuration"]]
    for name in INPUT_TABLES:
        if config1 is not None and name != "sp" and not config1[f"no_{name}"] and name not in has:
            yield Fault("table-of-configuration", f"table {name}", "it is on, and the configuration has it not")
    inputs = written.fields("LIGHTING_LUTINPUT_SELECT") or {}
    for name in has:
        if inputs.get(name) == _TANGENT and config0["configuration"] != _ALL_TABLES:
            yield Fault("tangent-input", f"table {name}", "it is looked up at cos_phi")
