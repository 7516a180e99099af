attribute vec4 q; uniform int n;
void main() {
    vec4 c = q; vec4 d = q.wzyx;
    for (int i = 0; i < 20; i++) { if (i >= n) break; vec4 t = c; c = d.yxwz; d = t * 0.5; }
    gl_Position = c - d * 3.0;
}
