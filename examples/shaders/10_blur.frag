precision mediump float;
varying vec2 v_texcoord;
uniform sampler2D u_texture;
uniform vec2 u_step;

float weight(int distance) {
    return distance == 0 ? 0.4 : distance == 1 || distance == -1 ? 0.24 : 0.06;
}

void main() {
    vec4 sum = vec4(0.0);
    for (int i = -2; i <= 2; i++) {
        sum += weight(i) * texture2D(u_texture, v_texcoord + float(i) * u_step);
    }
    gl_FragColor = sum;
}
