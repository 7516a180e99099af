#version 110
uniform sampler2D map;
varying vec3 light;
void main() {
    vec4 found = texture2D(map, gl_TexCoord[0].st);
    gl_FragColor = found * gl_Color * max(dot(normalize(light), vec3(0.0, 0.0, 1.0)), 0.0);
}
