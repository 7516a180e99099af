// Fades a colour with distance.
precision mediump float;

uniform vec4 u_colour;
varying float v_distance;

void main() {
    gl_FragColor = u_colour * clamp(1.0 - v_distance, 0.0, 1.0);
}
