"""A linked pair with values, as a record of schema cts: attributes in, colours compared inside the fragment shader.

Schema glsl-exec-1 holds one stage, so what passes between stages is tested in this form: each row gives the
attributes of one vertex, every pixel is that vertex, and the shader answers white where `seen`, a vec4 that the
fragment statements declare, meets the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.conformance.define.domains import USUAL, Domain
from tests.conformance.define.types import from_numbers, to_record
from tests.conformance.define.value_case import declarations, to_uniform

_ROWS = 3

_VERTEX = """{attributes}{shared}
void main() {{
    {body}
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}}
"""

_FRAGMENT = """precision highp float;
{shared}
uniform vec4 ref_seen;
void main() {{
    {body}
    vec4 off = abs(seen - ref_seen);
    gl_FragColor = max(max(off.x, off.y), max(off.z, off.w)) < 0.001 ? vec4(1.0) : vec4(1.0, 0.0, 0.0, 1.0);
}}
"""


@dataclass(frozen=True, slots=True)
class PairCase:
    """Two stages; `vertex` and `fragment` are statements, `seen` is a vec4 that the fragment's declare."""

    name: str
    inputs: str
    vertex_globals: str
    vertex: str
    fragment_globals: str
    fragment: str
    formula: Callable[..., Any]
    uniforms: Mapping[str, tuple[str, Any]] = field(default_factory=dict)
    domains: Mapping[str, Domain] = field(default_factory=dict)

    def row(self) -> dict[str, Any]:
        """The record."""
        declared = declarations(self.inputs)
        random = Random(self.name)
        name = f"own/{self.name}_pair"
        attributes = "".join(f"attribute {d.type.name} {d.name};\n" for d in declared)
        vertex = _VERTEX.format(attributes=attributes, shared=self.vertex_globals, body=self.vertex)
        fragment = _FRAGMENT.format(shared=self.fragment_globals, body=self.fragment)
        return {
            "name": name,
            "section": self.name.split("/")[0],
            "stages": ["vertex", "fragment"],
            "expect": "pass",
            "requires": [],
            "sources": {"vertex": vertex, "fragment": fragment},
            "interface": {
                "inputs": [_variable(d.name, d.type.name, "attribute") for d in declared],
                "outputs": [{**_variable("seen", "vec4", "uniform"), "glsl_name": "ref_seen", "role": "reference"}],
                "uniforms": [_variable(name, type_, "uniform") for name, (type_, _) in self.uniforms.items()],
            },
            "values": [self._values(random) for _ in range(_ROWS)],
        }

    def _values(self, random: Random) -> dict[str, Any]:
        inputs = {}
        for declared in declarations(self.inputs):
            domain = self.domains.get(declared.name, USUAL[declared.type.scalar])
            inputs[declared.name] = [domain.pick(random) for _ in range(declared.type.size)]
        values = {d.name: from_numbers(d.type, inputs[d.name]) for d in declarations(self.inputs)}
        return {
            "inputs": {name: to_record(value) for name, value in values.items()},
            "uniforms": {name: to_uniform(value) for name, (_, value) in self.uniforms.items()},
            "outputs": {"seen": to_record(self.formula(**values))},
        }


def _variable(name: str, type_: str, qualifier: str) -> dict[str, str]:
    return {"name": name, "type": type_, "glsl_name": name, "glsl_type": type_, "qualifier": qualifier}
