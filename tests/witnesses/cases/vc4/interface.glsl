//: size 31
attribute vec2 a;
attribute mat3 m;
attribute float s;
varying vec3 v;
void main() {
    v = m * vec3(a.yx, s);
    gl_Position = vec4(m[2].zx, s, a.y);
}

//: size 33
attribute vec4 a, b, c, d, e;
varying vec4 v;
void main() {
    v = vec4(a.y, b.w, c.z, e.x);
    gl_Position = vec4(e.z, d.w, b.x, 1.0);
}

//: legalize: varyings left to the vertex program
//: selection.inputs: rows of another read
//: selection.outputs: position in clip space
//: selection.outputs: varyings after the position
//: selection.outputs: w that is one
//: size 14
attribute vec4 a;
varying float single;
void main() {
    single = a.w - a.x;
    gl_Position = vec4(a.yzx, 1.0);
}

//: selection.outputs: position from a uniform
//: selection.outputs: varyings before the position
//: selection.outputs: w that is divided by
//: size 18
attribute vec4 a;
uniform vec4 u;
varying vec2 v, unset;
void main() {
    v = vec2(u.x, a.x);
    gl_Position = u;
}

//: selection.arithmetic: fabs(x)
//: selection.outputs: size of a point
//: size 15
attribute vec4 a;
void main() {
    gl_PointSize = abs(a.x) * 2.0 + 0.25;
    gl_Position = vec4(a.zyx, 1.0);
}

//: schedule.run: operand moved to another port
//: - primitive=points
//: size 24
attribute vec4 a;
varying mat2 m;
void main() {
    m = mat2(a.x, a.z, a.y, a.w);
    gl_Position = a;
}

//: size 23
attribute vec4 a;
varying vec2 list[3];
void main() {
    list[0] = a.yx;
    list[2] = a.wz;
    gl_Position = a * 0.5;
}

//: size 11
precision highp float;
varying vec4 a, unused, b;
void main() { gl_FragColor = vec4(a.y, b.z, b.x, a.w); }

//: - primitive=lines
//: size 10
precision highp float;
varying vec4 a;
void main() { gl_FragColor = a.wxzy; }

//: schedule.run: value in a file
//: selection.inputs: position inside of a point
//: selection.inputs: varying that is not used
//: size 9
precision highp float;
varying vec4 a;
void main() { gl_FragColor = vec4(gl_PointCoord.yx, a.zx); }

//: size 10
precision highp float;
varying vec4 a;
void main() { gl_FragColor = vec4(gl_PointCoord.y, a.zx, 1.0); }

//: folding: flags that are set already
//: selection.inputs: side of a triangle
//: size 17
precision highp float;
varying vec4 a;
void main() { gl_FragColor = gl_FrontFacing ? a : -a.wzyx; }

//: size 13
precision highp float;
varying vec4 a;
uniform float u;
void main() {
    if (a.x + u < 0.5) discard;
    gl_FragColor = a.yzwx * u;
}

//: - output=rgba8
//: size 11
precision highp float;
varying vec4 a;
void main() {
    if (a.x > 0.5) discard;
    gl_FragColor = vec4(0.2, step(0.0, a.y), a.z < 0.0 ? 0.4 : 0.6, 0.8);
}

//: schedule.bundle: MUL alone
//: schedule.bundle: both ALUs in one word
//: schedule.run: value in an accumulator
//: select: store
//: selection.conditions compares: flt(x, y)
//: selection.conditions: select(condition, x, y)
//: selection.emitter: number as a small immediate
//: selection.emitter: number as a word of the stream
//: selection.inputs: varying
//: selection.outputs: equal bytes at once
//: - output=rgba8
//: size 7
precision highp float;
varying vec4 a;
void main() { gl_FragColor = vec4(a.x < 0.25 ? 0.2 : 0.6); }

//: - output=rgba8
//: size 30
precision highp float;
varying vec4 a;
void main() { gl_FragColor = clamp(floor(a) * vec4(0.2, 0.4, 1.0, 2.0), 0.0, 1.0); }

//: selection.outputs clamps: fmax(x, 0.0)
//: selection.outputs clamps: fmin(x, 1.0)
//: - output=rgba8
//: size 23
precision highp float;
varying vec4 a;
void main() {
    vec4 c = floor(a);
    gl_FragColor = vec4(min(1.0, max(0.0, c.x)), max(0.0, min(c.y, 1.0)), min(max(c.z, 0.0), 1.0), 1.0);
}

//: schedule.run: signal in a word of others
//: select: ret
//: selection.outputs: undefined colour
//: - output=rgba8
//: size 4
precision highp float;
void main() {}

//: folding: computed into a peripheral
//: selection.arithmetic: fadd(x, y)
//: selection.arithmetic: fmul(x, y)
//: size 12
#extension GL_EXT_frag_depth : require
precision highp float;
varying vec4 a;
void main() {
    gl_FragColor = a.wyxz;
    gl_FragDepthEXT = a.z * 0.25 + 0.5;
}

//: select: kill
//: selection.outputs: written where not discarded
//: size 12
#extension GL_EXT_frag_depth : require
precision highp float;
varying vec4 a;
uniform float u;
void main() {
    if (a.x < u) discard;
    gl_FragColor = a.wyxz;
    gl_FragDepthEXT = a.z * 0.25 + 0.5;
}

//: selection.inputs: depth of a pixel
//: selection.inputs: position of a pixel
//: selection.inputs: w of a pixel
//: size 21
precision highp float;
varying vec4 a;
void main() {
    vec4 c = gl_FragCoord;
    gl_FragColor = vec4(c.x > -99.0 ? a.x : 9.0, c.y < 99.0 ? a.y : 8.0, c.z > -99.0 ? a.z : 7.0, c.w == 77.0 ? 6.0 : a.w);
}

//: selection.outputs: depth of the primitive
//: - depth=true output=rgba8
//: size 18
precision highp float;
varying vec4 a;
void main() { gl_FragColor = step(0.0, a.wzyx) * vec4(0.2, 0.4, 0.6, 0.8); }

//: - blend=add output=rgba8
//: size 25
precision highp float;
varying vec4 a;
void main() { gl_FragColor = step(0.0, a.wzyx) * vec4(0.2, 0.4, 0.6, 0.8); }

//: selection.outputs: colour mixed with that of the tile
//: - blend=premultiplied output=rgba8
//: size 22
precision highp float;
varying vec4 a;
void main() { gl_FragColor = vec4(step(0.0, a.zy), 0.2, 1.0); }

//: folding: product packed where it is computed
//: selection.arithmetic: number that is too large for an int
//: - output=rgba8
//: size 22
precision highp float;
varying vec4 a;
void main() { gl_FragColor = vec4(abs(floor(a.x)) * 0.2, step(0.25, a.y) * 0.4, abs(floor(a.z)) * 0.4, 1.0); }

//: selection.outputs: depth of the shader
//: - output=rgba8
//: size 20
#extension GL_EXT_frag_depth : require
precision highp float;
varying vec4 a;
void main() {
    gl_FragColor = step(0.0, a.wzyx) * vec4(0.2, 0.4, 0.6, 0.8);
    gl_FragDepthEXT = 0.0;
}

//: selection.outputs clamps: fmax(0.0, x)
//: selection.outputs clamps: fmin(1.0, x)
//: -fprecise output=rgba8
//: size 18
precision highp float;
varying vec4 a;
void main() { gl_FragColor = vec4(min(1.0, floor(abs(a.x))), max(0.0, floor(abs(a.y) * 0.5)), 0.2, 0.4); }

//: selection.outputs: texel as it is
//: - output=rgba8
//: size 7
precision mediump float;
varying vec2 at;
uniform sampler2D s;
void main() { gl_FragColor = clamp(texture2D(s, at.yx), 0.0, 1.0); }

//: selection.outputs: bytes of a texel replaced
//: - output=rgba8
//: size 10
precision mediump float;
varying vec2 at;
uniform sampler2D s;
void main() { gl_FragColor = vec4(1.0, texture2D(s, at).g, 0.4, texture2D(s, at).a); }

//: - output=rgba8
//: size 8
precision mediump float;
varying vec2 at;
uniform sampler2D s;
void main() { gl_FragColor = vec4(texture2D(s, at).rgb, 1.0); }

//: selection.outputs: colour that is known
//: - output=rgba8
//: size 4
precision mediump float;
void main() { gl_FragColor = vec4(0.2, 0.0, 1.0, 0.6); }

//: selection.outputs: byte by byte
//: selection.outputs: known bytes as a word
//: - output=rgba8
//: size 11
precision mediump float;
varying vec2 at;
void main() { gl_FragColor = vec4(0.4, step(0.0, at.x), 0.6, step(0.5, at.y)); }

//: stream: matrix in rows
//: -O s
struct S { float b[2]; mat2 m; };
uniform S s;
uniform mat2 u;
varying vec4 v;
void main() { v = vec4(3.0, u[0] * s.m, 0.0); gl_Position = vec4(s.b[0]); }
