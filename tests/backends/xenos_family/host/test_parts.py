"""Members of the structure of a vertex are as large as the fetches say."""

from __future__ import annotations

import re

import pytest

import glslc_multi
from glslc_multi.backends.xenos_family.host.parts import attributes_of, fetches_of

#: What OpenGL ES 2.0 section 2.8 stores: types of C, and their bytes.
TYPES = {
    "float": ("float", 4),
    "half": ("uint16_t", 2),
    "fixed": ("int32_t", 4),
    "byte": ("int8_t", 1),
    "ubyte": ("uint8_t", 1),
    "short": ("int16_t", 2),
    "ushort": ("uint16_t", 2),
    "byte-norm": ("int8_t", 1),
    "ushort-norm": ("uint16_t", 2),
}


@pytest.mark.parametrize("width", [1, 2, 3, 4])
@pytest.mark.parametrize("name", TYPES)
def test_a_member_ends_where_the_next_attribute_begins(name: str, width: int) -> None:
    kind = ("float", "vec2", "vec3", "vec4")[width - 1]
    text = f"attribute {kind} a; attribute vec2 b; void main() {{ gl_Position = vec4(b, 0.0, 1.0) + vec4(a); }}"
    text = text.replace("vec4(a)", {1: "vec4(a)", 2: "a.xyxy", 3: "a.xyzx", 4: "a"}[width])
    options = {"attributes": "interleaved", "attribute_formats": f"a={name}"}
    artifact = glslc_multi.compile(text, target="adreno", stage="vertex", options=options).artifact
    found = re.fullmatch(r"(\w+) a\[(\d)]", attributes_of(artifact)[0].declaration)
    assert found is not None
    type_, count = found[1], int(found[2])
    wanted, size = TYPES[name]
    (offset,) = (row["offset"] for row in fetches_of(artifact) if row["name"] == "b")
    assert (type_, count * size) == (wanted, offset)
    assert count >= width
