attribute vec4 position;
attribute vec4 inTexcoord;
uniform mat4 projection;
uniform vec4 textureScale;
varying vec4 texcoord0, color;

void main() {
    gl_Position = projection * position;
    texcoord0 = textureScale * inTexcoord;
    color = inTexcoord * 0.00392156862;
}
