// Two bones a vertex, chosen by indices in an attribute.
#define BONES 8
attribute vec4 a_position;
attribute vec2 a_bones;
attribute float a_weight;
uniform mat4 u_matrix;
uniform vec4 u_rows[BONES * 3];
varying vec4 v_color;

vec3 moved(int bone) {
    return vec3(
        dot(u_rows[bone * 3], a_position),
        dot(u_rows[bone * 3 + 1], a_position),
        dot(u_rows[bone * 3 + 2], a_position));
}

void main() {
    vec3 position = mix(moved(int(a_bones.y)), moved(int(a_bones.x)), a_weight);
    gl_Position = u_matrix * vec4(position, 1.0);
    v_color = vec4(a_weight, 1.0 - a_weight, 0.0, 1.0);
}
