// A texture, tinted; where nothing is hit there is no place in it.
precision mediump float;
varying vec2 theia_TexCoord;
varying float theia_Hit;
uniform sampler2D u_image;
uniform vec3 u_tint;

void main() {
    vec3 colour = vec3(0.0);
    if (theia_Hit > 0.0) {
        colour = texture2D(u_image, theia_TexCoord * 2.0).rgb * u_tint;
    }
    gl_FragColor = vec4(colour, 1.0);
}
