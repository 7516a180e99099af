precision mediump float;
varying vec2 vUv;
uniform sampler2D diffuse, opacity;
uniform float alpha, threshold;

void main() {
    vec4 color = vec4(texture2D(diffuse, vUv).xyz, texture2D(opacity, vUv).x * alpha);
    if (color.w - threshold < 0.0) discard;
    gl_FragColor = color;
}
