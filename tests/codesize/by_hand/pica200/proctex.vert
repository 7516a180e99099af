attribute vec3 position;
attribute vec4 inTexcoord;
uniform mat4 projection;
varying vec4 texcoord0;

void main() {
    gl_Position = projection * vec4(position, 1.0);
    texcoord0 = inTexcoord;
}
