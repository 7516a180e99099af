"""The complete GLSL text around a case's statements, in either stage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from textwrap import dedent, indent
from typing import Protocol

from tests.conformance.define.types import Type

_QUALIFIER = {"vertex": "attribute", "fragment": "varying"}
_PRECISION = "precision highp float;\nprecision highp int;\n"


@dataclass(frozen=True, slots=True)
class Declaration:
    """A type and a name."""

    type: Type
    name: str

    @property
    def wire_name(self) -> str:
        """The name of the attribute or varying; what is no float has a local variable under its own name."""
        is_builtin = self.name.startswith("gl_")
        return self.name if self.type.scalar == "float" or is_builtin else f"in_{self.name}"


class Shader(Protocol):
    """What the text is made of; see `ValueCase`."""

    @property
    def stage(self) -> str: ...
    @property
    def body(self) -> str: ...
    @property
    def result(self) -> Type: ...
    @property
    def inputs(self) -> tuple[Declaration, ...]: ...
    @property
    def before(self) -> str: ...
    @property
    def directives(self) -> str: ...
    @property
    def output(self) -> str: ...
    @property
    def column(self) -> int | None: ...


def shader_text(shader: Shader, uniforms: Mapping[str, str]) -> str:
    """The whole shader; `uniforms` gives the types of those that `before` does not declare."""
    qualifier = _QUALIFIER[shader.stage]
    head = [f"{qualifier} {declared.type.carrier} {declared.wire_name};" for declared in shader.inputs]
    head += [_uniform(type_, name) for name, type_ in uniforms.items()]
    if shader.stage == "vertex" and not shader.output:
        head.append(f"varying {shader.result.carrier} out_result;")
    locals_ = [
        f"{declared.type.name} {declared.name} = {declared.type.name}({declared.wire_name});"
        for declared in shader.inputs
        if declared.wire_name != declared.name
    ]
    main = [*locals_, f"{shader.result.name} result;", dedent(shader.body).strip("\n"), *_stores(shader)]
    precision = _PRECISION if shader.stage == "fragment" else ""
    before = dedent(shader.before).strip("\n")
    return (
        dedent(shader.directives).lstrip("\n")
        + precision
        + "".join(f"{line}\n" for line in head)
        + (f"{before}\n" if before else "")
        + f"void main() {{\n{indent(chr(10).join(main), '    ')}\n}}\n"
    )


def _uniform(type_: str, name: str) -> str:
    element, bracket, size = type_.partition("[")
    return f"uniform {element} {name}{bracket}{size};"


def _stores(shader: Shader) -> list[str]:
    carrier, result = shader.result.carrier, shader.result
    converted = "result" if carrier == result.name else f"{carrier}(result)"
    if shader.stage == "vertex":
        store = f"{shader.output or 'out_result'} = {converted};"
        position = [] if shader.output == "gl_Position" else ["gl_Position = vec4(0.0, 0.0, 0.0, 1.0);"]
        return [store, *position]
    if shader.output == "gl_FragDepthEXT":
        return ["gl_FragColor = vec4(0.0);", f"{shader.output} = {converted};"]
    if shader.column is not None:
        colour = f"vec4(result[{shader.column}]{', 0.0' * (4 - result.rows)})"
    elif result.columns == 2:
        colour = "vec4(result[0], result[1])"
    elif result.size == 4:
        colour = converted
    else:
        colour = f"vec4({converted}{', 0.0' * (4 - result.size)})"
    return [f"{shader.output or 'gl_FragColor'} = {colour};"]
