#version 300 es
precision highp float; precision highp int;
flat in int n; out vec4 colour;
void main() {
    int x = n > 3 ? 16777217 : n * 256;
    colour = vec4(x == 16777216 ? 1.0 : 0.0, x > 16777216 ? 1.0 : 0.0, 0.0, 1.0);
}
