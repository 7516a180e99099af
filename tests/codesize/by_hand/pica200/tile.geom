#pragma geometry(lines)

attribute vec4 v_texcoord[2], v_color[2];
varying vec4 texcoord0, color;

void corner(float x, float y, float z, float u, float v) {
    gl_Position = vec4(x, y, z, 1.0);
    texcoord0 = vec4(u, v, v, v);
    color = v_color[0];
    EmitVertex();
}

void main() {
    vec4 a = gl_PositionIn[0], b = gl_PositionIn[1];
    vec2 s = v_texcoord[0].xy, t = v_texcoord[1].xy;
    corner(a.x, a.y, a.z, s.x, s.y);
    corner(b.x, a.y, b.z, t.x, s.y);
    corner(a.x, b.y, a.z, s.x, t.y);
    corner(b.x, b.y, b.z, t.x, t.y);
    EndPrimitive();
}
