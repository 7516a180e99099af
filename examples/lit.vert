// Transforms a vertex and lights it with a handful of lamps.
const int LAMPS = 2;

struct Lamp {
    vec3 direction;
    vec3 colour;
};

uniform mat4 u_transform;
uniform Lamp u_lamps[LAMPS];
uniform vec3 u_ambient;

attribute vec4 a_position;
attribute vec3 a_normal;

varying vec3 v_light;

void main() {
    vec3 light = u_ambient;
    for (int i = 0; i < LAMPS; i++) {
        light += u_lamps[i].colour * max(dot(a_normal, u_lamps[i].direction), 0.0);
    }
    v_light = light;
    gl_Position = u_transform * a_position;
}
