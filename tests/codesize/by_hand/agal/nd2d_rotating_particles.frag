precision mediump float;
varying vec4 vColor;
varying vec2 vUv;
varying float vAlive;
uniform sampler2D image;

void main() {
    if (vAlive < 0.0) discard;
    gl_FragColor = texture2D(image, vUv) * vColor.xyzz * vColor.w;
}
