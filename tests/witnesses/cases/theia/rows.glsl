//: selection.memory: swizzle where _is_row
//: selection.memory: construct where _is_row
//: rows.emitter: shuffle by XCHANGEX
//: rows.emitter: shuffle by SWIZZLE3D
//: rows.emitter: shuffle with a swizzled copy of a row
//: size 32
precision highp float;
varying vec3 a, b;
void main() { gl_FragColor = vec4(a.yzx * b.zxy + vec3(a.z, b.x, a.y) * 0.5, b.y); }

//: selection.memory: insert where _is_row
//: -O 0
//: size 9
precision highp float;
varying vec3 a, b;
void main() {
    vec3 c = a;
    c.y = b.x;
    gl_FragColor = vec4(c * c, 1.0);
}

//: selection.memory: btof where _is_row
//: -O 0
//: size 24
precision highp float;
varying vec3 c;
varying float s;
uniform bvec3 p;
uniform bool q;
void main() {
    bvec3 r = not(p);
    r.x = q || s < 0.0;
    gl_FragColor = vec4(r, q) + vec4(not(r), !q) * 2.0;
}

//: rows.emitter: shuffle by SETX
//: rows.emitter: shuffle by SETY
//: rows.emitter: shuffle by SETZ
//: size 11
precision highp float;
varying vec3 a, b, c;
void main() { gl_FragColor = vec4(vec3(0.25, a.yz) * vec3(b.x, 0.75, b.z) * vec3(c.xy, 0.5), 1.0); }

//: rows.emitter: one component spread to a row
//: rows.emitter: shuffle by COPY
//: size 6
precision highp float;
varying vec3 a, b;
void main() { gl_FragColor = vec4(a * b.y, a.z); }

//: rows.emitter: number of a bool seen as the bool
//: size 11
precision highp float;
varying vec3 a, b;
void main() { gl_FragColor = vec4(float(a.x < b.y), a.yz, 1.0); }
