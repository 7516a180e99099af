precision mediump float;
varying vec2 vUv;
uniform sampler2D image;
uniform vec4 multiplier, offset, wobble;

void main() {
    vec2 angle = vUv * wobble.y + wobble.x;
    vec2 uv = vUv + vec2(sin(angle.x), cos(angle.y)) * wobble.zw;
    gl_FragColor = texture2D(image, uv) * multiplier + offset;
}
