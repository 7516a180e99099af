// Light at every pixel, on a texture.
attribute vec4 a_position;
attribute vec3 a_normal;
attribute vec2 a_texcoord;
uniform mat4 u_modelview;
uniform mat4 u_projection;
uniform mat3 u_normal_matrix;
varying vec3 v_normal;
varying vec3 v_eye;
varying vec2 v_texcoord;

void main() {
    vec4 eye = u_modelview * a_position;
    gl_Position = u_projection * eye;
    v_normal = u_normal_matrix * a_normal;
    v_eye = -eye.xyz;
    v_texcoord = a_texcoord;
}
