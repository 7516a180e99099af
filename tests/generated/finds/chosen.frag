precision highp float; varying float x;
void main() {
    vec4 a = max(vec4(1.0, 0.75, 0.5, 0.0), x); vec4 b = a.zxyx;
    if (x < 0.5) { b.y = a.a; a.x = x; }
    gl_FragColor = a + b;
}
