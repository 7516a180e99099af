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
