//: rewrites.reassociate: c + a * b
//: size 6
attribute vec3 a; uniform mat4 m;
void main() { gl_Position = m * vec4(a, 1.0); }

//: size 5
attribute vec3 a; uniform mat4 m; uniform vec4 u;
void main() { gl_Position = u + (m[0] * a.x + m[1] * a.y); }

//: size 4
attribute vec3 a; uniform mat4 m; uniform vec4 u;
void main() { gl_Position = m[0] * a.x + u.wzyx; }

//: size 6
attribute vec3 a; uniform mat4 m; uniform vec4 u;
void main() { gl_Position = (m[0] * a.x - m[1] * a.y) - u; }

//: size 7
attribute vec3 a; uniform mat4 m; uniform vec4 u; varying vec4 v;
void main() { vec4 t = m[0] * a.x + m[1] * a.y; gl_Position = t + u; v = t; }

//: -fprecise
//: size 7
attribute vec3 a; uniform mat4 m;
void main() { gl_Position = m * vec4(a, 1.0); }

//: size 5
precision highp float; varying vec2 v; uniform vec2 d; uniform sampler2D s;
void main() { gl_FragColor = texture2D(s, v + d) + 2.0 * texture2D(s, v - d); }

//: size 14
precision highp float; varying vec2 v; uniform vec2 d; uniform sampler2D s;
void main() { gl_FragColor = texture2D(s, v + d) + 2.0 * texture2D(s, v - d) + 3.0 * texture2D(s, v + d * 2.0) + 4.0 * texture2D(s, v + d * vec2(-2.0, 3.0)) + texture2D(s, d * 4.0 + v); }

//: rewrites.join_offsets: offset a + b with exchanged operands
//: size 9
precision highp float; varying vec2 v; uniform vec2 d; uniform sampler2D s;
void main() { gl_FragColor = texture2D(s, v.yx + d) + 2.0 * texture2D(s, d + v.yx * 0.5) + 3.0 * texture2D(s, d - v.yx); }

//: rewrites.join_offsets: offset a + b
//: rewrites.join_offsets: offset a + b * constant
//: rewrites.join_offsets: offset a - b
//: size 2
precision highp float; varying vec4 v; uniform vec4 u;
void main() { gl_FragColor = vec4(v.x + u.y, v.x - u.y, v.x + u.y * 3.0, u.y * -0.5 + v.x); }

//: size 5
precision highp float; varying vec4 v; uniform vec4 u;
void main() { float a = v.x + u.y, b = v.x - u.y, c = v.x + u.y * 3.0, d = u.y * -0.5 + v.x, e = v.x + 5.0 * u.y; gl_FragColor = vec4(a * b, c * d, e * a, b * c); }

//: size 4
precision highp float; varying vec4 v; uniform vec4 u;
void main() { vec3 a = v.xyz + u.yzw, b = v.xyz - u.yzw; gl_FragColor = vec4(a * b, v.x + v.x); }

//: -fprecise
//: size 6
precision highp float; varying vec2 v; uniform vec2 d; uniform sampler2D s;
void main() { gl_FragColor = texture2D(s, v + d) + 2.0 * texture2D(s, v - d); }

//: rewrites.hardware_loops: loop that the machine counts, tested at the head
//: -O s
//: size 10
precision highp float; varying vec4 v;
void main() { vec4 t = v; for (int i = 0; i < 40; i++) t = fract(t.yzwx * 1.25 + v); for (int j = 0; j < 40; j++) t = t.wzyx * 0.5; gl_FragColor = t; }

//: rewrites.hardware_loops: loop that the machine counts, tested at the end
//: -O s
//: size 7
precision highp float; varying vec4 v;
void main() { vec4 t = v; int i = 0; do { t = fract(t.yzwx * 1.25 + v); i += 3; } while (i < 100); gl_FragColor = t; }

//: -O s
//: size 7
precision highp float; varying vec4 v;
void main() { vec4 t = v; int i = 0; for (; i < 40; i++) t = fract(t.yzwx * 1.25 + v); gl_FragColor = t + float(i); }

//: -O s
//: size 10
precision highp float; varying vec4 v;
void main() { vec4 t = v; for (int i = 0; i < 300; i++) t = fract(t.yzwx * 1.25 + v); gl_FragColor = t; }

//: size 7
attribute vec3 a; uniform mat4 m; uniform vec4 u;
void main() { gl_Position = (m[0] * a.x - m[1] * a.y) + floor(u.wzyx); }

//: size 7
attribute vec3 a; uniform mat4 m; uniform vec4 u;
void main() { vec4 t = m[0] * a.x + m[1] * a.y; gl_Position = max(u, a.zxyy) + t * 2.0; }

//: rewrites.reassociate: a * b + c
//: size 6
attribute vec3 a; uniform mat4 m; uniform vec4 u;
void main() { gl_Position = (m[0] * a.x + m[1] * a.y) + floor(u.wzyx); }

//: size 6
attribute vec3 a; uniform mat4 m; uniform vec4 u;
void main() { gl_Position = floor(u.wzyx) + (m[0] * a.x + m[1] * a.y); }

//: rewrites.join_offsets: offset a + b
//: rewrites.join_offsets: offset a - b
// A base that is itself one of several offsets.
precision mediump float;
uniform sampler2D s; uniform vec2 t; varying vec2 p;
void main() {
    vec2 dx = vec2(t.x, 0.0), dy = vec2(0.0, t.y);
    gl_FragColor = texture2D(s, p + dx - dy) * 0.25 + texture2D(s, p + dx + dy).wzyx * 0.5 + texture2D(s, p - dx);
}
