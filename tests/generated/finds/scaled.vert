attribute vec4 q;
void main() {
    vec3 a = vec3(0.0); float l = q.x;
    for (int x = 0; x < 100; x++) { vec3 f = normalize(vec3(x, 1, 1)) * l; l *= 1.05; a += f.x; }
    gl_Position = vec4(a, l);
}
