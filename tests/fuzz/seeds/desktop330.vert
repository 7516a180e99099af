#version 330 core
layout(location = 0) in vec3 position;
layout(location = 2) in uint packed_normal;
uniform mat4 matrix;
uniform struct { vec4 tint; float ramp[4]; } material;
out vec3 normal;
flat out int face;
void main() {
    normal = vec3(packed_normal >> 20, (packed_normal >> 10) & 1023u, packed_normal & 1023u) / 511 - 1;
    face = floatBitsToInt(position.x) >> 31;
    gl_Position = matrix * vec4(position, 1) * material.ramp[face & 3] + material.tint;
}
