attribute vec4 position;
attribute vec2 uv;
attribute vec4 index;
uniform mat4 clipSpace[12];
uniform vec4 colors[60];
varying vec2 vUv;
varying vec4 vMultiplier, vOffset;

void main() {
    vec4 scale = colors[int(index.w)];
    gl_Position = clipSpace[int(index.x)] * position;
    vUv = uv * scale.zw + scale.xy;
    vMultiplier = colors[int(index.y)];
    vOffset = colors[int(index.z)];
}
