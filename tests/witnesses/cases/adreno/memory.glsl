//: size 11
attribute mat3 m; attribute vec2 t; attribute float f;
void main() { gl_Position = vec4(m * vec3(t.yx, f), m[1].z - m[2].x); }

//: size 8
attribute float n; uniform vec4 a, u[5];
void main() { gl_Position = u[int(n + 2.0)] + a; }

//: size 8
attribute float n; uniform vec4 a, u[5];
void main() { gl_Position = u[int(floor(n)) + 2].wzyx - a; }

//: selection.memory: uniform, variable element of several constants
//: size 9
attribute vec2 n; uniform mat3 a, u[4];
void main() { gl_Position = vec4(u[int(abs(n.x))][2].zxy, u[int(abs(n.y)) + 1][1].x); }

//: selection.memory: index, any number
//: selection.memory: uniform, variable column
//: size 7
attribute vec2 n; uniform mat3 u;
void main() { gl_Position = vec4(u[int(abs(n.y))], n.x); }

//: selection.memory: uniform, both variable
//: size 8
attribute vec2 n; uniform mat3 a, u[3];
void main() { gl_Position = vec4(u[int(abs(n.y))][int(abs(n.x))].yxz, a[0].x); }

//: schedule.scalar_unit: test: 0 > x
//: size 9
attribute vec2 n; uniform mat2 a, u[3];
void main() { gl_Position = vec4(u[1][int(abs(n.x) * 0.5)], u[2][int(n.y < 0.0)]); }

//: size 17
attribute vec4 n; uniform ivec4 k; uniform bool t; uniform vec4 u[6];
void main() { gl_Position = u[k.x / 2 + 2] + u[int(t)].wzyx + u[int(ceil(abs(n.y)))].yxzw * 2.0 - u[int(abs(floor(n.z) * 2.0))].zwxy; }

//: size 12
attribute vec4 n; uniform vec4 u[6];
void main() { gl_Position = u[int(max(floor(n.x), 0.0))] + u[int(min(abs(floor(n.y)), 1.0))].wzyx + u[int(step(0.0, n.z)) + 1].yxzw * 2.0; }

//: -O 0
//: size 12
attribute vec4 n; uniform vec4 u[7];
void main() { gl_Position = u[int(-floor(n.x) + 2.0)] + u[int(floor(n.y) - floor(n.x) * 0.5 + 3.0)].wzyx; }

//: size 3
precision highp float; varying vec4 v;
void main() { gl_FragColor = gl_FragCoord.yxzw * v; }

//: selection.memory: gl_FragCoord, x and y
//: selection.memory: load
//: size 3
precision highp float; varying vec4 v;
void main() { gl_FragColor = vec4(gl_FragCoord.y, v.zx, gl_FragCoord.x); }

//: selection.memory: gl_FragCoord, z and w
//: size 3
precision highp float; varying vec4 v;
void main() { gl_FragColor = vec4(gl_FragCoord.w, v.zx, gl_FragCoord.z); }

//: selection.memory: gl_FrontFacing
//: selection.memory: gl_PointCoord
//: size 5
precision highp float; varying vec4 v;
void main() { gl_FragColor = vec4(gl_PointCoord.yx, v.w, gl_FrontFacing ? v.x : -v.y); }

//: size 5
precision highp float; varying vec4 v; varying vec2 w[2];
void main() { gl_FragColor = gl_FrontFacing ? v.wxyz : vec4(w[1], gl_FragCoord.zx) ; }

//: selection.memory: attribute
//: size 9
attribute vec4 a; varying mat2 m; varying vec3 w[2];
void main() { gl_Position = a.wzyx; gl_PointSize = abs(a.x) + 1.0; m = mat2(a.yxwz); w[0] = -a.xyz; w[1] = a.zww; }

//: selection.memory: store where <lambda>
//: size 6
#extension GL_EXT_draw_buffers : enable
precision highp float; varying vec4 v; varying mat2 m;
void main() { gl_FragData[0] = v.wxyz; gl_FragData[1] = vec4(m[1], -m[0]); gl_FragData[2] = v + 1.0; gl_FragData[3] = v.yyzz; }

//: -O 0
//: size 8
attribute vec4 n; uniform mat2 u[6];
void main() { int k = 2; gl_Position = vec4(u[k][int(abs(n.x) * 0.5)], u[1 + k][0]); }

//: size 5
uniform vec4 u[9]; uniform int k;
void main() { gl_Position = u[k + 4].wzyx; }

//: encode: relative constant
//: selection.memory: index, a whole number
//: selection.memory: uniform, variable element
//: size 4
uniform vec4 u[5]; uniform bool t;
void main() { gl_Position = u[int(t)].wzyx; }

//: size 8
attribute vec2 n; uniform vec4 u[5];
void main() { vec2 f = floor(n * 0.5 + 2.0); gl_Position = u[int(f.y)].wzyx * f.yxyx; }

//: size 8
attribute vec2 n; uniform vec4 u[5], f;
void main() { gl_Position = u[int(floor(n.y) * 0.75 + 2.0)]; }

//: size 11
attribute vec2 n; uniform vec4 u[5]; uniform ivec4 k;
void main() { gl_Position = u[int(abs(min(max(max(min(max(floor(n.y), float(k.x)), float(k.y)), float(k.z)), 0.0), 3.0)))]; }

//: size 13
attribute vec2 n; uniform vec4 u[5]; uniform ivec4 k;
void main() { gl_Position = u[int(abs(min(max(min(max(min(max(floor(n.y), float(k.x)), float(k.y)), float(k.z)), float(k.w)), 0.0), 3.0)))]; }

//: size 14
attribute vec2 n; uniform vec4 u[5]; uniform ivec4 k;
void main() { gl_Position = u[int(abs(min(max(max(min(max(min(max(floor(n.y), float(k.x)), float(k.y)), float(k.z)), float(k.w)), float(k.x)), 0.0), 3.0)))]; }

//: size 9
attribute vec4 p; attribute vec3 q; attribute vec2 r; attribute float s; varying vec4 v, w;
void main() { gl_Position = p; v = vec4(r.y, p.z, q.x, s); w = vec4(p.yzx, -p.w); }
