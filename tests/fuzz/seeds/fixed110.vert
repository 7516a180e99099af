#version 110
varying vec3 light;
void main() {
    vec3 eye = vec3(gl_ModelViewMatrix * gl_Vertex);
    light = gl_NormalMatrix * gl_Normal + gl_LightSource[0].position.xyz - eye;
    gl_TexCoord[0] = gl_TextureMatrix[0] * gl_MultiTexCoord0;
    gl_FrontColor = gl_Color;
    gl_Position = ftransform();
}
