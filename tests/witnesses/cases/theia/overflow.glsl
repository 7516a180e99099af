//: rewrites.overflow: sum kept in range
//: - saturate=on
precision highp float;
varying vec3 a, b;
void main() { gl_FragColor = vec4(a * 500.0 - b * 400.0, 1.0); }

//: rewrites.overflow: product or quotient kept in range
//: - saturate=on
precision highp float;
varying vec3 a, b;
void main() { gl_FragColor = vec4(a * b * a * 0.75, 1.0); }

//: rewrites.overflow: product or quotient kept in range
//: - saturate=on
precision highp float;
varying vec3 a, b;
void main() { gl_FragColor = vec4(cross(a * 8.0, b * 8.0), dot(a * 8.0, b * 8.0)); }

//: rewrites.overflow: smaller factor first
//: - range=a=-16000:16000,b=-1:1
precision highp float;
varying vec3 a, b;
void main() { gl_FragColor = vec4((a * 5461.0) * (b * 0.5), dot(a * 5461.0, b * 0.0625)); }
