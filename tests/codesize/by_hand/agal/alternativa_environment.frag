precision mediump float;
varying vec3 vNormal, vPosition;
uniform samplerCube environment;
uniform vec3 camera;
uniform mat3 toWorld;

void main() {
    vec3 d = vPosition - camera;
    vec3 r = normalize(d - vNormal * (2.0 * dot(vNormal, d)));
    gl_FragColor = textureCube(environment, normalize(toWorld * r));
}
