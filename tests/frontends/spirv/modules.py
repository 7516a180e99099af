"""Small modules as text, for tests: what is the same in all of them, and running one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.frontend import FrontEndOptions, Source
from glslc_multi.compiler.ir.evaluate import evaluate
from glslc_multi.compiler.ir.module import Module
from glslc_multi.frontends.spirv.frontend import FRONT_END
from glslc_multi.runtime.reference import run_module

#: A fragment shader that writes `%result`, a vec4; %a, %b and %c are vec4 uniforms, %i, %j and %k ivec4 ones.
HEAD = """
OpCapability Shader
OpCapability ImageQuery
%std = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %color
OpExecutionMode %main OriginLowerLeft
OpDecorate %color Location 0
%void = OpTypeVoid
%bool = OpTypeBool
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%vec2 = OpTypeVector %float 2
%vec3 = OpTypeVector %float 3
%vec4 = OpTypeVector %float 4
%ivec4 = OpTypeVector %int 4
%uvec4 = OpTypeVector %uint 4
%bvec4 = OpTypeVector %bool 4
%mat2 = OpTypeMatrix %vec2 2
%mat4 = OpTypeMatrix %vec4 4
%fn = OpTypeFunction %void
%out_vec4 = OpTypePointer Output %vec4
%in_vec4 = OpTypePointer UniformConstant %vec4
%in_ivec4 = OpTypePointer UniformConstant %ivec4
%f0 = OpConstant %float 0
%f1 = OpConstant %float 1
%f2 = OpConstant %float 2
%i0 = OpConstant %int 0
%i1 = OpConstant %int 1
%i4 = OpConstant %int 4
%i8 = OpConstant %int 8
%ones = OpConstantComposite %vec4 %f1 %f1 %f1 %f1
%zeros = OpConstantComposite %vec4 %f0 %f0 %f0 %f0
%color = OpVariable %out_vec4 Output
%pa = OpVariable %in_vec4 UniformConstant
%pb = OpVariable %in_vec4 UniformConstant
%pc = OpVariable %in_vec4 UniformConstant
%pi = OpVariable %in_ivec4 UniformConstant
%pj = OpVariable %in_ivec4 UniformConstant
"""
START = """
%main = OpFunction %void None %fn
%entry = OpLabel
"""
LOADS = """
%a = OpLoad %vec4 %pa
%b = OpLoad %vec4 %pb
%c = OpLoad %vec4 %pc
%i = OpLoad %ivec4 %pi
%j = OpLoad %ivec4 %pj
"""
END = """
OpStore %color %result
OpReturn
OpFunctionEnd
"""

A = (0.5, -1.25, 2.0, -3.0)
B = (2.0, 0.75, -1.5, 4.0)
C = (0.25, 1.0, 0.5, 2.0)
INTS_I = (7, -7, 1 << 30, -1)
INTS_J = (3, 2, 5, -4)
VALUES: dict[str, Sequence[float]] = {"pa": A, "pb": B, "pc": C, "pi": INTS_I, "pj": INTS_J}


def lowered(
    text: str | bytes, *, entry: str = "", spec: Mapping[int, str] | None = None, stage: str = "fragment"
) -> Module:
    """The IR of a module; raises `CompileError`."""
    sink = DiagnosticSink()
    options = FrontEndOptions(entry=entry, specializations=spec or {})
    prepared = FRONT_END.prepare(Source(text, "test.spvasm", FRONT_END), stage, options, sink)
    return FRONT_END.lower(prepared, stage, sink)


def shader(body: str, declarations: str = "") -> str:
    """A module of a body that yields %result; its variables come first, as they must."""
    lines = body.splitlines(keepends=True)
    variables = "".join(line for line in lines if "= OpVariable " in line)
    rest = "".join(line for line in lines if "= OpVariable " not in line)
    return HEAD + declarations + START + variables + LOADS + rest + END


def run(text: str, values: Mapping[str, Any] = VALUES, **options: Any) -> list[float]:
    """The colour that a module writes."""
    return [float(x) for x in run_exactly(text, values, **options)]


def run_exactly(
    text: str, values: Mapping[str, Any], *, textures: Mapping[str, Texture] | None = None, **options: Any
) -> np.ndarray[Any, np.dtype[np.float32]]:
    """The colour of the first pixel; the module reads just these textures."""
    module = lowered(text, **options)
    assert {v.name for v in module.variables.values() if v.storage == "sampler"} == set(textures or ())
    uniforms = {
        name: np.array(value, dtype=np.float32 if module.variables[name].type.kind == "float" else np.int32)
        for name, value in {**VALUES, **values}.items()
        if name in module.variables
    }
    found = evaluate(module, {}, uniforms, textures, lanes=4, quads=True)
    (name,) = [variable.name for variable in module.variables.values() if variable.storage == "output"]
    colour: np.ndarray[Any, np.dtype[np.float32]] = np.asarray(found.outputs[name], dtype=np.float32)[0]
    return colour


def run_rows(body: str, rows: Sequence[Sequence[float]], declarations: str = "", **buffers: bytes) -> Any:
    """%result of a body for each row of operands: %x, %y, %z and %w, floats or ints; uniform blocks have buffers."""
    names = "xyzw"[: len(rows[0])]
    type_, dtype = ("ivec4", np.int32) if isinstance(rows[0][0], int) else ("vec4", np.float32)
    head, loads = f"%to_operand = OpTypePointer Input %{type_}\n{declarations}", ""
    for place, name in enumerate(names):
        head += f"OpDecorate %in_{name} Location {place}\nOpDecorate %in_{name} Flat\n"
        head += f"%in_{name} = OpVariable %to_operand Input\n"
        loads += f"%{name} = OpLoad %{type_} %in_{name}\n"
    interface = " ".join(f"%in_{name}" for name in names)
    module = lowered(shader(loads + body, head).replace('"main"', f'"main" {interface}', 1))
    # Four rows are one pixel.
    filled = [*rows, *[rows[0]] * (-len(rows) % 4)]
    columns = np.array(filled, dtype).reshape(-1, 4, len(names))
    inputs = {f"in_{name}": columns[..., place] for place, name in enumerate(names)}
    colour = run_module(module, inputs, {**VALUES, **buffers}, {}, lanes=len(filled) // 4)["color"]
    return np.asarray(colour, np.float32).reshape(-1)[: len(rows)]


def refusal(text: str | bytes, **options: Any) -> tuple[str, str, int]:
    """Code, message and line of the error that a module ends in."""
    try:
        lowered(text, **options)
    except CompileError as error:
        first = error.diagnostics[0]
        return first.code, first.message, 0 if first.span is None else first.span.line
    raise AssertionError("the module was accepted")


def refusal_here(text: str, **options: Any) -> tuple[str, str]:
    """Code and message of the error that a module ends in, at the line that is marked "; here"."""
    (marked,) = (number for number, line in enumerate(text.split("\n"), start=1) if line.endswith("; here"))
    code, message, line = refusal(text, **options)
    assert line == marked
    return code, message
