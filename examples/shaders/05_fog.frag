precision mediump float;
varying vec4 v_color;
varying float v_fog;
uniform vec3 u_fog_color;

void main() {
    gl_FragColor = vec4(mix(u_fog_color, v_color.rgb, v_fog), v_color.a);
}
