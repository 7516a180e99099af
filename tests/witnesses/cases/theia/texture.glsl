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

//: rewrites.lookup_places: lookup of hits only
//: size 34
precision highp float;
varying vec2 theia_TexCoord;
uniform sampler2D s;
void main() { gl_FragColor = texture2D(s, theia_TexCoord * 0.75 + 0.0625); }

//: rewrites.lookup_places: lookup that the shader guards
//: size 31
precision highp float;
varying vec2 theia_TexCoord;
varying float theia_Hit;
uniform sampler2D s;
void main() { if (theia_Hit == 0.0) gl_FragColor = vec4(0.25); else gl_FragColor = texture2D(s, theia_TexCoord); }

//: rewrites.lookup_places: component of a place that means nothing
//: -O 0
//: size 20
precision highp float;
varying vec2 v;
uniform sampler2D s;
void main() { vec2 p; p.x = v.y; gl_FragColor = texture2D(s, p) + vec4(v, 0.0, 0.0); }
