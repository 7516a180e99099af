//: selection.inputs: row that is not used
//: size 23
attribute vec4 a, b;
varying vec4 v;
void main() {
    v = vec4(a.x + b.y, a.y - b.x, a.z * b.w, -a.w);
    gl_Position = vec4(min(a.x, b.z), max(a.y, b.w), abs(a.z), 1.0);
}

//: selection.arithmetic: fmax(fabs(x), fabs(y))
//: selection.arithmetic: fmin(fabs(x), fabs(y))
//: size 23
attribute vec4 a, b;
varying vec4 v;
void main() {
    v = vec4(min(abs(a.x), abs(b.y)), max(abs(a.y), abs(b.x)), min(abs(a.z), b.w), max(b.z, abs(a.w)));
    gl_Position = vec4(0.0, a.y, 0.0, 1.0);
}

//: schedule.bundle: second instruction done by ADD
//: selection.arithmetic: fsign(x)
//: size 25
precision highp float;
varying vec4 a;
void main() { gl_FragColor = vec4(floor(a.x), ceil(a.y), fract(a.z), sign(a.w)); }

//: selection.arithmetic: fceil(x)
//: selection.arithmetic: ffract(x)
//: -fprecise
//: size 23
precision highp float;
varying vec4 a;
void main() {
    vec4 large = a * vec4(1.5e10, 1.5e10, 1.5e10, 1.0);
    gl_FragColor = vec4(floor(large.x) * 1e-10, ceil(large.y) * 1e-10, fract(large.z), float(int(a.w)));
}

//: size 28
precision highp float;
varying vec4 a;
uniform float u;
void main() {
    float large = clamp(a.x, -2.0, 2.0) * 536870912.0;
    gl_FragColor = vec4(floor(u), ceil(-a.y), floor(large) * 1e-9, fract(clamp(a.w, -2.0, 2.0) + a.z - a.z));
}

//: selection.arithmetic: ineg(x)
//: size 33
precision highp float;
precision highp int;
varying vec4 a;
void main() {
    int x = int(a.x * 4.0), y = int(a.y * 4.0), z = int(a.z * 700.0), w = int(a.w * 1000.0);
    int small = int(abs(a.x) + 3.0) * int(abs(a.y) * 8.0);
    gl_FragColor = vec4(x + y, x - y, -y, small) + float(z * w) * vec4(0.0, 0.0, 1e-3, 0.0);
}

//: size 185
precision highp float;
precision highp int;
varying vec4 a;
uniform int p;
void main() {
    int x = int(a.x * 900.0), y = int(a.y * 4.0), z = int(a.z * 4.0);
    gl_FragColor = vec4(x / (y == 0 ? 3 : y), z / 7, 1000 / (p == 0 ? -7 : p), y / (z == 0 ? -1 : z));
}

//: size 160
precision highp float;
precision highp int;
varying vec2 a;
void main() {
    int x = int(a.x * 4000000.0) * 300, y = int(a.y * 4.0) * 16;
    gl_FragColor = vec4(x / 7919, x / (y == 0 ? 7 : y), (y + 16777100) / 3, 16777215 / (x == 0 ? 1 : x));
}

//: selection.special_functions: uniform read twice
//: size 27
precision highp float;
varying vec4 a;
uniform vec4 u;
void main() {
    gl_FragColor = vec4(1.0 / a.x, 1.0 / u.y, sqrt(abs(a.y)), inversesqrt(abs(a.z) + 0.5)) + a.w;
    if (a.x == 0.0) gl_FragColor.x = 1.0;
    if (u.y == 0.0) gl_FragColor.y = 2.0;
}

//: selection.special_functions: frsqrt(x)
//: size 25
precision highp float;
uniform vec4 u;
void main() { gl_FragColor = vec4(sqrt(u.x * u.x), inversesqrt(u.y + 3.0), sqrt(u.z + 2.5), log2(u.w + 4.0)); }

//: size 69
precision highp float;
varying vec4 a;
void main() {
    gl_FragColor = vec4(exp2(a.x * 3.0), log2(abs(a.y) + 0.125), exp2(floor(a.z)), pow(abs(a.w) + 0.5, 3.5));
}

//: size 34
precision highp float;
uniform float u, w;
void main() {
    gl_FragColor = vec4(exp2(u), log2(abs(w) * 50.0 + 0.01), inversesqrt(w * w + 1.0), 1.0 / (4.0 + u));
}

//: selection.arithmetic: ffloor(x)
//: selection.special_functions: fexp2(x)
//: selection.special_functions: frcp(x)
//: selection.special_functions: fsqrt(x)
//: selection.special_functions: power without the rest
//: size 22
precision mediump float;
varying vec4 a;
void main() { gl_FragColor = vec4(exp2(floor(a.x)), log2(exp2(floor(a.y))), sqrt(abs(a.z)), 1.0 / (a.w + 4.0)); }

//: size 44
precision highp float;
uniform float u;
varying float a;
void main() {
    float zero = max(-u * u, a * 0.0);
    gl_FragColor = vec4(log2(zero) < -1e30 ? 1.0 : 2.0, sqrt(zero), log2(1.0 + zero), exp2(zero - 200.0));
}

//: selection.emitter: operand moved that its word cannot read
//: size 15
precision highp float;
varying vec4 a;
uniform vec4 u;
void main() {
    float x = -a.x, y = -a.y;
    gl_FragColor = vec4(x + y - a.z, x * a.z + a.w, x - a.w * 2.0, a.z - y * 0.75);
    gl_FragColor += vec4(x * y, a.w * -u.x, -(-u.y * a.z), u.z * -0.375);
}

//: selection.arithmetic: fneg(x)
//: selection.arithmetic: fsub(x, y)
//: signs: sign of a factor after its product
//: signs: sign of both terms
//: signs: sign of the first term
//: signs: sign of the second term
//: size 12
precision highp float;
varying vec4 a;
void main() {
    float p = -a.x * a.y, s = -a.y - a.z;
    gl_FragColor = vec4(p + a.z, a.w - p, s * a.x, s - a.w);
}

//: selection.arithmetic: fmax(x, y)
//: size 13
precision highp float;
varying vec4 a;
void main() {
    float p = -a.x * a.y, s = -a.y - a.z, q = a.z * -1.25;
    gl_FragColor = vec4(p, max(s, a.w), q, -max(p, s));
}

//: selection.arithmetic: ftrunc(x)
//: size 23
precision highp float;
varying vec4 a;
void main() { gl_FragColor = vec4(float(int(a.x * 3.0)), mod(a.y, 1.5), float(int(a.z)) * 2.0, float(int(-a.w))); }

//: signs: sign of a factor into a constant
//: signs: signs of both factors
//: -fprecise
//: size 30
precision highp float;
varying vec4 a, b;
void main() {
    vec3 n = normalize(-a.xyz);
    gl_FragColor = vec4(n * -b.xyz, dot(-a, b) * 2.5);
}

//: selection.arithmetic: number that is too large for an int
//: -fprecise
//: size 26
precision highp float;
varying vec4 a;
void main() {
    gl_FragColor = vec4(floor(max(a.x, 0.25) * 1.6e10), ceil(min(a.y, -0.25) * 1.6e10), floor(a.z * 2147483648.0), a.w);
    gl_FragColor *= vec4(1e-10, 1e-10, 1e-9, 1.0);
}

//: selection.arithmetic: product of ints
//: size 35
precision highp float;
precision highp int;
varying vec4 a;
void main() {
    int x = int(clamp(a.x * 8388608.0, 0.0, 16777216.0)), y = int(clamp(a.y, -1.0, 5.0)), z = int(clamp(a.z, 0.0, 9.0));
    int w = int(clamp(a.w * 9000000.0, 0.0, 16777215.0));
    gl_FragColor = vec4(float(x * 3) * 1e-6, y * 7, z * 50000, float(w * 3) * 1e-6);
}

//: selection.arithmetic: idiv(x, y) where _is_by_power_of_two
//: selection.arithmetic: quotient by a power of two
//: selection.arithmetic: quotient of what is not below zero by a power of two
//: selection.arithmetic: product with a power of two
//: size 24
precision highp float;
precision highp int;
varying vec4 a;
void main() {
    int x = int(a.x * 900.0), y = int(a.y * 16777216.0), z = int(abs(a.z) * 40.0);
    gl_FragColor = vec4(x / 256, y / 65536, z / 8, x * 32 + 4096 * z);
}

//: legalize: function of the unit alone
//: - functions=fast
//: size 18
precision highp float;
varying vec4 a;
void main() { gl_FragColor = vec4(pow(a.x, a.y), exp2(a.z), log2(a.w), 1.0) * 0.0078125; }
