//: selection.conditions compares: feq(x, y)
//: selection.conditions compares: fle(x, y)
//: selection.conditions compares: fne(x, y)
//: size 17
precision highp float;
varying vec4 a, b;
void main() {
    vec4 c = a - b;
    c.x = a.x < b.x ? a.y : b.z;
    c.y = a.y <= b.y ? a.z : b.w;
    c.z = a.z == b.z ? a.w : b.x;
    c.w = a.w != b.w ? b.y : a.x;
    gl_FragColor = c;
}

//: size 21
precision highp float;
varying vec4 a, b;
void main() {
    vec4 c;
    c.x = a.x > 0.25 ? 1.0 : b.z;
    c.y = 0.0 >= b.y ? a.z * b.x : b.w + 0.25;
    c.z = 0.0 < a.z ? -3.0 : 4.0;
    c.w = a.w < 0.0 ? b.y : -a.x;
    gl_FragColor = c;
}

//: size 30
precision highp float;
varying vec4 a, b;
void main() {
    ivec4 p = ivec4(a * 4.0), q = ivec4(b * 4.0);
    int x = p.x < q.x ? q.y : p.z, y = p.y <= q.z ? 3 : q.x, z = p.z == q.x ? p.w : q.w, w = p.w != q.y ? q.w : 5;
    gl_FragColor = vec4(x, y, z, w);
}

//: size 28
precision highp float;
varying vec4 a, b;
void main() {
    gl_FragColor = vec4(a.x < b.x, a.y <= b.y, a.z == b.z, a.w != b.w) + vec4(a.w >= b.x, a.y > b.z, 0, 0) * 8.0;
}

//: selection.arithmetic: xor(x, y)
//: selection.conditions: feq
//: selection.conditions: fle
//: size 30
precision highp float;
varying vec4 a, b;
void main() {
    bool p = a.x < b.x, q = a.y <= b.y, r = a.z == b.z, s = a.w != b.w;
    gl_FragColor = vec4(p && q, q || !r, p != s, (r ^^ q) && !s) * vec4(2.0, 3.0, 4.0, 5.0);
}

//: selection.conditions: ieq
//: size 40
precision highp float;
varying vec4 a, b;
void main() {
    ivec4 p = ivec4(a * 4.0), q = ivec4(b * 4.0);
    bool c = p.x < q.x, d = p.y <= q.y, e = p.z == q.z, f = p.w != q.w;
    gl_FragColor = vec4(c && d ? a.x : b.y, c || e ? b.x : a.z, e == f ? 1.0 : -1.5, int(c) + int(d) * 4);
}

//: selection.arithmetic: or(x, y)
//: selection.conditions compares: ine(x, y)
//: selection.conditions: fne
//: selection.conditions: ine
//: size 18
precision highp float;
varying vec4 a;
uniform vec2 u;
void main() {
    bool p = bool(a.x), q = bool(int(a.y * 2.0)), r = bool(u.x);
    gl_FragColor = vec4(p ? a.z : a.w, q ? 2.0 : -a.z, p && q, r || q ? u.y : a.y);
}

//: schedule.bundle: small immediate loaded
//: selection.arithmetic: and(x, y)
//: selection.arithmetic: not(x)
//: selection.conditions: btof(condition)
//: selection.conditions: condition that is a word
//: selection.conditions: flt
//: selection.conditions: number of a condition that is a word
//: size 13
precision highp float;
varying vec4 a;
uniform bool on;
uniform bvec2 both;
void main() {
    gl_FragColor = vec4(on ? 1.0 : 0.5, both.y && a.w < 0.5, !both.x, 0.25);
}

//: schedule.run: signal in a word of its own
//: selection.outputs: colour as floats
//: size 8
precision highp float;
varying vec4 a;
uniform vec2 u;
void main() {
    float m = -u.x * u.x;
    vec2 zeros = vec2(m * 0.0, a.x * -0.0);
    gl_FragColor = vec4(zeros.x == 0.0, zeros.y < 0.0, zeros.x >= zeros.y, sign(zeros.x));
}

//: selection.conditions: second value under the opposite condition
//: size 20
precision highp float;
varying vec4 a, b;
void main() {
    float x = a.x * b.y, y = a.z + b.w;
    float first = a.x < b.x ? x : y, second = a.x < b.x ? y * 2.0 : x;
    float third = a.x >= b.x ? x - y : a.w, fourth = b.x < a.x ? x : a.z;
    gl_FragColor = vec4(first, second, third, fourth);
}

//: selection.arithmetic: imul(x, y)
//: selection.arithmetic: product of small ints
//: selection.conditions compares: ieq(x, y)
//: selection.conditions compares: ile(x, y)
//: selection.conditions compares: ilt(x, y)
//: selection.conditions: btoi(condition)
//: selection.conditions: ile
//: selection.conditions: ilt
//: selection.conditions: number where a comparison holds
//: size 24
precision highp float;
varying vec4 a;
void main() {
    ivec4 p = ivec4(a * 4.0);
    bool c = p.x > p.y, d = p.y >= p.z;
    gl_FragColor = vec4(int(c), float(d), int(c || d) * 3, float(c) - float(p.z == p.w));
}

//: -fprecise
//: size 28
precision highp float;
varying vec4 a, b;
void main() {
    ivec4 p = ivec4(a * 2.0);
    gl_FragColor = vec4(a.x <= b.x, a.y >= b.z, float(a.z < 0.0), int(p.x != p.w) * 3 - int(p.y <= p.z));
}

//: a bool that is known, as a word
void main() { if (0.0 != 1.0) discard; }
