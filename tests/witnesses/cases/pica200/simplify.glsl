//: size 20
// Lower bounds: what a sine, a sum of them, and a floor of a fraction can be.
attribute vec4 a; uniform vec4 u;
void main() {
    vec4 s = sin(a);
    gl_Position = max(s, -1.0) + max(s * 0.25 + 0.5, 0.25);
}

//: size 6
// Just not a bound.
attribute vec4 a; uniform vec4 u;
void main() {
    vec4 s = clamp(a, -1.0, 1.0);
    gl_Position = max(s * 0.25 + 0.5, 0.375);
}

//: rewrites.simplify: maximum with what is never above
//: size 6
// The bound on either side, in some components only, and a bound that is not met in one.
attribute vec4 a; uniform vec4 u; varying vec4 v;
void main() {
    vec4 s = clamp(a, -1.0, 1.0);
    gl_Position = max(vec4(-1.0, -1.5, -2.0, -1.25), s * 1.0) * a.wzyx;
    v = max(s, vec4(-1.0, -1.0, -0.75, -1.0)) + a.yxzw;
}

//: rewrites.simplify: minimum with what is never below
//: size 6
attribute vec4 a; uniform vec4 u; varying vec4 v;
void main() {
    vec4 s = clamp(a, -1.0, 1.0);
    gl_Position = min(vec4(1.0, 1.5, 2.0, 1.25), s) * a.wzyx;
    v = min(s, vec4(1.0, 0.75, 1.0, 1.0)) + a.yxzw;
}

//: -fprecise
//: size 4
// Kept where the shader is precise.
attribute vec4 a; uniform vec4 u; varying vec4 v;
void main() {
    vec4 s = clamp(a, -1.0, 1.0);
    gl_Position = max(s, -1.5);
}

//: size 4
// A minimum says nothing of a lower bound.
attribute vec4 a; uniform vec4 u;
void main() {
    vec4 s = min(a, 0.5);
    gl_Position = max(s + u, -0.5);
}

//: rewrites.simplify: truncation of a whole number
//: size 15
// Whole numbers: of ints, bools, floors, choices among them.
attribute vec4 a; uniform int n; uniform vec4 u;
void main() {
    int k = a.w < u.x ? n + 1 : n * 2;
    float f = float(int(floor(a.x) + float(k)));
    float g = float(int(abs(ceil(a.y)) - max(float(n), floor(a.z))));
    gl_Position = vec4(f, g, float(int(-min(float(n), 2.0))), a.w);
}

//: size 13
// Not whole: half of one, and a choice of what is not.
attribute vec4 a; uniform int n; uniform vec4 u;
void main() {
    float f = float(int(floor(a.x) * 0.5));
    float g = float(int(a.w < u.x ? a.y : float(n)));
    gl_Position = vec4(f, g, a.w, float(int(float(n) + u.x)));
}

//: rewrites.simplify: common factor of a sum
//: size 5
attribute vec4 a, b, c; uniform vec4 u;
void main() { gl_Position = a * b * c.wzyx + a * u * b.wzyx - u.yxwz; }

//: rewrites.simplify: common factor of a sum
//: size 4
attribute vec4 a, b, c; uniform vec4 u;
void main() { gl_Position = a * 0.25 * b + a * 0.75 * c; }

//: rewrites.simplify: common factor of a sum
//: size 5
attribute vec4 a, b, c; uniform vec4 u;
void main() { gl_Position = u.yxwz - (a * b * c.wzyx + a * u * b.wzyx); }

//: rewrites.simplify: common factor of a sum
//: size 6
// Both signs among the terms with the factor, and among the others.
attribute vec4 a, b, c; uniform vec4 u;
void main() { gl_Position = (a * b * c.wzyx + u) - (a * b.wzyx * c.yxwz + b); }

//: rewrites.simplify: common factor of a sum
//: size 8
attribute vec4 a, b, c; uniform vec4 u;
void main() { gl_Position = (u.wzyx - (a * b * c.wzyx + u)) - (a * b.wzyx * c.yxwz + b); }

//: -fprecise
//: size 7
// Precise sums stay as they are.

attribute vec4 a, b, c; uniform vec4 u;
void main() { gl_Position = a * b * c.wzyx + a * u * b.wzyx - u.yxwz; }

//: rewrites.simplify: common factor of a sum
//: size 4
// No words less.
attribute vec4 a, b, c; uniform vec4 u;
void main() { gl_Position = a * b + a * u * c; }

//: size 7
// A part of the sum is needed elsewhere.
attribute vec4 a, b, c; uniform vec4 u; varying vec4 v;
void main() { vec4 p = a * b; gl_Position = p * c.wzyx + a * u * b.wzyx; v = p; }

//: size 10
// The sum in a branch, of products before it.
attribute vec4 a, b, c; uniform vec4 u; uniform bool t;
void main() {
    vec4 p = a * b * c.wzyx + u, q = c;
    if (t) { q = p + a * u * b.wzyx; q = q * q.x; q = q * q.y + c; }
    gl_Position = q;
}

//: rewrites.simplify: common factor of a sum
//: size 6
// A square of the factor, and the factor squared in both.
attribute vec4 a, b, c; uniform vec4 u;
void main() { gl_Position = a * a * b.wzyx + a * b * c.yxwz + u; }

//: rewrites.simplify: common factor of a sum
//: size 6
attribute vec4 a, b, c; uniform vec4 u; varying vec4 v;
void main() { gl_Position = a * a * b.wzyx + a * c * a.wzyx - b; }

//: rewrites.simplify: common factor of a sum
//: size 8
// Two factors to choose from: one is of three terms.
attribute vec4 a, b, c; uniform vec4 u;
void main() { gl_Position = b * c * u + a * c * u.wzyx + a * c.wzyx * b.yxwz + a * u.yxwz * b.zwxy; }

//: rewrites.simplify: common factor of a sum
//: size 7
// An inner sum of products, all of which has the factor.
attribute vec4 a, b, c; uniform vec4 u;
void main() { gl_Position = a * b * c.wzyx + (a * u * b.wzyx + (a * c * u.yxwz + c)); }

//: size 4
// No gain.
attribute vec4 a, b, c; uniform vec4 u;
void main() { gl_Position = a * b + a * u + c; }

//: rewrites.simplify: root as a product
//: size 10
attribute vec4 a; uniform vec4 u;
void main() { gl_Position = a * sqrt(abs(a.x) + 0.25) + length(a.xyz + u.xyz); }

//: rewrites.simplify: root as a product
//: size 7
attribute vec4 a; uniform vec4 u;
void main() { vec2 r = sqrt(abs(a.xy) + 0.25); gl_Position = vec4(r.yx, a.xy); }

//: size 9
// Far outside of the bounds.
attribute vec4 a; uniform vec4 u; varying vec4 v;
void main() {
    vec4 s = clamp(a, -1.0, 1.0) * u.x;
    vec4 t = clamp(a, -1.0, 1.0) * 0.25 + 0.5;
    gl_Position = min(t, vec4(0.125, 0.25, 0.5, 0.125)) * a.wzyx;
    v = max(t, vec4(0.875, 0.75, 0.5, 0.875)) * a.yxwz;
}

//: rewrites.simplify: truncation of a whole number
//: size 10
// A long chain of whole numbers.
attribute vec4 a; uniform int n;
void main() {
    float f = floor(a.x);
    f = abs(f + 2.0) * 3.0;
    f = max(min(f - float(n), 7.0), -3.0) + floor(a.y);
    gl_Position = a * float(int(f));
}

//: rewrites.simplify: common factor of a sum
//: size 7
// A sum that is a factor.
attribute vec4 a, b, c; uniform vec4 u;
void main() { gl_Position = (a * b * c.wzyx + a * u * b.wzyx) * c.yxwz + a; }
