//: rewrites.indices: matrix by index
//: size 8
attribute vec4 a;
attribute float i;
uniform mat4 o, u[3];
void main() { gl_Position = u[int(clamp(i + 1.0, 0.0, 2.0))] * a.wzyx; }

//: rewrites.indices: column by index
//: size 7
attribute vec4 a;
attribute float i;
uniform mat4 o, u;
void main() { gl_Position = u[int(clamp(i, 0.0, 3.0))].wzyx + a + o[0]; }

//: rewrites.indices: column by index
//: rewrites.indices: matrix by index
//: size 17
attribute vec4 a;
attribute float i;
uniform mat3 o, u[3];
void main() { gl_Position = vec4(u[int(clamp(i + 1.0, 0.0, 2.0))][int(clamp(i, 0.0, 2.0))].zxy, 1.0) + o[1].x * a.wzyx; }

//: rewrites.indices: matrix by index
//: size 11
attribute vec4 a;
attribute float i;
uniform mat3 o, u[3];
void main() { gl_Position = vec4(u[int(clamp(i + 1.0, 0.0, 2.0))][1].zxy, 1.0) + o[1].x * a.wzyx; }

//: rewrites.indices: column by index
//: size 9
attribute vec4 a;
attribute float i;
uniform mat3 o, u[3];
void main() { gl_Position = vec4(u[2][int(clamp(i, 0.0, 2.0))].zxy, 1.0) + o[1].x * a.wzyx; }

//: rewrites.indices: number with a fraction
//: size 8
attribute vec4 a;
attribute float i;
uniform vec4 o, u[5];
void main() { gl_Position = u[int(clamp(i * 2.0, -0.5, 3.5)) + 1] * a.wzyx + o; }

//: rewrites.idioms: ftrunc as fadd fsub fmul ffract flt btof
//: size 12
attribute vec4 a;
attribute vec2 i;
uniform vec4 o, u[5];
void main() { ivec2 n = ivec2(clamp(i.yx * 2.0, 0.0, 4.0)); gl_Position = u[n.y] * a.wzyx + u[n.x] + o; }

//: select: ret
//: size 4
attribute vec4 a;
attribute float i;
uniform vec4 o, u[5];
uniform int k;
void main() { gl_Position = u[k < 0 ? 0 : k] * a.wzyx + o; }

//: select: ret
//: size 6
attribute vec4 a;
attribute float i;
uniform vec4 o, u[5];
void main() { gl_Position = u[int(floor(abs(i) * 2.0))] * a.wzyx + o; }

//: select: ret
//: size 5
attribute vec4 a;
attribute float i;
uniform vec4 o, u[5];
void main() { gl_Position = u[i < 0.5 ? 3 : 1] * a.wzyx + o; }

//: select: ret
//: size 3
attribute vec4 a;
attribute float i;
uniform vec4 o, u[5];
void main() { gl_Position = u[int(step(0.5, i)) + 2] * a.wzyx + o; }

//: select: ret
//: size 6
attribute vec4 a;
attribute float i;
uniform vec4 o, u[5];
void main() { gl_Position = u[int(sign(abs(i)))] * a.wzyx + o; }

//: select: ret
//: size 6
attribute vec4 a;
attribute float i;
uniform vec4 o, u[5];
void main() { gl_Position = u[int(max(i, 0.0))] * a.wzyx + o; }

//: select: ret
//: size 4
attribute vec4 a;
attribute float i;
uniform vec4 o, u[5];
uniform int k;
void main() { gl_Position = u[int(abs(float(k)))] * a.wzyx + o; }

//: select: ret
//: size 7
attribute vec4 a;
attribute float i;
uniform vec4 o, u[5];
void main() { gl_Position = u[int(min(floor(abs(i) + 1.5), 3.0))] * a.wzyx + o; }

//: rewrites.indices: bool as index
//: size 2
attribute vec4 a;
uniform vec4 o, u[5];
uniform bool k;
void main() { gl_Position = u[int(k) + 2] * a.wzyx + u[int(k)]; }

//: rewrites.indices: bool as index
//: -O 0
//: size 8
attribute vec4 a;
attribute float i;
uniform mat3 o, u[3];
void main() { gl_Position = vec4(u[int(i < 0.5)][int(i > 1.0)].zxy, 1.0) + o[1].x * a.wzyx; }

//: rewrites.indices: matrix by index
//: size 13
attribute vec4 a;
attribute float i;
uniform mat2 o, u[3];
void main() { int k = int(clamp(i + 1.0, 0.0, 2.0)); gl_Position = vec4(u[k][1].yx, u[k] * a.wx) + o[1].x * a.wzyx; }

//: rewrites.indices: matrix by index
//: rewrites.indices: column by index
//: size 17
attribute vec4 a;
attribute vec2 i;
uniform mat2 o, u[3];
void main() { gl_Position = vec4(u[int(clamp(i.x + 1.0, 0.0, 2.0))][int(clamp(i.y, 0.0, 1.0))], u[1][0]) + vec4(u[2][1], o[0]); }

//: rewrites.joined_indices: indices computed together
//: size 10
attribute vec4 a;
attribute vec3 i;
uniform mat3 o, u[3];
void main() {
    vec3 p = u[int(clamp(i.z, 0.0, 2.0))] * a.xyz + u[int(clamp(i.x, 0.0, 2.0))] * a.wxy;
    gl_Position = vec4(p, 1.0);
}
