//: outputs: output that the source does not write
//: -O 2 agal_version=2
//: size 3
#extension GL_EXT_draw_buffers : enable
precision highp float;
varying vec4 v;
void main() { gl_FragData[2] = v.wzyx; gl_FragData[0] = v; }
