"""Shaders for measurements, in our dialect and in that of peers.

`small(stage)` has 19 lines of straight code; `dense(stage, lines)` has as many lines as wanted, of about 23 tokens
each, all of which count for the result, with an `if` or a loop of four rounds in every fourth line.
"""

from __future__ import annotations

from typing import Literal

Dialect = Literal[100, 310]
Stage = Literal["vertex", "fragment"]

_VERTEX_HEAD = [
    "attribute vec4 a_position; attribute vec3 a_normal;",
    "attribute vec2 a_uv;",
    "uniform mat4 u_mvp; uniform vec4 u_light; uniform vec4 u_colour; uniform vec4 u_offset;",
    "varying vec4 v_colour; varying vec2 v_uv;",
]
_SMALL_VERTEX = """
void main()
{
    vec4 position = a_position + u_offset;
    vec4 clip = u_mvp * position;
    vec3 normal = normalize(a_normal);
    vec3 light = u_light.xyz - position.xyz;
    float distance_squared = dot(light, light);
    float falloff = 1.0 / (1.0 + distance_squared * u_light.w);
    float diffuse = max(dot(normal, normalize(light)), 0.0);
    vec3 shade = u_colour.rgb * (diffuse * falloff);
    shade = clamp(shade, 0.0, 1.0);
    v_colour = vec4(shade, u_colour.a);
    v_uv = a_uv * 0.5 + vec2(0.25);
    gl_Position = clip;
}
"""
_FRAGMENT_HEAD = [
    "precision mediump float;",
    "varying vec4 v_colour;",
    "varying vec3 v_normal;",
    "uniform vec4 u_light; uniform vec4 u_colour; uniform vec4 u_offset;",
]
_SMALL_FRAGMENT = """
void main()
{
    vec3 normal = v_normal * 0.5 + vec3(0.25);
    vec3 light = u_light.xyz - v_colour.xyz;
    float facing = dot(normal, light);
    float diffuse = max(facing, 0.0);
    vec3 shade = u_colour.rgb * diffuse;
    vec3 ambient = v_colour.rgb * 0.125;
    shade = shade + ambient;
    shade = clamp(shade, 0.0, 1.0);
    vec3 tint = u_offset.rgb * shade.x;
    shade = shade - tint * 0.25;
    shade = shade * shade;
    gl_FragColor = vec4(shade, 1.0);
}
"""


def small(stage: Stage, dialect: Dialect = 100) -> str:
    """19 lines of straight code."""
    head, body = (_VERTEX_HEAD, _SMALL_VERTEX) if stage == "vertex" else (_FRAGMENT_HEAD, _SMALL_FRAGMENT)
    return _spelled("\n".join(head) + body, stage, dialect)


def dense(stage: Stage, lines: int, dialect: Dialect = 100) -> str:
    """This many lines of about 23 tokens."""
    first = "a_position" if stage == "vertex" else "v_colour"
    head, result = (_VERTEX_HEAD, "gl_Position") if stage == "vertex" else (_FRAGMENT_HEAD, "gl_FragColor")
    before = ["void main() {", f"    vec4 sum = {first};", f"    vec4 other = {first}.wzyx;"]
    after = [f"    {result} = sum + other;", "}"]
    if stage == "vertex":
        after[:0] = ["    v_colour = other;", "    v_uv = sum.xy;"]
    count = lines - len(head) - len(before) - len(after)
    return _spelled("\n".join([*head, *before, *map(_dense_line, range(count)), *after, ""]), stage, dialect)


def _dense_line(number: int) -> str:
    """One of eight patterns, so that neighbours differ; values stay between -2 and 2, as fixed-point targets need."""
    value = number % 7 * 0.125 + 0.125
    return (
        f"    sum = clamp(other.yzwx * {value} - sum * u_colour.wwxy, -1.0, 1.0);",
        f"    other.xy = max(sum.zw * {value} - u_offset.xy, other.yx * u_colour.zw);",
        f"    vec3 t{number} = other.zxy * {value} + u_light.xyz * sum.www + vec3({value});",
        f"    if (sum.x > {value} && other.y < 0.5) sum = other.wzyx * {value} + u_offset;",
        f"    other = mix(sum.wxzy, u_offset, {value}) * vec4(t{number - 2}, sum.x);",
        f"    sum.zw = other.xy * u_light.zw - min(sum.yx + u_colour.xy, {value});",
        f"    other.w = dot(sum.xyz, u_light.xyz) * {value} - other.x * sum.w;",
        "    for (int i = 0; i < 4; i++) { sum.xyz += other.wzy * u_colour.xyz; }",
    )[number % 8]


def _spelled(text: str, stage: Stage, dialect: Dialect) -> str:
    if dialect == 100:
        return text
    text = text.replace("attribute ", "in ").replace("varying ", "out " if stage == "vertex" else "in ")
    if stage == "fragment":
        text = text.replace("uniform vec4 u_light", "out vec4 f_colour; uniform vec4 u_light", 1)
        text = text.replace("gl_FragColor", "f_colour")
    return f"#version 310 es\n{text}"
