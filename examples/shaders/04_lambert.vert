// Diffuse light, computed at the vertices.
attribute vec3 a_position;
attribute vec3 a_normal;
uniform mat4 u_matrix;
uniform mat3 u_normal_matrix;
uniform vec3 u_light;
uniform vec3 u_ambient;
uniform vec3 u_diffuse;
varying vec4 v_color;

void main() {
    vec3 normal = normalize(u_normal_matrix * a_normal);
    float amount = max(dot(normal, normalize(u_light)), 0.0);
    gl_Position = u_matrix * vec4(a_position, 1.0);
    v_color = vec4(u_ambient + u_diffuse * amount, 1.0);
}
