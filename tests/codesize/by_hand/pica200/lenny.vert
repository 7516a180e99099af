attribute vec3 position;
attribute vec3 inNormal;
uniform mat4 projection, modelView;
varying vec4 color, view, normalquat;

void main() {
    vec4 eye = modelView * vec4(position, 1.0);
    gl_Position = projection * eye;
    view = -eye;
    vec3 n = normalize(mat3(modelView[0].xyz, modelView[1].xyz, modelView[2].xyz) * inNormal);
    float half_turn = 0.5 * (1.0 + n.z);
    normalquat = vec4(1.0, 0.0, 0.0, 0.0);
    if (half_turn > 0.0)
        normalquat = vec4(0.5 * n.xy * inversesqrt(half_turn), sqrt(half_turn), 0.0);
    color = vec4(1.0);
}
