//: rewrites.blends: product with a sum of matrices
//: rewrites.blends: product with a scaled matrix
//: size 5
attribute vec4 a, w;
uniform mat4 u, v;
void main() { mat4 m = u * w.y + v * w.x; gl_Position = m * a.wzyx; }

//: rewrites.blends: product with a sum of matrices
//: size 3
attribute vec4 a;
uniform mat4 u, v;
void main() { mat4 m = u - v; gl_Position = m * a.wzyx; }

//: rewrites.blends: product with some rows of a sum of matrices
//: size 8
attribute vec4 a, w;
uniform mat4 u, v;
varying vec3 n;
void main() { mat4 m = u * w.y + v; gl_Position = m * a; n = mat3(m) * a.wyz; }
