attribute vec3 position;
attribute vec4 inColor;
uniform mat4 projection;
varying vec4 color;

void main() {
    gl_Position = projection * vec4(position, 1.0);
    color = inColor;
}
