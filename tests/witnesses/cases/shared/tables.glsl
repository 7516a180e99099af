//: lowering.tables: whole numbers and vectors at variable indices
#version 300 es
uniform vec4 u;
in vec4 a;
out vec4 r;
const vec4 colours[4] = vec4[4](vec4(1.0, 0.5, 2.0, -1.0), vec4(0.25), vec4(3.0, -2.0, 0.0, 8.0), vec4(-0.5, 4.0, 1.0, 0.125));
const int steps[5] = int[5](3, -1, 0, 2, 1);
void main() {
    int i = clamp(int(a.y * 4.0), 0, 3);
    vec4 first = colours[i], second = colours[clamp(steps[i + 1], 0, 3)];
    r = first * a + second * float(steps[i]);
    gl_Position = vec4(0.0);
}

//: lowering.tables: a name that another table has
#version 300 es
in vec4 a;
out vec4 r;
vec2 pick(int i) { const vec2 t[3] = vec2[3](vec2(1.0, -2.0), vec2(0.5, 4.0), vec2(2.0, 0.25)); return t[i]; }
float value(int i) { const float t[4] = float[4](1.0, -2.0, 0.5, 4.0); return t[i]; }
void main() {
    int i = clamp(int(a.x * 4.0), 0, 2);
    r = vec4(pick(i), value(i), value(i + 1)) + a;
    gl_Position = vec4(0.0);
}

//: lowering.tables: as many elements as there are no registers for
#version 300 es
uniform vec4 u[78];
in vec4 a;
out vec4 r;
const float t[4] = float[4](1.0, -2.0, 0.5, 4.0);
void main() {
    int i = clamp(int(a.x * 4.0), 0, 3);
    r = u[i] * t[i] + u[77];
    gl_Position = vec4(0.0);
}
