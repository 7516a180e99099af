#version 300 es
uniform int mode;
uniform uint kind;
in vec4 position;
out vec3 colour;
const int LAST = 3;
float chosen(int i) {
    switch (i) { case 0: return 0.25; case 1: case 2: return 0.5; default: break; }
    return 1.0;
}
void main() {
    vec3 sum = vec3(0.0);
    for (int i = 0; i < LAST; ++i) {
        switch (mode + i) {
            case LAST: sum.x += 1.0;
            case -1: sum.y += chosen(i); break;
            default: if (i == 1) break; sum.z += 0.5;
        }
        switch (kind) { case 2u: continue; }
        sum *= 2.0;
    }
    colour = sum;
    gl_Position = position;
}
