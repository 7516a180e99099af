attribute vec4 position;
attribute vec2 uv;
attribute vec4 color;
uniform mat4 mvp;
uniform vec4 alpha;
varying vec2 vUv;
varying vec4 vColor;

void main() {
    gl_Position = mvp * position;
    vUv = uv;
    vColor = color * alpha;
}
