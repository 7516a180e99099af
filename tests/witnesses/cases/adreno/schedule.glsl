//: schedule.scalar_unit: one register: f(x, y)
//: size 2
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { gl_FragColor = vec4(v.yzx * w.xyw, v.w + v.z) ; }

//: schedule.scalar_unit: one register: x - y
//: size 2
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { gl_FragColor = vec4(v.yzx * w.xyw, v.w - v.z) ; }

//: size 2
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { gl_FragColor = vec4(v.yzx * w.xyw, -v.w + v.x) ; }

//: size 2
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { gl_FragColor = vec4(v.yzx * w.xyw, -v.w - v.y) ; }

//: size 2
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { gl_FragColor = vec4(v.w * v.z, v.yzx + w.xyw) ; }

//: size 3
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { gl_FragColor = vec4(-v.w * v.z, v.yzx + w.xyw) ; }

//: size 3
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { gl_FragColor = vec4(v.yzx + w.xyw, max(v.w, -v.z)) ; }

//: size 4
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { gl_FragColor = vec4(v.yzx + w.xyw, min(v.w, v.z)) + vec4(max(w.y, w.x), v.zxy) ; }

//: schedule.scalar_unit: one register: f(x)
//: size 2
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { gl_FragColor = vec4(v.yzx + w.xyw, fract(-v.w)); }

//: size 2
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { gl_FragColor = vec4(floor(abs(v.w)), v.yzx + w.xyw); }

//: size 2
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { gl_FragColor = vec4(v.yzx + w.xyw, float(int(v.w))); }

//: encode: constant and register in the scalar half
//: schedule.dual_issue: the second to be issued is the scalar one
//: schedule.scalar_unit: constant and register: c + r
//: size 2
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { gl_FragColor = vec4(v.yzx + w.xyw, u.z + v.x); }

//: schedule.scalar_unit: constant and register: c - r
//: size 2
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { gl_FragColor = vec4(v.yzx + w.xyw, u.z - w.x); }

//: schedule.scalar_unit: constant and register: -c + r
//: size 4
precision highp float; varying vec4 v, w, x, y; uniform vec4 u;
void main() { gl_FragColor = vec4(v.yzx + w.xyw, y.x - u.z) * vec4(x.yzx, -x.w * -u.y); }

//: schedule.scalar_unit: constant and register: c * r
//: size 5
precision highp float; varying vec4 v, w, x, y; uniform vec4 u;
void main() { gl_FragColor = vec4(v.yzx + w.xyw, -x.y - u.x) + vec4(y.yzx, x.w * u.y) + vec4(abs(x.z) * u.x, x.zwy); }

//: schedule.scalar_unit: test: x > 0
//: size 4
precision highp float; varying vec4 v, w, x; uniform vec4 u;
void main() { gl_FragColor = vec4(v.yzx + w.xyw, x.y > 0.0) + vec4(0.0 > x.z, w.xyz); }

//: size 4
precision highp float; varying vec4 v, w, x; uniform vec4 u;
void main() { gl_FragColor = vec4(v.yzx + w.xyw, 0.0 <= v.y) + vec4(0.0 == x.z, w.zwx); }

//: size 4
precision highp float; varying vec4 v, w, x; uniform vec4 u;
void main() { gl_FragColor = vec4(v.yzx + w.xyw, 0.0 >= -v.y) + vec4(x.z != 0.0, w.zwx); }

//: schedule.dual_issue: the first to be issued is the scalar one
//: size 3
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { float s = sqrt(abs(v.w)) * w.x; gl_FragColor = vec4(v.xyz * u.xyz + w.yzw * u.yzx, s); }

//: size 3
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { float s = w.x - exp2(v.w); gl_FragColor = vec4(v.xyz * u.xyz + w.yzw * u.yzx, s); }

//: schedule.scalar_unit: previous result: x + p
//: size 3
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { float s = exp2(v.w) + w.x; gl_FragColor = vec4(v.xyz * u.xyz + w.yzw * u.yzx, s); }

//: size 4
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { float s = exp2(v.w) * -w.x; gl_FragColor = vec4(v.xyz * u.xyz + w.yzw * u.yzx, s); }

//: size 4
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { float s = -exp2(v.w) * u.x; gl_FragColor = vec4(v.xyz * u.xyz + w.yzw * u.yzx, s); }

//: size 4
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { float s = clamp(exp2(v.w), 0.0, 1.0) * u.x; gl_FragColor = vec4(v.xyz * u.xyz + w.yzw * u.yzx, s); }

//: size 5
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { float s = exp2(v.w); vec3 t = v.xyz * u.xyz + w.yzw * u.yzx; gl_FragColor = vec4(t * s, s * w.x + t.x); }

//: schedule.previous_result: export by the previous result, earlier
//: size 3
precision highp float; varying vec4 v; uniform vec4 u;
void main() { gl_FragColor = vec4(mix(u.rgb, v.rgb, v.a), 1.0); }

//: size 3
precision highp float; varying vec4 v; uniform vec4 u;
void main() { gl_FragColor = vec4(v.y, v.zxw * u.zwx + u.ywz); }

//: size 3
precision highp float; varying vec4 v; uniform vec4 u;
void main() { gl_FragColor = vec4(v.zxw * u.zwx + u.ywz, -u.y); }

//: size 4
precision highp float; varying vec4 v; uniform vec4 u, w;
void main() { vec3 t = v.zxw * u.zwx + u.ywz; gl_FragColor = vec4(t * w.xyz + v.yzx, abs(v.y)); }

//: size 4
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { gl_FragColor = vec4(v.xyz * w.yzx + v.zwz, sqrt(v.w + 3.0)); }

//: encode: third source of both halves
//: schedule.scalar_unit: an operation of the scalar unit
//: size 2
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { gl_FragColor = vec4(w.yzx * u.xyz + v.xyz, exp2(v.w)); }

//: encode: export of the scalar half alone
//: size 3
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { gl_FragColor = vec4(w.yzx * u.xyz - v.xyz, exp2(v.w)); }

//: size 2
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { gl_FragColor = vec4(w.yzx * u.xyz - v.xyz, exp2(-v.w)); }

//: size 3
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { gl_FragColor = vec4(w.yzx * u.xyz + abs(v.xyz), exp2(v.w)); }

//: size 2
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { gl_FragColor = vec4(w.yzx * u.xyz + abs(v.xyz), exp2(abs(v.w))); }

//: size 3
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { gl_FragColor = vec4(w.yzx * u.xyz + v.xyz, v.x * v.w); }

//: size 3
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { gl_FragColor = vec4(exp2(v.x), w.yzx * u.xyz + v.xyz); }

//: size 7
precision highp float; varying vec4 v, w; uniform vec4 u[4]; uniform int n;
void main() { gl_FragColor = vec4(v.xyz + w.zyx, exp2(v.w)) * u[n / 4 + 1]; }

//: size 9
attribute vec4 a; uniform mat4 m; uniform vec4 u; varying vec4 v;
void main() { v = a * a + exp2(a.x); gl_Position = m * vec4(a.xyz, 1.0); gl_PointSize = a.x * u.y; }

//: size 7
attribute vec4 a, b; uniform vec4 u; varying vec4 v, w;
void main() { v = a + u.x; w = b.wzyx * a; gl_Position = b * u.yxwz + a; }

//: size 9
precision highp float; varying vec4 v, w; uniform vec4 u; uniform sampler2D s;
void main() { vec4 a = v * u + w; a = a * w + v; a = a * u.wxyz + v; gl_FragColor = a * texture2D(s, w.xy) + texture2D(s, v.zw * 2.0); }

//: schedule.scalar_unit: previous result: x * p
//: size 4
precision highp float; varying vec4 v, w; uniform vec4 u; uniform sampler2D s;
void main() { float t = exp2(v.x); vec4 c = texture2D(s, w.xy); gl_FragColor = vec4(c.xyz * c.yzw, t * c.x); }

//: size 3
#extension GL_EXT_draw_buffers : enable
precision highp float; varying vec4 v, w; uniform vec4 u; uniform sampler2D s;
void main() { gl_FragData[0] = vec4(v.xyz * u.xyz, exp2(w.x)); gl_FragData[1] = vec4(sqrt(abs(w.y)), w.xyz + v.yzw); }

//: -O 0
//: size 5
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { vec4 c; c.yzw = v.xyz * u.xyz; c.x = inversesqrt(v.w * v.w + 1.0); c.y += c.x; gl_FragColor = c; }

//: size 4
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { float s = exp2(v.w); gl_FragColor = vec4(v.xyz * u.xyz + w.yzw * u.yzx, w.x * -s); }

//: size 4
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { float s = -exp2(v.w); gl_FragColor = vec4(v.xyz * u.xyz + w.yzw * u.yzx, s * -s - w.x); }

//: size 6
precision highp float; varying vec4 v, w, x; uniform vec4 u;
void main() { float s = exp2(v.w); vec3 t = v.xyz * u.xyz + w.yzw * u.yzx; t = t * x.xyz + w.zwx; gl_FragColor = vec4(t * x.yzw + v.yxw, s - x.w); }

//: size 4
precision highp float; varying vec4 v, w, x; uniform vec4 u;
void main() { vec3 t = v.xyz * u.xyz + w.yzw * u.yzx; t = t * x.xyz + w.zwx; gl_FragColor = vec4(t, x.w); }

//: size 3
precision highp float; varying vec4 v, w, x; uniform vec4 u;
void main() { vec3 t = v.xyz + w.yzw; t = t * x.xyz + w.zwx; gl_FragColor = vec4(t, x.w); }

//: size 6
precision highp float; varying vec4 v, w, x; uniform vec4 u;
void main() { float t = floor(v.x) + 0.5; vec3 s = w.xyz * x.yzw + v.yzw; gl_FragColor = vec4(s * t + u.xyz, t); }

//: size 6
precision highp float; varying vec4 v, w, x; uniform vec4 u;
void main() { gl_FragColor = vec4(dot(v, w) * dot(w.zyx, u.xyz), v.xyz + w.zyx * abs(dot(v.xy, u.zw))); }

//: size 7
precision highp float; varying vec4 v, w, x; uniform vec4 u;
void main() { gl_FragColor = vec4(normalize(v.xyz + 3.0), dot(normalize(w.yzw + 4.0), u.zxy)); }

//: size 10
precision highp float; varying vec4 v, w;
void main() { vec3 t = reflect(v.xyz, w.zxy); gl_FragColor = vec4(faceforward(t, v.yzw, w.xyz), smoothstep(-1.0, 1.0, v.x)); }

//: size 10
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { gl_FragColor = vec4(mod(v.xy, w.zw + 3.0), pow(abs(v.z) + 0.5, w.x), distance(v.xyz, w.zyx)); }

//: schedule.scalar_unit: previous result: x * -p
//: size 3
precision highp float; varying vec4 v, w, x; uniform vec4 u;
void main() { float s = exp2(v.w); gl_FragColor = vec4(v.xyz * w.yzw * x.zxy, -s * w.x); }

//: schedule.previous_result: the previous result kept by an empty half
//: size 5
precision highp float; varying vec4 v, w, x; uniform vec4 u;
void main() { float s = exp2(v.w); vec3 t = v.xyz * u.xyz + w.yzw * u.yzx; t = t * x.xyz + w.zwx; gl_FragColor = vec4(t * x.yzw, s * w.y); }

//: schedule.scalar_unit: previous result: x - p
//: size 5
precision highp float; varying vec4 v, w, x; uniform vec4 u;
void main() { float s = exp2(v.w); vec3 t = v.xyz * u.xyz + w.yzw * u.yzx; t = t * x.xyz + w.zwx; gl_FragColor = vec4(t * x.yzw, w.y - s); }

//: schedule.previous_result: export by the previous result, later
//: size 3
#extension GL_EXT_draw_buffers : enable
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { float t = clamp(v.y, 0.0, 1.0); vec4 s = floor(v.wxyz); gl_FragData[0] = vec4(v.zxw * w.zwx + w.ywz, t); gl_FragData[1] = s; }

//: size 6
#extension GL_EXT_draw_buffers : enable
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { float t = clamp(v.y, 0.0, 1.0); vec4 s = floor(v.wxyz); gl_FragData[1] = vec4(v.zxw * w.zwx + w.ywz, t); gl_FragData[0] = s; gl_FragData[2] = s.wzyx * v; }

//: schedule.scalar_unit: one register: -x + y
//: size 3
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { vec4 n = -v; gl_FragColor = vec4(w.xyz * u.yzx, n.x + v.y) + n.wzyx * n; }

//: size 4
precision highp float; varying vec4 v, w; uniform vec4 u;
void main() { vec3 t = floor(v.zxw); gl_FragColor = vec4(max(v.y, w.x), t * w.zwx + w.ywz); }

//: size 3
precision highp float; varying vec4 v, w, x; uniform vec4 u;
void main() { gl_FragColor = vec4(v.yzx * w.xyz + u.xyz, u.z + x.w); }

//: size 2
precision highp float; varying vec4 v, w, x; uniform vec4 u;
void main() { gl_FragColor = vec4(v.yzx * w.xyz + u.xyz, exp2(u.z)); }

//: size 3
precision highp float; varying vec4 v, w, x; uniform vec4 u;
void main() { gl_FragColor = vec4(v.y * w.x + u.z, exp2(u.x), v.zw * w.wz + u.xy); }

//: size 3
precision highp float; varying vec4 v, w, x; uniform vec4 u;
void main() { gl_FragColor = vec4(v.y * w.x + x.z, exp2(x.x), v.zw * w.wz + x.xy); }

//: size 3
precision highp float; varying vec4 v, w, x; uniform vec4 u;
void main() { gl_FragColor = vec4(v.y * w.x - x.z, x.x - x.y, v.z * w.w - x.x, v.w * w.z - x.y); }
