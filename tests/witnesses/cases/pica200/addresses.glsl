//: address_registers: index held already
//: address_registers: one index
//: size 6
// What is added on either side, or subtracted, becomes part of the register's number: one address for all.
attribute vec4 a; uniform vec4 u[9];
void main() {
    int i = int(a.x) + 4;
    gl_Position = u[i + 1] * u[2 + i].wzyx + u[i - 2] * u[i].yxwz;
}

//: address_registers: index held already
//: address_registers: one index
//: size 5
// Further than the array: the index keeps it.
attribute vec4 a; uniform vec4 u[5], w[3];
void main() {
    int i = int(a.x);
    gl_Position = u[i + 2] * w[i - 3 + 5 - int(a.x)].wzyx + u[(i + 7) - 5].yxwz;
}

//: address_registers: one index
//: size 17
// An array's length is no offset; its last element is.
attribute vec4 a; uniform vec4 u[3], w[3];
void main() {
    int i = int(floor(a.x - 3.0));
    gl_Position = w[2] + u[i < -3 ? i + 5 : 1] * u[i + 5 > 2 ? 2 : (i + 5 < 0 ? 0 : i + 5)];
}

//: address_registers: index held already
//: address_registers: two indices at once
//: size 9
// A difference with the index on the right.
attribute vec4 a; uniform vec4 u[9];
void main() {
    int i = int(a.x) + 2;
    gl_Position = u[4 - i] * u[8 - i].wzyx;
}

//: address_registers: one index
//: size 7
// Only a register's number, and none that may be negative: a floor is enough.
attribute vec4 a; uniform vec4 u[5];
void main() { gl_Position = u[int(a.x + 2.0)] * a + u[int(a.y * -1.0 + 2.25)].wzyx; }

//: address_registers: index held already
//: address_registers: two indices at once
//: size 9
// In steps of 3, with an offset below the step.
attribute vec4 a; uniform vec4 u[15];
void main() {
    int i = int(a.x + 2.0) * 3, k = 3 * int(a.y + 2.0);
    gl_Position = u[i] * a + u[i + 2].wzyx * u[k + 1];
}

//: address_registers: index held already
//: address_registers: one index
//: size 9
// Offsets as large as the step: -1 is in range.
attribute vec4 a; uniform vec4 u[14];
void main() {
    int i = int(a.x) * 2;
    gl_Position = u[i + 4] * a + u[i + 5].wzyx;
}

//: address_registers: index held already
//: address_registers: one index
//: size 4
attribute vec4 a; uniform vec4 u[8];
void main() {
    int i = int(a.x);
    gl_Position = u[i + 2] * a + u[i + 3].wzyx;
}

//: address_registers: one index
//: size 8
// The number has another use.
attribute vec4 a; uniform vec4 u[4];
void main() {
    int i = int(a.x);
    gl_Position = u[i < 0 ? 0 : i] * a + float(i);
}

//: address_registers: one index
//: size 13
// Steps that go down, and steps of steps.
attribute vec4 a; uniform vec4 u[25];
void main() {
    int i = int(a.x + 2.0), k = int(a.y - 2.0);
    gl_Position = u[k * -2] * a + u[i * 2 * 3].wzyx;
}

//: size 28
// Elements of local arrays are no registers.
attribute vec4 a; uniform vec4 u[4];
void main() {
    vec4 t[4];
    for (int i = 0; i < 4; i++) t[i] = u[i] * a;
    gl_Position = t[int(a.x + 2.0) == 4 ? 3 : int(a.x + 2.0)] + t[2];
}

//: address_registers: index held already
//: address_registers: one index
//: rewrites.addresses: index of matrices
//: size 10
// Matrices: three rows each, of which all are read.
attribute vec4 a; uniform mat3 u[5];
void main() { gl_Position = vec4(u[int(a.x + 2.0)] * a.yzw, a.x); }

//: address_registers: index held already
//: address_registers: one index
//: rewrites.addresses: index of matrices
//: size 20
attribute vec4 a; uniform mat3 u[5]; uniform mat4 w[2];
void main() {
    int i = int(a.x) + 2;
    gl_Position = vec4(u[i] * a.yzw, a.x) + w[i > 2 ? 1 : 0] * a.wzyx;
}

//: address_registers: index held already
//: address_registers: one index
//: size 9
// Two indices in two registers; the one needed again stays.
attribute vec4 a, b; uniform vec4 u[9];
void main() {
    int i = int(a.x) + 2, j = int(b.y) + 2;
    vec4 p = u[i] * a + u[j];
    p = p * u[i + 1].yxwz + u[j + 2].wzyx;
    gl_Position = p * u[i + 3] + u[i + 4];
}

//: address_registers: index held already
//: address_registers: two indices at once
//: size 11
// Two indices in one register go together.
attribute vec4 a, b; uniform vec4 u[9];
void main() {
    ivec2 i = ivec2(a.zy) + 2;
    vec4 p = u[i.x] * a + u[i.y];
    gl_Position = p * u[i.x + 1].yxwz + u[i.y + 2].wzyx;
}

//: address_registers: index held already
//: address_registers: one index
//: address_registers: the index that is needed later is replaced
//: size 13
// Three indices, one after the other; the one that is needed last is replaced.
attribute vec4 a, b; uniform vec4 u[9];
void main() {
    int i = int(a.x) + 2, j = int(b.y) + 2, k = int(a.w) + 2;
    vec4 p = u[i] * a + u[j];
    p = p * u[i + 1].yxwz + u[k];
    p = p * u[k + 1].yxwz + u[i + 2].wzyx;
    gl_Position = p * u[j + 3] + u[k + 4];
}

//: address_registers: one index
//: size 15
// An index that changes in between, of either sign.
attribute vec4 a, b; uniform vec4 u[9]; uniform int n;
void main() {
    vec4 p = a;
    float f = a.x;
    for (int i = 0; i < 3; i++) {
        p = p * 0.25 + u[int(f + 3.0)];
        f = -f * 0.5;
        p = p.wxyz * 0.25 + u[int(f + 3.0)];
        p = p.yxwz + u[int(3.0 - f)];
    }
    gl_Position = p;
}

//: address_registers: index held already
//: address_registers: one index
//: size 10
// In a branch and behind it.
attribute vec4 a, b; uniform vec4 u[9]; uniform bool t, s;
void main() {
    vec4 p = a;
    int i = int(a.x) + 2;
    if (!s) { p = p * u[i].wzyx + b; p = p * u[i + 1] - b; p = p * p; }
    gl_Position = p * u[i + 2];
}

//: address_registers: index held already
//: address_registers: the index that is needed later is replaced
//: address_registers: two indices at once
//: size 11
// A vector as an index, negated.
attribute vec4 a, b; uniform vec4 u[9];
void main() {
    int i = int(-a.x), j = int(-a.z);
    gl_Position = u[4 - int(a.y)] * u[i + 2] + u[j + 3];
}

//: address_registers: one index
//: -O 0
//: size 13
// A constant that is subtracted; one from which the index is.
attribute vec4 a; uniform vec4 u[10];
void main() {
    int i = int(a.x) + 3;
    gl_Position = u[i - 2 + 3] * u[8 - i + 1].wzyx + u[i - 1].yxwz;
}

//: address_registers: one index
//: -O 0
//: size 10
// One that is too large.
attribute vec4 a; uniform vec4 u[9];
void main() {
    int i = int(a.x) + 4;
    gl_Position = u[i - 2] * a + u[-2 + i + 4];
}

//: address_registers: index held already
//: address_registers: one index
//: size 9
// An offset as large as the step: the number before the first is an element.
attribute vec4 a; uniform vec4 u[16];
void main() {
    int i = int(a.x) * 3;
    gl_Position = u[i + 6] * a + u[i + 9];
}

//: address_registers: one index
//: size 14
attribute vec4 a; uniform vec4 u[9];
void main() {
    int i = int(a.x) * 2 + 4, k = int(abs(a.y)) * 2;
    gl_Position = u[i] * u[k + 2].wzyx;
}

//: address_registers: index held already
//: address_registers: the index that is needed later is replaced
//: address_registers: two indices at once
//: rewrites.addresses: index of matrices
//: size 33
// Nothing is left of a product with 0, and a column by index is no register.
attribute vec4 a; uniform mat3 m[3]; uniform mat2 w[5];
void main() {
    int i = int(abs(a.x));
    gl_Position = vec4(m[1][i], m[i][2].y) + vec4(w[i + 2][1], w[int(a.y) + 2][0]);
}

//: address_registers: one index
//: size 8
// Indices in several steps, one of which has another use.
attribute vec4 a; uniform vec4 u[9];
void main() {
    int i = int(a.x), k = i * 2;
    gl_Position = u[k + 4] * a + float(k);
}

//: address_registers: one index
//: rewrites.addresses: column by a value
//: size 6
#version 300 es
// Matrices that are not square are kept by columns, which are registers.
in vec4 a; uniform mat3x2 m; out vec2 r;
void main() {
    r = m[int(abs(a.x))];
    gl_Position = a;
}

//: address_registers: one index
//: rewrites.addresses: column by a value
//: rewrites.addresses: index of matrices
//: size 12
#version 300 es
// A column of an element.
in vec4 a; uniform mat3x2 m[3]; out vec2 r;
void main() {
    r = m[int(abs(a.y))][int(abs(a.x))] * a.zw;
    gl_Position = a;
}
