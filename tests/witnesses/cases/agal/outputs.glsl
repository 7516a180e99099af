//: outputs: output that the source does not write
//: -O 2 agal_version=2
//: size 3
#extension GL_EXT_draw_buffers : enable
precision highp float;
varying vec4 v;
void main() { gl_FragData[2] = v.wzyx; gl_FragData[0] = v; }

//: outputs: output that the source does not write
//: size 2
// No gl_Position.
attribute vec4 a;
varying vec4 n;
void main() { n = a.wzyx; }

//: outputs: output that the source does not write
//: -O 2 agal_version=2
//: size 2
#extension GL_EXT_frag_depth : require
precision highp float;
varying vec4 v;
void main() { gl_FragDepthEXT = v.y; }

//: select: normalize(x:3)
//: size 10
attribute vec4 a;
varying vec3 n;
varying vec4 m;
void main() { gl_Position = vec4(normalize(a.wzy + 0.125), 1.0); n = normalize(a.xyz + 0.125); m = vec4(1.0, normalize(a.ywx + 0.125)); }

//: select: cross(x, y)
//: size 6
attribute vec4 a, b;
varying vec3 n;
varying vec4 m;
void main() { gl_Position = vec4(cross(a.wzy, b.xyz), 1.0); n = cross(a.xyz, b.yzw); m = vec4(cross(a.xzw, b.ywx), a.x); }

//: select: dot(x:4, y)
//: size 7
attribute vec4 a, b;
varying float n;
varying vec2 m;
void main() { gl_Position = vec4(a.xy, dot(a, b.wzyx), dot(a.wyz, b.xyz)); n = dot(a.wzyx, b); m = vec2(dot(a.xy, b.zw), dot(a.xzw, b.yxw)); }

//: select: store
//: -O 2 agal_version=2
//: size 26
precision highp float;
varying vec4 v;
uniform vec4 u;
void main() {
    vec4 c;
    if (v.x < u.y) c = normalize(sin(v.wzyx) + u) + normalize(cos(v) * u);
    else c = normalize(cos(v.wzyx) + u) - normalize(sin(v) * u);
    gl_FragColor = c;
}
