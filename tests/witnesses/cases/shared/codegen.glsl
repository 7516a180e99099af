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
precision highp float;
varying vec4 a, b;
varying float which;
uniform int times;
void main() {
    vec4 colour;
    if (which < 0.0) {
        colour = a - b;
        for (int i = 0; i < 3; i++) if (i < times) colour += b * float(i);
    } else {
        colour = b * 2.0 + a.wzyx;
    }
    gl_FragColor = colour;
}

//: codegen.bundle: delay slot filled
//: codegen.bundle: terminator in the word of another instruction
//: codegen.bundle: words apart over a branch
precision highp float;
varying vec4 a, b;
varying float which;
uniform int times;
void main() {
    vec4 sum = a;
    for (int i = 0; i < 4; i++) {
        if (which * float(i) > b.x) sum = sum.yzwx * b + a.w;
        else sum -= vec4(float(i), b.yzw);
        if (i > times) break;
    }
    gl_FragColor = sum;
}

//: codegen.constants: number read as the opposite of another
attribute vec4 a;
varying vec4 v;
void main() {
    v = max(a, vec4(0.375, -0.625, 0.25, -0.125));
    gl_Position = min(a.wzyx, vec4(-0.25, 0.125, -0.375, 0.625));
}

//: codegen.constants: number beside a uniform
//: -O s agal_version=1
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
uniform int times;
void main() {
    vec4 x = a, y = a.wzyx + 1.0;
    for (int i = 0; i < 3; i++) {
        if (which + float(i) < 1.0) { vec4 t = x; x = y - a; y = t; }
    }
    v = x - y * 2.0;
    gl_Position = y;
}

//: codegen.regalloc.constraints: source in a register of its own
//: codegen.regalloc.constraints: sources in following registers
//: codegen.regalloc.coalesce: joined with one of several registers in a row
attribute vec4 a, b, c;
uniform vec4 u;
varying vec4 v;
void main() {
    mat4 m = mat4(a - u, b * u, c + u, a * b);
    v = c * m;
    gl_Position = m * v;
}

//: codegen.regalloc.constraints: tied source copied
//: codegen.regalloc.constraints: result in a register of its own
precision highp float;
varying vec3 a, b;
void main() {
    vec3 root = sqrt(abs(a)), kept = abs(a);
    vec3 chosen = b;
    if (a.x < b.y) chosen = a - kept;
    gl_FragColor = vec4(root * kept + chosen, root.z);
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
attribute vec4 a;
void main() { gl_Position = a * sign(a.yxwz) + sign(a); }
