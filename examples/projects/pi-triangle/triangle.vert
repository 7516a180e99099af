// A triangle that is turned, with a colour at each corner and places in a texture.
attribute vec2 a_position;
attribute vec3 a_color;
uniform mat4 u_turn;
varying vec3 v_color;
varying vec2 v_uv;

void main() {
    gl_Position = u_turn * vec4(a_position, 0.0, 1.0);
    v_color = a_color;
    v_uv = a_position * 2.0;
}
