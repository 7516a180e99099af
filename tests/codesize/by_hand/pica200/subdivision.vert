attribute vec4 position;
attribute vec2 inTexcoord;
attribute float valence;
uniform mat4 projection, modelView;
varying vec4 texcoord0;
varying float dummy;

void main() {
    gl_Position = projection * (modelView * position);
    texcoord0 = vec4(inTexcoord, 0.0, 0.0);
    dummy = valence;
}
