precision highp float;
varying vec2 v_place;
uniform float u_time;

void main() {
    float wave = sin(v_place.x * 3.0 + u_time) + sin(v_place.y * 4.0 - u_time * 0.7);
    wave += sin(length(v_place) * 5.0 - u_time * 1.3);
    vec3 phase = vec3(0.0, 2.1, 4.2);
    gl_FragColor = vec4(0.5 + 0.5 * cos(wave + phase), 1.0);
}
