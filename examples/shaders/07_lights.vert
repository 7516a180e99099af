// Several lights in a loop whose length the application chooses.
#define LIGHTS 4
struct Light {
    vec3 position;
    vec3 color;
    float reach;
};
attribute vec3 a_position;
attribute vec3 a_normal;
uniform mat4 u_matrix;
uniform Light u_lights[LIGHTS];
uniform vec3 u_ambient;
varying vec3 v_color;

vec3 lit(Light light, vec3 position, vec3 normal) {
    vec3 way = light.position - position;
    float near = max(1.0 - length(way) / light.reach, 0.0);
    return light.color * near * max(dot(normalize(way), normal), 0.0);
}

void main() {
    vec3 sum = u_ambient;
    for (int i = 0; i < LIGHTS; i++) {
        sum += lit(u_lights[i], a_position, a_normal);
    }
    gl_Position = u_matrix * vec4(a_position, 1.0);
    v_color = sum;
}
