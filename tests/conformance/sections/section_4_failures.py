"""Section 4: declarations that must be refused, and pairs that must not link, one mistake each."""

from __future__ import annotations

from collections.abc import Iterator

from tests.conformance.define.failure import Failure, LinkFailure, globals_, links, shaders, statements


def cases() -> Iterator[Failure | LinkFailure]:
    yield from _types()
    yield from _scoping()
    yield from _storage()
    yield from _qualifiers()
    yield from _links()


def _types() -> Iterator[Failure]:
    yield from statements(
        "4.1.1",
        {
            "void_variable": ("E0314", "void v;"),
            "void_value_used": ("E0434", "float a = f();"),
            "void_in_expression": ("E0434", "float a = 1.0 + f();"),
            "void_argument": ("E0434", "float a = sin(f());"),
        },
        before="void f() { }",
    )
    yield from globals_(
        "4.1.1",
        {
            "void_parameter_with_name": ("E0314", "void f(void x) { }"),
            "void_member": ("E0314", "struct S { void x; };"),
            "void_among_parameters": ("E0314", "void f(float a, void) { }"),
        },
    )
    yield from statements(
        "4.1.2",
        {
            "condition_is_int": ("E0401", "if (1) { }"),
            "condition_is_float": ("E0401", "while (1.0) { }"),
            "condition_is_vector": ("E0401", "if (bvec2(true)) { }"),
        },
    )
    yield from statements(
        "4.1.7",
        {
            "sampler_variable": ("E0333", "sampler2D s;"),
            "sampler_in_arithmetic": ("E0402", "float a = float(t + t);"),
            "sampler_compared": ("E0404", "bool b = t == t;"),
        },
        before="uniform sampler2D t;",
    )
    yield from globals_(
        "4.1.7",
        {
            "sampler_global": ("E0333", "sampler2D s;"),
            "sampler_varying": ("E0333", "varying sampler2D s;"),
            "sampler_result": ("E0329", "sampler2D f();"),
            "sampler_out_parameter": ("E0333", "void f(out sampler2D s) { }"),
            "sampler_assigned": ("E0412", "uniform sampler2D s, t;\nvoid f() { s = t; } // wrong"),
        },
    )
    yield from globals_(
        "4.1.8",
        {
            "empty_struct": ("E0212", "struct S { };"),
            "member_twice": ("E0352", "struct S { float x; vec2 x; };"),
            "member_initialized": ("E0201", "struct S { float x = 1.0; };"),
            "member_qualified": ("E0332", "struct S { uniform float x; };"),
            "struct_inside_struct": ("E0350", "struct S { struct T { float x; } t; };"),
            "struct_of_itself": ("E0302", "struct S { S s; };"),
            "struct_twice": ("E0310", "struct S { float x; };\nstruct S { float x; }; // wrong"),
            "struct_as_result_type": ("E0351", "struct S { float x; } f() { return S(1.0); }"),
            "struct_as_parameter_type": ("E0351", "void f(struct S { float x; } s) { }"),
            "unknown_type": ("E0302", "Light l;"),
        },
    )
    yield from globals_(
        "4.1.9",
        {
            "size_zero": ("E0355", "float x[0];"),
            "size_negative": ("E0355", "float x[-2];"),
            "size_float": ("E0354", "float x[2.0];"),
            "size_missing": ("E0353", "float x[];"),
            "size_not_constant": ("E0354", "uniform int n;\nfloat x[n]; // wrong"),
            "size_bool": ("E0354", "float x[true];"),
            "two_dimensions": ("E0201", "float x[2][3];"),
            "initializer": ("E0209", "float x[2] = 1.0;"),
            "initializer_list": ("E0210", "float x[2] = { 1.0, 2.0 };"),
            "size_on_type": ("E0213", "float[2] x;"),
            "const_array": ("E0361", "const float x[2];"),
            "parameter_without_size": ("E0353", "void f(float x[]) { }"),
        },
    )
    yield from statements(
        "4.1.9",
        {
            "assigned": ("E0412", "float x[2], y[2]; x = y;"),
            "compared": ("E0404", "float x[2], y[2]; bool b = x == y;"),
            "constructed": ("E0214", "float x = float[2](1.0, 2.0)[0];"),
            "local_size_not_constant": ("E0354", "int n = 2;\nfloat x[n]; // wrong"),
            "used_as_a_value": ("E0402", "float x[2]; float y = x + 1.0;"),
        },
    )
    yield from statements(
        "4.1.10",
        {
            "float_of_int": ("E0401", "float a = 1;"),
            "int_of_float": ("E0401", "int a = 1.0;"),
            "bool_of_int": ("E0401", "bool a = 1;"),
            "vec2_of_float": ("E0401", "vec2 a = 1.0;"),
            "vec3_of_vec2": ("E0401", "vec3 a = vec2(1.0);"),
            "vec2_of_ivec2": ("E0401", "vec2 a = ivec2(1);"),
            "float_plus_int": ("E0402", "float a = 1.0 + 1;"),
            "argument": ("E0432", "float a = sin(1);"),
            "assigned_later": ("E0401", "float a; a = 2;"),
            "compound": ("E0402", "float a = 1.0; a += 1;"),
        },
    )


def _scoping() -> Iterator[Failure]:
    yield from statements(
        "4.2",
        {
            "undeclared": ("E0301", "float a = b;"),
            "used_before_declaration": ("E0301", "float a = b; float b = 1.0;"),
            "out_of_block": ("E0301", "{ float a = 1.0; }\nfloat b = a; // wrong"),
            "loop_variable_after_loop": ("E0301", "for (int i = 0; i < 2; i++) { }\nint j = i; // wrong"),
            "twice_in_a_scope": ("E0310", "float a = 1.0;\nint a = 2; // wrong"),
            "twice_in_a_list": ("E0310", "float a = 1.0, a = 2.0;"),
            "condition_variable_in_body_after_loop": ("E0301", "while (bool b = false) { }\nbool c = b; // wrong"),
            "hidden_function_called": ("E0304", "float g = 1.0;\nfloat x = g(); // wrong"),
            "struct_out_of_block": ("E0302", "{ struct S { float x; }; }\nS s; // wrong"),
            "body_redeclares_loop_variable": ("E0310", "for (int i = 0; i < 2; i++) int i = 1;"),
        },
        before="float g() { return 1.0; }",
    )
    yield from globals_(
        "4.2",
        {
            "global_twice": ("E0310", "float a;\nfloat a; // wrong"),
            "variable_and_function": ("E0310", "float f;\nfloat f() { return 1.0; } // wrong"),
            "variable_and_struct": ("E0310", "struct S { float x; };\nfloat S; // wrong"),
            "parameter_twice": ("E0310", "void f(float a, float a) { }"),
            "function_defined_twice": ("E0320", "void f() { }\nvoid f() { } // wrong"),
            "called_before_declaration": ("E0301", "void g() { f(); }\nvoid f() { }"),
            "used_in_own_function_before": ("E0301", "float g() { return late; }\nfloat late;"),
        },
    )


def _storage() -> Iterator[Failure]:
    yield from statements(
        "4.3.2",
        {
            "assigned": ("E0410", "const float a = 1.0;\na = 2.0; // wrong"),
            "incremented": ("E0410", "const int a = 1;\na++; // wrong"),
            "component_assigned": ("E0410", "const vec2 a = vec2(1.0);\na.x = 2.0; // wrong"),
            "without_value": ("E0361", "const float a;"),
            "not_constant": ("E0362", "float b = 1.0;\nconst float a = b; // wrong"),
            "of_uniform": ("E0362", "const float a = u;"),
            "passed_out": ("E0410", "const float a = 1.0;\nset(a); // wrong"),
            "of_function_result": ("E0362", "const float a = one();"),
        },
        before="uniform float u;\nvoid set(out float x) { x = 1.0; }\nfloat one() { return 1.0; }",
    )
    yield from globals_(
        "4.3.3",
        {
            "in_fragment_shader": ("E0332", "attribute float a;"),
        },
    )
    yield from globals_(
        "4.3.3",
        {
            "int": ("E0333", "attribute int a;"),
            "bool": ("E0333", "attribute bool a;"),
            "ivec": ("E0333", "attribute ivec2 a;"),
            "struct": ("E0333", "struct S { float x; };\nattribute S a; // wrong"),
            "array": ("E0333", "attribute float a[2];"),
            "initialized": ("E0360", "attribute float a = 1.0;"),
            "assigned": ("E0410", "attribute float a;\nvoid f() { a = 1.0; } // wrong"),
            "component_assigned": ("E0410", "attribute vec2 a;\nvoid f() { a.x = 1.0; } // wrong"),
            "parameter": ("E0332", "void f(attribute float a) { }"),
        },
        stage="vertex",
    )
    yield from statements("4.3.3", {"local": ("E0332", "attribute float a;")}, stage="vertex")
    yield from globals_(
        "4.3.4",
        {
            "initialized": ("E0360", "uniform float u = 1.0;"),
            "assigned": ("E0410", "uniform float u;\nvoid f() { u = 1.0; } // wrong"),
            "element_assigned": ("E0410", "uniform float u[2];\nvoid f() { u[0] = 1.0; } // wrong"),
            "member_assigned": ("E0410", "uniform struct { float x; } u;\nvoid f() { u.x = 1.0; } // wrong"),
            "incremented": ("E0410", "uniform int u;\nvoid f() { ++u; } // wrong"),
            "passed_inout": ("E0410", "uniform float u;\nvoid g(inout float x) { }\nvoid f() { g(u); } // wrong"),
        },
    )
    yield from statements("4.3.4", {"local": ("E0332", "uniform float u;")})
    yield from globals_(
        "4.3.5",
        {
            "int": ("E0333", "varying int v;"),
            "bvec": ("E0333", "varying bvec2 v;"),
            "struct": ("E0333", "struct S { float x; };\nvarying S v; // wrong"),
            "initialized": ("E0360", "varying float v = 1.0;"),
            "assigned_in_fragment": ("E0410", "varying float v;\nvoid f() { v = 1.0; } // wrong"),
            "component_assigned_in_fragment": ("E0410", "varying vec2 v;\nvoid f() { v.y += 1.0; } // wrong"),
            "two_storages": ("E0331", "uniform varying float v;"),
            "const_varying": ("E0331", "const varying float v;"),
        },
    )
    yield from statements("4.3.5", {"local": ("E0332", "varying float v;")})


def _qualifiers() -> Iterator[Failure]:
    yield from globals_(
        "4.4",
        {
            "out_variable": ("E0160", "out float v;"),
            "in_variable": ("E0160", "in float v;"),
            "const_out": ("E0331", "void f(const out float x) { }"),
            "const_inout": ("E0331", "void f(const inout float x) { }"),
            "const_in_assigned": ("E0410", "void f(const in float x) { x = 1.0; }"),
            "in_out_apart": ("E0331", "void f(in out float x) { }"),
        },
    )
    yield from statements(
        "4.4",
        {
            "out_argument_is_a_value": ("E0410", "set(1.0);"),
            "out_argument_is_an_expression": ("E0410", "float a; set(a + 1.0);"),
            "out_argument_repeats_component": ("E0411", "vec2 a; set2(a.xx);"),
            "out_argument_of_other_type": ("E0431", "int a; set(a);"),
        },
        before="void set(out float x) { x = 1.0; }\nvoid set2(out vec2 x) { x = vec2(1.0); }",
    )
    yield from globals_(
        "4.5",
        {
            "of_bool": ("E0341", "lowp bool b;"),
            "of_bvec": ("E0341", "mediump bvec2 b;"),
            "of_struct": ("E0341", "struct S { float x; };\nlowp S s; // wrong"),
            "default_of_vector": ("E0342", "precision mediump vec2;"),
            "default_of_bool": ("E0342", "precision lowp bool;"),
            "default_without_qualifier": ("E0201", "precision float;"),
            "two_precisions": ("E0331", "lowp highp float f;"),
        },
    )
    yield from shaders(
        "4.5",
        {
            "float_without_default": ("E0340", "varying float v;\nvoid main() { }"),
            "local_without_default": ("E0340", "void main() { float a; }"),
            "parameter_without_default": ("E0340", "float f(float a) { return a; }\nvoid main() { }"),
            "member_without_default": ("E0340", "struct S { vec2 v; };\nvoid main() { }"),
            "default_ends_with_its_scope": (
                "E0340",
                "void f() { precision mediump float; float a; }\nvoid main() { float b; } // wrong",
            ),
        },
    )
    yield from globals_(
        "4.6",
        {
            "of_attribute": ("E0332", "invariant attribute vec4 a;"),
            "of_uniform": ("E0332", "invariant uniform vec4 u;"),
            "of_plain_global": ("E0334", "vec4 g;\ninvariant g; // wrong"),
            "of_unknown_name": ("E0301", "invariant nowhere;"),
            "after_use": ("E0336", "varying vec4 v;\nvoid f() { v = vec4(1.0); }\ninvariant v; // wrong"),
        },
        stage="vertex",
    )
    yield from statements("4.6", {"local": ("E0335", "invariant gl_Position;")}, stage="vertex")
    yield from globals_(
        "4.7",
        {
            "precision_before_storage": ("E0330", "mediump uniform float u;"),
            "storage_before_invariant": ("E0330", "varying invariant float v;"),
            "precision_before_parameter_qualifier": ("E0330", "void f(lowp in float x) { }"),
            "in_before_const": ("E0330", "void f(in const float x) { }"),
        },
        stage="vertex",
    )


def _links() -> Iterator[LinkFailure]:
    yield from links(
        "4.3.5",
        {
            "not_declared_by_vertex": ("E0501", "", "", "varying vec4 v;", "v"),
            "other_type": ("E0502", "varying vec3 v;", "v = vec3(1.0);", "varying vec4 v;", "v"),
            "scalar_and_vector": ("E0502", "varying float v;", "v = 1.0;", "varying vec4 v;", "v"),
            "matrix_and_vector": ("E0502", "varying mat2 v;", "v = mat2(1.0);", "varying vec4 v;", "v"),
            "other_array_size": ("E0502", "varying float v[3];", "v[0] = 1.0;", "varying float v[2];", "v[0]"),
            "array_and_scalar": ("E0502", "varying float v[1];", "v[0] = 1.0;", "varying float v;", "v"),
            "one_of_several_missing": (
                "E0501",
                "varying vec4 a;",
                "a = vec4(1.0);",
                "varying vec4 a; varying vec4 b;",
                "a + b",
            ),
        },
    )
    yield from links(
        "4.3.4",
        {
            "uniform_other_type": ("E0505", "uniform vec3 u;", "gl_PointSize = u.x;", "uniform vec4 u;", "u"),
            "uniform_other_array_size": (
                "E0505",
                "uniform float u[3];",
                "gl_PointSize = u[0];",
                "uniform float u[2];",
                "u[0]",
            ),
            "uniform_array_and_scalar": (
                "E0505",
                "uniform float u[1];",
                "gl_PointSize = u[0];",
                "uniform float u;",
                "u",
            ),
            "uniform_other_precision": (
                "E0506",
                "uniform highp float u;",
                "gl_PointSize = u;",
                "uniform lowp float u;",
                "u",
            ),
            "uniform_default_precisions_differ": (
                "E0506",
                "uniform float u;",
                "gl_PointSize = u;",
                "uniform float u;",
                "u",
            ),
            "uniform_struct_members_differ": (
                "E0505",
                "struct S { mediump float x; };\nuniform S s;",
                "gl_PointSize = s.x;",
                "struct S { mediump float x; mediump float y; };\nuniform S s;",
                "s.x",
            ),
        },
    )
    yield from links(
        "4.6",
        {
            "invariant_in_vertex_only": (
                "E0503",
                "invariant varying vec4 v;",
                "v = vec4(1.0);",
                "varying vec4 v;",
                "v",
            ),
            "invariant_in_fragment_only": (
                "E0503",
                "varying vec4 v;",
                "v = vec4(1.0);",
                "invariant varying vec4 v;",
                "v",
            ),
        },
    )
