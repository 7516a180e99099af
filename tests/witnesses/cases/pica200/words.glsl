//: fixup: copy before the first reader
//: fixup: operands exchanged
//: size 4
// Two uniforms in one word: the copy stands before its reader.
attribute vec4 a; uniform vec4 u, w; varying vec4 v;
void main() { v = a * u; gl_Position = u.yxwz - w.wzyx; }

//: fixup: copy before the first reader
//: size 7
// Two readers of one copy, of different components.
attribute vec4 a, b; uniform vec4 u, w; varying vec4 v;
void main() { gl_Position = vec4(u.x * w.y, a.yzw); v = vec4(-u.x * w.z, b.y, b.x, max(u.x, -w.x)); }

//: finalize: LOOP
//: finalize: else
//: finalize: if
//: fixup: copy at the start of the program
//: size 12
// Readers in several blocks, and in a loop: the copy stands at the start.
attribute vec4 a, b; uniform vec4 u, w; uniform bool t;
void main() {
    vec4 p = a;
    if (t) { p = p * u.yzwx + w; p = p * p.x + u * w.wzyx; }
    for (int i = 0; i < 3; i++) p = p.wxyz * 0.25 + u * w.yxwz;
    gl_Position = p + max(u.wzyx, w);
}

//: finalize: LOOP
//: fixup: multiply-add as a product and a sum
//: fixup: operands exchanged
//: size 6
attribute vec4 a, b; uniform vec4 u, w; uniform int n;
void main() {
    vec4 p = a;
    for (int i = 0; i < 3; i++) { p = p.wxyz * u - w.x; }
    gl_Position = p;
}

//: address_registers: one index
//: fixup: copy before the first reader
//: size 4
// An element by index stays, the other one is copied; of two by index, one is copied.
attribute vec4 a, b; uniform vec4 u[5], w;
void main() { gl_Position = u[int(a.x) + 2].wzyx * w; }

//: address_registers: index held already
//: address_registers: one index
//: fixup: copy of an element by index
//: size 7
attribute vec4 a, b; uniform vec4 u[5], w; varying vec4 v;
void main() {
    int i = int(a.x) + 2, j = int(b.y) + 2;
    gl_Position = u[i].yxwz * -u[j];
    v = u[j].wzyx - u[i];
}

//: finalize: inverted form, for a c register
//: fixup: copy before the first reader
//: fixup: one input read twice, beside another one
//: size 5
// Two attributes in one word; one of them twice, beside another.
attribute vec4 a, b; uniform vec4 u; varying vec4 v, w;
void main() { gl_Position = a.wzyx * b - u; v = a * a.yxwz + b.wzyx; w = a * a.wzyx; }

//: fixup: copy before the first reader
//: size 6
attribute vec4 a, b, c; uniform vec4 u; varying vec4 v, w;
void main() { gl_Position = a.wzyx * b - c.yxwz; v = b * c; w = max(c, a.yxwz); }

//: fixup: multiply-add as a product and a sum
//: fixup: operands exchanged
//: size 3
// A multiply-add of two uniforms, in each place, alone.
attribute vec4 a, b; uniform vec4 u, w;
void main() { gl_Position = a.wzyx * -u + w.yxwz; }

//: fixup: multiply-add as a product and a sum
//: size 3
attribute vec4 a, b; uniform vec4 u, w;
void main() { gl_Position = u.x * a.wzyx - w.yxwz; }

//: fixup: copy before the first reader
//: fixup: operands exchanged
//: size 3
attribute vec4 a, b; uniform vec4 u, w;
void main() { gl_Position = u.wzyx * w.x + a; }

//: fixup: copy before the first reader
//: size 4
// Several share a copy.
attribute vec4 a, b; uniform vec4 u, w; varying vec4 v;
void main() { gl_Position = a.wzyx * u + w.yxwz; v = b * u.wzyx - w; }

//: finalize: inverted form, for a c register
//: fixup: operands exchanged
//: size 6
// Addends that are uniforms, which only the inverted form has room for; factors in either place.
attribute vec4 a, b; uniform vec4 u, w; varying vec4 v, x;
void main() {
    vec4 p = floor(a), q = floor(b);
    gl_Position = p * q.wzyx + u;
    v = p.yxwz * w - q;
    x = -u * q.x + p;
}

//: finalize: inverted form, for a c register
//: fixup: operands exchanged
//: size 12
// Comparisons and dot products with the uniform on the right.
attribute vec4 a, b; uniform vec4 u, w; varying vec4 v, x;
void main() {
    gl_Position = vec4(dot(a, u), dot(u.wzyx, a), dot(a.zyx, u.yzw), dot(-a.xy, u.zy));
    v = vec4(lessThan(a, u)) - vec4(lessThanEqual(u, b)) + vec4(greaterThan(a, u.wzyx));
}

//: finalize: else
//: finalize: if
//: finalize: inverted form, for a c register
//: fixup: copy before the first reader
//: fixup: operands exchanged
//: fixup: operands of a comparison exchanged
//: size 33
// Branches whose comparison has the uniform on either side.
attribute vec4 a, b; uniform vec4 u; varying vec4 v;
void main() {
    vec4 p = a, q = b;
    if (a.x < u.y) { p = p * q.x + b; q = p * p.w - a; p = p * q; }
    if (u.x <= -a.z) { p = p.wzyx * 0.5 + b; q = p * 0.25 - a; p = p * q; }
    if (a.y <= u.z) { p = p.yxwz * 0.5 + b; q = p * 0.25 + a; p = p * q.w; }
    if (u.w < a.x) { p = p.yxwz * 0.5 - b; q = p * 0.25 + a; p = p * q.w; }
    if (floor(a.y) == floor(u.z) + 1.0) { p = p.yxwz * 0.5 + b; q = p * 0.25 + a; p = p + q.w; }
    gl_Position = p; v = q;
}

//: finalize: else
//: finalize: if
//: size 14
// Moves to one register: literals and a uniform, each in one word.
attribute vec4 a, b; uniform vec4 u; uniform bool t; varying vec4 v;
void main() {
    vec4 p = vec4(0.25, u.x, a.y, 0.5), q = vec4(u.w, 0.75, u.z, a.x);
    if (t) { p = p * q.x + b; q = p * p.w - a; p = p * q; }
    gl_Position = p; v = q * p.wzyx;
}

//: finalize: LOOP
//: fixup: multiply-add as a product and a sum
//: fixup: operands exchanged
//: size 21
// Values that change places: moves that must not be joined.
attribute vec4 a, b; uniform vec4 u; uniform int n; varying vec4 v;
void main() {
    vec2 p = a.xy, q = b.zw;
    float x = a.z, y = b.x, z = b.y;
    for (int i = 0; i < 5; i++) { vec2 t = p; p = q.yx; q = t * 0.5 + u.x; float s = x; x = y; y = z; z = -s; }
    gl_Position = vec4(p, q); v = vec4(x, y, z, a.w);
}

//: finalize: LOOP
//: fixup: operands exchanged
//: size 11
attribute vec4 a, b; uniform vec4 u; uniform bool t; varying vec4 v;
void main() {
    vec4 p = floor(a), q = floor(b);
    for (int i = 0; i < 3; i++) { p = p.yxzw; q.x = p.z; q = q.wxyz * 0.5; p.w = q.y; }
    gl_Position = p; v = q;
}

//: calls: procedure
//: finalize: inverted form, for a c register
//: fixup: operands exchanged
//: size 21
// What repeats is called: parameters of one and of two registers.
attribute vec4 a, b, c; uniform vec4 u, w; varying vec4 v;
vec4 f(vec4 x) {
    vec4 y = x * x + u;
    y = max(y, x.wzyx) * y.yzwx;
    y = floor(y) + min(x, u.wzyx);
    y = y * y.x + x;
    return max(y.zwxy, -x) * 0.125;
}
void main() { vec4 p = f(a), q = f(b), r = f(c); gl_Position = p - q.wzyx * r; v = f(floor(p)); }

//: finalize: inverted form, for a c register
//: fixup: copy before the first reader
//: fixup: operands exchanged
//: size 36
attribute vec4 a, b, c; uniform vec4 u, w; varying vec4 v;
vec4 f(vec4 x, vec4 z) {
    vec4 y = x * z + u;
    y = max(y, x.wzyx) * y.yzwx;
    y = floor(y) + min(u.wzyx, z);
    y = y * z.x + x;
    return max(y.zwxy, -x) * 0.125 - z;
}
void main() { vec4 p = f(a, b), q = f(b, c), r = f(c, a); gl_Position = p - q.wzyx * r; v = f(floor(p), q); }

//: finalize: inverted form, for a c register
//: fixup: operands exchanged
//: -O 1
//: size 39
// Not at the first level of optimisation.
attribute vec4 a, b, c; uniform vec4 u; varying vec4 v;
vec4 f(vec4 x) {
    vec4 y = x * x + u;
    y = max(y, x.wzyx) * y.yzwx;
    y = floor(y) + min(x, u.wzyx);
    y = y * y.x + x;
    return max(y.zwxy, -x) * 0.125;
}
void main() { vec4 p = f(a), q = f(b), r = f(c); gl_Position = p - q.wzyx * r; v = f(floor(p)); }

//: finalize: inverted form, for a c register
//: fixup: copy at the start of the program
//: fixup: copy before the first reader
//: fixup: operands exchanged
//: fixup: operands of a comparison exchanged
//: size 20
// An if with nothing in its first arm, and an else.
attribute vec4 a, b; uniform vec4 u; uniform bool t; varying vec4 v;
void main() {
    vec4 p = a, q = b;
    if (a.x < 0.25) { } else { p = p * q.x + b; q = p * p.w - a; p = p * q; }
    if (a.y < u.y || b.x < a.z) { p = p.wzyx * 0.5; q = p - b; p = p - q.x; } else { p = p * 0.25 + b; q = p * 0.5 - a; p = p + q; }
    gl_Position = p; v = q;
}

//: finalize: LOOP
//: finalize: exit of a LOOP
//: finalize: inverted form, for a c register
//: fixup: operands exchanged
//: fixup: operands of a comparison exchanged
//: size 19
// Exits of a counted loop on either outcome, of two comparisons.
attribute vec4 a, b; varying vec4 v;
void main() {
    vec4 p = a, q = b;
    for (int i = 0; i < 6; i++) {
        p = p.wxyz * 0.5 + b * p.x;
        if (p.x < -0.5) break;
        q = q + p;
        if (!(p.y < 1.25)) break;
        q = q * 0.5;
        if (p.z == 0.0 && p.w > -1.0) break;
        p = p - 0.125;
    }
    gl_Position = p; v = q;
}

//: finalize: jump back where a test holds
//: finalize: jump back without a test
//: finalize: jump out of a loop
//: fixup: multiply-add as a product and a sum
//: fixup: operands exchanged
//: fixup: operands of a comparison exchanged
//: size 28
// Loops by jumps: out of them, back with a test of either outcome, and without one.
attribute vec4 a, b; uniform bool t, s; varying vec4 v;
void main() {
    vec4 p = abs(a), q = b;
    do { p = p * 0.75 - 0.25; q = q.wxyz + p; } while (p.x > 0.0);
    do { p = p + 0.5; q = q.wxyz - p; } while (!(p.y > 2.5));
    while (p.z < 9.0) { p = p + 1.0; if (p.y > 4.0) break; q = q.yxwz + 0.5; }
    for (;;) { p = p * 0.5; if (p.x < 0.5) break; q = q + p; if (p.z < 0.5) break; }
    gl_Position = p; v = q;
}

//: finalize: jump back where a test holds
//: finalize: jump back without a test
//: finalize: jump out of a loop
//: fixup: operands exchanged
//: fixup: operands of a comparison exchanged
//: size 36
// Loops that a bool uniform leaves.
attribute vec4 a, b; uniform bool t, s; varying vec4 v;
void main() {
    vec4 p = abs(a), q = b;
    for (int i = 0; i < 9; i++) { p = p * 0.75; if (t) break; q = q.wxyz + p; }
    for (int i = 0; i < 9; i++) { p = p * 0.75; if (!t) break; q = q.yxwz - p; }
    do { p = p * 0.5; if (p.x < 0.0625) break; q = q.zxwy + 0.5; } while (t);
    do { p = p + 0.5; if (p.x > 4.0) break; q = q.zxwy + 0.5; } while (!t);
    do { p = p + 0.5; if (p.x > 9.0) break; q = q.zxwy + 0.5; } while (s);
    gl_Position = p; v = q;
}

//: finalize: else
//: finalize: if
//: finalize: jump back without a test
//: finalize: jump out of a loop
//: fixup: operands exchanged
//: fixup: operands of a comparison exchanged
//: size 20
// A loop in a loop, both by jumps, in a branch.
attribute vec4 a, b; uniform bool t, s; varying vec4 v;
void main() {
    vec4 p = abs(a), q = b;
    if (a.x > -1.0) {
        while (p.x < 6.0) {
            p = p + 1.0;
            while (p.y < 4.0) { p.y += 0.75; q = q.wxyz + p.y; if (q.x > 6.0) break; }
            q = q * 0.5;
        }
        q = q - p;
    }
    gl_Position = p; v = q;
}

//: address_registers: index held already
//: address_registers: two indices at once
//: fixup: copy of an element by index
//: fixup: operands exchanged
//: size 10
// Two indices of one register at once; the uniforms' arrays are larger than what is added.
attribute vec4 a; attribute vec2 b; uniform vec4 u[24];
void main() {
    int i = int(b.x + 2.0) * 2, j = int(b.y + 2.0) * 2;
    gl_Position = u[i] * a + u[i + 1] + u[j] * u[j + 1].wzyx;
}

//: address_registers: index held already
//: address_registers: two indices at once
//: fixup: copy of an element by index
//: fixup: operands exchanged
//: size 6
attribute vec4 a, b; uniform vec4 u[9];
void main() {
    ivec2 i = ivec2(floor(abs(a.zy)));
    gl_Position = u[i.x] * a + u[i.y].wzyx;
}

//: address_registers: index held already
//: address_registers: one index
//: address_registers: the index that is needed later is replaced
//: fixup: copy before the first reader
//: fixup: copy of an element by index
//: fixup: operands exchanged
//: size 18
// A third index replaces the one that is needed later.
attribute vec4 a, b; uniform vec4 u[9];
void main() {
    int i = int(abs(a.x)), j = int(abs(b.y)), k = int(abs(a.w * b.x));
    vec4 p = u[i] * a + u[j];
    p = max(p, u[k]);
    p = p * u[i + 1].yxwz;
    p = min(p, u[j + 3]);
    gl_Position = p * u[i + 2] + u[k + 2];
}

//: address_registers: index held already
//: address_registers: one index
//: address_registers: the index that is needed later is replaced
//: fixup: copy before the first reader
//: fixup: operands exchanged
//: size 16
attribute vec4 a, b; uniform vec4 u[9];
void main() {
    int i = int(abs(a.x)), j = int(abs(b.y)), k = int(abs(a.w * b.x));
    vec4 p = max(u[i] * a, u[j]);
    p = max(p, u[k]);
    p = min(p.yxwz, u[j + 3]);
    p = p + u[k + 1];
    gl_Position = max(p, u[i + 2]);
}

//: address_registers: one index
//: finalize: LOOP
//: fixup: copy at the start of the program
//: fixup: operands exchanged
//: size 15
// A register whose index changes between two words.
attribute vec4 a, b; uniform vec4 u[9];
void main() {
    vec4 p = b;
    float f = abs(a.x);
    for (int i = 0; i < 3; i++) { p = max(p, u[int(f)]) - 0.25; f = abs(f - a.y * 0.5); p = min(p.yxwz, u[int(f)] + 1.0); }
    gl_Position = p;
}

//: calls: procedure
//: finalize: inverted form, for a c register
//: fixup: operands exchanged
//: size 31
attribute vec4 a, b, c; uniform vec4 u, w; varying vec4 v;
float f(float x, float y) {
    float k = x * y + u.x;
    k = max(k, y) * x;
    k = floor(k) + min(k, u.w);
    k = k * x + y;
    k = max(k, 0.25) * k - y;
    return max(k, -x) * 0.125;
}
void main() { float p = f(a.x, a.y), q = f(b.z, b.y), r = f(c.y, c.w); gl_Position = vec4(p, q, r, f(p, q)); }

//: finalize: inverted form, for a c register
//: fixup: copy before the first reader
//: fixup: operands exchanged
//: size 47
// Parameters of two kinds, each copied by one move.
attribute vec4 a, b, c; uniform vec4 u, w; varying vec4 v;
vec2 f(float x, float y, float z, vec2 s) {
    vec2 k = s * x + u.xz;
    k = max(k, y) * s.yx;
    k = floor(k) + min(z * k, u.w);
    k = k * x + y;
    k = max(k.yx, 0.25) * z - s;
    return max(k, -x) * 0.125;
}
void main() {
    vec2 p = f(a.x, b.y, a.w, b.zw), q = f(b.z, a.y, b.x, a.xw), r = f(c.y, b.w, c.x, b.yx);
    gl_Position = vec4(p, q - r); v = vec4(f(c.w, a.z, c.y, a.yx), p * q);
}

//: finalize: else
//: finalize: if
//: fixup: operands exchanged
//: size 10
// A bool's arms: nothing where it is true.
attribute vec4 a, b; uniform bool t, s; varying vec4 v;
void main() {
    vec4 p = a, q = b;
    if (s) { } else { p = p.yxwz * 0.5; q = p - q; p = q.yxwz + p; p = p * q.x; }
    gl_Position = p * p.wzyx; v = q;
}

//: finalize: else
//: finalize: if
//: fixup: copy before the first reader
//: fixup: operands exchanged
//: size 12
attribute vec4 a, b; uniform bool t; varying vec4 v;
void main() {
    vec4 p = a, q = b;
    if (!t) { p = p.yxwz * 0.5; q = p - q; p = q.yxwz + p; p = p * q.x; } else { q = q.zxwy * 0.25; p = q * 0.5 + a; p = p - q.wwxz; }
    gl_Position = p * p.wzyx; v = q;
}

//: finalize: arms swapped, since the first has no code
//: finalize: else
//: finalize: if
//: finalize: inverted form, for a c register
//: fixup: operands exchanged
//: fixup: operands of a comparison exchanged
//: size 23
// Nothing where the comparison holds.
attribute vec4 a, b; varying vec4 v;
void main() {
    vec4 p = a + 1.0, q = b - 0.5;
    if (a.x < 0.25) { } else { p = p.yxwz * 0.5; q = p - q; p = q.yxwz + p; p = p * q.x; }
    p = max(p, q); q = p * q;
    if (a.x < 0.5 && b.y < 0.25) { q.x = 0.5; } else { p = p.yxwz * 0.5; q = p - q; p = q.yxwz + p; p = p * q.x; }
    gl_Position = p * p.wzyx; v = q;
}

//: finalize: arms swapped, since IFU tests for true
//: finalize: else
//: finalize: if
//: fixup: operands exchanged
//: fixup: operands of a comparison exchanged
//: -O 0
//: size 22
attribute vec4 a, b; uniform bool t, s; varying vec4 v;
void main() {
    vec4 p = a, q = b;
    if (float(t) == 0.0) { p = p.yxwz * 0.5; q = p - q; p = q.yxwz + p; p = p * q.x; }
    if (s == false) { p = p.yxwz * 0.5; q = p - q; p = q.yxwz + p; p = p * q.x; } else { q = q.zxwy * 0.25; p = q * 0.5 + a; }
    gl_Position = p * p.wzyx; v = q;
}

//: finalize: arms swapped, since the second is long
//: finalize: else
//: finalize: if
//: finalize: inverted form, for a c register
//: fixup: operands exchanged
//: fixup: operands of a comparison exchanged
//: -O 1
//: size 271
// An else part of more than 255 words, whose number has a byte.
attribute vec4 a, b; uniform vec4 u; varying vec4 v;
#define A p = p.wxyz * q - u; q = q.yxwz * 0.5 + p * 0.25; p = p * 0.25;
#define B A A A A A A A A A A
void main() {
    vec4 p = a * 0.125, q = b * 0.25;
    if (a.x < 0.25) { p = p.zxyw * q - b; q = p * q.x; p = q * 0.5; } else { B B B B B B B B A A A A A A A }
    gl_Position = p; v = q;
}

//: fixup: operands exchanged
//: moves: joined with the move before
//: size 9
attribute vec4 a, b; uniform vec4 u[4]; varying vec4 v;
void main() {
    float x = dot(a, u[0]), y = dot(a, u[1]), z = dot(a, u[2]);
    v = vec4(x, y, z, b.x);
    gl_Position = (b * x + u[3] * y) * z;
}

//: fixup: operands exchanged
//: moves: joined over other moves
//: size 9
attribute vec4 a, b; uniform vec4 u[4]; varying vec4 v;
void main() {
    float x = dot(a, u[0]), y = dot(a, u[1]), z = dot(a, u[2]);
    v = vec4(x, b.y, z, y);
    gl_Position = (b * x + u[3] * y) * z;
}

//: fixup: operands exchanged
//: moves: joined over other moves
//: moves: joined with the move before
//: size 12
attribute vec4 a, b; uniform vec4 u[4]; varying vec4 v, w;
void main() {
    float x = dot(a, u[0]), y = dot(a, u[1]), z = dot(a, u[2]), s = dot(b, u[0]);
    v = vec4(x, s, z, y);
    w = vec4(-x, y, -z, s);
    gl_Position = (b * x + u[3] * y) * (z - s);
}

//: fixup: operands exchanged
//: moves: joined with the move before
//: size 13
attribute vec4 a, b; uniform vec4 u[4]; varying vec4 v, w;
void main() {
    float x = dot(a, u[0]), y = dot(a, u[1]), z = dot(a, u[2]), s = dot(b, u[0]);
    v = vec4(y, y, x, s);
    w = vec4(b.x, x, b.y, s);
    gl_Position = (b * x + u[3] * y) * (z - s);
}

//: finalize: LOOP
//: fixup: operands exchanged
//: moves: joined over other moves
//: moves: joined with the move before
//: size 18
// Values that change places, all in one register.
attribute vec4 a, b; uniform vec4 u; uniform int n; varying vec4 v;
void main() {
    float x = a.z, y = b.x, z = b.y, w = a.x;
    for (int i = 0; i < 5; i++) { float s = x; x = y; y = z; z = w; w = -s; x = x * 0.5; }
    gl_Position = vec4(x, y, z, w); v = vec4(w, z, x, y);
}

//: finalize: inverted form, for a c register
//: fixup: operands exchanged
//: mads: multiply-add whose descriptor finds no room
//: -O 1
//: size 124
// More shapes of multiply-adds than they have descriptors; some of them several times, which stay.
attribute vec4 a, b; uniform vec4 u; varying vec4 v;
#define M(s) p = p.s * q + u; q = max(q.wxyz, p.s) * 0.25;
void main() {
    vec4 p = a * 0.125, q = b * 0.25;
    M(ywzy) M(zyyw) M(zxzw) M(xzxy) M(yywz) M(wzzz) M(zyzz) M(wwww) M(zzxx) M(zyyx)
    M(xyxx) M(zyzw) M(xxxw) M(wzzx) M(wyyz) M(ywzx) M(yxxz) M(zxwy) M(xwzw) M(xwxy)
    M(zwyw) M(wwxx) M(zxzz) M(wwxy) M(zxwx) M(wwzx) M(yzyy) M(zzxw) M(wywx) M(xzyz)
    M(wzwy) M(zzxz) M(wzxz) M(wywz) M(zxyy) M(yzxw) M(zwwy) M(wwxw)
    gl_Position = p; v = q;
}

//: finalize: inverted form, for a c register
//: fixup: operands exchanged
//: mads: multiply-add whose descriptor finds no room
//: -O 1
//: size 118
// Some, at the end, whose results are where the addends are: no product can wait there.
attribute vec4 a, b; uniform vec4 u; varying vec4 v;
#define M(s) p = p.s * q + u; q = max(q.wxyz, p.s) * 0.25;
#define N(s) p = q.s * b.x + p; q = max(q.wxyz, p) * 0.25;
void main() {
    vec4 p = a * 0.125, q = b * 0.25;
    M(ywzx) M(yxwy) M(xyzz) M(zwzx) M(yzyy) M(ywzz) M(xzyw) M(xyyw) M(xyxy) M(xxyy)
    M(yzyz) M(zxwx) M(wzzz) M(yxzz) M(wxwx) M(wxxw) M(xxww) M(xwzx) M(zxyy) M(zxzy)
    M(yywx) M(yxyz) M(wxyw) M(xzwx) M(wyxw) M(xyzw) M(yxxw) M(xwyz) M(xxyz) M(wyyx)
    N(xzyx) N(yyxw) N(zwwy) N(wwzx) N(xxyz) N(yzwz)
    gl_Position = p; v = q;
}

//: address_registers: one index
//: fixup: copy before the first reader
//: size 8
// Two indices of one register with different signs need two words, whichever comes first.
attribute vec4 a, b; uniform vec4 u[9];
void main() {
    vec2 p = a.xy + b.zw * 0.0625;
    gl_Position = max(u[int(-p.x) + 4], a) + min(u[int(p.y) + 4], b);
}

//: address_registers: index held already
//: address_registers: the index that is needed later is replaced
//: address_registers: two indices at once
//: fixup: copy before the first reader
//: size 14
attribute vec4 a, b; uniform vec4 u[9];
void main() {
    vec2 p = a.xy + b.zw * 0.0625;
    gl_Position = max(u[4 - int(p.x)], a) + min(u[4 - int(p.y)], b) * max(u[int(p.x) + 4], a.yxwz);
}

//: address_registers: index held already
//: address_registers: the index that is needed later is replaced
//: address_registers: two indices at once
//: fixup: copy before the first reader
//: fixup: operands exchanged
//: size 14
// Indices, one of which is held already when another one is set.
attribute vec4 a, b; uniform vec4 u[9];
void main() {
    vec3 p = abs(a.xyz + b.zwx * 0.0625);
    int i = int(p.x), j = int(p.y), k = int(p.z);
    vec4 q = max(u[i], a);
    q = min(q, u[j]); q = max(q, u[i + 1]); q = min(q, u[k]); q = max(q, u[j + 2]); q = q + u[k + 1]; q = q * u[i + 2];
    gl_Position = q;
}

//: legalize: position that the source does not write
//: size 3
// There is no gl_Position.
attribute vec4 a;
varying vec4 v;
void main() { v = a.wzyx; }

//: size 42
// What is added for each bone is a procedure, whose sums stay in their registers.
attribute vec4 a, b; attribute vec3 n; uniform vec4 u[12]; varying vec3 v;
vec3 sum, turned;
void add(float index, float weight) {
    if (weight > 0.0) {
        int i = int(abs(index));
        sum += weight * vec3(dot(u[i], a), dot(u[i + 1], a), dot(u[i + 2], a));
        turned += weight * vec3(dot(u[i].xyz, n), dot(u[i + 1].xyz, n), dot(u[i + 2].xyz, n));
    }
}
void main() {
    sum = a.xyz; turned = n;
    add(b.x, a.x); add(b.y, a.y); add(b.z, a.z); add(b.w, a.w);
    gl_Position = vec4(sum, 1.0) * u[1]; v = turned * u[2].xyz;
}

//: size 19
// Two comparisons that one CMP makes: with literals, and of two registers, either way round; joined by || and &&, and
// the opposite of these.
attribute vec4 a; uniform vec4 u, w; varying vec4 v;
void main() {
    vec4 s = a, t = a.wzyx;
    if (a.x < 0.25 || a.y > 1.0) { s = s * s.wzyx + u; s = s.x * inversesqrt(s); }
    if (!(t.y < u.x && t.z >= u.y)) { t = t * t.wzyx + w; t = t.x * inversesqrt(t.yxwz); }
    gl_Position = s;
    v = t;
}

//: size 19
attribute vec4 a; uniform vec4 u, w; varying vec4 v;
void main() {
    vec4 s = a, t = a.wzyx;
    if (a.x == u.z && u.y != a.w) { s = s * s.wzyx + u; s = s.x * inversesqrt(s); }
    if (-t.y <= u.x || !(u.w > -t.z)) { t = t * t.wzyx + w; t = t.x * inversesqrt(t.yxwz); }
    gl_Position = s;
    v = t;
}

//: size 22
// Not where they read three registers, or signs differ, or something else is joined with them.
attribute vec4 a; uniform vec4 u, w; uniform bool b; varying vec4 v;
void main() {
    vec4 s = a, t = a.wzyx, r = a.yzxw * 2.0;
    if (a.x < u.z && a.y < w.x) { s = s * s.wzyx + u; s = s.x * inversesqrt(s); }
    if (r.y < u.x || -r.z < u.y) { t = t * t.wzyx + w; t = t.x * inversesqrt(t.yxwz); }
    gl_Position = s;
    v = t;
}
