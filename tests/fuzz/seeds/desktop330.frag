#version 330 core
in vec3 normal;
flat in int face;
layout(location = 0) out vec4 colour;
layout(location = 1) out vec2 motion;
uniform sampler2D map;
void main() {
    vec2 spot = normal.xy * 0.5 + 0.5;
    colour = textureLod(map, spot, 0) + textureSize(map, 0).x;
    motion = face != 0 ? spot : -spot;
}
