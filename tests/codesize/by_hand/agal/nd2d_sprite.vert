attribute vec4 position;
attribute vec2 uv;
uniform mat4 clipSpace;
uniform vec4 uvOffsetScale;
varying vec2 vUv;

void main() {
    gl_Position = clipSpace * position;
    vUv = uv * uvOffsetScale.zw + uvOffsetScale.xy;
}
