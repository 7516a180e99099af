//: rewrites.scene_inputs: Barycentric
//: rewrites.scene_inputs: HitDistance
precision highp float;
varying vec2 theia_Barycentric;
varying float theia_HitDistance;
void main() { gl_FragColor = vec4(theia_Barycentric.yx * 2.0, theia_Barycentric.x, theia_HitDistance); }

//: rewrites.scene_inputs: CameraPosition
//: rewrites.scene_inputs: RayDirection
precision highp float;
uniform vec3 theia_CameraPosition;
varying vec3 theia_RayDirection;
void main() { gl_FragColor = vec4(theia_CameraPosition * 8.0 + theia_RayDirection.zxy, 1.0); }

//: rewrites.scene_inputs: Diffuse
//: rewrites.scene_inputs: TextureColor
precision highp float;
varying vec3 theia_Diffuse, theia_TextureColor;
void main() { gl_FragColor = vec4(theia_Diffuse * 8.0 + theia_TextureColor.zxy, 1.0); }

//: rewrites.scene_inputs: LightPosition
//: rewrites.scene_inputs: LightDiffuse
precision highp float;
uniform vec3 theia_LightPosition, theia_LightDiffuse;
void main() { gl_FragColor = vec4(theia_LightPosition * 8.0 + theia_LightDiffuse.zxy, 1.0); }

//: rewrites.scene_inputs: FrontFacing
precision highp float;
varying vec3 a;
void main() { gl_FragColor = vec4(a, gl_FrontFacing ? 0.25 : a.x); }

//: rewrites.scene_inputs: Hit
precision highp float;
varying float theia_Hit;
void main() { gl_FragColor = vec4(theia_Hit != 0.0 ? 0.75 : 0.5); }

//: rewrites.scene_inputs: HitPosition
precision highp float;
varying vec3 theia_HitPosition;
void main() { gl_FragColor = vec4(theia_HitPosition, 1.0); }

//: rewrites.scene_inputs: Normal
//: rewrites.scene_inputs: Resolution
precision highp float;
uniform vec2 theia_Resolution;
varying vec3 theia_Normal;
void main() { gl_FragColor = vec4(theia_Resolution, 0.0, 1.0) + vec4(normalize(theia_Normal), 0.5); }

//: rewrites.scene_inputs: TexCoord
precision highp float;
varying vec2 theia_TexCoord;
void main() { gl_FragColor = vec4(theia_TexCoord, theia_TexCoord.yx * 2.0); }

//: row of the fourth components of several columns
//: -O 0
precision highp float;
varying vec4 v;
uniform mat4 u;
void main() { gl_FragColor = v.x * (u * v); }
