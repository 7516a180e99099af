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
