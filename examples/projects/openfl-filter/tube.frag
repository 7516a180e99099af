// The picture on the bent glass of a tube: rows with dark lines between, and the glow, blurred up and down, over all.
precision mediump float;
#pragma agal sampler(u_picture, 2d, nearest, mipnone, clamp)
#pragma agal sampler(u_glow, 2d, linear, mipnone, clamp)
uniform sampler2D u_picture;
uniform sampler2D u_glow;
uniform float u_step;
uniform float u_weights[5];
uniform float u_strength;
uniform vec2 u_bend;
uniform float u_rows;
uniform mat3 u_phosphors;
varying vec2 v_uv;

vec3 glow(vec2 uv) {
    return texture2D(u_glow, uv).rgb;
}

void main() {
    vec2 place = v_uv * 2.0 - 1.0;
    place *= 1.0 + place.yx * place.yx * u_bend;
    vec2 uv = place * 0.5 + 0.5;
    vec3 sum = glow(uv) * u_weights[0];
    for (int i = 1; i < 5; i++) {
        vec2 shift = vec2(0.0, float(i) * u_step);
        sum += (glow(uv + shift) + glow(uv - shift)) * u_weights[i];
    }
    float row = fract(uv.y * u_rows) - 0.5;
    vec3 color = texture2D(u_picture, uv).rgb * (1.0 - 2.0 * row * row) + sum * u_strength;
    bool is_glass = max(abs(place.x), abs(place.y)) < 1.0;
    gl_FragColor = is_glass ? vec4(u_phosphors * color, 1.0) : vec4(0.0, 0.0, 0.0, 1.0);
}
