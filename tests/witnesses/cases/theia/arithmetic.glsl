//: selection.arithmetic: fadd(x, y)
//: selection.arithmetic: fsub(x, y)
//: selection.arithmetic: fmul(x, y)
//: selection.memory: store
//: selection.memory: ret
//: rows.demanded_lanes: swizzle of lanes that nothing reads left out
//: selection.memory: colour written to memory
//: size 8
precision highp float;
varying vec3 a, b, c;
void main() { gl_FragColor = vec4((a - b) * c + a, b.z - a.x); }

//: selection.arithmetic: fdiv(x, y)
//: size 10
precision highp float;
varying vec3 a, b;
void main() { gl_FragColor = vec4(a / (b * b + 0.5), 1.0); }

//: selection.arithmetic: fneg(x)
//: size 6
precision highp float;
varying vec3 a;
void main() { gl_FragColor = vec4(-a, 1.0); }

//: selection.arithmetic: ffract(x)
//: selection.arithmetic: ffloor(x)
//: selection.arithmetic: ftrunc(x)
//: size 22
precision highp float;
varying vec3 a, b, c;
void main() { gl_FragColor = vec4(fract(a) + floor(b) * 4.0 + vec3(ivec3(c * 3.0)) * 32.0, 1.0); }

//: selection.arithmetic: cross(x, y)
//: size 6
precision highp float;
varying vec3 a, b;
void main() { gl_FragColor = vec4(cross(a, b), 1.0); }

//: selection.arithmetic: dot(x:3, y)
//: selection.arithmetic: length(x:3)
//: size 9
precision highp float;
varying vec3 a, b;
void main() { gl_FragColor = vec4(dot(a, b), length(a), 0.25, 1.0); }

//: selection.arithmetic: length(x:1)
//: selection.arithmetic: length(x:2)
//: -O 0 -fprecise
//: size 24
precision highp float;
varying vec3 a, b;
varying float s;
void main() { gl_FragColor = vec4(length(a.y), length(b.zx), length(a.yz), length(s)); }

//: selection.arithmetic: fadd(x, 1.0)
//: selection.arithmetic: fadd(x, -1.0)
//: size 8
precision highp float;
varying vec3 a, b;
void main() { gl_FragColor = vec4((a + 1.0) * (b - 1.0), 1.0); }

//: selection.arithmetic: fsub(0.0, x)
//: selection.arithmetic: fmul(x, 2.0)
//: -O 0 -fprecise
//: size 9
precision highp float;
varying vec3 a, b, c;
void main() { gl_FragColor = vec4((vec3(0.0) - c) * a + b * 2.0, 1.0); }

//: selection.arithmetic: fsub(x, 1.0)
//: -O 0
//: size 30
precision highp float;
varying vec3 a, b;
varying float s;
void main() { gl_FragColor = vec4(refract(a, b, s), 1.0); }

//: selection.arithmetic: fabs(x:1)
//: selection.arithmetic: fabs(x)
//: size 31
precision highp float;
varying vec3 a, b;
varying float s;
void main() { gl_FragColor = vec4(abs(a.zxy), abs(s)) + abs(b.z - a.x); }

//: selection.arithmetic: fsign(x:1)
//: selection.arithmetic: fsign(x)
//: size 19
precision highp float;
varying vec3 a;
varying float s;
void main() { gl_FragColor = vec4(sign(a), sign(s)); }

//: selection.arithmetic: fmin(x:1, y)
//: selection.arithmetic: fmax(x:1, y)
//: size 25
precision highp float;
varying vec2 a;
varying float s, t;
void main() { gl_FragColor = vec4(min(s, t), max(s, t), max(0.25, a.x), min(a.y, -0.25)); }

//: selection.arithmetic: fmin(x, y)
//: selection.arithmetic: fmax(x, y)
//: selection.arithmetic: min by a difference
//: selection.arithmetic: max by a difference
//: size 35
precision highp float;
varying vec3 a, b, c;
void main() { gl_FragColor = vec4(min(a, b) + 8.0 * max(b, c) + 64.0 * max(vec3(0.25, -0.5, 0.75), a), 1.0); }

//: selection.arithmetic: max with 0.0
//: size 21
precision highp float;
varying vec3 a, b;
void main() { gl_FragColor = vec4(max(a, 0.0) + 8.0 * max(vec3(0.0), b), 1.0); }

//: selection.arithmetic: min or max by a mask
//: - range=a=-10000:10000,b=-10000:10000
//: size 33
precision highp float;
varying vec3 a, b;
void main() { gl_FragColor = vec4(min(a, b) * 0.25 + max(b, a), 1.0); }

//: selection.arithmetic: fsqrt(x)
//: legalize: roots one after the other
//: size 52
precision highp float;
varying vec3 a;
varying float s;
void main() { gl_FragColor = vec4(sqrt(abs(a)), sqrt(s * s + 1.0)); }

//: selection.arithmetic: dot(x, y)
//: selection.arithmetic: dot with zeros after a constant
//: selection.arithmetic: dot of a value with itself
//: selection.arithmetic: dot of two values
//: size 20
precision highp float;
varying vec3 a, b;
varying float s;
void main() {
    gl_FragColor = vec4(dot(a.xy, vec2(0.5, 4.0)), dot(vec2(0.25, 8.0), b.xy), dot(a.xy, a.xy), dot(a.xy, b.xy));
}


//: selection.arithmetic: fsqrt(x)
//: - variant=icarus
precision highp float;
varying vec3 a;
varying vec2 b;
void main() { gl_FragColor = vec4(length(a), length(b.yx) * 4.0, a.z, 1.0); }
