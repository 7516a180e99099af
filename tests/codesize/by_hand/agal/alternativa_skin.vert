attribute vec4 position;
attribute vec2 uv;
attribute vec4 joints01, joints23;  // index, weight, index, weight
uniform vec4 bones[108];
uniform mat4 projection;
varying vec2 vUv;

vec3 moved(int i) {
    return vec3(dot(bones[i], position), dot(bones[i + 1], position), dot(bones[i + 2], position));
}

void main() {
    vec3 sum = moved(int(joints01.x)) * joints01.y + moved(int(joints01.z)) * joints01.w
        + moved(int(joints23.x)) * joints23.y + moved(int(joints23.z)) * joints23.w;
    gl_Position = projection * vec4(sum, position.w);
    vUv = uv;
}
