//: rewrites.loops: counted by a constant, tested at the head
//: size 6
// Tested at the head.
attribute vec4 a, b;
void main() {
    vec4 p = a;
    for (int i = 0; i < 6; i++) p = p.wxyz * 0.5 + b * p.x;
    gl_Position = p;
}

//: rewrites.loops: counted by a constant, tested at the end
//: size 9
// Tested at the end; what the head had, and what it would have next, are both used behind the loop.
attribute vec4 a, b; varying float v;
void main() {
    vec4 p = a, q = b;
    int i = 0;
    do { q = p.yzwx; p = p.wxyz * 0.5 + b * p.x; i++; } while (i < 6);
    gl_Position = p - q * float(i);
}

//: rewrites.loops: counted by a constant, tested at the head
//: size 9
// What goes round: two values that change places, and one that the round before had.
attribute vec4 a, b; varying vec4 v;
void main() {
    vec4 p = a, q = b, r = a;
    for (int i = 0; i < 5; i++) { vec4 t = p.yzwx * 0.5; r = p; p = q; q = t + r.x; }
    gl_Position = p - q;
    v = r;
}

//: rewrites.loops: counted by a constant, tested at the head
//: size 9
// The counter behind the loop; it starts at another number and goes in steps.
attribute vec4 a; varying vec4 v;
void main() {
    vec4 p = a;
    int k = 0;
    for (int i = 3; i < 14; i += 3) { p = p.wxyz * 0.5 + float(i); k = i; }
    gl_Position = p;
    v = a * float(k);
}

//: rewrites.loops: counted by a constant, tested at the head
//: size 17
// Another exit: each brings a value of its own.
attribute vec4 a, b; varying vec4 v;
void main() {
    vec4 p = a, q = b;
    for (int i = 0; i < 6; i++) {
        if (p.x + float(i) > 1.75) break;
        q = p.yzwx;
        p = p.wxyz * 0.5 + q.x;
    }
    gl_Position = p;
    v = q;
}

//: rewrites.loops: counted by a constant, tested at the head
//: size 18
// Another exit in the middle, after changes.
attribute vec4 a, b; varying vec4 v;
void main() {
    vec4 p = a, q = b;
    float n = 0.0;
    for (int i = 0; i < 6; i++) {
        q = p.yzwx;
        if (p.x + float(i) > 1.75) break;
        p = p.wxyz * 0.5 + q.x;
        n = float(i);
    }
    gl_Position = p;
    v = q * n;
}

//: rewrites.loops: counted by a constant, tested at the head
//: size 12
// Two loops with one range share a register, a third has another.
attribute vec4 a, b;
void main() {
    vec4 p = a;
    for (int i = 0; i < 6; i++) p = p.wxyz * 0.5 + b * p.x;
    for (int i = 0; i < 6; i++) p = p.yxwz * 0.25 + b * p.y;
    for (int i = 0; i < 7; i++) p = p.zxwy * 0.25 - b * p.z;
    gl_Position = p;
}

//: rewrites.loops: counted by a constant, tested at the head
//: size 17
// One in another; the inner counter is an index, the outer one cannot be.
attribute vec4 a, b; uniform vec4 u[9];
void main() {
    vec4 p = a;
    for (int i = 0; i < 3; i++) {
        p = p.yxwz * 0.25 + u[i * 2 + 1];
        for (int k = 1; k < 4; k++) p = p.wxyz * 0.5 + u[k * 2 - 1].yzwx;
    }
    gl_Position = p;
}

//: rewrites.loops: counted by a constant, tested at the head
//: size 18
// More loops inside each other than the hardware counts.
attribute vec4 a; uniform vec4 u;
void main() {
    vec4 p = a;
    for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) for (int k = 0; k < 3; k++) for (int l = 0; l < 3; l++)
        for (int m = 0; m < 3; m++) p = p.wxyz * 0.75 + u;
    gl_Position = p;
}

//: rewrites.loops: counted by a constant, tested at the head
//: size 18
// More ranges than there are registers.
attribute vec4 a; uniform vec4 u;
void main() {
    vec4 p = a;
    for (int i = 0; i < 5; i++) p = p.wxyz * 0.75 + u;
    for (int i = 0; i < 6; i++) p = p.zwxy * 0.75 + u;
    for (int i = 0; i < 7; i++) p = p.yzwx * 0.75 + u;
    for (int i = 0; i < 8; i++) p = p.wxyz * 0.5 + u;
    for (int i = 0; i < 9; i++) p = p.zwxy * 0.5 + u;
    gl_Position = p;
}

//: rewrites.loops: counted by a constant, tested at the head
//: size 6
// 256 rounds.
attribute vec4 a;
void main() {
    vec4 p = a * 0.125;
    for (int i = 0; i < 256; i++) p = (p.wxyz + 0.0625) * 0.5;
    gl_Position = p;
}

//: size 10
// 257 are too many.
attribute vec4 a;
void main() {
    vec4 p = a * 0.125;
    for (int i = 0; i < 257; i++) p = (p.wxyz + 0.0625) * 0.5;
    gl_Position = p;
}

//: rewrites.loops: counted by a constant, tested at the head
//: rewrites.loops: counter as an index
//: size 12
// The largest counter is 127.
attribute vec4 a; uniform vec4 u[4];
void main() {
    vec4 p = a;
    for (int i = 0; i < 3; i++) p = p.wxyz * 0.25 + u[i * 1];
    for (int i = 125; i < 128; i++) p = p.wxyz * 0.25 + u[i - 125].yxwz;
    gl_Position = p;
}

//: rewrites.loops: counted by a constant, tested at the head
//: size 10
attribute vec4 a; uniform vec4 u[4];
void main() {
    vec4 p = a;
    for (int i = 126; i < 129; i++) p = p.wxyz * 0.25 + u[i - 126].yxwz;
    gl_Position = p;
}

//: rewrites.loops: counted by a constant, tested at the head
//: rewrites.loops: counter as an index
//: rewrites.loops: counter as most indices
//: size 11
// Indices in steps of 3, but for one.
attribute vec4 a; uniform vec4 u[12];
void main() {
    vec4 p = a;
    for (int i = 1; i < 4; i++) {
        p = p.wxyz * 0.25 + u[i * 3];
        p = p.wxyz * 0.25 + u[3 * i + 1].yxwz;
        p = p.wxyz * 0.25 - u[i + 3].zwxy;
    }
    gl_Position = p;
}

//: rewrites.loops: counted by a constant, tested at the head
//: size 12
// An index that goes down has no counter; one that goes up beside it has.
attribute vec4 a; uniform vec4 u[9];
void main() {
    vec4 p = a;
    for (int i = 4; i > 0; i--) { p = p.wxyz * 0.25 + u[i]; p = p.yxwz + u[8 - i].zwxy; }
    gl_Position = p;
}

//: rewrites.loops: counted by a constant, tested at the head
//: rewrites.loops: counter as an index
//: size 10
// Two counters, each an index.
attribute vec4 a; uniform vec4 u[9];
void main() {
    vec4 p = a;
    int k = 7;
    for (int i = 0; i < 4; i++) { p = p.wxyz * 0.25 + u[i]; p = p.yxwz * 0.5 + u[k].zwxy; k -= 2; }
    gl_Position = p;
}

//: rewrites.loops: counted by a constant, tested at the head
//: size 17
// An index that depends on more than the counter, and one that is not of a loop.
attribute vec4 a; uniform vec4 u[9]; uniform int n;
void main() {
    vec4 p = a;
    int k = int(a.x) + 2;
    for (int i = 0; i < 3; i++) { p = p.wxyz * 0.25 + u[i + k]; p = p.yxwz * 0.5 + u[k].zwxy; }
    gl_Position = p;
}

//: rewrites.loops: counted by a constant, tested at the head
//: size 13
// Out of range in the array, in range with what is added.
attribute vec4 a; uniform vec4 u[3], w[3];
void main() {
    vec4 p = a;
    for (int i = 5; i < 8; i++) { p = p.wxyz * 0.25 + u[i - 5]; p = p.yxwz * 0.5 + w[7 - i].zwxy; }
    gl_Position = p;
}

//: rewrites.loops: counted by a constant, tested at the head
//: size 18
// Matrices: the index counts their rows.
attribute vec4 a; uniform mat3 u[4];
void main() {
    vec3 p = a.xyz;
    for (int i = 0; i < 3; i++) p = u[i + 1] * p.yzx * 0.25;
    gl_Position = vec4(p, a.w);
}

//: rewrites.guards: head's phi used after the loop
//: rewrites.guards: loop bounded by a uniform
//: rewrites.loops: counted by a uniform
//: rewrites.loops: uniform loaded before the loop
//: size 20
// Bounded by a uniform, from 0 and from 1; the numbers of the host are 3 and more, or less than 1.
attribute vec4 a, b; uniform int n, m; varying vec4 v;
void main() {
    vec4 p = a, q = b;
    for (int i = 0; i < n; i++) { p = p.wxyz * 0.5 + b * p.x; q = p.yxwz; }
    v = q;
    for (int i = 1; i <= m; i++) { p = p.yxwz * 0.25 - b * p.y; q = p; }
    gl_Position = p - q.wzyx;
}

//: rewrites.guards: head's phi used after the loop
//: rewrites.guards: loop bounded by a uniform
//: rewrites.loops: counted by a uniform
//: rewrites.loops: uniform loaded before the loop
//: size 34
attribute vec4 a, b; uniform int m, k, n, l; varying vec4 v;
void main() {
    vec4 p = a, q = b;
    for (int i = 0; i < n; i++) { p = p.wxyz * 0.5 + b * p.x; q = p.yxwz; }
    v = q;
    for (int i = 1; i <= m; i++) { p = p.yxwz * 0.25 - b * p.y; q = p; }
    for (int i = 0; i < k; i++) { p = p.yxwz * 0.25 + b.wzyx * p.z; }
    for (int i = 1; i <= l; i++) { q = p.yxwz * 0.25 + b.wzyx * q.w; }
    gl_Position = p - q.wzyx;
}

//: rewrites.guards: head's phi used after the loop
//: rewrites.guards: loop bounded by a uniform, with another exit
//: rewrites.guards: phis behind the loop
//: rewrites.loops: counted by a uniform
//: rewrites.loops: uniform loaded before the loop
//: size 30
// A uniform bounds the loop, and leaves it otherwise.
attribute vec4 a, b; uniform int m, k, n, l; varying vec4 v;
void main() {
    vec4 p = a, q = b;
    float s = 0.0;
    for (int i = 0; i < n; i++) {
        q = p.yzwx;
        if (p.x + float(i) > 1.75) break;
        p = p.wxyz * 0.5 + q.x;
        s = float(i) + 1.0;
    }
    v = q * s;
    for (int i = 0; i < k; i++) {
        if (p.y + float(i) > 1.25) break;
        p = p.wxyz * 0.5 + b;
        s += 0.5;
    }
    gl_Position = p - s;
}

//: rewrites.loops: uniform loaded before the loop
//: size 35
// Counters that start elsewhere, go in other steps, or are tested otherwise.
attribute vec4 a, b; uniform int m, k, n, l;
void main() {
    vec4 p = a;
    for (int i = 1; i < n; i++) p = p.wxyz * 0.5 + b;
    for (int i = 0; i <= n; i++) p = p.yxwz * 0.5 - b;
    for (int i = 0; i < n; i += 2) p = p.zxwy * 0.5 + b.wzyx;
    for (int i = n; i > 0; i--) p = p.zxwy * 0.5 + b.yyzx;
    for (int i = 0; i != n; i++) { p = p.zxwy * 0.5 + b.yyzx; if (i > 5) break; }
    gl_Position = p;
}

//: rewrites.loops: uniform loaded before the loop
//: size 23
// Bounds that are not uniforms: an element of an array, a number that is computed, a component.
attribute vec4 a, b; uniform int m, k, n, l; uniform int t[3]; uniform ivec2 w;
void main() {
    vec4 p = a;
    for (int i = 0; i < t[1]; i++) p = p.wxyz * 0.5 + b;
    for (int i = 0; i < n + 1; i++) p = p.yxwz * 0.5 - b;
    for (int i = 0; i < w.y; i++) p = p.zxwy * 0.5 + b.wzyx;
    gl_Position = p;
}

//: rewrites.guards: head's phi used after the loop
//: rewrites.guards: loop bounded by a uniform
//: rewrites.loops: counted by a uniform
//: rewrites.loops: counter as an index
//: rewrites.loops: uniform loaded before the loop
//: size 15
// The uniform's counter is an index.
attribute vec4 a, b; uniform vec4 u[9]; uniform int m, k, n, l;
void main() {
    vec4 p = a;
    for (int i = 0; i < n; i++) p = p.wxyz * 0.5 + u[i + 2];
    for (int i = 1; i <= k; i++) p = p.wxyz * 0.5 - u[i * 2].yxwz;
    gl_Position = p;
}

//: rewrites.guards: head's phi used after the loop
//: rewrites.guards: loop bounded by a uniform
//: rewrites.loops: counted by a uniform
//: rewrites.loops: uniform loaded before the loop
//: size 18
// In a branch, and with the counter behind it.
attribute vec4 a, b; uniform int m, k, n, l; uniform bool t, s, r; varying vec4 v;
void main() {
    vec4 p = a;
    int c = 9;
    if (a.x > 0.25) { for (c = 0; c < n; c++) p = p.wxyz * 0.5 + b * p.x; p = p * p.y + b; }
    v = p * float(c);
    gl_Position = p;
}

//: size 23
// An exit that tests a bool uniform, which BREAKC cannot.
attribute vec4 a, b; uniform bool t, s, r; varying vec4 v;
void main() {
    vec4 p = a;
    for (int i = 0; i < 5; i++) { p = p.wxyz * 0.5 + b * p.x; if (t) break; p += a.wzyx; }
    gl_Position = p;
    for (int i = 0; i < 5; i++) { p = p.wxyz * 0.5 + b * p.x; if (!t) break; p += a.wzyx; }
    v = p;
}

//: size 20
// Loops without a known number of rounds.
attribute vec4 a, b;
void main() {
    vec4 p = abs(a);
    float s = 0.0;
    while (p.x < 20.0) { p = p * 1.5 + abs(b.y) + 1.0; s += 1.0; }
    do { p = p.yxwz * 0.5; s -= 0.25; } while (p.x > 1.0);
    for (;;) { p.z = p.z * 0.5; if (p.z < 1.0) break; s += 2.0; }
    gl_Position = p + s;
}

//: rewrites.loops: counted by a constant, tested at the head
//: size 25
// Code before and after another exit; a loop in a loop, left twice.
attribute vec4 a, b; varying vec4 v;
void main() {
    vec4 p = a;
    float s = 0.0;
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) {
            p = p.wxyz * 0.5 + b * p.x;
            if (p.x > 1.0) { s += 1.0; break; }
            if (p.y > 1.0) continue;
            s += 0.25;
        }
        if (p.z > 1.5) break;
        p = p - 0.25;
    }
    gl_Position = p;
    v = p * s;
}

//: rewrites.loops: counted by a constant, tested at the head
//: size 11
// The value at the head is used behind the loop, which has another exit.
attribute vec4 a, b; uniform vec4 u; varying vec4 v;
void main() {
    vec4 p = a, last = b;
    for (int i = 0; i < 5; i++) {
        last = p;
        p = p.wxyz * 0.5 + b * p.x;
        if (p.x > 1.0) break;
        p = p + u;
    }
    gl_Position = p;
    v = last * p.yxwz;
}

//: size 12
// A uniform that the head tests against, beside another number.
attribute vec4 a, b; uniform float f; uniform vec4 u;
void main() {
    vec4 p = a;
    float s = 0.0;
    while (s < f * f) { p = p.wxyz * 0.5 + b * u.x; s += 0.75; }
    gl_Position = p + s;
}

//: rewrites.loops: counted by a constant, tested at the head
//: rewrites.loops: counter as an index
//: size 17
// An element by index in the test.
attribute vec4 a, b; uniform vec4 u[9];
void main() {
    vec4 p = a;
    for (int i = 0; i < 5; i++) { if (p.x > u[i].y) break; p = p.wxyz * 0.5 + b; }
    int k = 0;
    while (k < 5 && p.x < u[k].z) { p = p.yxwz * 0.5 + b; k++; }
    gl_Position = p;
}

//: rewrites.loops: counted by a constant, tested at the head
//: size 9
// A counter that begins below 0.
attribute vec4 a; uniform vec4 u[9];
void main() {
    vec4 p = a;
    for (int i = -2; i < 3; i++) p = p.wxyz * 0.25 + u[i + 3];
    gl_Position = p;
}

//: rewrites.guards: head's phi used after the loop
//: rewrites.guards: loop bounded by a uniform
//: rewrites.loops: counted by a constant, tested at the head
//: rewrites.loops: counted by a uniform
//: rewrites.loops: uniform loaded before the loop
//: size 21
// A counted loop in one that begins with it.
attribute vec4 a, b; uniform vec4 u; uniform int m, k, n, l;
void main() {
    vec4 p = a;
    float s = a.x * 0.25;
    do { for (int i = 0; i < n; i++) p = p.wxyz * 0.5 + b; s += 0.75; if (p.y > 1.0) break; } while (s < 2.0);
    do { for (int i = 0; i < 5; i++) p = p.wxyz * 0.5 + b; s += 0.75; if (p.y > 1.0) break; } while (s < 5.0);
    gl_Position = p;
}

//: rewrites.guards: head's phi used after the loop
//: rewrites.guards: loop bounded by a uniform
//: rewrites.loops: counted by a uniform
//: rewrites.loops: uniform loaded before the loop
//: size 28
// Tests of what is computed of the counter; a counter that is doubled.
attribute vec4 a, b; uniform int m, k, n, l;
void main() {
    vec4 p = a;
    for (int i = 0; i + 1 < n; i++) p = p.wxyz * 0.5 + b;
    for (int i = 0; i * 2 <= k; i++) p = p.zwxy * 0.5 - b;
    for (int i = 1; i <= n; i += i) p = p.yxwz * 0.5 + b.wzyx;
    for (int i = 0; n > i; i++) p = p.yxwz * 0.5 + b.wzyx;
    gl_Position = p;
}

//: rewrites.guards: head's phi used after the loop
//: rewrites.guards: loop bounded by a uniform, with another exit
//: rewrites.guards: phis behind the loop
//: rewrites.loops: counted by a uniform
//: rewrites.loops: uniform loaded before the loop
//: size 46
// Bounded by a uniform: left with something to do, left from several places.
attribute vec4 a, b; uniform int m, k, n, l; varying vec4 v;
void main() {
    vec4 p = a, q = b;
    for (int i = 0; i < n; i++) { p = p.wxyz * 0.5 + b; if (p.x > 0.75) { q = p * 0.5; p = p - q.x; break; } p = p + 0.25; }
    v = q;
    for (int i = 0; i < k; i++) {
        if (p.x < -1.0) break;
        p = p.wxyz * 0.5 + b;
        if (p.y > 0.75) break;
        q = p;
        if (p.z > 0.75) break;
        p = p + 0.25;
    }
    gl_Position = p - q;
}

//: rewrites.guards: head's phi used after the loop
//: rewrites.guards: loop bounded by a uniform
//: rewrites.loops: counted by a uniform
//: rewrites.loops: uniform loaded before the loop
//: size 38
// Entered from two places; followed by what others come to.
attribute vec4 a, b; uniform int m, k, n, l; varying vec4 v;
void main() {
    vec4 p = a, q = b;
    if (a.x > 0.25) { p = p * q.x + b; q = p * p.w - a; p = p * q.y; }
    for (int i = 0; i < n; i++) p = p.wxyz * 0.5 + q;
    if (a.y > 0.25) { for (int i = 0; i < n; i++) q = q.wxyz * 0.5 + p; }
    if (a.z > 0.25) { for (int i = 0; i < n; i++) { q = q.wxyz * 0.5 + p; if (q.x > 0.5) break; } } else { p = p.yxwz * p.x; q = q + p; }
    gl_Position = p; v = q;
}

//: rewrites.loops: uniform loaded before the loop
//: size 18
// What the head computes is used behind the loop.
attribute vec4 a, b; uniform int m, k, n, l; varying vec4 v;
void main() {
    vec4 p = a, q = b;
    for (int i = 0; q = p * 0.5 - b, i < n; i++) p = q.wxyz + b;
    v = q;
    for (int i = 0; q = p * 0.5 + b, i < 5; i++) p = q.wxyz - b;
    gl_Position = p - q;
}

//: rewrites.loops: counted by a constant, tested at the head
//: rewrites.loops: counter as an index
//: size 16
// Local arrays, and columns of matrices, by the counter.
attribute vec4 a, b; uniform mat3 m[4]; uniform vec4 u[5];
void main() {
    vec4 t[4]; t[0] = a; t[1] = b; t[2] = a.wzyx; t[3] = b.yxwz;
    vec4 p = a;
    for (int i = 0; i < 3; i++) p = t[i] + p.wxyz * u[i + 1] + vec4(m[3][i], m[i + 1][1].x);
    gl_Position = p;
}

//: rewrites.guards: loop bounded by a uniform, with another exit
//: rewrites.guards: phis behind the loop
//: rewrites.loops: counted by a constant, tested at the head
//: rewrites.loops: counted by a uniform
//: rewrites.loops: uniform loaded before the loop
//: size 29
// What another exit brings meets what was there before the loop, and a number.
attribute vec4 a, b; uniform vec4 u; uniform int m, k, n, l; varying vec4 v, w;
void main() {
    vec4 p = a, q = b * u, r = vec4(0.5);
    for (int i = 0; i < 5; i++) { p = p.wxyz * 0.5 + b; if (p.x > 0.75) { q = p; break; } }
    v = q;
    for (int i = 0; i < 6; i++) { p = p.yxwz * 0.5 + b; if (p.x > 0.75) { r = p; break; } }
    w = r;
    q = a * u.x;
    for (int i = 0; i < k; i++) { p = p.wzyx * 0.5 - b; if (p.y > 0.75) { q = p; break; } }
    gl_Position = p - q;
}

//: rewrites.exits: exit of a loop of its own
//: rewrites.loops: counted by a constant, tested at the head
//: rewrites.loops: counter as an index
//: size 9
// What follows the loop follows the condition, too.
attribute vec4 a; uniform vec4 u[4];
void main() {
    vec4 p = a;
    if (a.x < 0.5) for (int i = 0; i < 4; i++) p = p.wxyz * 0.25 + u[i];
    gl_Position = p;
}

//: rewrites.exits: several exits of a loop
//: size 11
attribute vec4 a; uniform vec4 u[8];
void main() {
    vec4 p = a;
    if (a.x < 0.5)
        for (int i = 0; i < 7; i++) {
            if (p.y > 2.0) break;
            p = p.wxyz * 0.25 + u[i];
        }
    gl_Position = p;
}

//: rewrites.exits: exit of a loop of its own
//: rewrites.loops: counted by a uniform
//: size 14
attribute vec4 a; uniform vec4 u[8]; uniform int n;
void main() {
    vec4 p = a;
    if (a.x < 0.5) for (int i = 0; i < n; i++) p = p.wxyz * 0.25 + u[i];
    gl_Position = p;
}

//: rewrites.loops: counter added to itself
//: rewrites.loops: counter as an index
//: size 7
attribute vec4 a; uniform vec4 u[8];
void main() {
    vec4 p = a;
    for (int i = 0; i < 4; i++) { p = p.wxyz * 0.25 + u[i * 2 + 1]; p = p.zxyw * u[i * 2]; }
    gl_Position = p;
}
