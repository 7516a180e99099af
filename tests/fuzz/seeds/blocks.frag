#version 300 es
precision mediump float;
precision highp int;
in vec3 colour;
flat in uvec2 kind;
layout(location = 0) out vec4 first;
layout(location = 1) out ivec3 second;
void main() {
    first = vec4(colour, 1.0);
    second = ivec3(kind, 1u);
    if (kind.x > 7u) discard;
}
