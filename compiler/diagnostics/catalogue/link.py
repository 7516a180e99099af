"""Messages about a pair of stages: varyings, uniforms and locations that must match (E05xx, W05xx)."""

from __future__ import annotations

from compiler.diagnostics.catalogue.registry import error

VARYING_NOT_WRITTEN_BY_VERTEX_STAGE = error(
    "E0501",
    "varying '{name}' is read by the fragment stage but the vertex stage does not declare it",
    """
    A varying that the fragment shader uses must be declared in the vertex shader with the same type
    (GLSL ES 1.00 section 4.3.5).

        // fragment shader
        varying vec2 uv;      // error unless the vertex shader has 'varying vec2 uv;' as well
    """,
)
