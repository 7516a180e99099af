//: legalize: loop that nothing bounds
//: -O 2 agal_loop_limit=5
//: size 30
precision highp float;
varying vec4 v;
uniform int n;
void main() { vec4 c = v; for (int i = 0; i < n; i++) c = c.wxyz * 0.5 + v; gl_FragColor = c; }

//: legalize: depth from 0 to w
//: -O 2 agal_clip_z=True
//: size 3
attribute vec4 a;
void main() { gl_Position = a.xyzz; }
