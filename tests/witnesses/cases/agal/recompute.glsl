//: recompute: value computed again
//: size 41
precision highp float;
varying vec4 v, w;
uniform vec4 a, b;
void main() {
    vec4 p = sin(v * a), q = sin(v * b), r = sin(w * a), s = sin(w * b), k = a + b * v;
    vec4 t = p * q, u = q * r, x = r * s, y = s * p;
    vec4 m = t + u * p + x * q + y * r;
    gl_FragColor = (m * p + t * x + u * y) / (m + p * p + q * q + r * r + s * s + k * k + 8.0) * k;
}

//: recompute: value computed again
//: size 45
precision highp float;
varying vec4 v, w;
uniform vec4 a, b;
void main() {
    vec4 p = sin(v * a), q = sin(v * b), r = sin(w * a), s = sin(w * b), k = v + w, o = v * w;
    vec4 t = p * q, u = q * r, x = r * s, y = s * p;
    vec4 m = k * t + u * p + x * q + y * r;
    gl_FragColor = (m * p + t * x + u * y + o) / (m + p * p + q * q + r * r + s * s + k * k + 8.0) * (k + o);
}
