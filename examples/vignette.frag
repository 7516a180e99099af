// Darkens a picture towards its corners and tints what is left.
precision mediump float;

uniform sampler2D u_picture;
uniform vec3 u_tint;
uniform float u_strength;

varying vec2 v_uv;

void main() {
    vec2 from_centre = v_uv - 0.5;
    float light = 1.0 - u_strength * dot(from_centre, from_centre);
    vec4 colour = texture2D(u_picture, v_uv);
    gl_FragColor = vec4(colour.rgb * u_tint * clamp(light, 0.0, 1.0), colour.a);
}
