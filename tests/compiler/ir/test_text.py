"""The text form: what single pieces look like, and that printed modules read back exactly."""

from __future__ import annotations

import math
import os
import re
from random import Random
from struct import pack, unpack

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glslc_multi.compiler.diagnostics.sink import DiagnosticSink
from glslc_multi.compiler.diagnostics.span import Origin, SourceFile, Span
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, float_constant, int_constant
from glslc_multi.compiler.ir.document import README
from glslc_multi.compiler.ir.module import PRECISE, RELAXED, Constant, Module, Value
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.ir.text import (
    print_constant,
    print_float,
    print_instruction,
    print_module,
    print_variable,
)
from glslc_multi.compiler.ir.types import BOOL, BVEC2, FLOAT, INT, IVEC3, SAMPLER_CUBE, VEC2, VEC3, VEC4
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.ir.verify import verify_module
from tests.compiler.diagnostics.origins import with_origin
from tests.generators.ir import Program, generate, programs

#: The full number of random modules takes some seconds; set the variable to go through them all.
GENERATED_MODULES = 1000 if os.environ.get("GLSLC_MULTI_ALL") else 120


def parse(text: str) -> Module:
    sink = DiagnosticSink()
    module = parse_module(text, "t.sir", sink)
    assert module is not None, [diagnostic.message for diagnostic in sink.diagnostics]
    return module


def float32_from_bits(bits: int) -> float:
    value: float = unpack("<f", pack("<I", bits))[0]
    return value


# ------------------------------------------------------------------------------------- floats
@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (1.0, "1.0"),
        (-2.5, "-2.5"),
        (float32_from_bits(0x3DCCCCCD), "0.1"),
        (float32_from_bits(0x40490FDB), "3.1415927"),
        (16777216.0, "16777216.0"),
        (float32_from_bits(0x00000001), "1e-45"),
        (float32_from_bits(0x7F7FFFFF), "3.4028235e+38"),
        (math.inf, "inf"),
        (-math.inf, "-inf"),
        (math.nan, "nan"),
    ],
)
def test_floats(value: float, text: str) -> None:
    assert print_float(value) == text


@settings(derandomize=True, max_examples=500)
@given(st.integers(0, 2**32 - 1))
def test_every_float32_is_read_back(bits: int) -> None:
    value = float32_from_bits(bits)
    again: float = unpack("<f", pack("<f", float(print_float(value))))[0]
    assert again == value or (math.isnan(again) and math.isnan(value))
    assert math.copysign(1.0, again) == math.copysign(1.0, value) or math.isnan(value)


def test_a_double_that_is_no_float32_prints_all_its_digits() -> None:
    assert print_float(1 / 3) == "0.3333333333333333"


@pytest.mark.parametrize(
    ("constant", "text"),
    [
        (float_constant(1.5), "1.5"),
        (float_constant(1.0, 2.0), "vec2(1.0, 2.0)"),
        (float_constant(0.5, 0.5, 0.5), "vec3(0.5)"),
        (float_constant(0.0, -0.0), "vec2(0.0, -0.0)"),
        (int_constant(-7), "-7"),
        (Constant(BOOL, (True,)), "true"),
        (Constant(BVEC2, (False, True)), "bvec2(false, true)"),
        (Constant.undef(FLOAT), "float(undef)"),
        (Constant.undef(IVEC3), "ivec3(undef)"),
        (Constant(VEC2, (None, 1.0)), "vec2(undef, 1.0)"),
    ],
)
def test_constants(constant: Constant, text: str) -> None:
    assert print_constant(constant) == text


# --------------------------------------------------------------------------- variables, operands
@pytest.mark.parametrize(
    ("variable", "text"),
    [
        (Variable("u", "uniform", VEC4), "uniform @u: vec4"),
        (Variable("lights[].pos", "uniform", VEC3, dims=(3,)), "uniform @lights[].pos: vec3[3]"),
        (Variable("m", "uniform", VEC3, columns=3, layout="rows"), "uniform @m: mat3 rows"),
        (Variable("m", "uniform", VEC3, columns=2, dims=(2, 4)), "uniform @m: vec3[2][4] columns(2)"),
        (Variable("i", "varying", INT, source_kind="uint"), "varying @i: int from(uint)"),
        (Variable("n", "uniform", FLOAT, source_kind="int"), "uniform @n: float from(int)"),
        (Variable("s", "sampler", SAMPLER_CUBE, precision="lowp"), "sampler @s: samplerCube lowp"),
        (
            Variable("gl_Position", "output", VEC4, precision="highp", invariant=True, role="position"),
            "output @gl_Position: vec4 highp invariant role(position)",
        ),
        (Variable("a", "attribute", VEC4, location=3), "attribute @a: vec4 location(3)"),
        (Variable("f(vec2).x", "local", VEC2), 'local @"f(vec2).x": vec2'),
        (Variable('tab\t"ö', "local", VEC2), 'local @"tab\\t\\"\\u00f6": vec2'),
        (Variable("x.1", "local", INT), 'local @"x.1": int'),
        (Variable("", "local", INT), 'local @"": int'),
    ],
)
def test_variables(variable: Variable, text: str) -> None:
    assert print_variable(variable) == text


def _small_module() -> tuple[Module, Builder]:
    module = Module("fragment", "small")
    main = module.add_function("main")
    return module, Builder(main.add_block("entry"))


def test_addresses() -> None:
    module, builder = _small_module()
    array = module.add_variable(Variable("weights", "local", FLOAT, dims=(4,)))
    matrix = module.add_variable(Variable("m", "local", VEC2, columns=2, dims=(3,)))
    single = module.add_variable(Variable("s", "local", VEC2, columns=2))
    index = builder.op(ops.IADD, int_constant(1), int_constant(2))
    loads = [
        builder.load(array, 2),
        builder.load(array, index),
        builder.load(array, int_constant(2)),
        builder.load(matrix, 1, index),
        builder.load(matrix, index, int_constant(1)),
        builder.load(single, 0, 1),
        builder.load(single, 0, index),
    ]
    assert [print_instruction(load).partition("load ")[2] for load in loads] == [
        "@weights[2]",
        "@weights[%0]",
        "@weights[(2)]",
        "@m[1].%0",
        "@m[%0].(1)",
        "@s.1",
        "@s.%0",
    ]
    builder.ret()
    text = print_module(module)
    assert print_module(parse(text)) == text


@pytest.mark.parametrize(("offset", "text"), [(0, "[%0]"), (3, "[%0 + 3]"), (-2, "[%0 - 2]")])
def test_offsets_of_dynamic_indices(offset: int, text: str) -> None:
    source = (
        f"shader vertex\nlocal @w: int[4]\nfunc @main {{\n^entry:\n  %0:int = iadd 1, 2\n  %1:int = load @w{text}\n}}\n"
    )
    module = parse(source)
    load = module.main.entry.last
    assert load is not None
    assert load.address.offset == offset and load.address.dynamic_index
    assert print_instruction(load) == f"%1:int = load @w{text}"


def test_flags() -> None:
    _, builder = _small_module()
    builder.flags = PRECISE | RELAXED
    assert print_instruction(builder.op(ops.FNEG, float_constant(1.0))) == "%0:float = fneg precise relaxed 1.0"


def test_places() -> None:
    module, builder = _small_module()
    inner = Span(SourceFile("a.frag"), 3, 5, 3, 9)
    call = Span(SourceFile('odd "b".frag'), 7, 1, 8, 2)
    builder.span = with_origin(with_origin(inner, Origin("macro", "TWICE", call)), Origin("inlined", "f", call))
    negation = builder.op(ops.FNEG, float_constant(1.0))
    builder.ret()
    assert print_instruction(negation, spans=True) == (
        '%0:float = fneg 1.0 at "a.frag" 3:5-3:9'
        ' macro "TWICE" at "odd \\"b\\".frag" 7:1-8:2 inlined "f" at "odd \\"b\\".frag" 7:1-8:2'
    )
    read = parse(print_module(module, spans=True)).main.entry.first
    assert read is not None and read.span == negation.span


def test_a_long_chain_of_inlined_calls_is_read_back() -> None:
    module, builder = _small_module()
    span = Span(SourceFile("a"), 1, 1, 1, 2)
    origin: Origin | None = None
    for line in range(5000):
        origin = Origin("inlined", f"f{line}", Span(SourceFile("a"), line, 1, line, 2, origin))
    builder.span = Span(span.file, 1, 1, 1, 2, origin)
    builder.ret()
    text = print_module(module, spans=True)
    assert print_module(parse(text), spans=True) == text


# ----------------------------------------------------------------------------------- whole modules
def readme_example() -> str:
    found = re.search(r"```\n(shader vertex.*?)```", README.read_text("utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


def test_the_example_of_the_readme_is_what_it_says() -> None:
    example = readme_example()
    module = parse(example)
    assert verify_module(module, final=True) == []
    assert print_module(module) == re.sub(r" +;.*", "", example)


def test_values_may_be_used_above_their_definition() -> None:
    """Blocks may stand in any order, and functions may call later ones."""
    text = (
        "shader vertex\n\nfunc @main {\n^entry:\n  br ^second\n^third:\n  %1:float = fneg %3\n  ret\n"
        "^second:\n  %3:float = fneg 1.0\n  call @later\n  br ^third\n}\n\nfunc @later {\n^entry:\n  ret\n}\n"
    )
    module = parse(text)
    assert verify_module(module) == []
    assert print_module(module) == text


def test_blanks_tabs_comments_and_line_breaks_of_all_kinds() -> None:
    text = "\tshader\tvertex ; a comment\r\n\r\n; nothing\nfunc @main{\r^entry :\n%3:float=fneg precise 1.0;x\n ret\n}"
    expected = "shader vertex\n\nfunc @main {\n^entry:\n  %3:float = fneg precise 1.0\n  ret\n}\n"
    assert print_module(parse(text)) == expected


def test_instructions_without_value_take_the_numbers_left_free() -> None:
    module = parse(
        "shader vertex\nfunc @main {\n^a:\n  %1:float = fneg 1.0\n  br ^b\n^b:\n  %5:float = fneg %1\n  ret\n}\n"
    )
    assert [instruction.id for instruction in module.main.instructions()] == [1, 0, 5, 2]
    assert module.main.id_bound == 6


def _assert_round_trip(program: Program, spans: bool) -> None:
    text = print_module(program.module, spans=spans)
    module = parse(text)
    assert print_module(module, spans=spans) == text
    assert verify_module(module, final=True) == []
    assert _numbers(module) == _numbers(program.module)


def _numbers(module: Module) -> list[tuple[str, list[str], list[int]]]:
    """Names of all blocks, and numbers of all instructions that yield a value."""
    return [
        (
            function.name,
            [block.name for block in function.blocks],
            [i.id for i in function.instructions() if i.type.width],
        )
        for function in module.functions.values()
    ]


@pytest.mark.parametrize("seed", range(GENERATED_MODULES))
def test_round_trip(seed: int) -> None:
    program = generate(Random(seed), textures=seed % 2 == 0, spans=seed % 3 == 0)
    _assert_round_trip(program, spans=seed % 3 == 0)


@settings(derandomize=True, max_examples=20, deadline=None)
@given(programs(textures=True))
def test_round_trip_of_shrinkable_programs(program: Program) -> None:
    _assert_round_trip(program, spans=False)


def test_printing_takes_linear_time() -> None:
    """Ten times the instructions must not take a hundred times as long; counted in calls, not seconds."""
    calls = [_calls_to_print(size) for size in (200, 2000)]
    assert calls[1] < 11 * calls[0]


def _calls_to_print(size: int) -> int:
    import cProfile
    import pstats

    module, builder = _small_module()
    value: Value = float_constant(1.0)
    for _ in range(size):
        value = builder.op(ops.FADD, value, value)
    builder.ret()
    profile = cProfile.Profile()
    profile.runcall(print_module, module)
    return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]
