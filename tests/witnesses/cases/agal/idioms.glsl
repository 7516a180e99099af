//: rewrites.idioms: ffloor as fsub ffract
//: size 2
attribute vec4 a;
void main() { gl_Position = floor(a.wzyx); }

//: rewrites.idioms: fceil as fadd ffract fneg
//: size 3
attribute vec4 a;
void main() { gl_Position = ceil(a.wzyx); }

//: rewrites.idioms: ftrunc as fadd fsub fmul ffract flt btof
//: size 7
attribute vec4 a;
void main() { gl_Position = vec4(ivec4(a.wzyx * 2.0)); }

//: rewrites.idioms: fsign as fsub flt btof
//: size 5
attribute vec4 a;
void main() { gl_Position = sign(floor(a.wzyx)); }

//: rewrites.idioms: fmod as fsub fmul ffract ffloor fdiv
//: size 7
attribute vec4 a, b;
void main() { gl_Position = mod(a.wzyx, abs(b) + 0.25); }

//: rewrites.idioms: fmod as fsub fmul ffract ffloor fdiv
//: size 5
attribute vec4 a;
void main() { gl_Position = mod(a.wzyx, vec4(3.0, 0.5, 1.0, 2.0)); }

//: rewrites.idioms: fmod as fsub fmul ffract ffloor fdiv
//: size 5
attribute vec4 a;
void main() { gl_Position = mod(a.wzyx, -0.5); }

//: rewrites.idioms: modulus of a power of two
//: size 3
attribute vec4 a;
void main() { gl_Position = mod(a.wzyx, vec4(2.0, 0.5, 1.0, 4.0)); }

//: rewrites.idioms: normalize as fmul frsqrt dot
//: size 4
attribute vec4 a, b;
void main() { gl_Position = normalize(a.wzyx + 0.125); }

//: rewrites.idioms: normalize as fmul frsqrt dot
//: rewrites.idioms: dot as fadd fmul
//: size 6
attribute vec4 a, b;
void main() { gl_Position = vec4(normalize(a.wz + 0.125), b.yx); }

//: rewrites.idioms: dot as fadd fmul
//: size 3
attribute vec4 a, b;
void main() { gl_Position = vec4(dot(a.wy, b.xz), a.xyz); }

//: select: vec_mat
//: size 8
attribute vec4 a;
uniform mat4 u;
varying vec4 n;
void main() { gl_Position = u * a.wxyz; n = a * u; }

//: rewrites.idioms: vec_mat as fadd fmul dot
//: rewrites.idioms: product with a matrix of two rows
//: size 4
attribute vec4 a;
uniform mat2 u;
void main() { gl_Position = vec4(u * a.wy, a.zx); }

//: select: fmul(x, y)
//: size 7
precision highp float;
varying vec4 v, x, y, z;
void main() { gl_FragColor = vec4(mat3(x.wyz, y.xyw, z.yxz) * v.wzx, v.y); }

//: rewrites.idioms: product with a matrix by dot products
//: size 5
precision highp float;
varying vec4 v, x, y, z;
void main() { gl_FragColor = vec4(v.wzx * mat3(x.wyz, y.xyw, z.yxz), v.y); }

//: rewrites.idioms: attribute of fewer components
//: size 7
attribute vec3 a;
attribute vec2 b;
attribute float c;
void main() { gl_Position = vec4(a.zy, b.y, c) + vec4(b, a.xy) * c; }

//: rewrites.idioms: vector that is an attribute
//: size 1
attribute vec3 a;
void main() { gl_Position = vec4(a, 1.0); }

//: rewrites.idioms: vector that is an attribute
//: size 1
attribute vec2 a;
void main() { gl_Position = vec4(a.yx, 1.0, 0.0); }

//: rewrites.idioms: constant beside an attribute
//: size 2
attribute vec2 a;
attribute vec3 b;
void main() { gl_Position = vec4(a.x, 1.0, b.y, 0.0); }

//: rewrites.idioms: constant beside an attribute
//: size 2
attribute vec3 a;
void main() { gl_Position = vec4(a.x, 1.0, 0.0, -1.0); }

//: rewrites.idioms: constant beside an attribute
//: size 3
attribute vec2 a;
attribute vec4 b;
void main() { gl_Position = vec4(a.x, 1.0, 0.5, b.w); }

//: rewrites.idioms: vector that is an attribute
//: size 1
attribute vec3 a;
uniform mat4 u;
void main() { gl_Position = u * vec4(a, 1.0); }

//: select: vec_mat
//: size 3
attribute vec4 a;
uniform mat4 u;
varying vec3 n;
void main() { gl_Position = a; n = (u * vec4(a.wzy, 0.0)).yzx; }

//: select: vec_mat
//: size 3
attribute vec4 a;
uniform mat4 u;
varying vec3 n;
void main() { gl_Position = u * a; n = mat3(u) * a.wzy; }

//: rewrites.idioms: product with a matrix by dot products
//: size 5
attribute vec4 a;
uniform mat4 u;
varying vec4 n;
void main() { gl_Position = a; n = (u * vec4(a.wzy, 0.0)).wzyx; }

//: rewrites.idioms: product with a matrix by dot products
//: size 9
attribute vec4 a;
uniform mat4 u;
varying vec4 n;
void main() { vec4 p = u * vec4(a.wzy, 0.0); gl_Position = vec4(p.zxy, a.x); n = p.wxxx * p.y; }

//: select: vec_mat
//: size 4
attribute vec4 a;
uniform mat4 u;
varying vec3 n;
void main() { vec4 p = u * vec4(a.wzy, 0.0); gl_Position = vec4(p.zxy, a.x); n = p.yyx; }

//: rewrites.products: rows that nobody needs
//: size 3
attribute vec4 a;
uniform mat4 u;
void main() { gl_Position = vec4((u * a.wxyz).zxy, a.x); }

//: rewrites.products: rows that nobody needs
//: size 2
attribute vec4 a;
uniform mat4 u;
void main() { gl_Position = vec4((u * a.wxyz).xyz, a.x); }

//: select: vec_mat
//: size 2
attribute vec4 a;
uniform vec4 o, u[4];
void main() { gl_Position = vec4(a.wyz * mat3(u[1].xyz, u[2].xyz, u[3].xyz), a.x); }

//: rewrites.idioms: product with a matrix by dot products
//: size 4
attribute vec4 a;
uniform vec4 o, u[4];
void main() { gl_Position = vec4(a.wyz * mat3(u[2].xyz, u[1].xyz, u[3].xyz), a.x); }

//: rewrites.idioms: product with a matrix by dot products
//: size 4
attribute vec4 a;
uniform vec4 o, u[4];
void main() { gl_Position = vec4(a.wyz * mat3(u[1].xyz, u[2].zyx, u[3].xyz), a.x); }

//: rewrites.idioms: product with a matrix by dot products
//: size 4
attribute vec4 a;
uniform vec4 o, u, w;
void main() { gl_Position = vec4(a.wyz * mat3(o.xyz, u.xyz, w.xyz), a.x); }

//: rewrites.idioms: product with a matrix by dot products
//: size 4
attribute vec4 a;
uniform vec4 o, u[9];
void main() { gl_Position = vec4(a.wyz * mat3(u[1].xyz, u[3].xyz, u[5].xyz), a.x); }

//: rewrites.idioms: product with a matrix by dot products
//: size 6
attribute vec4 a;
uniform mat4 o, u[2];
void main() { gl_Position = a.wyzx * mat4(u[0][1], u[0][2], u[1][3], u[1][0]) + a * o; }

//: select: vec_mat
//: size 3
attribute vec4 a;
uniform mat4 o, u[2];
void main() { gl_Position = a.wyzx * mat4(u[0][1], u[0][2], u[0][3], u[1][0]) + a * o; }

//: rewrites.idioms: product with a matrix by dot products
//: size 10
attribute vec4 a;
attribute vec2 i;
uniform vec4 o, u[6];
void main() { int k = int(clamp(i.x, 0.0, 2.0)), n = int(clamp(i.y, 0.0, 2.0)); gl_Position = vec4(a.wyz * mat3(u[k].xyz, u[n + 1].xyz, u[k + 2].xyz), a.x) + o; }

//: select: vec_mat
//: size 1
attribute vec4 a;
attribute mat4 m;
void main() { gl_Position = a.wyzx * m; }

//: select: vec_mat
//: size 2
attribute vec4 a;
attribute mat3 m;
void main() { gl_Position = vec4(a.wyz * m, a.x); }

//: rewrites.idioms: product with a matrix by dot products
//: size 3
attribute vec4 a;
uniform mat4 u;
uniform vec3 w;
void main() { gl_Position = vec4(a.w, a.y, (u * a).yz); }

//: rewrites.idioms: constant beside an attribute
//: size 5
attribute float a;
attribute vec4 b;
void main() { gl_Position = vec4(0.0, a, b.x, 1.0) + vec4(1.0, b.yz, 0.0); }

//: rewrites.idioms: constant beside an attribute
//: size 3
attribute vec2 a, b;
attribute vec4 c;
void main() { gl_Position = vec4(b.y, 1.0, a.x, 0.0) * c.wxyz; }

//: rewrites.idioms: vector that is an attribute
//: size 1
attribute vec3 a;
void main() { gl_Position = vec4(1.0, a.zxy).wzyx; }

//: rewrites.idioms: modulus of a power of two
//: size 4
attribute vec4 a;
void main() { gl_Position = vec4(mod(a.w, 0.125), mod(a.y, 8.0), a.xz); }

//: rewrites.products: rows that nobody needs
//: select: component that means nothing, of a vector that is copied whole
//: size 2
attribute vec4 a;
uniform mat4 u;
varying vec3 n;
void main() { gl_Position = a.wzyx; n = (u * a.zxwy).xyz; }

//: rewrites.products: three components
//: size 4
attribute vec4 a;
uniform mat4 u;
uniform float k;
varying vec4 n;
void main() { gl_Position = a; vec4 p = (u * vec4(a.wzy, 0.0)) * k; n = vec4(p.xyz, a.w); }

//: rewrites.signs: normalize(-x)
//: rewrites.signs: x + -y
//: size 3
attribute vec4 a, b;
varying vec3 v;
void main() { gl_Position = a; v = b.zxy + normalize(-a.yzx); }

//: rewrites.signs: -x - y * c
//: size 5
attribute vec4 a, b;
varying vec3 v;
void main() { gl_Position = a; v = reflect(-a.yzx, b.zyx); }

//: rewrites.signs: x - -y
//: rewrites.signs: normalize(-x)
//: size 3
attribute vec4 a, b;
varying vec3 v;
void main() { gl_Position = a; v = b.zxy - normalize(-a.yzx); }

//: rewrites.products: rows that nobody needs
//: size 5
attribute vec4 a;
uniform mat4 u;
uniform mat3 m;
varying vec4 n;
void main() { gl_Position = a; n = vec4((m * a.wzy).yx, (u * a.zyxw).xy); }

//: rewrites.products: rows that nobody needs
//: size 6
attribute vec4 a;
uniform mat4 u;
varying vec2 n;
void main() { gl_Position = u * a; n = mat2(u) * a.wz + (mat3(u) * a.xyz).yx; }

//: rewrites.products: constant matrix by rows
//: size 5
precision highp float;
varying vec3 v;
void main() {
    gl_FragColor = vec4(mat3(0.25, 0.5, -0.125, 0.75, -0.375, 1.5, 0.0625, 2.0, -0.625) * v, 1.0);
}

//: product of three components with a constant, and with a scalar
precision highp float;
varying vec4 v;
uniform mat3 u;
uniform float s;
void main() { gl_FragColor = vec4(u * (vec4(0.5, 2.0, -0.25, 3.0) * v * s).xyz, 1.0); }
