"""The rules that register writes of a fragment program must keep, by stable names.

What breaks one is undefined on the console, or the sources of what is known about it disagree.
"""

from __future__ import annotations

from collections.abc import Mapping

from compiler.records import dataclass


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
