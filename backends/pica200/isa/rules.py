"""The rules of the hardware that every program must keep, by stable names."""

from __future__ import annotations

from collections.abc import Mapping

from glslc_multi.compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """A rule that a program breaks: a key of `RULES`; the word's address, None for the program as a whole; how."""

    rule: str
    address: int | None
    message: str

    def __str__(self) -> str:
        return f"word {self.address}: {self.rule}: {self.message}"


#: Rule -> what it says; the order of the README and of the tests.
RULES: Mapping[str, str] = {
    "unknown-word": "every word is an instruction, with zeros where no field is",
    "code-size": "code memory has 512 words",
    "descriptor-count": "the table has 128 operand descriptors",
    "descriptor-reserved": "bit 31 of a descriptor is 0",
    "missing-descriptor": "an instruction names a descriptor of the table",
    "two-inputs": "an instruction reads one input register at most",
    "relative-without-uniform": "an address register is added to c registers only",
    "unknown-relation": "relations of CMP are 0 to 5",
    "missing-register": "LOOP reads i0 to i3, SETEMIT sets slots 0 to 2",
    "untested-instruction": "DSTI is not used",
    "output-gap": "the outputs of the map are o0, o1 and so on",
    "output-entry": "an output has a known property and one to four components",
    "output-register": "properties other than dummy are on o0 to o6; geometry shaders have no other outputs",
    "missing-position": "an output with all components is the position",
    "output-overlap": "no component of an output has two properties",
    "constant-register": "constants are for registers that exist",
    "uniform-range": "a named uniform lies inside of one bank",
    "geometry-bool": "no uniform of a geometry shader takes b15",
    "leaves-code": "every path ends at END, inside of the code",
    "adjacent-mova": "two MOVAs do not follow one another",
    "unwritten-output": "every component of a mapped output is written on every path",
    "output-written-twice": "no component of a mapped output is written twice on a path",
    "unmapped-geometry-output": "geometry shaders write o0 to o6",
    "emit-in-vertex": "EMIT and SETEMIT are for geometry shaders",
    "break-outside-loop": "BREAK stands in a loop",
    "break-from-block": "BREAK leaves no IF and no CALL on their stacks",
    "stack-overflow": "CALLs are 4 deep at most, IFs 8, LOOPs 4",
    "jump-at-block-end": "a jump or call is not the last word of a block",
    "shared-block-end": "two IFs, or two LOOPs, do not end at the same word",
    "stale-loop-counter": "aL is read inside of a loop only, and not after an inner loop",
    "too-complex": "the paths can be followed in a bounded number of steps",
}
