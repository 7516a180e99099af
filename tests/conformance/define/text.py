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
    #: Of GLSL ES 3.00: ints arrive as they are.
    is_modern: bool = False

    @property
    def carrier(self) -> str:
        """The type of the attribute or varying."""
        return carrier_of(self.type, self.is_modern)

    @property
    def wire_name(self) -> str:
        """The name of the attribute or varying; what is carried by floats has a local variable under its own name."""
        is_builtin = self.name.startswith("gl_")
        return self.name if self.carrier == self.type.name or is_builtin else f"in_{self.name}"


def carrier_of(type_: Type, is_modern: bool) -> str:
    """The type that carries such a value between stages: floats, and in GLSL ES 3.00 (section 4.3.4) ints, too."""
    return type_.name if is_modern and type_.scalar in ("int", "uint") else type_.carrier


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
    @property
    def is_modern(self) -> bool: ...


def shader_text(shader: Shader, uniforms: Mapping[str, str]) -> str:
    """The whole shader; `uniforms` gives the types of those that `before` does not declare."""
    head = [f"{_input_qualifier(shader, d)} {d.carrier} {d.wire_name};" for d in shader.inputs]
    head += [_uniform(type_, name) for name, type_ in uniforms.items()]
    head += _result_declaration(shader)
    locals_ = [
        f"{declared.type.name} {declared.name} = {declared.type.name}({declared.wire_name});"
        for declared in shader.inputs
        if declared.wire_name != declared.name
    ]
    main = [*locals_, f"{shader.result.name} result;", dedent(shader.body).strip("\n"), *_stores(shader)]
    precision = _PRECISION if shader.stage == "fragment" else ""
    before = dedent(shader.before).strip("\n")
    return (
        ("#version 300 es\n" if shader.is_modern else "")
        + dedent(shader.directives).lstrip("\n")
        + precision
        + "".join(f"{line}\n" for line in head)
        + (f"{before}\n" if before else "")
        + f"void main() {{\n{indent(chr(10).join(main), '    ')}\n}}\n"
    )


def _input_qualifier(shader: Shader, declared: Declaration) -> str:
    if not shader.is_modern:
        return _QUALIFIER[shader.stage]
    return "flat in" if shader.stage == "fragment" and _is_whole(declared.carrier) else "in"


def _result_declaration(shader: Shader) -> list[str]:
    if shader.output or (shader.stage == "fragment" and not shader.is_modern):
        return []
    if not shader.is_modern:
        return [f"varying {shader.result.carrier} out_result;"]
    qualifier = "flat out" if shader.stage == "vertex" and _is_whole(result_carrier(shader)) else "out"
    return [f"{qualifier} highp {result_carrier(shader)} out_result;"]


def result_carrier(shader: Shader) -> str:
    """The type of the output."""
    if shader.column is not None:
        return f"vec{shader.result.rows}"
    return carrier_of(shader.result, shader.is_modern)


def _is_whole(type_: str) -> bool:
    return type_.startswith(("int", "uint", "ivec", "uvec"))


def _uniform(type_: str, name: str) -> str:
    element, bracket, size = type_.partition("[")
    return f"uniform {element} {name}{bracket}{size};"


def _stores(shader: Shader) -> list[str]:
    carrier, result = carrier_of(shader.result, shader.is_modern), shader.result
    converted = "result" if carrier == result.name else f"{carrier}(result)"
    if shader.stage == "vertex":
        store = f"{shader.output or 'out_result'} = {converted};"
        position = [] if shader.output == "gl_Position" else ["gl_Position = vec4(0.0, 0.0, 0.0, 1.0);"]
        return [store, *position]
    if shader.is_modern:
        return [f"out_result = {converted if shader.column is None else f'result[{shader.column}]'};"]
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
