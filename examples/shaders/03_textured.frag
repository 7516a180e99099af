precision mediump float;
varying vec2 v_texcoord;
uniform sampler2D u_texture;
uniform vec4 u_tint;

void main() {
    gl_FragColor = texture2D(u_texture, v_texcoord) * u_tint;
}
