"""Typical mistakes: each gives exactly one error, at the right place, in words that help.

The mark `¦` stands where the error is to be reported; it is no part of the shader.
"""

from __future__ import annotations

import pytest

from glslc_multi.compiler.diagnostics import Span
from glslc_multi.compiler.records import dataclass
from glslc_multi.frontends.glsl.symbols import Stage
from tests.frontends.glsl.check.support import check_text

MARK = "¦"


@dataclass(frozen=True, slots=True)
class Broken:
    """A shader with one mistake and what is to be said about it."""

    name: str
    source: str
    message: str
    code: str
    help: str | None = None
    #: (text of the label, the source text it points at)
    label: tuple[str, str] | None = None
    stage: Stage = "fragment"


CASES = (
    Broken(
        "int literal for float",
        "precision mediump float;\nvoid main() {\n    float x = ¦1;\n}\n",
        "expected float, found int",
        "E0401",
        "write 1.0",
        ("'x' is float", "x"),
    ),
    Broken(
        "undeclared variable",
        "precision mediump float;\nuniform vec4 colour;\nvoid main() {\n    gl_FragColor = ¦color * color;\n}\n",
        "'color' is not declared",
        "E0301",
        "did you mean 'colour'?",
    ),
    Broken(
        "misspelt built-in function",
        "precision mediump float;\nvoid main() {\n    gl_FragColor = ¦textur2D(1.0) + vec4(1.0);\n}\n",
        "'textur2D' is not declared",
        "E0301",
        "did you mean 'texture2D'?",
    ),
    Broken(
        "misspelt built-in variable",
        "void main() {\n    ¦gl_Positon = vec4(0.0);\n}\n",
        "'gl_Positon' is not declared",
        "E0301",
        "did you mean 'gl_Position'?",
        stage="vertex",
    ),
    Broken(
        "unknown type",
        "precision mediump float;\nstruct Light { vec3 p; };\nuniform ¦Ligth l;\nvoid main() { vec3 x = l.p; }\n",
        "there is no type 'Ligth'",
        "E0302",
        "did you mean 'Light'?",
    ),
    Broken(
        "unknown member",
        "precision mediump float;\nstruct Light { vec3 position; };\nuniform Light lamp;\n"
        "void main() { gl_FragColor.rgb = lamp.¦positon; }\n",
        "Light has no member 'positon'",
        "E0421",
        "did you mean 'position'?",
        ("declared here", "Light"),
    ),
    Broken(
        "no precision",
        "varying vec2 ¦uv;\nvarying vec3 normal;\nvoid main() { float x = uv.x; }\n",
        "'uv' has no precision, and vec2 has no default precision here",
        "E0340",
        "add 'precision mediump float;' at the top, or write a precision before the type",
    ),
    Broken(
        "int times float",
        "precision mediump float;\nuniform int n;\nvoid main() { float x = 0.5 ¦* n; }\n",
        "'*' cannot combine float and int",
        "E0402",
        "there are no implicit conversions: make the right operand float",
    ),
    Broken(
        "matrix times vector of another size",
        "uniform mat4 m;\nattribute vec3 p;\nvoid main() { gl_Position = m ¦* p; }\n",
        "'*' cannot combine mat4 and vec3",
        "E0402",
        help="write 'vec4(v, 1.0)' for a point, 'vec4(v, 0.0)' for a direction",
        stage="vertex",
    ),
    Broken(
        "comparison of vectors",
        "precision mediump float;\nuniform vec2 v;\nvoid main() { if (v ¦< v) discard; }\n",
        "'<' cannot combine vec2 and vec2",
        "E0402",
        "compare vectors component by component with lessThan(...)",
    ),
    Broken(
        "vec3 assigned to vec4",
        "precision mediump float;\nuniform vec3 c;\nvoid main() { gl_FragColor = ¦c; }\n",
        "expected vec4, found vec3",
        "E0401",
    ),
    Broken(
        "vec4 assigned to vec3",
        "precision mediump float;\nuniform vec4 c;\nvoid main() { vec3 x = ¦c; }\n",
        "expected vec3, found vec4",
        "E0401",
        "select the components: .xyz",
        ("'x' is vec3", "x"),
    ),
    Broken(
        "int condition",
        "precision mediump float;\nuniform int n;\nvoid main() { if (¦n) discard; }\n",
        "expected bool, found int",
        "E0401",
        "convert it with the constructor: bool(...)",
    ),
    Broken(
        "write to a uniform",
        "precision mediump float;\nuniform vec4 u;\nvoid main() { ¦u.x = 1.0; }\n",
        "uniform 'u' cannot be assigned",
        "E0410",
        label=("declared here", "u"),
    ),
    Broken(
        "write to a varying",
        "precision mediump float;\nvarying vec2 uv;\nvoid main() { ¦uv += 1.0; }\n",
        "in a fragment shader the varying 'uv' cannot be assigned",
        "E0410",
        label=("declared here", "uv"),
    ),
    Broken(
        "write to an attribute",
        "attribute vec4 p;\nvoid main() { ¦p.w = 1.0; gl_Position = p; }\n",
        "attribute 'p' cannot be assigned",
        "E0410",
        label=("declared here", "p"),
        stage="vertex",
    ),
    Broken(
        "write to a constant",
        "precision mediump float;\nconst float pi = 3.14;\nvoid main() { ¦pi++; }\n",
        "constant 'pi' cannot be assigned",
        "E0410",
        label=("declared here", "pi"),
    ),
    Broken(
        "repeated component",
        "precision mediump float;\nvoid main() { gl_FragColor.¦rr = vec2(1.0); }\n",
        "component 'r' is written twice",
        "E0411",
    ),
    Broken(
        "component that is not there",
        "precision mediump float;\nuniform vec2 v;\nvoid main() { float x = v.¦z; }\n",
        "'z' does not select components of vec2: there is no component 'z'",
        "E0422",
    ),
    Broken(
        "mixed component names",
        "precision mediump float;\nuniform vec4 v;\nvoid main() { vec2 x = v.¦xg; }\n",
        "'xg' does not select components of vec4: 'g' is not of the set xyzw",
        "E0422",
    ),
    Broken(
        "index out of range",
        "precision mediump float;\nuniform float a[4];\nvoid main() { float x = a[¦4]; }\n",
        "index 4 is outside float[4], whose indices are 0 to 3",
        "E0425",
    ),
    Broken(
        "wrong argument of an own function",
        "precision mediump float;\nfloat half_of(float x) { return x / 2.0; }\nvoid main() { half_of(¦2); }\n",
        "argument 1 of 'half_of' must be float, found int",
        "E0431",
        "write 2.0",
        ("declared here", "half_of"),
    ),
    Broken(
        "missing argument",
        "precision mediump float;\nvoid main() { float y = ¦pow(2.0); }\n",
        "'pow' takes 2 arguments, found 1",
        "E0430",
    ),
    Broken(
        "no overload",
        "precision mediump float;\nvoid main() { float y = ¦max(1, 2.0); }\n",
        "no overload of 'max' takes (int, float)",
        "E0432",
        "the overloads are max(float, float), max(vec2, vec2), max(vec3, vec3), max(vec4, vec4), max(vec2, float), "
        "max(vec3, float), ...",
    ),
    Broken(
        "too few components",
        "precision mediump float;\nuniform vec2 v;\nvoid main() { gl_FragColor = ¦vec4(v, 1.0); }\n",
        "vec4 needs 4 components, found 3",
        "E0442",
    ),
    Broken(
        "too many components",
        "precision mediump float;\nuniform vec3 v;\nvoid main() { gl_FragColor = vec4(v, 1.0, ¦0.5); }\n",
        "vec4 is complete before this argument",
        "E0443",
    ),
    Broken(
        "wrong return type",
        "precision mediump float;\nfloat f() { return ¦vec2(1.0); }\nvoid main() { float x = f(); }\n",
        "expected float, found vec2",
        "E0401",
        "convert it with the constructor: float(...)",
        ("'f' returns float", "f"),
    ),
    Broken(
        "function used before its declaration",
        "precision mediump float;\nvoid main() { float x = ¦f(1.0); }\nfloat f(float x) { return x; }\n",
        "'f' is not declared",
        "E0301",
    ),
    Broken(
        "variable declared twice",
        "precision mediump float;\nvoid main() {\n    float a = 1.0;\n    int ¦a = 2;\n}\n",
        "'a' is already declared in this scope as a variable",
        "E0310",
        label=("declared here", "a"),
    ),
    Broken(
        "recursion",
        "precision mediump float;\nfloat f(float x) { return x > 1.0 ? ¦f(x - 1.0) : x; }\nvoid main() { f(2.0); }\n",
        "'f' calls itself",
        "E0326",
    ),
    Broken(
        "texture lookup of the other stage",
        "precision mediump float;\nuniform sampler2D t;\nvoid main() { ¦texture2DLod(t, vec2(0.0), 0.0); }\n",
        "'texture2DLod' does not exist in fragment shaders",
        "E0305",
    ),
    Broken(
        "derivative without its extension",
        "precision mediump float;\nvarying vec2 uv;\nvoid main() { gl_FragColor = vec4(¦dFdx(uv), 0.0, 1.0); }\n",
        "'dFdx' needs the extension GL_OES_standard_derivatives",
        "E0306",
        "add '#extension GL_OES_standard_derivatives : enable' at the top of the shader",
    ),
    Broken(
        "array size from a variable",
        "precision mediump float;\nint n = 3;\nvoid main() { float a[¦n]; a[0] = 1.0; }\n",
        "the size of an array must be a constant int expression",
        "E0354",
    ),
    Broken(
        "constant from a uniform",
        "precision mediump float;\nuniform float u;\nvoid main() { const float x = ¦u; }\n",
        "the initializer of const 'x' must be a constant expression",
        "E0362",
    ),
    Broken(
        "qualifiers in the wrong order",
        "lowp ¦uniform vec4 c;\nvoid main() { gl_FragColor = c; }\n",
        "'uniform' must come before 'lowp'",
        "E0330",
    ),
    Broken(
        "int varying",
        "precision mediump float;\nvarying int ¦n;\nvoid main() { gl_FragColor = vec4(float(n)); }\n",
        "varying 'n' cannot have the type int",
        "E0333",
    ),
    Broken(
        "local sampler",
        "precision mediump float;\nvoid main() { sampler2D ¦t; gl_FragColor = texture2D(t, vec2(0.0)); }\n",
        "variable 't' cannot have the type sampler2D",
        "E0333",
    ),
    Broken(
        "both colour outputs",
        "precision mediump float;\nvoid main() { gl_FragColor = vec4(0.0); ¦gl_FragData[0] = vec4(1.0); }\n",
        "a shader can write gl_FragColor or gl_FragData, not both",
        "E0413",
    ),
    Broken(
        "prototype and definition differ",
        "precision mediump float;\nfloat f(float x);\nfloat ¦f(out float x) { return x = 1.0; }\nvoid main() {}\n",
        "'f(float)' was declared before with another qualifier on parameter 1",
        "E0322",
        label=("declared here", "f"),
    ),
    Broken(
        "vector as a boolean operand",
        "precision mediump float;\nuniform bvec2 b;\nvoid main() { if (¦!b) discard; }\n",
        "'!' cannot be applied to bvec2",
        "E0403",
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name.replace(" ", "-"))
def test_one_mistake_is_one_helpful_message(case: Broken) -> None:
    before, _, after = case.source.partition(MARK)
    result = check_text(before + after, case.stage)
    (error,) = result.errors
    assert error.span is not None
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    assert error.span.location == f"test:{line}:{column}"
    assert (error.message, error.code) == (case.message, case.code)
    assert error.help == case.help
    assert [(label.text, _quoted(label.span)) for label in error.labels] == ([case.label] if case.label else [])


def _quoted(span: Span) -> str:
    return span.file.line_text(span.line)[span.column - 1 : span.end_column - 1]
