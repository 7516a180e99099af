//: size 4
// A product whose literal has a 0 more, on either side.
attribute vec4 a; varying vec4 v;
void main() {
    gl_Position = vec4(a.xyz * vec3(0.5, 0.25, 2.0), 0.0);
    v = vec4(vec2(0.5, -0.25) * a.zx, 0.0, 0.0).xzyw;
}

//: size 4
// A product with something else that has a 0, and a sum of both.
attribute vec4 a; uniform vec4 u; varying vec4 v;
void main() {
    vec3 half_ = a.wzx * 0.5;
    gl_Position = vec4(half_.yxz * u.xyw, 0.0);
    v = vec4(0.0, half_ + a.www * 4.0);
}

//: size 6
// Sums and differences with literals; a multiply-add.
attribute vec4 a; uniform vec4 u; varying vec4 v, w;
void main() {
    vec3 half_ = a.xyz * 0.5, quarter = a.zxy * 0.25;
    gl_Position = vec4(half_ + vec3(1.0, -2.0, 3.0), 1.0);
    v = vec4(half_ - quarter, 0.0);
    w = vec4(half_ * u.x + quarter.yzx, 0.0);
}

//: size 5
// A value between two bounds; not one between a bound and a value.
attribute vec4 a; uniform vec4 u; varying vec4 v;
void main() {
    gl_Position = vec4(clamp(a.xyz, 0.0, 1.0), 1.0);
    v = vec4(max(min(a.zyx, 2.0), -0.5), -0.25);
}

//: size 3
// One bound says nothing of what it bounds.
attribute vec4 a; uniform vec4 u;
void main() {
    gl_Position = vec4(max(a.xyz, u.xyz), 1.0);
}

//: size 4
// An input that several outputs need with a 0.
attribute vec3 a; uniform vec4 u; varying vec4 v;
void main() {
    gl_Position = vec4(a * u.x, 0.0);
    v = vec4(a.zyx * u.yzw, 0.0);
}

//: size 3
// Not where one output needs it.
attribute vec3 a; uniform vec4 u;
void main() {
    gl_Position = vec4(a * u.xyz, 0.0);
}

//: -fprecise
//: size 3
// Nor where the shader is precise.
attribute vec3 a; uniform vec4 u;
void main() {
    gl_Position = vec4(a * 0.5, 0.0);
}

//: size 8
// One of two arms; the other one is constant.
attribute vec4 a; varying vec4 v;
void main() {
    vec4 q = vec4(1.0, 0.0, 0.0, 0.0);
    vec3 n = a.xyz * 0.5;
    if (n.x > 0.0) q = vec4(n.yzx * inversesqrt(n.x), 0.0);
    gl_Position = a;
    v = q;
}

//: size 8
// Both arms have the constants: these are moved once.
attribute vec4 a; uniform vec4 u; varying vec4 v;
void main() {
    vec4 q = vec4(a.xy, 0.0, 1.0);
    if (a.z > u.x) q = vec4(a.yx * 2.0 - 1.0, 0.0, 1.0);
    gl_Position = a;
    v = q;
}

//: size 11
// Columns of a matrix, scaled, and multiplied with two rows of another one.
attribute vec3 a; uniform mat4 m, n; varying vec3 v;
void main() {
    vec3 x = m[0].xyz * a.x, y = m[1].xyz * a.y, z = a.z * m[2].xyz;
    vec3 r = vec3(n[0].x, n[1].x, n[2].x), s = vec3(n[0].y, n[1].y, n[2].y);
    gl_Position = vec4(dot(r, x), dot(y, r), dot(r, z), 1.0);
    v = vec3(dot(s, x), dot(y, s), dot(s, z));
}

//: size 15
// Not where a column is read by something else, nor where they are fewer than their components.
attribute vec3 a; uniform mat4 m, n; varying vec3 v; varying vec2 w;
void main() {
    vec3 x = m[0].xyz * a.x, y = m[1].xyz * a.y, z = m[2].xyz * a.z;
    vec3 r = vec3(n[0].x, n[1].x, n[2].x);
    gl_Position = vec4(dot(r, x), dot(r, y), dot(r, z), 1.0);
    v = x;
}

//: size 10
attribute vec3 a; uniform mat4 m, n; varying vec2 v;
void main() {
    vec3 x = m[0].xyz * a.x, y = m[1].xyz * a.y;
    vec3 r = vec3(n[0].x, n[1].x, n[2].x);
    gl_Position = vec4(a, 1.0);
    v = vec2(dot(r, x), dot(r, y));
}

//: size 8
// A scaled vector of which a component is shifted, scaled again; either way round.
attribute vec4 a; uniform vec4 u; varying vec4 v;
void main() {
    vec3 n = a.xyz * inversesqrt(a.w);
    gl_Position = vec4(vec3(n.z + 1.0, n.xy) * vec3(0.5, 0.25, 2.0), 1.0);
    vec2 m = u.x * a.yx;
    v = vec4(0.5 * vec2(m.x, m.y - 2.0), 0.0, 1.0);
}

//: size 21
// Not where the vector is needed as it is, nor where no literal scales it or nothing is shifted.
attribute vec4 a; uniform vec4 u; varying vec4 v, w, x;
void main() {
    vec3 n = a.xyz * inversesqrt(a.w), m = a.zyx * sqrt(a.y), r = a.yxz * exp2(a.z);
    gl_Position = vec4(vec3(n.z + 1.0, n.xy) * 0.5, 1.0);
    v = vec4(n, 1.0);
    w = vec4(vec3(m.z + 1.0, m.xy) * u.x, 1.0);
    x = vec4(vec3(r.z, r.xy) * 0.5 + vec3(r.x + 1.0, a.zw + 2.0) * 0.5, 1.0);
}

//: size 23
// What may be no number leaves the other components alone; what a branch has found to be above 0 is one.
attribute vec4 a; uniform vec4 u; varying vec4 v, w, x;
void main() {
    vec4 q = vec4(1.0, 0.0, 0.0, 0.0), r = q, s = q;
    vec3 n = a.xyz * 0.5;
    if (a.w > 0.0) q = vec4(n * inversesqrt(a.w), 0.0);
    if (a.y > 0.0) r = vec4(n * inversesqrt(a.x), 0.0); else s = vec4(n * log2(a.y), 0.0);
    gl_Position = vec4(clamp(log2(a.xyz), 0.0, 1.0), 1.0);
    v = q;
    w = r;
    x = s;
}
