//: size 13
precision highp float; varying vec4 v; uniform vec4 u;
void main() { gl_FragColor = vec4(sin(v.x * 4.0), cos(v.yz * 3.5), sin(u.x)); }

//: legalize: scale taken up by a sum
//: size 13
precision highp float; varying vec4 v; uniform vec4 u;
void main() { gl_FragColor = vec4(sin(v.x * 4.0 + 1.5), cos(v.y - 2.5), sin(v.z * 2.5 + u.x), cos(3.0 * (v.w + 0.75))); }

//: legalize: angle reduced exactly
//: size 12
precision highp float; varying vec4 v; uniform vec4 u;
void main() { gl_FragColor = vec4(sin(v.x * 500.0) * 300.0, 256.0 * cos(v.y * -500.0), sin(v.z * 625.0) * 512.0 + v.w, 1.0); }

//: legalize: angle reduced as the driver does
//: legalize: scale taken up by a constant
//: legalize: scale taken up by a multiply-add
//: selection.arithmetic: fcos(x)
//: selection.arithmetic: fsin(x)
//: size 17
precision highp float; varying vec4 v; uniform vec4 u;
void main() { gl_FragColor = sin(v * vec4(1.5, 2.5, 3.5, 4.5) + vec4(0.5, 1.0, 1.5, 2.0)) - cos(u); }

//: -fprecise
//: size 17
precision highp float; varying vec4 v; uniform vec4 u;
void main() { gl_FragColor = sin(v * vec4(1.5, 2.5, 3.5, 4.5) + vec4(0.5, 1.0, 1.5, 2.0)) - cos(u); }

//: legalize: scale taken up by a product
//: size 11
precision highp float; varying vec4 v; uniform vec4 u;
void main() { vec2 t = v.xy * 3.0 + 0.5; gl_FragColor = vec4(sin(t), cos(t * 2.0)) + t.xyxy; }

//: size 15
precision highp float; varying vec4 v; uniform vec4 u;
void main() { gl_FragColor = vec4(tan(v.x), sin((v.y + u.x) * 2.0 + u.y), sin(2.0 - v.z * 1.5), cos(-v.w)); }

//: size 9
precision highp float; varying vec4 v;
void main() { gl_FragColor = vec4(sin(vec2(v.x, 2.0)), cos(vec2(4.0, v.y * 2.0))); }
