//: lowering.matrices: vec_mat as dot
//: lowering.matrices: mat_vec as fmul fmad
attribute vec3 v;
attribute vec2 w;
uniform mat3 m;
uniform mat2 n;
varying vec3 left, right;
varying vec2 small;
void main() {
    left = v * m;
    right = m * v.yzx;
    small = n * -w;
    gl_Position = vec4(0.0);
}

//: lowering.indexing: extract_dynamic as ilt select
//: lowering.indexing: insert_dynamic as ilt ieq select
attribute vec4 v;
uniform int at, to;
void main() {
    vec4 p = v;
    p[to] = v[at] + 5.0;
    gl_Position = p;
}

//: lowering.zeros: sum with zeros
//: size pica200 4
attribute vec4 a; attribute vec2 b; uniform float k;
void main() { gl_Position = a.wzyx + vec4(b.yx * k, 0.0, 0.0); }

//: lowering.zeros: sum with zeros
//: size pica200 4
attribute vec4 a; attribute vec2 b; uniform vec4 k;
void main() { gl_Position = k.zxwy - vec4(0.0, b.yx * k.w, 0.0); }

//: lowering.zeros: sum with zeros
//: size pica200 5
attribute vec4 a; uniform vec4 k;
void main() { gl_Position = vec4(0.0, a.y * a.z, 0.0, a.w) + vec4(k.x, 3.0, k.yz); }

//: lowering.rotation: use behind the loop takes what the latch brings
// Components that change places, and what the last round began with.
attribute vec4 a, b;
varying vec4 v;
void main() {
    vec4 p = a, q = b, r = a;
    for (int i = 0; i < 50; i++) { r = q; q = p.wxyz; p = vec4(r.y * 0.5, r.zwx); }
    gl_Position = p - q;
    v = r;
}

//: lowering.rotation: phi behind the loop takes what the latch brings
//: lowering.rotation: use behind the loop takes what one of several exits brings
attribute vec4 a, b; varying vec4 v;
void main() {
    vec4 p = a, q = b;
    float n = 0.0;
    for (int i = 0; i < 6; i++) {
        q = p.yzwx;
        if (p.x + float(i) > 1.75) break;
        p = p.wxyz * 0.5 + q.x;
        n = float(i);
    }
    gl_Position = p;
    v = q * n;
}

//: lowering.interface.texture_rows: 1D texture as a row
#version 120
#extension GL_ARB_shader_texture_lod : enable
uniform sampler1D s, t[2];
varying vec2 v;
void main() { gl_FragColor = texture1D(s, v.x) - texture1D(t[1], v.y, 0.5).wxyz * texture1DGradARB(s, v.y, 0.25, v.x); }

//: lowering.interface.depth_comparisons: depth compared in code
#version 120
uniform sampler2DShadow s, t[2];
uniform sampler1DShadow r;
uniform int k;
varying vec4 v;
void main() {
    gl_FragColor = shadow2D(s, v.xyz).xyzw + shadow2DProj(t[1], v).wxyz * 0.5 - shadow1D(r, v.wyz) * shadow2D(t[k], v.yxw);
}

//: lowering.interface.depth_comparisons: depth compared in code
#version 300 es
precision highp float;
uniform highp samplerCubeShadow s;
in vec4 v;
out vec4 c;
void main() { c = vec4(texture(s, v), texture(s, v.wzyx), v.xy); }
