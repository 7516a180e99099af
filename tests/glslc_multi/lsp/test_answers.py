"""Diagnostics, fixes, completion, signatures, hovering, outline and hints, each against what the specification says."""

from __future__ import annotations

import pytest

from tests.glslc_multi.lsp.marked import URI, Marked, analyse, applied, marked

pytest.importorskip("lsprotocol", reason="the extra 'lsp' is not installed")

from lsprotocol import types as lsp

from glslc_multi.lsp.complete import complete
from glslc_multi.lsp.costs import Job, cost_of
from glslc_multi.lsp.diagnose import actions, diagnostics
from glslc_multi.lsp.hints import inlay_hints, lenses
from glslc_multi.lsp.hover import hover
from glslc_multi.lsp.outline import outline
from glslc_multi.lsp.signatures import signature_help
from tests.glslc_multi.lsp.test_navigate import shader
from tests.work import count_calls

WHOLE = lsp.Range(lsp.Position(0, 0), lsp.Position(10_000, 0))


def labels(text: Marked) -> set[str]:
    return {item.label for item in complete(text.analysis, text.offset, text.analyse)}


# ------------------------------------------------------------------------------ diagnostics and fixes
@pytest.mark.parametrize(
    "text",
    [
        shader("varying float v;", "gl_FragColor = vec4(1 - v, 2 * v, 0, 0);"),
        "uniform float u;\nvoid main() { gl_FragColor = vec4(u); }",
        "in vec2 v;\nout vec4 o;\nvoid main() { o = vec4(v, 0.0, 1.0); }",
    ],
)
def test_taking_the_fixes_leaves_no_error(text: str) -> None:
    for _ in range(3):
        analysis = analyse(text)
        found = [each for each in actions(analysis, URI, WHOLE) if each.edit is not None and each.edit.changes]
        if not analysis.has_errors:
            break
        edit = found[-1].edit
        assert edit is not None and edit.changes is not None
        text = applied(text, list(edit.changes[URI]), analysis)
    assert not analyse(text).has_errors, text


def test_a_diagnostic_has_place_code_and_help() -> None:
    text = marked(shader("uniform vec4 u_colour; // 😀", "/* 😀 */ gl_FragColor = «u_color»;"))
    (found,) = diagnostics(text.analysis, [], URI)
    assert text.offsets(found.range) == text.marks[0]
    assert found.range.start.character == len("/* xx */ gl_FragColor = ")
    assert (found.code, found.severity) == ("E0301", lsp.DiagnosticSeverity.Error)
    assert "did you mean 'u_colour'?" in found.message


def test_what_may_have_been_meant_is_offered_and_not_taken_with_all_fixes() -> None:
    text = shader("uniform float u_share; varying float v;", "gl_FragColor = vec4(u_shar, 1 - v, 2 * v, 0.0);")
    analysis = analyse(text)
    guess, *certain, every = actions(analysis, URI, WHOLE)
    assert (guess.title, guess.is_preferred) == ("Fix: write 'u_share'", False)
    assert len(certain) == 2 and all(each.is_preferred for each in certain)
    assert guess.edit is not None and guess.edit.changes is not None
    assert "vec4(u_share, 1 - v" in applied(text, list(guess.edit.changes[URI]), analysis)
    assert every.edit is not None and every.edit.changes is not None
    assert "vec4(u_shar, 1.0 - v, 2.0 * v" in applied(text, list(every.edit.changes[URI]), analysis)


def test_a_fix_is_offered_only_where_the_cursor_is() -> None:
    analysis = analyse(shader("varying float v;", "gl_FragColor = vec4(1 - v);"))
    assert actions(analysis, URI, WHOLE)
    top = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 1))
    assert actions(analysis, URI, top) == []


# ------------------------------------------------------------------------------------- completion
@pytest.mark.parametrize("statement", ["¦", "float x = ¦", "if (¦", "x = in¦", "foo(inner, ¦", "for (int i = 0; i < ¦"])
def test_visible_names_while_a_statement_is_unfinished(statement: str) -> None:
    outside = (
        "uniform float u_time;\nfloat helper(float a) { return a; }\nstruct Light { float a; };\n#define MACRO 1.0"
    )
    text = marked(
        shader(
            outside, f"float inner = 1.0; {{ float hidden; }}\n{statement}\ngl_FragColor = vec4(1.0);", "float later;"
        )
    )
    found = labels(text)
    assert {"u_time", "helper", "Light", "MACRO", "inner", "sin", "vec3", "gl_FragCoord", "discard"} <= found
    assert not {"hidden", "later", "gl_Position", "uvec2", "goto"} & found
    assert ("i" in found) == ("int i" in statement)


MEMBERS = {
    "v.¦": {"x", "xyz", "rgb", "stp"},
    "float a = v.¦": {"x", "xyz", "rgb", "stp"},
    "if (v.¦x > 1.0) {}": {"x", "xyz"},
    "gl_FragColor = vec4(s.¦, 1.0)": {"position", "inner"},
    "s.inner.¦": {"depth"},
    "s.list[1 + 1].¦": {"x", "xy", "rg"},
    "normalize(v).¦": {"x", "xyz"},
    "(v * 2.0).¦": {"x", "xyz"},
    "vec2(1.0).¦": {"x", "xy"},
    "for (int i = 0; i < 2; i++) v.¦": {"x"},
    "float f = 1.0 + v.x¦": {"x", "xyz"},
}


@pytest.mark.parametrize("statement", MEMBERS)
def test_members(statement: str) -> None:
    outside = (
        "struct T { float depth; };\nstruct S { vec3 position; T inner; vec2 list[3]; };\nuniform S s;\nuniform vec3 v;"
    )
    found = labels(marked(shader(outside, f"{statement}\ngl_FragColor = vec4(1.0);")))
    assert MEMBERS[statement] <= found
    assert not {"sin", "main", "w", "rgba"} & found


def test_directives_and_comments() -> None:
    assert {"define", "ifdef", "extension", "include"} <= labels(marked("#¦\n"))
    assert "300 es" in labels(marked("#version ¦\n"))
    assert "GL_OES_standard_derivatives" in labels(marked("#extension ¦\n"))
    assert labels(marked("// a ¦\nvoid main() {}")) == set()


# -------------------------------------------------------------------------------------- signatures
@pytest.mark.parametrize(
    ("statement", "label", "argument"),
    [
        ("mix(a, ¦", "float mix(float, float, float)", 1),
        ("vec3(1.0, sin(2.0), ¦", "vec3(float, float, float)", 2),
        ("helper(max(1.0, 2.0), ¦", "float helper(mediump float a, mediump float b)", 1),
        ("Light(1.0, ¦)", "Light(float a, float b)", 1),
    ],
)
def test_signatures(statement: str, label: str, argument: int) -> None:
    outside = "float helper(float a, float b) { return a * b; }\nstruct Light { float a; float b; };"
    text = marked(shader(outside, f"float x = {statement}\n;"))
    found = signature_help(text.analysis, text.offset, text.analyse)
    assert found is not None
    assert label in [each.label for each in found.signatures]
    assert found.active_parameter == argument
    shown = found.signatures[found.active_signature or 0]
    assert shown.parameters is not None and len(shown.parameters) > argument


def test_no_signature_outside_of_a_call() -> None:
    text = marked(shader("", "sin(1.0);¦"))
    assert signature_help(text.analysis, text.offset, text.analyse) is None


# ----------------------------------------------------------------------------------------- hovering
HOVERS = {
    "uniform highp vec2 ¦u;": ["uniform highp vec2 u"],
    "varying lowp vec3 v; float f() { return v¦.x; }": ["varying lowp vec3 v", "computed in lowp"],
    "varying lowp float v; uniform highp float u; float f() { return v ¦* u; }": ["float", "computed in highp"],
    "const float k = 2.0 * 3.0; float f() { return k¦; }": ["const mediump float k = 6", "constant: 6"],
    "float f(inout float a, vec2 b) { return a; } float g() { float x; return f¦(x, vec2(1.0)); }": [
        "mediump float f(inout mediump float a, mediump vec2 b)",
    ],
    "float f(float a) { return si¦n(a); }": ["float sin(float)", "built-in function"],
    "float f() { return g¦l_FragCoord.x; }": ["mediump vec4 gl_FragCoord", "built-in variable"],
    "#define TWICE(x) (2.0 * x)\nfloat f() { return TWI¦CE(1.0); }": ["#define TWICE(x) (2.0 * x)"],
    "struct S { float a; vec2 b[2]; }; uniform S¦ s;": ["struct S {", "vec2 b[2];"],
}


@pytest.mark.parametrize("outside", HOVERS)
def test_hovers(outside: str) -> None:
    text = marked(shader(outside, "gl_FragColor = vec4(1.0);"))
    found = hover(text.analysis, *text.place, [])
    assert found is not None and isinstance(found.contents, lsp.MarkupContent)
    for part in HOVERS[outside]:
        assert part in found.contents.value


def test_a_hover_takes_work_in_proportion_to_the_text() -> None:
    """Every request begins with an analysis of the whole."""

    def calls(lines: int) -> int:
        body = "\n".join(f"float v{number} = sin(float({number}) * u) + u;" for number in range(lines))
        text = shader("uniform float u;", body + "\ngl_FragColor = vec4(v1);")
        return count_calls(lambda: hover(analyse(text), lines // 2, 14, []))

    calls(10)
    assert calls(400) < 2.2 * calls(200)


def test_nothing_to_say_in_a_comment() -> None:
    text = marked("// si¦n\n")
    assert hover(text.analysis, *text.place, []) is None


# --------------------------------------------------------------------------------- outline, costs
def test_outline() -> None:
    analysis = analyse(
        shader("#define K 1\nuniform vec2 u;\nstruct S { float a; };\nfloat f(float x) { return x; }", "u;")
    )
    found = {each.name: each for each in outline(analysis)}
    assert list(found) == ["K", "u", "S", "f", "main"]
    assert [each.name for each in found["S"].children or ()] == ["a"]
    assert found["f"].kind is lsp.SymbolKind.Function


COSTLY = shader("varying vec2 v;\nuniform float u;", "float a = sin(v.x);\ngl_FragColor = vec4(a * u);\n")


def test_costs_in_hover_hints_and_lenses() -> None:
    text = marked(COSTLY.replace("sin", "si¦n"))
    jobs = [
        Job(text.analysis.text, "/shaders/a.frag", "fragment", name, {}, (), "", False) for name in ("agal", "pica200")
    ]
    costs = [cost_of(job) for job in jobs]
    agal, pica200 = costs
    assert agal.fits and not pica200.fits
    # The text form of the very code is the second source.
    assert sum(agal.words_by_line("/shaders/a.frag").values()) == len(agal.words) == agal.instructions
    found = hover(text.analysis, *text.place, costs)
    assert found is not None and isinstance(found.contents, lsp.MarkupContent)
    assert "sin ft0.x, " in found.contents.value
    assert "`pica200`: does not fit" in found.contents.value
    hints = {hint.position.line: hint.label for hint in inlay_hints(text.analysis, costs, WHOLE)}
    assert hints[4] == f"agal {agal.words_by_line('/shaders/a.frag')[5]}"
    titles = [lens.command.title for lens in lenses(text.analysis, costs, ["agal", "pica200", "vc4"]) if lens.command]
    assert titles[0] == "fits on agal" and titles[1].startswith("not on pica200: ")
    assert titles[2] == "compiling for vc4 …"
    refusal = diagnostics(text.analysis, costs, URI)[0]
    assert refusal.severity is lsp.DiagnosticSeverity.Warning and refusal.source == "glslc-multi pica200"
