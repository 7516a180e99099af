// Diffuse light from one lamp.
precision mediump float;
varying vec3 theia_Normal;
varying vec3 theia_HitPosition;
varying vec3 theia_Diffuse;
varying float theia_Hit;
uniform vec3 u_lamp;

void main() {
    vec3 colour = vec3(0.1, 0.1, 0.2);
    if (theia_Hit > 0.0) {
        vec3 light = normalize(u_lamp - theia_HitPosition);
        colour = theia_Diffuse * max(dot(theia_Normal, light), 0.15);
    }
    gl_FragColor = vec4(colour, 1.0);
}
