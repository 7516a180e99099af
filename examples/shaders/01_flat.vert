// The least that draws: a position, and nothing for the fragment stage to read.
attribute vec4 a_position;
uniform mat4 u_matrix;

void main() {
    gl_Position = u_matrix * a_position;
}
