"""Files of programs with damage: the disassembler refuses them, or its text makes the same file again.

A sample by a fixed seed by default; 1,000 files for each code generator with GLSLC_MULTI_ALL=1.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from random import Random

import pytest

from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.assembly import assemble_text, disassemble_data
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.target import Target
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime.shader import compile_shader
from tests.code_generators import CODE_GENERATORS, CodeGenerator

_COUNT = 1000 if os.environ.get("GLSLC_MULTI_ALL") else 40
_VARIANTS = [
    *CODE_GENERATORS,
    *(CodeGenerator("theia", {"variant": variant}) for variant in ("icarus", "v1.2")),
]
_HEAD = "precision mediump float; uniform vec4 k; uniform bool t; uniform sampler2D s; "
#: Several shaders of each stage: with control flow, constants, many outputs and textures.
_SHADERS = {
    "vertex": (
        "attribute vec4 a; varying vec2 t0, t1, t2, q; varying vec4 c; varying vec3 v, n; void main() {"
        " gl_Position = a * k; t0 = a.xy; t1 = a.yz; t2 = a.zw; c = a.wzyx * 0.3; v = a.xyz; n = a.zyx; q = a.xx; }",
        "attribute vec4 a; void main() { vec4 r = a; if (a.x > k.y) r = sqrt(abs(a)); for (int i = 0; i < 3; i++)"
        " r += k * a.wzyx; gl_Position = t ? r : r.yxwz; }",
    ),
    "fragment": (
        "varying vec4 a; void main() { vec4 c = texture2D(s, a.xy); gl_FragColor = c * a; }",
        "varying vec4 a; void main() { gl_FragColor = a * k; }",
    ),
}


def flip(random: Random, data: bytearray) -> None:
    data[random.randrange(len(data))] ^= 1 << random.randrange(8)


def replace_byte(random: Random, data: bytearray) -> None:
    data[random.randrange(len(data))] = random.randrange(256)


def replace_word(random: Random, data: bytearray) -> None:
    start = 4 * random.randrange(len(data) // 4)
    data[start : start + 4] = random.choice([b"\0\0\0\0", b"\xff\xff\xff\xff", random.randbytes(4)])


def swap_words(random: Random, data: bytearray) -> None:
    first, second = (4 * random.randrange(len(data) // 4) for _ in range(2))
    data[first : first + 4], data[second : second + 4] = data[second : second + 4], data[first : first + 4]


def truncate(random: Random, data: bytearray) -> None:
    del data[random.randrange(len(data)) :]


def extend(random: Random, data: bytearray) -> None:
    data += bytes(
        random.choice([b"\0" * random.randrange(1, 9), random.randbytes(random.randrange(1, 9)), bytes(data[-4:])])
    )


def repeat(random: Random, data: bytearray) -> None:
    start = random.randrange(len(data))
    data[start:start] = data[start : start + random.randrange(1, 17)]


DAMAGES: tuple[Callable[[Random, bytearray], None], ...] = (
    flip,
    replace_byte,
    replace_word,
    swap_words,
    truncate,
    extend,
    repeat,
)


def binaries(generator: CodeGenerator) -> list[bytes]:
    target = load_target(generator.target)
    found = []
    for stage, text in [(each, text) for each in target.stages for text in _SHADERS.get(each, ())]:
        try:
            source = make_source(_HEAD + text, "damaged", stage)
            found.append(compile_shader(source, target, Request(2, target_options=generator.options)).binary)
        except CompileError:
            # A machine may lack something.
            continue
    return found


def is_kept(data: bytes, target: Target) -> bool | None:
    """Whether the text of a file makes the file; None where it has none."""
    try:
        text = disassemble_data(data, target=target, filename="damaged", sink=DiagnosticSink())
    except CompileError as error:
        assert error.diagnostics
        return None
    return assemble_text(text, target=target, filename="text", sink=DiagnosticSink()) == data


@pytest.mark.parametrize("generator", _VARIANTS, ids=lambda each: each.name)
def test_damaged_files_are_refused_or_kept(generator: CodeGenerator) -> None:
    target = load_target(generator.target)
    random = Random(generator.name)
    whole = binaries(generator)
    assert whole
    assert all(is_kept(data, target) for data in whole)
    for number in range(_COUNT):
        data = bytearray(whole[number % len(whole)])
        for _ in range(random.choice((1, 1, 2))):
            if len(data) >= 4:
                random.choice(DAMAGES)(random, data)
        assert is_kept(bytes(data), target) is not False, data.hex()
