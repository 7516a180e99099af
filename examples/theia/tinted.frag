// A texture, tinted.
precision mediump float;
varying vec2 theia_TexCoord;
varying float theia_Hit;
uniform sampler2D u_image;
uniform vec3 u_tint;

void main() {
    gl_FragColor = vec4(texture2D(u_image, theia_TexCoord * 2.0).rgb * u_tint * theia_Hit, 1.0);
}
