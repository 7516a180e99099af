//: rewrites.comparisons: thresholds of one number
//: size 6
attribute vec4 a, b;
void main() { gl_Position = (a.x > 1.0 ? a.yzwx : vec4(0.0)) + (a.x > 0.25 ? b : vec4(0.0)) * (a.x > -1.0 ? b.wzyx : vec4(0.0)); }

//: rewrites.comparisons: thresholds of one number
//: size 7
attribute vec4 a, b;
void main() { gl_Position = vec4(a.x < 1.0 ? a.y : 0.0, a.x < 0.25 ? b.x : 0.0, a.x < -0.5 ? b.y : 0.0, a.x < -1.0 ? b.z : 0.0) + (a.x < 1.5 ? a : vec4(0.0)); }

//: rewrites.comparisons: thresholds of one number
//: size 7
attribute vec4 a, b;
void main() { float f = floor(a.x); gl_Position = vec4(f == 1.0 ? a.y : 0.0, f == 0.0 ? b.x : 0.0, f != -1.0 ? b.y : 0.0, f != -2.0 ? b.z : 0.0); }

//: rewrites.comparisons: thresholds of one number
//: size 5
attribute vec4 a, b;
void main() { gl_Position = vec4(1.0 < a.x ? a.y : 0.0, a.x < 0.25 ? b.x : 0.0, -1.0 < a.x ? b.y : 0.0, a.x < -0.5 ? b.z : 0.0); }

//: rewrites.comparisons: thresholds of one number
//: size 5
attribute vec4 a, b;
void main() { gl_Position = vec4(a.x <= 1.0 ? a.y : 0.0, a.x <= 0.25 ? b.x : 0.0, a.y < -0.25 ? b.y : 0.0, a.y < -0.5 ? b.z : 0.0); }
