"""Shaders of tests, compiled and run on the simulator."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from glslc_multi.backends.theia.target import TARGET
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import compile_source, lower_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.options import Request
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime.simulator import Simulated, run_artifact


def compiled(
    text: str, sink: DiagnosticSink | None = None, options: Mapping[str, str] = MappingProxyType({})
) -> Artifact:
    request = Request(target_options={"output": "raw"} | dict(options))
    return compile_source(
        make_source("precision highp float;\n" + text, "t.frag"), TARGET, request, sink or DiagnosticSink()
    )


def run(
    text: str,
    inputs: Mapping[str, Any],
    uniforms: Mapping[str, Any] | None = None,
    variant: str = "trunk",
    options: Mapping[str, str] = MappingProxyType({}),
    textures: Mapping[str, Texture] | None = None,
) -> Any:
    """gl_FragColor of every pixel."""
    module = lower_source(make_source("precision highp float;\n" + text, "t.frag"), FrontEndOptions(), DiagnosticSink())
    lanes = len(next(iter(inputs.values())))
    options = {"variant": variant, **options}
    shader = Simulated(TARGET, compiled(text, options=options), module, options)
    return run_artifact(shader, inputs, uniforms or {}, textures, lanes=lanes)


def colour_of(expression: str, x: Any, y: Any = None, variant: str = "trunk") -> Any:
    """The value of an expression of the vec3s x and y."""
    text = f"varying vec3 x; varying vec3 y; void main() {{ gl_FragColor = vec4({expression}, 1.0); }}"
    used = {"x": x} if y is None else {"x": x, "y": y}
    declared = text if y is not None else text.replace("varying vec3 y; ", "")
    return run(declared, used, variant=variant)["gl_FragColor"][:, :3]
