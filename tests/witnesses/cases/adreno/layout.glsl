//: finalize: ALLOC of no parameters
//: size 4
attribute vec4 a;
void main() { gl_Position = a; }

//: fixup: vertex fetches first
//: size 5
attribute vec4 a; varying vec4 v;
void main() { v = a.wzyx; gl_Position = a; }

//: finalize: ALLOC of position and point size
//: size 6
attribute vec4 a; varying vec4 v;
void main() { v = a.wzyx; gl_Position = a; gl_PointSize = a.z; }

//: fixup: the position first
//: size 4
uniform vec4 u; varying vec2 v;
void main() { v = u.yx; gl_Position = vec4(0.0); }

//: fixup: an output of zeros
//: size 2
precision highp float; varying vec4 v;
void main() { }

//: fixup: absolute value of a uniform
//: size 7
precision highp float; varying vec4 v; uniform vec4 u;
void main() { vec4 c = abs(u.wzyx) * v; gl_FragColor = c + abs(u.yzxw) * 2.0 - abs(-u); }

//: size 6
precision highp float; varying vec4 v; uniform vec4 u;
void main() { gl_FragColor = vec4(abs(u.z), v.x - abs(u.y), abs(-u.xw) * v.zy); }

//: size 10
attribute vec4 a, b; varying vec4 v, w;
void main() { v = a * 2.0 + b.wzyx; w = floor(v) + a; gl_Position = b + fract(a); }

//: -O 1
//: size 17
attribute vec4 a, b; varying vec4 v;
void main() { if (a.x > 0.0) { v = b; } else { v = a * 2.0; v = fract(v * v + a) + v.wzyx; v = floor(v * 8.0); v = v * a.yxwz - a; } gl_Position = a + b.yzwx; }

//: finalize: a NOP for an even number of clauses
//: size 9
precision highp float; varying vec4 v; uniform vec4 u;
void main() { vec4 c = v * u; c = c.yzwx * c + v; c = c.wxyz * c + u; c = c.yxwz * c - v; c = fract(c) * c.wzyx + u.yxwz; gl_FragColor = c * c.zwxy + v; }

//: - attributes=interleaved
//: size 7
attribute vec3 a; attribute vec2 b; attribute float c; attribute vec4 d;
void main() { gl_Position = vec4(a.zx, b.y, c) * d.wxyz; }

//: fixup: limit in the move before
//: fixup: limit in the operation before
//: size 3
precision highp float; varying vec4 v;
void main() { gl_FragColor = vec4(clamp(gl_PointCoord, 0.0, 1.0).yx, v.yz); }

//: size 8
precision highp float; varying vec4 v;
void main() { gl_FragColor = v; for (;;) { if (v.x > -3.0) discard; } }

//: size 4
precision highp float; varying vec4 v; uniform vec4 u;
void main() { vec4 t = v * u; gl_FragColor = clamp(t, 0.0, 1.0) + t.wzyx; }

//: size 12
attribute vec4 a, b; varying vec4 v, w; uniform vec4 u;
void main() { gl_Position = a.wzyx; vec4 t = floor(b * u + a); t = fract(t * 0.75) + b; v = t * t.wzyx; w = t - u; }

//: size 20
attribute vec4 a, b; varying vec4 v, w; uniform vec4 u;
void main() { gl_Position = a.wzyx; vec4 t = floor(b * u + a); t = fract(t * 0.75) + b; t = floor(t * u.x + a.yxwz) - u.wxyz; t = fract(t * u.yzwx) + a; v = t * t.wzyx; w = t - u; gl_PointSize = b.x; }
