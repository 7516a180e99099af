//: rewrites.selects: c ? x : 0
//: size 2
attribute vec4 a, b;
void main() { gl_Position = a.x < b.y ? a.wzyx : vec4(0.0); }

//: select sets: fle(x, y)
//: rewrites.selects: c ? 0 : y
//: rewrites.selects: opposite of an order
//: size 2
attribute vec4 a, b;
void main() { gl_Position = a.x < b.y ? vec4(0.0) : a.wzyx; }

//: rewrites.selects: c ? 0 : y
//: rewrites.selects: opposite of an order
//: size 2
attribute vec4 a, b;
void main() { gl_Position = a.x <= b.y ? vec4(0.0) : b.wzyx; }

//: rewrites.selects: c ? x : y
//: rewrites.selects: opposite of an order
//: size 5
attribute vec4 a, b;
void main() { gl_Position = a.x > b.y ? a.yzwx : b.wzyx; }

//: rewrites.selects: c ? x : y
//: rewrites.selects: opposite of an order
//: size 5
attribute vec4 a, b;
void main() { gl_Position = a.x >= b.x ? a.yzwx : b.wzyx; }

//: rewrites.selects: c ? x : y
//: rewrites.selects: opposite of an equality
//: size 9
attribute vec4 a, b;
void main() { gl_Position = floor(a.x) == floor(b.x) ? a.yzwx : b.wzyx; }

//: rewrites.selects: c ? x : y
//: rewrites.selects: opposite of an equality
//: size 9
attribute vec4 a, b;
void main() { gl_Position = floor(a.x) != floor(b.x) ? a.yzwx : b.wzyx; }

//: rewrites.selects: c ? a : b
//: size 3
attribute vec4 a;
void main() { gl_Position = a.x < 0.5 ? vec4(1.0, 2.0, -3.0, 4.0) : vec4(0.5, -4.0, 2.0, 0.25); }

//: rewrites.selects: c ? x : y
//: rewrites.selects: 1 where the condition holds
//: size 4
attribute vec4 a;
void main() { gl_Position = vec4(a.x < 0.5 ? 1.0 : 1e9); }

//: rewrites.selects: c ? a : r, with r that is b where c holds
//: rewrites.selects: bound from below that implies a lower one
//: size 7
attribute vec4 a, b;
void main() { gl_Position = a.x > 1.0 ? vec4(1.0, 2.0, 3.0, 4.0) : a.x > 0.25 ? vec4(-2.0, 4.0, 0.5, 1.0) : b.wzyx; }

//: rewrites.selects: c ? a : r, with r that is b where c holds
//: rewrites.selects: bound from above that implies a higher one
//: size 7
attribute vec4 a, b;
void main() { gl_Position = a.x < -0.5 ? vec4(1.0, 2.0, 3.0, 4.0) : a.x < 0.25 ? vec4(-2.0, 4.0, 0.5, 1.0) : b.wzyx; }

//: rewrites.finite: value that may be infinite
//: size 8
attribute vec4 a, b;
void main() { gl_Position = a.x < 0.5 ? b / a.wxyz : b; }

//: rewrites.selects: opposite of logic
//: size 6
attribute vec4 a, b;
uniform bool q;
void main() { gl_Position = (q || a.x < b.y) ? a.yzwx : b.wzyx; }

//: rewrites.selects: opposite of logic
//: size 7
attribute vec4 a, b;
void main() { gl_Position = (a.z < b.x && a.x < b.y) ? a.yzwx : b.wzyx; }

//: rewrites.selects: opposite of logic
//: size 5
attribute vec4 a, b;
uniform bool q;
void main() { gl_Position = q ? a.yzwx : b.wzyx; }

//: rewrites.selects: choice of bools
//: size 7
attribute vec4 a, b;
void main() { bvec4 c = a.x < 0.5 ? lessThan(a, b) : lessThan(b.yzwx, a); gl_Position = vec4(c); }

//: rewrites.selects: choice of bools
//: size 6
attribute vec4 a, b;
uniform bvec4 q;
void main() { bool c = a.x < 0.5 ? a.y < b.z : q.y; gl_Position = vec4(c); }

//: rewrites.selects: bound from below that implies a lower one
//: rewrites.selects: opposite of an order
//: size 7
attribute vec4 a, b;
void main() { gl_Position = a.x >= 1.0 ? vec4(1.0, 2.0, 3.0, 4.0) : a.x >= 0.25 ? vec4(-2.0, 4.0, 0.5, 1.0) : b.wzyx; }

//: rewrites.selects: bound from above that implies a higher one
//: size 7
attribute vec4 a, b;
void main() { gl_Position = a.x <= -0.5 ? vec4(1.0, 2.0, 3.0, 4.0) : a.x <= 0.25 ? vec4(-2.0, 4.0, 0.5, 1.0) : b.wzyx; }

//: rewrites.selects: c ? x : y
//: size 8
attribute vec4 a, b;
void main() { gl_Position = a.x > 0.25 ? vec4(1.0, 2.0, 3.0, 4.0) : a.x > 1.0 ? vec4(-2.0, 4.0, 0.5, 1.0) : b.wzyx; }

//: rewrites.selects: c ? x : y
//: size 8
attribute vec4 a, b;
void main() { gl_Position = a.x < 0.25 ? vec4(1.0, 2.0, 3.0, 4.0) : a.x < -0.5 ? vec4(-2.0, 4.0, 0.5, 1.0) : b.wzyx; }

//: rewrites.selects: c ? x : y
//: size 10
attribute vec4 a, b;
void main() { gl_Position = a.x < 0.25 ? vec4(1.0, 2.0, 3.0, 4.0) : a.x <= 0.25 ? vec4(-2.0, 4.0, 0.5, 1.0) : b.wzyx; }

//: rewrites.selects: c ? x : y
//: size 10
attribute vec4 a, b;
void main() { gl_Position = a.x < -0.5 ? vec4(1.0, 2.0, 3.0, 4.0) : a.y < 0.25 ? vec4(-2.0, 4.0, 0.5, 1.0) : b.wzyx; }

//: rewrites.selects: c ? x : y
//: size 10
attribute vec4 a, b;
void main() { gl_Position = a.x > 1.0 ? vec4(1.0, 2.0, 3.0, 4.0) : a.x < 0.25 ? vec4(-2.0, 4.0, 0.5, 1.0) : b.wzyx; }

//: rewrites.selects: c ? x : y
//: size 10
attribute vec4 a, b;
void main() { gl_Position = a.x < b.x ? vec4(1.0, 2.0, 3.0, 4.0) : a.x < b.y ? vec4(-2.0, 4.0, 0.5, 1.0) : b.wzyx; }

//: rewrites.selects: c ? a : r, with r that is b where c holds
//: size 9
attribute vec4 a, b;
void main() { gl_Position = a.x > 1.5 ? vec4(9.0, 8.0, 7.0, 6.0) : a.x > 1.0 ? vec4(1.0, 2.0, 3.0, 4.0) : a.x > 0.25 ? vec4(-2.0, 4.0, 0.5, 1.0) : b.wzyx; }

//: rewrites.finite: value that may be infinite
//: size 8
attribute vec4 a, b;
uniform vec4 u;
void main() { gl_Position = a.x < 0.5 ? inversesqrt(a.wxyz) : b; }

//: rewrites.finite: value that may be infinite
//: size 9
attribute vec4 a, b;
uniform vec4 u;
void main() { gl_Position = a.x < 0.5 ? log2(abs(a.wxyz)) : b; }

//: rewrites.finite: value that may be infinite
//: size 11
attribute vec4 a, b;
uniform vec4 u;
void main() { gl_Position = a.x < 0.5 ? pow(abs(a.wxyz), -abs(b)) : b; }

//: rewrites.finite: value that may be infinite
//: size 10
attribute vec4 a, b;
uniform vec4 u;
void main() { gl_Position = a.x < 0.5 ? exp2(a.wxyz * 90.0) * exp2(b.wxyz * 90.0) : b; }

//: rewrites.finite: value that may be infinite
//: size 11
attribute vec4 a, b;
uniform vec4 u;
void main() { gl_Position = a.x < 0.5 ? vec4(normalize(a.wxy * abs(a.zzz)), a.z) : b; }

//: rewrites.finite: value that may be infinite
//: size 8
attribute vec4 a, b;
uniform vec4 u;
void main() { gl_Position = a.x < 0.5 ? sqrt(a.wxyz) : b; }

//: rewrites.finite: value that may be infinite
//: size 8
attribute vec4 a, b;
uniform vec4 u;
void main() { gl_Position = a.x < 0.5 ? 1.0 / a.wxyz : b; }

//: rewrites.finite: value that may be infinite
//: size 10
attribute vec4 a, b;
uniform vec4 u;
void main() { gl_Position = a.x < 0.5 ? tan(a.wxyz) : b; }

//: rewrites.selects: c ? x : y
//: size 6
attribute vec4 a, b;
uniform vec4 u;
void main() { gl_Position = a.x < 0.5 ? b.wxyz / 4.0 : b; }

//: rewrites.selects: c ? x : y
//: size 7
attribute vec4 a, b;
uniform vec4 u;
void main() { gl_Position = a.x < 0.5 ? step(b / a.wxyz, a) : b; }

//: rewrites.selects: c ? x : y
//: size 7
attribute vec4 a, b;
uniform vec4 u;
void main() { gl_Position = a.x < 0.5 ? sin(a.wxyz) * u : b; }

//: rewrites.finite: value that may be infinite
//: size 14
attribute vec4 a, b;
void main() { vec4 q = b / a.wxyz; gl_Position = (a.x < 0.5 ? q : b) + (a.y < 0.5 ? q : b.wzyx); }

//: rewrites.finite: value that may be infinite
//: size 18
attribute vec4 a, b;
void main() { vec4 q = b / a.wxyz; gl_Position = (a.x < 0.5 ? q * a : b) + (a.y < 0.5 ? q + b : b.wzyx); }

//: rewrites.finite: value that may be infinite
//: size 9
attribute vec4 a, b;
uniform vec4 u;
void main() { gl_Position = a.x < 0.5 ? clamp(b / a.wxyz, 0.0, 1.0) : b; }

//: rewrites.selects: c ? x : y
//: size 10
attribute vec4 a, b;
void main() { float f = floor(a.x); gl_Position = f == 0.0 ? vec4(1.0, 2.0, 3.0, 4.0) : f == 1.0 ? vec4(-2.0, 4.0, 0.5, 1.0) : b.wzyx; }

//: rewrites.selects: c ? x : y
//: size 10
attribute vec4 a, b;
void main() { float f = floor(a.x); gl_Position = f != 0.0 ? vec4(1.0, 2.0, 3.0, 4.0) : f != 1.0 ? vec4(-2.0, 4.0, 0.5, 1.0) : b.wzyx; }

//: rewrites.selects: c ? x : y
//: size 11
attribute vec4 a, b;
void main() { vec4 r = b; if (a.x < 0.25) r = vec4(-2.0, 4.0, 0.5, 1.0); bvec4 c = lessThan(a, vec4(-0.5)); gl_Position = vec4(c.x ? 1.0 : r.x, c.y ? 2.0 : r.y, c.z ? 3.0 : r.z, c.w ? 4.0 : r.w); }

//: rewrites.selects: c ? y + d : y
//: size 3
attribute vec4 a, b;
void main() { vec4 s = a.wzyx; if (a.x < b.y) s += b; gl_Position = s; }

//: rewrites.selects: c ? y - d : y
//: rewrites.selects: opposite of an order
//: size 3
attribute vec4 a, b;
void main() { gl_Position = a.x < b.y ? a.wzyx : a.wzyx - b; }

//: rewrites.selects: c ? y + d : y
//: size 14
// What comes before the condition that ends the loop is added once; each round is one product and one sum.
attribute vec4 a;
uniform vec4 u[4];
uniform int n;
void main() {
    vec4 s = a.yxwz;
    for (int i = 0; i < 4; i++) { if (i >= n) break; s += u[i] * a.x; }
    gl_Position = s;
}

//: rewrites.selects: c ? y * k : y
//: size 4
attribute vec4 a;
uniform vec4 b;
void main() { vec4 s = a.wzyx; if (a.x < b.y) s *= 0.5; gl_Position = s; }

//: rewrites.selects: c ? y * k : y
//: rewrites.selects: opposite of an order
//: size 5
attribute vec4 a, b;
void main() { gl_Position = a.x < b.y ? a.wzyx : a.wzyx * b; }

//: rewrites.selects: c ? x : 0
//: size 5
attribute vec4 a, b;
void main() { gl_Position = a.x < 0.5 ? b / (abs(a) + 0.5) : vec4(0.0); }

//: rewrites.selects: c ? x : 0
//: size 11
attribute vec4 a, b;
void main() { gl_Position = a.x < 0.5 ? vec4(sqrt(a.y * a.y + b.x * b.x), pow(max(b.y, 0.0), 2.5), inversesqrt(max(a.x, 0.25)), 1.0) : vec4(0.0); }

//: rewrites.finite: value that may be infinite
//: size 7
// What is subtracted may be all there is.
attribute vec4 a, b;
void main() { gl_Position = a.x < 0.5 ? b / (0.5 - abs(a)) : vec4(0.0); }

//: size 31
// Conditions that imply each other, with values that are computed, and one that may be infinite where it is not taken.
attribute vec4 a, b;
uniform vec4 u;
void main() {
    vec4 s = a.y > -0.5 ? a * b : a.y > -1.5 ? a + u : b - u;
    vec4 r = a.x < -0.5 ? a * b : a.x < 0.25 ? b / (a + 0.5) : a.x < 1.5 ? a + b : a.x < 2.5 ? a - b : u * b;
    gl_Position = s + r;
}
