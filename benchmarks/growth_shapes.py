"""The shapes of shaders whose compilation is watched as they grow (`benchmarks.growth`).

A shape is what is written before `main` and what is written in it, each a function of the size.  In it `x` is a vertex
attribute or a varying, `u` a uniform, and `a` what becomes the output.
"""

from __future__ import annotations

from collections.abc import Callable

from glslc_multi.compiler.records import dataclass

#: Writes a part of a shader for a size.
Write = Callable[[int], str]


def _nothing(size: int) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Shape:
    """One kind of shader."""

    name: str
    body: Write
    before: Write = _nothing
    #: The only stage that it is for, or "" for any.
    stage: str = ""
    version: str = ""

    def stage_for(self, target: str) -> str:
        """The stage in which it is compiled for a target."""
        return self.stage or ("fragment" if target in ("theia",) else "vertex")

    def source(self, size: int, stage: str) -> str:
        """The shader of a size."""
        kind, output = ("attribute", "gl_Position") if stage == "vertex" else ("varying", "gl_FragColor")
        precision = "" if stage == "vertex" else "precision highp float;\n"
        head = f"{self.version}{precision}{kind} vec4 x;\nuniform vec4 u;\n{self.before(size)}\n"
        return f"{head}void main() {{\nvec4 a = x;\n{self.body(size)}\n{output} = a;\n}}\n"


def _each(line: str, separator: str = "\n") -> Write:
    """One line for each number up to the size; `#` in it is the number, `@` one of xyzw, `$` the next number."""
    return lambda size: separator.join(
        line.replace("#", str(i)).replace("@", "xyzw"[i % 4]).replace("$", str(i + 1)) for i in range(size)
    )


def _wrapped(first: str, each: Write, last: str) -> Write:
    return lambda size: first + each(size) + last


def _nested(begin: str, middle: str, end: str) -> Write:
    return lambda size: "".join(begin.replace("#", str(i)) for i in range(size)) + middle + end * size


def _array(type_: str) -> Write:
    return lambda size: f"uniform {type_} t[{size}];"


def _members(size: int) -> str:
    return "struct S {\n" + _each("vec4 m#;")(size) + "\n};"


_SHAPES = (
    Shape("else ifs", _wrapped("if (u.x == -1.0) a = u;", _each("else if (x.@ < #.5) a = a * u.@ + #.25;"), "")),
    Shape(
        "else ifs of uniforms", _wrapped("if (u.x == -1.0) a = u;", _each("else if (u.@ < #.5) a = a * x + #.25;"), "")
    ),
    Shape("ifs", _each("if (a.@ < #.5) a = a * u + #.25;")),
    Shape("ifs with else", _each("if (a.@ < #.5) a = a * u + #.25; else a.@ = a.y * u.z;")),
    Shape("nested ifs", _nested("if (a.x < #.5) { a = a * u + 0.5;", "", "}")),
    Shape("locals", lambda n: _each("vec4 v# = x * #.25 + u.@;")(n) + "a = " + _each("v#", " + ")(n) + ";"),
    Shape("locals in turn", lambda n: "vec4 v0 = x;" + _each("vec4 v$ = v# * u.@ + #.25;")(n) + f"a = v{n};"),
    Shape(
        "locals backwards",
        lambda n: (
            _each("float v# = fract(x.@ * #.25);")(n)
            + "a.x = "
            + " * ".join(f"(v{i} + 1.0)" for i in reversed(range(n)))
            + ";"
        ),
    ),
    Shape("nested loops", _nested("for (int i# = 0; i# < 2; i#++) {", "a = a * u + 0.5;", "}")),
    Shape("nested loops of uniforms", _nested("for (int i# = 0; i# < int(u.x); i#++) {", "a = a * u + 0.5;", "}")),
    Shape("loops", _each("for (int i = 0; i < 4; i++) a = a * u + float(i) * x.@;")),
    Shape("long loops", _each("for (int i = 0; i < 200; i++) a = a * u + float(i) * x.@;")),
    Shape("loop of many rounds", lambda n: f"for (int i = 0; i < {n}; i++) a = a * u + float(i) * x;"),
    Shape("returns", _each("if (a.@ < #.5) { gl_Position = a * #.25; return; } a = a * u + 0.5;"), stage="vertex"),
    Shape(
        "returns of fragments",
        _each("if (a.@ < #.5) { gl_FragColor = a * #.25; return; } a = a * u + 0.5;"),
        stage="fragment",
    ),
    Shape(
        "returns in a function",
        lambda n: "a = f(x);",
        lambda n: "vec4 f(vec4 p) {" + _each("if (p.@ < #.5) return p * #.25;")(n) + "return p; }",
    ),
    Shape(
        "returns in a loop",
        lambda n: (
            "for (int i = 0; i < 100; i++) { a = a * u;" + _each("if (a.@ < #.5) { a.x = #.25; break; }")(n) + "}"
        ),
    ),
    Shape(
        "breaks and continues",
        lambda n: (
            "for (int i = 0; i < 100; i++) { a = a * u;"
            + _each("if (a.@ < #.5) { a += #.25; continue; } if (a.x > #.75) break;")(n)
            + "}"
        ),
    ),
    Shape("discards", _each("if (a.@ < #.5) discard; a = a * u + 0.5;"), stage="fragment"),
    Shape("indices", _each("a += t[int(a.@)];"), _array("vec4")),
    Shape("indices of eight", _each("a += t[int(a.@)];"), lambda n: "uniform vec4 t[8];"),
    Shape(
        "indices of a local",
        lambda n: (
            "vec4 v[8]; for (int i = 0; i < 8; i++) v[i] = x * float(i);" + _each("a += v[int(mod(a.@, 8.0))];")(n)
        ),
    ),
    Shape(
        "writes by index",
        lambda n: "vec4 v[4]; v[0] = v[1] = v[2] = v[3] = x;" + _each("v[int(mod(a.@, 4.0))] += u; a += v[1];")(n),
    ),
    Shape("local array", lambda n: f"vec4 v[{n}];" + _each("v[#] = x * #.25;")(n) + f"a = v[int(u.x)] + v[{n - 1}];"),
    Shape("index of vector", _each("a[int(mod(a.@, 4.0))] += u[int(a.x)];")),
    Shape("sum", _wrapped("a = x", _each(" + u * #.25"), ";")),
    Shape("sum of scalars", _wrapped("a.x = x.x", _each(" + x.@ * u.@"), ";")),
    Shape("sum of uniforms", _wrapped("a = x", _each(" + t[#]"), ";"), _array("vec4")),
    Shape("sum of products", _wrapped("a = x", _each(" + t[#] * x.@"), ";"), _array("vec4")),
    Shape("long expression", _wrapped("a.x = x.x", _each(" * (x.@ + #.5) - sin(x.@)"), ";")),
    Shape("parentheses", lambda n: "a.x = " + "(" * n + "x.x" + ")" * n + ";"),
    Shape("parentheses that add", lambda n: "a.x = " + "(" * n + "x.x" + "".join(f" + {i}.5)" for i in range(n)) + ";"),
    Shape("unary", lambda n: "a.x = " + "- " * n + "x.x;"),
    Shape("calls inside", lambda n: "a.x = " + "sin(" * n + "x.x" + ")" * n + ";"),
    Shape("functions", _each("a = f#(a);"), _each("vec4 f#(vec4 p) { return p * u.@ + #.5; }")),
    Shape(
        "functions with ifs",
        _each("a = f#(a);"),
        _each("vec4 f#(vec4 p) { if (p.x < #.5) return p * u.@; return p + #.5; }"),
    ),
    Shape(
        "call chain",
        lambda n: f"a = f{n}(a);",
        lambda n: "vec4 f0(vec4 p) { return p; }\n" + _each("vec4 f$(vec4 p) { return f#(p * u.@) + #.5; }")(n),
    ),
    Shape(
        "call tree",
        lambda n: f"a = f{n}(a);",
        lambda n: "vec4 f0(vec4 p) { return p; }\n" + _each("vec4 f$(vec4 p) { return f#(p * u.@) + f#(p + #.5); }")(n),
    ),
    Shape(
        "one function often",
        _each("a = f(a, #.5);"),
        lambda n: "vec4 f(vec4 p, float s) { if (p.x < s) return p * u; return p + s; }",
    ),
    Shape(
        "array elements",
        lambda n: (
            f"vec4 v[{n}];"
            + f"for (int i = 0; i < {n}; i++) v[i] = x * float(i); for (int i = 0; i < {n}; i++) a += v[i];"
        ),
    ),
    Shape(
        "array as value",
        lambda n: "S s; S r;" + _each("s.m[#] = x * #.5;")(n) + f"r = s; a = r.m[{n - 1}] + r.m[0];",
        lambda n: f"struct S {{ vec4 m[{n}]; }};",
    ),
    Shape(
        "struct members",
        lambda n: "S s;" + _each("s.m# = x * #.25;")(n) + "S r = s; a = " + _each("r.m#", " + ")(n) + ";",
        _members,
    ),
    Shape("structs", _each("S# s# = S#(a, #.5); a = s#.p * s#.q;"), _each("struct S# { vec4 p; float q; };")),
    Shape(
        "nested structs",
        lambda n: f"S{n} s; S{n} r = s; a = x;",
        lambda n: "struct S0 { vec4 p; };\n" + _each("struct S$ { S# p; float q; };")(n),
    ),
    Shape("uniforms", _each("a = a * u#;"), _each("uniform vec4 u#;")),
    Shape("uniforms unread", _nothing, _each("uniform vec4 u#;")),
    Shape("float uniforms", _each("a.@ += a.x * u#;"), _each("uniform float u#;")),
    Shape("varyings", _each("v# = a * u.@ + #.5;"), _each("varying vec4 v#;"), "vertex"),
    Shape("varyings read", _each("a += v#;"), _each("varying vec4 v#;"), "fragment"),
    Shape("attributes", _each("a += v#;"), _each("attribute vec4 v#;"), "vertex"),
    Shape("swizzle writes", _each("a.@ = a.y * u.@; a.wx = a.xz + #.5;")),
    Shape("swizzles", _each("a = a.wxyz * u + a.yzwx;")),
    Shape("constants", _each("a = a * vec4(#.1, #.2, #.3, #.4) + #.7;")),
    Shape("textures", _each("a += texture2D(s#, a.xy);"), _each("uniform sampler2D s#;"), "fragment"),
    Shape("lookups", _each("a += texture2D(s, x.xy * #.5);"), lambda n: "uniform sampler2D s;", "fragment"),
    Shape("dependent lookups", _each("a = texture2D(s, a.xy);"), lambda n: "uniform sampler2D s;", "fragment"),
    Shape("and", _wrapped("if (u.x < 0.5", _each(" && x.@ < #.5"), ") a *= u;")),
    Shape("and or", _wrapped("if (u.x < 0.5", _each(" && x.@ < #.5 || a.@ > #.25"), ") a *= u;")),
    Shape("and as value", _wrapped("bool b = u.x < 0.5", _each(" && x.@ < #.5"), "; a *= b ? 1.0 : u.x;")),
    Shape("ternaries", lambda n: "a.x = " + _each("x.@ < #.5 ? u.@ * #.25 : ", "")(n) + "x.y;"),
    Shape("ternaries inside", lambda n: "a.x = " + _each("x.@ < #.5 ? (", "")(n) + "x.y" + ") : u.z" * n + ";"),
    Shape("matrices", _each("a = m * a + u * #.5;"), lambda n: "uniform mat4 m;"),
    Shape("matrix uniforms", _each("a = m# * a;"), _each("uniform mat4 m#;")),
    Shape(
        "matrix products",
        lambda n: "mat4 r = m;" + _each("r = r * m + #.5;")(n) + "a = r * a;",
        lambda n: "uniform mat4 m;",
    ),
    Shape("blocks", _nested("{ vec4 b# = a * u; a = b# + 0.5;", "", "}")),
    Shape("blocks in turn", _each("{ vec4 b = a * u; a = b + #.5; }")),
    Shape("commas", _wrapped("a.x = (a.y", _each(", a.@ += #.5"), ");")),
    Shape("int counters", lambda n: "int k = 0;" + _each("if (x.@ < #.5) k++;")(n) + "a.x = float(k);"),
    Shape("loop with body", lambda n: "for (int i = 0; i < 100; i++) {" + _each("a = a * u.@ + #.5;")(n) + "}"),
    Shape(
        "loop with ifs",
        lambda n: "for (int i = 0; i < 100; i++) {" + _each("if (a.@ < #.5) a = a * u + #.25;")(n) + "}",
    ),
    Shape(
        "loop values",
        lambda n: (
            _each("float v# = x.@ * #.5;")(n)
            + "for (int i = 0; i < 100; i++) {"
            + _each("v# = v# * u.@ + 0.5;")(n)
            + "} a.x = "
            + _each("v#", " + ")(n)
            + ";"
        ),
    ),
    Shape(
        "loops without end",
        lambda n: (
            f"for (int i = 0; i < {n}; i++) {{ for (float z = 0.0; z < 10.0; z += -1.0) {{ "
            "a = a * a + u; if (a.x > 2.0) break; } }"
        ),
    ),
    Shape(
        "cases",
        lambda n: "switch (int(u.x)) {" + _each("case #: a = a * u.@ + #.5; break;")(n) + "default: a = u; }",
        version="#version 130\n",
    ),
    Shape(
        "cases that fall through",
        lambda n: "switch (int(u.x)) {" + _each("case #: a = a * u.@ + #.5;")(n) + "default: a += u; }",
        version="#version 130\n",
    ),
    Shape(
        "switches", _each("switch (int(u.@)) { case #: a += u; break; default: a.@ = u.x; }"), version="#version 130\n"
    ),
    Shape("loops with breaks", _each("for (int i = 0; i < int(u.@); i++) { a = a * u; if (a.@ > #.5) break; }")),
    Shape(
        "returns in loops",
        lambda n: "a = f(x);",
        lambda n: (
            "vec4 f(vec4 p) {"
            + _each("for (int i = 0; i < 9; i++) { p *= u; if (p.@ > #.5) return p; }")(n)
            + "return p; }"
        ),
    ),
    Shape(
        "struct copies",
        lambda n: (
            "S s = S(x, u.x); S r = s;" + _each("r = s; r.p *= u.@; s = S(r.p + #.5, r.q);")(n) + "a = s.p * r.q;"
        ),
        lambda n: "struct S { vec4 p; float q; };",
    ),
    Shape(
        "out parameters",
        _each("f(a, b); a += b;"),
        lambda n: "vec4 b; void f(in vec4 p, out vec4 q) { q = p * u + 0.5; }",
    ),
    Shape("any and all", _each("if (any(lessThan(a, u * #.5)) && !all(equal(a.xy, u.yx))) a.@ += u.x;")),
    Shape(
        "bool vectors",
        lambda n: (
            "bvec4 b = lessThan(x, u);"
            + _each("b = notEqual(b.yzwx, lessThan(x, vec4(#.5)));")(n)
            + "a = mix(a, u, vec4(b));"
        ),
    ),
    Shape("powers", _each("a.@ = pow(abs(a.@), #.5);")),
    Shape("mixes", _each("a = mix(a, u, x.@ * #.5);")),
    Shape("normalize", _each("a.xyz = normalize(a.xyz + #.5);")),
    Shape("dots", _each("a.@ = dot(a, u * #.5);")),
    Shape("clamps", _each("a = clamp(a * #.5, 0.0, u.@);")),
    Shape("noise", _each("a.x = fract(sin(dot(a.xy, vec2(#.9898, 78.#))) * 43758.5453);")),
    Shape(
        "distances",
        lambda n: "float d = 1000.0;" + _each("d = min(d, length(x.xyz - vec3(#.5, u.@, 0.5)) - u.x);")(n) + "a.x = d;",
    ),
    Shape(
        "lamps",
        lambda n: (
            f"for (int i = 0; i < {n}; i++) {{ vec3 d = t[i].p.xyz - a.xyz; "
            "a += t[i].q * max(dot(normalize(d), u.xyz), 0.0); }"
        ),
        lambda n: f"struct S {{ vec4 p; float q; }}; uniform S t[{n}];",
    ),
    Shape("bones", _each("a += (t[int(x.@) + #] * x) * u.@;"), lambda n: f"uniform mat4 t[{n + 4}];"),
    Shape("kernels", _each("for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) a += u * float(i * j + #) * x.@;")),
    Shape("while loops", _each("while (a.@ < #.5) a += u;")),
    Shape(
        "locals set in ifs",
        lambda n: (
            _each("float v# = x.y;")(n)
            + _each("if (x.@ > #.5) v# = u.@ * #.5;")(n)
            + "a.x = "
            + _each("v#", " + ")(n)
            + ";"
        ),
    ),
    Shape(
        "defines",
        lambda n: f"a += M{n - 1};",
        lambda n: "#define M0 u\n" + "\n".join(f"#define M{i} (M{i - 1} + {i}.5)" for i in range(1, n)),
    ),
    Shape("comments", _each("/* # */ // words and words and words")),
    Shape("undeclared", _each("a += q#;")),
    Shape("wrong types", _each("a = bool(a) + #;")),
)


#: Shapes by name.
SHAPES = {shape.name: shape for shape in _SHAPES}
