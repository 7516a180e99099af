// A cube: where it is, and what light at each pixel needs to know.
attribute vec3 a_position;
attribute vec3 a_normal;
attribute vec2 a_texcoord;
uniform mat4 u_modelview;
uniform mat4 u_projection;
varying vec3 v_normal;
varying vec3 v_eye;
varying vec2 v_texcoord;

void main() {
    vec4 place = u_modelview * vec4(a_position, 1.0);
    gl_Position = u_projection * place;
    v_normal = (u_modelview * vec4(a_normal, 0.0)).xyz;
    v_eye = -place.xyz;
    v_texcoord = a_texcoord;
}
