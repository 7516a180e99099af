//: codegen.forward: written where it is computed
//: codegen.forward: components in another order
attribute vec4 a, b;
varying vec3 turned;
void main() {
    vec3 sum = a.zxy + b.xyz * 2.0;
    turned = sum.yzx;
    gl_Position = a - b;
}

//: codegen.forward: one of several writers on each path
//: codegen.select: value brought to a phi
//: -O s
attribute vec4 a, b;
uniform bool on;
varying vec4 v;
void main() {
    if (on) v = a - b; else v = a.wzyx * b;
    gl_Position = sign(a) + sign(a.yxwz);
}

//: codegen.bundle: delay slot filled
//: codegen.bundle: words apart over a branch
//: -O 0
precision highp float;
varying vec3 a;
uniform float p;
void main() {
    vec4 x = vec4(a, p);
    for (int i = 0; i < 2; i++) {}
    gl_FragColor = faceforward(x, vec4(0.75), vec4(p));
}

//: codegen.bundle: terminator in the word of another instruction
//: -O 0
precision highp float;
varying vec3 a;
uniform float p;
void main() {
    vec4 x = vec4(a, p);
    for (int i = 0; i < 2; i++) { x *= p; }
    gl_FragColor = x + floor(x);
}

//: codegen.constants: number read as the opposite of another
attribute vec4 a;
varying vec4 v;
void main() {
    v = max(a, vec4(0.375, -0.625, 0.25, -0.125));
    gl_Position = min(a.wzyx, vec4(-0.25, 0.125, -0.375, 0.625));
}

//: codegen.constants: number beside a uniform
//: - agal_version=1 agal_pack_literals=true
attribute vec4 a;
uniform vec3 u;
void main() {
    gl_Position = max(a * vec4(u, 1.0), vec4(0.375));
}

//: codegen.regalloc.coalesce: both sides of a copy in one register
//: codegen.regalloc.coalesce: copy within a bundle
attribute vec4 a;
attribute float which;
varying vec4 v;
void main() {
    vec4 x = a, y = a.wzyx + 1.0;
    for (int i = 0; i < 3; i++) {
        if (which + float(i) < 1.0) { vec4 t = x; x = y - a; y = t; }
    }
    v = x - y * 2.0;
    gl_Position = y;
}

//: codegen.outline: procedure
//: codegen.outline: values passed to a procedure
//: codegen.outline: results of a procedure
//: -O s
attribute vec4 a, b, c;
uniform vec4 u, w;
varying vec4 p, q, r;
vec4 lit(vec4 n, vec4 l) {
    vec4 d = normalize(n - l) * dot(n, l);
    return exp2(min(d, w)) + d.wzyx * floor(d * l);
}
void main() {
    p = lit(a, u);
    q = lit(b, a);
    r = lit(c, b);
    gl_Position = lit(u, c);
}

//: codegen.schedule: block in another order
//: size agal 20
//: - agal_version=1
attribute vec4 a, b;
uniform vec4 u[10];
varying vec4 v;
void main() {
    vec4 t0 = a * u[0], t1 = a * u[1], t2 = a * u[2], t3 = a * u[3], t4 = a * u[4];
    vec4 t5 = b * u[5], t6 = b * u[6], t7 = b * u[7], t8 = b * u[8], t9 = b * u[9];
    v = max(t0, t5) - max(t1, t6) + max(t2, t7) - max(t3, t8) + max(t4, t9);
    gl_Position = a;
}

//: codegen.selection.emitter: source with an index
//: codegen.selection.emitter: vector of several origins
attribute vec4 a;
attribute float at;
uniform vec4 table[5];
varying vec4 v;
void main() {
    v = vec4(a.y, table[2].zx, -a.w);
    gl_Position = table[int(abs(at))] - a;
}

//: codegen.selection.templates: one component after the other
//: codegen.selection.templates: equal components at once
attribute vec4 a;
varying vec4 v;
void main() {
    v = exp2(a.xyxz);
    gl_Position = inversesqrt(abs(a) + vec4(0.5, 1.0, 1.5, 2.0));
}

//: codegen.selection.templates: equal parts once
attribute vec4 a, b;
varying vec4 v;
void main() {
    v = vec4(ivec4(a * 2.0));
    gl_Position = b;
}
