//: size 5
precision highp float; varying vec4 v; uniform vec4 u;
void main() { gl_FragColor = vec4(v.x == 0.0 ? v.y : u.x, v.y != 0.0 ? u.z : v.w, v.z > 0.0 ? u.y : -v.x, v.w >= 0.0 ? v.z : u.w); }

//: selection.conditions: one condition for all components
//: size 5
precision highp float; varying vec4 v; uniform vec4 u;
void main() { gl_FragColor = vec4(v.x < 0.0 ? v.y : u.x, v.y <= 0.0 ? u.z : v.w, 0.0 > v.z ? u.y : -v.x, 0.0 >= v.w ? v.z : u.w); }

//: selection.conditions differences: once(fle(x:1, y))
//: size 7
precision highp float; varying vec4 v; uniform vec4 u;
void main() { gl_FragColor = vec4(v.x < v.y ? v.z : u.x, v.y <= u.x ? u.z : v.w, v.z > u.w ? u.y : -v.x, v.w >= v.x ? v.z : u.w); }

//: -fprecise
//: size 7
precision highp float; varying vec4 v; uniform vec4 u;
void main() { gl_FragColor = vec4(v.x < v.y ? v.z : u.x, v.y <= u.x ? u.z : v.w, v.z > u.w ? u.y : -v.x, v.w >= v.x ? v.z : u.w); }

//: selection.arithmetic: flt(x, y)
//: size 5
precision highp float; varying vec4 v; uniform vec4 u;
void main() { bool c = v.x < v.y; gl_FragColor = c ? v.yxwz : -u.wxyz; gl_FragColor.z += float(c); }

//: selection.arithmetic: feq(x, y)
//: selection.conditions: any other condition is a number
//: size 5
precision highp float; varying vec4 v; uniform vec4 u; uniform bool t;
void main() { gl_FragColor = (v.w == u.z ? v.yxwz : u) + (t ? u.wzyx : v); }

//: selection.arithmetic: fne(x, y)
//: size 5
precision highp float; varying vec4 v; uniform bvec4 t; uniform ivec4 n;
void main() { gl_FragColor = vec4(t.y ? v.x : v.z, n.w > 1 ? v.y : v.x, n.x == n.y ? v.w : v.z, t.x == t.z ? v.z : v.y); }

//: selection.conditions signs: flt(x, 0.0)
//: size 3
precision highp float; varying vec4 v;
void main() { if (v.x < 0.0) discard; gl_FragColor = v.wzyx; }

//: selection.conditions signs: fle(x, 0.0)
//: size 3
precision highp float; varying vec4 v;
void main() { if (v.y <= 0.0) discard; gl_FragColor = v.wzyx; }

//: size 3
precision highp float; varying vec4 v;
void main() { if (v.z > 0.0) discard; gl_FragColor = v.wzyx; }

//: selection.conditions signs: fle(0.0, x)
//: size 3
precision highp float; varying vec4 v;
void main() { if (v.w >= 0.0) discard; gl_FragColor = v.wzyx; }

//: selection.conditions kills: feq(x, y)
//: selection.conditions signs: feq(x, 0.0)
//: size 3
precision highp float; varying vec4 v;
void main() { if (v.w == 0.0) discard; gl_FragColor = v.wzyx; }

//: size 4
precision highp float; varying vec4 v;
void main() { if (floor(v.w) != 0.0) discard; gl_FragColor = v.wzyx; }

//: selection.conditions kills: flt(x, y)
//: size 3
precision highp float; varying vec4 v; uniform vec4 u;
void main() { if (v.x < v.y) discard; gl_FragColor = u; }

//: selection.conditions kills: fle(x, y)
//: size 3
precision highp float; varying vec4 v; uniform vec4 u;
void main() { if (v.z <= u.x) discard; gl_FragColor = u; }

//: size 4
precision highp float; varying vec4 v; uniform vec4 u;
void main() { if (floor(v.z) == floor(v.y)) discard; gl_FragColor = u; }

//: size 4
precision highp float; varying vec4 v; uniform vec4 u;
void main() { if (floor(v.z) != floor(v.y)) discard; gl_FragColor = u; }

//: size 6
precision highp float; varying vec4 v; uniform vec4 u;
void main() { if (v.x > v.z && v.y < v.w) discard; gl_FragColor = u; }

//: selection.conditions kills: fne(x, y)
//: selection.conditions signs: fne(x, 0.0)
//: size 3
precision highp float; varying vec4 v; uniform bool t;
void main() { if (t) discard; gl_FragColor = v; }

//: selection.conditions: kill(condition)
//: selection.conditions: kills without a condition
//: selection.conditions: ret
//: size 3
precision highp float; varying vec4 v; uniform vec4 u;
void main() { discard; }

//: selection.conditions signs: flt(0.0, x)
//: selection.conditions: select(condition, x, y)
//: size 2
precision highp float; varying vec4 v; uniform vec4 u;
void main() { gl_FragColor = mix(v.wzyx, u, vec4(greaterThan(v, vec4(0.0)))) ; }

//: selection.conditions differences: once(flt(x:1, y))
//: size 5
precision highp float; varying vec4 v; uniform vec4 u;
void main() { vec4 r = v; if (v.x > v.y) r = u.yzwx; if (v.y == 0.5) r.yz = v.xw; gl_FragColor = r; }
