//: selection.arithmetic: fsub(x, y)
//: size 5
attribute vec4 a, b;
void main() { gl_Position = a - b; }
