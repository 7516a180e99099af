// A picture from nothing but sines.
attribute vec2 a_position;
uniform float u_aspect;
varying vec2 v_place;

void main() {
    gl_Position = vec4(a_position, 0.0, 1.0);
    v_place = a_position * vec2(u_aspect, 1.0);
}
