// The colours of the corners, with bands where two of them meet.
precision mediump float;
varying vec3 v_colour;
uniform float u_bands;

void main() {
    float edge = fract(u_bands * min(min(v_colour.r, v_colour.g), v_colour.b));
    gl_FragColor = vec4(v_colour * mix(0.6, 1.0, step(0.5, edge)), 1.0);
}
