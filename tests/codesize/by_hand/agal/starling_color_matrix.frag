precision mediump float;
varying vec2 vUv;
uniform sampler2D image;
uniform mat4 matrix;
uniform vec4 offset;

void main() {
    vec4 color = max(texture2D(image, vUv), vec4(0.0, 0.0, 0.0, 0.0001));
    color.rgb /= color.a;
    color = matrix * color + offset;
    color.rgb *= color.a;
    gl_FragColor = color;
}
