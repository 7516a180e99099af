// Light in steps, with a dark rim.
attribute vec4 a_position;
attribute vec3 a_normal;
uniform mat4 u_modelview;
uniform mat4 u_projection;
varying vec3 v_normal;
varying vec3 v_eye;

void main() {
    vec4 eye = u_modelview * a_position;
    gl_Position = u_projection * eye;
    v_normal = (u_modelview * vec4(a_normal, 0.0)).xyz;
    v_eye = -eye.xyz;
}
