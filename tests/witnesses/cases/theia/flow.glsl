//: finalize: NOP before MOD where a jump arrives
//: size 11
precision highp float;
varying vec2 a;
void main() { gl_FragColor = vec4(floor(max(a.x, a.y))); }

//: finalize: branch with its true side next
//: finalize: branch with its true side elsewhere
//: finalize: jump to the next block left out
//: size 30
precision highp float;
varying vec3 a, b;
uniform int times;
void main() {
    vec3 c = a;
    for (int i = 0; i < 5; i++) {
        if (i > times) break;
        if (c.x < b.y) c = floor(c) + b; else c = c.yzx * b - a;
    }
    gl_FragColor = vec4(c, 1.0);
}

//: jump_threading: jump to a jump
//: jump_threading: jump around a jump
//: size 20
precision highp float;
varying vec3 a, b, c;
void main() {
    vec3 d = b;
    if (a.x < b.y && b.z < a.y || !(a.z < b.x || c.x < c.y)) d = c * c.y;
    gl_FragColor = vec4(d, 1.0);
}

//: jump_threading: word that nothing reaches
//: size 32
precision highp float;
varying vec4 a;
void main() {
    vec4 r;
    if (a.x > 1.5) r = vec4(1.0);
    else if (a.x > 0.0) r = a.yyyy;
    else if (a.x > -1.5) { r = a * 2.0; r.x = -1.0; }
    else r = vec4(a.w, 0.0, 0.0, 0.25);
    gl_FragColor = r;
}

//: finalize: something before a lone RETURN
//: jump_threading: jump to the next word
//: size 5
precision highp float;
varying float s;
void main() {
    if (s < 0.5) discard;
}

//: selection.memory: undefined colour not written
//: size 6
precision highp float;
varying float s;
void main() {
    vec4 c;
    if (s < 0.5) discard;
    gl_FragColor = c;
}

//: selection.memory: channels kept from falling below 0
//: legalize: alpha that nothing shows left out
//: - output=screen
//: size 14
precision highp float;
varying vec3 a;
void main() { gl_FragColor = vec4(a + 2.5, 0.0); }

//: selection.memory: channels that are not below 0
//: - output=screen
//: size 12
precision highp float;
varying vec3 a;
void main() { gl_FragColor = vec4(abs(a), 0.0); }

//: selection.memory: colour written to a register
//: selection.memory: alpha kept in a register
//: - variant=v1.2
//: size 14
precision highp float;
varying vec3 a;
void main() { gl_FragColor = vec4(a.yzx * 2.0, a.y); }

//: finalize: NOP between a jump and MOD
//: -O 0
//: size 14
precision highp float;
varying vec3 a, b;
uniform vec3 u;
void main() {
    if (a.x < u.x) discard;
    gl_FragColor = vec4(a + floor(b), 1.0);
}
