"""What does not fit or cannot be said is refused: the numbers, where the space ends, and what helps."""

from __future__ import annotations

import re

import pytest

import glslc_multi
from glslc_multi.compiler.diagnostics import CompileError, Diagnostic

FLOATS = "precision highp float;\n"
#: Each of the lines of a refusal: line in the source (0 for none), message, help.
Refusal = tuple[int, str, str]


def refusal(source: str, stage: str = "fragment", opt: int | str = 2) -> Refusal | None:
    try:
        glslc_multi.compile(source, target="adreno", stage=stage, opt=opt)
    except CompileError as error:
        (found,) = [diagnostic for diagnostic in error.diagnostics if diagnostic.severity == "error"]
        return _shown(found)
    return None


def _shown(found: Diagnostic) -> Refusal:
    return 0 if found.span is None else found.span.line, found.message, found.help or ""


def _sum(kind: str, names: list[str], output: str) -> str:
    """A variable a line, and their sum."""
    return "\n".join(f"{kind} {name};" for name in names) + f"\nvoid main() {{ {output} = {' + '.join(names)}; }}"


def test_attributes() -> None:
    names = [f"a{number}" for number in range(37)]
    assert refusal(_sum("attribute vec4", names[:36], "gl_Position"), "vertex") is None
    assert refusal(_sum("attribute vec4", names, "gl_Position"), "vertex") == (
        37, "needs 37 attributes, adreno has 36", "declare fewer attributes, or join small ones in a vector",
    )  # fmt: skip


def test_a_column_of_a_matrix_is_an_attribute() -> None:
    names = ["a", "b", "c", "d", "e", "f", "g", "h", "i"]
    total = _sum("attribute mat4", names, "mat4 m").replace("; }", "; gl_Position = m[0] * %s; }")
    assert refusal(total % "2.0", "vertex") is None
    found = refusal("attribute float x;\n" + total % "x", "vertex")
    assert found is not None
    assert found[:2] == (10, "needs 37 attributes, adreno has 36")


def test_varyings() -> None:
    names = [f"v{number}" for number in range(17)]
    assert refusal(FLOATS + _sum("varying vec4", names[:16], "gl_FragColor")) is None
    assert refusal(FLOATS + _sum("varying vec4", names, "gl_FragColor")) == (
        18, "needs 17 varyings, adreno has 16", "declare fewer varyings, or join small ones in a vector",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("declaration", "message"),
    [
        ("layout(location = 36) attribute vec4 a;", "needs 37 attributes, adreno has 36"),
        ("layout(location = 35) attribute mat2 a;", "needs 37 attributes, adreno has 36"),
        ("layout(location = 16) varying vec4 a;", "needs 17 varyings, adreno has 16"),
    ],
)
def test_a_place_beyond_the_last_is_counted_from_the_first(declaration: str, message: str) -> None:
    use = "a = vec4(2.0);" if "varying" in declaration else "gl_Position.x = float(a == a);"
    found = refusal(f"{declaration}\nvoid main() {{ gl_Position = vec4(1.0); {use} }}", "vertex")
    assert found is not None
    assert found[:2] == (1, message)
    nearer = re.sub(r"\d+", lambda place: str(int(place.group()) - 1), declaration, count=1)
    assert refusal(f"{nearer}\nvoid main() {{ gl_Position = vec4(1.0); {use} }}", "vertex") is None


def _linked(count: int, extra: str) -> Refusal | None:
    """A vertex shader with `count` varyings, and a fragment shader that reads them and `extra`."""
    names = [f"v{number}" for number in range(count)]
    declared = "".join(f"varying vec4 {name};\n" for name in names)
    written = " ".join(f"{name} = p * {number}.5;" for number, name in enumerate(names))
    vertex = f"{declared}attribute vec4 p; void main() {{ gl_Position = p; {written} }}"
    fragment = f"{FLOATS}{declared}void main() {{ gl_FragColor = {' + '.join(names)} + {extra}; }}"
    try:
        glslc_multi.link(vertex, fragment, target="adreno")
    except CompileError as error:
        return _shown(error.diagnostics[0])
    return None


def test_varyings_of_a_pair() -> None:
    assert _linked(16, "1.0") is None
    assert _linked(16, "gl_FragCoord.xyxy") is None
    help_ = "declare fewer varyings, or join small ones in a vector"
    assert _linked(17, "1.0") == (17, "needs 17 varyings, adreno has 16", help_)
    # z and w of the position take one more.
    for component in "zw":
        assert _linked(15, f"gl_FragCoord.{component}") is None
        assert _linked(16, f"gl_FragCoord.{component}") == (16, "needs 17 varyings, adreno has 16", help_)


def test_samplers() -> None:
    def source(count: int) -> str:
        looks = " + ".join(f"texture2D(r[{number}], v)" for number in range(count))
        return (
            f"{FLOATS}varying vec2 v;\nuniform sampler2D s;\nuniform sampler2D r[{count}];\n"
            f"void main() {{ gl_FragColor = texture2D(s, v) + {looks}; }}"
        )

    assert refusal(source(19)) is None
    assert refusal(source(20)) == (4, "needs 21 samplers, adreno has 20", "use fewer samplers")


@pytest.mark.parametrize(("stage", "limit"), [("vertex", 256), ("fragment", 224)])
def test_constants(stage: str, limit: int) -> None:
    output = "gl_Position" if stage == "vertex" else "gl_FragColor"

    def source(count: int, factor: str) -> str:
        return (
            f"{FLOATS}uniform vec4 w;\nuniform vec4 u[{count}];\nuniform int k;\nuniform vec4 x;\n"
            f"void main() {{ {output} = u[k] * {factor} + w * x; }}"
        )

    help_ = f"'u' may have {limit - 3} elements at most"
    assert refusal(source(limit - 3, "x"), stage) is None
    assert refusal(source(limit - 2, "x"), stage) == (
        5,
        f"needs {limit + 1} constant registers, adreno has {limit}",
        help_,
    )
    assert refusal(source(limit, "x"), stage) == (3, f"needs {limit + 3} constant registers, adreno has {limit}", help_)
    # A number of the program's own needs a constant, too; the space ends where it is used.
    assert refusal(source(limit - 4, "3.5"), stage) is None
    assert refusal(source(limit - 3, "3.5"), stage) == (
        6,
        f"needs {limit + 1} constant registers, adreno has {limit}",
        f"'u' may have {limit - 4} elements at most",
    )


@pytest.mark.parametrize(
    ("source", "line", "message", "help_"),
    [
        (
            "#extension GL_EXT_frag_depth : enable\nvoid main() { gl_FragDepthEXT = 0.5; }",
            0,
            "a depth of the shader's own",
            "leave gl_FragDepthEXT alone: the depth is that of the primitive",
        ),
        (
            "precision highp float; varying vec4 v;\nvoid main() {\nfloat a[65]; a[0] = v.x; a[64] = v.y;\n"
            "gl_FragColor = vec4(a[int(v.y)]); }",
            4,
            "a variable index of so large an array",
            "use a smaller array, a uniform one, or constant indices",
        ),
    ],
)
def test_what_the_machine_lacks(source: str, line: int, message: str, help_: str) -> None:
    assert refusal(source) == (line, f"adreno cannot express {message}", help_)


def test_arrays_that_are_small_enough_have_variable_indices() -> None:
    body = "float a[64]; a[0] = v.x; a[63] = v.y;\ngl_FragColor = vec4(a[int(v.y)]);"
    assert refusal(f"{FLOATS}varying vec4 v;\nvoid main() {{\n{body} }}") is None


# ------------------------------------------------------------------------------------------------------ program size
def _long(count: int, opt: int | str) -> Refusal | None:
    """Each line is one operation, from line 4 on."""
    lines = "\n".join("c = fract(c.yzwx);" for _ in range(count))
    return refusal(f"{FLOATS}varying vec4 v;\nvoid main() {{ vec4 c = v;\n{lines}\ngl_FragColor = c; }}", opt=opt)


def test_a_program_of_384_slots_fits_and_one_of_385_does_not() -> None:
    # Six operations share a clause, and two clauses a slot; the first clause is the ALLOC.
    def slots(operations: int) -> int:
        clauses = 1 + -(-operations // 6)
        return operations + -(-clauses // 2)

    fits = next(count for count in range(384, 0, -1) if slots(count) <= 384)
    assert _long(fits, 2) is None
    too_many = slots(fits + 1) - 384
    found = _long(fits + 1, 2)
    rest = f"what the rest computes, {too_many} slot{'' if too_many == 1 else 's'}, must go, or to the other stage"
    assert found is not None
    assert found[1:] == (f"needs {slots(fits + 1)} instruction slots, adreno has 384", rest)
    assert _long(fits + 1, "s") == found
    # The first operation without a slot: those of the clauses come first.
    assert found[0] == 4 + 384 - (slots(fits + 1) - (fits + 1))


def test_many_slots_too_many() -> None:
    found = _long(500, "s")
    assert found is not None
    assert found[1].startswith("needs 543 instruction slots")
    assert found[2] == "what the rest computes, 159 slots, must go, or to the other stage"


@pytest.mark.parametrize("location", [0, 3, 4, 7])
def test_colours(location: int) -> None:
    text = f"#version 300 es\n{FLOATS}layout(location = {location}) out vec4 c;\nvoid main() {{ c = vec4(1.0); }}"
    expected = (3, "adreno cannot express so many colours", "the chip has 4, numbered from 0")
    assert refusal(text) == (None if location < 4 else expected)
