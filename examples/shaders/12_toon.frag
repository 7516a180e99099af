precision mediump float;
varying vec3 v_normal;
varying vec3 v_eye;
uniform vec3 u_light;
uniform vec3 u_color;
uniform bool u_rim;

void main() {
    vec3 normal = normalize(v_normal);
    float light = dot(normal, normalize(u_light));
    float step_;
    if (light > 0.75) {
        step_ = 1.0;
    } else if (light > 0.25) {
        step_ = 0.7;
    } else {
        step_ = 0.4;
    }
    if (u_rim && dot(normal, normalize(v_eye)) < 0.2) {
        step_ *= 0.2;
    }
    gl_FragColor = vec4(u_color * step_, 1.0);
}
