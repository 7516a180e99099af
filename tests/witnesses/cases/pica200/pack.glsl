//: rewrites.pack: at the second operation
//: rewrites.pack: operands are computed into one register
//: rewrites.pack: operands are literals
//: size 5
// Alike but for their literals; both dot products write one register.
attribute vec3 a, b; uniform vec4 u;
void main() {
    float x = max(dot(a, u.xyz), 0.25);
    float y = max(dot(b.zyx, u.xyz), -0.5);
    gl_Position = a.xyzz * x + y;
}

//: rewrites.pack: at the first operation
//: rewrites.pack: operands are literals
//: rewrites.pack: operands are negated
//: rewrites.pack: operands are swizzles of one value
//: rewrites.pack_operands: operands of the second exchanged
//: size 4
attribute vec4 a, b; uniform vec4 u;
void main() {
    float x = u.x * -a.z + 0.25;
    float y = -a.y * u.w + 0.75;
    gl_Position = b * x + y;
}

//: size 4
// Signs differ: two words.
attribute vec4 a, b;
void main() {
    float x = max(-a.z, 0.25);
    float y = max(a.y, -0.75);
    gl_Position = b * x + y;
}

//: rewrites.pack: at the first operation
//: rewrites.pack: operands are literals
//: rewrites.pack: operands are negated
//: rewrites.pack: operands are swizzles of one value
//: size 3
attribute vec4 a, b;
void main() {
    float x = max(-a.z, 0.25);
    float y = max(-a.y, -0.75);
    gl_Position = b * x + y;
}

//: rewrites.pack: at the second operation
//: rewrites.pack: operands are computed into one register
//: rewrites.pack: operands are literals
//: rewrites.pack: operands are negated
//: size 6
attribute vec4 a, b; uniform vec4 u;
void main() {
    float x = max(-dot(a, b), 0.25);
    float y = max(-dot(a.wyzx, u), -0.75);
    gl_Position = b * x + y;
}

//: size 7
// Signs differ.
attribute vec4 a, b; uniform vec4 u;
void main() {
    float x = max(-dot(a, b), 0.25);
    float y = max(dot(a.wyzx, u), -0.75);
    gl_Position = b * x + y;
}

//: rewrites.pack: at the second operation
//: rewrites.pack: operands are computed into one register
//: rewrites.pack: several words, with moves
//: size 9
// Truncation takes several words: moves of the operands, and of the results to their outputs, are worth it.
attribute vec4 a, b; uniform vec4 u; varying float v;
void main() {
    float x = float(int(dot(a, u))), y = float(int(dot(b, u.wzyx)));
    v = x;
    gl_Position = b * y;
}

//: rewrites.pack: at the second operation
//: rewrites.pack: operands are computed into one register
//: rewrites.pack: several words, with moves
//: size 19
// Round after round: one of the truncations is what the next begins with.
attribute vec4 a, b; uniform vec4 u; uniform int n;
void main() {
    float f = a.x;
    vec4 p = b;
    for (int i = 0; i < n; i++) {
        float x = float(int(dot(p, u) * f));
        float y = float(int(dot(p, u.wzyx) + f));
        p = (p + y) * 0.25;
        f = x;
    }
    gl_Position = p + f;
}

//: rewrites.pack: at the first operation
//: rewrites.pack: operands are swizzles of one value
//: size 4
// Three components and one fill a register.
attribute vec4 a, b; uniform vec4 u; varying vec3 v;
void main() {
    vec3 x = max(a.zxy, u.xyz);
    float y = max(a.w, u.z);
    v = x * x.yzx;
    gl_Position = y * b;
}

//: size 5
// Three components and two do not fit.
attribute vec4 a, b; uniform vec4 u; varying vec3 v;
void main() {
    vec3 x = max(a.zxy, u.xyz);
    vec2 y = max(a.wz, u.zw);
    v = x * x.yzx;
    gl_Position = y.yxxy * b;
}

//: rewrites.pack: at the first operation
//: rewrites.pack: operands are swizzles of one value
//: size 3
// Two and two.
attribute vec4 a, b; uniform vec4 u;
void main() {
    vec2 x = min(a.zy, u.yx);
    vec2 y = min(a.wx, u.zw);
    gl_Position = b * x.yxyx + y.xyyx;
}

//: size 6
// The second is of the first.
attribute vec4 a, b; uniform vec4 u; varying vec4 v;
void main() {
    float x = dot(a, u) + u.w;
    float y = x + u.z;
    v = a * x;
    gl_Position = b * x + y;
}

//: size 8
// The second needs the first.
attribute vec4 a, b; uniform vec4 u; varying vec4 v;
void main() {
    float x = max(dot(a, u), 0.25);
    v = b * x;
    float y = max(dot(b * x, u.wzyx), 0.5);
    gl_Position = a * y;
}

//: size 4
// Differences are not exchanged.
attribute vec4 a, b; uniform vec4 u;
void main() {
    float x = u.x - a.z;
    float y = a.y - u.w;
    gl_Position = b * x + y;
}

//: rewrites.pack: at the first operation
//: rewrites.pack: operands are swizzles of one value
//: size 3
attribute vec4 a, b; uniform vec4 u;
void main() {
    float x = u.x - a.z;
    float y = u.w - a.y;
    gl_Position = b * x + y;
}

//: rewrites.pack: at the first operation
//: rewrites.pack: operands are swizzles of one value
//: size 8
// The second is in a branch, of what was known before it.
attribute vec4 a, b; uniform vec4 u; uniform bool t;
void main() {
    float x = min(a.x, u.z);
    vec4 p = b * x;
    if (t) { float y = min(a.w, u.y); p = p * p + b.wzyx * y; p = p * p.x; }
    gl_Position = p;
}

//: size 11
// Each in a branch of its own: neither dominates the other.
attribute vec4 a, b; uniform vec4 u; uniform bool t;
void main() {
    vec4 p = b;
    if (t) { float y = min(a.w, u.y); p = p * p + b.wzyx * y; p = p * p.x; }
    else { float y = min(a.x, u.z); p = p * a + b.zzyx * y; p = p * p.y; }
    gl_Position = p;
}

//: size 12
// The second, in a branch, is of what is computed there: nowhere to stand.
attribute vec4 a, b; uniform vec4 u; uniform bool t;
void main() {
    float x = min(dot(a, b.wzyx), u.z);
    vec4 p = b * x;
    if (t) { float y = min(dot(b, a), u.y); p = p * p + b.wzyx * y; p = p * p.x; }
    gl_Position = p;
}

//: size 11
// The second, in a branch, is of what comes after the first.
attribute vec4 a, b; uniform vec4 u; uniform bool t;
void main() {
    float x = min(dot(a, u), u.z);
    vec4 p = b * x;
    float d = dot(b, u);
    if (t) { float y = min(d, u.y); p = p * p + b.wzyx * y; p = p * p.x; }
    gl_Position = p;
}

//: size 10
// The first is used before the second's operand is known.
attribute vec4 a, b; uniform vec4 u;
void main() {
    float x = min(dot(a, u), 0.5);
    vec4 p = floor(b * x + a.yxwz);
    float y = min(dot(b * p.x, u), 0.25);
    gl_Position = p * y;
}

//: size 5
// Both become parts of one vector.
attribute vec4 a, b; uniform vec4 u;
void main() {
    vec4 p = vec4(min(a.x, u.z), b.y, min(a.w, u.y), 0.5);
    gl_Position = p * p.wxyz + a;
}

//: size 10
// Parts of two vectors.
attribute vec4 a, b; uniform vec4 u;
void main() {
    vec4 p = vec4(min(a.x, u.z), b.y, 0.25, 0.5), q = vec4(0.5, 0.75, b.x, min(a.w, u.y));
    gl_Position = (p * p.wxyz + a) * (q.wzyx * q);
}

//: size 9
// Both are parts of two vectors.
attribute vec4 a, b; uniform vec4 u;
void main() {
    float x = min(a.x, u.z), y = min(a.w, u.y);
    vec4 p = vec4(x, b.y, y, b.x), q = vec4(b.z, y, b.w, x);
    gl_Position = max(p, q) * (q.wzyx * p);
}

//: size 4
// Results that go to outputs.
attribute vec4 a, b; uniform vec4 u; varying float v, w;
void main() {
    v = min(a.x, u.z);
    w = min(a.w, u.y);
    gl_Position = b;
}

//: size 19
// In a loop, what goes round is not what comes before.
attribute vec4 a, b; uniform vec4 u; uniform int n;
void main() {
    float x = a.x, y = a.y;
    vec4 p = b;
    for (int i = 0; i < n; i++) {
        p = p * u.x + min(x, u.z);
        p = (p + min(y, u.w) * p.wxyz) * 0.25;
        x = dot(p, a) * u.y; y = dot(p, b) - u.y;
    }
    gl_Position = p;
}

//: size 7
// An operand that goes to an output has a place of its own.
attribute vec4 a, b; uniform vec4 u; varying float v;
void main() {
    v = -dot(a, u);
    float x = max(-v, 0.25);
    float y = max(dot(b, u), 0.5);
    gl_Position = b * x + y;
}

//: size 4
// Operands of two attributes would take moves.
attribute vec4 a, b; uniform vec4 u;
void main() {
    float x = max(a.x, u.z);
    float y = max(b.y, u.w);
    gl_Position = b * x + y;
}

//: size 8
// Two pairs of operands that are computed: one of them too many.
attribute vec4 a, b; uniform vec4 u, w;
void main() {
    float x = max(dot(a, u), dot(b, w));
    float y = max(dot(b, u), dot(a, w));
    gl_Position = b * x + y;
}

//: rewrites.pack: at the first operation
//: rewrites.pack: operands are computed into one register
//: rewrites.pack: operands are swizzles of one value
//: rewrites.pack_operands: operands of the second exchanged
//: size 5
// Multiply-adds whose first factors are exchanged, never the addend.
attribute vec4 a, b; uniform vec4 u;
void main() {
    float s = dot(b, u), t = dot(a.wzyx, u);
    float x = u.x * a.y + s;
    float y = a.z * u.w + t;
    gl_Position = b * x + y;
}

//: size 4
// Signs of factors that are exchanged.
attribute vec4 a, b; uniform vec4 u;
void main() {
    float x = a.x * -u.y;
    float y = u.z * -a.w;
    gl_Position = b * x + y;
}

//: rewrites.pack: at the first operation
//: rewrites.pack: operands are literals
//: rewrites.pack: operands are swizzles of one value
//: size 4
attribute vec4 a, b; uniform vec4 u;
void main() {
    float k = 0.25, m = 0.75;
    float x = min(a.x, -k) - 0.5;
    float y = min(a.z, m) - 1.5;
    gl_Position = b * x + y;
}

//: rewrites.pack: at the second operation
//: rewrites.pack: operands are computed into one register
//: rewrites.pack: operands are literals
//: size 12
// Swizzles of the first move with it to the second.
attribute vec4 a, b; uniform vec4 u; uniform bool t;
void main() {
    vec2 x = max(floor(a.zy + b.xw), 0.25).yx;
    float y = max(dot(b, a), -0.5);
    vec4 p = b * x.xyyx + y;
    if (t) { p = p * p + x.yxyx; p = p * p.x; p = p * p.y - x.yyyx; }
    gl_Position = p;
}

//: size 10
attribute vec4 a, b; uniform vec4 u;
void main() {
    vec2 x = max(floor(a.zy + b.xw), 0.25).yx;
    float y = max(dot(b, a), -0.5);
    gl_Position = vec4(b.xy * x + y, x.y, b.z);
}

//: size 6
// Elements of an array that different indices select are different values.
attribute vec4 a, b; uniform vec4 u[5];
void main() {
    int i = int(b.x) + 2, j = int(b.y) + 2;
    float x = max(u[i].x, 0.25);
    float y = max(u[j].y, 0.5);
    gl_Position = a * x + y;
}

//: size 4
// A literal and none.
attribute vec4 a, b; uniform vec4 u;
void main() {
    float x = min(a.x, 0.5);
    float y = min(a.y, u.x);
    gl_Position = b * x + y;
}

//: rewrites.pack: at the first operation
//: rewrites.pack: operands are swizzles of one value
//: rewrites.pack_operands: operands of the second exchanged
//: size 3
attribute vec4 a, b; uniform vec4 u;
void main() {
    float x = min(a.x, u.y);
    float y = min(u.z, a.w);
    gl_Position = b * x + y;
}

//: size 12
// Neither branch dominates the other, though both read what was known before them.
attribute vec4 a, b; uniform vec4 u; uniform bool t;
void main() {
    vec4 p = b * u + a;
    if (t) { float y = min(a.w, u.y); p = p * p + b.wzyx * y; p = p * p.x; }
    else { float y = min(a.x, u.z); p = p * a + b.zzyx * y; p = p * p.y; }
    gl_Position = p;
}
