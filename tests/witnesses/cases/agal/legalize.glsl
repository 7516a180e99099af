//: legalize: loop that nothing bounds
//: -O 2 agal_loop_limit=5
//: size 30
precision highp float;
varying vec4 v;
uniform int n;
void main() { vec4 c = v; for (int i = 0; i < n; i++) c = c.wxyz * 0.5 + v; gl_FragColor = c; }

//: legalize: depth from 0 to w
//: -O 2 agal_clip_z=True
//: size 3
attribute vec4 a;
void main() { gl_Position = a.xyzz; }

//: legalize: matrices in rows
//: size 3
attribute vec4 a;
uniform mat4 u;
varying vec3 n;
void main() { gl_Position = u * a.wxyz; n = mat3(u) * a.zxw; }

//: legalize: matrices in rows
//: size 2
attribute vec4 a;
uniform mat4 u, w;
void main() { gl_Position = u * (w * a.wxyz); }

//: select: vec_mat
//: size 16
attribute vec4 a;
uniform mat4 u, w;
void main() { mat4 m = u * w; gl_Position = m * a.wxyz + m[1]; }

//: select: fmul(x, y)
//: size 8
attribute vec4 a;
uniform mat4 u;
void main() { gl_Position = u * a.wxyz + u[1].yzwx; }

//: select: fmul(x, y)
//: size 5
attribute vec4 a;
uniform mat3 u, w;
void main() { gl_Position = vec4(u * a.wxy + w[2] * w[1].x, 1.0); }

//: rewrites.indices: column by index
//: size 13
attribute vec4 a;
attribute float i;
uniform mat4 u;
void main() { gl_Position = u * a.wxyz + u[int(clamp(i, 0.0, 3.0))].yzwx; }

//: legalize: loop that nothing bounds
//: -O 2 agal_version=2 agal_loop_limit=4
//: size 31
precision highp float;
varying vec4 v;
uniform int n;
void main() { vec4 c = v; int i = 0; while (i < n) { c = c.wxyz * 0.5 + v; i++; } gl_FragColor = c + float(i); }

//: select: fadd(x, y)
//: -O 2 agal_loop_limit=4
//: size 18
precision highp float;
varying vec4 v;
uniform int n;
void main() { vec4 c = v; for (int i = 0; i < 3 && i < n; i++) c = c.wxyz * 0.5 + v; gl_FragColor = c; }

//: legalize: depth from 0 to w
//: -O 2 agal_clip_z=True
//: size 5
attribute vec4 a;
varying vec4 n;
uniform mat4 u;
void main() { n = u * a.wzyx; gl_Position = vec4(n.xyz, n.z); }

//: rewrites.built_ins: gl_FrontFacing in a constant
precision highp float;
varying vec4 v;
uniform vec2 u;
void main() { gl_FragColor = gl_FrontFacing ? v * u.x : v.wzyx - u.y; }
