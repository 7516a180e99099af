//: rewrites.elementary: fsin as fmul fadd fsub ffract fabs
//: rewrites.elementary: fcos as fmul fadd fsub ffract fabs
precision highp float;
varying vec3 a;
varying float s;
void main() { gl_FragColor = vec4(sin(a * 4.0), cos(s * 3.0)); }

//: rewrites.elementary: fasin as fmul fadd fsub fabs fsqrt flt fle select fneg
//: selection.logic: select(mask, x, y)
//: selection.logic: select of vectors by a difference
precision highp float;
varying vec3 a;
void main() { gl_FragColor = vec4(asin(a * 0.5), 1.0); }

//: rewrites.elementary: fmod as fdiv ffloor fmul fsub fadd fsign flt select
//: rewrites.elementary: mod by a number whose quotient is exact
//: rewrites.elementary: mod by a positive number
precision highp float;
varying vec3 a;
void main() { gl_FragColor = vec4(mod(a, vec3(0.75, 0.5, -1.0)), mod(a.x * 4.0, 2.5)); }

//: rewrites.elementary: mod by any number
precision highp float;
varying vec3 a;
varying float s, t;
void main() { gl_FragColor = vec4(mod(a * 4.0, vec3(1.5, -2.25, 3.0)), mod(s * 4.0, t < 0.0 ? t - 0.5 : t + 0.75)); }

//: rewrites.elementary: fpow as fexp2 flog2 fmul flt select
//: rewrites.elementary: pow of three numbers
//: selection.logic: select of a vector or zeros
//: rewrites.exponents: exp2 of three numbers in one loop
//: rewrites.exponents: log2 of three numbers in one loop
precision highp float;
varying vec3 a, b;
void main() { gl_FragColor = vec4(pow(abs(a), abs(b) + 0.5), 1.0); }

//: rewrites.elementary: pow of one number or two
//: rewrites.exponents: exp2 of one number or two
//: rewrites.exponents: log2 of one number or two
precision highp float;
varying vec2 a, b;
void main() { gl_FragColor = vec4(pow(abs(a), abs(b) + 0.5), 0.25, 1.0); }

//: rewrites.exponents: exp2 of three numbers in one loop
//: rewrites.exponents: log2 of three numbers in one loop
precision highp float;
varying vec3 a, b;
void main() { gl_FragColor = vec4(exp2(a * 2.0) + log2(abs(b * b * b) + 0.125), 1.0); }

//: rewrites.exponents: exp2 of one number or two
//: rewrites.exponents: log2 of one number or two
precision highp float;
varying vec2 a, b;
varying float s;
void main() { gl_FragColor = vec4(exp2(a * 2.0), log2(abs(b * b * b) + 0.125)); }

//: rewrites.reroll: several equal functions in one loop
precision highp float;
varying vec4 a, b;
void main() { gl_FragColor = pow(a + 2.125, b); }

//: rewrites.reroll: several equal functions in one loop
precision highp float;
varying vec3 a;
varying vec2 b;
void main() {
    gl_FragColor = vec4(acos(a), 1.0) + vec4(acos(b), 1.0, 2.0) * 4.0;
}

//: rewrites.elementary: facos as fmul fadd fsub fabs fsqrt flt fle select fneg
precision highp float;
varying float s;
void main() { gl_FragColor = vec4(acos(s * 0.5)); }

//: rerolled functions of which one is computed of another
precision highp float;
varying vec4 v;
void main() { gl_FragColor = vec4(sin(v.x) + sin(v.y), sin(sin(v.x) + v.z), sin(v.w), 1.0); }
