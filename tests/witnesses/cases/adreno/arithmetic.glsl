//: selection.arithmetic: fsub(x, y)
attribute vec4 a, b;
void main() { gl_Position = a - b; }
