#version 300 es
layout(std140) uniform Camera { mat4 view; layout(row_major) mat3 normal; vec3 eye; float scale; };
uniform Bone { mat4 matrix; vec4 tint[2]; } bones[2];
layout(location = 0) in vec4 position;
layout(location = 1) in ivec2 which;
out vec3 colour;
flat out uvec2 kind;
void main() {
    vec4 place = bones[0].matrix * position * scale;
    if (which.x == 1) place = bones[1].matrix * position;
    colour = normal * bones[1].tint[which.y & 1].rgb - eye;
    kind = uvec2(which) + uvec2(gl_VertexID, gl_InstanceID);
    gl_Position = view * place;
}
