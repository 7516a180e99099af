"""What programs name by number: how many registers, constants and exports there are, and who uses which export.

The spaces are the names by which a register map, and a simulator's inputs and outputs, speak of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Stage = Literal["vertex", "fragment"]
STAGES: tuple[Stage, ...] = ("vertex", "fragment")

#: General registers, and constants of a stage's window; four components each.
REGISTERS, CONSTANTS, COMPONENT_COUNT = 64, 256, 4
#: Bool constants lie in dwords; a loop constant has its count, start and step in its three lowest bytes.
BOOL_WORDS, BOOL_BITS, LOOP_CONSTANTS = 8, 32, 32
#: How deep calls nest, and loops that the machine counts.
STACK_DEPTH = 4
#: What a0 is limited to.
ADDRESS_RANGE = -256, 255
#: A vertex fetch reads one of three vertex constants in a fetch constant.
SELECTORS = 3

# --- Exports ----------------------------------------------------------------------------------------------------------

DEPTH, POSITION, POINT_SIZE, FIRST_MEMORY = 61, 62, 63, 32
PARAMETERS, COLOURS = 16, 4
#: Exports of a stage, and the one that it must write.
EXPORTS: Mapping[Stage, frozenset[int]] = {
    "vertex": frozenset((*range(PARAMETERS), *range(FIRST_MEMORY, 38), POSITION, POINT_SIZE)),
    "fragment": frozenset((*range(COLOURS), *range(FIRST_MEMORY, 38), DEPTH)),
}
NEEDED_EXPORT: Mapping[Stage, int] = {"vertex": POSITION, "fragment": 0}
#: Numbers of the buffers that an ALLOC names.
POSITION_BUFFER, PARAMETER_BUFFER, MEMORY_BUFFER = 1, 2, 3

# --- Spaces -----------------------------------------------------------------------------------------------------------

FETCH_SPACE, CONSTANT_SPACE, SAMPLER_SPACE, LOOP_SPACE = "fetch", "C", "sampler", "loop"
REGISTER_SPACE, EXPORT_SPACE = "R", "export"
#: The varying that a linked vertex program passes for gl_FragCoord: the window's z, and w of the position.
DEPTH_VARYING = "$depth"
#: The uniforms of the viewport: what is added to a position, and what it is multiplied with.
VIEWPORT_OFFSET, VIEWPORT_SCALE = "$viewport_offset", "$viewport_scale"
#: Where a program counts pixels from, in the state of the host, if not from where the chip does.
WINDOW_ORIGIN, LOWER_LEFT = "window_origin", "lower-left"
