#version 300 es
in vec4 position;
in vec2 uv;
in ivec4 joints;  // each the first of three rows
in vec4 weights;
uniform vec4 bones[108];
uniform mat4 projection;
out vec2 vUv;

vec3 moved(int i) {
    return vec3(dot(bones[i], position), dot(bones[i + 1], position), dot(bones[i + 2], position));
}

void main() {
    vec3 sum = moved(joints.x) * weights.x + moved(joints.y) * weights.y + moved(joints.z) * weights.z
        + moved(joints.w) * weights.w;
    gl_Position = projection * vec4(sum, position.w);
    vUv = uv;
}
