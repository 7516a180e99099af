"""The work of every pass grows about as the module does, counted in calls of functions (see `tests/work.py`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest

from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.analysis.uniformity import uniformity
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.passes.base import PassContext
from glslc_multi.compiler.passes.pipeline_text import parse_pipeline
from glslc_multi.compiler.passes.registry import PASSES
from glslc_multi.compiler.passes.runner import run_pipeline
from tests.work import count_calls

SMALL, TIMES = 30, 4
#: Four times the module may cost as much as this; what is quadratic costs 16 times as much.
LIMIT = 1.5 * TIMES

HEAD = """shader vertex
attribute @a: vec4
uniform @c: bool
output @gl_Position: vec4 role(position)

func @main {
^b0:
  %a:vec4 = load @a
  %c:bool = load @c
"""


def straight(count: int) -> Iterator[str]:
    """One block: a long chain of sums and products."""
    last = "%a"
    for i in range(count):
        yield f"%p{i}:vec4 = fmul {last}, vec4({i}.5)"
        yield f"%s{i}:vec4 = fadd %p{i}, %a"
        last = f"%s{i}"
    yield f"store @gl_Position, {last}"
    yield "ret"


def branches(count: int) -> Iterator[str]:
    """Triangles in a row, each with a value that only its arm needs."""
    last = "%a"
    for i in range(count):
        yield f"%p{i}:vec4 = fmul {last}, vec4({i}.5)"
        yield f"condbr %c, ^t{i}, ^b{i + 1}"
        yield f"^t{i}:"
        yield f"%s{i}:vec4 = fadd %p{i}, %a"
        yield f"br ^b{i + 1}"
        yield f"^b{i + 1}:"
        yield f"%j{i}:vec4 = phi [{last}, ^b{i}], [%s{i}, ^t{i}]"
        last = f"%j{i}"
    yield f"store @gl_Position, {last}"
    yield "ret"


def nested(count: int) -> Iterator[str]:
    """Triangles within triangles; what each has before its branch is used in the innermost."""
    for i in range(count):
        yield f"%p{i}:vec4 = fmul %a, vec4({i}.5)"
        yield f"condbr %c, ^b{i + 1}, ^j{i}"
        yield f"^b{i + 1}:"
    last = "%a"
    for i in range(count):
        yield f"%s{i}:vec4 = fadd {last}, %p{i}"
        last = f"%s{i}"
    source = f"^b{count}"
    for i in reversed(range(count)):
        yield f"br ^j{i}"
        yield f"^j{i}:"
        yield f"%m{i}:vec4 = phi [%a, ^b{i}], [{last}, {source}]"
        last, source = f"%m{i}", f"^j{i}"
    yield f"store @gl_Position, {last}"
    yield "ret"


def loops(count: int) -> Iterator[str]:
    """Loops in a row, each entered on two paths and with an invariant."""
    for i in range(count):
        yield f"condbr %c, ^h{i}, ^e{i}"
        yield f"^e{i}:"
        yield f"br ^h{i}"
        yield f"^h{i}:"
        yield f"%i{i}:int = phi [0, ^b{i}], [1, ^e{i}], [%n{i}, ^h{i}]"
        yield f"%p{i}:vec4 = fmul %a, vec4({i}.5)"
        yield f"%s{i}:vec4 = fadd %p{i}, {'%a' if i == 0 else f'%s{i - 1}'}"
        yield f"%n{i}:int = iadd %i{i}, 1"
        yield f"%t{i}:bool = ilt %n{i}, 3"
        yield f"condbr %t{i}, ^h{i}, ^b{i + 1}"
        yield f"^b{i + 1}:"
    yield f"store @gl_Position, %s{count - 1}"
    yield "ret"


def diverging(count: int) -> Iterator[str]:
    """Branches, each in an arm of the one before, from each of which one way leads to the end."""
    yield "%x:float = swizzle.x %a"
    for i in range(count):
        yield f"%t{i}:bool = flt %x, {i}.5"
        yield f"condbr %t{i}, ^b{i + 1}, ^end"
        yield f"^b{i + 1}:"
    yield "br ^end"
    yield "^end:"
    yield "store @gl_Position, %a"
    yield "ret"


def exits(count: int) -> Iterator[str]:
    """Loops in a row, each left for the next one, or from its depth for a common end."""
    for i in range(count):
        yield f"br ^h{i}"
        yield f"^h{i}:"
        yield f"%i{i}:int = phi [0, ^b{i}], [%n{i}, ^l{i}]"
        yield f"%t{i}:bool = ilt %i{i}, 3"
        yield f"condbr %t{i}, ^l{i}, ^b{i + 1}"
        yield f"^l{i}:"
        yield f"%n{i}:int = iadd %i{i}, 1"
        yield f"condbr %c, ^h{i}, ^end"
        yield f"^b{i + 1}:"
    yield "br ^end"
    yield "^end:"
    yield "store @gl_Position, %a"
    yield "ret"


def calls(count: int) -> Iterator[str]:
    """Functions that call the next one each."""
    yield "call @f0"
    yield "ret"
    for i in range(count):
        yield "}"
        yield f"func @f{i} {{"
        yield "^entry:"
        yield f"store @gl_Position, vec4({i}.5)"
        if i + 1 < count:
            yield f"call @f{i + 1}"
        yield "ret"


def functions(count: int) -> Iterator[str]:
    """Functions called one after the other, each with memory of its own."""
    for i in range(count):
        yield f"call @f{i}"
    yield "store @gl_Position, %a"
    yield "ret"
    for i in range(count):
        yield "}"
        yield f"func @f{i} {{"
        yield f"local @array{i}: vec4[2]"
        yield "^entry:"
        yield f"store @array{i}[0], vec4({i}.5)"
        yield f"%v{i}:vec4 = load @array{i}[0]"
        yield f"%p{i}:vec4 = fmul %v{i}, %v{i}"
        yield f"store @array{i}[1], %p{i}"
        yield "ret"


SHAPES: list[Callable[[int], Iterator[str]]] = [straight, branches, nested, loops, functions]


def module_of(shape: Callable[[int], Iterator[str]], count: int) -> Module:
    numbers: dict[str, int] = {}
    named = HEAD + "\n".join(shape(count)) + "\n}\n"
    text = re.sub("%[a-z][0-9]*", lambda name: f"%{numbers.setdefault(name[0], len(numbers))}", named)
    module = parse_module(text, "grown", DiagnosticSink())
    assert module is not None
    return module


def work(name: str, shape: Callable[[int], Iterator[str]], count: int) -> int:
    module = module_of(shape, count)
    pipeline = parse_pipeline(name, DiagnosticSink())
    return count_calls(lambda: run_pipeline(module, pipeline, PassContext()))


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
@pytest.mark.parametrize(
    "name", [name for name, where in PASSES.items() if where.startswith("glslc_multi.compiler.passes.")]
)
def test_work_grows_with_the_module(name: str, shape: Callable[[int], Iterator[str]]) -> None:
    work(name, shape, 1)  # Modules are imported, tables made and caches filled.
    assert work(name, shape, SMALL * TIMES) <= LIMIT * work(name, shape, SMALL)


@pytest.mark.parametrize("name", ["lower-returns", "structurize"])
def test_loops_in_a_row_are_made_plain_together(name: str) -> None:
    """Not each after new analyses of the whole function."""
    work(name, exits, 1)
    assert work(name, exits, SMALL * TIMES) <= LIMIT * work(name, exits, SMALL)


def test_divergent_regions_are_walked_once_however_deep_they_nest() -> None:
    def analysed(count: int) -> int:
        function = module_of(diverging, count).main
        return count_calls(lambda: AnalysisManager(function).get(uniformity))

    analysed(1)
    assert analysed(SMALL * TIMES) <= LIMIT * analysed(SMALL)


def test_inlining_copies_each_instruction_once() -> None:
    """However deep the calls nest; other passes see what was inlined."""
    work("inline", calls, 1)
    assert work("inline", calls, SMALL * TIMES) <= LIMIT * work("inline", calls, SMALL)


def doubling(depth: int) -> Iterator[str]:
    """Functions that call the next one twice each: 3 * 2^depth instructions."""
    yield "call @f0"
    yield "ret"
    for i in range(depth + 1):
        yield "}"
        yield f"func @f{i} {{"
        yield "^entry:"
        yield from [f"call @f{i + 1}"] * 2 if i < depth else ["store @gl_Position, vec4(1.0)"]
        yield "ret"


def test_what_would_grow_without_measure_is_refused() -> None:
    """Before it is built; what is half as large is not."""
    with pytest.raises(CompileError, match="E0703"):
        run_pipeline(module_of(doubling, 16), parse_pipeline("inline", DiagnosticSink()))
    module = module_of(doubling, 8)
    assert run_pipeline(module, parse_pipeline("inline", DiagnosticSink()))
    assert sum(instruction.op is ops.STORE for instruction in module.main.instructions()) == 2**8
