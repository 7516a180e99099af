attribute vec3 position;
attribute vec4 inTexcoord, inBlend, inColor;
uniform mat4 modelView, projection;
varying vec4 texcoord0, texcoord1, color;

void main() {
    gl_Position = projection * (modelView * vec4(position, 1.0));
    texcoord0 = inTexcoord;
    texcoord1 = inBlend;
    color = inColor * (1.0 / 255.0);
}
