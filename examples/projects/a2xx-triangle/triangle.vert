// A triangle that turns around its middle.
attribute vec2 a_position;
attribute vec3 a_colour;
uniform vec2 u_turn; // cosine and sine
varying vec3 v_colour;

void main() {
    vec2 turned = vec2(dot(a_position, vec2(u_turn.x, -u_turn.y)), dot(a_position, u_turn.yx));
    v_colour = a_colour;
    gl_Position = vec4(turned, 0.0, 1.0);
}
