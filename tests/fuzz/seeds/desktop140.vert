#version 140
layout(std140) uniform Sizes { int count; vec2 size[3]; };
uniform samplerBuffer buffer;
in vec4 position;
out vec4 colour;
void main() {
    colour = texelFetch(buffer, gl_InstanceID);
    gl_Position = position + vec4(size[count % 3] * gl_VertexID, 0, 1);
}
