//: -O 1
//: size 15
precision highp float; varying vec4 v; uniform vec4 u;
void main() { vec4 c = v; if (v.x > 0.5) { c = fract(c * 1.5) + c.yzwx; c = c * c + v.wzyx; c = floor(c * 4.0) + c; c = c * v + fract(c); } gl_FragColor = c; }

//: -O 1
//: size 24
precision highp float; varying vec4 v; uniform vec4 u;
void main() { vec4 c = v; if (v.x == 0.5) { c = fract(c * 1.5) + c.yzwx; c = c * c + v.wzyx; c = floor(c * 4.0) + c; c = c * v + fract(c); } else { c = c.wzyx + v; c = c * c - u; c = floor(c) + u.yxwz; c = fract(c * 0.75) + c.yyxx; c *= v; } gl_FragColor = c; }

//: predication: the predicate from the mask again
//: -O 1
//: size 30
precision highp float; varying vec4 v; uniform vec4 u;
void main() { vec4 c = v; if (v.x <= 0.0) { c = fract(c * 1.5) + c.yzwx; c = c * c + v.wzyx; if (v.y != 0.25) { c = fract(c * 1.25) + c.yzwx; c = c * c + v.yyxx; c = floor(c * 2.0) + v; c = c * v + fract(c); } c = floor(c * 4.0) + c; c = c * v + fract(c); } gl_FragColor = c; }

//: -O 1
//: size 42
precision highp float; varying vec4 v; uniform vec4 u;
void main() { vec4 c = v; if (v.x < 0.0) { c = fract(c * 1.5) + c.yzwx; c = c * c + v.wzyx; if (v.y == 0.25) { c = fract(c * 1.25) + c.yzwx; c = c * c + v.yyxx; c = floor(c * 2.0) + v; c = c * v + fract(c); } else { c = c.wzyx + v; c = c * c - u; c = floor(c) + u.yxwz; c = fract(c * 0.75) + c.yyxx; c *= v; } } else { c = c + u.yxwz; c = fract(c * 2.25) + c; c = c * c.wzyx + v; c = floor(c * 3.0) + c; } gl_FragColor = c; }

//: predication: lanes leave a loop
//: predication: opposite of a test for equality
//: predication: outermost loop
//: -O 1
//: size 15
precision highp float; varying vec4 v; uniform vec4 u;
void main() { float t = 0.0; for (int i = 0; i < 50; i++) { if (t > abs(v.x) * 8.0) break; t += 0.75 + fract(t * v.y); } gl_FragColor = vec4(t, v.zyx); }

//: -O 1
//: size 14
precision highp float; varying vec4 v; uniform vec4 u;
void main() { float t = 0.0; for (int i = 0; i < 50; i++) { if (t == 6.0 || t > 8.0) break; t += v.x > 0.0 ? 1.0 : 0.75; } gl_FragColor = vec4(t, v.zyx); }

//: size 7
precision highp float; varying vec4 v; uniform vec4 u;
void main() { float t = v.y; for (int i = 0; i < 60; i++) { t = fract(t * 1.25 + v.x); } gl_FragColor = vec4(t, v.zyx); }

//: -O s
//: size 16
precision highp float; varying vec4 v; uniform vec4 u;
void main() { vec4 t = v; for (int i = 0; i < 3; i++) { t = fract(t.yzwx * 1.25 + v); } for (int j = 0; j < 5; j++) { t = t.wzyx * 0.5 - v * float(j); } gl_FragColor = t; }

//: predication: counted loop inside of a branch
//: -O 1
//: size 28
precision highp float; varying vec4 v; uniform vec4 u;
void main() { vec4 c = v; if (v.x > 0.0) { for (int i = 0; i < 60; i++) { c = fract(c * 1.25 + v.wzyx); } c = c.yxwz + u; if (v.y > 0.0) { for (int i = 0; i < 9; i++) { if (c.x > v.z) break; c = fract(c.yzwx * 1.5 + u) + c * 0.25; } c = c * u + v; } c -= u.wzyx; } gl_FragColor = c; }

//: -O 1
//: size 16
precision highp float; varying vec4 v; uniform vec4 u;
void main() { vec4 c = v; for (int i = 0; i < 40; i++) { c = fract(c * 1.25 + u); if (c.x > 0.75) { c = c.yzwx * 0.5 + v; c = floor(c * 8.0) * 0.125; c = fract(c + u.wzyx); c = c * c.wxyz; } } gl_FragColor = c; }

//: predication: inner loop
//: -O 1
//: size 26
precision highp float; varying vec4 v; uniform vec4 u;
void main() { float t = 0.0, s = 0.0; for (int i = 0; i < 30; i++) { if (t >= abs(v.x) * 3.0) break; t += 0.5; for (int j = 0; j < 30; j++) { if (s < v.y - t) break; s -= 0.25 + abs(v.z); } s += 3.0; } gl_FragColor = vec4(t, s, v.zw); }

//: predication: inner branch with the mask of the outer one
//: -O 1
//: size 25
precision highp float; varying vec4 v; uniform vec4 u;
void main() { vec4 c = v; if (v.x > 0.0) { c = fract(c * 1.5) + u; } else if (v.y < 0.5) { c = floor(c * 4.0) * 0.125; c = fract(c + u.wzyx); } else if (v.z > 0.25) { c = c.yzwx * 0.75 + v; } else { c = fract(c * 1.5) - u; c = c * c; } gl_FragColor = c; }

//: clauses: a run that no lane takes is skipped
//: clauses: new clause: another condition
//: clauses: new clause: the last is full
//: -O 1
//: size 15
precision highp float; varying vec4 v; uniform bool b; uniform vec4 u;
void main() { vec4 c = v; if (b) { c = fract(c * 1.5) + c.yzwx; c = c * c + v.wzyx; c = floor(c * 4.0) + c; c = c * v + fract(c); c = c.wxyz * u; } gl_FragColor = c; }

//: -O 1
//: size 15
precision highp float; varying vec4 v; uniform vec4 u; uniform sampler2D s;
void main() { vec4 c = v; if (v.x > 0.25) { c = texture2D(s, v.yz); c = c * c + v.wzyx; c = floor(c * 4.0) + c; c = c * v + fract(c); c = c.wxyz * u; } c = c + texture2D(s, c.xy); gl_FragColor = c; }

//: -O 1
//: size 10
precision highp float; varying vec4 v; uniform vec4 u;
void main() { if (v.x > 0.25) { if (v.y < 0.5) discard; } gl_FragColor = v.wzyx; }

//: selection.arithmetic: fle(x, y)
//: -O 0
//: size 20
precision highp float; varying vec4 v; uniform vec4 u;
void main() { gl_FragColor = u; if (v.x >= 0.25) { gl_FragColor = v.wzyx; if (v.y < 0.5) discard; } else { gl_FragColor.z = v.y; } if (v.w != 0.5) gl_FragColor.x += 1.0; }

//: predication: else under the false predicate
//: predication: outermost branch
//: -O 0
//: size 9
precision highp float; varying vec4 v; uniform vec4 u;
void main() { vec4 c = v; for (int i = 0; i < 4; i++) { c = c.yzwx * 0.5 + u; if (c.x < 0.25) continue; c += v; } gl_FragColor = c; }

//: clauses: new clause: another buffer
//: -O 1
//: size 15
attribute vec4 a; varying vec4 v; uniform vec4 u;
void main() { gl_Position = a.wxyz; if (a.x > 0.0) { v = a; } else { v = u; for (int i = 0; i < 50; i++) { v = fract(v * 1.25 + a); } } if (a.y > a.z) gl_Position = u; }

//: predication: opposite of a test for order
//: -O 1
//: size 15
precision highp float; varying vec4 v; uniform vec4 u;
void main() { vec4 c = v; for (int i = 0; i < 50; i++) { c = c * 0.75 - u * 0.25; if (c.x > 0.0) break; c = c.yzwx; if (c.y <= 0.0) break; c -= v; } gl_FragColor = c; }

//: -O 1
//: size 15
precision highp float; varying vec4 v; uniform vec4 u;
void main() { vec4 c = v; for (int i = 0; i < 50; i++) { c = c * 0.75 - u * 0.25; if (c.x < 0.0) break; c = c.yzwx; if (c.y >= 0.0) break; c -= v; } gl_FragColor = c; }

//: -O 1
//: size 18
precision highp float; varying vec4 v; uniform vec4 u;
void main() { vec4 c = v; for (int i = 0; i < 50; i++) { c = floor(c * 4.0) * 0.25 - u * 0.25; if (c.x == 0.0) break; c = c.yzwx; if (c.y != 0.0) break; c -= v; } gl_FragColor = c; }

//: -O 1
//: size 31
precision highp float; varying vec4 v; uniform vec4 u;
void main() { vec4 c = v; float t = 0.0; while (t < abs(v.y) * 6.0) { t += 0.75 + fract(c.w); c = c.yzwx * 0.75; if (c.x > v.z) { c = fract(c * 1.5) + u; c = c * c.wxyz; c = floor(c * 4.0) * 0.125; c = fract(c + u.wzyx); } else { c = floor(c + u); c = c * c - v; c = fract(c) - u.wzyx; } } gl_FragColor = vec4(t, c.xyz); }

//: -O 1
//: size 34
precision highp float; varying vec4 v; uniform vec4 u;
void main() { vec4 c = v; if (v.x > 0.0) { c = fract(c * 1.5) + u; c = c * c.wxyz; if (v.y < 0.5) { c = floor(c * 4.0) * 0.125; c = fract(c + u.wzyx); for (int i = 0; i < 40; i++) { c = c.yzwx * 0.75 + v * 0.125; if (c.x > v.z) break; c = fract(c * 1.5) - u; } c = c * u + v; } c -= u.wzyx; } gl_FragColor = c; }

//: predication: else by the mask
//: predication: inner branch
//: -O 1
//: size 28
precision highp float; varying vec4 v; uniform vec4 u;
void main() { vec4 c = v; if (v.x > 0.0) { c = fract(c * 1.5) + u; c = c * c.wxyz; if (v.y < 0.5) { c = floor(c * 4.0) * 0.125; c = fract(c + u.wzyx); if (v.z > 0.25) { c = c.yzwx * 0.75 + v; c = fract(c * 1.5) - u; c = c * c; } } } gl_FragColor = c; }

//: -O 1
//: size 34
precision highp float; varying vec4 v; uniform vec4 u;
void main() { vec4 c = v; float t = 0.0; for (int i = 0; i < 30; i++) { if (t > abs(v.x) * 4.0) break; t += 0.5; c = fract(c * 1.5) + u; if (v.y > t) { c = c * c.wxyz - t; c = floor(c * 8.0) * 0.125; if (v.z > c.x) { c = fract(c + u.wzyx); c = c.yzwx * 0.75 + v; c = c * c - u; } } } gl_FragColor = vec4(c.yzw, t); }

//: predication: counted loop
//: selection.conditions: br
//: selection.conditions: condbr(condition)
//: selection.conditions: leaves a loop that the machine counts
//: size 7
precision highp float; varying vec4 v; uniform vec4 u;
void main() { vec4 c = v; for (int i = 0; i < 60; i++) for (int j = 0; j < 70; j++) c = fract(c.yzwx * 1.25 + u); gl_FragColor = c; }
