precision mediump float;
varying vec2 vUv;
varying vec4 vMultiplier, vOffset;
uniform sampler2D image;

void main() {
    gl_FragColor = texture2D(image, vUv) * vMultiplier + vOffset;
}
