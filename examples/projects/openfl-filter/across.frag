// What is bright in the picture, blurred to both sides.
precision mediump float;
#pragma agal sampler(u_picture, 2d, linear, mipnone, clamp)
uniform sampler2D u_picture;
uniform float u_threshold;
uniform float u_step;
uniform float u_weights[5];
varying vec2 v_uv;

vec3 bright(float shift) {
    return max(texture2D(u_picture, v_uv + vec2(shift, 0.0)).rgb - u_threshold, 0.0);
}

void main() {
    vec3 sum = bright(0.0) * u_weights[0];
    for (int i = 1; i < 5; i++) {
        float shift = float(i) * u_step;
        sum += (bright(shift) + bright(-shift)) * u_weights[i];
    }
    gl_FragColor = vec4(sum, 1.0);
}
