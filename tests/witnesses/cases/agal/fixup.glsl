//: fixup: constant moved
//: size 2
precision highp float;
uniform vec4 u, w;
void main() { gl_FragColor = u.yzwx - w; }

//: fixup: constant moved
//: size 3
precision highp float;
uniform vec4 u, w;
void main() { gl_FragColor = sqrt(abs(u.wxyz)); }

//: fixup: copy that several read
//: size 4
precision highp float;
uniform vec4 u, w, z;
void main() { gl_FragColor = (u.yzwx - w) * (u.wzyx + z); }

//: fixup: component added to a copy
//: size 6
precision highp float;
varying vec4 v;
uniform vec4 u, w, z;
void main() { gl_FragColor = vec4((u.y - w.x) * v.x, u.wz * z.xy, v.w); }

//: fixup: both sources from one copy
//: size 2
precision highp float;
uniform vec4 u;
void main() { gl_FragColor = u.yzwx * u.wxxy; }

//: fixup: vector beside a matrix moved
//: size 3
attribute vec4 a;
uniform mat4 u;
uniform vec4 w;
varying vec4 n;
void main() { gl_Position = u * w.wxyz; n = a; }

//: fixup: constant with an index moved
//: size 8
attribute vec4 a;
attribute float i;
uniform vec4 o, u[5];
void main() { gl_Position = u[int(clamp(i * 2.0, 0.0, 4.0))].wzyx - o; }

//: fixup: constant with an index moved
//: size 9
attribute vec4 a;
attribute float i;
uniform vec4 o, u[5];
void main() { gl_Position = o.wzyx * u[int(clamp(i * 2.0, 0.0, 4.0))].wzyx - o; }

//: fixup: constant with an index moved
//: size 14
attribute vec4 a;
attribute float i, j;
uniform vec4 o, u[5];
void main() { gl_Position = u[int(clamp(i * 2.0, 0.0, 4.0))].wzyx - u[int(clamp(j * 2.0, 0.0, 4.0))]; }

//: fixup: constant moved
//: size 9
precision highp float;
uniform vec4 u, w, z;
void main() { gl_FragColor = (w - u.yzwx) * (u.wzyx + z) + (z * u) * (z - w.yxwz); }

//: fixup: constant moved
//: size 6
precision highp float;
uniform vec4 u, w, z;
void main() { gl_FragColor = vec4(dot(u.yzw, w.xyz), dot(w, u.wzyx), dot(z, w.yzwx), 0.5); }

//: fixup: vector beside a matrix moved
//: size 6
attribute vec4 a;
uniform mat4 u;
uniform vec4 w, z;
varying vec4 n, m;
void main() { gl_Position = u * w.wxyz; n = a; m = (w - z) * (w.yzwx + z); }

//: fixup: constant moved
//: size 4
precision highp float;
uniform vec4 u;
varying vec4 v;
void main() { if (u.y > 0.25) discard; gl_FragColor = v; }

//: select: texture
//: size 2
precision highp float;
uniform vec4 u;
uniform sampler2D m;
void main() { gl_FragColor = texture2D(m, u.wy) * u.x; }

//: fixup: constant with an index moved
//: size 14
attribute vec4 a;
attribute float i;
uniform vec4 o, p, u[5];
void main() { int k = int(clamp(i * 2.0, 0.0, 3.0)); gl_Position = (u[k].wzyx - o) * (u[k].xzyw + p) * (o - p); }

//: fixup: vector beside a matrix moved
//: size 7
attribute vec4 a;
uniform vec4 o, p, w, u[4];
varying vec4 n;
void main() { gl_Position = vec4(w.yzx * mat3(u[1].xyz, u[2].xyz, u[3].xyz), a.x); n = (u[1] - o) * (u[1].yzwx + p); }

//: fixup: copy that several read
//: fixup: both sources from one copy
//: size 9
precision highp float;
uniform vec4 u, w, z;
void main() { gl_FragColor = u.yzwx * u.wxxy + (w - u) * (z + u.yyxx) - w * w.yzwx; }

//: fixup: constant with an index moved
//: size 17
attribute vec4 a;
attribute float i;
uniform vec4 o, u[5];
void main() { int k = int(clamp(i * 2.0, 0.0, 3.0)); gl_Position = (u[k].wzyx - o) + (u[k + 1] - u[k].yzwx) * (u[k].xxyy + o.wzyx) + (u[0] - o.yyzz); }
