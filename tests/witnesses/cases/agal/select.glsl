//: select: fadd(x, y)
//: select: store
//: select: ret
//: size 1
attribute vec4 a, b;
void main() { gl_Position = a + b.wzyx; }

//: select: fsub(x, y)
//: size 1
attribute vec4 a, b;
void main() { gl_Position = a.yzwx - b.wzyx; }

//: select: fmul(x, y)
//: size 1
attribute vec4 a, b;
void main() { gl_Position = a.yzwx * b.wzyx; }

//: select: fdiv(x, y)
//: size 3
attribute vec4 a, b;
void main() { gl_Position = a.yzwx / (abs(b.wzyx) + 1.0); }

//: select: frcp(x)
//: size 4
attribute vec4 a, b;
void main() { gl_Position = vec4(1.0 / (abs(b.wzyx) + 1.0)) + a; }

//: select: fmin(x, y)
//: size 1
attribute vec4 a, b;
void main() { gl_Position = min(a.yzwx, b); }

//: select: fmax(x, y)
//: size 1
attribute vec4 a, b;
void main() { gl_Position = max(a.yzwx, b); }

//: select: ffract(x)
//: size 1
attribute vec4 a;
void main() { gl_Position = fract(a.yzwx); }

//: select: fsqrt(x)
//: select: fabs(x)
//: size 2
attribute vec4 a;
void main() { gl_Position = sqrt(abs(a.yzwx)); }

//: select: frsqrt(x)
//: size 3
attribute vec4 a;
void main() { gl_Position = inversesqrt(abs(a.yzwx) + 0.25); }

//: select: fpow(x, y)
//: size 3
attribute vec4 a, b;
void main() { gl_Position = pow(abs(a.yzwx) + 0.25, b); }

//: select: flog2(x)
//: size 3
attribute vec4 a;
void main() { gl_Position = log2(abs(a.yzwx) + 0.25); }

//: select: fexp2(x)
//: size 1
attribute vec4 a;
void main() { gl_Position = exp2(a.yzwx); }

//: select: fsin(x)
//: size 1
attribute vec4 a;
void main() { gl_Position = sin(a.yzwx); }

//: select: fcos(x)
//: size 1
attribute vec4 a;
void main() { gl_Position = cos(a.yzwx); }

//: select: fneg(x)
//: size 2
attribute vec4 a, b;
void main() { gl_Position = vec4(-a.y, b.xyz); }

//: select: fsaturate(x)
//: size 1
attribute vec4 a;
void main() { gl_Position = clamp(a.yzwx, 0.0, 1.0); }

//: select: fstep(edge, x)
//: size 1
attribute vec4 a, b;
void main() { gl_Position = step(a.yzwx, b); }

//: select: dot(x:3, y)
//: size 2
attribute vec4 a, b;
void main() { gl_Position = vec4(dot(a.yzw, b.xyz), a.xyz); }

//: select: dot(x:4, y)
//: size 2
attribute vec4 a, b;
void main() { gl_Position = vec4(dot(a.yzwx, b), a.xyz); }

//: select: normalize(x:3)
//: size 3
attribute vec4 a;
void main() { gl_Position = vec4(normalize(a.yzw + 0.125), a.x); }

//: select: cross(x, y)
//: size 2
attribute vec4 a, b;
void main() { gl_Position = vec4(cross(a.yzw, b.xyz), a.x); }

//: select: ddx(x)
//: -O 2 agal_version=2
//: size 1
#extension GL_OES_standard_derivatives : enable
precision highp float;
varying vec4 v;
void main() { gl_FragColor = dFdx(v.wzyx); }

//: select: ddy(x)
//: -O 2 agal_version=3
//: size 1
#extension GL_OES_standard_derivatives : enable
precision highp float;
varying vec4 v;
void main() { gl_FragColor = dFdy(v.wzyx); }

//: select sets: flt(x, y)
//: select: btof(test)
//: size 1
attribute vec4 a, b;
void main() { gl_Position = vec4(lessThan(a.yzwx, b)); }

//: select sets: feq(x, y)
//: size 5
attribute vec4 a, b;
void main() { gl_Position = vec4(equal(floor(a.yzwx), floor(b))); }

//: select sets: fne(x, y)
//: size 5
attribute vec4 a, b;
void main() { gl_Position = vec4(notEqual(floor(a.yzwx), floor(b))); }

//: select: numbers of several comparisons
//: size 4
attribute vec4 a, b;
void main() { gl_Position = vec4(bvec4(a.y < b.x, a.w <= b.y, a.z < b.x, a.x == b.w)); }

//: select: kill(flt(x, y))
//: size 3
precision highp float;
varying vec4 v;
void main() { if (v.x < v.w) discard; gl_FragColor = v.wzyx; }

//: select: kill(flt(x, y))
//: size 3
precision highp float;
varying vec4 v;
void main() { if (v.x > v.w) discard; gl_FragColor = v.wzyx; }

//: select: kill(flt(0.0, y))
//: size 3
precision highp float;
varying vec4 v;
void main() { if (v.y > 0.0) discard; gl_FragColor = v.wzyx; }

//: select: kill(flt(x, 0.0))
//: size 2
precision highp float;
varying vec4 v;
void main() { if (v.y < 0.0) discard; gl_FragColor = v.wzyx; }

//: select: kill(condition)
//: size 4
precision highp float;
varying vec4 v;
void main() { if (v.x <= v.w) discard; gl_FragColor = v.wzyx; }

//: select: kill(condition)
//: size 9
precision highp float;
varying vec4 v;
void main() { if (v.x < v.w || floor(v.y) == floor(v.z)) discard; gl_FragColor = v.wzyx; }

//: select: kill(condition)
//: size 11
precision highp float;
varying vec4 v, w;
void main() { if (any(equal(floor(v), floor(w.wzyx)))) discard; gl_FragColor = v.wzyx; }

//: select: condition that is constant
//: size 3
precision highp float;
varying vec4 v;
void main() { discard; gl_FragColor = v.wzyx; }

//: select: vec_mat
//: legalize: matrices in rows
//: size 1
attribute vec4 a;
uniform mat4 u;
void main() { gl_Position = u * a.wxyz; }

//: select: vec_mat
//: size 3
attribute vec4 a;
uniform mat4 o, u;
uniform mat3 m;
varying vec3 n;
void main() { gl_Position = a * u; n = m * a.yzw; }

//: select: colour of several origins
//: size 4
precision highp float;
varying vec4 v, w;
uniform vec4 u;
void main() { gl_FragColor = vec4(w.z, v.yx, u.w); }

//: select: construct
//: size 4
attribute vec4 a, b;
void main() { vec4 c = vec4(a.wy, b.zx); gl_Position = c * c.wzyx + a; }

//: select: insert
//: -O 0
//: size 3
attribute vec4 a, b;
void main() { vec4 c = a; c.z = b.w; gl_Position = sin(c.wzyx); }

//: select: output that is not written
//: size 1
precision highp float;
varying vec4 v;
void main() { vec4 c; gl_FragColor = c; }

//: select: texture
//: size 3
precision highp float;
varying vec4 v;
uniform sampler2D m, n;
void main() { gl_FragColor = texture2D(n, v.wy).wxyz - texture2D(m, v.xz); }

//: select: texture
//: size 2
precision highp float;
varying vec4 v;
uniform samplerCube m;
void main() { gl_FragColor = textureCube(m, v.wyz).wxyz; }

//: select: load
//: -O 2 agal_version=3
//: size 2
#extension GL_EXT_draw_instanced : require
attribute vec4 a;
void main() { gl_Position = a.wzyx * float(gl_InstanceIDEXT); }

//: select: component that means nothing
//: size 3
attribute vec4 a;
varying vec2 n;
varying vec2 m;
void main() { gl_Position = a; vec4 c; c.y = 0.0; m = a.zy; n = c.xy; }

//: select: kill(condition)
//: size 5
precision highp float;
varying vec4 v;
uniform bool q;
void main() { if (q) discard; gl_FragColor = v.wzyx; }

//: select: colour of several origins
//: select: fadd(x, y)
//: size 4
precision highp float;
varying vec4 v, w;
void main() { gl_FragColor = vec4((v + w).zx, v.y * w.z, 0.5); }

//: select: store
//: size 5
attribute vec4 a, b;
varying vec3 n;
varying vec2 m;
varying float k;
void main() { n = a.wzy - b.xyz; m = a.yx + b.zw; k = a.w * b.x; gl_Position = vec4(b.zyx, a.x + 0.25); }

//: select: store
//: -O 2 agal_version=2
//: size 8
#extension GL_EXT_draw_buffers : require
#extension GL_EXT_frag_depth : require
precision highp float;
varying vec4 v, w;
void main() { gl_FragData[0] = v.wzyx + w; gl_FragData[1] = vec4(v.xy, w.zx); gl_FragData[2] = vec4(-0.0, v.x, 0.0, 1.0); gl_FragDepthEXT = w.z - v.y; }

//: select: store
//: -O 2 agal_version=2
//: size 19
#extension GL_EXT_frag_depth : require
precision highp float;
varying vec4 v, w;
uniform vec4 u;
void main() {
    vec4 c = sin(v);
    float d = v.w;
    if (v.x < u.y) { c = normalize(sin(c.wzyx) + u) + normalize(cos(c) * u); d = c.y * w.x; }
    gl_FragColor = c;
    gl_FragDepthEXT = d;
}

//: select: store
//: -O 2 agal_version=2
//: size 19
attribute vec4 a;
uniform vec4 u;
varying vec3 n;
void main() {
    vec4 c = sin(a);
    n = a.wzy;
    if (a.x < u.y) { c = normalize(sin(c.wzyx) + u) + normalize(cos(c) * u); n = c.yzx; }
    gl_Position = c;
}

//: select: texture
//: -O 2 agal_version=2
//: size 17
precision highp float;
varying vec4 v;
uniform vec4 u;
uniform sampler2D m;
void main() {
    vec4 c = sin(v);
    if (v.x < u.y) c = normalize(sin(c.wzyx) + u) + texture2D(m, v.wy) * normalize(cos(c) * u);
    gl_FragColor = c;
}

//: select: texture
//: -O 2 agal_version=2
//: size 21
precision highp float;
varying vec4 v;
uniform vec4 u;
uniform sampler2D m;
void main() {
    vec4 c = sin(v);
    if (v.x < u.y) c = normalize(sin(c.wzyx) + u) + texture2D(m, c.wy) * normalize(cos(c) * u);
    gl_FragColor = c;
}

//: select: ddx(x)
//: -O 2 agal_version=2
//: size 22
#extension GL_OES_standard_derivatives : enable
precision highp float;
varying vec4 v;
uniform vec4 u;
void main() {
    vec4 c = sin(v);
    if (u.x != u.y) c = normalize(sin(c.wzyx) + u) + dFdx(v.wyxz) * normalize(cos(c) * u);
    gl_FragColor = c;
}

//: select: texture
//: -O 2 agal_version=2
//: size 23
precision highp float;
varying vec4 v, w;
uniform vec4 u;
uniform sampler2D m;
void main() {
    vec4 c = sin(v);
    if (v.x < u.y) c = normalize(sin(c.wzyx) + u) + texture2D(m, vec2(v.w, w.y)) * normalize(cos(c) * u);
    gl_FragColor = c;
}
