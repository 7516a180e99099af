//: size 5
attribute vec4 a, b;
void main() { gl_Position = a.wxyz - b.yxwz; }

//: size 6
attribute vec4 a, b; uniform vec4 u;
void main() { gl_Position = vec4(a.zw + b.xy, a.x * -b.w, a.y - u.z); }

//: selection.arithmetic: fmax(x, y)
//: selection.arithmetic: fmin(x, y)
//: size 7
attribute vec4 a, b; uniform vec4 u;
void main() { gl_Position = min(a.wzyx, -u) * max(abs(b), a.yxwz); }

//: size 7
attribute vec4 a, b; uniform vec4 u, w;
void main() { gl_Position = a.yzwx * -u + w.wxyz * abs(b) - a; }

//: selection.arithmetic: ffract(x)
//: size 8
attribute vec4 a; varying vec3 v;
void main() { gl_Position = vec4(floor(a.xy), fract(a.zw)); v = floor(abs(a.wzy)) - fract(-a.yxw); }

//: selection.arithmetic: fmul(x, y)
//: selection.arithmetic: ftrunc(x)
//: size 4
precision highp float; varying vec4 v; uniform vec4 u;
void main() { gl_FragColor = float(int(v.x * 3.0)) + vec4(ivec4(v.yzwx * u)); }

//: selection.arithmetic: fexp2(x)
//: selection.arithmetic: frsqrt(x)
//: selection.arithmetic: fsqrt(x)
//: size 6
precision highp float; varying vec4 v;
void main() { float r = abs(v.y) + 0.5; gl_FragColor = vec4(1.0 / (v.x + 3.0), inversesqrt(r), sqrt(abs(v.z)), exp2(-v.w)); }

//: selection.arithmetic: fadd(x, y)
//: selection.arithmetic: flog2(x)
//: selection.arithmetic: frcp(x)
//: size 7
precision highp float; varying vec4 v;
void main() { gl_FragColor = vec4(log2(abs(v.x) + 0.25), 1.0 / (v.yzy + vec3(2.5, 3.0, 3.5))); }

//: selection.arithmetic: dot(x:3, y)
//: selection.arithmetic: dot(x:4, y)
//: size 4
precision highp float; varying vec4 v; uniform vec4 u;
void main() { gl_FragColor = vec4(dot(v.x, u.y), dot(v.zy, -u.xw), dot(v.wzx, u.yxz), dot(v, u.wyzx)); }

//: selection.arithmetic: dot(x:2, y)
//: selection.arithmetic: fadd(once(dot(x:2, y)), z)
//: size 6
precision highp float; varying vec4 v; uniform vec4 u;
void main() { gl_FragColor = vec4(dot(v.zy, u.xw) - v.x, u.y + dot(-v.zx, u.xw), 0.0, dot(v.wx, v.yz) + 1.5); }

//: selection.arithmetic: btof(flt(x, y))
//: size 6
precision highp float; varying vec4 v; uniform vec4 u;
void main() { gl_FragColor = vec4(lessThan(v, u.wzyx)) + 2.0 * vec4(lessThanEqual(v.wzyx, v)) + 4.0 * vec4(greaterThan(u.yxwz, v)); }

//: selection.arithmetic: btof(feq(x, y))
//: selection.arithmetic: btof(fne(x, y))
//: selection.arithmetic: ffloor(x)
//: size 7
precision highp float; varying vec4 v; uniform vec4 u;
void main() { gl_FragColor = vec4(equal(floor(v), floor(u.wzyx))) + 2.0 * vec4(notEqual(ceil(v.wzyx), floor(v))); }

//: size 10
precision highp float; varying vec4 v; uniform vec4 u;
void main() { bvec4 b = lessThan(v, u); bvec4 c = notEqual(v, v.wzyx); gl_FragColor = vec4(b.x && c.y, b.z || c.w, any(b) ^^ all(c), !b.y); }

//: -O 0
//: size 5
precision highp float; varying vec4 v; uniform vec4 u; uniform bool t;
void main() { bool b = v.x < u.y; bool c = v.y >= u.x; bool d = v.z == u.z, e = v.w != u.w; gl_FragColor = vec4(b, c, float(d) + float(t), e); }

//: selection.arithmetic: fmad(x, y, z)
//: selection.arithmetic: fstep(edge, x)
//: size 6
precision highp float; varying vec4 v; uniform vec4 u;
void main() { gl_FragColor = step(v.wxyz, u) + 2.0 * step(u.yxwz, v) + 4.0 * step(0.5, v.zwxy); }

//: selection.arithmetic: construct
//: selection.arithmetic: insert
//: -O 0
//: size 6
precision highp float; varying vec4 v; uniform vec4 u;
void main() { vec4 n = -v.yxwz; vec4 m = abs(u.wzyx); n.z = m.x; m = vec4(n.w, m.yz, -v.z); gl_FragColor = n * 2.0 + m; }

//: size 2
precision highp float; varying vec4 v; uniform vec4 u;
void main() { vec4 t = clamp(v * u.wxzy, 0.0, 1.0); gl_FragColor = vec4(t.yzw, clamp(v.x + u.y, 0.0, 1.0)); }

//: size 6
precision highp float; varying vec4 v; uniform vec4 u;
void main() { vec4 t = v * u.wxzy; gl_FragColor = vec4(t.yz + clamp(t, 0.0, 1.0).wx, clamp(-v.x, 0.0, 1.0), clamp(abs(u.x) - 0.5, 0.0, 1.0)); }

//: selection.arithmetic: fsaturate(x)
//: selection.arithmetic: fsub(x, y)
//: size 4
precision highp float; varying vec4 v; uniform vec4 u;
void main() { gl_FragColor = clamp(v.wyzx, 0.0, 1.0) - clamp(-u, 0.0, 1.0); }

//: selection.arithmetic: btof(fle(x, y))
//: -fprecise
//: size 7
precision highp float; varying vec4 v; uniform vec4 u;
void main() { gl_FragColor = vec4(length(v.x), distance(v.y, v.z), normalize(v.w), float(v.x <= v.y) + 2.0 * float(u.x >= v.z)); }
