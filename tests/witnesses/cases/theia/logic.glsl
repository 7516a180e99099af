//: selection.logic: flt
//: selection.logic: feq
//: selection.logic: fne
//: size 41
precision highp float;
varying vec2 a, b;
void main() {
    gl_FragColor = vec4(vec2(lessThan(a, b)) + 2.0 * vec2(lessThanEqual(a.yx, b)),
        vec2(equal(a, b)) + 2.0 * vec2(notEqual(a.yx, b)));
}

//: selection.logic: fstep
//: size 15
precision highp float;
varying vec3 a, b;
void main() { gl_FragColor = vec4(step(a, b), step(0.25, a.x)); }

//: selection.logic: all
//: selection.logic: any
//: size 23
precision highp float;
varying vec3 a, b;
void main() {
    bvec3 less = lessThan(a, b);
    gl_FragColor = vec4(all(less), any(less), vec2(less.zx));
}

//: selection.logic: flt(x:3, 0.0)
//: selection.logic: flt(0.0, x:3)
//: size 16
precision highp float;
varying vec3 a, b;
void main() {
    vec3 zero = vec3(0.0);
    gl_FragColor = vec4(vec3(lessThan(a, zero)) + 2.0 * vec3(lessThan(zero, b)), 1.0);
}

//: selection.logic: fle(0.0, x:3)
//: size 38
precision highp float;
varying vec3 a, b;
void main() {
    bvec3 p = lessThanEqual(vec3(0.0), a);
    gl_FragColor = vec4(p.x && a.y < b.x, p.y || a.z < b.y, p.z ^^ p.x, all(p));
}

//: selection.logic: fle(x:3, 0.0)
//: size 39
precision highp float;
varying vec3 a, b;
void main() {
    bvec3 p = lessThanEqual(a, vec3(0.0));
    gl_FragColor = vec4(p.x && a.y < b.x, p.y || a.z < b.y, p.z ^^ p.x, all(p));
}

//: selection.logic: fle
//: size 36
precision highp float;
varying vec3 a, b;
void main() {
    bvec3 p = lessThanEqual(a, b);
    gl_FragColor = vec4(p.x && a.y < b.x, p.y || a.z < b.y, p.z ^^ p.x, all(p));
}

//: selection.logic: and(x, y)
//: selection.logic: xor(x, y)
//: size 15
precision highp float;
varying vec3 a, b;
varying float s;
void main() {
    bool p = a.x < b.x, q = s < a.z;
    gl_FragColor = vec4(p, q, p && q, p ^^ q);
}

//: selection.logic: or(x, y)
//: size 22
precision highp float;
varying vec3 a, b, c;
void main() { gl_FragColor = vec4(max(vec3(lessThan(a, b)), vec3(lessThan(b, c))), 1.0); }

//: selection.logic: not(x)
//: size 14
precision highp float;
varying vec3 a;
uniform bvec3 p;
uniform bool q;
void main() { gl_FragColor = vec4(vec3(not(p)) + a, q ? a.x : 0.5); }

//: selection.logic: or(x:1, y)
//: size 15
precision highp float;
varying vec3 a, b;
void main() {
    bool either = a.x < b.y || a.z < b.x;
    gl_FragColor = vec4(either, a.yz, 1.0);
}

//: selection.logic: select(condition:1, x, y)
//: selection.logic: select with its constant under the condition
//: selection.logic: select with what is true under the condition
//: selection.common: value put in under a condition
//: selection.common: 0.0, 1.0 or -1.0 put in under a condition
//: size 22
precision highp float;
varying vec3 a, b;
varying float s;
void main() {
    vec3 first = a.x < b.y ? a : b;
    float zero = s < a.z ? s : 0.0, one = s < a.x ? 1.0 : s, minus = a.y < s ? s : -1.0;
    gl_FragColor = vec4(first, zero + 4.0 * one + 16.0 * minus);
}

//: selection.logic: select of vectors by both masks
//: - range=a=-10000:10000,b=-10000:10000
//: size 40
precision highp float;
varying vec3 a, b;
void main() { gl_FragColor = vec4(mod(a * 8.0, abs(b) + 0.75), 1.0); }

//: selection.common: undefined value not put in
//: -O 0
//: size 14
precision highp float;
varying float s, t;
void main() {
    float c, d;
    float e = s < t ? s : c, f = s < t ? d : t;
    gl_FragColor = vec4(e * float(s < t), f * float(t <= s), s, t);
}

//: rows.emitter: undefined value not copied
//: -O 0
//: size 19
precision highp float;
varying vec3 a, b;
void main() {
    vec3 c;
    if (a.x < b.y) c = a.zxy;
    gl_FragColor = vec4(c * float(a.x < b.y), 1.0);
}
