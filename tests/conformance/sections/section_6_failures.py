"""Sections 6 to 9, Appendix A and the extensions: texts that must be refused, one mistake each."""

from __future__ import annotations

from collections.abc import Iterator

from tests.conformance.define.failure import Failure, LinkFailure, globals_, links, shaders, statements


def cases() -> Iterator[Failure | LinkFailure]:
    yield from _functions()
    yield from _statements()
    yield from _built_ins()
    yield from _grammar()
    yield from _portability()
    yield from _extensions()
    yield from _links()


def _functions() -> Iterator[Failure]:
    yield from globals_(
        "6.1",
        {
            "result_missing": ("E0451", "float f() { return; }"),
            "result_of_void": ("E0450", "void f() { return 1.0; }"),
            "result_of_other_type": ("E0401", "float f() { return 1; }"),
            "prototype_with_other_result": ("E0322", "float f(int a);\nint f(int a) { return a; } // wrong"),
            "prototype_with_other_qualifier": ("E0322", "void f(int a);\nvoid f(out int a) { a = 1; } // wrong"),
            "overloads_differ_in_result_only": ("E0322", "float f() { return 1.0; }\nint f() { return 1; } // wrong"),
            "prototype_twice": ("E0321", "float f();\nfloat f(); // wrong"),
            "calls_itself": ("E0326", "float f(float x) { return f(x); }"),
            "main_with_parameter": ("E0325", "void main(int a) { }"),
            "parameter_uniform": ("E0332", "void f(uniform float x) { }"),
            "invariant_parameter": ("E0332", "void f(invariant float x) { }"),
            "initialized_parameter": ("E0202", "void f(float x = 1.0) { }"),
            "result_qualified": ("E0332", "uniform float f() { return 1.0; }"),
            "body_missing": ("E0201", "float f() return 1.0;"),
        },
    )
    yield from globals_(
        "6.1",
        {
            "mutual_recursion": ("E0326", "void a(); void b();\nvoid a() { b(); }\nvoid b() { a(); } // wrong"),
        },
    )
    yield from statements(
        "6.1",
        {
            "function_in_function": ("E0208", "float g() { return 1.0; }"),
            "prototype_in_function": ("E0324", "float g();"),
            "too_few_arguments": ("E0430", "f(1.0);"),
            "too_many_arguments": ("E0430", "f(1.0, 2.0, 3.0);"),
            "argument_of_other_type": ("E0431", "f(1.0, 2);"),
            "unknown_function": ("E0301", "nowhere(1.0);"),
            "variable_called": ("E0304", "float v = 1.0; v(2.0);"),
            "array_of_other_size": ("E0431", "float x[3]; k(x);"),
            "scalar_for_array": ("E0431", "k(1.0);"),
            "no_overload": ("E0432", "o(true);"),
        },
        before="void f(float a, float b) { }\nvoid k(float x[2]) { }\nvoid o(float x) { }\nvoid o(int x) { }",
    )
    yield from shaders(
        "6.1",
        {
            "main_twice": ("E0320", "void main() { }\nvoid main() { } // wrong"),
            "main_with_result": ("E0325", "int main() { return 1; }"),
        },
    )


def _statements() -> Iterator[Failure]:
    yield from statements(
        "6.2",
        {
            "if_without_condition": ("E0201", "if () { }"),
            "if_without_brackets": ("E0201", "if true { }"),
            "else_without_if": ("E0211", "else { }"),
            "declaration_in_if_condition": ("E0201", "if (bool b = true) { }"),
        },
    )
    yield from statements(
        "6.3",
        {
            "for_condition_is_int": ("E0401", "for (int i = 3; i; i--) { }"),
            "for_two_parts": ("E0201", "for (int i = 0; i < 3) { }"),
            "do_without_while": ("E0201", "do { } int a;"),
            "do_without_semicolon": ("E0201", "do { } while (true)"),
            "while_without_condition": ("E0201", "while () { }"),
            "do_condition_is_float": ("E0401", "do { } while (1.0);"),
            "do_variable_in_condition": ("E0301", "do { bool b = true; } while (b);"),
        },
    )
    yield from statements(
        "6.4",
        {
            "break_outside": ("E0452", "break;"),
            "continue_outside": ("E0452", "continue;"),
            "break_in_if": ("E0452", "if (true) break;"),
            "result_from_main": ("E0450", "return 1.0;"),
            "goto": ("E0204", "goto end;"),
            "discard_with_value": ("E0201", "discard 1.0;"),
        },
    )
    yield from statements("6.4", {"discard_in_vertex": ("E0453", "discard;")}, stage="vertex")
    yield from globals_(
        "6.4",
        {
            "break_of_callers_loop": (
                "E0452",
                "void f();\nvoid f() { break; } // wrong\nvoid g() { for (int i = 0; i < 2; i++) f(); }",
            )
        },
    )


def _built_ins() -> Iterator[Failure]:
    yield from statements(
        "7.1",
        {
            "frag_color_in_vertex": ("E0305", "gl_FragColor = vec4(1.0);"),
            "frag_coord_in_vertex": ("E0305", "float a = gl_FragCoord.x;"),
            "point_size_of_vector": ("E0401", "gl_PointSize = vec2(1.0);"),
            "position_of_vec3": ("E0401", "gl_Position = vec3(1.0);"),
        },
        stage="vertex",
    )
    yield from statements(
        "7.2",
        {
            "position_in_fragment": ("E0305", "gl_Position = vec4(1.0);"),
            "point_size_in_fragment": ("E0305", "gl_PointSize = 1.0;"),
            "frag_coord_written": ("E0410", "gl_FragCoord.x = 1.0;"),
            "front_facing_written": ("E0410", "gl_FrontFacing = true;"),
            "point_coord_written": ("E0410", "gl_PointCoord = vec2(1.0);"),
            "both_colours": ("E0413", "gl_FragColor = vec4(1.0); gl_FragData[0] = vec4(1.0);"),
            "frag_data_index": ("E0425", "gl_FragData[1] = vec4(1.0);"),
            "frag_data_whole": ("E0412", "gl_FragData = gl_FragData;"),
        },
    )
    yield from statements(
        "7.4",
        {
            "constant_written": ("E0410", "gl_MaxVertexAttribs = 1;"),
            "unknown": ("E0160", "int a = gl_MaxClipPlanes;"),
        },
    )
    yield from statements(
        "7.5",
        {
            "depth_range_written": ("E0410", "gl_DepthRange.near = 1.0;"),
            "unknown_member": ("E0421", "float a = gl_DepthRange.middle;"),
        },
    )
    yield from globals_("7.1", {"position_redeclared": ("E0311", "vec4 gl_Position;")}, stage="vertex")
    yield from statements(
        "8.1",
        {
            "sin_of_int": ("E0432", "float a = sin(1);"),
            "sin_of_two": ("E0430", "float a = sin(1.0, 2.0);"),
            "atan_of_sizes": ("E0432", "vec2 a = atan(vec2(1.0), vec3(1.0));"),
        },
    )
    yield from statements("8.2", {"pow_of_int_exponent": ("E0432", "float a = pow(2.0, 2);")})
    yield from statements(
        "8.3",
        {
            "mix_of_ints": ("E0432", "int a = mix(1, 2, 1);"),
            "clamp_of_scalar_by_vectors": ("E0432", "vec2 a = clamp(1.0, vec2(0.0), vec2(1.0));"),
            "min_of_float_and_vector": ("E0432", "vec2 a = min(1.0, vec2(1.0));"),
            "abs_of_int": ("E0432", "int a = abs(-1);"),
            "step_of_vector_and_float": ("E0432", "vec2 a = step(vec2(1.0), 1.0);"),
        },
    )
    yield from statements(
        "8.4",
        {
            "cross_of_vec2": ("E0431", "vec2 a = cross(vec2(1.0), vec2(1.0));"),
            "dot_of_sizes": ("E0432", "float a = dot(vec2(1.0), vec3(1.0));"),
            "ftransform": ("E0160", "vec4 a = ftransform();"),
        },
    )
    yield from statements(
        "8.5",
        {
            "transpose": ("E0301", "mat2 a = transpose(mat2(1.0));"),
            "comp_mult_of_sizes": ("E0432", "mat2 a = matrixCompMult(mat2(1.0), mat3(1.0));"),
        },
    )
    yield from statements(
        "8.6",
        {
            "less_than_of_floats": ("E0432", "bool a = lessThan(1.0, 2.0);"),
            "any_of_bool": ("E0432", "bool a = any(true);"),
            "not_of_bool": ("E0432", "bool a = not(true);"),
            "less_than_of_bvecs": ("E0432", "bvec2 a = lessThan(bvec2(true), bvec2(true));"),
        },
    )
    yield from statements(
        "8.7",
        {
            "texture_of_vec3": ("E0432", "vec4 a = texture2D(t, vec3(1.0));"),
            "cube_as_2d": ("E0432", "vec4 a = texture2D(c, vec2(1.0));"),
            "lod_in_fragment": ("E0305", "vec4 a = texture2DLod(t, vec2(1.0), 1.0);"),
            "without_sampler": ("E0432", "vec4 a = texture2D(vec2(1.0), vec2(1.0));"),
            "texture_of_later_versions": ("E0301", "vec4 a = texture(t, vec2(1.0));"),
        },
        before="uniform sampler2D t; uniform samplerCube c;",
    )
    yield from statements(
        "8.7",
        {
            "bias_in_vertex": ("E0305", "vec4 a = texture2D(t, vec2(1.0), 1.0);"),
        },
        stage="vertex",
        before="uniform sampler2D t;",
    )
    yield from globals_(
        "8.3",
        {
            "redefined": ("E0323", "float abs(float x) { return x; }"),
            "redeclared": ("E0323", "float abs(float x);"),
        },
    )


def _grammar() -> Iterator[Failure]:
    yield from statements(
        "9",
        {
            "semicolon_missing": ("E0201", "float a = 1.0 float b;"),
            "bracket_not_closed": ("E0202", "float a = (1.0;"),
            "index_not_closed": ("E0202", "float x[2; "),
            "two_operands": ("E0201", "float a = 1.0 2.0;"),
            "initializer_missing": ("E0201", "float a = ;"),
            "initializer_list": ("E0210", "vec2 a = { 1.0, 2.0 };"),
            "comma_at_the_end": ("E0201", "float a, ;"),
            "argument_missing": ("E0201", "float a = max(1.0, );"),
            "arrow": ("E0201", "vec2 a; float b = a->x;"),
        },
    )
    yield from globals_(
        "9",
        {
            "statement_at_global_scope": ("E0201", "1.0 + 2.0;"),
            "if_at_global_scope": ("E0201", "if (true) { }"),
            "brace_closes_nothing": ("E0203", "void f() { } }"),
            "type_missing": ("E0201", "f() { }"),
            "struct_without_semicolon": ("E0201", "struct S { float x; }\nvoid f() { }"),
        },
    )
    yield from shaders("9", {"body_not_closed": ("E0202", "void main() { if (true) { }")})


def _portability() -> Iterator[Failure]:
    """Appendix A is a minimum of the language, but WebGL's dialect enforces it."""
    yield from statements(
        "A.4",
        {
            "while": ("W0470", "int i = 0; while (i < 3) { i++; }"),
            "do_while": ("W0470", "int i = 0; do { i++; } while (i < 3);"),
            "bound_not_constant": ("W0470", "for (int i = 0; i < n; i++) { }"),
            "start_not_constant": ("W0470", "for (int i = n; i < 3; i++) { }"),
            "step_not_constant": ("W0470", "for (int i = 0; i < 3; i += n) { }"),
            "condition_missing": ("W0470", "for (int i = 0; ; i++) { break; }"),
            "step_missing": ("W0470", "for (int i = 0; i < 3; ) { break; }"),
            "index_written": ("W0470", "for (int i = 0; i < 3; i++) { i = 5; }"),
            "condition_compares_other": ("W0470", "int j = 0; for (int i = 0; j < 3; i++) { }"),
        },
        before="uniform int n;",
        dialect="webgl",
    )
    yield from statements(
        "A.5",
        {
            "uniform_index_of_local_array": ("W0471", "float x[2]; x[0] = x[1] = 1.0; float a = x[n];"),
            "computed_index_of_vector": ("W0471", "int i = 1; i += n; vec3 v = vec3(1.0); float a = v[i];"),
            "sampler_index": ("W0471", "vec4 a = texture2D(t[n], vec2(0.0));"),
        },
        before="uniform int n; uniform sampler2D t[2];",
        dialect="webgl",
    )


def _extensions() -> Iterator[Failure]:
    yield from statements(
        "OES_standard_derivatives",
        {
            "not_enabled": ("E0306", "float a = dFdx(1.0);"),
            "fwidth_not_enabled": ("E0306", "vec2 a = fwidth(vec2(1.0));"),
        },
    )
    yield from statements(
        "EXT_shader_texture_lod",
        {"not_enabled": ("E0306", "vec4 a = texture2DLodEXT(t, vec2(0.0), 1.0);")},
        before="uniform sampler2D t;",
    )
    yield from statements("EXT_frag_depth", {"not_enabled": ("E0306", "gl_FragDepthEXT = 0.5;")})
    yield from globals_("OES_EGL_image_external", {"not_enabled": ("E0306", "uniform samplerExternalOES t;")})
    yield from shaders(
        "EXT_draw_buffers",
        {
            "index_beyond": (
                "E0425",
                ("#extension GL_EXT_draw_buffers : enable\nvoid main() { gl_FragData[9] = vec4(1.0); } // wrong"),
            ),
        },
    )


_VERTEX = "void main() { gl_Position = vec4(0.0); }\n"
_FRAGMENT = "void main() { gl_FragColor = vec4(0.0); }\n"
_UNDEFINED = "lowp float f();\n"


def _links() -> Iterator[LinkFailure]:
    """What only a whole program can lack."""
    yield LinkFailure("6.1/vertex_without_main", "E0328", "void f() { }\n", _FRAGMENT)
    yield LinkFailure("6.1/fragment_without_main", "E0328", _VERTEX, "void f() { }\n")
    called = f"{_UNDEFINED}void main() {{ gl_Position = vec4(f()); }}\n"
    yield LinkFailure("6.1/vertex_calls_undefined_function", "E0327", called, _FRAGMENT)
    called = f"{_UNDEFINED}void main() {{ gl_FragColor = vec4(f()); }}\n"
    yield LinkFailure("6.1/fragment_calls_undefined_function", "E0327", _VERTEX, called)
    yield from links(
        "7.1",
        {
            "frag_coord_invariant_alone": ("E0504", "", "", "invariant gl_FragCoord;", "gl_FragCoord.x"),
        },
    )
