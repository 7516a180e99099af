attribute vec4 position;
attribute vec2 uv;
uniform mat4 mvp;
uniform vec4 offsets;
varying vec2 vUv, vNext, vPrevious, vNext2, vPrevious2;

void main() {
    gl_Position = mvp * position;
    vUv = uv;
    vNext = uv + offsets.xy;
    vPrevious = uv - offsets.xy;
    vNext2 = uv + offsets.zw;
    vPrevious2 = uv - offsets.zw;
}
