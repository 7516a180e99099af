precision mediump float;
varying vec2 vUv;
varying vec4 vColor, vThresholds;
uniform sampler2D image;

void main() {
    float distance = texture2D(image, vUv).x;
    gl_FragColor = vColor * clamp((distance - vThresholds.x) / (vThresholds.y - vThresholds.x), 0.0, 1.0);
}
