#version 120
uniform mat4x3 place;
attribute vec4 position;
attribute vec2 corner;
invariant gl_Position;
centroid varying vec2 spot;
const float[2] SIZES = float[2](1, 0.5f);
void main() {
    float size = 2;
    spot = corner * SIZES[1] / 3;
    gl_Position = vec4(place * position, 1) * size;
}
