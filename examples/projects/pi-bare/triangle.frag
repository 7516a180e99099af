precision mediump float;
varying vec3 v_color;
varying vec2 v_uv;
uniform sampler2D u_chequers;
uniform vec3 u_lights[2];

void main() {
    vec3 light = u_lights[0] + u_lights[1] * v_uv.y;
    gl_FragColor = vec4(v_color * light * texture2D(u_chequers, v_uv).rgb, 1.0);
}
