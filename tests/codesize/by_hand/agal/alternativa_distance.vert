attribute vec4 position;
uniform vec4 transform0, transform1, transform2, coefficient, projection;
varying vec4 distance;

void main() {
    vec3 p = vec3(dot(position, transform0), dot(position, transform1), dot(position, transform2));
    distance = vec4(p.z * coefficient.z, position.xxx);
    float w = p.z * (1.0 - coefficient.w) + coefficient.w;
    gl_Position = vec4(p.xy * projection.xy + coefficient.xy * w, p.z * projection.z + projection.w, w);
}
