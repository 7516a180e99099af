precision mediump float;
varying vec2 vUv, vMaskUv;
uniform sampler2D image, mask;
uniform vec4 multiplier, offset;
uniform float maskAlpha;

void main() {
    vec4 color = texture2D(image, vUv) * multiplier + offset;
    vec4 covered = texture2D(mask, vMaskUv);
    gl_FragColor = color * (covered + (1.0 - covered) * (1.0 - maskAlpha));
}
