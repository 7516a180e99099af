// Leaves: pixels that are hardly there are left out.
attribute vec4 a_position;
attribute vec2 a_texcoord;
attribute float a_phase;
uniform mat4 u_matrix;
uniform float u_time;
varying vec2 v_texcoord;

void main() {
    vec4 position = a_position;
    position.x += 0.1 * a_texcoord.y * sin(u_time + a_phase);
    gl_Position = u_matrix * position;
    v_texcoord = a_texcoord;
}
