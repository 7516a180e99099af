//: constants: row kept in a constant register
//: constants: row of numbers from nothing
//: rows.demanded_lanes: number in a lane that nothing reads left open
//: size 9
precision highp float;
varying vec3 a;
void main() { gl_FragColor = vec4(a * vec3(0.25, -0.5, 0.75), 1.0); }

//: constants: row of numbers from ZERO
//: constants: row of numbers from one in all lanes
//: size 12
precision highp float;
varying vec3 a, b;
void main() { gl_FragColor = vec4((a + vec3(0.0, 0.75, 0.0)) * (b + 0.25), 1.0); }

//: constants: row of numbers from INC
//: constants: row of numbers from DEC
//: size 11
precision highp float;
varying vec3 a, b;
void main() { gl_FragColor = vec4((a + vec3(1.0, 1.0, 0.75)) * (b + vec3(-1.0, 0.5, -1.0)), 1.0); }

//: constants: row of numbers from INCX
//: constants: row of numbers from INCY
//: constants: row of numbers from INCZ
//: size 12
precision highp float;
varying vec3 a, b, c;
void main() {
    gl_FragColor = vec4((a + vec3(1.0, 0.0, 0.0)) * (b + vec3(0.0, 1.0, 0.0)) * (c + vec3(0.0, 0.0, 1.0)), 1.0);
}

//: constants: one row of numbers serves for another with open lanes
//: constants: zeros are register 0
//: size 19
precision highp float;
varying vec3 a, b;
void main() {
    vec2 c = a.xy * vec2(0.25, 0.75);
    gl_FragColor = vec4(b * vec3(0.25, 0.75, -0.5) + vec3(c, c.x), a.z < 0.0 ? 0.5 : 0.0);
}

//: constants: uniform spread to all lanes
//: constants: uniform set lane by lane
//: size 14
precision highp float;
varying vec3 a, b;
uniform float s;
uniform vec3 u;
void main() { gl_FragColor = vec4(a * s + b * u, u.y); }

//: constants: uniform in the register of its pin
//: - pin=u=C6,m=C2
//: size 29
precision highp float;
varying vec3 a, b;
uniform vec3 u;
uniform mat3 m;
void main() { gl_FragColor = vec4(m * a + u * b, 1.0); }

//: constants: row made before its first use
//: constants: row made in place of its copy
//: constants: row made in the entry block
//: size 81
precision highp float;
varying vec3 a, b;
uniform vec3 u, v, w;
uniform int times;
void main() {
    vec3 c = vec3(0.375, 0.625, 0.875), d = a * vec3(0.25, 0.5, 0.75), e = a + vec3(0.875, 1.125, 1.375);
    for (int i = 0; i < 5; i++) {
        if (i > times) break;
        c = c.yzx * u + vec3(0.25, 0.5, 0.75) * d - vec3(0.125, 0.375, -0.5) * a;
        d = d * vec3(0.5, 0.25, -0.125) + c * vec3(-0.25, 0.0, 0.75) - b * vec3(0.75, 1.25, 0.5);
        c = c * v - d * vec3(0.375, 0.125, 0.25) + w * d + vec3(0.3125, 0.4375, 0.5625);
    }
    gl_FragColor = vec4(c * vec3(1.5, 2.5, 3.5) + d, 1.0) + vec4(e, 0.0);
}

//: constants: row made before its first use in the entry block
//: size 67
precision highp float;
varying vec4 a;
void main() { gl_FragColor = exp(a); }

//: constants: depth of the pixel set
//: rewrites.scene_inputs: FragCoord
//: size 22
precision highp float;
void main() { gl_FragColor = gl_FragCoord.yxzw * vec4(0.25, 0.5, 1.0, 2.0); }

//: selection.memory: store of the block of constants
//: size 27
precision highp float;
varying vec3 a;
uniform vec3 u, v;
void main() { gl_FragColor = vec4(a * (u.zxy * v - u), u.x / (v.y * v.y + 1.0)); }

//: legalize: result of the preamble that nothing reads left out
//: size 35
precision highp float;
varying vec4 s;
uniform vec3 u;
void main() {
    float arr[4];
    arr[0] = s.x;
    arr[1] = s.y;
    arr[2] = s.z;
    arr[3] = s.w;
    arr[int(abs(u.x))] = 0.25;
    gl_FragColor = vec4(arr[1], arr[3], s.xy);
}

//: legalize: preamble that computes nothing left out
//: size 10
precision highp float;
varying vec4 s;
uniform int n;
void main() {
    float arr[2];
    arr[0] = s.x;
    arr[1] = s.y;
    arr[n + n * n] = 0.25;
    arr[0] = s.z;
    arr[1] = s.y;
    gl_FragColor = vec4(arr[1], arr[0], s.yz);
}
