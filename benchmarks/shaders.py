"""Shaders for measurements, in our dialect and in that of peers.

`small(stage)` has 19 lines of straight code; `dense(stage, lines)` has as many lines as wanted, of about 24 tokens
each, all of which count for the result, with an `if` or a loop of four rounds in every eighth line.
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
    """This many lines of about 24 tokens."""
    first = "a_position" if stage == "vertex" else "v_colour"
    head, result = (_VERTEX_HEAD, "gl_Position") if stage == "vertex" else (_FRAGMENT_HEAD, "gl_FragColor")
    before = ["void main() {", f"    vec4 sum = {first};", f"    vec4 other = {first}.wzyx;"]
    after = [f"    {result} = sum + other;", "}"]
    if stage == "vertex":
        after[:0] = ["    v_colour = other;", "    v_uv = sum.xy;"]
    count = lines - len(head) - len(before) - len(after)
    return _spelled("\n".join([*head, *before, *map(_dense_line, range(count)), *after, ""]), stage, dialect)


def _dense_line(number: int) -> str:
    value = number % 7 * 0.25 + 0.5
    if number % 16 == 7:
        return f"    if (sum.x > {value} && other.y < 2.0) sum = sum.wzyx * other + u_offset.xxyy;"
    if number % 16 == 15:
        return f"    for (int i = 0; i < 4; i++) {{ sum += other * float(i) * {value} + u_light; }}"
    return (
        f"    sum = max(sum.yzwx * {value} + u_light, other.wwxy); other.xy = sum.zw * u_colour.xy - other.yx;",
        f"    other = other * sum.zxyw - vec4(u_offset.xyz, {value}) * sum.w; sum.z += dot(other.xyz, u_light.xyz);",
        f"    sum.xy += clamp(other.zw * {value}, vec2(0.0), u_colour.xy - sum.wz); other.w = min(sum.x, 4.0);",
        f"    vec3 t{number} = sum.xyz * u_colour.www + vec3({value}, 0.5, 0.25); other.xyz += t{number}.zxy * sum.y;",
    )[number % 4]


def _spelled(text: str, stage: Stage, dialect: Dialect) -> str:
    if dialect == 100:
        return text
    text = text.replace("attribute ", "in ").replace("varying ", "out " if stage == "vertex" else "in ")
    if stage == "fragment":
        text = text.replace("uniform vec4 u_light", "out vec4 f_colour; uniform vec4 u_light", 1)
        text = text.replace("gl_FragColor", "f_colour")
    return f"#version 310 es\n{text}"
