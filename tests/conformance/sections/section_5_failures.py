"""Section 5: expressions that must be refused, one mistake each."""

from __future__ import annotations

from collections.abc import Iterator

from tests.conformance.define.failure import Failure, globals_, statements

_BEFORE = (
    "uniform float u; uniform vec4 w; uniform mat3 m; uniform int n;\nstruct S { float x; vec2 v; };\nuniform S s;"
)


def cases() -> Iterator[Failure]:
    yield from _subscripts()
    yield from _constructors()
    yield from _components()
    yield from _assignments()
    yield from _expressions()


def _subscripts() -> Iterator[Failure]:
    yield from statements(
        "5.2",
        {
            "of_scalar": ("E0423", "float a = u[0];"),
            "of_struct": ("E0423", "float a = s[0];"),
            "by_float": ("E0424", "float x[2]; float a = x[1.0];"),
            "by_bool": ("E0424", "float x[2]; float a = x[true];"),
            "by_vector": ("E0424", "float x[2]; float a = x[ivec2(0)];"),
            "constant_too_large": ("E0425", "float x[2]; x[0] = x[1] = 0.0; float a = x[2];"),
            "constant_negative": ("E0425", "float x[2]; x[0] = x[1] = 0.0; float a = x[-1];"),
            "constant_expression_too_large": ("E0425", "float x[3]; x[0] = 1.0; float a = x[2 * 2];"),
            "const_variable_too_large": ("E0425", "const int k = 5; float x[3]; float a = x[k];"),
            "without_index": ("E0201", "float x[2]; float a = x[];"),
        },
        before=_BEFORE,
    )
    yield from statements(
        "5.5",
        {
            "vector_index_too_large": ("E0425", "float a = w[4];"),
            "vector_index_negative": ("E0425", "float a = w[-1];"),
            "vector_index_float": ("E0424", "float a = w[0.0];"),
        },
        before=_BEFORE,
    )
    yield from statements(
        "5.6",
        {
            "column_too_large": ("E0425", "vec3 a = m[3];"),
            "row_too_large": ("E0425", "float a = m[0][3];"),
            "matrix_swizzled": ("E0420", "float a = m.x;"),
            "column_of_other_size": ("E0401", "vec2 a = m[0];"),
        },
        before=_BEFORE,
    )


def _constructors() -> Iterator[Failure]:
    yield from statements(
        "5.4.1",
        {
            "float_of_two": ("E0443", "float a = float(1.0, 2.0);"),
            "int_of_nothing": ("E0441", "int a = int();"),
            "float_of_struct": ("E0444", "float a = float(s);"),
            "float_of_sampler": ("E0444", "float a = float(t);"),
            "float_of_array": ("E0444", "float x[2]; float a = float(x);"),
        },
        before=f"{_BEFORE}\nuniform sampler2D t;",
    )
    yield from statements(
        "5.4.2",
        {
            "vec3_of_two_floats": ("E0442", "vec3 a = vec3(1.0, 2.0);"),
            "vec4_of_vec3": ("E0442", "vec4 a = vec4(w.xyz);"),
            "vec2_of_three_floats": ("E0443", "vec2 a = vec2(1.0, 2.0, 3.0);"),
            "vec3_argument_after_the_last": ("E0443", "vec3 a = vec3(w, 1.0);"),
            "vec2_of_nothing": ("E0441", "vec2 a = vec2();"),
            "vec2_of_struct": ("E0444", "vec2 a = vec2(s);"),
            "mat2_of_three_floats": ("E0442", "mat2 a = mat2(1.0, 2.0, 3.0);"),
            "mat2_of_five_floats": ("E0443", "mat2 a = mat2(1.0, 2.0, 3.0, 4.0, 5.0);"),
            "mat2_of_vec2_alone": ("E0442", "mat2 a = mat2(w.xy);"),
            "mat3_of_two_columns": ("E0442", "mat3 a = mat3(w.xyz, w.xyz);"),
            "sampler": ("E0440", "vec4 a = texture2D(sampler2D(1.0), w.xy);"),
            "void": ("E0440", "float a = void(1.0);"),
        },
        before=_BEFORE,
    )
    yield from statements(
        "5.4.3",
        {
            "too_few": ("E0430", "S a = S(1.0);"),
            "too_many": ("E0430", "S a = S(1.0, vec2(1.0), 2.0);"),
            "other_type": ("E0401", "S a = S(1, vec2(1.0));"),
            "wrong_order": ("E0401", "S a = S(vec2(1.0), vec2(1.0));"),
            "nothing": ("E0430", "S a = S();"),
        },
        before=_BEFORE,
    )


def _components() -> Iterator[Failure]:
    yield from statements(
        "5.5",
        {
            "beyond_vec2": ("E0422", "float a = w.xy.z;"),
            "sets_mixed": ("E0422", "vec2 a = w.xg;"),
            "sets_mixed_with_texture": ("E0422", "vec3 a = w.rgp;"),
            "five_letters": ("E0422", "vec4 a = w.xyzwx;"),
            "unknown_letter": ("E0422", "float a = w.k;"),
            "of_float": ("E0420", "float a = u.x;"),
            "of_int": ("E0420", "int a = n.x;"),
            "written_twice": ("E0411", "vec4 a = w; a.xx = w.xy;"),
            "written_twice_compound": ("E0411", "vec4 a = w; a.xyx *= w.xyz;"),
            "incremented_twice": ("E0411", "vec4 a = w; a.yy++;"),
            "wider_than_value": ("E0401", "vec4 a = w; a.xyz = w.xy;"),
        },
        before=_BEFORE,
    )
    yield from statements(
        "5.7",
        {
            "no_such_member": ("E0421", "float a = s.y;"),
            "swizzle_of_struct": ("E0421", "vec2 a = s.xy;"),
            "member_of_array": ("E0420", "S a[2]; float b = a.x;"),
            "structs_added": ("E0402", "S a = s + s;"),
            "struct_negated": ("E0403", "S a = -s;"),
            "structs_ordered": ("E0402", "bool a = s < s;"),
            "other_struct_assigned": ("E0401", "struct T { float x; vec2 v; }; T a = T(1.0, vec2(1.0)); S b = a;"),
            "struct_with_array_assigned": ("E0412", "struct T { float x[2]; }; T a, b; a = b;"),
            "struct_with_array_compared": ("E0404", "struct T { float x[2]; }; T a, b; bool c = a == b;"),
        },
        before=_BEFORE,
    )


def _assignments() -> Iterator[Failure]:
    yield from statements(
        "5.8",
        {
            "to_literal": ("E0410", "1.0 = u;"),
            "to_sum": ("E0410", "float a, b; a + b = u;"),
            "to_call": ("E0410", "sin(u) = 1.0;"),
            "to_choice": ("E0410", "float a, b; (true ? a : b) = 1.0;"),
            "to_postfix": ("E0410", "float a; a++ = 1.0;"),
            "to_assignment": ("E0410", "float a, b; (a = b) = 1.0;"),
            "to_constructor": ("E0410", "vec2(1.0).x = 1.0;"),
            "to_built_in_constant": ("E0410", "gl_MaxDrawBuffers = 2;"),
            "type_differs": ("E0401", "vec3 a; a = w;"),
            "compound_type_differs": ("E0402", "vec3 a = w.xyz; a += w;"),
            "compound_widens": ("E0402", "float a = 1.0; a *= w;"),
            "matrix_times_vector_in_place": ("E0402", "mat3 a = m; a *= w.xyz;"),
            "increment_of_bool": ("E0403", "bool a = true; a++;"),
            "increment_of_literal": ("E0410", "1++;"),
            "increment_of_postfix": ("E0410", "int a = 1; a++++;"),
            "declaration_without_value_type": ("E0301", "a = 1.0;"),
        },
        before=_BEFORE,
    )


def _expressions() -> Iterator[Failure]:
    yield from statements(
        "5.9",
        {
            "int_plus_float": ("E0402", "float a = n + u;"),
            "vec3_plus_vec4": ("E0402", "vec4 a = w + w.xyz;"),
            "ivec_plus_float": ("E0402", "vec2 a = ivec2(1) + 1.0;"),
            "bool_plus_bool": ("E0402", "bool a = true + false;"),
            "minus_of_bool": ("E0403", "bool a = -true;"),
            "not_of_int": ("E0403", "bool a = !n;"),
            "not_of_bvec": ("E0403", "bvec2 a = !bvec2(true);"),
            "less_of_vectors": ("E0402", "bool a = w < w;"),
            "less_of_bools": ("E0402", "bool a = true < false;"),
            "equal_of_different_types": ("E0402", "bool a = n == u;"),
            "equal_of_sizes": ("E0402", "bool a = w == w.xyz;"),
            "and_of_ints": ("E0402", "bool a = 1 && 0;"),
            "or_of_bvecs": ("E0402", "bvec2 a = bvec2(true) || bvec2(false);"),
            "xor_of_floats": ("E0402", "bool a = 1.0 ^^ 0.0;"),
            "choice_on_int": ("E0401", "float a = 1 ? 1.0 : 2.0;"),
            "choice_of_two_types": ("E0405", "float a = true ? 1.0 : 2;"),
            "choice_of_arrays": ("E0406", "float x[2], y[2]; float a = (true ? x : y)[0];"),
            "comma_gives_the_last_type": ("E0401", "int a = (1, 2.0);"),
            "matrix_plus_vector": ("E0402", "vec3 a = m + w.xyz;"),
            "operand_missing": ("E0201", "float a = 1.0 + ;"),
            "type_as_operand": ("E0201", "float a = float + 1.0;"),
            "function_as_operand": ("E0303", "float a = one + 1.0;"),
            "struct_as_operand": ("E0303", "float a = S + 1.0;"),
        },
        before=f"{_BEFORE}\nfloat one() {{ return 1.0; }}",
    )
    yield from statements(
        "5.11",
        {
            "mat3_times_vec4": ("E0402", "vec3 a = m * w;"),
            "vec4_times_mat3": ("E0402", "vec3 a = w * m;"),
            "mat2_times_mat3": ("E0402", "mat3 a = mat2(1.0) * m;"),
            "mat3_times_int": ("E0402", "mat3 a = m * 2;"),
            "mat3_less": ("E0402", "bool a = m < m;"),
        },
        before=_BEFORE,
    )
    yield from globals_(
        "5.10",
        {
            "uniform": ("E0362", "uniform float u;\nconst float k = u; // wrong"),
            "texture_lookup_in_const": (
                "E0362",
                "uniform sampler2D t;\nconst vec4 k = texture2D(t, vec2(0.0)); // wrong",
            ),
            "plain_global": ("E0362", "float g = 1.0;\nconst float k = g * 2.0; // wrong"),
            "own_function": ("E0362", "float f() { return 1.0; }\nconst float k = f(); // wrong"),
            "varying": ("E0362", "varying float v;\nconst float k = v; // wrong"),
        },
    )
