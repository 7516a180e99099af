//: -O 0
//: size 56
precision highp float;
varying vec4 a, b, c;
uniform vec4 u, w;
void main() {
    vec4 p = a * u + b, q = b * w - c, r = c * 0.375 + a.wzyx;
    gl_FragColor = p * q.yzwx - r * u.zxyw + (q + r) * 1.75 + abs(p.zwxy);
}

//: -O 1
//: size 48
precision highp float;
varying vec4 a, b, c;
uniform vec4 u, w;
void main() {
    vec4 p = a * u + b, q = b * w - c, r = c * 0.375 + a.wzyx;
    gl_FragColor = p * q.yzwx - r * u.zxyw + (q + r) * 1.75 + abs(p.zwxy);
}

//: size 47
precision highp float;
varying vec4 a, b, c;
uniform vec4 u, w;
void main() {
    vec4 p = a * u + b, q = b * w - c, r = c * 0.375 + a.wzyx;
    gl_FragColor = p * q.yzwx - r * u.zxyw + (q + r) * 1.75 + abs(p.zwxy);
}

//: -O 3
//: size 47
precision highp float;
varying vec4 a, b, c;
uniform vec4 u, w;
void main() {
    vec4 p = a * u + b, q = b * w - c, r = c * 0.375 + a.wzyx;
    gl_FragColor = p * q.yzwx - r * u.zxyw + (q + r) * 1.75 + abs(p.zwxy);
}

//: -O 0
//: size 100
attribute vec4 p;
attribute vec3 n;
attribute vec2 t;
uniform mat4 m, k;
uniform vec3 light, colour;
varying vec4 lit;
varying vec2 at;
void main() {
    vec4 world = m * p;
    vec3 normal = normalize(mat3(m) * n + 0.125);
    float diffuse = max(dot(normal, light - world.xyz), 0.0);
    lit = vec4(colour * diffuse + reflect(light, normal) * 0.25, world.w);
    at = t.yx * 0.5 + 0.25;
    gl_Position = k * world;
}

//: size 100
attribute vec4 p;
attribute vec3 n;
attribute vec2 t;
uniform mat4 m, k;
uniform vec3 light, colour;
varying vec4 lit;
varying vec2 at;
void main() {
    vec4 world = m * p;
    vec3 normal = normalize(mat3(m) * n + 0.125);
    float diffuse = max(dot(normal, light - world.xyz), 0.0);
    lit = vec4(colour * diffuse + reflect(light, normal) * 0.25, world.w);
    at = t.yx * 0.5 + 0.25;
    gl_Position = k * world;
}

//: schedule.run: what frees registers first
//: schedule.strategy: allocator's code shorter than that of blocks one by one
//: -O 0
//: size 214
precision highp float;
varying vec4 a;
uniform vec4 u;
void main() {
    float t[26];
    float sum = 0.0;
    for (int i = 0; i < 26; i++) t[i] = a.x * float(i) * 0.125 - a.y;
    for (int i = 0; i < 26; i++) sum = sum * 0.5 + t[25 - i] * t[i] + a.z;
    for (int i = 0; i < 26; i++) sum = sum * 0.25 - t[i];
    gl_FragColor = vec4(sum, a.w, sum * u.x, u.y);
}

//: integers: quotient of ints by floats
//: -O 0
//: size 215
precision highp float;
varying vec4 a;
uniform vec4 u;
void main() {
    float t[30];
    float sum = 0.0;
    for (int i = 0; i < 30; i++) t[i] = a.x * float(i) * 0.125 - a.y * a.w;
    for (int i = 0; i < 30; i++) sum = sum * 0.5 + t[i];
    for (int i = 0; i < 30; i++) sum = sum * 0.25 - t[(i * 7) - (i * 7) / 30 * 30];
    gl_FragColor = vec4(sum, a.w, sum * u.x, u.y);
}

//: schedule.across_blocks: too few registers across blocks
//: schedule.strategy: registers by the shared allocator
//: size 216
precision highp float;
varying vec4 a;
uniform vec4 u;
uniform int times;
void main() {
    float t[40];
    float sum = 0.0;
    for (int i = 0; i < 40; i++) t[i] = a.x * float(i) * 0.125 - a.y;
    for (int i = 0; i < 90; i++) { if (i > times) break; sum = sum * 0.5 + a.z; }
    for (int i = 0; i < 40; i++) t[i] = t[i] * sum - u.x;
    for (int i = 0; i < 90; i++) { if (i > times + 2) break; sum = sum * 0.5 - a.w; }
    for (int i = 0; i < 40; i++) sum = sum * 0.25 - t[39 - i];
    gl_FragColor = vec4(sum, a.w, sum * u.x, u.y);
}

//: - threaded=true
//: size 62
precision highp float;
varying vec4 a;
uniform sampler2D s;
void main() {
    vec4 t = texture2D(s, a.xy);
    gl_FragColor = a * a.wzyx + texture2D(s, t.zw + a.zw) * t - texture2D(s, a.yx) + texture2D(s, a.wz).yxwz;
}

//: schedule.strategy: two threads
//: schedule.texture_queue: entry of an earlier lookup
//: - threaded=true output=rgba8
//: size 16
precision highp float;
varying vec4 a;
uniform sampler2D s;
void main() { gl_FragColor = texture2D(s, texture2D(s, texture2D(s, a.xy).zw).yx + a.zw); }

//: schedule.threads: no switch between instructions that belong together
//: - threaded=true
//: size 26
precision highp float;
varying vec4 a;
uniform sampler2D s;
void main() {
    vec2 at = a.x < a.y ? a.xz : a.wy;
    vec4 t = texture2D(s, at);
    gl_FragColor = a.x < a.y ? t : t.wzyx;
}

//: - threaded=true
//: size 11
precision highp float;
varying vec4 a;
void main() { gl_FragColor = a.wzyx * a; }

//: - threaded=true output=rgba8
//: size 26
precision highp float;
varying vec4 a;
uniform sampler2D s, t;
uniform float u;
void main() {
    vec4 x = texture2D(s, a.xy), y = texture2D(t, a.zw), z = texture2D(s, a.yz);
    if (x.x < u) discard;
    vec4 w = texture2D(t, x.yz + y.xw);
    gl_FragColor = vec4(max(x.x, w.y), min(y.z, z.w), a.x < a.w ? w.x : z.y, min(w.z, y.x));
}

//: -O 0 threaded=true
//: size 48
precision highp float;
varying vec4 a, b;
uniform sampler2D s;
void main() {
    vec4 x = a * b, y = a.wzyx - b;
    vec4 t = texture2D(s, x.xy);
    gl_FragColor = t * x + texture2D(s, t.xy + y.zw) * y * (a.x < b.y ? 0.5 : 2.0);
}

//: folding: computed into the special function unit
//: selection.arithmetic: itof(x)
//: selection.special_functions: flog2(x)
//: selection.special_functions: logarithm without the rest
//: size 21
precision mediump float;
varying vec4 a;
uniform int n;
void main() {
    gl_FragColor = vec4(exp2(float(n)), log2(step(0.0, a.y) * 3.75 + 0.25), exp2(floor(a.x) * floor(a.z)), a.w);
}

//: - output=rgba8
//: size 23
precision highp float;
varying vec4 a;
void main() { gl_FragColor = vec4(floor(abs(a.x)) * 0.2, floor(abs(a.y)) * 0.4, step(0.0, a.z), 0.6); }

//: order: block in another order
//: size 536
precision highp float;
varying vec4 a;
uniform vec4 u;
void main() {
    float t[80];
    float x = 0.0, y = 0.0;
    for (int i = 0; i < 80; i++) t[i] = (a.x + float(i)) * (a.y - float(i) * 0.125);
    for (int i = 0; i < 80; i++) x = x * 0.5 + t[i];
    for (int i = 0; i < 80; i++) y = y * 0.25 - t[i] * a.z;
    gl_FragColor = vec4(x, y, x * u.x, a.w);
}

//: schedule.run: accumulator left to a value that can be nowhere else
//: size 88
#extension GL_OES_standard_derivatives : enable
precision highp float;
varying vec4 a, b;
void main() {
    vec3 p = a.xyz * b.w, q = a.yzw + b.x, n = cross(dFdx(p), dFdy(q));
    vec3 m = cross(dFdx(q * p), dFdy(p - q)) * dot(n, b.xyz);
    gl_FragColor = vec4(m + n * a.w, dFdx(dot(m, p)) + b.y);
}
