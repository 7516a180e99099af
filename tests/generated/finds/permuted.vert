attribute vec4 q;
void main() {
    vec4 c = q; vec2 d = q.zw;
    for (int i = 0; i < 100; i++) { c = vec4(c.y * 0.5, d.y, d.x, c.x); }
    gl_Position = c + d.xyxy;
}
