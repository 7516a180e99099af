// A checkerboard on the texture coordinates.
precision mediump float;
varying vec2 theia_TexCoord;
varying float theia_Hit;
uniform vec3 u_light, u_dark;

void main() {
    vec2 cell = floor(theia_TexCoord * 4.0);
    bool odd = mod(cell.x + cell.y, 2.0) > 0.5;
    gl_FragColor = vec4(theia_Hit * (odd ? u_dark : u_light), 1.0);
}
