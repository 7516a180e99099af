attribute vec4 position;
attribute vec2 uv;
uniform mat4 clipSpace, toMask;
uniform vec4 maskHalfAndSize, uvOffsetScale;
varying vec2 vUv, vMaskUv;

void main() {
    vec4 clip = clipSpace * position;
    gl_Position = clip;
    vMaskUv = ((toMask * clip).xy + maskHalfAndSize.xy) / maskHalfAndSize.zw;
    vUv = uv * uvOffsetScale.zw + uvOffsetScale.xy;
}
