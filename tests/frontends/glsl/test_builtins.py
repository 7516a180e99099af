"""The tables of built-in functions and constants against chapters 7 and 8, counted and computed independently."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import pytest

from glslc_multi.frontends.glsl import builtins
from glslc_multi.frontends.glsl.check import fold
from glslc_multi.frontends.glsl.language.versions import GLSL_ES_100, Language
from glslc_multi.frontends.glsl.library.functions import function_names, functions_of
from glslc_multi.frontends.glsl.library.recipes import recipe
from glslc_multi.frontends.glsl.symbols import BuiltinFunction, Stage
from glslc_multi.frontends.glsl.types import ArrayType, Base, NumericType, Precision

#: Name -> number of overloads in any stage, counted in chapter 8 and the texts of the extensions.
OVERLOADS = {
    **dict.fromkeys("radians degrees sin cos tan asin acos pow exp log exp2 log2 sqrt inversesqrt".split(), 4),
    "atan": 8,
    **dict.fromkeys("abs sign floor ceil fract length distance dot normalize faceforward reflect refract".split(), 4),
    **dict.fromkeys("mod min max clamp mix step smoothstep".split(), 7),
    "cross": 1,
    "matrixCompMult": 3,
    **dict.fromkeys("lessThan lessThanEqual greaterThan greaterThanEqual".split(), 6),
    **dict.fromkeys("equal notEqual".split(), 9),
    **dict.fromkeys("any all not".split(), 3),
    "texture2D": 3,
    "texture2DProj": 6,
    "textureCube": 2,
    **dict.fromkeys("texture2DLod textureCubeLod texture2DLodEXT textureCubeLodEXT texture2DGradEXT".split(), 1),
    **dict.fromkeys("textureCubeGradEXT".split(), 1),
    **dict.fromkeys("texture2DProjLod texture2DProjLodEXT texture2DProjGradEXT".split(), 2),
    **dict.fromkeys("dFdx dFdy fwidth".split(), 4),
}
#: Section 7.4: the least value of each constant.
LEAST = {
    "gl_MaxVertexAttribs": 8,
    "gl_MaxVertexUniformVectors": 128,
    "gl_MaxVaryingVectors": 8,
    "gl_MaxVertexTextureImageUnits": 0,
    "gl_MaxCombinedTextureImageUnits": 8,
    "gl_MaxTextureImageUnits": 8,
    "gl_MaxFragmentUniformVectors": 16,
    "gl_MaxDrawBuffers": 1,
}

Vector = list[float]


def _each(function: Callable[..., float]) -> Callable[..., Vector]:
    """A function of numbers over vectors; numbers among the arguments are repeated."""

    def apply(*arguments: Vector) -> Vector:
        width = max(map(len, arguments))
        return [function(*row) for row in zip(*(a * width if len(a) == 1 else a for a in arguments), strict=True)]

    return apply


def _dot(x: Vector, y: Vector) -> float:
    return math.fsum(a * b for a, b in zip(x, y, strict=True))


def _refract(i: Vector, n: Vector, eta: Vector) -> Vector:
    d, e = _dot(n, i), eta[0]
    k = 1.0 - e * e * (1.0 - d * d)
    return [0.0 if k < 0.0 else e * a - (e * d + math.sqrt(k)) * b for a, b in zip(i, n, strict=True)]


def _smooth(low: float, high: float, x: float) -> float:
    t = min(max((x - low) / (high - low), 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


#: Chapter 8 over double-precision numbers.
MEANINGS: dict[str, Callable[..., Vector]] = {
    **{name: _each(getattr(math, name)) for name in "radians degrees sin cos tan asin acos exp log log2 sqrt".split()},
    **{name: _each(getattr(math, name)) for name in "pow floor ceil".split()},
    "exp2": _each(lambda x: 2.0**x),
    "inversesqrt": _each(lambda x: x**-0.5),
    "atan": _each(lambda y, x=1.0: math.atan2(y, x)),
    "abs": _each(abs),
    "sign": _each(lambda x: math.copysign(1.0, x)),
    "fract": _each(lambda x: x % 1.0),
    "mod": _each(lambda x, y: x % y),
    "min": _each(min),
    "max": _each(max),
    "clamp": _each(lambda x, low, high: min(max(x, low), high)),
    "mix": _each(lambda x, y, a: x * (1.0 - a) + y * a),
    "step": _each(lambda edge, x: float(x >= edge)),
    "smoothstep": _each(_smooth),
    "length": lambda x: [math.hypot(*x)],
    "distance": lambda x, y: [math.dist(x, y)],
    "dot": lambda x, y: [_dot(x, y)],
    "cross": lambda x, y: [x[i - 2] * y[i - 1] - x[i - 1] * y[i - 2] for i in range(3)],
    "normalize": lambda x: [a / math.hypot(*x) for a in x],
    "faceforward": lambda n, i, r: [a if _dot(r, i) < 0.0 else -a for a in n],
    "reflect": lambda i, n: [a - 2.0 * _dot(n, i) * b for a, b in zip(i, n, strict=True)],
    "refract": _refract,
    "matrixCompMult": _each(lambda x, y: x * y),
    "lessThan": _each(lambda x, y: x < y),
    "lessThanEqual": _each(lambda x, y: x <= y),
    "greaterThan": _each(lambda x, y: x > y),
    "greaterThanEqual": _each(lambda x, y: x >= y),
    "equal": _each(lambda x, y: x == y),
    "notEqual": _each(lambda x, y: x != y),
    "any": lambda x: [any(x)],
    "all": lambda x: [all(x)],
    "not": _each(lambda x: not x),
}
OF_GEOMETRY = {"EmitVertex", "EndPrimitive"}
COMPUTED = [function for name in MEANINGS for function in functions_of(name, 100)]


def test_every_function_of_chapter_8_is_there() -> None:
    names = [name for name in function_names(100) if name not in OF_GEOMETRY]
    assert {name: len(functions_of(name, 100)) for name in names} == OVERLOADS


def test_no_two_overloads_take_the_same_types() -> None:
    for name in function_names(100):
        for stage in ("vertex", "fragment"):
            types = [f.parameters for f in functions_of(name, 100) if stage in f.stages]
            assert len(types) == len(set(types)), name


def test_all_but_lookups_and_derivatives_have_a_recipe() -> None:
    without = {name for name in function_names(100) for f in functions_of(name, 100) if recipe(f) is None}
    assert (
        without == {name for name in OVERLOADS if name.startswith("texture")} | {"dFdx", "dFdy", "fwidth"} | OF_GEOMETRY
    )


def test_constants_are_at_least_what_the_specification_asks_for() -> None:
    constants = builtins.constants(GLSL_ES_100)
    assert constants.keys() == LEAST.keys()
    assert all(constants[name] >= least for name, least in LEAST.items())


#: GLSL ES 3.00, section 7.3, and GLSL 3.30, section 7.4 (1.50: the same): the least value of each constant.
_LEAST_LATER = {
    300: """gl_MaxVertexAttribs 16 gl_MaxVertexUniformVectors 256 gl_MaxVertexOutputVectors 16
        gl_MaxFragmentInputVectors 15 gl_MaxVertexTextureImageUnits 16 gl_MaxCombinedTextureImageUnits 32
        gl_MaxTextureImageUnits 16 gl_MaxFragmentUniformVectors 224 gl_MinProgramTexelOffset -8
        gl_MaxProgramTexelOffset 7""",
    330: """gl_MaxVertexAttribs 16 gl_MaxVertexUniformComponents 1024 gl_MaxVaryingFloats 60 gl_MaxVaryingComponents 60
        gl_MaxVertexOutputComponents 64 gl_MaxFragmentInputComponents 128 gl_MaxVertexTextureImageUnits 16
        gl_MaxTextureImageUnits 16 gl_MaxFragmentUniformComponents 1024 gl_MaxClipDistances 8
        gl_MinProgramTexelOffset -8 gl_MaxProgramTexelOffset 7 gl_MaxDrawBuffers 8""",
}


@pytest.mark.parametrize("version", _LEAST_LATER)
def test_constants_of_later_versions_are_what_the_specification_says(version: int) -> None:
    words = _LEAST_LATER[version].split()
    least = dict(zip(words[::2], map(int, words[1::2]), strict=True))
    constants = builtins.constants(Language(version))
    assert {name: constants[name] for name in least} == least
    assert (
        constants.keys() - least.keys()
        == {
            300: {"gl_MaxDrawBuffers"},
            330: {"gl_MaxCombinedTextureImageUnits"},
        }[version]
    )


@pytest.mark.parametrize("version", [100, 110, 150, 300, 330])
def test_a_program_may_use_the_units_of_both_stages(version: int) -> None:
    constants = builtins.constants(Language(version))
    both = constants["gl_MaxVertexTextureImageUnits"] + constants["gl_MaxTextureImageUnits"]
    assert constants["gl_MaxCombinedTextureImageUnits"] == both


#: Chapter 7 (1.50 and later: 7.1): of each version and stage what may be written and what may be read.
_VARIABLES = {
    (100, "vertex"): ("gl_Position gl_PointSize", ""),
    (100, "fragment"): ("gl_FragColor gl_FragData", "gl_FragCoord gl_FrontFacing gl_PointCoord"),
    (300, "vertex"): ("gl_Position gl_PointSize", "gl_VertexID gl_InstanceID"),
    (300, "fragment"): ("gl_FragDepth", "gl_FragCoord gl_FrontFacing gl_PointCoord"),
    (110, "vertex"): ("gl_Position gl_PointSize", ""),
    (110, "fragment"): ("gl_FragColor gl_FragData gl_FragDepth", "gl_FragCoord gl_FrontFacing"),
    (120, "fragment"): ("gl_FragColor gl_FragData gl_FragDepth", "gl_FragCoord gl_FrontFacing gl_PointCoord"),
    (130, "vertex"): ("gl_Position gl_PointSize gl_ClipDistance", "gl_VertexID"),
    (130, "fragment"): (
        "gl_FragColor gl_FragData gl_FragDepth",
        "gl_FragCoord gl_FrontFacing gl_PointCoord gl_ClipDistance",
    ),
    (140, "vertex"): ("gl_Position gl_PointSize gl_ClipDistance", "gl_VertexID gl_InstanceID"),
    (150, "fragment"): (
        "gl_FragColor gl_FragData gl_FragDepth",
        "gl_FragCoord gl_FrontFacing gl_PointCoord gl_ClipDistance gl_PrimitiveID",
    ),
    (330, "vertex"): ("gl_Position gl_PointSize gl_ClipDistance", "gl_VertexID gl_InstanceID"),
}


@pytest.mark.parametrize(("version", "stage"), _VARIABLES)
def test_the_variables_of_chapter_7_are_there(version: int, stage: Stage) -> None:
    """Those of extensions apart."""
    language = Language(version)
    rows = [builtins.find(name, language, stage) for name in builtins.names(language, stage)]
    found = {row.name: row.access for row in rows if row is not None and not row.extension}
    written, read = map(str.split, _VARIABLES[version, stage])
    assert found == dict.fromkeys(written, "write") | dict.fromkeys([*read, "gl_DepthRange"], "read")
    for name, access in found.items():
        symbol = builtins.variable(name, language, stage)
        assert symbol is not None
        assert symbol.writable == (access == "write")


@pytest.mark.parametrize(
    ("name", "stage", "precisions"),
    [
        # GLSL ES 1.00 and 3.00, chapter 7.
        ("gl_Position", "vertex", ("highp", "highp")),
        ("gl_PointSize", "vertex", ("mediump", "highp")),
        ("gl_FragCoord", "fragment", ("mediump", "highp")),
        ("gl_PointCoord", "fragment", ("mediump", "mediump")),
        ("gl_FrontFacing", "fragment", (None, None)),
    ],
)
def test_variables_have_the_precision_of_their_version(
    name: str, stage: Stage, precisions: tuple[Precision | None, ...]
) -> None:
    found = [builtins.variable(name, Language(version), stage) for version in (100, 300)]
    assert tuple(each and each.precision for each in found) == precisions


def test_several_colours_are_those_of_the_extension() -> None:
    """GL_EXT_draw_buffers; without it there is one."""
    for is_enabled, count in ((False, 1), (True, 4)):
        number = builtins.variable("gl_MaxDrawBuffers", GLSL_ES_100, "fragment", is_enabled)
        colours = builtins.variable("gl_FragData", GLSL_ES_100, "fragment", is_enabled)
        assert number is not None and number.constant == (count,)
        assert colours is not None and isinstance(colours.type, ArrayType) and colours.type.length == count


def _number(rng: random.Random, base: Base) -> float:
    """Floats in (0, 1), where every function is defined; few enough ints and bools to meet equal ones."""
    if base == "float":
        return rng.randint(1, 63) / 64.0
    return rng.randint(-2, 2) if base == "int" else rng.random() < 0.5


def _argument(rng: random.Random, type_: NumericType) -> tuple[float, ...]:
    return tuple(_number(rng, type_.base) for _ in range(type_.component_count))


@pytest.mark.parametrize("function", COMPUTED, ids=lambda f: f"{f.name}-{'-'.join(map(str, f.parameters))}")
def test_recipes_compute_what_chapter_8_says(function: BuiltinFunction) -> None:
    rng = random.Random(f"{function.name}{function.parameters}")
    for _ in range(20):
        arguments = [_argument(rng, type_) for type_ in function.parameters if isinstance(type_, NumericType)]
        if function.name in ("clamp", "smoothstep"):
            low, high = (1, 2) if function.name == "clamp" else (0, 1)
            arguments[high] = tuple(1.0 + x for x in arguments[high])
            arguments[low] = tuple(x / 2.0 for x in arguments[low])
        found = fold.builtin(function, arguments)
        assert found is not None
        assert list(found) == pytest.approx(MEANINGS[function.name](*map(list, arguments)), rel=1e-5, abs=1e-6)
