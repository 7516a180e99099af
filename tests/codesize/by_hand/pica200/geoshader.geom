#pragma geometry(triangles)

attribute vec4 v_color[3];
uniform mat4 projection;
varying vec4 color;

void triangle(vec4 a, vec4 b, vec4 c) {
    gl_Position = projection * a;
    color = v_color[0];
    EmitVertex();
    gl_Position = projection * b;
    color = v_color[1];
    EmitVertex();
    gl_Position = projection * c;
    color = v_color[2];
    EmitVertex();
    EndPrimitive();
}

void main() {
    vec4 a = gl_PositionIn[0], b = gl_PositionIn[1], c = gl_PositionIn[2];
    vec4 ab = 0.5 * (a + b), bc = 0.5 * (b + c), ca = 0.5 * (c + a);
    triangle(a, ab, ca);
    triangle(ab, b, bc);
    triangle(ca, bc, c);
}
