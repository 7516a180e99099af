//: selection.arithmetic: fadd(x, y)
//: selection.arithmetic: fsub(x, y)
//: selection.branches: ret
//: selection.outputs: output of components
//: selection.outputs: store
//: size 4
attribute vec4 a, b; uniform vec4 u; varying vec4 v;
void main() { gl_Position = a + b.wzyx; v = a.yxwz - b.zwxy; }

//: selection.arithmetic: fmad(x, y, z)
//: selection.arithmetic: fmul(x, y)
//: selection.branches: ret
//: selection.outputs: output of components
//: selection.outputs: store
//: size 5
attribute vec4 a, b; uniform vec4 u; varying vec4 v;
void main() { gl_Position = -a * b.wzyx; v = a.yxwz * -u.x - u; }

//: selection.arithmetic: fadd(x, y)
//: selection.arithmetic: fsub(x, y)
//: selection.branches: ret
//: selection.outputs: output of components
//: selection.outputs: store
//: size 3
// Sums and differences with literals on either side.
attribute vec4 a; varying vec4 v;
void main() { gl_Position = vec4(0.25, 0.5, -0.75, 1.5) - a.wzyx; v = a.yxwz - vec4(0.25, 0.0, -0.75, 1.5); }

//: selection.arithmetic: fabs(x)
//: selection.arithmetic: fmax(x, y)
//: selection.arithmetic: fmin(x, y)
//: selection.arithmetic: fsub(x, y)
//: selection.branches: ret
//: selection.outputs: output of components
//: selection.outputs: store
//: size 11
attribute vec4 a, b; uniform vec4 u; varying vec4 v, w;
void main() {
    gl_Position = min(-a, b.wzyx);
    v = max(a.yxwz, u);
    w = vec4(min(a.x, b.y), max(-a.z, b.w), abs(a.y - b.x), -abs(u.z));
}

//: selection.arithmetic: fabs(x)
//: selection.arithmetic: fadd(x, y)
//: selection.arithmetic: ffloor(x)
//: selection.arithmetic: fmul(x, y)
//: selection.arithmetic: fsub(x, y)
//: selection.branches: ret
//: selection.outputs: output of components
//: selection.outputs: store
//: size 11
attribute vec4 a, b; uniform vec4 u; varying vec4 v;
void main() { gl_Position = floor(-a * 1.5); v = ceil(b.wzyx * 0.75) + fract(a.yxwz * 0.75) + abs(a.zwxy); }

//: selection.arithmetic: fmad(x, y, z)
//: selection.arithmetic: fmul(x, y)
//: selection.arithmetic: ftrunc(x)
//: selection.branches: ret
//: selection.outputs: output of components
//: selection.outputs: store
//: size 14
attribute vec4 a, b; uniform vec4 u; varying vec4 v;
void main() {
    gl_Position = vec4(ivec4(a * 1.5 + 0.25));
    v = vec4(ivec2(b.wz * u.x), -a.x, float(int(-a.y)));
}

//: selection.arithmetic: fabs(x)
//: selection.arithmetic: fadd(x, y)
//: selection.arithmetic: frcp(x)
//: selection.arithmetic: frsqrt(x)
//: selection.branches: ret
//: selection.outputs: output of components
//: selection.outputs: store
//: size 13
attribute vec4 a, b; varying vec4 v;
void main() { gl_Position = 1.0 / (abs(a) + 0.5); v = inversesqrt(abs(b.wzyx) + 0.25); }

//: selection.arithmetic: fabs(x)
//: selection.arithmetic: fadd(x, y)
//: selection.arithmetic: fexp2(x)
//: selection.arithmetic: flog2(x)
//: selection.branches: ret
//: selection.outputs: output of components
//: selection.outputs: store
//: size 11
attribute vec4 a, b; varying vec4 v;
void main() { gl_Position = exp2(a.wzyx); v = log2(abs(b) + 0.5).yxwz; }

//: selection.arithmetic: dot product of three or four lanes
//: selection.arithmetic: dot product with a lane that is 1
//: selection.arithmetic: dot(x, y)
//: selection.arithmetic: fmad(x, y, z)
//: selection.branches: ret
//: selection.outputs: output of components
//: selection.outputs: store
//: size 9
attribute vec4 a, b; uniform mat4 m; varying vec4 v;
void main() { gl_Position = m * vec4(a.zyx, 1.0); v = vec4(1.0, b.yxw) * m; }

//: selection.arithmetic: construct
//: selection.arithmetic: dot product of three or four lanes
//: selection.arithmetic: dot product with a lane that is 1
//: selection.arithmetic: dot(x, y)
//: selection.branches: ret
//: selection.outputs: output of components
//: selection.outputs: store
//: size 8
// 1 in either operand, and where the row is.
attribute vec4 a, b; uniform vec4 u, w; varying vec4 v;
void main() {
    gl_Position = vec4(dot(vec4(a.x, 1.0, a.zw), u), dot(w, vec4(b.yx, 1.0, -b.w)), dot(vec4(1.0, -a.yzx), u), dot(a, b));
}

//: selection.arithmetic: construct
//: selection.arithmetic: dot product of no lane
//: selection.arithmetic: dot product of one lane
//: selection.arithmetic: dot product of three or four lanes
//: selection.arithmetic: dot product of two lanes
//: selection.arithmetic: dot(x, y)
//: selection.branches: ret
//: selection.outputs: output of components
//: selection.outputs: store
//: size 15
// Lanes that are 0 on one side.
attribute vec4 a, b; uniform vec4 u, w; varying vec4 v;
void main() {
    gl_Position = vec4(dot(vec4(a.x, 0.0, a.zw), u), dot(w, vec4(0.0, b.yx, 0.0)), dot(vec4(0.0, 0.0, -a.y, 0.0), u.wzyx), 0.5);
    v = vec4(dot(vec3(a.x, 0.0, a.z), vec3(0.0, u.yx)), dot(vec4(0.0, a.y, 0.0, a.w), vec4(b.x, 0.0, b.y, 0.0)), dot(-a.xy, u.zw), dot(vec3(b.x, 1.0, 0.0), u.yzw));
}

//: selection.arithmetic: dot product of three or four lanes
//: selection.arithmetic: dot product of two lanes
//: selection.arithmetic: dot(x, y)
//: selection.arithmetic: fadd(x, y)
//: selection.arithmetic: fmad(x, y, z)
//: selection.arithmetic: fmul(x, y)
//: selection.arithmetic: frsqrt(x)
//: selection.branches: ret
//: selection.outputs: output of components
//: selection.outputs: store
//: size 16
attribute vec4 a, b; uniform vec4 u; varying vec3 v;
void main() { gl_Position = vec4(normalize(a.xyz + vec3(0.5, 3.0, 0.25)), length(b.xy)); v = cross(a.xyz, b.yzw) + reflect(a.wzy, u.xyz); }

//: selection.arithmetic: construct
//: selection.arithmetic: fadd(x, y)
//: selection.arithmetic: fmul(x, y)
//: selection.branches: ret
//: selection.outputs: output of components
//: selection.outputs: store
//: size 11
// Vectors that are put together, and changed in places.
attribute vec4 a, b; uniform vec4 u; varying vec4 v;
void main() {
    vec4 p = vec4(a.y, -b.x, u.w, 0.75);
    p.z = -a.w; p.xy = p.yx;
    vec4 q = a * b.x;
    q.y = u.z; q.w = -q.x;
    gl_Position = p * q;
    v = q + p.wwzx;
}

//: selection.arithmetic: fadd(x, y)
//: selection.arithmetic: fmad(x, y, z)
//: selection.arithmetic: insert
//: selection.branches: bool uniform
//: selection.branches: br
//: selection.branches: condbr(test)
//: selection.branches: ret
//: selection.outputs: output of components
//: selection.outputs: store
//: size 9
attribute vec4 a, b; uniform vec4 u; uniform bool t; varying vec4 v;
void main() {
    vec4 p = a, q = b;
    if (t) { p = -b.wzyx; q.z = a.x; q = q + p; q = q * p.x + u; }
    gl_Position = p;
    v = q.yxwz;
}

//: selection.arithmetic: fsub(x, y)
//: selection.branches: ret
//: selection.conditions numbers: flt(x, y)
//: selection.conditions opposites: flt(x, y)
//: selection.conditions: btof(condition)
//: selection.conditions: select
//: selection.conditions: select(c, 0, y)
//: selection.outputs: output of components
//: selection.outputs: store
//: size 10
// Comparisons as numbers, with 0 on either side.
attribute vec4 a, b; uniform vec4 u; varying vec4 v, w, x;
void main() {
    gl_Position = vec4(lessThan(a, b.wzyx));
    v = vec4(lessThanEqual(a.yxwz, u));
    w = vec4(greaterThan(vec4(0.0), a)) - vec4(greaterThanEqual(b, vec4(0.0)));
    x = vec4(greaterThan(-a, b)) - vec4(lessThan(u, -b));
}

//: selection.arithmetic: fadd(x, y)
//: selection.arithmetic: ffloor(x)
//: selection.arithmetic: fsub(x, y)
//: selection.branches: ret
//: selection.conditions numbers: feq(x, y)
//: selection.conditions numbers: flt(x, y)
//: selection.conditions numbers: fne(x, y)
//: selection.conditions opposites: flt(x, y)
//: selection.conditions: btof(condition)
//: selection.conditions: select
//: selection.conditions: select(c, 0, y)
//: selection.outputs: output of components
//: selection.outputs: store
//: size 26
attribute vec4 a, b; uniform vec4 u; varying vec4 v, w;
void main() {
    gl_Position = vec4(equal(a, u.xxzz)) + vec4(equal(floor(a), vec4(-1.0, 0.0, 1.0, -2.0)));
    v = vec4(notEqual(a.yxwz, u.yyww)) - vec4(notEqual(floor(b), vec4(-1.0, 0.0, 1.0, -2.0)));
    w = vec4(a.x == 0.25, a.y < b.y, 0.5 != a.z, b.w >= a.x);
}

//: selection.branches: ret
//: selection.conditions numbers: flt(x, y)
//: selection.conditions opposites: fle(x, y)
//: selection.conditions: select
//: selection.conditions: select(c, 0, y)
//: selection.conditions: select(c, x, 0)
//: selection.outputs: output of components
//: selection.outputs: store
//: size 6
// Choices with 0.
attribute vec4 a, b; uniform vec4 u; varying vec4 v;
void main() { gl_Position = a.x < b.y ? a.wzyx : vec4(0.0); v = b.z <= a.w ? vec4(0.0) : -b.yxwz; }

//: selection.branches: ret
//: selection.conditions numbers: fle(x, y)
//: selection.conditions numbers: flt(x, y)
//: selection.conditions opposites: fle(x, y)
//: selection.conditions opposites: flt(x, y)
//: selection.conditions: select
//: selection.conditions: select(c, 1, y)
//: selection.conditions: select(c, x, 1)
//: selection.outputs: output of components
//: selection.outputs: store
//: size 8
// Choices with 1, of what is finite.
attribute vec4 a, b; uniform vec4 u; varying vec4 v;
void main() { gl_Position = a.x < b.y ? a.wzyx : vec4(1.0); v = b.z <= a.w ? vec4(1.0) : -b.yxwz; }

//: selection.arithmetic: fabs(x)
//: selection.arithmetic: flog2(x)
//: selection.arithmetic: frcp(x)
//: selection.branches: ret
//: selection.conditions numbers: fle(x, y)
//: selection.conditions numbers: flt(x, y)
//: selection.conditions opposites: fle(x, y)
//: selection.conditions: select
//: selection.conditions: select(c, 1, y)
//: selection.conditions: select(c, x, 1)
//: selection.outputs: output of components
//: selection.outputs: store
//: size 17
// Choices with 1, of what is not.
attribute vec4 a, b; uniform vec4 u; varying vec4 v;
void main() { gl_Position = a.x < b.y ? 1.0 / a.wzyx : vec4(1.0); v = b.z <= a.w ? vec4(1.0) : log2(abs(b.yxwz)); }

//: selection.arithmetic: fabs(x)
//: selection.arithmetic: fexp2(x)
//: selection.arithmetic: fmul(x, y)
//: selection.arithmetic: frcp(x)
//: selection.arithmetic: frsqrt(x)
//: selection.branches: ret
//: selection.conditions numbers: feq(x, y)
//: selection.conditions numbers: fle(x, y)
//: selection.conditions numbers: flt(x, y)
//: selection.conditions: select
//: selection.conditions: select(c, x, y)
//: selection.conditions: select(c, x, y) where y is finite
//: selection.outputs: output of components
//: selection.outputs: store
//: size 29
// Neither is known; finite, and not.
attribute vec4 a, b; uniform vec4 u; varying vec4 v, w;
void main() {
    gl_Position = a.x < b.y ? a.wzyx : -u;
    v = b.z <= a.w ? 1.0 / a : inversesqrt(abs(b));
    w = b.y == a.z ? exp2(a) : b * 0.5;
}

//: selection.arithmetic: construct
//: selection.branches: ret
//: selection.conditions numbers: feq(x, y)
//: selection.conditions numbers: fle(x, y)
//: selection.conditions numbers: flt(x, y)
//: selection.conditions: btof(condition)
//: selection.conditions: condition that is a number
//: selection.conditions: select
//: selection.conditions: select(c, x, y) where y is finite
//: selection.outputs: output of components
//: selection.outputs: store
//: size 25
// Of lanes of different comparisons.
attribute vec4 a, b; uniform vec4 u; varying vec4 v;
void main() {
    bvec4 t = bvec4(a.x < b.x, a.y < b.z, a.z == b.z, a.w <= 0.0);
    gl_Position = mix(a.wzyx, -b, vec4(t));
    v = vec4(t.x ? a.y : b.x, t.w ? a.z : u.y, t.z ? 0.25 : a.x, t.y ? u.x : -a.w);
}

//: selection.arithmetic: construct
//: selection.arithmetic: fmax(x, y)
//: selection.arithmetic: fmin(x, y)
//: selection.arithmetic: fmul(x, y)
//: selection.branches: ret
//: selection.conditions: condition that is a number
//: selection.conditions: opposite of a condition that is a number
//: selection.conditions: select
//: selection.conditions: select(c, 0, y)
//: selection.conditions: select(c, x, y) where y is finite
//: selection.outputs: output of components
//: selection.outputs: store
//: size 39
// Of a bool's number, its opposite, and of several.
attribute vec4 a, b; uniform bool t, s, r; uniform bvec4 q; varying vec4 v, w, x;
void main() {
    gl_Position = q.y ? a : b.wzyx;
    v = q.w ? vec4(0.0) : b;
    w = vec4(q.x ? a.x : b.y, q.y ? a.w : b.x, q.w ? 0.0 : a.y, q.z ? a.z : 1.0);
    x = (t && s || r) ? a.yxwz : b * 0.25;
}

//: selection.arithmetic: fmax(x, y)
//: selection.arithmetic: fmin(x, y)
//: selection.arithmetic: fmul(x, y)
//: selection.arithmetic: frcp(x)
//: selection.arithmetic: fsub(x, y)
//: selection.branches: ret
//: selection.conditions numbers: flt(x, y)
//: selection.conditions numbers: fne(x, y)
//: selection.conditions: btof(condition)
//: selection.conditions: condition that is a number
//: selection.conditions: select
//: selection.conditions: select(c, x, y) where y is finite
//: selection.outputs: output of components
//: selection.outputs: store
//: size 21
// Bools that are put together.
attribute vec4 a, b; uniform bool t, s, r; varying vec4 v, w;
void main() {
    bool x = a.x < b.x, y = a.y < b.y;
    gl_Position = (x && y) ? a : b.wzyx;
    v = (x || !y) ? -b : a.yxwz;
    w = (x ^^ y) ? 1.0 / a.zwxy : b * 0.5;
}

//: selection.arithmetic: fmad(x, y, z)
//: selection.arithmetic: fmin(x, y)
//: selection.arithmetic: fmul(x, y)
//: selection.arithmetic: fsub(x, y)
//: selection.branches: ret
//: selection.conditions numbers: flt(x, y)
//: selection.conditions: btof(condition)
//: selection.conditions: condition that is a number
//: selection.conditions: opposite of a condition that is a number
//: selection.conditions: select
//: selection.conditions: select(c, 0, y)
//: selection.conditions: select(c, 1, y)
//: selection.outputs: output of components
//: selection.outputs: store
//: size 14
// As a number and its opposite: a choice with 0 of a bool.
attribute vec4 a, b; uniform bool t, s, r; varying vec4 v, w;
void main() {
    bool x = a.x < b.x && t;
    gl_Position = x ? vec4(0.0) : a.yxwz;
    v = x ? vec4(1.0) : a.wzyx;
    w = float(x) * b - float(!x) * a;
}

//: selection.arithmetic: fmad(x, y, z)
//: selection.arithmetic: fmul(x, y)
//: selection.branches: br
//: selection.branches: comparison
//: selection.branches: condbr(test)
//: selection.branches: ret
//: selection.conditions numbers: fle(x, y)
//: selection.conditions numbers: flt(x, y)
//: selection.conditions: select
//: selection.conditions: select(c, x, y) where y is finite
//: selection.outputs: output of components
//: selection.outputs: store
//: size 16
// Branches on comparisons of numbers, of either sign.
attribute vec4 a, b; uniform vec4 u; varying vec4 v;
void main() {
    vec4 p = a, q = b;
    if (-a.x < b.y) { p = p * q.x + b; q = p * p.w - a; p = p * q; }
    if (u.x <= -a.z) { p = p.wzyx * q.y + b; q = p * p.z - a; p = p * q; }
    gl_Position = p; v = q;
}

//: selection.arithmetic: ffloor(x)
//: selection.arithmetic: fmad(x, y, z)
//: selection.arithmetic: fmul(x, y)
//: selection.branches: br
//: selection.branches: comparison
//: selection.branches: condbr(test)
//: selection.branches: ret
//: selection.conditions numbers: feq(x, y)
//: selection.conditions numbers: fne(x, y)
//: selection.conditions: select
//: selection.conditions: select(c, x, y) where y is finite
//: selection.outputs: output of components
//: selection.outputs: store
//: size 18
attribute vec4 a, b; uniform vec4 u; varying vec4 v;
void main() {
    vec4 p = a, q = b;
    if (floor(a.x) == 1.0) { p = p * q.x + b; q = p * p.w - a; p = p * q; }
    if (a.z != u.x) { p = p.wzyx * q.y + b; q = p * p.z - a; p = p * q; } else { q = q.yxwz * q.x; p = q * p.wzyx + a; }
    gl_Position = p; v = q;
}

//: selection.arithmetic: fadd(x, y)
//: selection.arithmetic: fmad(x, y, z)
//: selection.arithmetic: fmul(x, y)
//: selection.arithmetic: fsub(x, y)
//: selection.branches: bool uniform
//: selection.branches: br
//: selection.branches: condbr(test)
//: selection.branches: ret
//: selection.outputs: output of components
//: selection.outputs: store
//: size 28
attribute vec4 a, b; uniform vec4 u; varying vec4 v; uniform bool t, s;
void main() {
    vec4 p = a, q = b;
    if (t) { p = p * 0.25 + b; q = p * 0.5 - a; p = p * q.x; }
    if (s) { p = p.wzyx * 0.25 + b; q = p.yxwz * 0.25 - a; p = q * 0.5 + b.x; } else { q = q.yxwz * 0.5; p = q * 0.25 + a; p = p + q.wzyx; }
    if (!t) { p = p.zwxy * 0.5 + b; q = p * 0.25 - a.wzyx; p = p + q.x; }
    if (!s) { p = p.yxwz * 0.25 + b; q = p.zwxy * 0.25 - a; p = p + q; } else { q = q.zxwy * 0.25; p = q * 0.5 + a; p = p - q.wwxz; }
    gl_Position = p; v = q;
}

//: selection.arithmetic: fadd(x, y)
//: selection.arithmetic: fmad(x, y, z)
//: selection.arithmetic: fmul(x, y)
//: selection.branches: bool uniform
//: selection.branches: br
//: selection.branches: condbr(test)
//: selection.branches: ret
//: selection.outputs: output of components
//: selection.outputs: store
//: size 18
// A bool that is tested, and one that is a number, too.
attribute vec4 a, b; uniform bool t, s; varying vec4 v;
void main() {
    vec4 p = a, q = b;
    if (t) { p = p * 0.25 + b; q = p * 0.5 - a; p = p * q.x; p = p.wzyx + b; }
    gl_Position = p + float(t) * a - float(s) * b; v = q;
}

//: selection.arithmetic: fabs(x)
//: selection.arithmetic: fadd(x, y)
//: selection.arithmetic: fmad(x, y, z)
//: selection.branches: br
//: selection.branches: comparison
//: selection.branches: condbr(test)
//: selection.branches: ret
//: selection.outputs: output of components
//: selection.outputs: store
//: -O 0
//: size 9
// Loops of which no test is known at -O 0.
attribute vec4 a, b; uniform vec4 u; varying vec4 v;
void main() {
    vec4 p = a;
    while (true) { p = p * 0.5 - b; if (abs(p.x) < 9.5) break; p = p - 1.0; }
    if (false) p = u;
    gl_Position = p;
}

//: selection.arithmetic: construct
//: selection.arithmetic: fmul(x, y)
//: selection.branches: ret
//: selection.outputs: output of a vector that others read
//: selection.outputs: output of components
//: selection.outputs: store
//: size 13
// An output of what others read in one register, and of components.
attribute vec4 a, b; uniform vec4 u; varying vec4 v; varying vec3 w; varying vec2 x; varying float y;
void main() {
    vec4 p = vec4(a.x, b.y, u.z, -a.w);
    gl_Position = p;
    v = -p.wzyx * p;
    w = vec3(a.z, -b.x, u.y);
    x = -vec2(u.x, b.w);
    y = a.y;
}

//: selection.arithmetic: dot product of three or four lanes
//: selection.arithmetic: dot(x, y)
//: selection.arithmetic: fmad(x, y, z)
//: selection.arithmetic: fmul(x, y)
//: selection.arithmetic: fsub(x, y)
//: selection.branches: ret
//: selection.outputs: output of components
//: selection.outputs: store
//: size 11
// Matrices and arrays of outputs.
attribute vec4 a, b; uniform mat3 m; varying mat2 v; varying vec3 w[2];
void main() {
    v = mat2(a.xy, b.zw) * 2.0;
    w[0] = m * a.xyz; w[1] = b.yzw * m;
    gl_Position = a - b;
}

//: selection.arithmetic: fmad(x, y, z)
//: selection.arithmetic: fmul(x, y)
//: selection.branches: br
//: selection.branches: condbr(test)
//: selection.branches: end of a counted loop
//: selection.branches: ret
//: selection.outputs: output of components
//: selection.outputs: store
//: size 6
attribute vec4 a, b;
void main() {
    vec4 p = a;
    for (int i = 0; i < 6; i++) p = p.wxyz * 0.5 + b * p.x;
    gl_Position = p;
}

//: selection.arithmetic: ffloor(x)
//: selection.branches: ret
//: selection.conditions opposites: feq(x, y)
//: selection.conditions opposites: fne(x, y)
//: selection.conditions: select
//: selection.conditions: select(c, 0, y)
//: selection.outputs: output of components
//: selection.outputs: store
//: size 11
// Opposites of equalities.
attribute vec4 a, b; uniform vec4 u; varying vec4 v;
void main() {
    gl_Position = floor(a.x) == floor(b.x) ? vec4(0.0) : a;
    v = floor(a.z) != floor(b.y) ? vec4(0.0) : b;
}

//: selection.arithmetic: fadd(x, y)
//: selection.arithmetic: fmul(x, y)
//: selection.branches: br
//: selection.branches: comparison
//: selection.branches: condbr(test)
//: selection.branches: end of a counted loop
//: selection.branches: ret
//: selection.conditions numbers: flt(x, y)
//: selection.conditions: select
//: selection.conditions: select(c, x, y) where y is finite
//: selection.outputs: SETEMIT of one other vertex
//: selection.outputs: SETEMIT of two other vertices
//: selection.outputs: emit_vertex
//: selection.outputs: end_primitive
//: selection.outputs: output of components
//: selection.outputs: store
//: size 67
#pragma geometry(points)
void corner(vec4 p) { gl_Position = p; EmitVertex(); }
void main() {
    vec4 p = gl_PositionIn[0];
    corner(p);
    corner(p.yxwz);
    if (p.x > 0.25) corner(p.wzyx);
    if (p.y > 0.25) corner(p.zwxy);
    corner(-p);
    EndPrimitive();
    for (int i = 0; i < 12; i++) { if (p.y + float(i) > 1.0) corner(p * float(i)); }
}

//: selection.arithmetic: fadd(x, y)
//: selection.arithmetic: fmad(x, y, z)
//: selection.arithmetic: fmul(x, y)
//: selection.branches: br
//: selection.branches: comparison
//: selection.branches: condbr(test)
//: selection.branches: ret
//: selection.conditions: condition that is a number
//: selection.conditions: select
//: selection.conditions: select(c, x, y) where y is finite
//: selection.outputs: output of components
//: selection.outputs: store
//: size 18
// Bools that have no b register: parts of vectors, and elements.
attribute vec4 a, b; uniform bvec2 q; uniform bool t[3]; varying vec4 v;
void main() {
    vec4 p = a, r = b;
    if (q.y) { p = p * 0.25 + b; r = p * 0.5 - a; p = p * r.x; p = p.wzyx + b; }
    if (t[1]) { p = p * 0.25 + b; r = p * 0.5 - a; p = p * r.x; p = p.wzyx + b; }
    gl_Position = p; v = r;
}

//: selection.arithmetic: construct
//: selection.arithmetic: fexp2(x)
//: selection.arithmetic: fmad(x, y, z)
//: selection.arithmetic: fmul(x, y)
//: selection.arithmetic: frcp(x)
//: selection.arithmetic: fsub(x, y)
//: selection.branches: ret
//: selection.conditions: condition that is a number
//: selection.conditions: select
//: selection.conditions: select(c, x, y)
//: selection.outputs: output of components
//: selection.outputs: store
//: size 22
// Conditions that are put together of a bool and what is known.
attribute vec4 a, b; uniform bool t, s; varying vec4 v;
void main() {
    bvec4 q = bvec4(t, true, s, false);
    vec4 n = vec4(q);
    gl_Position = vec4(n.x != 0.0 ? a.x : 1.0 / b.x, n.y != 0.0 ? a.y : b.y, n.z != 0.0 ? exp2(a.z) : b.z, n.w != 0.0 ? a.w : b.w);
    v = mix(a, b, n * 0.5);
}

//: selection.arithmetic: fadd(x, y)
//: selection.arithmetic: fmad(x, y, z)
//: selection.arithmetic: fmul(x, y)
//: selection.branches: br
//: selection.branches: comparison
//: selection.branches: condbr(test)
//: selection.branches: ret
//: selection.outputs: output of components
//: selection.outputs: store
//: -O 0
//: size 25
// A bool that is compared with another number than 0.
attribute vec4 a, b; uniform bool t, s; varying vec4 v;
void main() {
    vec4 p = a, r = b;
    if (float(t) == 1.0) { p = p * 0.25 + b; r = p * 0.5 - a; p = p * r.x; p = p.wzyx + b; }
    if (float(s) != 1.0) { p = p * 0.25 + b; r = p * 0.5 - a; p = p * r.x; p = p.wzyx + b; }
    gl_Position = p; v = r;
}

//: selection.arithmetic: fadd(x, y)
//: selection.arithmetic: ffloor(x)
//: selection.branches: ret
//: selection.conditions numbers: fne(x, y)
//: selection.conditions: select
//: selection.conditions: select(c, x, y) where y is finite
//: selection.outputs: output of components
//: selection.outputs: store
//: size 13
// What is compared with 0 is a number, but not a bool's.
attribute vec4 a, b; uniform vec4 u; varying vec4 v;
void main() {
    gl_Position = a.x != 0.0 ? a : b.wzyx;
    v = floor(b.x) + floor(b.y) != 0.0 ? -b : a.yxwz;
}

//: rewrites.choices: c ? s + x : s
//: size 4
attribute vec4 a, b; uniform vec4 k;
void main() { vec4 s = a.wzyx; if (a.x < k.y) s += b; gl_Position = s; }

//: rewrites.choices: c ? x * y + s : s
//: size 5
attribute vec4 a, b; uniform vec4 k;
void main() { vec4 s = a.wzyx; if (a.x < b.y) s -= k.yxwz * a.y; gl_Position = s; }

//: rewrites.choices: c ? s : s + x
//: rewrites.choices: c ? s + x : s
//: size 10
attribute vec4 a, b; uniform vec4 k;
void main() { gl_Position = vec4(a.x < k.y ? a.wz : a.wz - b.yx, floor(a.x) == floor(k.y) ? a.xy : a.xy + b.xy); }

//: selection.arithmetic: one function for several components
//: size 8
attribute vec4 a;
void main() { vec2 n = abs(a.zx) + 0.5; gl_Position = (1.0 / n).xyxx; gl_Position += vec4(1.0 / n.yx, 1.0 / n.yy); }

//: selection.conditions: select
//: size 4
// A step is a comparison, and no product with 1; one of the operands that are inputs is copied.
attribute vec4 a, b; varying vec4 v;
void main() { gl_Position = step(0.0, a.wzyx); v = step(a, b); }

//: selection.machine: vectors of an attribute and numbers that the loader writes
//: size 10
attribute vec2 a, b; uniform mat4 u; varying vec4 v;
void main() { gl_Position = u * vec4(a, 0.0, 1.0); v = vec4(dot(u[0], vec4(b.y, 1.0, b.x, 0.0)), b, 1.0); }

//: selection.machine: components of an attribute and numbers that the loader writes
//: size 4
attribute float a; attribute vec3 b; attribute vec2 c; varying vec4 v, w;
void main() { gl_Position = vec4(0.0, a, 1.0, a); v = vec4(1.0, b.yx, 1.0); w = vec4(c.y, 0.0, c.x, 0.0); }

//: selection.machine: numbers that the loader does not write
//: size 12
// Of two attributes, with another sign, other numbers, and of four components.
attribute vec2 a; attribute vec3 b; attribute vec4 c; varying vec4 v, w, x;
void main() {
    gl_Position = vec4(a.x, b.z, 1.0, 0.0);
    v = -vec4(a, 0.0, 1.0);
    w = vec4(b, 2.0) + vec4(c.xyz, 1.0);
    x = vec4(c.zyx, 1.0);
}
