"""Large inputs of newer GLSL: they end in a result or a message, and the work is in proportion to the text."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from tests.frontends.glsl.shaders import compile_shader
from tests.work import count_calls

HEAD = "#version 300 es\nprecision highp float;\nin float v; flat in int n; out vec4 o;\n"


def compiled(source: str) -> None:
    compile_shader(HEAD + source, filename="big.frag", stage="fragment", sink=DiagnosticSink())


def block_members(count: int) -> str:
    members = "".join(f"vec4 m{i};" for i in range(count))
    uses = "".join(f"o += b.m{i};" for i in range(count))
    return f"layout(std140) uniform B {{ {members} }} b; void main() {{ {uses} }}"


def structure_members(count: int) -> str:
    members = "".join(f"float m{i};" for i in range(count))
    return f"struct S {{ {members} }}; void main() {{ S s; s.m0 = v; S t = s; o = vec4(s == t); }}"


def constructor(count: int) -> str:
    elements = ",".join(["v"] * count)
    return f"void main() {{ float a[{count}] = float[]({elements}); float[{count}] b = a; o = vec4(b[n]); }}"


def labels(count: int) -> str:
    return f"void main() {{ switch (n) {{ {''.join(f'case {i}: o.x += v; break;' for i in range(count))} }} }}"


def falling_labels(count: int) -> str:
    return f"void main() {{ switch (n) {{ {''.join(f'case {i}: o.x += v * {i}.5;' for i in range(count))} }} }}"


def lengths(count: int) -> str:
    return f"void main() {{ int a[3]; o = vec4({' + '.join(['a.length()'] * count)}); }}"


def bits(count: int) -> str:
    return f"void main() {{ uvec4 a = uvec4(n); {'a ^= a & (a << 3u);' * count} o = vec4(a); }}"


@pytest.mark.parametrize(
    "write", [block_members, structure_members, constructor, labels, falling_labels, lengths, bits]
)
def test_work_is_in_proportion(write: Callable[[int], str]) -> None:
    compiled(write(10))
    small, large = (count_calls(partial(compiled, write(count))) for count in (250, 1000))
    assert large < 5 * small


def test_an_array_of_ten_thousand() -> None:
    compiled(constructor(10_000))


def nested(depth: int, members: str) -> str:
    """Structures in structures; each has the one before twice."""
    inner = "".join(f"struct S{level} {{ {members.format(level - 1)} }};" for level in range(1, depth + 1))
    return (
        f"struct S0 {{ float x; }}; {inner} layout(std140) uniform B {{ S{depth} s; }}; void main() {{ o = vec4(v); }}"
    )


@pytest.mark.parametrize("members", ["S{0} a[2];", "S{0} a; S{0} b;"])
def test_the_layout_of_nested_structures(members: str) -> None:
    """Twice as many numbers a level: the work doubles, too."""
    compiled(nested(2, members))
    small, large = (count_calls(partial(compiled, nested(depth, members))) for depth in (6, 10))
    assert large < 20 * small


def test_structures_that_are_too_large() -> None:
    with pytest.raises(CompileError) as caught:
        compiled(nested(20, "S{0} a[2];"))
    assert any("more than the supported 65536" in each.message for each in caught.value.diagnostics)


def test_a_version_of_thousands_of_digits() -> None:
    with pytest.raises(CompileError):
        compile_shader(f"#version {'1' * 5000}\n", filename="big.frag", stage="fragment", sink=DiagnosticSink())
