#version 120
uniform sampler2D map;
uniform int count;
centroid varying vec2 spot;
void main() {
    vec4 sum = vec4(0);
    for (int i = 0; i < 4; i++) sum += texture2D(map, spot + i * 0.25) * (i < count ? 1 : 0);
    gl_FragData[0] = sum / 4;
}
