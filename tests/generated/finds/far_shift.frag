#version 300 es
precision highp float; precision highp int;
flat in int n; out vec4 colour;
void main() { colour = vec4(n >> 20, n >> 14, n >> 1, 1.0); }
