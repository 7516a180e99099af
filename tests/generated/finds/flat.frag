#version 300 es
precision highp float; precision highp int;
flat in ivec3 a, b; out vec4 c;
void main() { ivec2 r = a.xz * b.zx; c = vec4(r, 0.0, 1.0); }
