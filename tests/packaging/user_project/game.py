"""A program of a user: it compiles, binds, runs, uploads, and tells what is wrong with a shader."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, assert_type

import glslc_multi
from glslc_multi import CompiledProgram, CompiledShader, CompileError, Diagnostic, Program, Reflection, Stats

VERTEX = "attribute vec4 place; uniform mat4 camera; void main() { gl_Position = camera * place; }"
FRAGMENT = "precision mediump float; uniform vec4 tint; void main() { gl_FragColor = tint; }"
CAMERA = [[2, 0, 0, 0], [0, 2, 0, 0], [0, 0, 2, 0], [0, 0, 0, 1]]


def registers(reflection: Reflection) -> dict[str, list[tuple[str, int]]]:
    """Say where every uniform goes."""
    return {
        uniform.name: [(location.space, location.index) for location in uniform.locations]
        for uniform in reflection.uniforms
    }


def words_of(stats: Stats) -> int:
    """Count the words, unless the code is wrong."""
    assert stats.verdict is None or stats.verdict.outcome != "differs"
    return stats.code_words


def uploads(program: Program) -> Iterator[tuple[str, int, Any]]:
    """List what must be uploaded for one camera."""
    values = program.new_values()
    values["camera"] = CAMERA
    values.set({"tint": (1, 0.5, 0, 1)})
    for update in values.take_updates():
        yield update.space, update.first, update.words


def mistakes(source: str, target: str) -> tuple[Diagnostic, ...]:
    """Compile what may be wrong."""
    try:
        shader = glslc_multi.compile(source, target=target, stage="fragment", defines={"FOG": "1"}, opt="s")
    except CompileError as error:
        return error.diagnostics
    return shader.diagnostics


def describe(diagnostic: Diagnostic) -> str:
    """Describe a mistake by its place, and what corrects it."""
    place = "" if diagnostic.span is None else f"{diagnostic.span.line}:{diagnostic.span.column} "
    return f"{place}{diagnostic.code} {'; '.join(fix.text for fix in diagnostic.fixes)}"


def draw(target: str) -> None:
    """Print what becomes of a pair on a target."""
    shader = glslc_multi.compile(VERTEX, target=target, stage="vertex")
    pair = glslc_multi.link(VERTEX, FRAGMENT, target=target, options={})
    assert_type(shader, CompiledShader)
    assert_type(pair, CompiledProgram)
    assert_type(shader.binary, bytes)
    assert_type(glslc_multi.emit(pair, "header", prefix="game"), dict[str, bytes])
    assert glslc_multi.assemble(glslc_multi.disassemble(shader.binary, target), target) == shader.binary
    print(target, registers(shader.reflection), words_of(shader.stats) > 0)
    print(shader.run({"place": [[1, 2, 3, 1]]}, {"camera": CAMERA})["gl_Position"].tolist())
    print([(space, first) for space, first, _ in uploads(Program.of(pair))])


def misuse() -> None:
    """Do what the annotations forbid: without them these comments would be superfluous, which is an error."""
    glslc_multi.compile(VERTEX)  # type: ignore[call-arg]
    glslc_multi.compile(VERTEX, target=1)  # type: ignore[arg-type]
    print(glslc_multi.compile(VERTEX, target="vc4").binary.name)  # type: ignore[attr-defined]
    glslc_multi.compile(VERTEX, target="vc4").run({}, engine="gpu")  # type: ignore[arg-type]
    registers(glslc_multi.compile(VERTEX, target="vc4").stats)  # type: ignore[arg-type]
    Program.of(VERTEX)  # type: ignore[arg-type]


if __name__ == "__main__":
    for name in sys.argv[1:]:
        draw(name)
    print([describe(diagnostic) for diagnostic in mistakes("void main() { gl_FragColor = glow; }", "agal")])
