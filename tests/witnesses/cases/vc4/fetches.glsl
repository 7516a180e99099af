//: folding: r4 read directly
//: selection.arithmetic: ftoi(x)
//: selection.fetches: load where <lambda>
//: size 18
precision highp float;
varying vec4 a;
uniform vec3 table[5];
void main() {
    int n = int(abs(a.x) * 2.0);
    gl_FragColor = vec4(table[n].zx, table[2].y, a.w);
}

//: selection.arithmetic: iadd(x, y)
//: selection.arithmetic: isub(x, y)
//: size 32
precision highp float;
varying vec2 a;
uniform vec4 first[3], second[4];
void main() {
    int n = int(a.x * 3.0);
    gl_FragColor = vec4(first[n].y, second[n + 1].w, first[2 - n].z, second[n].x + a.y);
}

//: size 44
precision highp float;
varying vec2 a;
uniform mat3 m[3];
uniform mat2 single;
void main() {
    int n = int(abs(a.x) * 1.5), k = int(abs(a.y) * 1.5);
    gl_FragColor = vec4(m[n][1].y, m[2][k].z, m[n][k].x, single[k < 2 ? k : 1].y);
}

//: selection.fetches: column after a fixed element
//: selection.fetches: column and element that are not known
//: selection.fetches: column that is not known
//: size 36
precision highp float;
varying vec2 a;
uniform mat3 m[3];
uniform vec2 u;
void main() {
    int n = int(a.x * 1.5), k = int(a.y * 1.5);
    gl_FragColor = vec4(m[n][k].z, m[1][k].y, m[k][2].x, u.y);
}

//: size 78
uniform vec4 table[6];
uniform mat4 m[2];
attribute vec4 p;
attribute float n;
varying vec3 v;
void main() {
    v = table[int(abs(n)) + 2].zyx;
    gl_Position = m[int(abs(n) * 0.5)] * p;
}

//: size 36
precision highp float;
varying vec4 a;
uniform sampler2D s, t;
void main() { gl_FragColor = texture2D(t, a.xy).wzyx + texture2D(s, a.wz) * 0.5; }

//: selection.fetches: channel by channel
//: size 21
precision highp float;
varying vec4 a;
uniform sampler2D s[3];
void main() { gl_FragColor = vec4(texture2D(s[2], a.zw).x, texture2D(s[0], a.xy).y, texture2D(s[1], a.yx).z, a.w); }

//: size 39
precision highp float;
varying vec4 a;
uniform samplerCube s;
void main() { gl_FragColor = textureCube(s, a.zxy + vec3(0.125, 0.0625, 0.03)); }

//: size 33
precision highp float;
varying vec4 a;
uniform sampler2D s;
uniform vec2 u;
void main() { gl_FragColor = texture2D(s, u) + texture2D(s, vec2(a.x, 0.3125)); }

//: size 28
precision highp float;
varying vec4 a;
uniform sampler2D s;
void main() { gl_FragColor = texture2D(s, texture2D(s, a.xy).zw + a.zw).yxwz; }

//: size 78
precision highp float;
varying vec4 a;
uniform sampler2D s;
void main() {
    vec4 sum = texture2D(s, a.xy) + texture2D(s, a.yz) * 2.0 - texture2D(s, a.zw);
    gl_FragColor = sum * texture2D(s, a.wx) + texture2D(s, a.xz) * texture2D(s, a.yw).x;
}

//: selection.fetches: bytes of a texel
//: selection.fetches: texture where _is_fetch
//: - output=rgba8
//: size 7
precision highp float;
varying vec4 a;
uniform sampler2D s;
void main() { gl_FragColor = texture2D(s, a.xy); }

//: selection.fetches: depth in a texel
//: - output=rgba8
//: size 18
#version 120
varying vec4 a;
uniform sampler2DShadow s;
void main() { gl_FragColor = shadow2D(s, a.xyz); }

//: legalize: direction to a cube map scaled
//: selection.fetches: third coordinate
//: - output=rgba8
//: size 30
precision highp float;
varying vec4 a;
uniform sampler2D s;
uniform samplerCube t;
void main() { gl_FragColor = vec4(texture2D(s, a.xy).zx, textureCube(t, a.zwy + 0.125).yw); }

//: selection.arithmetic: fmin(x, y)
//: selection.fetches: coordinate from the stream
//: - output=rgba8
//: size 25
precision highp float;
varying vec4 a;
uniform sampler2D s;
uniform vec2 u;
void main() {
    vec4 x = texture2D(s, a.xy), y = texture2D(s, a.zw);
    gl_FragColor = vec4(max(x.x, y.w), min(x.z, y.y), texture2D(s, u).x, a.x < a.y ? x.w : y.z);
}

//: selection.fetches: level of detail
//: selection.fetches: level of detail where none can be computed
//: - output=rgba8
//: size 33
attribute vec4 p;
uniform sampler2D s;
uniform samplerCube t;
varying vec4 v;
void main() {
    v = texture2D(s, p.xy).wxyz;
    gl_Position = vec4(textureCubeLod(t, p.zwx + 0.125, 0.0).xyz, 1.0);
}

//: size 50
attribute vec4 p;
uniform sampler2D s;
varying vec4 v;
void main() {
    v = texture2D(s, p.yx) - texture2DLod(s, p.wz, 0.0);
    gl_Position = p;
}

//: selection.fetches: ddx(x)
//: selection.fetches: ddy(x)
//: size 26
#extension GL_OES_standard_derivatives : enable
precision highp float;
varying vec4 a;
void main() { gl_FragColor = vec4(dFdx(a.x), dFdy(a.y * a.z), dFdx(a.z), dFdy(a.x)) + a.w; }

//: size 31
#extension GL_OES_standard_derivatives : enable
precision highp float;
varying vec4 a;
uniform float u;
void main() { gl_FragColor = vec4(fwidth(a.x * a.y), dFdx(dFdy(a.z * u)), dFdy(-a.w), dFdx(u)); }

//: selection.arithmetic: product of ints
//: selection.fetches: element after a fixed one
//: size 35
precision highp float;
varying vec2 a;
struct Part { float x; vec4 v[3]; };
uniform Part parts[4];
void main() {
    int n = int(abs(a.x) * 1.5);
    gl_FragColor = vec4(parts[n].v[1].zy, parts[n].v[2].w, parts[n].x + a.y);
}

//: size 55
precision highp float;
varying vec2 a;
void main() {
    vec2 t[5];
    t[0] = vec2(0.5, 3.0); t[1] = vec2(-1.0, 0.25); t[2] = vec2(2.0, -0.5); t[3] = vec2(1.5, 4.0); t[4] = vec2(7.0, 0.75);
    gl_FragColor = vec4(t[int(a.x * 3.0)].yx, pow(t[int(a.y * 3.0)].x * 0.1, 2.5), 1.0);
}
