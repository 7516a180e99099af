"""Levels of detail that no field of an instruction holds: code, or a refusal, on every target."""

from __future__ import annotations

import pytest

import glslc_multi
from glslc_multi.backends.registry import target_names
from glslc_multi.compiler.diagnostics import CompileError

LEVELS = ("1.0 / 0.0", "-1.0 / 0.0", "0.0 / 0.0", "1e38", "-3.0e38", "0.3")


@pytest.mark.parametrize("target", target_names())
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("lookup", ["textureLod(s, v, {})", "texture(s, v, {})"])
def test_any_constant_level(target: str, level: str, lookup: str) -> None:
    source = f"""#version 300 es
precision highp float; in vec2 v; uniform sampler2D s; out vec4 colour;
void main() {{ colour = {lookup.format(level)}; }}"""
    try:
        glslc_multi.compile(source, target=target, stage="fragment")
    except CompileError as error:
        codes = {found.code for found in error.diagnostics if found.severity == "error"}
        assert codes and all(code.startswith("E07") for code in codes)
