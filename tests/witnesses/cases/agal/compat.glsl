//: compat: dot product of four for a narrow attribute
//: size 2
attribute vec2 a;
attribute vec4 p;
uniform vec4 u;
varying float v;
void main() { v = dot(u.zxy, vec3(a.yx, 1.0)); gl_Position = p; }

//: compat: narrow attribute copied
//: - agal_compat=ruffle
//: size 3
attribute vec3 a;
attribute vec4 p;
uniform vec4 u;
varying float v;
void main() { v = dot(u.zxy, vec3(a.zx, 1.0)); gl_Position = p; }

//: compat: token that reads a row comes first
//: size 2
attribute vec4 p;
uniform mat4 m;
varying vec4 v;
void main() { gl_Position = p * m; v = m[0] * p.wzxy; }

//: compat: token that reads a row added
//: - agal_compat=openfl
//: size 4
attribute vec4 p;
uniform mat4 m;
varying vec4 v;
void main() { gl_Position = p * m; v = vec4(dot(gl_Position.wxyz, m[0])); }
