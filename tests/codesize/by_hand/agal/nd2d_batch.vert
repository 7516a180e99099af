#version 300 es
in vec4 position;
in vec2 uv;
in ivec4 index;  // of the first row of a matrix, and of colours
uniform vec4 rows[48];
uniform vec4 colors[60];
out vec2 vUv;
out vec4 vMultiplier, vOffset;

void main() {
    int i = index.x;
    vec4 scale = colors[index.w];
    gl_Position = vec4(dot(rows[i], position), dot(rows[i + 1], position), dot(rows[i + 2], position), dot(rows[i + 3], position));
    vUv = uv * scale.zw + scale.xy;
    vMultiplier = colors[index.y];
    vOffset = colors[index.z];
}
