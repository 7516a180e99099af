//: selection.memory: condbr(condition)
//: selection.memory: br
//: size 21
precision highp float;
varying vec3 a, b;
uniform int times;
void main() {
    vec3 c = a;
    for (int i = 0; i < 5; i++) {
        if (i > times) break;
        c = c.yzx + b;
    }
    gl_FragColor = vec4(c, 1.0);
}

//: selection.memory: kill(condition)
//: size 8
precision highp float;
varying vec3 a, b;
void main() {
    if (a.x < b.y) discard;
    gl_FragColor = vec4(a, 1.0);
}

//: conditions: either part of a condition decides alone
//: conditions: both parts of a condition are needed
//: selection.conditions: and, or decided by jumps
//: selection.conditions: first of two scalars compared in a row of its own
//: selection.conditions: negation decided by a jump
//: size 25
precision highp float;
varying vec3 a, b, c;
void main() {
    vec3 d = b;
    if (a.x < b.y && b.z < a.y || !(a.z < b.x || c.x < c.y)) d = c * c.y;
    gl_FragColor = vec4(d, a.y < c.z && a.x < c.x ? 1.0 : 0.0);
}

//: selection.conditions: equality by magnitudes
//: selection.conditions: equality by two comparisons
//: size 34
precision highp float;
varying vec3 a, b, c;
void main() {
    gl_FragColor = vec4(a.x == b.y ? a.y : a.z, a.y != b.z ? 0.5 : b.x, c.x == 0.0 ? 1.0 : c.y, abs(a.x) == b.x * b.x ? 1.0 : 0.0);
}

//: selection.conditions: all, any decided by jumps
//: size 12
precision highp float;
varying vec3 a, b, c;
void main() {
    gl_FragColor = vec4(all(lessThan(a, b)) ? a : c, any(lessThan(b, c)) ? 1.0 : c.x);
}

//: selection.conditions: xor decided by jumps
//: size 18
precision highp float;
varying vec3 a, b, c;
void main() {
    gl_FragColor = vec4((a.x < b.x) ^^ (b.y < c.y) ? a : c, (a.z < b.z) == (c.z < a.y) ? 0.5 : c.x);
}

//: selection.conditions: stored bool decided by a jump
//: size 12
precision highp float;
varying vec3 a, b;
uniform bool u;
void main() {
    gl_FragColor = vec4(u ? a : b, bool(a.y) ? 0.25 : b.z);
}

//: selection.conditions: compared in the lanes where they are
//: selection.conditions: components compared in rows of their vectors
//: selection.conditions: second of two scalars compared in a row of its own
//: size 30
precision highp float;
varying vec3 a, b;
varying float s;
void main() {
    float p = a.x < b.y ? s : 0.5, q = a.z < a.z * s ? s : 2.0;
    bvec2 r = lessThan(a.zx, b.xy);
    gl_FragColor = vec4(p, q, r.x ? a.x : b.z, r.y ? a.y : b.y);
}
