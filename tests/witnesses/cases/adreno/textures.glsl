//: selection.textures: source of a fetch copied to a register
//: size 5
precision highp float; varying vec4 v; uniform sampler2D s, t;
void main() { gl_FragColor = texture2D(t, v.yx).wzyx - texture2D(s, -v.zw); }

//: size 10
precision highp float; varying vec4 v; uniform sampler2D s[2]; uniform samplerCube c;
void main() { gl_FragColor = texture2D(s[1], v.yx * 0.5) - texture2D(s[0], v.zw).yzwx + textureCube(c, v.zxy); }

//: selection.textures: level of detail in a field
//: selection.textures: lookup in a cube
//: selection.textures: texture
//: size 6
precision highp float; varying vec4 v; uniform samplerCube c;
void main() { gl_FragColor = textureCube(c, -v.wzx); }

//: size 4
precision highp float; varying vec4 v; uniform sampler2D s;
void main() { gl_FragColor = texture2D(s, v.yx, 1.5) + texture2D(s, v.zw, -4.0); }

//: encode: level of detail set before
//: selection.textures: level of detail in a register
//: size 12
precision highp float; varying vec4 v; uniform sampler2D s; uniform vec4 u;
void main() { gl_FragColor = texture2D(s, v.yx, v.w) + texture2D(s, u.xy, 4.0) + texture2D(s, u.zw, 0.3); }

//: size 7
attribute vec4 a; uniform sampler2D s;
void main() { gl_Position = texture2DLod(s, a.yx, 0.0) - texture2DLod(s, a.wz, a.y).wzyx; }

//: size 9
attribute vec4 a; uniform sampler2D s; uniform samplerCube c;
void main() { gl_Position = texture2D(s, a.yx) - textureCubeLod(c, a.wzy, 0.0).wzyx; }

//: size 5
#extension GL_EXT_shader_texture_lod : enable
precision highp float; varying vec4 v; uniform sampler2D s;
void main() { gl_FragColor = texture2DLodEXT(s, v.yx, 0.0) - texture2DProj(s, vec3(v.xz, 2.0)); }

//: encode: gradients set before
//: selection.textures: gradients of the shader's own
//: size 15
#extension GL_EXT_shader_texture_lod : enable
precision highp float; varying vec4 v, w; uniform sampler2D s; uniform samplerCube c; uniform vec3 u;
void main() { gl_FragColor = texture2DGradEXT(s, v.yx, w.zy, -w.xw) - textureCubeGradEXT(c, -v.wzx, u.zxy, w.ywx); }

//: clauses: a fetch waits for the one before
//: selection.textures: lookup in a flat texture
//: size 4
precision highp float; varying vec4 v; uniform sampler2D s;
void main() { gl_FragColor = texture2D(s, texture2D(s, v.wz).zy); }

//: size 5
precision highp float; varying vec4 v; uniform sampler2D s;
void main() { vec4 a = texture2D(s, v.wz); vec4 b = texture2D(s, v.xy + a.wy); gl_FragColor = b * a; }

//: selection.textures: ddx(x)
//: selection.textures: ddy(x)
//: selection.textures: derivatives, one fetch
//: size 6
#extension GL_OES_standard_derivatives : enable
precision highp float; varying vec4 v;
void main() { gl_FragColor = vec4(dFdx(v.y), dFdy(v.z), dFdx(v.wx)); }

//: selection.textures: derivatives, two fetches
//: size 14
#extension GL_OES_standard_derivatives : enable
precision highp float; varying vec4 v;
void main() { gl_FragColor = vec4(dFdx(v.zyw), 0.0) + dFdy(v.wxyz) + vec4(dFdy(-v.yx), dFdx(abs(v.z)), fwidth(v.y)); }
