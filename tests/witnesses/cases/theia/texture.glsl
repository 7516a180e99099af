//: selection.memory: texture
//: texture: nearest texel
//: rows.emitter: alpha of a texel is 1.0
//: size 23
precision highp float;
varying vec2 v;
uniform sampler2D s;
void main() { gl_FragColor = texture2D(s, v.yx * 0.75 + 0.0625); }

//: texture: level of detail left out
//: size 29
precision highp float;
varying vec2 v;
uniform sampler2D s;
void main() { gl_FragColor = texture2D(s, v * 0.75 + 0.0625, -1.0).zxyw; }

//: texture: coordinates kept inside of the texture
//: - wrap=clamp
//: size 37
precision highp float;
varying vec2 v;
uniform sampler2D s;
void main() { gl_FragColor = texture2D(s, v * 0.75 + 0.0625); }

//: texture: four texels mixed
//: texture: coordinates kept between the centres of the outer texels
//: - wrap=clamp filter=linear
//: size 74
precision highp float;
varying vec2 v;
uniform sampler2D s;
void main() { gl_FragColor = texture2D(s, v * 0.75 + 0.0625); }

//: texture: four texels mixed
//: - filter=linear
precision highp float;
varying vec2 v;
uniform sampler2D s;
void main() { gl_FragColor = texture2D(s, v.yx * 0.75 + 0.03125); }
