attribute vec3 position;
uniform mat4 projection, modelView;
varying vec3 texcoord0;

void main() {
    gl_Position = projection * (modelView * vec4(position, 1.0));
    texcoord0 = position;
}
