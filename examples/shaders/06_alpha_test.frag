precision mediump float;
varying vec2 v_texcoord;
uniform sampler2D u_texture;
uniform float u_cut;

void main() {
    vec4 color = texture2D(u_texture, v_texcoord);
    if (color.a < u_cut) discard;
    gl_FragColor = color;
}
