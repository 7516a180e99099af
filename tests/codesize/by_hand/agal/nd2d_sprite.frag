precision mediump float;
varying vec2 vUv;
uniform sampler2D image;
uniform vec4 multiplier, offset;

void main() {
    gl_FragColor = texture2D(image, vUv) * multiplier + offset;
}
