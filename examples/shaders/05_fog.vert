// Fog that thickens with the distance.
attribute vec4 a_position;
attribute vec4 a_color;
uniform mat4 u_modelview;
uniform mat4 u_projection;
uniform float u_density;
varying vec4 v_color;
varying float v_fog;

void main() {
    vec4 eye = u_modelview * a_position;
    gl_Position = u_projection * eye;
    v_color = a_color;
    v_fog = clamp(exp(-u_density * length(eye.xyz)), 0.0, 1.0);
}
