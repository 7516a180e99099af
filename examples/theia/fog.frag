// Fog that thickens with the distance, by the exponential function.
precision mediump float;
varying float theia_HitDistance;
varying vec3 theia_Diffuse;
varying float theia_Hit;
uniform vec3 u_fog;
uniform float u_density;

void main() {
    float clear = theia_Hit * exp(-u_density * theia_HitDistance);
    gl_FragColor = vec4(mix(u_fog, theia_Diffuse, clear), 1.0);
}
