//: rewrites.strips: index counted
//: rewrites.strips: index known
//: selection.outputs: emit_vertex
//: selection.outputs: end_primitive
//: selection.outputs: store
//: size 34
// A strip: every index is known; the fifth vertex turns as the third one does.
#pragma geometry(triangles)
attribute vec4 v_a[3];
uniform vec4 u;
varying vec4 color;
void main() {
    for (int i = 0; i < 3; i++) { gl_Position = gl_PositionIn[i] + u; color = v_a[2] * v_a[i].wzyx; EmitVertex(); }
    gl_Position = gl_PositionIn[1].wzyx; color = -v_a[0]; EmitVertex();
    gl_Position = gl_PositionIn[2].yxwz; EmitVertex();
    gl_Position = gl_PositionIn[0].zwxy; EmitVertex();
    EndPrimitive();
    gl_Position = gl_PositionIn[2]; EmitVertex();
    gl_Position = gl_PositionIn[1]; EmitVertex();
    gl_Position = u; color = v_a[1]; EmitVertex();
}

//: rewrites.strips: index counted
//: rewrites.strips: index known
//: selection.outputs: emit_vertex
//: selection.outputs: end_primitive
//: selection.outputs: store
//: size 88
// The number of vertices before each one depends on the path.
#pragma geometry(points)
attribute vec4 v_a[1];
uniform vec4 u;
varying vec4 color;
void corner(vec4 p) { gl_Position = p; color = p.wzyx * u; EmitVertex(); }
void main() {
    vec4 p = gl_PositionIn[0];
    corner(p);
    if (p.x > 0.25) corner(p.yxwz);
    if (p.y > 0.25) { corner(p.zwxy); if (p.w > 0.0) EndPrimitive(); }
    corner(v_a[0]);
    corner(-p);
    if (p.z > 0.25) corner(p + u);
    corner(v_a[0].yxwz);
}

//: rewrites.strips: index counted
//: rewrites.strips: index known
//: selection.outputs: emit_vertex
//: selection.outputs: store
//: size 36
// Two, or three, that a vertex may be.
#pragma geometry(points)
void corner(vec4 p) { gl_Position = p; EmitVertex(); }
void main() {
    vec4 p = gl_PositionIn[0];
    corner(p);
    corner(p.yxwz);
    if (p.x > 0.25) corner(p.wzyx);
    if (p.y > 0.25) corner(p.zwxy);
    corner(-p);
}

//: rewrites.strips: index counted
//: rewrites.strips: index known
//: selection.outputs: emit_vertex
//: selection.outputs: store
//: size 57
#pragma geometry(points)
void corner(vec4 p) { gl_Position = p; EmitVertex(); }
void main() {
    vec4 p = gl_PositionIn[0];
    for (int i = 0; i < 23; i++) {
        corner(p * float(i));
        if (p.x + float(i) > 20.0) corner(p.wzyx);
    }
}

//: rewrites.strips: index counted
//: rewrites.strips: index known
//: rewrites.vertex_memory: input of a known vertex
//: rewrites.vertex_memory: input of a vertex by index
//: selection.outputs: emit_vertex
//: selection.outputs: store
//: size 20
// Vertices in memory, by index; two registers each.
#pragma geometry(fixed, vertices = 4)
attribute vec3 v_a[4];
uniform vec4 u;
varying vec3 color;
void main() {
    for (int i = 0; i < 3; i++) {
        int k = int(gl_PositionIn[i].x > 0.0) + i;
        gl_Position = gl_PositionIn[k] * u + gl_PositionIn[1];
        color = v_a[k] * v_a[3].zxy;
        EmitVertex();
    }
}

//: rewrites.strips: index counted
//: rewrites.strips: index known
//: rewrites.vertex_memory: column by index
//: rewrites.vertex_memory: input of a known vertex
//: rewrites.vertex_memory: input of a vertex by index
//: selection.outputs: emit_vertex
//: selection.outputs: store
//: size 27
// Columns by index, of vertices by index.
#pragma geometry(fixed, vertices = 2)
attribute mat2 v_m[2];
attribute float v_w[2];
varying vec4 color;
void main() {
    for (int i = 0; i < 3; i++) {
        int k = int(gl_PositionIn[0].x > 0.0), c = int(gl_PositionIn[1].y > float(i));
        gl_Position = vec4(v_m[k][c], v_m[1][1 - c]) * v_w[1];
        color = vec4(v_m[1 - k][0], v_m[0][1]) + v_w[k];
        EmitVertex();
    }
}

//: rewrites.strips: index known
//: rewrites.vertex_memory: input of a known vertex
//: rewrites.vertex_memory: input of a vertex by index
//: rewrites.vertex_memory: number of vertices
//: rewrites.vertex_memory: vertex by index, with its inputs or alone
//: selection.outputs: emit_vertex
//: selection.outputs: end_primitive
//: selection.outputs: store
//: size 42
// Up to six vertices, two of them with all inputs.
#pragma geometry(variable, vertices = 2, most = 6)
attribute mat2 v_m[2];
attribute float v_w[2];
uniform vec4 u;
varying vec4 color;
void main() {
    for (int i = 2; i < gl_VerticesIn; i++) {
        gl_Position = gl_PositionIn[0] + u;
        color = vec4(v_m[0][1], v_m[1][0]);
        EmitVertex();
        gl_Position = gl_PositionIn[i - 1];
        color = vec4(v_w[0], v_w[1], float(gl_VerticesIn), v_m[i - 2 > 0 ? 1 : 0][1].x);
        EmitVertex();
        gl_Position = gl_PositionIn[i] * v_w[1] + gl_PositionIn[1];
        EmitVertex();
        EndPrimitive();
    }
}

//: rewrites.strips: index counted
//: rewrites.vertex_memory: input of a vertex by index
//: rewrites.vertex_memory: number of vertices
//: selection.outputs: emit_vertex
//: selection.outputs: store
//: size 45
// Positions alone: one register each, whichever it is.
#pragma geometry(variable, vertices = 3, most = 5)
uniform vec4 u;
void main() {
    for (int i = 0; i < gl_VerticesIn; i++) { gl_Position = gl_PositionIn[i] + u; EmitVertex(); }
    gl_Position = gl_PositionIn[gl_VerticesIn - 1];
    EmitVertex();
}

//: rewrites.strips: index counted
//: rewrites.strips: index known
//: selection.outputs: emit_vertex
//: selection.outputs: store
//: size 27
// Inputs with places of their own, the others between.
#pragma geometry(lines)
layout(location = 3) attribute vec2 v_a[2];
attribute mat2 v_m[2];
layout(location = 1) attribute float v_b[2];
attribute vec3 v_c[2];
uniform int n;
uniform bool t;
varying vec3 color;
void main() {
    for (int i = 0; i < 3; i++) {
        gl_Position = gl_PositionIn[1] + vec4(v_a[0], v_m[1][1]) * float(i);
        color = v_c[1] * v_b[0] + vec3(v_m[0][0], v_b[1]);
        if (t) color = -color;
        EmitVertex();
    }
}

//: rewrites.strips: index counted
//: rewrites.strips: index known
//: selection.outputs: emit_vertex
//: selection.outputs: store
//: size 14
// Nothing but the position; a shader that writes none.
#pragma geometry(lines)
varying vec4 color;
void main() {
    for (int i = 0; i < 4; i++) { color = gl_PositionIn[1] * float(i); EmitVertex(); }
}

//: rewrites.strips: index counted
//: rewrites.strips: index known
//: selection.outputs: emit_vertex
//: selection.outputs: end_primitive
//: selection.outputs: store
//: size 35
// The position is written after a call, and the bool uniform chooses the strip's end.
#pragma geometry(triangles)
attribute vec2 v_a[3];
uniform bool s, t;
varying vec2 texcoord0;
void main() {
    for (int i = 0; i < 5; i++) {
        gl_Position = gl_PositionIn[i < 3 ? i : 0] * float(i + 1);
        texcoord0 = v_a[i < 3 ? 2 - i : 1];
        EmitVertex();
        if (i == 2) { if (t) EndPrimitive(); }
    }
}

//: vertices: SETEMIT before what it is about
//: vertices: output of one vertex before what others have, too
//: size 17
// The last word of the procedure is an EMIT; the colour is not its business.
#pragma geometry(triangles)
attribute vec4 v_color[3];
uniform mat4 u;
varying vec4 color;
void main() {
    for (int i = 0; i < 3; i++) { gl_Position = u * gl_PositionIn[i].wzyx; color = v_color[i].zyxw; EmitVertex(); }
}

//: vertices: value of later vertices computed there
//: size 19
// Two triangles, which share two corners.
#pragma geometry(triangles)
uniform mat4 u;
void main() {
    vec4 a = u * gl_PositionIn[0], b = u * gl_PositionIn[1], c = u * gl_PositionIn[2];
    gl_Position = a; EmitVertex(); gl_Position = b; EmitVertex(); gl_Position = c; EmitVertex();
    EndPrimitive();
    gl_Position = c; EmitVertex(); gl_Position = b; EmitVertex(); gl_Position = u * (gl_PositionIn[2] - gl_PositionIn[1]);
    EmitVertex();
}
