//: select: condbr(flt(x, y))
//: -O 2 agal_version=2
//: size 16
precision highp float;
varying vec4 v;
uniform vec4 u;
void main() { vec4 c = v; if (v.x < u.y) c = normalize(sin(c.wzyx) + u) + normalize(cos(c) * u); gl_FragColor = c; }

//: select: condbr(flt(x, y))
//: select: br
//: layout: condition with two blocks
//: -O 2 agal_version=2
//: size 26
precision highp float;
varying vec4 v;
uniform vec4 u;
void main() {
    vec4 c = v;
    if (v.x > u.y) c = normalize(sin(c.wzyx) + u) + normalize(cos(c) * u);
    else c = normalize(cos(c.wzyx) + u) - normalize(sin(c) * u);
    gl_FragColor = c;
}

//: select: condbr(feq(x, y))
//: -O 2 agal_version=3
//: size 21
precision highp float;
varying vec4 v;
uniform vec4 u;
void main() { vec4 c = v; if (floor(v.x) == floor(u.y)) c = normalize(sin(c.wzyx) + u) + normalize(cos(c) * u); gl_FragColor = c; }

//: select: condbr(fne(x, y))
//: -O 2 agal_version=3
//: size 21
precision highp float;
varying vec4 v;
uniform vec4 u;
void main() { vec4 c = v; if (floor(v.x) != floor(u.y)) c = normalize(sin(c.wzyx) + u) + normalize(cos(c) * u); gl_FragColor = c; }

//: rewrites.branches: x <= y, its arms exchanged
//: -O 2 agal_version=2
//: size 26
precision highp float;
varying vec4 v;
uniform vec4 u;
void main() {
    vec4 c = v;
    if (v.x <= v.y) c = normalize(sin(c.wzyx) + u) + normalize(cos(c) * u);
    else c = normalize(cos(c.wzyx) + u) - normalize(sin(c) * u);
    gl_FragColor = c;
}

//: rewrites.branches: mask of a comparison
//: -O 2 agal_version=2
//: size 17
precision highp float;
varying vec4 v;
uniform vec4 u;
void main() { vec4 c = v; if (v.x <= v.y) c = normalize(sin(c.wzyx) + u) + normalize(cos(c) * u); gl_FragColor = c; }

//: select: condbr(fne(x, y))
//: -O 2 agal_version=2
//: size 19
precision highp float;
varying vec4 v;
uniform vec4 u;
void main() { vec4 c = v; if (v.x < u.y && v.y > v.z) c = normalize(sin(c.wzyx) + u) + normalize(cos(c) * u); gl_FragColor = c; }

//: rewrites.branches: arm for what does not hold
//: -O 2 agal_version=2
//: size 17
precision highp float;
varying vec4 v;
uniform vec4 u;
void main() { vec4 c = v; if (v.x < u.y) {} else c = normalize(sin(c.wzyx) + u) + normalize(cos(c) * u); gl_FragColor = c; }

//: layout: condition with one block
//: -O 2 agal_version=2
//: size 15
precision highp float;
varying vec4 v;
uniform vec4 u;
void main() { vec4 c = sin(v); if (v.x < u.y) c = normalize(sin(c.wzyx) + u) + normalize(cos(c) * u); gl_FragColor = c; }

//: rewrites.branches: mask of a comparison
//: -O 2 agal_version=2
//: size 16
precision highp float;
varying vec4 v;
uniform vec4 u;
void main() { vec4 c = sin(v); if (v.x <= v.y) c = normalize(sin(c.wzyx) + u) + normalize(cos(c) * u); gl_FragColor = c; }

//: rewrites.branches: arm for what does not hold
//: -O 2 agal_version=2
//: size 16
precision highp float;
varying vec4 v;
uniform vec4 u;
void main() { vec4 c = sin(v); if (v.x < u.y) {} else c = normalize(sin(c.wzyx) + u) + normalize(cos(c) * u); gl_FragColor = c; }

//: rewrites.branches: arm for what does not hold
//: -O 2 agal_version=2
//: size 20
precision highp float;
varying vec4 v;
uniform vec4 u;
void main() { vec4 c = sin(v); if (floor(v.x) == floor(u.y)) {} else c = normalize(sin(c.wzyx) + u) + normalize(cos(c) * u); gl_FragColor = c; }

//: layout: condition whose first block is empty
//: -O 2 agal_version=2
//: size 15
precision highp float;
varying vec4 v;
uniform vec4 u;
void main() {
    vec4 c = sin(v), d;
    if (v.x == u.y) d = c.wzyx; else d = normalize(sin(c.wzyx) + u) + normalize(cos(c) * u);
    gl_FragColor = d;
}

//: rewrites.branches: undefined component of a phi
//: -O 2 agal_version=2
//: size 25
precision highp float;
varying vec4 v;
uniform vec4 u;
void main() {
    vec4 c = sin(v), z;
    if (v.x < u.y) { c = normalize(sin(c.wzyx) + u) + normalize(cos(c) * u); z = cos(c); }
    gl_FragColor = c * (v.x < u.y ? z : v);
}

//: rewrites.branches: undefined component of a phi
//: -O 2 agal_version=2
//: size 26
precision highp float;
varying vec4 v;
uniform vec4 u;
void main() {
    vec4 c = sin(v), z;
    if (v.x < u.y) { c = normalize(sin(c.wzyx) + u) + normalize(cos(c) * u); z.xyz = cos(c.yzx); }
    gl_FragColor = c * (v.x < u.y ? z.xyzx : v);
}
