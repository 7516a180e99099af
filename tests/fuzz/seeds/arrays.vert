#version 300 es
struct Light { vec3 place; float power[2]; };
const float WEIGHTS[4] = float[](0.125, 0.25, 0.5, 1.0);
uniform float heights[3];
uniform Light lights[2];
uniform int which;
in vec4 position;
out vec4 result;
float[3] doubled(const float given[3]) { return float[3](given[0] * 2.0, given[1] * 2.0, given[2] * 2.0); }
void main() {
    float[3] own = doubled(heights);
    float sum = 0.0;
    for (int i = 0; i < own.length(); i++) sum += own[i] * WEIGHTS[i];
    Light light = lights[1];
    Light pair[2] = Light[2](light, Light(vec3(1.0), float[2](0.5, 0.25)));
    if (own == heights || light != lights[0]) sum += pair[which & 1].power[WEIGHTS.length() - 3];
    own[which % 3] = sum;
    result = vec4(own[0], own[1], own[2], WEIGHTS[which & 3]);
    gl_Position = position;
}
