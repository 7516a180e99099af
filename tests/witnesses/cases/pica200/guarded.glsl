//: rewrites.guarded: logarithm or root of at least 0
//: size 7
attribute vec4 a; uniform vec4 u;
void main() { gl_Position = vec4(a.x > 0.0 ? pow(a.x, u.y) : 0.0); }

//: rewrites.guarded: logarithm or root of at least 0
//: size 7
attribute vec4 a, b;
void main() { vec4 c = b; if (a.x > 0.25) c += sqrt(a.x - 0.25); gl_Position = c; }

//: rewrites.guarded: factor that may be NaN
//: size 9
attribute vec4 a, b;
void main() { gl_Position = abs(a.x) > 0.0 ? b + (1.0 / a.x - a.y / abs(a.x)) : b; }

//: rewrites.guarded: select(c, x, 0) where x may be NaN
//: size 9
attribute vec4 a;
void main() { gl_Position = vec4(abs(a.x) > 0.0 ? 1.0 / a.x - a.y / abs(a.x) : 0.0); }

//: rewrites.guarded: select(c, x, y) where one may be NaN
//: size 11
attribute vec4 a, b;
void main() { gl_Position = vec4(abs(a.x) > 0.0 ? 1.0 / a.x - a.y / abs(a.x) : b.w); }
