//: rewrites.bools: select as a branch
//: size 6
// What only one arm needs is computed there.
attribute vec4 a, b; uniform bool t;
void main() { gl_Position = t ? a.wzyx * b : (a + b.yxwz) * 0.5; }

//: rewrites.bools: selects by one bool in one branch
//: size 6
// The second one is by the opposite.
attribute vec4 a, b; uniform bool t; varying vec4 v;
void main() {
    vec4 p = t ? a.wzyx : b, q = !t ? a * 2.0 : b.yxwz;
    gl_Position = p;
    v = q;
}

//: rewrites.bools: branch on the opposite of a bool
//: size 7
attribute vec4 a, b; uniform bool t;
void main() {
    vec4 p = a;
    if (!t) { p = p * 0.5 + b; p = p * p.wzyx; } else { p = p - b.yxwz; p = p * b; }
    gl_Position = p;
}

//: rewrites.bools: number of a bool
//: size 9
attribute vec4 a, b; uniform bool t, s;
void main() { gl_Position = a * float(t) - b.wzyx * float(s); }

//: rewrites.bools: number of a bool
//: size 21
attribute vec4 a, b; uniform bool t, s; varying vec4 v;
void main() {
    vec4 p = a;
    bool both = t == (a.x < 2.0);
    if (t) { p = p * 0.5 + b; p = p * p.wzyx; p = p.yxwz - b; }
    gl_Position = p;
    v = both ? a : b * float(!t) + (t ? a.wzyx : b);
}

//: rewrites.bools: select by the opposite of a bool
//: -O 0
//: size 6
attribute vec4 a, b; uniform bool t;
void main() { gl_Position = !t ? a.wzyx * b : (a + b.yxwz) * 0.5; }

//: {"u_set": true} {"u_set": false}
//: size 32
// A bool and a comparison: two branches, where the arm ends at what follows both; either way round, with its opposite.
attribute vec4 a; uniform bool u_set, u_other; uniform vec4 u; varying vec4 v, w, x;
void main() {
    vec4 s = a, t = a.wzyx, r = a.zwxy;
    if (u_set && a.x < u.x) { s = s * s + u; s = inversesqrt(s.x) * s; }
    if (!(a.y < u.y || !u_set)) { t = t * t + u; t = inversesqrt(t.x) * t; }
    if (a.z < u.z && !u_other && u_set && a.w < u.w) { r = r * r + u; r = inversesqrt(r.x) * r; }
    gl_Position = a;
    v = s;
    w = t;
    x = r;
}

//: size 21
// Not where both arms go on to the same, nor where the condition has no bool.
attribute vec4 a; uniform bool u_set; uniform vec4 u; varying vec4 v, w;
void main() {
    vec4 s = a, t = a.wzyx;
    if (u_set || a.x < u.x) { s = s * s + u; s = inversesqrt(s.x) * s; }
    else { s = s * u - u; s = inversesqrt(s.y) * s; }
    if (a.y < u.y || a.z < u.z) { t = t * t + u; t = inversesqrt(t.x) * t; }
    gl_Position = a;
    v = s;
    w = t;
}
