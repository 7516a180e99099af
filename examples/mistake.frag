// Wrong on purpose: see what the compiler says.
precision mediump float;

uniform vec4 u_colour;
varying float v_distance;

void main() {
    vec3 faded = u_color.rgb * (1 - v_distance);
    gl_FragColor = vec4(faded, 1.0);
}
